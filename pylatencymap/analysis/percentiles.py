"""Percentiles, and shares above a threshold, by events and by time waited, each with a band that holds the truth."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import expm1, inf, log1p, log2, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .bunching import bunching_of
from .density import LN2, Estimate, FloatArray, LogHistogram, log_histogram
from .waited import BucketTimes, bucket_times, bucket_turns, total_time, turns_of_means

SIGMAS = 1.96
"""Standard deviations of a band that holds the truth in 95 %."""
MOST_COLUMNS_KNOWN = 8192
"""Columns whose percentiles are kept."""
FLAT = 1e-9
"""A density that changes less within a bucket is even."""


@dataclass(frozen=True, slots=True)
class ShareAbove:
    """The shares, 0 to 1, of the events and of the time waited that are above ``threshold`` seconds."""

    threshold: float
    events: Estimate
    waited: Estimate


class Ranks:
    """The latencies of given ranks of a histogram, or of adjacent buckets of it. Within a bucket the density is a power
    law, the one that ``bucket_times`` sums: so a median and a mean of the same events agree.

    ``turns``: see ``bucket_turns``. Ranks are those of the events, or of their time, see ``of_time``.
    """

    def __init__(
        self, histogram: LogHistogram, turns: FloatArray | None = None, weights: FloatArray | None = None
    ) -> None:
        weights = histogram.counts if weights is None else weights
        self._turns = (bucket_turns(histogram) if turns is None else turns).tolist()
        self._upto = np.cumsum(weights).tolist()
        self._weights = weights.tolist()
        self._edges, self._logs = histogram.edges.tolist(), histogram.logs.tolist()

    @classmethod
    def of_time(cls, histogram: LogHistogram, times: BucketTimes) -> Ranks:
        """The ranks of the seconds waited: each event counts as much as it waited. If the source sums, buckets have the
        means that make up the sum.
        """
        turns = times.turns if times.exact is None else turns_of_means(histogram, times)
        return cls(histogram, turns + histogram.octaves * LN2, times.value)

    def bucket(self, rank: float, first: int = 0, stop: int | None = None) -> int:
        """The bucket with the event of a rank, 0 to 1, among those of the buckets ``first`` to ``stop - 1``."""
        stop = len(self._upto) if stop is None else stop
        begun = self._upto[first - 1] if first else 0.0
        wanted = begun + rank * (self._upto[stop - 1] - begun)
        place = min(bisect_left(self._upto, wanted, first, stop), stop - 1)
        while not self._weights[place] and place + 1 < stop:
            place += 1
        return place

    def value(self, rank: float, first: int = 0, stop: int | None = None) -> float:
        """The latency in seconds at a rank; the lower edge of a bucket that has no end."""
        stop = len(self._upto) if stop is None else stop
        place = self.bucket(rank, first, stop)
        if self._edges[place + 1] == inf:
            return float(self._edges[place])
        begun = self._upto[first - 1] if first else 0.0
        wanted = begun + rank * (self._upto[stop - 1] - begun)
        inside = (wanted - self._upto[place] + self._weights[place]) / (self._weights[place] or 1.0)
        inside = min(max(inside, 0.0), 1.0)
        if self._edges[place] <= 0:  # nothing is known but that they lie between 0 and the edge
            return float(inside * self._edges[place + 1])
        inside = _place(inside, self._turns[place])
        return float(2 ** (self._logs[place] + inside * (self._logs[place + 1] - self._logs[place])))

    def band(self, rank: float, independent: float, first: int = 0, stop: int | None = None) -> tuple[float, float]:
        """Where the latency of a rank lies, given so many independent events: outward to edges of buckets, and to 0 or
        infinity where the rank is beyond all events.
        """
        stop = len(self._upto) if stop is None else stop
        spread = SIGMAS * sqrt(rank * (1 - rank) / independent)
        low, high = rank - spread, rank + spread
        begun = self._upto[first - 1] if first else 0.0
        wanted = begun + high * (self._upto[stop - 1] - begun)
        above = min(bisect_right(self._upto, wanted * (1 - 1e-12), first, stop), stop - 1)
        while not self._weights[above] and above + 1 < stop:
            above += 1
        return (
            float(self._edges[self.bucket(low, first, stop)]) if low > 0 else 0.0,
            float(self._edges[above + 1]) if high < 1 else inf,
        )

    def share_below(self, seconds: float) -> float:
        """The share of the weights below a latency; 0 if all weights are."""
        place = bisect_right(self._edges, seconds) - 1
        if place < 0 or seconds <= 0 or not self._upto[-1]:
            return 0.0
        if place >= len(self._weights):
            return 1.0
        whole = self._upto[place] - self._weights[place]
        low, high = self._edges[place], self._edges[place + 1]
        if high == inf and seconds > low:
            whole += self._weights[place]  # they count at the lower edge: that is all that is known
        elif high < inf:
            octaves = self._logs[place + 1] - self._logs[place]
            if low <= 0:
                inside = seconds / high
            else:
                inside = _part((log2(seconds) - self._logs[place]) / (octaves or 1.0), self._turns[place])
            whole += self._weights[place] * inside
        return min(max(float(whole / self._upto[-1]), 0.0), 1.0)


def percentile(
    counts: ArrayLike, edges: ArrayLike, rank: float, *, bunch: float | None = None, tick: float | None = None
) -> Estimate | None:
    """See ``percentiles_of``, for one rank; None without events."""
    found = percentiles_of(counts, edges, (rank,), bunch=bunch, tick=tick)
    return found[0] if found else None


def percentiles_of(
    counts: ArrayLike,
    edges: ArrayLike,
    ranks: Sequence[float],
    *,
    bunch: float | None = None,
    tick: float | None = None,
) -> tuple[Estimate, ...]:
    """The latencies in seconds below which the shares ``ranks`` (0.99) of the events lie; none without events.

    ``counts`` [buckets] or [buckets, columns]; see ``log_histogram`` for the edges. ``bunch``: see ``bunching``; None
    estimates it from the columns. In a bucket without an end the value is its lower edge. The band is where the
    percentile of what was sampled lies, at 95 %; between two modes only the band is right.
    """
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return ()
    found = Ranks(histogram)
    independent = float(histogram.counts.sum()) / bunching_of(counts, bunch)
    return tuple(Estimate(found.value(rank), *found.band(rank, independent)) for rank in ranks)


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
        ranks: tuple[float, ...],
        key: bytes,
        rows_of: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    ) -> FloatArray:
        """The latencies in seconds of the ``ranks`` in each column, float64 [ranks, columns]; NaN without events.

        ``counts`` [columns, ranges]. ``rows_of`` returns the edges and the counts [buckets, columns] of some of them;
        ``key`` tells those edges from others, and the ranks from others.
        """
        if not counts.size:
            return np.full((len(ranks), len(counts)), nan)
        found = self._moved_on(counts, ranks, key, rows_of)
        if found is None:
            found = self._of_each(counts, ranks, key, rows_of)
        self._last = key, counts, found
        return found

    def _moved_on(
        self,
        counts: FloatArray,
        ranks: tuple[float, ...],
        key: bytes,
        rows_of: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    ) -> FloatArray | None:
        """The same as the last time, or one column further; None if it is anything else."""
        if self._last is None or self._last[0] != key or self._last[1].shape != counts.shape:
            return None
        _, before, known = self._last
        if np.array_equal(counts[:-1], before[:-1]) and np.array_equal(counts[-1], before[-1]):
            return known
        for kept in (slice(1, None), slice(0, -1)):  # a column further, or only the newest is another
            if np.array_equal(counts[:-1], before[kept]):
                return np.concatenate((known[:, kept], self._of_each(counts[-1:], ranks, key, rows_of)), axis=1)
        return None

    def _of_each(
        self,
        counts: FloatArray,
        ranks: tuple[float, ...],
        key: bytes,
        rows_of: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    ) -> FloatArray:
        raw, width = np.ascontiguousarray(counts).tobytes(), counts.itemsize * counts.shape[1]
        keys = [(key, raw[start : start + width]) for start in range(0, len(raw), width)]
        new = {one: place for place, one in enumerate(keys) if one not in self._known}
        if len(self._known) + len(new) > MOST_COLUMNS_KNOWN:
            self._known, new = {}, {one: place for place, one in enumerate(keys)}
        if new:
            edges, rows = rows_of(counts[list(new.values())])
            for number, one in enumerate(new):
                self._known[one] = _values(rows[:, number], edges, ranks)
        return np.array([self._known[one] for one in keys], np.float64).T


def _values(counts: FloatArray, edges: FloatArray, ranks: tuple[float, ...]) -> tuple[float, ...]:
    """As ``percentiles_of``, without bands."""
    histogram = log_histogram(counts, edges)
    if histogram is None:
        return (nan,) * len(ranks)
    found = Ranks(histogram)
    return tuple(found.value(rank) for rank in ranks)


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
    events, waited = Ranks(histogram, times.turns), Ranks.of_time(histogram, times)
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


def _place(part: float, turn: float) -> float:
    """Where in a bucket, 0 to 1, a part of its events lies below, if the logarithm of their density rises by ``turn``
    along it.
    """
    return log1p(part * expm1(turn)) / turn if abs(turn) > FLAT else part


def _part(place: float, turn: float) -> float:
    """The part of a bucket's events below a place in it: the inverse of ``_place``."""
    return expm1(place * turn) / expm1(turn) if abs(turn) > FLAT else place
