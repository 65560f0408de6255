"""Decides which idle series get an interval at each step of a scan, in arrays: the twin of ``fill_idle``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..event_bins import MOST_ZEROS, idle_parts
from .records import MOST_AT_ONCE

Numbers: TypeAlias = NDArray[np.int64]
_Row: TypeAlias = "tuple[int, int, int, bool, bool]"


class ScheduledIntervals(NamedTuple):
    """Intervals of series, in the order in which they are known.

    series        int64 [n], their numbers
    starts, ends  int64 [n], on the clock of the bins
    busy          bool [n]: with the events of a bin, or else idle since the end of the series' last interval
    late          bool [n]: idle, and only known in the snapshot after its end, where the series has events again
    """

    series: Numbers
    starts: Numbers
    ends: Numbers
    busy: NDArray[np.bool_]
    late: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """The number of intervals."""
        return int(self.series.size)


def concatenated_schedules(parts: Sequence[ScheduledIntervals]) -> ScheduledIntervals:
    """One or more parts, one after another."""
    return parts[0] if len(parts) == 1 else ScheduledIntervals(*map(np.concatenate, zip(*parts, strict=True)))


def _scheduled(rows: Iterable[_Row]) -> ScheduledIntervals:
    columns = list(zip(*rows, strict=True)) or [()] * 5
    kinds = np.int64, np.int64, np.int64, np.bool_, np.bool_
    return ScheduledIntervals(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))


class IdleSchedule:
    """The snapshots of bins of ``width``, and the series that have occurred in them, by their numbers.

    Each snapshot has the series with events, and the MOST_AT_ONCE idle ones whose last interval is the oldest; the last
    snapshot has all. A series that comes back was idle until then. As long as no more than MOST_AT_ONCE series are
    known, each of them is in each snapshot: then arrays do what ``_of_many`` does one by one.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._bin: int | None = None
        self._end = 0
        # The end of each series' last interval; the oldest comes first.
        self._last: dict[int, int] = {}

    def bins(self, numbers: Numbers, series: Numbers, most: int) -> Iterator[ScheduledIntervals]:
        """The intervals that are known now, given the next bins with events, and their series: a pair for each series
        of a bin, both ascending. They come in parts of about ``most``, each of whole bins.
        """
        known = len(self._last.keys() | set(np.unique(series).tolist()))
        if known > MOST_AT_ONCE:
            yield from self._of_many(numbers, series, most)
            return
        before = numbers[0] - 1 if self._bin is None else self._bin
        snapshots = np.minimum(np.diff(numbers, prepend=before), MOST_ZEROS + 1)
        groups = np.cumsum(snapshots * known) // most
        groups = groups[numbers.searchsorted(numbers)]  # that of the bin's first pair
        for begin, end in pairwise(_changes(groups)):
            yield self._of_few(numbers[begin:end], series[begin:end])

    def rest(self) -> ScheduledIntervals:
        """The idle intervals of the last snapshot."""
        return _scheduled(self._idle(len(self._last)))

    def _of_few(self, numbers: Numbers, series: Numbers) -> ScheduledIntervals:
        """The same for not too many snapshots of few series."""
        pending = _scheduled(self._idle(MOST_AT_ONCE))
        firsts, stops, places = self._snapshots(numbers)
        columns = np.unique(np.concatenate([np.fromiter(self._last, np.int64, len(self._last)), series]))
        busy = np.zeros((firsts.size, columns.size), np.bool_)
        busy[places, columns.searchsorted(series)] = True
        at, which = self._in_order(busy, columns)
        series, is_busy, is_last = columns[which], busy[at, which], at == firsts.size - 1
        self._bin, self._end = int(numbers[-1]), int(stops[-1]) * self._width
        stale, fresh = (series[is_last & chosen].tolist() for chosen in (~is_busy, is_busy))
        self._last = {**dict.fromkeys(stale, int(firsts[-1]) * self._width), **dict.fromkeys(fresh, self._end)}
        due = is_busy | ~is_last  # who is idle in the last snapshot has its interval when the next one begins
        at = at[due]
        times = firsts[at] * self._width, stops[at] * self._width
        found = ScheduledIntervals(series[due], *times, is_busy[due], np.zeros(at.size, np.bool_))
        return concatenated_schedules([pending, found])

    def _in_order(self, busy: NDArray[np.bool_], columns: Numbers) -> tuple[Numbers, Numbers]:
        """The snapshots and series of all intervals in their order: of each snapshot those that are ``busy`` come
        first, then the idle ones, of which that comes first which was busy last.
        """
        known = np.logical_or.accumulate(busy, axis=0) | np.isin(columns, list(self._last))
        since = np.maximum.accumulate(np.where(busy, np.arange(len(busy))[:, None], -1), axis=0)
        ranks = {one: rank for rank, one in enumerate(self._last)}
        ranked = np.array([ranks.get(one, 0) for one in columns.tolist()], np.int64)
        ties = np.where(since < 0, ranked, columns)  # who has not been busy here keeps its place among its like
        at, which = known.nonzero()
        order = np.lexsort((ties[at, which], -since[at, which], ~busy[at, which], at))
        return at[order], which[order]

    def _snapshots(self, numbers: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The snapshots up to the last of these bins: for each its first bin, and the bin after its last; and for each
        number the place of its snapshot. See ``idle_parts``.
        """
        bins = numbers[_changes(numbers)[:-1]]
        before = np.concatenate([[bins[0] - 1 if self._bin is None else self._bin], bins[:-1]])
        empty = bins - before - 1
        parts = np.where(empty > MOST_ZEROS, 1, empty)
        places = np.cumsum(parts + 1) - 1
        firsts = (
            np.repeat(before + 1, parts + 1) + np.arange(int(places[-1]) + 1) - np.repeat(places - parts, parts + 1)
        )
        firsts[places] = bins
        stops = firsts + 1
        long = np.flatnonzero(empty > MOST_ZEROS)
        stops[places[long] - 1] = bins[long]
        return firsts, stops, places[bins.searchsorted(numbers)]

    def _of_many(self, numbers: Numbers, series: Numbers, most: int) -> Iterator[ScheduledIntervals]:
        """The intervals of any number of series."""
        found: list[_Row] = []
        bins, busy = numbers.tolist(), series.tolist()
        for begin, end in pairwise(_changes(numbers)):
            if self._bin is not None:
                for first, stop in idle_parts(self._bin + 1, bins[begin]):
                    found.extend(self._snapshot(first, stop, ()))
            self._bin = bins[begin]
            found.extend(self._snapshot(self._bin, self._bin + 1, busy[begin:end]))
            if len(found) >= most:
                yield _scheduled(found)
                found = []
        if found:
            yield _scheduled(found)

    def _snapshot(self, first: int, stop: int, busy: Sequence[int]) -> Iterator[_Row]:
        yield from self._idle(MOST_AT_ONCE)  # of the snapshot before this one
        start, self._end = first * self._width, stop * self._width
        for one in busy:
            until = self._last.pop(one, start)
            if until < start:
                yield one, until, start, False, True
            yield one, start, self._end, True, False
            self._last[one] = self._end

    def _idle(self, most: int) -> list[_Row]:
        found: list[_Row] = []
        for one, until in self._last.items():
            if until == self._end or len(found) == most:
                break
            found.append((one, until, self._end, False, False))
        for one, *_ in found:
            del self._last[one]
            self._last[one] = self._end
        return found


def _changes(values: Numbers) -> list[int]:
    """The places where another value begins, and the end."""
    return np.flatnonzero(np.diff(values, prepend=values[:1] - 1, append=values[-1:] + 1)).tolist()
