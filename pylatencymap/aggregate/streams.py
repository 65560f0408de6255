"""Streams: portions that belong together, as intervals in the order of time, with the names that their series get.

Counts of single events of different files are added, if they are of one source and on one grid: an aggregation of files
is that of one file with all their events. Where no file was, there is a gap. Anything else is a stream by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..intervals import GAP_FACTOR
from ..scan import SERIES, Axis, OwnerSums, batches_of
from ..tables import CLOCK, ESTIMATED, GAP, IntervalColumns, TableSeries, columns_of_batches, joined, on_grid_of
from .archive import ArchivedInput
from .event_counts import BLOCK_BINS, EventCounts, added
from .portions import EVENTS, Portion, PortionBlock

MOST_ROWS = 1 << 20
"""Counts of a block of time that are in memory before they are added."""


class LatencyGrid(NamedTuple):
    """The latencies of what is written: ``resolution`` buckets per octave, None as they are. ``divides``: ranges that
    lie across buckets are divided among them.
    """

    resolution: int | None
    divides: bool


class GridKey(NamedTuple):
    """What counts of events must have in common to be added. ``qualifier``: the file or host that keeps them apart."""

    source: str
    width: int
    phase: int
    qualifier: str


@dataclass
class CountPortion:
    """A portion of counts, ``moved`` by so many bins to the common grid."""

    portion: Portion
    moved: int

    @property
    def span(self) -> tuple[int, int]:
        """From which bin to which there is anything."""
        first, last = self.portion.extents[-1]
        return first + self.moved, last + self.moved


class ReadInput(NamedTuple):
    """What came of one input: the result of its last step, and its portions."""

    about: ArchivedInput
    result: Mapping[str, Any]
    portions: Sequence[Portion]


class EventStream:
    """Counts that are added. ``qualifier`` is put behind the names of series that others have, too."""

    def __init__(self, key: GridKey, qualifier: str, clock: bool) -> None:
        self.key, self.qualifier, self.clock = key, qualifier, clock
        self.portions: list[CountPortion] = []

    def add(self, portion: Portion, shift: int) -> None:
        """One more portion, whose clock needs ``shift`` microseconds to get to the epoch."""
        if portion.extents:
            self.portions.append(CountPortion(portion, (shift - self.key.phase) // self.key.width))

    def hold(self, portion: Portion) -> None:
        """Take counts on the common grid that were added elsewhere; when there is anything, the portions say of which
        they are.
        """
        self.portions.append(CountPortion(portion, 0))

    def extents(self) -> dict[TableSeries, tuple[int, int]]:
        """From when to when there is anything of each series, in microseconds."""
        found: dict[TableSeries, tuple[int, int]] = {}
        for one in self.portions:
            for number, span in one.portion.extents.items():
                if number >= 0:
                    series = one.portion.series[number]
                    first, last = (self._micros(place + one.moved) for place in span)
                    known = found.get(series, (first, last))
                    found[series] = min(known[0], first), max(known[1], last)
        return found

    def chunks(self, names: dict[TableSeries, str], grid: LatencyGrid) -> Iterator[IntervalColumns]:
        """The intervals of the series that have names, in the order of time, on a grid."""
        series = sorted(names, key=lambda one: one.words)
        if not series:
            return
        renamed = tuple(one._replace(name=names[one]) for one in series)
        blocks = _Counts(counts.coarser(grid.resolution) for counts in self._blocks(series))
        ends = np.full(len(series), -1)
        axis, keys = Axis(self.key.width, self.key.phase, self.clock), [(one.name, one.unit) for one in series]
        for first, last in self._covered():
            odd = OddBlocks()
            seen = np.zeros(len(series), np.bool_)
            for batches in batches_of(odd.noted(blocks.between(first, last)), keys, odd, axis, ("", "")):
                numbers = np.array(sorted(batches.series), np.int64)
                columns = columns_of_batches(batches, grid.resolution)
                columns = columns._replace(series=renamed, owners=numbers[columns.owners])
                yield _with_gaps(columns, ends, seen)

    def _micros(self, bin_: int) -> int:
        return bin_ * self.key.width + self.key.phase

    def _covered(self) -> Iterator[tuple[int, int]]:
        """The bins that are covered by files, as spans that are further apart than a silence within a file may be."""
        spans = sorted(one.span for one in self.portions if one.portion.extents)
        first, last = spans[0]
        for begin, end in spans[1:]:
            if begin - last > GAP_FACTOR:
                yield first, last
                first = begin
            last = max(last, end)
        yield first, last

    def _blocks(self, series: Sequence[TableSeries]) -> Iterator[EventCounts]:
        """The counts of all portions, a block of time after another, by the places of the series."""
        places = {one: place for place, one in enumerate(series)}
        due: dict[int, list[tuple[CountPortion, list[int], PortionBlock]]] = {}
        for one in self.portions:
            numbers = [places.get(of_portion, -1) for of_portion in one.portion.series]
            for block in one.portion.blocks:
                begin = block.number * BLOCK_BINS + one.moved
                for number in range(begin // BLOCK_BINS, (begin + BLOCK_BINS - 1) // BLOCK_BINS + 1):
                    due.setdefault(number, []).append((one, numbers, block))
        for number in sorted(due):
            yield _added_of(number, due.pop(number))


def _added_of(number: int, due: Iterable[tuple[CountPortion, list[int], PortionBlock]]) -> EventCounts:
    """The counts of one block of time of all portions that have any."""
    parts: list[EventCounts] = []
    rows = 0
    for one, numbers, block in due:
        counts = one.portion.counts(block).numbered(numbers)
        if one.moved:
            moved = counts._replace(sums=counts.sums._replace(owners=counts.sums.owners + one.moved * SERIES))
            counts = next((part for at, part in moved.by_block() if at == number), moved.between(0, 0))
        parts.append(counts)
        rows += int(counts.sums.buckets.size)
        if rows > MOST_ROWS:
            parts = [added(parts)]
            rows = 0
    return added(parts)


class _Counts:
    """Counts in ascending order, of which spans of bins are taken one after the other."""

    def __init__(self, blocks: Iterator[EventCounts]) -> None:
        self._blocks = blocks
        self._rest: EventCounts | None = None

    def between(self, first: int, last: int) -> Iterator[EventCounts]:
        """The counts of the bins from ``first`` to ``last - 1``."""
        while True:
            block = self._rest if self._rest is not None else next(self._blocks, None)
            self._rest = None
            if block is None:
                return
            begin, end = block.sums.owners.searchsorted([first * SERIES, last * SERIES]).tolist()
            if end > begin:
                yield block.between(begin, end)
            if end < block.sums.owners.size:
                self._rest = block.between(end, block.sums.owners.size)
                return


class OddBlocks:
    """Which owners of the last blocks are not as others; see ``Oddities``. Owners that were asked for are forgotten."""

    def __init__(self) -> None:
        self._owners: list[NDArray[np.int64]] = []
        self._steps: list[NDArray[np.int64]] = []
        self._doubtful: list[NDArray[np.bool_]] = []

    def noted(self, blocks: Iterable[EventCounts]) -> Iterator[OwnerSums]:
        """The sums of the blocks, each noted before."""
        for block in blocks:
            self._owners.append(block.sums.owners)
            self._steps.append(block.steps)
            self._doubtful.append(block.doubtful)
            yield block.sums

    def steps_of(self, owners: NDArray[np.int64]) -> NDArray[np.int64]:
        """The steps of each of some owners, which ascend."""
        self._join()
        return self._steps[0][self._owners[0].searchsorted(owners)]

    def doubtful_of(self, owners: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some owners are doubtful; it is asked last, and later only about later ones."""
        self._join()
        places = self._owners[0].searchsorted(owners)
        found = self._doubtful[0][places]
        after = int(places[-1]) + 1 if places.size else 0
        for arrays in (self._owners, self._steps, self._doubtful):
            arrays[0] = arrays[0][after:]  # type: ignore[assignment]
        return found

    def _join(self) -> None:
        if len(self._owners) != 1:
            self._owners = [np.concatenate([np.zeros(0, np.int64), *self._owners])]
            self._steps = [np.concatenate([np.zeros(0, np.int64), *self._steps])]
            self._doubtful = [np.concatenate([np.zeros(0, np.bool_), *self._doubtful])]


