"""Counts of events per bin, series and bucket, in arrays that grow with the bins and not with the events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from ..intervals import EVENT_RESOLUTION, Batches, BatchSeries, BinCounts, IdleOrBusy, IdleSchedule, new_name
from ..record import Clock, Sample
from ..units import Unit
from .byte_words import Flags, Places
from .contract import ChunkCounts, ChunkEvents, Scan
from .reader import NotScannable
from .sums import LARGEST, SERIES, OwnerSums, SortedSums, concatenated, sum_events

# All sums of a file as intervals in arrays: the one form in which a scan hands over what it has counted.


MOST_INTERVALS = 1 << 13
"""After so many, those of all series are handed over."""
_EXACT = np.zeros(1, np.int64)
"""No steps: what is scanned has none."""


class Axis(NamedTuple):
    """Bins of ``width`` microseconds, and what has to be added to get to epochs; ``clock``: these are real times."""

    width: int
    shift: int = 0
    clock: bool = True


Key: TypeAlias = tuple[str, Unit]
"""A series: units never mix."""


def file_batches(
    blocks: Iterable[OwnerSums], keys: Mapping[int, Key], steps: Mapping[int, int], axis: Axis, scan: Scan
) -> Iterator[Batches]:
    """The intervals of one part of the time after the other, of ascending blocks in which series have these numbers.
    ``steps``: see ``BinCounts``, of owners that have any.
    """
    numbers = sorted(keys, key=lambda number: (keys[number][0], keys[number][1].value))
    ranks = np.zeros(len(numbers), np.int64)
    ranks[numbers] = np.arange(len(numbers))
    rough = {owner // SERIES * SERIES + int(ranks[owner % SERIES]): step for owner, step in steps.items()}
    maker = _Maker([keys[number] for number in numbers], rough, axis, scan)
    turns, held, told = IdleSchedule(axis.width), list[OwnerSums](), list[IdleOrBusy]()
    for block in (whole.renumbered(ranks) for whole in _of_whole_bins(blocks)):
        bins, series = np.divmod(block.owners, SERIES)
        cuts = np.flatnonzero(np.diff(bins, prepend=-1, append=-1)).tolist()
        places, busy, taken = bins.tolist(), series.tolist(), 0
        for begin, end in pairwise(cuts):
            told.extend(turns.bin(places[begin], busy[begin:end]))
            if len(told) >= MOST_INTERVALS:
                yield maker.made([*held, block.between(taken, end)], told)
                held, told, taken = [], [], end
        held.append(block.between(taken, block.owners.size))
    told.extend(turns.rest())
    if told:
        yield maker.made(held, told)


class _Maker:
    """Puts intervals, and what was counted in those with events, into arrays. ``rough``: the steps of some owners."""

    def __init__(self, keys: list[Key], rough: dict[int, int], axis: Axis, scan: Scan) -> None:
        self._keys, self._rough, self._axis = keys, rough, axis
        self._same = scan.label, scan.source, EVENT_RESOLUTION, axis.clock
        self._seconds = np.array([unit.seconds for _, unit in keys])
        self._series: dict[int, BatchSeries] = {}
        self._names: set[str] = set()
        self._last_rough: dict[int, bool] = {}

    def made(self, blocks: list[OwnerSums], told: list[IdleOrBusy]) -> Batches:
        """Owners with events come in their order."""
        sums = concatenated(blocks)
        owners, starts, ends, busy, late = (np.array(column) for column in zip(*told, strict=True))
        for owner in dict.fromkeys(owners.tolist()):
            if owner not in self._series:
                name, unit = self._keys[owner]
                self._series[owner] = BatchSeries(name, unit, new_name(name, unit, self._names))
        waited, sizes = np.zeros(starts.size), np.zeros(starts.size, np.int64)
        steps = np.array([self._rough.get(owner, 0) for owner in sums.owners.tolist()]) if self._rough else _EXACT
        waited[busy] = (sums.waited + steps / 2) * self._seconds[owners[busy]]
        sizes[busy] = sums.sizes
        times = starts + self._axis.shift, ends + self._axis.shift, waited, self._estimated(told, steps)
        return Batches(dict(self._series), *self._same, owners, late, *times, sizes, sums.buckets, sums.counts)

    def _estimated(self, told: list[IdleOrBusy], steps: Places) -> Flags:
        """Whose time waited is not exact; of an idle one it is as that of the last one with events was."""
        found = np.zeros(len(told), np.bool_)
        if self._rough:
            busy = iter(steps.tolist())
            for place, one in enumerate(told):
                if one.busy:
                    self._last_rough[one.series] = next(busy) > 0
                found[place] = not one.late and self._last_rough[one.series]
        return found


def _of_whole_bins(blocks: Iterable[OwnerSums]) -> Iterator[OwnerSums]:
    """The same, with what is in the last bin of a block in the next one: series are renumbered within a bin."""
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
    """Bins of ``width`` microseconds by their numbers, of a file, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: Scan) -> None:
        self.width = width
        self._scan = scan
        self._numbers: dict[Key, int] = {}
        self._sums = SortedSums()
        self._singles: dict[int, BinCounts] = {}

    @property
    def totals(self) -> tuple[int, int]:
        """Events, and the sum of their latencies."""
        events, waited = self._sums.total
        events += sum(sum(cell.counts.values()) for cell in self._singles.values())
        return events, waited + sum(cell.waited for cell in self._singles.values())

    def add(self, sample: Sample) -> None:
        """Count one event. Raises Unfit where it has another label than those that are scanned, or a date, or is beyond
        what arrays hold.
        """
        same = (sample.label, sample.source) == (self._scan.label, self._scan.source)
        if not same or (sample.text and sample.clock is not Clock.EPOCH):
            raise NotScannable
        owner = sample.micros // self.width * SERIES + self._number((sample.series, sample.unit))
        cell = self._singles.setdefault(owner, BinCounts())
        cell.add(sample.latency, sample.step)
        if cell.waited >= LARGEST:
            raise NotScannable

    def take_in(self, counted: ChunkCounts) -> None:
        """Add what was counted of a piece."""
        numbers = [self._number((name, self._scan.unit)) for name in counted.names]
        self._sums.add(counted.sums.renumbered(np.array(numbers, np.int64)))

    def batches(self, shift: int) -> Iterator[Batches]:
        """All that was counted, which is not kept. ``shift``: see ``Axis``."""
        self._sums.add_scattered(_sums_of(self._singles))
        steps = {owner: cell.steps for owner, cell in self._singles.items() if cell.steps}
        self._singles = {}
        keys = {number: key for key, number in self._numbers.items()}
        axis = Axis(self.width, shift, self._scan.clock in (Clock.EPOCH, Clock.DAY))
        return file_batches(self._sums.taken(), keys, steps, axis, self._scan)

    def _number(self, key: Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def count_chunk(found: ChunkEvents, width: int) -> ChunkCounts:
    """What was found in a piece, in bins of so many microseconds."""
    places: dict[str, int] = {}
    numbers = np.array([places.setdefault(name, len(places)) for name in found.names] or [0], np.int64)
    bins = found.ends // width
    first, step = int(bins.min()) if bins.size else 0, max(len(places), 1)
    sums = sum_events((bins - first) * step + numbers.take(found.series), buckets_of(found.latencies), found.latencies)
    sums = sums._replace(owners=(sums.owners // step + first) * SERIES + sums.owners % step)
    ends = (int(found.ends.min()), int(found.ends.max())) if found.ends.size else None
    return ChunkCounts(list(places), sums, ends, found.lines, found.decoded, found.known)


def _sums_of(cells: dict[int, BinCounts]) -> OwnerSums:
    """The cells of owners."""
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
"""Latencies below it are looked up."""


def buckets_of(latencies: Places) -> Places:
    """The buckets of latencies below 2^53, as ``buckets.bucket_of`` gives them."""
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
