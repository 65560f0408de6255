"""Whether two recordings differ, in what, and by how much: a permutation test on blocks of columns, and intervals.

Columns next to each other are alike, so blocks of them are shuffled, never columns. The null distribution is widened by
the correlation that is left between blocks, and a difference is sure only where it is twice as large as what either
side differs from itself, and more than a drift through both sides brings. docs/accuracy.md has what this finds, and how
often it is wrong.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from zlib import crc32

import numpy as np

from ..density import Estimate, FloatArray
from ..modes import Mode, find_modes
from ..octaves import check_shapes, log_widths, octave_starts
from .quantiles import QUANTILES, BothRanks, QuantileChange, quantile_changes
from .rates import RateChange, rate_between
from .sides import Side, TimedCounts, side_of, student
from .trend import is_beyond_drift

SHUFFLES = 999
LEVEL = 0.05
LEAST_COLUMNS = 30
"""Columns a side; with fewer, nothing is reported."""
SURE_COLUMNS = 60
"""A side: below that nothing is sure, for recordings so short differ from themselves."""
LEAST_EVENTS = 20
"""Of F (1 - F) N for an edge, and in an octave, to be compared."""
LEAST_OF_SIDE = 100
"""Events of each side: of fewer, a slow mode that matters has too few to be compared."""
MOST_UNSEEN = 1.0
"""A change of all latencies by this part: if even larger ones would have gone unseen, nothing is said."""
SURE_TIMES = 2
"""A sure difference is so many times what BEFORE or AFTER differs from itself."""
LEAST_WITHIN = 1e-3
"""The least part of the variance that lies within the sides."""
SEEN_FACTOR = 1.3
"""The price of having chosen the best edge, in what would have been seen."""
NINE_OF_TEN = 1.28
"""Standard deviations: nine of ten such changes would be seen."""


class LatencyVerdict(Enum):
    """Whether latencies differ."""

    SURE = "sure"
    """They do, more than either side differs from itself, and more than a drift through both of them explains."""
    DIFFERENT = "different"
    """They do, but the recordings are too short to be sure."""
    DRIFT = "drift"
    """They do, but one of the sides differs as much from itself, or both drift in the direction of the difference."""
    NONE = "none"
    """No difference that these data could show."""
    TOO_FEW = "too few"
    """Too few columns or events to tell."""


@dataclass(frozen=True, slots=True)
class ShareChange:
    """The share of events in [low, high) seconds; ``high`` is infinity for the share above an edge.

    ``difference`` is AFTER less BEFORE, a part of 1 as the shares are. ``stated``: it may be stated on its own, at a
    common level of 5 % for all of them. ``seen``: the change of this share that would have been seen nine times of ten.
    ``within``: on each side, its second half less its first.
    """

    low: float
    high: float
    before: Estimate
    after: Estimate
    difference: Estimate
    stated: bool
    seen: float
    within: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two recordings differ in; latency and rate are told apart.

    verdict    about latencies alone
    p          the probability of a difference like this if there were none; 1 where there are too few data
    strongest  the change with the most evidence; None where there are too few data
    shares     of all edges that can be compared, from the lowest, then of all octaves
    rate       None with fewer than 10 columns a side
    quantiles  p50, p90 and p99
    seen       the change of all latencies that would have been seen in nine cases of ten, as a part of 1; only where
               nothing was found, for what is found would enlarge it. Above a doubling the verdict is ``TOO_FEW``
    columns    with data, of BEFORE and of AFTER
    within     by how much the halves of BEFORE, and those of AFTER, differ in the share that ``strongest`` is about
    """

    verdict: LatencyVerdict
    p: float
    strongest: ShareChange | None
    shares: tuple[ShareChange, ...]
    rate: RateChange | None
    quantiles: tuple[QuantileChange, ...]
    seen: float | None
    columns: tuple[int, int]
    within: tuple[float, float] = (0.0, 0.0)


