"""The latencies of given ranks of a histogram: by the density in its buckets, and by the sum of all if it is known."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import ceil, expm1, floor, inf, log1p, log2, sqrt

import numpy as np
from numpy.typing import ArrayLike

from .density import LN2, Estimate, FloatArray, LogHistogram, log_histogram
from .waited import BucketTimes, bucket_times, bucket_turns, total_time, turn_of_mean

SIGMAS = 1.96
"""Standard deviations of a band that holds the truth in 95 %."""
EDGE = 1e-12
"""A rank that misses the end of a bucket by less than this part is on it."""
FLAT = 1e-9
"""A density that changes less within a bucket is even."""


class Ranks:
    """The latencies of given ranks of a histogram, or of adjacent buckets of it. Within a bucket the density is a power
    law, the one that ``bucket_times`` sums: so a median and a mean of the same events agree.

    ``times``: where they have a sum that fits the counts, the density of a bucket is the one that has its mean; so the
    result is possible for counts and sum together. Ranks are those of the events, or of their time, see ``of_time``.
    """

    def __init__(self, histogram: LogHistogram, times: BucketTimes | None = None) -> None:
        self._edges, self._logs = histogram.edges.tolist(), histogram.logs.tolist()
        self._turns = (bucket_turns(histogram) if times is None else times.turns).tolist()
        self._times = times if times is not None and times.fits else None
        self._means: list[float] | None = None
        self._limits = 0.0, 0.0  # what a sum leaves beyond the least, and beyond the most, that all can have waited
        if times is not None and times.fits and times.exact is not None:
            self._means = (times.value / np.where(histogram.counts > 0, histogram.counts, 1.0)).tolist()
            self._limits = times.exact - float(times.least.sum()), times.exact - float(times.most.sum())
        self._more = 0.0
        self._solved: dict[int, float] = {}
        self._waits: dict[int, Estimate] = {}
        self._weighted(histogram.counts)

    @classmethod
    def of_time(cls, histogram: LogHistogram, times: BucketTimes) -> Ranks:
        """The ranks of the seconds waited: each event counts as much as it waited."""
        found = cls(histogram, times)
        found._weighted(times.value)
        found._more, found._times = 1.0, None
        return found

    @property
    def weight(self) -> float:
        """That of all: the number of events, or the seconds that they waited."""
        return float(self._upto[-1])

    @property
    def has_sum(self) -> bool:
        """Whether the source summed the latencies of the events, and that sum fits their counts."""
        return self._times is not None

    def _weighted(self, weights: FloatArray) -> None:
        self._weights, self._upto = weights.tolist(), np.cumsum(weights).tolist()

    def _turn(self, place: int) -> float:
        """By how much the logarithm of the density of the weights rises along a bucket."""
        if place not in self._solved:
            octaves = self._logs[place + 1] - self._logs[place]
            turn = self._turns[place]
            if self._means is not None and self._means[place] > 0:  # no events, no mean
                turn = turn_of_mean(self._means[place], self._edges[place], octaves)
            self._solved[place] = turn + self._more * octaves * LN2
        return self._solved[place]

    def _power(self, place: int) -> float:
        """In a bucket that begins at 0, a part of the weights lies below this power of itself, as a part of the bucket:
        1, if nothing is known but that they lie between 0 and the edge.
        """
        if self._means is None or self._more:
            return 1.0
        mean = self._means[place]
        return self._edges[place + 1] / mean - 1 if mean > 0 else inf

    def bucket(self, rank: float, first: int = 0, stop: int | None = None) -> int:
        """The bucket with the event of a rank, 0 to 1, among those of the buckets ``first`` to ``stop - 1``."""
        stop = len(self._upto) if stop is None else stop
        wanted = self._wanted(rank, first, stop)
        place = min(bisect_left(self._upto, wanted, first, stop), stop - 1)
        while not self._weights[place] and place + 1 < stop:
            place += 1
        return place

    def value(self, rank: float, first: int = 0, stop: int | None = None) -> float:
        """The latency in seconds at a rank; the lower edge of a bucket that has no end."""
        stop = len(self._upto) if stop is None else stop
        place = self.bucket(rank, first, stop)
        value = self._inside(place, self._wanted(rank, first, stop))
        if self._times is None:
            return value
        # The density knows parts of events. What whole ones cannot have waited is left out, whatever the slopes say.
        wanted, own = self._wanted(rank, first, stop), self._weights[place]
        low = self._limits[1] + self._edges[place + 1] * own if self._edges[place + 1] < inf else 0.0
        least = self._at_least(place, wanted, low)
        return min(max(value, least), self._at_most(place, wanted, self._limits[0] + self._edges[place] * own))

    def _inside(self, place: int, wanted: float) -> float:
        """The latency in a bucket below which so much weight lies, by the density."""
        if self._edges[place + 1] == inf:
            return float(self._edges[place])
        below = wanted - self._upto[place] + self._weights[place]
        inside = min(max(below / (self._weights[place] or 1.0), 0.0), 1.0)
        if self._edges[place] <= 0:
            return float(inside ** self._power(place) * self._edges[place + 1])
        inside = _place(inside, self._turn(place))
        return float(2 ** (self._logs[place] + inside * (self._logs[place + 1] - self._logs[place])))

    def band(self, rank: float, independent: float, first: int = 0, stop: int | None = None) -> tuple[float, float]:
        """Where the latency of a rank lies, given so many independent events: outward to edges of buckets, or as far as
        a sum allows, and to 0 or infinity where the rank is beyond all events.
        """
        spread = SIGMAS * sqrt(rank * (1 - rank) / independent)
        low, high = rank - spread, rank + spread
        return self.least(low, first, stop) if low > 0 else 0.0, self.most(high, first, stop) if high < 1 else inf

    def least(self, rank: float, first: int = 0, stop: int | None = None) -> float:
        """The least latency that a rank can have."""
        stop = len(self._upto) if stop is None else stop
        place = self.bucket(rank, first, stop)
        if not self.has_sum:
            return float(self._edges[place])
        return self._at_least(place, self._wanted(rank, first, stop), self._waited(place).low)

    def _at_least(self, place: int, wanted: float, waited: float) -> float:
        """The least latency of an event in a bucket of which at least so many seconds were ``waited``: that event and
        those before it waited no longer, the others at most to the end.
        """
        (begin, end), events = self._edges[place : place + 2], self._weights[place]
        below = min(ceil(wanted * (1 - EDGE)) - self._upto[place] + events, events)
        if below <= 0 or end == inf:
            return float(begin)
        return float(max(begin, end - max(end * events - waited, 0.0) / below))

    def most(self, rank: float, first: int = 0, stop: int | None = None) -> float:
        """The greatest latency that a rank can have."""
        stop = len(self._upto) if stop is None else stop
        wanted = self._wanted(rank, first, stop)
        place = min(bisect_right(self._upto, wanted * (1 - EDGE), first, stop), stop - 1)
        while not self._weights[place] and place + 1 < stop:
            place += 1
        if not self.has_sum:
            return float(self._edges[place + 1])
        return self._at_most(place, wanted, self._waited(place).high)

    def _at_most(self, place: int, wanted: float, waited: float) -> float:
        """The greatest latency of an event in a bucket of which at most so many seconds were ``waited``: that event and
        those after it waited as long or longer, the others at least to the begin.
        """
        (begin, end), events = self._edges[place : place + 2], self._weights[place]
        above = min(self._upto[place] - floor(wanted * (1 + EDGE)), events)
        if above <= 0:
            return float(end)
        return float(min(end, begin + max(waited - begin * events, 0.0) / above))

    def shares_above(self, place: int, seconds: float) -> tuple[float, float]:
        """The least and the greatest share of the weights that can be above a latency in a bucket."""
        total, inside = self._upto[-1], self._weights[place]
        above, (begin, end) = total - self._upto[place], self._edges[place : place + 2]
        least, most = 0.0, inside
        if self.has_sum:
            waited = self._waited(place)
            most = min(inside, (waited.high - begin * inside) / (seconds - begin))
            least = max(inside - (end * inside - waited.low) / (end - seconds), 0.0) if end < inf else 0.0
        return (above + least) / total, (above + max(most, least)) / total

    def _waited(self, place: int) -> Estimate:
        """The seconds that the events of a bucket waited, and their band: what the others cannot have waited, too."""
        assert self._times is not None
        if place not in self._waits:
            self._waits[place] = total_time(self._times, [place, place + 1])[1]
        return self._waits[place]

    def _wanted(self, rank: float, first: int, stop: int) -> float:
        """The weight below a rank, of all."""
        begun = self._upto[first - 1] if first else 0.0
        return float(begun + rank * (self._upto[stop - 1] - begun))

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
                power = self._power(place)
                inside = (seconds / high) ** (1 / power) if power else 0.0
            else:
                inside = _part((log2(seconds) - self._logs[place]) / (octaves or 1.0), self._turn(place))
            whole += self._weights[place] * inside
        return min(max(float(whole / self._upto[-1]), 0.0), 1.0)


def ranks_of(
    counts: ArrayLike,
    edges: ArrayLike,
    exact: float | None = None,
    tick: float | None = None,
    bunch: float = 1.0,
) -> Ranks | None:
    """The ranks of events that waited ``exact`` seconds in all, None if the source does not sum; None without events.
    See ``log_histogram`` for the other parameters; ``bunch`` widens bands by that sum.
    """
    histogram = log_histogram(counts, edges, tick)
    if histogram is None:
        return None
    return Ranks(histogram, None if exact is None else bucket_times(histogram, bunch, exact))


def _place(part: float, turn: float) -> float:
    """Where in a bucket, 0 to 1, a part of its events lies below, if the logarithm of their density rises by ``turn``
    along it.
    """
    if part >= 1 or abs(turn) <= FLAT:
        return part
    return log1p(part * expm1(turn)) / turn


def _part(place: float, turn: float) -> float:
    """The part of a bucket's events below a place in it: the inverse of ``_place``."""
    return expm1(place * turn) / expm1(turn) if abs(turn) > FLAT else place
