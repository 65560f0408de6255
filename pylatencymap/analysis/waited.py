"""Time waited from counts: a power law in each bucket, with a band that holds the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import expm1, inf, log

import numpy as np
from numpy.typing import ArrayLike

from .bunching import bunching_of
from .density import LN2, BoolArray, Estimate, FloatArray, LogHistogram, bucket_of_rows, log_histogram

EMPTY = 0.5
"""Events that an empty neighbour counts as, for a slope."""
STEEPEST, STEEPEST_IN_BAND = 4.0, 6.0
"""The most that the logarithm of the density changes within a bucket, for the estimate and for its band."""
LIMITS = np.array([[STEEPEST], [STEEPEST_IN_BAND], [STEEPEST_IN_BAND]])
FAR, HALVINGS, PRECISE = 50.0, 40, 1e-10
"""A density that rises or falls by e^50 within a bucket is a line at one of its ends; so often at most, and so
precisely, the turn is looked for that gives a mean.
"""
CLOSE, ROUNDING = 1e-12, 1e-6
"""Sums of seconds that differ by less than the first part are the same; a sum that misses what its counts allow by less
than the second was rounded.
"""
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
    turns: FloatArray
    """See ``bucket_turns``."""
    exact: float | None = None
    """The sum of all, if the source gives it."""
    fits: bool = False
    """Whether there is a sum that the counts allow."""


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
    0. Those in a bucket without an end count at its lower edge, and the band has no end either.
    """
    if exact is not None:
        return Estimate(exact, exact, exact)
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return Estimate(0.0, 0.0, 0.0)
    return total_time(bucket_times(histogram, bunching_of(counts, bunch)))[0]


def bucket_times(histogram: LogHistogram, bunch: float = 1.0, exact: float | None = None) -> BucketTimes:
    """Time waited per bucket; with ``exact``, the true sum in seconds, the estimates are moved so that they meet it."""
    counts, edges = histogram.counts, histogram.edges
    means, turns = _means(histogram)
    value, low, high = counts * means
    first, last = slice(1, 2), slice(-2, -1)  # those with events; beyond them is an empty one on each side
    if edges[-2] == inf:
        edges = np.append(edges[:-2], (edges[-3], edges[-3]))
    least, most, noise = counts * edges[:-1], counts * edges[1:], bunch * counts * (edges[1:] - edges[:-1]) ** 2 / 12
    if histogram.edges[-2] == inf:
        value[last], low[last], high[last], most[last] = least[last], least[last], inf, inf
    if edges[1] <= 0:
        middle = np.where(np.isinf(most[first]), 0.0, most[first] / 2)
        value[first], low[first], high[first] = middle, 0.0, most[first]
    times = BucketTimes(value, low, high, least, most, noise, value, turns, exact)
    return times if exact is None else _meeting(times, exact, noise / bunch)


def row_means(total: FloatArray, edges: FloatArray, tick: float | None = None) -> FloatArray:
    """The mean latency of the events of each row in seconds, [rows], of ``total`` [rows] on ``edges`` [rows + 1], as
    ``time_waited`` has it; the lower edge of a row without events.
    """
    histogram = log_histogram(total, edges, tick)
    if histogram is None:
        return edges[:-1].copy()
    place, some = bucket_of_rows(histogram, edges), histogram.counts > 0
    return np.where(some[place], _bucket_means(histogram, some)[place], edges[:-1])


