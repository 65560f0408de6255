"""Latency distributions with known truth: their histograms, modes, shares, medians, percentiles and time waited.

The mix: one to three lognormals (60 %), a lognormal with a Pareto tail (8 %), a wide lognormal (4 %), a shoulder (10
%), a disk behind a cache (10 %), and lognormals seen by a timer with a tick (8 %). Numbers of events are log-uniform
from 300 to a million, resolutions 1, 2, 4 or 8 buckets an octave. Latencies are in microseconds, over 27 octaves.

The true modes are those of the true density per octave: maxima whose dips are at least DIP of the lower peak, with at
least LEAST_EVENTS expected events. Whether they can be told from a sample at all is the evidence of their dips.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from math import erfc, exp, log, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Below = Callable[[FloatArray], FloatArray]
"""The probability below each latency."""

OCTAVES = 27
RESOLUTIONS = (1, 2, 4, 8)
FAMILIES = {
    "one": 0.14,
    "two": 0.26,
    "three": 0.20,
    "pareto": 0.08,
    "wide": 0.04,
    "shoulder": 0.10,
    "disk": 0.10,
    "quantised": 0.08,
}
DIP, LEAST_EVENTS = 0.2, 20.0
TELLING = 8.0
"""Nats of evidence with which a dip is found in 95 % at 1 % of false alarms."""
LN2 = log(2)
PIECES = 128
"""Parts of an octave in which means and quantiles are worked out."""
_erfc = np.frompyfunc(erfc, 1, 1)


def normal_below(z: FloatArray) -> FloatArray:
    """The standard normal distribution; scipy is not needed for so little."""
    found = (z > 0).astype(np.float64)
    near = np.abs(z) < 9
    found[near] = 0.5 * _erfc(-z[near] / sqrt(2)).astype(np.float64)
    return found


class Lognormals(NamedTuple):
    """A mixture: the logarithms of medians, their sigmas and shares."""

    centres: FloatArray
    sigmas: FloatArray
    shares: FloatArray

    def below(self, x: FloatArray) -> FloatArray:
        logs = np.log(np.maximum(x, 1e-9))
        parts = zip(self.centres, self.sigmas, self.shares, strict=True)
        return np.sum([share * normal_below((logs - centre) / sigma) for centre, sigma, share in parts], axis=0)


class Distribution(NamedTuple):
    """A family's member; ``tick`` in microseconds, 0 for a continuous clock."""

    family: str
    below: Below
    tick: float = 0.0


def drawn(rng: np.random.Generator, family: str) -> Distribution:
    """A random member of a family."""
    if family == "wide":
        one = Lognormals(np.array([rng.uniform(7, 15) * LN2]), np.array([rng.uniform(1.0, 1.5)]), np.ones(1))
        return Distribution(family, one.below)
    if family == "pareto":
        return Distribution(family, _pareto(rng))
    if family == "disk":
        return Distribution(family, _disk(rng))
    if family == "shoulder":
        return Distribution(family, _shoulder(rng).below)
    many = {"one": 1, "two": 2, "three": 3}.get(family) or int(rng.integers(1, 3))
    mixture = _lognormals(rng, many)
    if family != "quantised":
        return Distribution(family, mixture.below)
    tick = float(rng.choice([1, 10, 100, 1000, 4000, 10000, 15625]))
    moved = mixture.centres - mixture.centres[0] + log(tick) + rng.uniform(1, 6) * LN2
    return Distribution(family, mixture._replace(centres=np.minimum(moved, 26 * LN2)).below, tick)


def _lognormals(rng: np.random.Generator, many: int) -> Lognormals:
    """Neighbours are 1 to 8 octaves apart; the smaller shares are log-uniform from half a percent."""
    octaves = np.array([99.0])
    while octaves[-1] > 25:
        octaves = np.cumsum(np.concatenate((rng.uniform(5, 13, 1), rng.uniform(1, 8, many - 1))))
    minor = np.exp(rng.uniform(log(0.005), log(0.5 if many == 2 else 0.33), many - 1))
    shares = rng.permutation(np.append(minor, 1 - minor.sum()))
    return Lognormals(octaves * LN2, rng.uniform(0.1, 0.8, many), shares)


def _shoulder(rng: np.random.Generator) -> Lognormals:
    """Two components so close that they may or may not be two modes."""
    centre, sigma, share = rng.uniform(5, 13) * LN2, rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.7)
    sigmas = np.array([sigma, sigma * rng.uniform(0.9, 1.1)])
    centres = np.array([centre, centre + rng.uniform(1.2, 1.9) * sigmas.min()])
    return Lognormals(centres, sigmas, np.array([share, 1 - share]))


