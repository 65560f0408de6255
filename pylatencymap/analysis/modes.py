"""The modes that are there: latencies that have more events, per octave, than those on both sides of them.

``dips`` finds where one mode ends and the next begins; here each mode gets its figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log2

import numpy as np
from numpy.typing import ArrayLike

from .bunching import bunching_of
from .density import Estimate, LogHistogram, log_histogram
from .dips import cuts_between_modes
from .percentiles import shares_of_time, wilson
from .ranks import Ranks
from .waited import BucketTimes, bucket_times

ENOUGH = 100
"""Independent events from which modes can be told."""
SEEN = 30
"""Independent events with which a mode that stands apart is found, whatever the number of all events is."""
WIDE = 0.4
"""Octaves: ranges are given by the edges of buckets that are at least so wide."""
OUTER = 0.05
"""The share of a mode's events on each side of its range."""
TAIL_WAIT = 0.05
"""The share of the time waited from which a tail is named."""
BEYOND, BEYOND_TO_TAIL = 0.2, 0.01
"""The share of the time waited from which what lies beyond the range of the last mode is named; above the 95 % of its
events that are in or below it, a lognormal of sigma 0.6 has 15 %. The second one where a tail is named as well.
"""
HELD = 60
"""Columns after which a mode that is only possible is given up."""


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode.

    ``lower`` to ``upper``, seconds, hold 5 to 95 % of its events: edges of buckets where these are at least about half
    an octave wide. ``typical`` is the median, which lies in ``typical_band``, seconds. ``share`` is that of all events;
    ``waited`` is in seconds, and ``wait`` its share of all time waited; all three with bounds. ``begin`` to ``end``,
    seconds, is all that is taken for it, from one valley to the next; ``rate`` is events per second, None where the
    seconds are not known.
    """

    lower: float
    upper: float
    typical: float
    events: float
    share: Estimate
    waited: Estimate
    wait: Estimate
    begin: float
    end: float
    rate: float | None = None
    typical_band: tuple[float, float] = (0.0, inf)

    @property
    def median(self) -> Estimate:
        """``typical`` with its band."""
        return Estimate(self.typical, *self.typical_band)


@dataclass(frozen=True, slots=True)
class LatencyPart:
    """What lies between two latencies, in seconds: its events, their share, the seconds they ``waited``, and the share
    of these.
    """

    lower: float
    upper: float
    events: float
    share: Estimate
    waited: Estimate
    wait: Estimate


@dataclass(frozen=True, slots=True)
class Tail:
    """Events far above the last mode, too few or too scattered to be one, with much of the time waited.

    They are counted in that mode as well. ``bound``, seconds: all of them are above it.
    """

    bound: float
    events: float
    share: Estimate
    wait: Estimate


@dataclass(frozen=True, slots=True)
class Modes:
    """What a histogram says about its modes, lowest latency first.

    ``candidates[i]`` are the modes if there are ``sure + i`` of them; the last holds ``possible``. With too few events
    both numbers are 0. ``bunch``: see ``bunching``. ``tick``: seconds, 0 for a continuous clock.

    ``beyond`` lies above the range of the last mode that is sure, below the tail, and is too much to be said to lie in
    that range. ``last`` is that mode without it and without the tail, where there is one of them.
    """

    events: float
    bunch: float
    tick: float
    candidates: tuple[tuple[Mode, ...], ...] = ()
    tail: Tail | None = None
    beyond: LatencyPart | None = None
    last: LatencyPart | None = None

    @property
    def too_few(self) -> bool:
        """Whether there are too few events to tell."""
        return not self.candidates

    @property
    def sure(self) -> int:
        """The number of modes that are sure."""
        return len(self.candidates[0]) if self.candidates else 0

    @property
    def possible(self) -> int:
        """The greatest number of modes that the counts allow."""
        return len(self.candidates[-1]) if self.candidates else 0

    @property
    def modes(self) -> tuple[Mode, ...]:
        """Those that are sure."""
        return self.shown(self.sure)

    @property
    def smallest_seen(self) -> float:
        """The share of the events that a mode must have to be seen, if it stands apart from the others; at most 1."""
        return min(SEEN * self.bunch / self.events, 1.0) if self.events else 1.0

    def shown(self, count: int) -> tuple[Mode, ...]:
        """The modes if there are ``count`` of them; as many as possible nearest to that."""
        if not self.candidates:
            return ()
        return self.candidates[min(max(count - self.sure, 0), len(self.candidates) - 1)]


@dataclass(frozen=True, slots=True)
class ShownCount:
    """The number of modes that a text names, from moment to moment: it changes only when it has to.

    ``unsure``: for so many columns the number has been more than is sure.
    """

    count: int = 0
    unsure: int = 0

    def after(self, modes: Modes, columns: int = 1) -> ShownCount:
        """The number to show for newer modes, ``columns`` later."""
        count = min(max(self.count, modes.sure), modes.possible)
        unsure = self.unsure + columns if count > modes.sure else 0
        return ShownCount(count, unsure) if unsure < HELD else ShownCount(modes.sure)


def find_modes(
    counts: ArrayLike,
    edges: ArrayLike,
    seconds: ArrayLike | None = None,
    *,
    exact: float | None = None,
    bunch: float | None = None,
    tick: float | None = None,
) -> Modes:
    """The modes of ``counts`` [buckets] or [buckets, columns]; see ``log_histogram`` for the edges.

    ``seconds`` [columns] or their sum gives the rates. ``exact``: seconds waited by all events, if the source says so.
    ``bunch``: see ``bunching``; None estimates it from the columns. ``tick``: the step of the source's timer in
    seconds, 0 for a continuous one, None to look for it.
    """
    histogram = log_histogram(counts, edges, tick)
    bunch = bunching_of(counts, bunch)
    if histogram is None:
        return Modes(0.0, bunch, tick or 0.0)
    events = float(histogram.counts.sum())
    if events / bunch < ENOUGH:
        return Modes(events, bunch, histogram.tick)
    times = bucket_times(histogram, bunch, exact)
    about = _Description(
        histogram, times, bunch, 0.0 if seconds is None else float(np.asarray(seconds, np.float64).sum())
    )
    cuts = cuts_between_modes(histogram, bunch)
    candidates = tuple(tuple(about.modes(one)) for one in cuts)
    return Modes(events, bunch, histogram.tick, candidates, *about.above([0, *cuts[0]][-1]))


FEW_TICKS = 2.5
"""In a bucket of so many steps of the clock, nobody knows where a latency lies."""


class _Description:
    """The figures of parts of a histogram."""

    def __init__(self, histogram: LogHistogram, times: BucketTimes, bunch: float, seconds: float) -> None:
        self.histogram = histogram
        self.times = times
        self.bunch = bunch
        self.seconds = seconds
        self.total = float(histogram.counts.sum())
        self.ranks = Ranks(histogram, times)

    def modes(self, cuts: Sequence[int]) -> list[Mode]:
        """The modes that begin at the first bucket and at each cut."""
        bounds = [0, *cuts, len(self.histogram.counts)]
        waits = shares_of_time(self.histogram, self.times, cuts, self.bunch)
        return [self._mode(*part, *wait) for part, wait in zip(pairwise(bounds), waits, strict=True)]

    def _mode(self, first: int, stop: int, waited: Estimate, wait: Estimate) -> Mode:
        events = float(self.histogram.counts[first:stop].sum())
        median = self._median(first, stop)
        return Mode(
            self._end(OUTER, first, stop, 0),
            self._end(1 - OUTER, first, stop, 1),
            median.value,
            events,
            self._share(events),
            waited,
            wait,
            float(self.histogram.edges[first]),
            float(self.histogram.edges[stop]),
            events / self.seconds if self.seconds > 0 else None,
            (median.low, median.high),
        )

    def _median(self, first: int, stop: int) -> Estimate:
        """The median of a mode, and the band in which it lies."""
        value, events = self.ranks.value(0.5, first, stop), float(self.histogram.counts[first:stop].sum())
        low, high = self.ranks.band(0.5, events / self.bunch, first, stop)
        return Estimate(value, min(low, value), max(high, value))

    def _share(self, events: float) -> Estimate:
        share = min(events / self.total, 1.0)
        return Estimate(share, *wilson(share, self.total / self.bunch))

    def _end(self, rank: float, first: int, stop: int, side: int) -> float:
        """An end of a range: the edge of a wide bucket, or of one of few ticks, or the latency itself in others."""
        place = self.ranks.bucket(rank, first, stop)
        edge = float(self.histogram.edges[place + side])
        wide = self.histogram.logs[place + 1] - self.histogram.logs[place] >= WIDE
        ticks = self.histogram.edges[place + 1] - self.histogram.edges[place] <= FEW_TICKS * self.histogram.tick
        return edge if wide or ticks or edge == inf else self.ranks.value(rank, first, stop)

    def above(self, first: int) -> tuple[Tail | None, LatencyPart | None, LatencyPart | None]:
        """The tail of the last mode, which begins at ``first``; what else lies beyond its range; the rest of it."""
        stop = len(self.histogram.counts)
        place = self._tail_begin(first)
        range_end = self.ranks.bucket(1 - OUTER, first, stop) + 1
        beyond = self._part(range_end, stop if place is None else place)
        least = BEYOND if place is None else BEYOND_TO_TAIL
        told = beyond.wait.value >= least and beyond.events > 0
        if place is None:
            return (None, beyond, self._part(first, range_end)) if told else (None, None, None)
        far = self._part(place, stop)
        tail = Tail(far.lower, far.events, far.share, far.wait)
        return tail, beyond if told else None, self._part(first, range_end if told else place)

    def _tail_begin(self, first: int) -> int | None:
        """The bucket at which a tail begins: as far above the last mode's range as that reaches above the median, and
        at least an octave; None without one.
        """
        stop = len(self.histogram.counts)
        typical, upper = (self.ranks.value(rank, first, stop) for rank in (0.5, 1 - OUTER))
        if typical <= 0:
            return None
        bound = upper * 2 ** max(1.0, log2(upper / typical))
        place = int(np.searchsorted(self.histogram.edges[:-1], bound * (1 - 1e-9)))
        above = np.flatnonzero(self.histogram.counts[place:])
        if not above.size or self.times.value[place:].sum() < TAIL_WAIT * self.times.value.sum():
            return None
        return place + int(above[0])

    def _part(self, first: int, stop: int) -> LatencyPart:
        """What the buckets ``first`` to ``stop - 1`` hold."""
        nothing = Estimate(0.0, 0.0, 0.0)
        events, waited, wait = float(self.histogram.counts[first:stop].sum()), nothing, nothing
        if events:
            cuts = [cut for cut in (first, stop) if 0 < cut < len(self.histogram.counts)]
            waited, wait = shares_of_time(self.histogram, self.times, cuts, self.bunch)[1 if first else 0]
        bounds = float(self.histogram.edges[first]), float(self.histogram.edges[stop])
        return LatencyPart(*bounds, events, self._share(events), waited, wait)
