"""Percentiles, and shares above a threshold, by events and by time waited, each with a band that holds the truth."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .bunching import bunching_of
from .density import Estimate, FloatArray, LogHistogram, log_histogram
from .ranks import SIGMAS, Ranks, ranks_of
from .waited import BucketTimes, bucket_times, total_time

MOST_COLUMNS_KNOWN = 8192
"""Columns whose percentiles are kept."""


@dataclass(frozen=True, slots=True)
class ShareAbove:
    """The shares, 0 to 1, of the events and of the time waited that are above ``threshold`` seconds."""

    threshold: float
    events: Estimate
    waited: Estimate


def percentile(
    counts: ArrayLike,
    edges: ArrayLike,
    rank: float,
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> Estimate | None:
    """See ``percentiles_of``, for one rank; None without events."""
    found = percentiles_of(counts, edges, (rank,), exact=exact, bunch=bunch, tick=tick)
    return found[0] if found else None


def percentiles_of(
    counts: ArrayLike,
    edges: ArrayLike,
    ranks: Sequence[float],
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> tuple[Estimate, ...]:
    """The latencies in seconds below which the shares ``ranks`` (0.99) of the events lie; none without events.

    ``counts`` [buckets] or [buckets, columns]; see ``log_histogram`` for the edges. ``exact``: the seconds that all
    events waited, if the source sums: every percentile is possible with that sum. ``bunch``: see ``bunching``;
    None estimates it from the columns. In a bucket without an end the value is its lower edge. The band is where the
    percentile of what was sampled lies, at 95 %; between two modes only the band is right.
    """
    bunch = bunching_of(counts, bunch)
    found = ranks_of(counts, edges, exact, tick, bunch)
    if found is None:
        return ()
    independent = found.weight / bunch
    return tuple(_percentile(found, rank, independent) for rank in ranks)


def _percentile(found: Ranks, rank: float, independent: float) -> Estimate:
    value, (low, high) = found.value(rank), found.band(rank, independent)
    return Estimate(value, min(low, value), max(high, value))  # a sum is rounded in the last digits


class ColumnPercentiles:
    """The percentiles of columns, each by itself. What is known of a column is kept, so that of the next picture only
    the new ones are computed.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, bytes], tuple[float, ...]] = {}
        self._last: tuple[bytes, FloatArray, FloatArray] | None = None

    def of(
        self,
        counts: FloatArray,
        sums: FloatArray,
        ranks: tuple[float, ...],
        key: bytes,
        rows_of: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
        tick: float | None = None,
    ) -> FloatArray:
        """The latencies in seconds of the ``ranks`` in each column, float64 [ranks, columns]; NaN without events.

        ``counts`` [columns, ranges]; ``sums`` [columns], the seconds that their events waited, NaN where the source
        does not sum. ``rows_of`` returns the edges and the counts [buckets, columns] of some of them; ``key`` tells
        those edges from others, and the ranks and ticks from others.
        """
        if not counts.size:
            return np.full((len(ranks), len(counts)), nan)
        each = _Each(np.column_stack((counts, sums)), ranks, key, rows_of, tick)
        found = self._moved_on(each)
        if found is None:
            found = self._of_each(each)
        self._last = key, each.columns, found
        return found

    def _moved_on(self, each: _Each) -> FloatArray | None:
        """The same as the last time, or one column further; None if it is anything else."""
        columns = each.columns
        if self._last is None or self._last[0] != each.key or self._last[1].shape != columns.shape:
            return None
        _, before, known = self._last
        if _is_same(columns[:-1], before[:-1]) and _is_same(columns[-1], before[-1]):
            return known
        for kept in (slice(1, None), slice(0, -1)):  # a column further, or only the newest is another
            if _is_same(columns[:-1], before[kept]):
                newest = self._of_each(each._replace(columns=columns[-1:]))
                return np.concatenate((known[:, kept], newest), axis=1)
        return None

    def _of_each(self, each: _Each) -> FloatArray:
        columns = np.ascontiguousarray(each.columns)
        raw, width = columns.tobytes(), columns.itemsize * columns.shape[1]
        keys = [(each.key, raw[start : start + width]) for start in range(0, len(raw), width)]
        new = {one: place for place, one in enumerate(keys) if one not in self._known}
        if len(self._known) + len(new) > MOST_COLUMNS_KNOWN:
            self._known, new = {}, {one: place for place, one in enumerate(keys)}
        if new:
            some = columns[list(new.values())]
            edges, rows = each.rows_of(some[:, :-1])
            for number, (one, exact) in enumerate(zip(new, some[:, -1].tolist(), strict=True)):
                self._known[one] = _values(rows[:, number], edges, each.ranks, exact, each.tick)
        return np.array([self._known[one] for one in keys], np.float64).T


class _Each(NamedTuple):
    """What ``ColumnPercentiles.of`` is asked for; ``columns`` [columns, ranges + 1] has counts and the sum of each."""

    columns: FloatArray
    ranks: tuple[float, ...]
    key: bytes
    rows_of: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    tick: float | None


def _is_same(some: FloatArray, others: FloatArray) -> bool:
    return np.array_equal(some, others, equal_nan=True)


def _values(
    counts: FloatArray, edges: FloatArray, ranks: tuple[float, ...], exact: float, tick: float | None
) -> tuple[float, ...]:
    """As ``percentiles_of``, without bands."""
    found = ranks_of(counts, edges, None if isnan(exact) else exact, tick)
    return (nan,) * len(ranks) if found is None else tuple(found.value(rank) for rank in ranks)