def _with_gaps(columns: IntervalColumns, ends: NDArray[np.int64], seen: NDArray[np.bool_]) -> IntervalColumns:
    """The intervals, after a gap for each series that has its first one since no file covered the time before.

    ``ends`` are the ends of the last interval of each series, -1 before the first, and ``seen`` whether it has had one
    since; both are brought up to date.
    """
    owners, firsts = np.unique(columns.owners, return_index=True)
    late = ~seen[owners] & (ends[owners] >= 0) & (ends[owners] < columns.starts[firsts])
    parts = [columns]
    if late.any():
        parts.insert(0, gaps_before(columns, owners[late], firsts[late], ends[owners[late]]))
    seen[owners] = True
    np.maximum.at(ends, columns.owners, columns.ends)
    return joined(parts)


def gaps_before(
    columns: IntervalColumns, owners: NDArray[np.int64], firsts: NDArray[np.int64], begins: NDArray[np.int64]
) -> IntervalColumns:
    """A gap of each of these series, from a moment to its interval at a place."""
    until = columns.starts[firsts]
    nothing = np.zeros(0)
    return IntervalColumns(
        columns.series,
        owners,
        begins,
        until,
        (until - begins) / 1e6,
        np.full(owners.size, np.nan),
        (columns.flags[firsts] & (CLOCK | ESTIMATED) | GAP).astype(np.uint8),
        np.zeros(owners.size, np.int64),
        nothing,
        nothing,
        nothing,
        {},
    )