def row_mean_bands(total: FloatArray, edges: FloatArray, tick: float | None = None) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest mean latency of the events of each row in seconds, [rows] each, that the band of
    ``time_waited`` allows; see ``row_means``. The lower edge of a row without events.
    """
    histogram = log_histogram(total, edges, tick)
    if histogram is None:
        return edges[:-1].copy(), edges[:-1].copy()
    place, counts = bucket_of_rows(histogram, edges), histogram.counts
    times, some = bucket_times(histogram), counts > 0
    ends = (
        np.maximum(times.by_slope - WIDER * (times.by_slope - times.low), times.least),
        np.minimum(times.by_slope + WIDER * (times.high - times.by_slope), times.most),
    )
    low, high = (np.where(some, end, 0.0) / np.where(some, counts, 1.0) for end in ends)
    return np.where(some[place], low[place], edges[:-1]), np.where(some[place], high[place], edges[:-1])


def _bucket_means(histogram: LogHistogram, some: BoolArray) -> FloatArray:
    """The mean latency of each bucket in seconds, [n], where there are ``some`` events: that of ``bucket_times``,
    without a band, for every picture needs it.
    """
    edges, inner, width = histogram.edges, slice(1, -1), histogram.octaves[1:-1] * LN2
    turn = _inner_turns(histogram, np.where(some, histogram.counts, EMPTY))
    above, below = _grown(np.array((turn + width, turn)))
    means = histogram.begins.copy()
    means[inner] *= above
    means[inner] /= below
    if edges[-2] == inf:
        means[-2] = edges[-3]
    if edges[1] <= 0:
        means[1] = 0.0 if edges[2] == inf else edges[2] / 2
    return means


def bucket_turns(histogram: LogHistogram) -> FloatArray:
    """By how much the logarithm of the density rises along each bucket, [n], by the levels of its neighbours; the same
    for times and for percentiles.
    """
    turns = np.zeros(len(histogram.counts))
    turns[1:-1] = _inner_turns(histogram, np.where(histogram.counts > 0, histogram.counts, EMPTY))
    return turns


def turn_of_mean(mean: float, begin: float, octaves: float) -> float:
    """By how much the logarithm of the density rises along a bucket that begins at ``begin``, if its events have this
    ``mean`` latency.
    """
    wanted, width, low, high, turn = log(mean / begin), octaves * LN2, -FAR, FAR, 0.0
    for _ in range(HALVINGS):  # Newton's method, inside of what is known
        missing = wanted - log(_grown_once(turn + width) / _grown_once(turn))
        if abs(missing) < PRECISE * wanted:
            break
        low, high = (turn, high) if missing > 0 else (low, turn)
        nearer = turn + missing / (_rise(turn + width) - _rise(turn))
        turn = nearer if low < nearer < high else (low + high) / 2
    return turn


def _rise(turn: float) -> float:
    """By how much the logarithm of ``_grown`` rises with its argument."""
    return 1 / -expm1(-turn) - 1 / turn if abs(turn) > 1e-4 else 0.5 + turn / 12


def _grown_once(turn: float) -> float:
    """``_grown`` of one number."""
    return expm1(turn) / turn if abs(turn) > 1e-9 else 1.0


def _inner_turns(histogram: LogHistogram, filled: FloatArray) -> FloatArray:
    """``bucket_turns`` of all buckets but the empty ones at the ends, [n - 2]; ``filled`` [n]: counts, none 0."""
    inner, width = slice(1, -1), histogram.octaves[1:-1] * LN2
    before, after = np.log(filled[:-2] / histogram.left[inner]), np.log(filled[2:] / histogram.right[inner])
    turn = (after - before) / (histogram.to_left[inner] + histogram.to_right[inner]) * width
    return np.asarray(np.minimum(np.maximum(turn, -STEEPEST), STEEPEST))


def column_times(
    counts: FloatArray, means: FloatArray, limits: tuple[FloatArray, FloatArray], sums: FloatArray, measured: BoolArray
) -> FloatArray:
    """Seconds waited in each row and column, [rows, columns], of ``counts`` [rows, columns].

    Each event takes the mean of its row, ``means`` [rows] (see ``row_means``), so that columns add up to what all of
    them waited. Where the source ``measured`` [columns] the time, a column has its sum, of ``sums`` [columns]: each row
    moves towards its limit by the same part. ``limits``: the least and the greatest latency of each row, [rows].
    """
    found = counts * means[:, None]
    if not measured.any():
        return found
    least, most = limits
    inside, total = counts[:, measured], found[:, measured]
    missing = sums[measured] - total.sum(axis=0)
    room = np.maximum(inside * np.where(missing > 0, (most - means)[:, None], (means - least)[:, None]), 0.0)
    whole = room.sum(axis=0)
    part = np.divide(missing, whole, out=np.zeros_like(missing), where=whole > 0)
    total += room * np.clip(part, -1.0, 1.0)
    reached = total.sum(axis=0)
    total *= np.divide(sums[measured], reached, out=np.ones_like(reached), where=reached > 0)
    found[:, measured] = total
    return found


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


def _means(histogram: LogHistogram) -> tuple[FloatArray, FloatArray]:
    """The mean latency of each bucket, seconds [3, n]: the estimate, and the lowest and highest that a slope allows;
    and ``bucket_turns``.
    """
    counts, octaves = histogram.counts, histogram.octaves
    left, right = histogram.left, histogram.right
    filled = np.where(counts > 0, counts, EMPTY)
    level = np.log(filled / octaves)
    before, after = level.copy(), level.copy()
    before[1:], after[:-1] = np.log(filled[:-1] / left[1:]), np.log(filled[1:] / right[:-1])
    to_left, to_right, width = histogram.to_left, histogram.to_right, octaves * LN2
    turns = np.array(((after - before) / (to_left + to_right), (level - before) / to_left, (after - level) / to_right))
    turns *= width
    np.minimum(np.maximum(turns, -LIMITS, out=turns), LIMITS, out=turns)
    means = histogram.begins * _grown(turns + width) / _grown(turns)
    one, two, three = means
    low, high = np.minimum(np.minimum(one, two), three), np.maximum(np.maximum(one, two), three)
    return np.array((one, low, high)), turns[0]


def _grown(turn: FloatArray) -> FloatArray:
    """(e^t - 1) / t, 1 at 0."""
    safe = np.where(np.abs(turn) < 1e-9, 1e-9, turn)
    return np.asarray(np.expm1(safe) / safe)


def _meeting(times: BucketTimes, exact: float, noise: FloatArray) -> BucketTimes:
    """The same with values that sum to what the source measured: each takes as much of what is missing as it has of the
    variance, ``noise`` and what slopes leave open, up to what nothing can pass.
    """
    slack, rounding = CLOSE * exact, ROUNDING * exact
    if not times.least.sum() - rounding <= exact <= times.most.sum() + rounding:  # a sum that does not fit its counts
        return replace(times, value=times.value * (exact / float(times.value.sum())))
    unsure, value = ((times.high - times.low) / 2) ** 2 + noise, times.value
    for _ in range(len(value)):
        missing = exact - float(value.sum())
        limit = times.most if missing > 0 else times.least
        weight = np.where(np.abs(limit - value) > slack, unsure, 0.0)
        if np.isinf(weight).any():
            weight = np.isinf(weight).astype(np.float64)
        whole = float(weight.sum())
        if abs(missing) <= slack or whole <= 0:
            break
        value = np.minimum(np.maximum(value + missing * (weight / whole), times.least), times.most)
    return replace(times, value=value, fits=True)
