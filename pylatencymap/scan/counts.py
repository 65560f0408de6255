"""Counts of events per bin, series and bucket, in arrays whose size depends on the number of bins, not of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from ..intervals import (
    EVENT_RESOLUTION,
    Batches,
    BatchRanges,
    BatchSeries,
    BinCounts,
    IdleSchedule,
    ScheduledIntervals,
    concatenated_schedules,
    new_name,
)
from ..record import Clock, Sample
from ..units import Unit
from .byte_words import Flags, Places
from .contract import ChunkCounts, ChunkEvents, EventKind, EventRun
from .reader import NotScannable
from .sums import LARGEST, SERIES, OwnerSums, SortedSums, concatenated, sum_events
from .time_check import Divided

# The sums of a file as batches of intervals: the only form in which a scan hands over its counts.


MOST_INTERVALS = 1 << 13
"""The intervals of all series are handed over once there are this many, or MOST_COUNTS of their buckets, about."""
MOST_COUNTS = 1 << 17
_EXACT = np.zeros(1, np.int64)
"""No steps: scanned latencies have none."""


class Axis(NamedTuple):
    """The time axis of bins.

    ``width`` is the width of a bin; ``shift`` leads from the clock of the bins to the epoch; both in microseconds.
    ``clock``: these are real times.
    """

    width: int
    shift: int = 0
    clock: bool = True


class Oddities(Protocol):
    """Says which owners are not as others; see ``OddOwners``."""

    def steps_of(self, owners: Places) -> Places: ...

    def doubtful_of(self, owners: Places) -> Flags: ...


class OddOwners(NamedTuple):
    """Owners that are not as others: the ``steps`` of those that have any, and those that are ``doubtful``; see
    ``BinCounts``.
    """

    steps: dict[int, int]
    doubtful: list[int]

    def steps_of(self, owners: Places) -> Places:
        """The steps of each of some owners; an array of one 0 if none has any."""
        return np.array([self.steps.get(owner, 0) for owner in owners.tolist()]) if self.steps else _EXACT

    def doubtful_of(self, owners: Places) -> Flags:
        """Which of some owners are doubtful."""
        return np.isin(owners, self.doubtful)

    def renumbered(self, ranks: Places) -> OddOwners:
        """The same with new numbers of series."""

        def new(owner: int) -> int:
            return owner // SERIES * SERIES + int(ranks[owner % SERIES])

        return OddOwners(
            {new(owner): step for owner, step in self.steps.items()}, [new(owner) for owner in self.doubtful]
        )


Key: TypeAlias = tuple[str, Unit]
"""A series by name and unit, since units never mix."""


def file_batches(
    blocks: Iterable[OwnerSums], keys: Mapping[int, Key], odd: OddOwners, axis: Axis, scan: EventKind
) -> Iterator[Batches]:
    """The intervals of all series, one period after another, made of blocks in ascending order.

    ``keys`` are the series by the numbers that they have in the blocks, and ``odd`` has these numbers, too.
    """
    numbers = sorted(keys, key=lambda number: (keys[number][0], keys[number][1].value))
    ranks = np.zeros(len(numbers), np.int64)
    ranks[numbers] = np.arange(len(numbers))
    ordered = (whole.renumbered(ranks) for whole in _of_whole_bins(blocks))
    named = [keys[number] for number in numbers]
    return batches_of(ordered, named, odd.renumbered(ranks), axis, (scan.label, scan.source))


def batches_of(
    blocks: Iterable[OwnerSums], keys: Sequence[Key], odd: Oddities, axis: Axis, origin: tuple[str, str]
) -> Iterator[Batches]:
    """The intervals of all series, one period after another, made of blocks in ascending order. No bin is in two
    blocks; the numbers of series are their places in ``keys``, which are sorted. ``origin`` is label and source.
    """
    maker = _Maker(keys, odd, axis, origin)
    turns, held = IdleSchedule(axis.width), list[OwnerSums]()
    scheduled, size = list[ScheduledIntervals](), 0
    for block in blocks:
        bins, series = np.divmod(block.owners, SERIES)
        taken, begin, most = 0, 0, _at_once(block)
        for part in turns.bins(bins, series, most):
            begin += int(np.count_nonzero(part.busy))
            scheduled.append(part)
            size += part.size
            if size >= most:
                yield maker.made([*held, block.between(taken, begin)], concatenated_schedules(scheduled))
                held, scheduled, size, taken = [], [], 0, begin
        held.append(block.between(taken, block.owners.size))
    scheduled.append(turns.rest())
    last = concatenated_schedules(scheduled)
    if last.size:
        yield maker.made(held, last)


def _at_once(block: OwnerSums) -> int:
    """How many intervals are handed over together: fewer where each has many buckets."""
    return max(min(MOST_INTERVALS, MOST_COUNTS * block.owners.size // max(block.buckets.size, 1)), 1)


class _Maker:
    """Puts intervals and their counts into arrays."""

    def __init__(self, keys: Sequence[Key], odd: Oddities, axis: Axis, origin: tuple[str, str]) -> None:
        self._keys, self._odd, self._axis = keys, odd, axis
        self._origin = origin
        self._seconds = np.array([unit.seconds for _, unit in keys])
        self._series: dict[int, BatchSeries] = {}
        self._names: set[str] = set()
        self._last_rough: dict[int, bool] = {}

    def made(self, blocks: list[OwnerSums], scheduled: ScheduledIntervals) -> Batches:
        """A batch of these intervals. ``blocks`` hold the sums of the busy ones, in the same order."""
        sums = concatenated(blocks)
        owners, starts, ends, busy, late = scheduled
        for owner in dict.fromkeys(owners.tolist()):
            if owner not in self._series:
                name, unit = self._keys[owner]
                self._series[owner] = BatchSeries(name, unit, new_name(name, unit, self._names), *self._origin)
        waited, sizes = np.zeros(starts.size), np.zeros(starts.size, np.int64)
        steps = self._odd.steps_of(sums.owners)
        waited[busy] = (sums.waited + steps / 2) * self._seconds[owners[busy]]
        sizes[busy] = sums.sizes
        doubtful = np.zeros(starts.size, np.bool_)
        doubtful[busy] = self._odd.doubtful_of(sums.owners)
        times = starts + self._axis.shift, ends + self._axis.shift
        return Batches(
            *(dict(self._series), BatchRanges(EVENT_RESOLUTION), self._axis.clock, owners, late, *times),
            seconds=(ends - starts) / 1e6,
            waited=waited,
            estimated=self._estimated(scheduled, steps),
            doubtful=doubtful,
            sizes=sizes,
            buckets=sums.buckets,
            counts=sums.counts,
        )

    def _estimated(self, scheduled: ScheduledIntervals, steps: Places) -> Flags:
        """Which intervals have an inexact time waited; an idle one is like the series' last interval with events."""
        found = np.zeros(scheduled.size, np.bool_)
        if self._last_rough or bool(steps.any()):
            rough = iter((steps > 0).tolist())
            columns = scheduled.series.tolist(), scheduled.busy.tolist(), scheduled.late.tolist()
            for place, (series, busy, late) in enumerate(zip(*columns, strict=True)):
                if busy:
                    self._last_rough[series] = next(rough)
                found[place] = not late and self._last_rough.get(series, False)
        return found