@dataclass
class IntervalStream:
    """The intervals of one input, as they were found."""

    portion: Portion
    qualifier: str

    def extents(self) -> dict[TableSeries, tuple[int, int]]:
        """From when to when there is anything of each series, in microseconds."""
        return {self.portion.series[number]: span for number, span in self.portion.extents.items() if number >= 0}

    def chunks(self, names: dict[TableSeries, str], grid: LatencyGrid) -> Iterator[IntervalColumns]:
        """The intervals of the series that have names, in their order, on a grid."""
        for columns in self.portion.intervals():
            kept = np.array([one in names for one in columns.series])
            if not kept.all():
                columns = columns.rows(np.flatnonzero(kept[columns.owners]))
            if columns.owners.size:
                on_grid = on_grid_of(columns, grid.resolution, divides=grid.divides)
                yield on_grid.renamed([names.get(one, one.name) for one in columns.series])


def streams_of(
    inputs: Sequence[ReadInput], shorts: Sequence[str], by: Sequence[str]
) -> list[EventStream | IntervalStream]:
    """What inputs yielded, as streams. ``shorts`` are the short names of the inputs, and ``by`` words of BY."""
    added: dict[tuple[GridKey, bool], EventStream] = {}
    found: list[EventStream | IntervalStream] = []
    for (_, result, portions), short in zip(inputs, shorts, strict=True):
        words = {"file": short, "host": result.get("host", "")}
        apart = ", ".join(words[word] for word in ("file", "host") if word in by and words[word])
        for portion in portions:
            if portion.kind != EVENTS:
                found.append(IntervalStream(portion, apart or short))
            elif portion.series:
                key = _grid_of(portion, result, apart or ("" if result["clock"] else short))
                stream = added.get((key, result["clock"]))
                if stream is None:
                    stream = EventStream(key, key.qualifier or key.source, result["clock"])
                    added[key, result["clock"]] = stream
                    found.append(stream)
                stream.add(portion, result["shift"])
    return found


def _grid_of(portion: Portion, result: Mapping[str, Any], qualifier: str) -> GridKey:
    width = result["width"]
    return GridKey(portion.series[0].source, width, result["shift"] % width, qualifier)
