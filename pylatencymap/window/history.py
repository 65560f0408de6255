"""The history of one series: exact counts per native range, over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_around
from ..interval import Interval
from ..intervals import Batch
from ..record import Bound, Range
from ..units import Unit
from .statistics import Summary, low_middle, summarise
from .store import (
    COLUMN,
    DOUBT_BIT,
    ESTIMATED_BIT,
    FEWEST_COLUMNS,
    GAP_BIT,
    RESET_BIT,
    UNCLOCKED_BIT,
    ColumnStore,
    RangeKey,
)

# Incidents of the source itself: silences and restarts as they happened, not as columns show them.

MOST_INCIDENTS = 1000
"""Per series; the oldest are forgotten."""


class Incident(NamedTuple):
    """An interval in which the source was silent (``gap``) or its counters restarted (``reset``).

    If both are set, nothing was counted. ``start`` and ``end`` are epoch microseconds; ``seconds`` is the divisor for
    rates.
    """

    start: int
    end: int
    seconds: float
    gap: bool
    reset: bool


class Incidents:
    """The incidents of one series, in the order in which they came."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: list[Incident] | deque[Incident] = []  # an empty deque takes ten times as much memory

    def add(self, interval: Interval) -> None:
        """Keep an interval if it is an incident; consecutive silences become one."""
        if not (interval.gap or interval.reset):
            return
        new = Incident(interval.start, interval.end, interval.seconds, interval.gap, interval.reset)
        last = self._kept[-1] if self._kept else None
        if last is not None and last.gap and new.gap and not (last.reset or new.reset) and last.end == new.start:
            self._kept[-1] = new._replace(start=last.start, seconds=last.seconds + new.seconds)
        elif last is None or last.end != new.end:
            if last is None:
                self._kept = deque(maxlen=MOST_INCIDENTS)
            self._kept.append(new)

    def all(self) -> tuple[Incident, ...]:
        """Oldest first."""
        return tuple(self._kept)


# A batch of intervals as columns and totals.

COUNTS_AT_ONCE = 1 << 16
"""The most counts to add up at once: numpy needs 16 bytes for each."""


def bucket_totals(batch: Batch) -> NDArray[np.float64]:
    """The events in each bucket, summed over all intervals."""
    totals = np.zeros(int(batch.buckets.max(initial=-1)) + 1)
    for first in range(0, batch.buckets.size, COUNTS_AT_ONCE):
        part = slice(first, first + COUNTS_AT_ONCE)
        totals += np.bincount(batch.buckets[part], batch.counts[part], totals.size)
    return totals