def _of_whole_bins(blocks: Iterable[OwnerSums]) -> Iterator[OwnerSums]:
    """The same sums, cut between bins: a block's last bin moves to the next block.

    Series are renumbered within a bin, so a bin must not be in two blocks.
    """
    held: OwnerSums | None = None
    for block in blocks:
        together = block if held is None else concatenated((held, block))
        cut = int(together.owners.searchsorted(together.owners[-1] // SERIES * SERIES))
        if cut:
            yield together.between(0, cut)
        held = together.between(cut, together.owners.size)
    if held is not None:
        yield held


_BITS = EVENT_RESOLUTION.bit_length()


class PackedBins:
    """The numbered bins of a file, ``width`` microseconds each, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: EventKind) -> None:
        self.width = width
        self._scan = scan
        self._numbers: dict[Key, int] = {}
        self._sums = SortedSums()
        self._singles: dict[int, BinCounts] = {}

    @property
    def totals(self) -> tuple[int, int]:
        """The number of events, and the sum of their latencies."""
        events, waited = self._sums.total
        events += sum(sum(cell.counts.values()) for cell in self._singles.values())
        return events, waited + sum(cell.waited for cell in self._singles.values())

    def add(self, sample: Sample, doubtful: bool = False) -> None:
        """Count one event.

        Raises NotScannable if its label or source differs from the scan's, if it has a date, or if a sum would be too
        large for the arrays.
        """
        same = (sample.label, sample.source) == (self._scan.label, self._scan.source)
        if not same or (sample.text and sample.clock is not Clock.EPOCH):
            raise NotScannable
        owner = sample.micros // self.width * SERIES + self._number((sample.series, sample.unit))
        cell = self._singles.setdefault(owner, BinCounts())
        cell.add(sample.latency, sample.step)
        cell.doubtful |= doubtful
        if cell.waited >= LARGEST:
            raise NotScannable

    def take_in(self, counted: ChunkCounts) -> None:
        """Add the counts of a chunk."""
        numbers = [self._number((name, self._scan.unit)) for name in counted.names]
        self._sums.add(counted.sums.renumbered(np.array(numbers, np.int64)))

    def absorb(self, other: PackedBins) -> None:
        """Add the counts of bins of the same width and clock; those are empty afterwards."""
        numbers = np.array([self._number(key) for key in other._numbers], np.int64)
        for block in other._sums.drain():
            self._sums.add_scattered(block.renumbered(numbers))
        for owner, cell in other._singles.items():
            mine = self._singles.setdefault(owner // SERIES * SERIES + int(numbers[owner % SERIES]), BinCounts())
            for bucket, count in cell.counts.items():
                mine.counts[bucket] = mine.counts.get(bucket, 0) + count
            mine.waited, mine.steps = mine.waited + cell.waited, mine.steps + cell.steps
            mine.doubtful |= cell.doubtful
        other._singles = {}

    def batches(self, shift: int) -> Iterator[Batches]:
        """All counts as batches; the bins are empty afterwards. ``shift``: see ``Axis``."""
        self._sums.add_scattered(sums_of_bins(self._singles))
        odd = OddOwners(
            {owner: cell.steps for owner, cell in self._singles.items() if cell.steps},
            [owner for owner, cell in self._singles.items() if cell.doubtful],
        )
        self._singles = {}
        keys = {number: key for key, number in self._numbers.items()}
        axis = Axis(self.width, shift, self._scan.clock in (Clock.EPOCH, Clock.DAY))
        return file_batches(self._sums.drain(), keys, odd, axis, self._scan)

    def _number(self, key: Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def count_chunk(found: ChunkEvents, divided: Divided, width: int) -> ChunkCounts:
    """The events of a chunk, added up in bins of ``width`` microseconds, without those whose times must be judged."""
    places: dict[str, int] = {}
    numbers = np.array([places.setdefault(name, len(places)) for name in found.names] or [0], np.int64)
    series, latencies, ends = (column[divided.others] for column in (found.series, found.latencies, found.ends))
    bins = ends // width
    first, step = int(bins.min()) if bins.size else 0, max(len(places), 1)
    sums = sum_events((bins - first) * step + numbers.take(series), buckets_of(latencies), latencies)
    sums = sums._replace(owners=(sums.owners // step + first) * SERIES + sums.owners % step)
    names, limits = list(places), (int(ends.min()), int(ends.max())) if ends.size else None
    windows = [_renamed(window, numbers.tolist()) for window in divided.windows]
    rest = windows, divided.beside, divided.went_back
    return ChunkCounts(names, sums, limits, found.lines, found.decoded, found.known, *rest)


def _renamed(window: EventRun, numbers: list[int]) -> EventRun:
    """The window with other numbers of series."""
    events = window.events
    return window._replace(events=[(line, numbers[series], latency, end) for line, series, latency, end in events])


def sums_of_bins(cells: dict[int, BinCounts]) -> OwnerSums:
    """The sums of single events, given by owner."""
    owners = sorted(cells)
    counted = [sorted(cells[owner].counts.items()) for owner in owners]
    return OwnerSums(
        np.array(owners, np.int64),
        np.array([cells[owner].waited for owner in owners], np.int64),
        np.array([len(counts) for counts in counted], np.int64),
        np.array([bucket for counts in counted for bucket, _ in counts], np.int16),
        np.array([count for counts in counted for _, count in counts], np.int64),
    )


_SHORT = 1 << 14
"""Buckets of latencies below this come from a table."""


def buckets_of(latencies: Places) -> Places:
    """The buckets of latencies below 2^53, the same as ``buckets.bucket_of`` returns."""
    buckets: Places = _OF_SHORT.take(latencies, mode="clip")
    longer = (latencies >= _SHORT).nonzero()[0]
    if longer.size:
        buckets[longer] = _computed(latencies[longer])
    return buckets


def _computed(latencies: Places) -> Places:
    exponents = (latencies.astype(np.float64).view(np.int64) >> 52) - 1022
    shifts = np.maximum(exponents - _BITS, 0)
    buckets: Places = shifts * EVENT_RESOLUTION + (latencies >> shifts)
    return buckets


_OF_SHORT = _computed(np.arange(_SHORT))