def compare(
    before: Sequence[TimedCounts],
    after: Sequence[TimedCounts],
    edges: FloatArray,
    *,
    seed: int | None = None,
    shuffles: int = SHUFFLES,
) -> Comparison:
    """Compare two sides of one run or more each; ``edges`` [rows + 1] in seconds are those of all runs.

    With four runs a side or more, runs are shuffled as a whole, which is the one cure for a load that wanders slowly;
    else each side is cut into ten blocks, or into blocks as long as those of the shorter side. Columns of 0 seconds are
    gaps and are left out. The result is the same for the same data; ``seed`` replaces that which the data give.
    """
    steps = compare_in_steps(before, after, edges, seed=seed, shuffles=shuffles)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Comparison = end.value
            return found


def compare_in_steps(
    before: Sequence[TimedCounts],
    after: Sequence[TimedCounts],
    edges: FloatArray,
    *,
    ranks: BothRanks = (None, None),
    seed: int | None = None,
    shuffles: int = SHUFFLES,
) -> Generator[Comparison, None, Comparison]:
    """As ``compare``, for a view that must not wait: yields what is known before anything is shuffled, the rates and
    the percentiles; its verdict, TOO_FEW, means nothing yet. ``ranks``: see ``quantile_changes``.
    """
    for run in (*before, *after):
        check_shapes(run.counts, edges, run.seconds)
    sides = side_of(before, after)
    columns = (sides[0].columns, sides[1].columns)
    if min(sides[0].blocks, sides[1].blocks) < 2 or min(columns) < 10:
        return Comparison(LatencyVerdict.TOO_FEW, 1.0, None, (), None, (), None, columns)
    rate = rate_between(*sides)
    if min(float(side.counts.sum()) for side in sides) <= 0:
        return Comparison(LatencyVerdict.TOO_FEW, 1.0, None, (), rate, (), None, columns)
    trial = _Trial.of(sides, edges)
    modes = _modes(before, edges), _modes(after, edges)
    quantiles = tuple(quantile_changes(sides, edges, trial.inflation, QUANTILES, modes, ranks))
    known = Comparison(LatencyVerdict.TOO_FEW, 1.0, None, (), rate, quantiles, None, columns)
    if not len(trial.low):
        return known
    yield known
    seed = crc32(sides[1].counts.tobytes(), crc32(sides[0].counts.tobytes())) if seed is None else seed
    test = _shuffled(trial, shuffles, np.random.default_rng(seed))
    shares = _share_changes(trial, test)
    first, second = (abs(part) for part in shares[test.strongest].within)
    verdict = _verdict(test, min(columns), max(first, second), drifts=_drifts(trial, test.strongest, sides[0]))
    seen = _seen(trial, test) if verdict is LatencyVerdict.NONE else None
    if _is_too_little(sides, verdict, seen):
        verdict = LatencyVerdict.TOO_FEW
    strongest = shares[test.strongest]
    return Comparison(verdict, test.p, strongest, shares, rate, quantiles, seen, columns, (first, second))


def _modes(runs: Sequence[TimedCounts], edges: FloatArray) -> tuple[Mode, ...]:
    """Those of a side that are sure, from its columns with data."""
    return find_modes(np.hstack([run.counts[:, run.seconds > 0] for run in runs]), edges).modes