def _pareto(rng: np.random.Generator) -> Below:
    """A lognormal body that goes on as a power law, without a jump of the density."""
    centre, sigma = rng.uniform(5, 12) * LN2, rng.uniform(0.2, 0.8)
    join, alpha = rng.uniform(0.3, 2), rng.uniform(0.7, 2.5)
    tail = exp(-join * join / 2) / sqrt(2 * pi) / sigma / alpha
    body = float(normal_below(np.array([join]))[0])

    def below(x: FloatArray) -> FloatArray:
        z = (np.log(np.maximum(x, 1e-9)) - centre) / sigma
        beyond = body + tail * (1 - np.exp(-alpha * sigma * np.maximum(z - join, 0)))
        return np.asarray(np.where(z < join, normal_below(np.minimum(z, join)), beyond) / (body + tail))

    return below


def _disk(rng: np.random.Generator) -> Below:
    """Overhead, seeks by the root of a triangular distance, a uniform part of a turn; mostly behind a cache."""
    turn, overhead = float(rng.choice([4000.0, 5560.0, 8333.0, 11111.0])), rng.uniform(100, 500)
    ranks = (np.arange(500) + 0.5) / 500
    seeks = rng.uniform(500, 1500) + rng.uniform(6000, 14000) * np.sqrt(1 - np.sqrt(1 - ranks))
    if rng.random() < 0.3:
        seeks = seeks * (ranks > rng.uniform(0.05, 0.5))
    hits = 0.0 if rng.random() < 0.3 else exp(rng.uniform(log(0.005), log(0.95)))
    cache = Lognormals(np.array([log(rng.uniform(80, 300))]), np.array([rng.uniform(0.1, 0.5)]), np.ones(1))
    starts = np.sort(overhead + seeks)
    sums = np.concatenate(([0.0], np.cumsum(starts)))

    def ramp(x: FloatArray) -> FloatArray:
        """The mean of how far x is beyond each start."""
        place = np.searchsorted(starts, x)
        return np.asarray((place * x - sums[place]) / len(starts))

    def below(x: FloatArray) -> FloatArray:
        return np.asarray(hits * cache.below(x) + (1 - hits) * (ramp(x) - ramp(x - turn)) / turn)

    return below


def grid(resolution: int) -> FloatArray:
    """Edges of the log-linear buckets, in microseconds, from 1."""
    starts = 2.0 ** np.arange(OCTAVES)[:, None] * (1 + np.arange(resolution) / resolution)
    return np.append(starts.ravel(), 2.0**OCTAVES)