def summed_by_row(
    sizes: NDArray[np.int64], rows: NDArray[np.int64], counts: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """The same counts, those of one row of a column added up: the number of each column, their rows, and the counts."""
    width = int(rows.max(initial=0)) + 1
    places = np.repeat(np.arange(sizes.size), sizes) * width + rows
    found, where = np.unique(places, return_inverse=True)
    sums = np.zeros(found.size, np.int64)
    np.add.at(sums, where, counts)
    return np.bincount(found // width, minlength=sizes.size), found % width, sums


def batch_columns(batch: Batch) -> NDArray[Any]:
    """The columns of a batch, COLUMN [n]."""
    columns = np.zeros(batch.ends.size, COLUMN)
    columns["start"], columns["end"] = batch.starts, batch.ends
    columns["seconds"], columns["waited"] = batch.seconds, batch.waited
    columns["flags"] = np.where(batch.estimated, ESTIMATED_BIT, 0) | np.where(batch.doubtful, DOUBT_BIT, 0)
    columns["flags"] |= 0 if batch.clock else UNCLOCKED_BIT
    return columns


MAX_ROWS = 4096
"""The most distinct ranges with rows of their own; further ranges are counted in whole octaves."""
SERIES_BYTES = 2_000
"""What a series takes besides its columns."""
RECENT, ENOUGH = 100, 16
"""How many columns determine the usual interval, and how many of them have to be there unmerged."""


class History:
    """Columns of one series, with only the rows in use; the oldest can be merged in pairs to save memory.

    ``events``, ``waited`` and, by range, ``counts`` are totals of everything that was added; ``waited`` as intervals
    say, so of an estimated series only good enough to compare series; ``total`` estimates it from all counts.
    """

    __slots__ = (
        *("name", "unit", "label", "source", "events", "waited", "ranges", "counts", "incidents"),
        *("_row", "_store", "_seconds", "_flags", "_newest", "_usual", "_finest"),
    )

    def __init__(self, first: Interval | Batch) -> None:
        self.name = first.series
        self.unit = first.unit
        self.label = first.label
        self.source = first.source
        self.events = 0.0
        self.waited = 0.0
        self.ranges: list[RangeKey] = []
        self.counts: list[float] = []
        self.incidents = Incidents()
        self._row: dict[RangeKey, int] = {}
        self._store = ColumnStore()
        self._seconds = 0.0
        self._flags = 0
        self._newest: int | None = None
        self._usual: tuple[tuple[int, int, float], float] | None = None
        self._finest: float | None = None

    def __len__(self) -> int:
        return len(self._store)

    def frozen(self) -> History:
        """A copy of the present columns, for reading in another thread while columns are added here."""
        same = copy(self)
        same._store, same.ranges = self._store.frozen(), self.ranges.copy()
        return same

    @property
    def nbytes(self) -> int:
        return self._store.nbytes + SERIES_BYTES

    @property
    def version(self) -> int:
        """Changes whenever existing columns are merged."""
        return self._store.version

    @property
    def start(self) -> int:
        """When the oldest column begins, in epoch microseconds."""
        return self._store.start

    @property
    def end(self) -> int:
        """When the newest column ends, in epoch microseconds."""
        return self._store.end

    def add(self, interval: Interval) -> None:
        """Append a column; an interval with the same end as the last one adds its counts there.

        Raises ValueError for another unit, whose bounds would be misread.
        """
        self._check(interval.unit)
        self.label, self.source = interval.label, interval.source
        flags = _flags(interval)
        self._flags |= flags
        self.waited += interval.waited or 0.0
        self._column(interval, flags)
        self.incidents.add(interval)
        self._count(interval.ranges)

    def extend(self, batch: Batch) -> None:
        """Append the columns of intervals that are newer than the last one. Raises ValueError for another unit."""
        self._check(batch.unit)
        self.label, self.source = batch.label, batch.source
        totals = bucket_totals(batch)
        rows = np.zeros(totals.size, np.int64)
        for bucket in _as_they_come(batch.buckets, totals.size):
            key = batch.ranges.of(bucket)
            row = rows[bucket] = self._row[key] if key in self._row else self._row_of(key)
            self.counts[row] += int(totals[bucket])
        self.events = _summed_on(self.events, _events(batch))
        self.waited = _summed_on(self.waited, batch.waited)
        self._seconds = _summed_on(self._seconds, batch.seconds)
        self._newest = int(batch.ends[-1])
        columns = batch_columns(batch)
        self._flags |= int(np.bitwise_or.reduce(columns["flags"]))
        counted = batch.sizes, rows[batch.buckets], batch.counts
        self._store.extend(columns, *(counted if len(self.ranges) < MAX_ROWS else summed_by_row(*counted)))

    def _check(self, unit: Unit) -> None:
        if unit is not self.unit:
            raise ValueError(f"series {self.name!r} is in {self.unit.value}, not in {unit.value}")

    def _column(self, interval: Interval, flags: int) -> None:
        """Make the column of an interval the last one: append it, unless the interval continues the last column."""
        store, waited = self._store, interval.waited or 0.0
        if self._newest == interval.end and not interval.gap:
            columns, last = store.open.columns, store.filled - 1
            columns["waited"][last] += waited
            columns["flags"][last] |= flags
            return
        self._newest = interval.end
        seconds = 0.0 if interval.gap else interval.seconds
        self._seconds += seconds
        store.append(interval.start, interval.end, seconds, waited, flags)

    def _count(self, ranges: tuple[Range, ...]) -> None:
        """Add the counts of an interval to the last column."""
        rows, totals, events = self._row, self.counts, 0.0
        found: dict[int, float] = {}
        for lower, upper, count in ranges:
            row = rows.get((lower, upper))
            if row is None:
                row = self._row_of((lower, upper))
            totals[row] += count
            events += count
            found[row] = found.get(row, 0) + count
        self.events += events
        self._store.count(found)

    def _row_of(self, key: RangeKey) -> int:
        """The row of a range, a new one if necessary."""
        if len(self.ranges) >= MAX_ROWS:
            key = bounds_around(int(key[0]))
        row = self._row.setdefault(key, len(self.ranges))
        if row == len(self.ranges):
            self.ranges.append(key)
            self.counts.append(0)
            self._store.rows = len(self.ranges)
        return row

    def merge_oldest(self, fewest: int = FEWEST_COLUMNS) -> bool:
        """Halve the time resolution of a part, preferably an old one; False if ``fewest`` columns or fewer are left."""
        self._finest = self.finest_seconds()
        return self._store.merge_oldest(fewest)

    def part(self, first: int, stop: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns number ``first`` to ``stop - 1``: COLUMN [n] and counts [n, rows], uint32 or float64."""
        return self._store.part(first, stop)

    def columns(self, first: int, stop: int) -> NDArray[Any]:
        """Columns number ``first`` to ``stop - 1`` without counts: COLUMN [n]."""
        return self._store.columns(first, stop)

    def most_merged(self, first: int, stop: int) -> int:
        """The most intervals in one of the columns number ``first`` to ``stop - 1``, or more: 1 if none is merged."""
        return self._store.most_merged(first, stop)

    def count_until(self, moment: int) -> int:
        """The number of columns that end at or before a moment (epoch microseconds)."""
        return self._store.count_until(moment)

    def waited_between(self, first: int, last: int) -> float:
        """Seconds waited in columns that end after ``first`` and at or before ``last`` (epoch microseconds)."""
        return self._store.waited(self.count_until(first), self.count_until(last))

    def usual_seconds(self, stop: int | None = None) -> float:
        """The usual length of an interval, of those before column number ``stop``; None: of the newest.

        Long idle times can be one interval each, and more than half of all: then it is the length of the others.
        """
        stop = len(self) if stop is None else min(max(stop, RECENT), len(self))
        # An existing column changes only if its time waited changes, so these three are a key for the cache.
        key = (stop, self.version, self.waited)
        if self._usual is None or self._usual[0] != key:
            self._usual = key, _usual(self._store.columns(max(stop - RECENT, 0), stop))
        return self._usual[1]

    def finest_seconds(self) -> float:
        """The usual length of an interval before it was merged with others."""
        single = self._store.newest_single(RECENT)
        if single == min(len(self), RECENT):
            return self.usual_seconds()
        if single < ENOUGH and self._finest is not None:
            return self._finest
        return _usual(self._store.columns(len(self) - single, len(self)))

    def total(self) -> Summary:
        """Statistics of everything that was added."""
        return summarise(
            self.ranges,
            np.array(self.counts, dtype=np.float64),
            self.unit,
            span=self._seconds,
            waited=None if self._flags & ESTIMATED_BIT else self.waited,
            estimated=bool(self._flags & ESTIMATED_BIT),
        )


def _usual(columns: NDArray[Any]) -> float:
    """The usual length of columns, in seconds: of all, or of those with time waited if that is less; else 1."""
    known = columns[columns["seconds"] > 0]
    kinds = known["seconds"], known["seconds"][known["waited"] > 0]
    return min((float(low_middle(kind)) for kind in kinds if kind.size), default=1.0)


def _as_they_come(buckets: NDArray[np.integer], count: int) -> list[int]:
    """The buckets that occur, each where it does so first."""
    firsts = np.full(count, buckets.size)
    firsts[buckets[::-1]] = np.arange(buckets.size)[::-1]
    order = firsts.argsort(kind="stable")
    found: list[int] = order[: np.count_nonzero(firsts < buckets.size)].tolist()
    return found


def _events(batch: Batch) -> NDArray[np.float64]:
    """The events in each interval."""
    behind = np.concatenate(([0], batch.counts.cumsum(dtype=np.int64)))
    stops = batch.sizes.cumsum()
    events: NDArray[np.float64] = (behind[stops] - behind[stops - batch.sizes]).astype(np.float64)
    return events


def _summed_on(total: float, more: NDArray[np.float64]) -> float:
    """The sum, added one by one in order, so that it is the same to the last bit as with ``add``."""
    return float(np.cumsum(np.concatenate(([total], more)))[-1])


def _flags(interval: Interval) -> int:
    gap = GAP_BIT if interval.gap else 0
    reset = RESET_BIT if interval.reset else 0
    doubt = DOUBT_BIT if interval.doubtful else 0
    return gap | reset | doubt | (ESTIMATED_BIT if interval.estimated else 0) | (0 if interval.clock else UNCLOCKED_BIT)


# The columns of a history as intervals again.


AT_ONCE = 1024
"""Columns that are read from a history at once."""


def kept_intervals(history: History) -> Iterator[Interval]:
    """The columns of a series as intervals, oldest first; a merged column is one interval."""
    order = sorted(range(len(history.ranges)), key=lambda row: _ascending(*history.ranges[row]))
    keys = [history.ranges[row] for row in order]
    for first in range(0, len(history), AT_ONCE):
        columns, counts = history.part(first, first + AT_ONCE)
        counts = counts[:, order]
        where, rows = np.nonzero(counts)
        stops = np.searchsorted(where, np.arange(len(columns) + 1)).tolist()
        entries = list(zip(rows.tolist(), counts[where, rows].tolist(), strict=True))
        for number, column in enumerate(columns.tolist()):
            found = entries[stops[number] : stops[number + 1]]
            ranges: tuple[Range, ...] = tuple((*keys[row], _whole(count)) for row, count in found)
            yield _interval(history, column, ranges)


def _interval(history: History, column: tuple[int, int, float, float, int], ranges: tuple[Range, ...]) -> Interval:
    """One column as an interval; ``column`` has the fields of COLUMN."""
    start, end, seconds, waited, flags = column
    gap = bool(flags & GAP_BIT)
    return Interval(
        series=history.name,
        unit=history.unit,
        start=start,
        end=end,
        seconds=(end - start) / 1e6 if gap else seconds,
        ranges=ranges,
        waited=None if gap else waited,
        estimated=bool(flags & ESTIMATED_BIT),
        reset=bool(flags & RESET_BIT),
        doubtful=bool(flags & DOUBT_BIT),
        gap=gap,
        clock=not flags & UNCLOCKED_BIT,
        label=history.label,
        source=history.source,
    )


def _whole(value: float) -> Bound:
    """A count without a fraction as an integer, so that sums are exact."""
    return int(value) if value == int(value) else value


def _ascending(lower: Bound, upper: Bound | None) -> tuple[Bound, Bound]:
    return lower, float("inf") if upper is None else upper
