"""Batches, the twin of ``stages.py`` for scanned files: intervals as arrays; also as intervals and as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..buckets import bounds_of
from ..interval import Interval
from ..record import DOUBTFUL, ESTIMATED, IDLE, KEPT, Bound, Clock, Event, Range, Record, Semantics, Stamp, Tick
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


class BatchRanges(NamedTuple):
    """The ranges that the buckets of a batch stand for: those in ``listed``, ascending, or, without it, the buckets of
    the log-linear grid with this ``resolution``; see ``buckets.py``.
    """

    resolution: int = 1
    listed: Sequence[tuple[Bound, Bound | None]] = ()

    def of(self, bucket: int) -> tuple[Bound, Bound | None]:
        """The range of a bucket."""
        return self.listed[bucket] if self.listed else _bounds(bucket, self.resolution)


class Batch(NamedTuple):
    """Intervals of one series without resets and gaps; none continues another one.

    ranges        the ranges that the buckets stand for
    clock         whether times are on a real clock
    starts, ends  int64 [n], epoch microseconds, ascending
    seconds       float64 [n], what to divide by for rates
    waited        float64 [n], seconds
    estimated     bool [n], whether the time waited is not exact
    doubtful      bool [n], whether the time of an event is
    sizes         int64 [n], the number of buckets that have events in each interval
    buckets       int16 or wider [sum of sizes], one interval after another, ascending in each
    counts        int32 or int64 [sum of sizes], the events in each of these buckets
    """

    series: str
    unit: Unit
    label: str
    source: str
    ranges: BatchRanges
    clock: bool
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    seconds: NDArray[np.float64]
    waited: NDArray[np.float64]
    estimated: NDArray[np.bool_]
    doubtful: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    buckets: NDArray[np.integer]
    counts: NDArray[np.integer]

    @property
    def nbytes(self) -> int:
        """Memory of its arrays."""
        times = self.starts.nbytes + self.ends.nbytes + self.seconds.nbytes + self.waited.nbytes
        doubts = self.estimated.nbytes + self.doubtful.nbytes
        return times + doubts + self.sizes.nbytes + self.buckets.nbytes + self.counts.nbytes


TakeBatch: TypeAlias = Callable[[Batch | Interval], object]
"""Takes the intervals of a series all at once, instead of one by one; those between that no batch can hold, too."""


class BatchSeries(NamedTuple):
    """A series of a batch.

    ``name`` is its name in records, ``called`` its name in intervals: they differ if another series has the same name
    and another unit. ``label`` and ``source`` are those of all its intervals.
    """

    name: str
    unit: Unit
    called: str
    label: str
    source: str


class _Row(NamedTuple):
    """One interval of a ``Batches``."""

    series: BatchSeries
    start: int
    end: int
    seconds: float
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
    ranges: BatchRanges
    clock: bool
    owners: NDArray[np.int64]
    late: NDArray[np.bool_]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    seconds: NDArray[np.float64]
    waited: NDArray[np.float64]
    estimated: NDArray[np.bool_]
    doubtful: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    buckets: NDArray[np.integer]
    counts: NDArray[np.integer]

    def by_series(self) -> Iterator[Batch]:
        """A batch of each series."""
        import numpy as np

        order = self.owners.argsort(kind="stable")
        rows = self if (order[1:] > order[:-1]).all() else self.rows(order)
        buckets, counts = _narrow(rows.buckets, np.int16), _narrow(rows.counts, np.int32)
        numbers, begins = np.unique(rows.owners, return_index=True)
        cuts, entries = [*begins.tolist(), order.size], [0, *rows.sizes.cumsum().tolist()]
        for place in order[begins].argsort().tolist():  # the series that comes first is first
            one, mine = self.series[int(numbers[place])], slice(cuts[place], cuts[place + 1])
            counted = slice(entries[mine.start], entries[mine.stop])
            same = one.called, one.unit, one.label, one.source, self.ranges, self.clock
            times = rows.starts[mine], rows.ends[mine], rows.seconds[mine], rows.waited[mine]
            doubts = rows.estimated[mine], rows.doubtful[mine]
            yield Batch(*same, *times, *doubts, rows.sizes[mine], buckets[counted], counts[counted])

    def rows(self, chosen: NDArray[np.int64]) -> Batches:
        """Some of the intervals, given by their places."""
        from .runs.growth import entries_of

        entries = entries_of(self.sizes, chosen)
        by_row = {name: getattr(self, name)[chosen] for name in _BY_ROW}
        return self._replace(**by_row, buckets=self.buckets[entries], counts=self.counts[entries])

    def last_of_each(self) -> list[Interval]:
        """The last interval of each series."""
        import numpy as np

        _, places = np.unique(self.owners[::-1], return_index=True)
        return list(self.rows(np.sort(self.owners.size - 1 - places)).intervals())

    def only(self, wants: Callable[[str], bool]) -> Iterator[Batches]:
        """The same without the series that are not wanted; nothing if none is."""
        import numpy as np

        wanted = [number for number in np.unique(self.owners).tolist() if wants(self.series[number].called)]
        if wanted:
            chosen = np.flatnonzero(np.isin(self.owners, wanted))
            yield self if chosen.size == self.owners.size else self.rows(chosen)

    def intervals(self) -> Iterator[Interval]:
        """One interval after another, the same as ``difference.to_intervals`` makes from records."""
        for row in self._rows():
            yield Interval(
                row.series.called,
                row.series.unit,
                row.start,
                row.end,
                row.seconds,
                row.ranges,
                row.waited,
                estimated=row.is_estimated,
                clock=self.clock,
                label=row.series.label,
                source=row.series.source,
                doubtful=row.is_doubtful,
            )

    def _rows(self) -> Iterator[_Row]:
        series, bounds = self.series, cache(self.ranges.of)
        counts = zip(self.buckets.tolist(), self.counts.tolist(), strict=True)
        times = (self.owners, self.starts, self.ends, self.seconds, self.waited)
        listed = (one.tolist() for one in (*times, self.estimated, self.doubtful, self.late, self.sizes))
        for owner, start, end, seconds, waited, estimated, doubtful, late, size in zip(*listed, strict=True):
            ranges = tuple([(*bounds(bucket), count) for bucket, count in islice(counts, size)])
            yield _Row(series[owner], start, end, seconds, waited, estimated, doubtful, late, ranges)


def _narrow(values: NDArray[np.integer], short: type[np.integer]) -> NDArray[np.integer]:
    """The values as shorter integers if these hold them: batches wait for the picture to take them."""
    import numpy as np

    return values.astype(short, copy=False) if values.max(initial=0) <= np.iinfo(short).max else values


_BY_ROW = ("owners", "late", "starts", "ends", "seconds", "waited", "estimated", "doubtful", "sizes")


def one_by_one(found: Iterable[Interval | Batches]) -> Iterator[Interval]:
    """The intervals, those of batches too."""
    for one in found:
        if isinstance(one, Batches):
            yield from one.intervals()
        else:
            yield one


def only_wanted(found: Iterable[Interval | Batches], wants: Callable[[str], bool]) -> Iterator[Interval | Batches]:
    """The intervals of the series that are wanted."""
    for one in found:
        if isinstance(one, Batches):
            yield from one.only(wants)
        elif wants(one.series):
            yield one


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
                label=row.series.label,
                source=row.series.source,
                flags=_FLAGS[row.is_estimated, after_idle] | (_DOUBT if row.is_doubtful else frozenset()),
            )
            after_idle = False
