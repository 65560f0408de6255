"""Loads with known truth, for benchmarks/changes.py: pairs of recordings, and recordings with incidents.

One column is one second, latencies are in microseconds, 27 octaves of ``rows`` rows each. A load has two components of
latency, lognormal each; its events come in bursts of the same row and column, so that counts vary more than Poisson,
and its rate, the share of its slow component and its latency wander as a first-order autoregression.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import erf, exp, log, log2, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
OCTAVES = 27
MICRO = 1e-6
SWINGING = 5000
"""Columns from which on a recording has the swing of the day."""
_STEPS = np.linspace(-9, 9, 18001)
_NORMAL = np.array([0.5 * (1 + erf(step / sqrt(2))) for step in _STEPS])


def normal_cdf(values: Any) -> Floats:
    """The share of a standard normal below each value, to 1e-7."""
    return np.interp(values, _STEPS, _NORMAL)


def edges_of(rows: int) -> Floats:
    """Bounds of all rows in microseconds: 2^k (1 + i / rows)."""
    octave = 2.0 ** np.arange(OCTAVES)
    return np.append((octave[:, None] * (1 + np.arange(rows) / rows)).ravel(), 2.0**OCTAVES)


@dataclass(frozen=True)
class Wander:
    """How a load wanders: mean events of a burst, columns over which it is correlated (0: white), standard deviations
    of ln rate, of the logit of the slow share and of log2 latency, and a drift of the logit over both sides of a pair.
    """

    burst: float = 3
    columns: float = 1
    rate: float = 0.3
    share: float = 0.3
    shift: float = 0.03
    trend: float = 0

    @property
    def dispersion(self) -> float:
        """Variance of a count over its mean."""
        return 2 * self.burst - 1


WANDERS = {
    "iid": Wander(burst=1, columns=0, rate=0, share=0, shift=0),
    "burst5": Wander(burst=5, columns=0, rate=0.2, share=0, shift=0),
    "ar1": Wander(),
    "ar10": Wander(columns=10),
    "ar60": Wander(columns=60),
    "ar600": Wander(columns=600),
    "drift": Wander(rate=0.2, share=0.1, shift=0.02, trend=0.4),
}


def wandering(rng: np.random.Generator, n: int, columns: float) -> Floats:
    """Mean 0, standard deviation 1, correlation exp(-1 / columns) from one column to the next."""
    white = rng.standard_normal(n)
    if columns <= 0 or not n:
        return white
    keep = exp(-1 / columns)
    steps = white * sqrt(1 - keep * keep)
    steps[0] = white[0]
    return np.fromiter(accumulate(steps.tolist(), lambda last, step: keep * last + step), np.float64, n)


def in_bursts(rng: np.random.Generator, mean: Floats, burst: float) -> NDArray[np.int64]:
    """Counts with these means, of bursts of geometric size."""
    counts = rng.poisson(mean / burst)
    if burst > 1:
        some = counts > 0
        counts[some] += rng.negative_binomial(counts[some], 1 / burst)
    return counts


def logit(share: Any) -> Any:
    return np.log(share / (1 - share))


@dataclass
class Load:
    """A load; ``parts`` are (median in log2 microseconds, sigma in octaves, share), the slow one last."""

    rng: np.random.Generator
    rate: float
    rows: int
    wander: Wander
    base: str = "storage"
    parts: list[tuple[float, float, float]] = field(init=False)
    new_mode: tuple[float, float, float] | None = None
    warp: tuple[Floats, Floats] | None = None
    more_slow: float = 0.0

    def __post_init__(self) -> None:
        self.edges = edges_of(self.rows)
        self.octaves = np.log2(self.edges)
        self.grid = np.linspace(self.octaves[0] - 4, self.octaves[-1] + 4, 4000)
        self.parts = self._parts()

    def _parts(self) -> list[tuple[float, float, float]]:
        draw = self.rng.uniform
        if self.base == "storage":
            return [(draw(6, 8), draw(0.4, 0.9), 0.9), (draw(12, 13.5), draw(0.2, 0.6), 0.1)]
        if self.base == "ssd":
            middle, sigma = draw(6, 9), draw(0.3, 0.7)
            return [(middle, sigma, 0.93), (middle + 2.2 * sigma, 2 * sigma, 0.07)]
        middle, sigma = draw(7, 12), draw(0.5, 1.2)
        return [(middle, sigma, 0.9), (middle, sigma, 0.1)]

    def cdf(self, at: Any) -> Floats:
        """Share of events below each log2 latency: as the load is, with warp, more slow events and the new mode."""
        slow = 1 / (1 + np.exp(-(logit(self.parts[-1][2]) + self.more_slow)))
        place = at if self.warp is None else np.interp(at, *self.warp)
        shares = (1 - slow, slow)
        total = sum(
            share * normal_cdf((place - middle) / sigma)
            for (middle, sigma, _), share in zip(self.parts, shares, strict=True)
        )
        if self.new_mode:
            middle, sigma, share = self.new_mode
            total = (1 - share) * total + share * normal_cdf((at - middle) / sigma)
        return np.asarray(total)

    def quantile(self, q: float) -> float:
        """log2 latency."""
        return float(np.interp(q, self.cdf(self.grid), self.grid))

    def change(self, effect: str, size: float) -> None:
        """From now on: ``scale`` all latencies x size; ``tail`` x size from p97 on, nothing below p90; ``share`` the
        slow share is size; ``mode`` a new one of this share; ``rate`` x size.
        """
        if effect == "scale":
            self.warp = (self.grid + log2(size), self.grid)
        elif effect == "tail":
            move = log2(size) * np.clip((self.cdf(self.grid) - 0.90) / 0.07, 0, 1)
            self.warp = (self.grid + move, self.grid)
        elif effect == "share":
            self.more_slow = float(logit(size) - logit(self.parts[-1][2]))
        elif effect == "mode":
            self.new_mode = (min(self.quantile(0.999) + self.rng.uniform(1, 4), 25.0), 0.2, size)
        elif effect == "rate":
            self.rate *= size
        else:
            raise ValueError(effect)

    def masses(self, shift: Floats) -> Floats:
        """Shares of each component in each row, where latencies are 2^shift longer: [shifts, components, rows]."""
        at = self.octaves if self.warp is None else np.interp(self.octaves, *self.warp)
        found = []
        for middle, sigma, _ in self.parts:
            below = normal_cdf((at[None, :] - shift[:, None] - middle) / sigma)
            below[:, 0], below[:, -1] = 0, 1
            found.append(np.diff(below, axis=1))
        return np.stack(found, 1)

    def columns(self, n: int, trend: Floats | float = 0.0) -> NDArray[np.int64]:
        """Counts of n columns [n, rows]."""
        wander, rng = self.wander, self.rng
        rate = self.rate * np.exp(wander.rate * wandering(rng, n, wander.columns) - wander.rate**2 / 2)
        more = wander.share * wandering(rng, n, wander.columns) + self.more_slow + trend
        slow = 1 / (1 + np.exp(-(logit(self.parts[-1][2]) + more)))
        shifts = np.linspace(-0.2, 0.2, 41)
        masses = self.masses(shifts)
        which = np.clip(np.rint((wander.shift * wandering(rng, n, wander.columns) + 0.2) * 100), 0, 40).astype(int)
        shares = masses[which, 0] * (1 - slow)[:, None] + masses[which, 1] * slow[:, None]
        if self.new_mode:
            middle, sigma, share = self.new_mode
            mode = np.diff(normal_cdf((self.octaves - middle) / sigma))
            shares = (1 - share) * shares + share * mode / mode.sum()
        return in_bursts(rng, rate[:, None] * shares, wander.burst)


@dataclass(frozen=True)
class Pair:
    """Two recordings [rows, columns]; ``edges`` in seconds; the load as it was before and as it is after."""

    before: Floats
    after: Floats
    edges: Floats
    cdf_before: Floats
    cdf_after: Floats
    quantiles_before: dict[float, float]
    quantiles_after: dict[float, float]
    rate_ratio: float


def pair(
    seed: int,
    wander: str,
    effect: str = "",
    size: float = 1.0,
    n: int = 300,
    rate: float = 500.0,
    rows: int = 4,
    base: str = "storage",
) -> Pair:
    """``cdf_...``: share of events below each edge; ``quantiles_...`` log2 of seconds by q."""
    rng = np.random.default_rng(seed)
    load = Load(rng, rate, rows, WANDERS[wander], base)
    trend = np.linspace(-0.5, 0.5, 2 * n) * load.wander.trend * rng.choice([-1, 1])
    wanted = (0.5, 0.9, 0.99)
    before = load.columns(n, trend[:n])
    cdf_before, were = load.cdf(load.octaves), {q: load.quantile(q) + log2(MICRO) for q in wanted}
    if effect:
        load.change(effect, size)
    after = load.columns(n, trend[n:])
    return Pair(
        before.T.astype(np.float64),
        after.T.astype(np.float64),
        load.edges * MICRO,
        cdf_before,
        load.cdf(load.octaves),
        were,
        {q: load.quantile(q) + log2(MICRO) for q in wanted},
        load.rate / rate,
    )


KINDS = ("band", "slower", "share", "rate", "stall", "move")


@dataclass(frozen=True)
class Planted:
    """An incident in columns [first, last). ``band``: a share of the events is octaves above the median; ``slower``:
    all latencies are octaves longer; ``share``: the odds of the slow share x share; ``rate``: x share; ``stall``: no
    events, then those that waited; ``move``: the slow component climbs by octaves and returns.
    """

    kind: str
    first: int
    last: int
    share: float
    octaves: float


@dataclass(frozen=True)
class Recording:
    """Counts [rows, columns] of one second each, ``edges`` in seconds, and what was planted."""

    counts: Floats
    edges: Floats
    planted: list[Planted]
    load: Load


def recording(
    seed: int, n: int, incidents: int, wander: str, rate: float = 300.0, rows: int = 2, base: str = "storage"
) -> Recording:
    """A recording with so many incidents of all kinds, one in each part of the time."""
    rng = np.random.default_rng(seed)
    load = Load(rng, rate, rows, WANDERS[wander], base)
    planted = [_planted(rng, number, n, n / max(incidents, 1)) for number in range(incidents)]
    counts = _recorded(load, n, planted)
    return Recording(counts.T, load.edges * MICRO, planted, load)


DRIFTS = ("up", "down", "up and down", "to the end")
"""``up and down``: up, a rest, and half of it down; ``to the end``: the latency rises by as much each second until the
recording ends.
"""


def drifting(seed: int, shape: str, wander: str = "ar1") -> Recording:
    """A recording in which the slow component, or all, drifts by 0.5 to 4 octaves within 30 s to 20 min."""
    rng = np.random.default_rng(seed)
    rate, rows = exp(rng.uniform(log(100), log(3000))), int(rng.choice([1, 2, 4]))
    base = str(rng.choice(["storage", "one"]))
    load = Load(rng, rate, rows, WANDERS[wander], base)
    length, octaves = int(exp(rng.uniform(log(30), log(1200)))), rng.uniform(0.5, 4)
    first = 60 + int(length * rng.uniform(0.5, 3))
    after = 60 + int(length * rng.uniform(0.5, 3))
    kind = "slower" if base == "one" else "move"
    planted = [Planted(kind, first, first + length, 0.0, octaves)]
    if shape == "up and down":
        again = first + length + after
        planted.append(Planted(kind, again, again + length, 0.0, -octaves / 2))
    n = first + length if shape == "to the end" else planted[-1].last + after
    course = np.zeros(n)
    for one in planted:
        part = np.clip((np.arange(n) + 0.5 - one.first) / length, 0, 1)
        course += one.octaves * part if shape != "to the end" else np.log2(1 + (2**one.octaves - 1) * part)
    if shape == "down":
        course = octaves - course
    counts = _recorded(load, n, [], course if kind == "slower" else 0.0, course if kind == "move" else 0.0)
    return Recording(counts.T, load.edges * MICRO, planted, load)


def moved(seed: int, n: int, wander: str, rate: float, rows: int) -> Recording:
    """A recording in which the slow component goes up or down by 1 to 3 octaves at once, and stays there."""
    rng = np.random.default_rng(seed)
    load = Load(rng, rate, rows, WANDERS[wander])
    first, octaves = int(n * rng.uniform(0.1, 0.9)), rng.uniform(1, 3)
    up = bool(rng.random() < 0.5)
    counts = _recorded(load, n, [], 0.0, np.where((np.arange(n) >= first) == up, octaves, 0.0))
    planted = Planted("move", first, first, 0.0, octaves if up else -octaves)
    return Recording(counts.T, load.edges * MICRO, [planted], load)


LOWER, HIGHER = (1.5, 3.0), (5.0, 8.0)
"""Octaves above the median of two bands that are far from each other."""


def two_bands(seed: int, n: int, wander: str, rate: float, rows: int) -> Recording:
    """A recording in which a slow band, of 1 to 6 % of the events, is followed by another one in other octaves, after a
    pause of a tenth to a half of the first one's time.
    """
    rng = np.random.default_rng(seed)
    load = Load(rng, rate, rows, WANDERS[wander])
    length = int(n * rng.uniform(0.03, 0.2))
    first = int(n * rng.uniform(0.1, 0.3))
    second = first + int(length * rng.uniform(1.1, 1.5))
    ends = (first, first + length), (second, second + int(length * rng.uniform(0.6, 1.5)))
    octaves = rng.permutation([rng.uniform(*LOWER), rng.uniform(*HIGHER)])
    shares = exp(rng.uniform(log(0.01), log(0.06))), exp(rng.uniform(log(0.01), log(0.06)))
    planted = [Planted("band", *each, *of) for each, *of in zip(ends, shares, octaves.tolist(), strict=True)]
    return Recording(_recorded(load, n, planted).T, load.edges * MICRO, planted, load)


def _planted(rng: np.random.Generator, number: int, n: int, room: float) -> Planted:
    kind = str(rng.choice(KINDS))
    columns = int(exp(rng.uniform(log(20), log(min(3600, room * 0.5)))))
    if kind == "stall":
        columns = min(columns, int(rng.integers(5, 60)))
    first = int(number * room + rng.uniform(0.1, 0.9) * (room - columns - 2) + 1)
    share, octaves = exp(rng.uniform(log(0.002), log(0.5))), rng.uniform(1, 8)
    if kind == "slower":
        octaves = min(octaves, 3.0) * 0.5
    elif kind == "share":
        share = float(rng.choice([0.4, 1.8, 3.0]))
    elif kind == "rate":
        share = float(rng.choice([0.5, 1.6, 2.5]))
    elif kind == "move":
        octaves = min(octaves, 4.0)
    return Planted(kind, first, min(first + columns, n), share, octaves)


def _recorded(
    load: Load, n: int, planted: list[Planted], longer: Floats | float = 0.0, slow_longer: Floats | float = 0.0
) -> NDArray[np.float64]:
    """Counts [n, rows], made 20,000 columns at a time; all latencies, and those of the slow component, are by so many
    octaves ``longer`` [n].
    """
    courses = _courses(load, n, planted, longer, slow_longer)
    shifts = np.arange(-0.5, 8.5, 0.02)
    masses = load.masses(shifts)
    counts = np.zeros((n, masses.shape[2]))
    for start in range(0, n, 20000):
        part = slice(start, min(start + 20000, n))
        rate, slow, shift, climb = (course[part] for course in courses)
        fast_at, slow_at = (
            np.clip(np.rint((up + 0.5) / 0.02), 0, len(shifts) - 1).astype(int) for up in (shift, shift + climb)
        )
        shares = masses[fast_at, 0] * (1 - slow)[:, None] + masses[slow_at, 1] * slow[:, None]
        _add_bands(load, planted, shares, start)
        counts[part] = in_bursts(load.rng, rate[:, None] * shares, load.wander.burst)
    _hold_up(load, planted, counts)
    return counts


def _courses(
    load: Load, n: int, planted: list[Planted], longer: Floats | float, slow_longer: Floats | float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each column [n]: the rate, the share of the slow component, and by how many octaves all latencies, and besides
    those of the slow component, are longer.
    """
    rng, wander = load.rng, load.wander
    rate = load.rate * np.exp(wander.rate * wandering(rng, n, wander.columns) - wander.rate**2 / 2)
    if n > SWINGING:
        rate *= 1 + 0.4 * np.sin(2 * pi * (np.arange(n) / 86400 + rng.random()))
    more = wander.share * wandering(rng, n, wander.columns)
    shift = wander.shift * wandering(rng, n, wander.columns) + longer
    climb = np.zeros(n) + slow_longer
    for one in planted:
        part = slice(one.first, one.last)
        if one.kind == "slower":
            shift[part] += one.octaves
        elif one.kind == "share":
            more[part] += log(one.share)
        elif one.kind == "rate":
            rate[part] *= one.share
        elif one.kind == "move":
            length = one.last - one.first
            climb[part] += one.octaves * np.sin(pi * (np.arange(length) + 0.5) / length)
    slow = 1 / (1 + np.exp(-(logit(load.parts[-1][2]) + more)))
    return rate, slow, shift, climb


