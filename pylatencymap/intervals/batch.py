"""Batches, the twin of ``stages.py`` for scanned files: intervals as arrays; also as intervals and as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..buckets import bounds_of
from ..interval import Interval
from ..record import DOUBTFUL, ESTIMATED, IDLE, KEPT, Clock, Event, Range, Record, Semantics, Stamp, Tick
from ..units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FLAGS = {
    (is_estimated, after_idle): frozenset({KEPT, *[ESTIMATED] * is_estimated, *[IDLE] * after_idle})
    for is_estimated in (False, True)
    for after_idle in (False, True)
}

_DOUBT = frozenset({DOUBTFUL})


class Batch(NamedTuple):
    """Intervals of one series without resets and gaps; none continues another one.

    clock         whether times are on a real clock
    starts, ends  int64 [n], epoch microseconds, ascending; rates are per second between start and end
    waited        float64 [n], seconds
    estimated     bool [n], whether the time waited is not exact
    doubtful      bool [n], whether the time of an event is
    sizes         int64 [n], the number of buckets that have events in each interval
    buckets       int16 or wider [sum of sizes], one interval after another, ascending in each; see ``buckets.py``
    counts        int32 or int64 [sum of sizes], the events in each of these buckets
    """

    series: str
    unit: Unit
    label: str
    source: str
    resolution: int
    clock: bool
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    waited: NDArray[np.float64]
    estimated: NDArray[np.bool_]
    doubtful: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    buckets: NDArray[np.integer]
    counts: NDArray[np.integer]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """How long each interval is."""
        return (self.ends - self.starts) / 1e6


TakeBatch: TypeAlias = Callable[[Batch], object]
"""Takes the intervals of a series all at once, instead of one by one."""


class BatchSeries(NamedTuple):
    """A series of a batch.

    ``name`` is its name in records, ``called`` its name in intervals: they differ if another series has the same name
    and another unit.
    """

    name: str
    unit: Unit
    called: str


class _Row(NamedTuple):
    """One interval of a ``Batches``."""

    series: BatchSeries
    start: int
    end: int
    waited: float
    is_estimated: bool
    is_doubtful: bool
    is_late: bool
    ranges: tuple[Range, ...]


class Batches(NamedTuple):
    """The intervals of all series in one period, in the order in which their records would come.

    owners  int64 [n], the series of each interval, as a key of ``series``
    late    bool [n]: an idle interval of a series that snapshots since then did not mention; the series' next interval
            comes right after this one

    The other fields are those of ``Batch``.
    """

    series: Mapping[int, BatchSeries]
    label: str
    source: str
    resolution: int
    clock: bool
    owners: NDArray[np.int64]
    late: NDArray[np.bool_]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    waited: NDArray[np.float64]
    estimated: NDArray[np.bool_]
    doubtful: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    buckets: NDArray[np.integer]
    counts: NDArray[np.integer]

    def by_series(self) -> Iterator[Batch]:
        """A batch of each series."""
        import numpy as np

        same = self.label, self.source, self.resolution, self.clock
        numbers, firsts = np.unique(self.owners, return_index=True)
        for number in numbers[firsts.argsort()].tolist():
            name, unit, mine = self.series[number].called, self.series[number].unit, self.owners == number
            counted = np.repeat(mine, self.sizes)
            times = self.starts[mine], self.ends[mine], self.waited[mine], self.estimated[mine], self.doubtful[mine]
            counts = self.sizes[mine], self.buckets[counted], self.counts[counted]
            yield Batch(name, unit, *same, *times, *counts)

    def intervals(self) -> Iterator[Interval]:
        """One interval after another, the same as ``difference.to_intervals`` makes from records."""
        for row in self._rows():
            yield Interval(
                row.series.called,
                row.series.unit,
                row.start,
                row.end,
                (row.end - row.start) / 1e6,
                row.ranges,
                row.waited,
                estimated=row.is_estimated,
                clock=self.clock,
                label=self.label,
                source=self.source,
                doubtful=row.is_doubtful,
            )

    def _rows(self) -> Iterator[_Row]:
        series, resolution = self.series, self.resolution
        counts = zip(self.buckets.tolist(), self.counts.tolist(), strict=True)
        columns = (self.owners, self.starts, self.ends, self.waited, self.estimated, self.doubtful, self.late)
        listed = (one.tolist() for one in (*columns, self.sizes))
        for owner, start, end, waited, estimated, doubtful, late, size in zip(*listed, strict=True):
            ranges = tuple([(*_bounds(bucket, resolution), count) for bucket, count in islice(counts, size)])
            yield _Row(series[owner], start, end, waited, estimated, doubtful, late, ranges)


_bounds = cache(bounds_of)


def batch_events(parts: Iterable[Batches]) -> Iterator[Event]:
    """The record stream of these intervals: the ticks and records that ``stages.resolve_times`` makes of single events.

    Each snapshot begins where the last one ended, and has at least one record.
    """
    end: int | None = None
    for part in parts:
        clock, after_idle = Clock.EPOCH if part.clock else Clock.COUNTED, False
        for row in part._rows():
            if row.is_late:
                after_idle = True
                continue
            stamp = Stamp(row.end, clock)
            if end is None or row.end > end:
                yield Tick(stamp, start=row.start if end is None else end, kept=True)
                end = row.end
            yield Record(
                row.series.name,
                row.series.unit,
                row.ranges,
                Semantics.INTERVAL,
                stamp,
                start=row.start,
                waited=row.waited,
                label=part.label,
                source=part.source,
                flags=_FLAGS[row.is_estimated, after_idle] | (_DOUBT if row.is_doubtful else frozenset()),
            )
            after_idle = False