def half_of_time_above(
    counts: ArrayLike,
    edges: ArrayLike,
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> Estimate | None:
    """Half of the waiting time is spent in waits longer than this many seconds; None without events.

    Parameters as of ``time_waited``.
    """
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return None
    bunch = bunching_of(counts, bunch)
    times = bucket_times(histogram, bunch, exact)
    if not times.value.any():
        return None
    ranks = Ranks.of_time(histogram, times)
    return Estimate(ranks.value(0.5), *_half_band(histogram, times, bunch))


def share_above_threshold(
    counts: ArrayLike,
    edges: ArrayLike,
    threshold: float,
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> ShareAbove | None:
    """The shares of events and of time waited above ``threshold`` seconds, with bounds; None without events.

    The bucket that contains the threshold counts as above and as below in the bounds; on an edge nothing is divided.
    Parameters as of ``time_waited``.
    """
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return None
    bunch = bunching_of(counts, bunch)
    times = bucket_times(histogram, bunch, exact)
    first = int(np.searchsorted(histogram.edges[:-1], threshold * (1 - 1e-9)))
    stop = int(np.searchsorted(histogram.edges[1:], threshold * (1 + 1e-9), side="right"))
    total = float(histogram.counts.sum())
    surely, perhaps = (float(histogram.counts[place:].sum()) / total for place in (first, stop))
    events, waited = Ranks(histogram, times), Ranks.of_time(histogram, times)
    if stop < first:
        surely, perhaps = events.shares_above(stop, threshold)
    value = min(max(1 - events.share_below(threshold), surely), perhaps)
    least, most = (share_of_time_from(histogram, times, place, bunch) for place in (first, stop))
    of_time = min(max(1 - waited.share_below(threshold), least.low), most.high)
    independent = total / bunch
    return ShareAbove(
        threshold,
        Estimate(value, wilson(surely, independent)[0], wilson(perhaps, independent)[1]),
        Estimate(of_time, least.low, most.high),
    )


def wilson(share: float, independent: float) -> tuple[float, float]:
    """Where the share of a population lies, at 95 %, of which so many independent events were seen (Wilson 1927)."""
    squared = SIGMAS * SIGMAS / independent
    middle = (share + squared / 2) / (1 + squared)
    spread = SIGMAS / (1 + squared) * sqrt(share * (1 - share) / independent + squared / independent / 4)
    return (max(middle - spread, 0.0) if share > 0 else 0.0), (min(middle + spread, 1.0) if share < 1 else 1.0)


def shares_of_time(
    histogram: LogHistogram, times: BucketTimes, cuts: Sequence[int], bunch: float
) -> list[tuple[Estimate, Estimate]]:
    """The time waited of the parts that begin at the first bucket and at each cut, and its share with bounds.

    The bounds of a share join what is unknown inside the buckets and what a sample of so many events leaves open.
    """
    parts = total_time(times, cuts)
    total = sum(part.value for part in parts)
    if not cuts:
        return [(parts[0], Estimate(1.0, 1.0, 1.0))]
    if total <= 0:
        return [(part, Estimate(0.0, 0.0, 1.0)) for part in parts]
    squares = times.value**2 / np.maximum(histogram.counts, 1.0)
    noises = np.add.reduceat(squares, [0, *cuts]).tolist()
    found = []
    for place, (part, own) in enumerate(zip(parts, noises, strict=True)):
        others = parts[:place] + parts[place + 1 :]
        low, high = _bounds(part, sum(one.low for one in others), sum(one.high for one in others))
        if times.exact:
            low, high = max(low, part.low / times.exact), min(high, part.high / times.exact)
        share = part.value / total
        spread = own * (1 - share) ** 2 + (sum(noises) - own) * share**2
        noise = SIGMAS * sqrt(bunch * spread) / total
        found.append((part, Estimate(share, max(low - noise, 0.0), min(high + noise, 1.0))))
    return found


def share_of_time_from(histogram: LogHistogram, times: BucketTimes, first: int, bunch: float) -> Estimate:
    """The share of the time waited that the buckets from ``first`` on have, with bounds."""
    if first <= 0:
        return Estimate(1.0, 1.0, 1.0)
    if first >= len(histogram.counts):
        return Estimate(0.0, 0.0, 0.0)
    return shares_of_time(histogram, times, [first], bunch)[1][1]


def _bounds(own: Estimate, other_low: float, other_high: float) -> tuple[float, float]:
    """The least and the greatest share that ``own`` can have."""
    low = own.low / (own.low + other_high) if own.low > 0 and other_high < inf else 0.0
    if own.high == inf:
        return low, 1.0
    return low, own.high / (own.high + other_low) if own.high + other_low > 0 else 0.0


def _half_band(histogram: LogHistogram, times: BucketTimes, bunch: float) -> tuple[float, float]:
    """Edges that surely have half of the time above, and below them."""
    edges = histogram.edges
    places = range(len(edges) - 1)

    def above(place: int) -> Estimate:
        return share_of_time_from(histogram, times, place, bunch)

    low = bisect_left(places, True, key=lambda place: above(place).low < 0.5) - 1
    high = bisect_left(places, True, key=lambda place: above(place).high <= 0.5)
    return float(edges[low]) if low >= 0 else 0.0, float(edges[high]) if high < len(places) else inf