class Case:
    """A distribution as a source with buckets sees it: what is true of it, and samples.

    ``edges`` [buckets + 1], microseconds, are those that the source prints; ``n`` events are expected in a sample.
    """

    def __init__(self, distribution: Distribution, n: int, resolution: int) -> None:
        self.distribution = distribution
        self.n = n
        self.resolution = resolution
        self.edges = grid(resolution)
        tick = distribution.tick
        self.true_edges = np.ceil(self.edges / tick - 1e-9) * tick if tick else self.edges
        """Where latencies are parted by a timer that rounds down."""
        below = distribution.below(self.true_edges)
        masses = np.maximum(np.diff(below), 0)
        self.masses = masses / masses.sum()
        with np.errstate(divide="ignore"):
            widths = np.log2(self.true_edges[1:] / self.true_edges[:-1])
        self._real = widths > 0
        self.density = np.divide(self.masses, widths, out=np.zeros_like(widths), where=self._real)
        self.widths = widths

    def sample(self, rng: np.random.Generator) -> FloatArray:
        """Counts per bucket."""
        return rng.multinomial(self.n, self.masses).astype(np.float64)

    @cached_property
    def modes(self) -> list[tuple[int, int]]:
        """The buckets [first, stop) of each true mode, empty ones at the ends included."""
        return self._modes(1.0)

    @cached_property
    def evidence(self) -> float:
        """Nats of the weakest true dip; infinity for one mode."""
        return min((self._dip(left, right) for left, right in pairwise(self.modes)), default=np.inf)

    @cached_property
    def is_borderline(self) -> bool:
        """Whether the number of modes depends on the exact limits for dips and events."""
        return any(len(self._modes(factor)) != len(self.modes) for factor in (0.5, 1.5))

    @property
    def is_decidable(self) -> bool:
        return not self.is_borderline and self.evidence >= TELLING

    def _modes(self, factor: float) -> list[tuple[int, int]]:
        real = np.flatnonzero(self._real)
        starts = merged_modes(self.density[real], self.n * self.masses[real], DIP * factor, LEAST_EVENTS * factor)
        bounds = [0, *(int(real[start]) for start in starts), len(self.masses)]
        return list(pairwise(bounds))

    def _dip(self, left: tuple[int, int], right: tuple[int, int]) -> float:
        """n times the divergence of the truth from the closest density with one mode over both."""
        part = np.zeros(len(self.masses), bool)
        part[left[0] : right[1]] = True
        part &= self._real
        masses, widths = self.masses[part].tolist(), self.widths[part].tolist()
        truth = sum(mass * log(mass / width) for mass, width in zip(masses, widths, strict=True) if mass > 0)
        return self.n * (truth - best_with_one_mode(masses, widths))

    @cached_property
    def _fine(self) -> tuple[FloatArray, FloatArray]:
        """Latencies and the probability below them: [buckets, pieces + 1], ascending."""
        steps = np.linspace(0, 1, PIECES // self.resolution + 1)
        at = self.true_edges[:-1, None] * (self.true_edges[1:] / self.true_edges[:-1])[:, None] ** steps
        below = self.distribution.below(at.ravel())
        first, last = float(below[0]), float(below[-1])
        return at, (below.reshape(at.shape) - first) / (last - first)

    @cached_property
    def times(self) -> FloatArray:
        """The mean latency times the probability of each bucket, microseconds."""
        at, below = self._fine
        return np.asarray((np.diff(below, axis=1) * np.sqrt(at[:, 1:] * at[:, :-1])).sum(axis=1))

    def quantile(self, rank: float, first: int = 0, stop: int | None = None) -> float:
        """The latency of a rank among the events of the buckets ``first`` to ``stop - 1``, microseconds."""
        at, below = (one[first:stop].ravel() for one in self._fine)
        wanted = below[0] + rank * (below[-1] - below[0])
        return float(np.exp(np.interp(wanted, below, np.log(at))))

    def sample_with_sum(self, rng: np.random.Generator) -> tuple[FloatArray, float]:
        """Counts per bucket, and the microseconds that these events waited in all."""
        at, below = self._fine
        chances = np.maximum(np.diff(below, axis=1), 0)
        fine = rng.multinomial(self.n, (chances / chances.sum()).ravel()).reshape(chances.shape)
        return fine.sum(axis=1).astype(np.float64), float((fine * np.sqrt(at[:, 1:] * at[:, :-1])).sum())

    def bursts(self, rng: np.random.Generator, columns: int, mean: float) -> FloatArray:
        """Counts [buckets, columns] of events that come in bursts of geometric size, each in one bucket and column."""
        begun = rng.poisson(np.outer(self.masses, np.full(columns, self.n / mean / columns)))
        more = rng.negative_binomial(np.maximum(begun, 1), 1 / mean) if mean > 1 else np.zeros_like(begun)
        return np.where(begun > 0, begun + more, 0).astype(np.float64)


def case(
    seed: Sequence[int] | int, *, family: str | None = None, n: int | None = None, resolution: int | None = None
) -> Case:
    """A random case of the mix; what is given is not drawn."""
    rng = np.random.default_rng(seed)
    family = family or str(rng.choice(list(FAMILIES), p=list(FAMILIES.values())))
    distribution = drawn(rng, family)
    events = int(10 ** rng.uniform(log(300, 10), 6))
    return Case(distribution, n or events, resolution or int(rng.choice(RESOLUTIONS)))


def merged_modes(density: FloatArray, events: FloatArray, dip: float, least: float) -> list[int]:
    """Where modes after the first begin, at the lowest bucket between two peaks.

    The shallowest dip goes until all are deep enough; then the mode of fewest events goes to the side of its higher
    valley, until all have enough.
    """
    changes = np.flatnonzero(np.concatenate(([True], density[1:] != density[:-1])))
    levels = np.concatenate(([-1.0], density[changes], [-1.0]))
    tops = np.flatnonzero((levels[1:-1] > levels[:-2]) & (levels[1:-1] > levels[2:]) & (levels[1:-1] > 0))
    peaks = [int(changes[top]) for top in tops]
    starts = [one + int(np.argmin(density[one : two + 1])) for one, two in pairwise(peaks)]
    heights = [float(density[peak]) for peak in peaks]
    while starts:
        floors = [float(density[start]) for start in starts]
        depths = [1 - floor / min(pair) for floor, pair in zip(floors, pairwise(heights), strict=True)]
        place = depths.index(min(depths))
        if depths[place] >= dip:
            bounds = [0, *starts, len(density)]
            masses = [float(events[one:two].sum()) for one, two in pairwise(bounds)]
            part = masses.index(min(masses))
            if masses[part] >= least:
                break
            sides = [side for side in (part - 1, part) if 0 <= side < len(starts)]
            place = max(sides, key=floors.__getitem__)
        heights[place : place + 2] = [max(heights[place : place + 2])]
        del starts[place]
    return starts


def best_with_one_mode(masses: Sequence[float], widths: Sequence[float]) -> float:
    """The greatest mean log density that a density with one mode can give these masses."""
    up, down = _best_rising(masses, widths), _best_rising(masses[::-1], widths[::-1])[::-1]
    return max(one + two for one, two in zip(up, down, strict=True))


def _best_rising(masses: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The same for densities that never fall, of each prefix."""
    blocks: list[tuple[float, float]] = []
    upto, found = [0.0], [0.0]
    for mass, width in zip(masses, widths, strict=True):
        block = (mass, width)
        while blocks and blocks[-1][0] * block[1] >= block[0] * blocks[-1][1]:
            before = blocks.pop()
            upto.pop()
            block = (block[0] + before[0], block[1] + before[1])
        blocks.append(block)
        upto.append(upto[-1] + (block[0] * log(block[0] / block[1]) if block[0] > 0 else 0.0))
        found.append(upto[-1])
    return found
