"""All that is kept of one series: exact counts per native range, over time."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_of, bucket_of
from ..interval import Interval
from ..intervals.batch import Batch
from ..intervals.nominal import low_median
from ..record import Range
from ..units import Unit
from .block import COLUMN, ESTIMATED, GAP, RESET, UNCLOCKED, RangeKey
from .incident import Incidents
from .statistics import Summary, summarise
from .store import Store

# What a batch of intervals comes to in a history.


COUNTS_AT_ONCE = 1 << 16
"""So many are added up at once: numpy makes 16 bytes of each."""


def totals_of(batch: Batch) -> NDArray[np.float64]:
    """The events in each bucket, over all intervals."""
    totals = np.zeros(int(batch.buckets.max(initial=-1)) + 1)
    for first in range(0, batch.buckets.size, COUNTS_AT_ONCE):
        part = slice(first, first + COUNTS_AT_ONCE)
        totals += np.bincount(batch.buckets[part], batch.counts[part], totals.size)
    return totals


def columns_of(batch: Batch) -> NDArray[Any]:
    """Its columns, COLUMN [n]."""
    columns = np.zeros(batch.ends.size, COLUMN)
    columns["start"], columns["end"] = batch.starts, batch.ends
    columns["seconds"], columns["waited"] = batch.seconds, batch.waited
    columns["flags"] = np.where(batch.estimated, ESTIMATED, 0) | (0 if batch.clock else UNCLOCKED)
    return columns


MAX_ROWS = 4096
"""Distinct ranges kept apart; what comes after them is counted in whole octaves."""
RECENT = 100
"""Columns that say how long an interval usually is."""


class History:
    """Columns of one series, only rows in use; the oldest can be merged two by two to save memory.

    ``events``, ``waited`` and, by range, ``counts`` are of all that was added.
    """

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
        self._store = Store()
        self._seconds = 0.0
        self._flags = 0
        self._newest: int | None = None

    def __len__(self) -> int:
        return len(self._store)

    def frozen(self) -> History:
        """The columns as they are now, to be read in another thread while more come here."""
        same = copy(self)
        same._store, same.ranges = self._store.frozen(), self.ranges.copy()
        return same

    @property
    def nbytes(self) -> int:
        return self._store.nbytes

    @property
    def version(self) -> int:
        """Changes whenever columns that were there are merged."""
        return self._store.version

    @property
    def start(self) -> int:
        """Epoch microseconds at which the oldest column that is kept begins."""
        return self._store.start

    @property
    def end(self) -> int:
        """Epoch microseconds at which the newest column ends."""
        return self._store.end

    def add(self, interval: Interval) -> None:
        """Append a column; an interval with the end of the last one adds its counts there.

        Raises ValueError for another unit: its bounds would be taken for those of this one.
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
        totals = totals_of(batch)
        rows = np.zeros(totals.size, np.int64)
        for bucket in totals.nonzero()[0].tolist():
            row = rows[bucket] = self._row_of(bounds_of(bucket, batch.resolution))
            self.counts[row] += totals[bucket]
        self.events += float(totals.sum())
        self.waited = _summed_on(self.waited, batch.waited)
        self._seconds = _summed_on(self._seconds, batch.seconds)
        self._newest = int(batch.ends[-1])
        columns = columns_of(batch)
        self._flags |= int(np.bitwise_or.reduce(columns["flags"]))
        self._store.extend(columns, batch.sizes, rows[batch.buckets], batch.counts)

    def _check(self, unit: Unit) -> None:
        if unit is not self.unit:
            raise ValueError(f"series {self.name!r} is in {self.unit.value}, not in {unit.value}")

    def _column(self, interval: Interval, flags: int) -> None:
        """The column that an interval goes to becomes the last one."""
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
        """The row of a range that has none yet."""
        if len(self.ranges) >= MAX_ROWS:
            key = bounds_of(bucket_of(int(key[0])))
        row = self._row.setdefault(key, len(self.ranges))
        if row == len(self.ranges):
            self.ranges.append(key)
            self.counts.append(0)
            self._store.rows = len(self.ranges)
        return row

    def merge_oldest(self) -> bool:
        """Halve the time resolution of a part, preferably old; False if nothing is left to do."""
        return self._store.merge_oldest()

    def part(self, first: int, stop: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns number ``first`` to ``stop - 1``: COLUMN [n] and counts [n, rows], uint32 or float64."""
        return self._store.part(first, stop)

    def count_until(self, moment: int) -> int:
        """How many columns end at or before a moment (epoch microseconds)."""
        return self._store.count_until(moment)

    def waited_between(self, first: int, last: int) -> float:
        """Seconds waited in columns that end after the first and not after the last moment (epoch microseconds)."""
        return self._store.waited(self.count_until(first), self.count_until(last))

    def columns_after(self, moment: int) -> int:
        """How many columns end after a moment (epoch microseconds)."""
        return len(self) - self.count_until(moment)

    def usual_seconds(self, stop: int | None = None) -> float:
        """How long an interval usually is, of those before column number ``stop``; None: of the newest.

        Long idle times may be one interval each, and be more than half of all: then it is that of the others.
        """
        stop = len(self) if stop is None else min(max(stop, RECENT), len(self))
        columns = self.part(max(stop - RECENT, 0), stop)[0]
        known = columns[columns["seconds"] > 0]
        kinds = (known["seconds"].tolist(), known["seconds"][known["waited"] > 0].tolist())
        return min((low_median(seconds) for seconds in kinds if seconds), default=1.0)

    def total(self) -> Summary:
        """Statistics of all that was added."""
        return summarise(
            self.ranges,
            np.array(self.counts, dtype=np.float64),
            self.unit,
            span=self._seconds,
            waited=self.waited,
            estimated=bool(self._flags & ESTIMATED),
        )


def _summed_on(total: float, more: NDArray[np.float64]) -> float:
    """The sum, in the same order as if each were added by itself: to the last bit the same."""
    return float(np.cumsum(np.concatenate(([total], more)))[-1])


def _flags(interval: Interval) -> int:
    gap = GAP if interval.gap else 0
    reset = RESET if interval.reset else 0
    return gap | reset | (ESTIMATED if interval.estimated else 0) | (0 if interval.clock else UNCLOCKED)
