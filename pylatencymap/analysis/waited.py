"""Time waited from counts: a power law in each bucket, with a band that holds the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np
from numpy.typing import ArrayLike

from .bunching import bunching
from .density import Estimate, FloatArray, LogHistogram, log_histogram

LN2 = log(2)
EMPTY = 0.5
"""Events that an empty neighbour counts as, for a slope."""
STEEPEST, STEEPEST_IN_BAND = 4.0, 6.0
"""The most that the logarithm of the density changes within a bucket, for the estimate and for its band."""
LIMITS = np.array([[STEEPEST], [STEEPEST_IN_BAND], [STEEPEST_IN_BAND]])
WIDER = 1.25
"""The band is so much wider than what the slopes on both sides say."""


@dataclass(frozen=True, slots=True)
class BucketTimes:
    """Seconds waited in each bucket, [n]: the estimate, the limits that slopes set, and those that nothing can pass."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    least: FloatArray
    most: FloatArray
    noise: FloatArray
    """The variance that the places of the events inside a bucket bring, seconds squared."""
    by_slope: FloatArray
    """The estimates by slopes alone, from which bands reach."""
    exact: float | None = None
    """The sum of all, if the source gives it."""


def time_waited(
    counts: ArrayLike,
    edges: ArrayLike,
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> Estimate:
    """Seconds waited by all events, of ``counts`` [buckets] or [buckets, columns]; see ``log_histogram`` for the edges.

    ``exact``: the sum, if the source gives it: it is the answer, and the band is closed. ``bunch``: see ``bunching``;
    None estimates it from the columns. Events of a bucket that begins at 0 count at its middle; the band goes down to
    0. Where there are events in a bucket without an end, the band has none either.
    """
    if exact is not None:
        return Estimate(exact, exact, exact)
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return Estimate(0.0, 0.0, 0.0)
    return total_time(bucket_times(histogram, bunching(counts) if bunch is None else bunch))[0]


def bucket_times(histogram: LogHistogram, bunch: float = 1.0, exact: float | None = None) -> BucketTimes:
    """Time waited per bucket; with ``exact``, the true sum in seconds, the estimates are moved so that they meet it."""
    counts, edges = histogram.counts, histogram.edges
    value, low, high = counts * _means(histogram)
    first, last = slice(1, 2), slice(-2, -1)  # those with events; beyond them is an empty one on each side
    if edges[-2] == inf:
        edges = np.append(edges[:-2], (edges[-3], edges[-3]))
    least, most, noise = counts * edges[:-1], counts * edges[1:], bunch * counts * (edges[1:] - edges[:-1]) ** 2 / 12
    if histogram.edges[-2] == inf:
        low[last], high[last], most[last] = least[last], inf, inf
    if edges[1] <= 0:
        middle = np.where(np.isinf(most[first]), 0.0, most[first] / 2)
        value[first], low[first], high[first] = middle, 0.0, most[first]
    times = BucketTimes(value, low, high, least, most, noise, value, exact)
    return times if exact is None else _meeting(times, exact)


def total_time(times: BucketTimes, cuts: Sequence[int] = ()) -> list[Estimate]:
    """The sums over the parts that begin at the first bucket and at each cut, with their bands."""
    table = np.array((times.value, times.by_slope, times.low, times.high, times.least, times.most, times.noise))
    found = []
    for value, slope, low, high, least, most, noise in np.add.reduceat(table, [0, *cuts], axis=1).T.tolist():
        spread = 2 * noise**0.5
        bottom, top = slope - WIDER * (slope - low) - spread, slope + WIDER * (high - slope) + spread
        found.append(Estimate(value, max(bottom, least), min(top, most)))
    return found if times.exact is None else _closed(found, times.exact)


def _closed(parts: list[Estimate], exact: float) -> list[Estimate]:
    """Bands of parts whose sum is known: what the others cannot have waited, this one has."""
    low, high = sum(part.low for part in parts), sum(part.high for part in parts)
    found = []
    for part in parts:
        others = high - part.high if part.high < inf else sum(one.high for one in parts if one is not part)
        bottom, top = max(part.low, exact - others), min(part.high, exact - (low - part.low))
        found.append(Estimate(part.value, min(bottom, part.value), max(top, part.value)))
    return found


def _means(histogram: LogHistogram) -> FloatArray:
    """The mean latency of each bucket, seconds [3, n]: the estimate, and the lowest and highest that a slope allows."""
    counts, octaves = histogram.counts, histogram.octaves
    left, right = histogram.left, histogram.right
    filled = np.where(counts > 0, counts, EMPTY)
    level = np.log(filled / octaves)
    before, after = level.copy(), level.copy()
    before[1:], after[:-1] = np.log(filled[:-1] / left[1:]), np.log(filled[1:] / right[:-1])
    to_left, to_right = (octaves + left) * (LN2 / 2), (octaves + right) * (LN2 / 2)
    width = octaves * LN2
    turns = np.array(((after - before) / (to_left + to_right), (level - before) / to_left, (after - level) / to_right))
    turns *= width
    np.minimum(np.maximum(turns, -LIMITS, out=turns), LIMITS, out=turns)
    means = np.exp2(histogram.logs[:-1]) * _grown(turns + width) / _grown(turns)
    one, two, three = means
    return np.array((one, np.minimum(np.minimum(one, two), three), np.maximum(np.maximum(one, two), three)))


def _grown(turn: FloatArray) -> FloatArray:
    """(e^t - 1) / t, 1 at 0."""
    safe = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
    return np.asarray(np.expm1(safe) / safe)


def _meeting(times: BucketTimes, exact: float) -> BucketTimes:
    """The same with values that sum to what the source measured: each moves towards its limit by the same part."""
    missing = exact - float(times.value.sum())
    room = times.most - times.value if missing > 0 else times.value - times.least
    if np.isinf(room).any():
        room = np.isinf(room).astype(np.float64)
    whole = float(room.sum())
    value = times.value + room * (missing / whole) if whole > 0 else times.value
    if (value < times.least).any() or (value > times.most).any():  # a sum that does not fit its counts
        value = times.value * (exact / float(times.value.sum()))
    return replace(times, value=value)