@dataclass(frozen=True)
class _Trial:
    """What is compared: the shares of ``edges`` above edges, then those of octaves.

    low, high  [features] seconds
    above      [blocks, features] events of each feature in each block, those of BEFORE first
    totals     [blocks] all events
    split      blocks of BEFORE
    cut        features that are shares above an edge
    octaves    [cut] how wide the part of the latency axis is that an edge stands for
    density    [cut] share of events per octave there, both sides together
    inflation  by how much the null is widened
    """

    low: FloatArray
    high: FloatArray
    above: FloatArray
    totals: FloatArray
    split: int
    cut: int
    octaves: FloatArray
    density: FloatArray
    inflation: float

    @classmethod
    def of(cls, sides: tuple[Side, Side], edges: FloatArray) -> _Trial:
        blocks = np.concatenate([side.counts for side in sides], axis=1)
        totals, per_row = blocks.sum(axis=0), blocks.sum(axis=1)
        events = max(float(totals.sum()), 1.0)
        above = np.cumsum(blocks[::-1], axis=0)[::-1][1:]
        share = above.sum(axis=1) / events
        which = np.flatnonzero(events * share * (1 - share) >= LEAST_EVENTS)
        starts = octave_starts(edges)
        octaves = np.add.reduceat(blocks, starts, axis=0)
        in_octave = octaves.sum(axis=1)
        some = np.flatnonzero((in_octave >= LEAST_EVENTS) & (in_octave < events))
        widths = log_widths(edges)
        ends = np.append(edges[starts], edges[-1])
        return cls(
            low=np.concatenate([edges[1:-1][which], ends[some]]),
            high=np.concatenate([np.full(len(which), np.inf), ends[some + 1]]),
            above=np.concatenate([above[which], octaves[some]]).T,
            totals=totals,
            split=sides[0].blocks,
            cut=len(which),
            octaves=(widths[which] + widths[which + 1]) / 2,
            density=(per_row[which] + per_row[which + 1]) / (widths[which] + widths[which + 1]) / events,
            inflation=_inflation(sides),
        )


def _inflation(sides: tuple[Side, Side]) -> float:
    """The factor by which blocks that resemble their neighbours vary more than shuffled ones; 1 for whole runs."""
    if sides[0].whole_runs:
        return 1.0
    alike = float(np.mean([side.likeness() for side in sides]))
    limited = min(max(alike, 0.0), 0.8)
    return float(np.sqrt((1 + limited) / (1 - limited)))


@dataclass(frozen=True)
class _Test:
    """Outcome of the shuffles. ``found`` [features]: AFTER less BEFORE; ``spread`` [features]: standard deviation of it
    when shuffled; ``sizes`` [features]: differences in standard deviations within the sides; ``limit``: 95 % point of
    the largest of these, inflated.
    """

    found: FloatArray
    spread: FloatArray
    sizes: FloatArray
    limit: float
    p: float
    strongest: int


def _shuffled(trial: _Trial, shuffles: int, rng: np.random.Generator) -> _Test:
    """The largest studentised difference joined with Anderson-Darling, in random divisions of the blocks.

    The standard deviation over all divisions holds the difference itself, so that no size could pass the root of the
    number of blocks; what is left without it is that within the sides.
    """
    many = len(trial.totals)
    order = np.argsort(rng.random((shuffles, many)), axis=1) < trial.split
    chosen = np.concatenate([np.arange(many)[None, :] < trial.split, order]).astype(np.float64)
    first, events = chosen @ trial.above, chosen @ trial.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        other = (trial.above.sum(axis=0) - first) / (trial.totals.sum() - events)[:, None]
        differences = np.nan_to_num(other - first / events[:, None])
    spread = differences.std(axis=0)
    relative = np.abs(differences) / np.where(spread > 0, spread, np.inf)
    sizes = relative / np.sqrt(np.maximum(1 - relative**2 / many, LEAST_WITHIN))
    largest = sizes.max(axis=1)
    share = trial.above[:, : trial.cut].sum(axis=0) / trial.totals.sum()
    whole = np.sqrt(differences[:, : trial.cut] ** 2 @ (trial.octaves / (share * (1 - share))))
    limits = [max(float(np.quantile(one, 1 - LEVEL)), 1e-300) for one in (largest, whole)]
    joined = np.maximum(largest / limits[0], whole / limits[1])
    reached = np.count_nonzero(trial.inflation * joined[1:] >= joined[0] * (1 - 1e-9))
    return _Test(
        found=differences[0],
        spread=spread,
        sizes=sizes[0],
        limit=limits[0] * trial.inflation,
        p=(1 + reached) / (shuffles + 1),
        strongest=int(np.argmax(sizes[0])),
    )


def _verdict(test: _Test, columns: int, own: float, *, drifts: bool) -> LatencyVerdict:
    """``own``: by how much the halves of one side differ where both sides do most; ``drifts``: whether a drift through
    both sides explains that.
    """
    if columns < LEAST_COLUMNS:
        return LatencyVerdict.TOO_FEW
    if test.p > LEVEL:
        return LatencyVerdict.NONE
    if drifts or abs(test.found[test.strongest]) < SURE_TIMES * own:
        return LatencyVerdict.DRIFT
    return LatencyVerdict.SURE if columns >= SURE_COLUMNS else LatencyVerdict.DIFFERENT