def _add_bands(load: Load, planted: list[Planted], shares: Floats, start: int) -> None:
    for one in planted:
        first, last = max(one.first, start), min(one.last, start + len(shares))
        if one.kind == "band" and first < last:
            part = slice(first - start, last - start)
            mode = band_of(load, one)
            shares[part] = (1 - one.share) * shares[part] + one.share * mode


def band_of(load: Load, one: Planted, octaves: Floats | None = None) -> Floats:
    """Shares of a planted band's events per row, or between the given log2 latencies."""
    middle = min(load.quantile(0.5) + one.octaves, 25.5)
    mode = np.diff(normal_cdf(((load.octaves if octaves is None else octaves) - middle) / 0.35))
    return np.asarray(mode / mode.sum())


def _hold_up(load: Load, planted: list[Planted], counts: Floats) -> None:
    """What a stall held up completes behind it, up to 64 at a time, each after a wait of its own."""
    for one in planted:
        if one.kind != "stall":
            continue
        if one.last < len(counts):
            held = min(int(counts[one.first : one.last].sum()), 64)
            waits = load.rng.uniform(0, one.last - one.first, held) * 1e6 + 1e3
            counts[one.last] += np.histogram(np.minimum(waits, 2.0**26.9), load.edges)[0]
        counts[one.first : one.last] = 0