def _is_too_little(sides: tuple[Side, Side], verdict: LatencyVerdict, seen: float | None) -> bool:
    """Whether there are so few events that they tell nothing, or no more than that no huge difference was found."""
    few = min(float(side.counts.sum()) for side in sides) < LEAST_OF_SIDE
    return few or (verdict is LatencyVerdict.NONE and seen is not None and seen > MOST_UNSEEN)


def _sides_of(trial: _Trial) -> tuple[slice, slice]:
    return slice(None, trial.split), slice(trial.split, None)


def _between_halves(trial: _Trial, side: slice) -> FloatArray:
    """What the second half of a side has more than the first, of each feature [features]."""
    above, totals = trial.above[side], trial.totals[side]
    half = len(totals) // 2
    events = totals[:half].sum(), totals[half:].sum()
    if min(events) <= 0:
        return np.zeros(above.shape[1])
    return np.asarray(above[half:].sum(axis=0) / events[1] - above[:half].sum(axis=0) / events[0])


def _drifts(trial: _Trial, feature: int, side: Side) -> bool:
    """Whether a drift through both sides explains a difference; whole runs are in no order that could drift."""
    if side.whole_runs:
        return False
    before, after = (trial.above[part, feature] / np.maximum(trial.totals[part], 1.0) for part in _sides_of(trial))
    return not is_beyond_drift(before, after, trial.inflation)


def _share_changes(trial: _Trial, test: _Test) -> tuple[ShareChange, ...]:
    (was, was_off), (now, now_off) = (_shares(trial, part) for part in _sides_of(trial))
    off = np.hypot(was_off, now_off)
    stated = test.sizes >= test.limit
    seen = _needed(trial, test)
    first, second = (_between_halves(trial, part) for part in _sides_of(trial))

    def share(value: FloatArray, by: FloatArray, feature: int) -> Estimate:
        middle, wide = float(value[feature]), float(by[feature])
        return Estimate(middle, max(middle - wide, 0.0), min(middle + wide, 1.0))

    def change(feature: int) -> ShareChange:
        before, after = share(was, was_off, feature), share(now, now_off, feature)
        middle, wide = after.value - before.value, float(off[feature])
        # No share is less than nothing or more than all.
        ends = max(middle - wide, after.low - before.high), min(middle + wide, after.high - before.low)
        return ShareChange(
            low=float(trial.low[feature]),
            high=float(trial.high[feature]),
            before=before,
            after=after,
            difference=Estimate(middle, *ends),
            stated=bool(stated[feature]),
            seen=float(seen[feature]),
            within=(float(first[feature]), float(second[feature])),
        )

    return tuple(map(change, range(len(trial.low))))


def _shares(trial: _Trial, side: slice) -> tuple[FloatArray, FloatArray]:
    """Shares of the features on one side, and half the width of their 95 % intervals."""
    above, totals = trial.above[side], trial.totals[side]
    blocks = len(totals)
    share = above.sum(axis=0) / max(totals.sum(), 1.0)
    influence = (above - totals[:, None] * share) / max(totals.mean(), 1e-300)
    off = influence.std(axis=0, ddof=1) / np.sqrt(blocks)
    return share, off * student(blocks - 1) * trial.inflation


def _needed(trial: _Trial, test: _Test) -> FloatArray:
    """The change of each share that would have been seen in nine cases of ten."""
    return SEEN_FACTOR * (test.limit + NINE_OF_TEN * trial.inflation) * test.spread


def _seen(trial: _Trial, test: _Test) -> float | None:
    """The change of all latencies that would have been seen: at the edge where the fewest octaves do it."""
    needed = _needed(trial, test)[: trial.cut]
    some = (trial.density > 0) & (needed > 0)
    if not some.any():
        return None
    return float(2 ** (needed[some] / trial.density[some]).min() - 1)