def evidence(made: Recording, one: Planted) -> float:
    """z that an observer would reach who knew the place and the octave, and how the load wanders: the difference of
    the incident and a background of twice its length over its standard deviation. Decidable: 8 and more.
    """
    load, wander = made.load, made.load.wander
    length = one.last - one.first
    events, dispersion = load.rate * length, wander.dispersion
    if one.kind == "stall":
        return events / dispersion
    times = length / max(wander.columns, 0.5)
    left = 1.5 * min(1.0, 2 / times * (1 - (1 - exp(-times)) / times))
    if one.kind == "rate":
        spread = 1.5 * dispersion / events * (1 + 1 / one.share) / 2 + wander.rate**2 * left
        return abs(log(one.share)) / sqrt(spread)
    octaves = np.arange(OCTAVES + 1.0)
    before, inside = _octave_masses(load, octaves), _incident_masses(load, one, octaves)
    more = _octave_masses(load, octaves, more=wander.share) - before
    longer = _octave_masses(load, octaves, up=wander.shift) - before
    wandered = np.sqrt((more**2 + longer**2) * left)
    middle = (2 * before + inside) / 3
    difference, both, noise = (np.concatenate([row, np.cumsum(row)]) for row in (inside - before, middle, wandered))
    counted = 1.5 * dispersion * (both * (1 - np.minimum(both, 1)) + 2e-16) / events + 0.5 / events**2
    return float((abs(difference) / np.sqrt(counted + noise**2)).max())


def _octave_masses(load: Load, octaves: Floats, more: float = 0.0, up: float = 0.0, slow_up: float = 0.0) -> Floats:
    slow = 1 / (1 + exp(-(float(logit(load.parts[-1][2])) + more)))
    found = np.zeros(len(octaves) - 1)
    for (middle, sigma, _), share, rise in zip(load.parts, (1 - slow, slow), (0.0, slow_up), strict=True):
        found += share * np.diff(normal_cdf((octaves - middle - up - rise) / sigma))
    return found


def _incident_masses(load: Load, one: Planted, octaves: Floats) -> Floats:
    if one.kind == "band":
        return (1 - one.share) * _octave_masses(load, octaves) + one.share * band_of(load, one, octaves)
    if one.kind == "slower":
        return _octave_masses(load, octaves, up=one.octaves)
    if one.kind == "share":
        return _octave_masses(load, octaves, more=log(one.share))
    moments = np.linspace(0.05, 0.95, 10)
    climbs = [_octave_masses(load, octaves, slow_up=one.octaves * float(np.sin(pi * moment))) for moment in moments]
    return np.asarray(np.mean(climbs, axis=0))
