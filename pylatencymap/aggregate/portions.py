"""Portions: what was found in a part of a file, as a file in the work folder that is complete or not there.

A portion has counts of single events, in blocks of time, or intervals, in their order. Its index comes last and says
where each block is; the blocks are added or merged later, from all portions at once, a block of time after another.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ..intervals import BinCounts
from ..record import Sample
from ..scan import SERIES, ChunkCounts, PackedBins, Scan, sums_of_bins
from ..tables import IntervalColumns, TableSeries, series_of
from .event_counts import EventCounts, added, exact

MOST_HELD = 1 << 20
"""Counts in memory, about, before they are written."""
MOST_SINGLES = 1 << 14
"""Bins of events of the line decoder in memory."""
_LENGTH = 8
EVENTS, INTERVALS = "events", "intervals"


class PortionBlock(NamedTuple):
    """Where a block is in a portion: its number, or place, and its bytes."""

    number: int
    offset: int
    length: int


class PortionWriter:
    """Writes one portion. Nothing is at its place before ``finish``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
        self._file: BinaryIO = open(self._temporary, "wb")  # noqa: SIM115 - it is closed by finish or drop
        self._blocks: list[PortionBlock] = []
        self._offset = 0
        self._series: dict[TableSeries, int] = {}
        self._extents: dict[int, list[int]] = {}
        self._kind = EVENTS

    def number_of(self, one: TableSeries) -> int:
        """The number of a series in this portion."""
        return self._series.setdefault(one, len(self._series))

    def add_counts(self, counts: EventCounts) -> None:
        """Counts of events, by the numbers of series."""
        for number, block in counts.by_block():
            self._write(number, block.to_bytes())
        owners = counts.sums.owners
        if owners.size:
            bins = owners // SERIES
            self._extend(-1, int(bins[0]), int(bins[-1]) + 1)
            for series in set((owners % SERIES).tolist()):
                mine = bins[owners % SERIES == series]
                self._extend(series, int(mine[0]), int(mine[-1]) + 1)

    def add_intervals(self, columns: IntervalColumns) -> None:
        """Intervals, which follow those that were added before."""
        self._kind = INTERVALS
        numbers = [self.number_of(one) for one in columns.series]
        for place, series in enumerate(numbers):
            mine = columns.owners == place
            if mine.any():
                self._extend(series, int(columns.starts[mine].min()), int(columns.ends[mine].max()))
        self._write(len(self._blocks), columns.to_bytes())

    def finish(self, about: Mapping[str, Any]) -> None:
        """Write the index, with what else there is to know, and put the portion at its place."""
        index = {
            "kind": self._kind,
            "series": [one.words for one in self._series],
            "extents": list(self._extents.items()),
            "blocks": self._blocks,
            "about": about,
        }
        text = json.dumps(index).encode()
        self._file.write(text)
        self._file.write(len(text).to_bytes(_LENGTH, "little"))
        self._file.close()
        os.replace(self._temporary, self._path)

    def begun_again(self) -> PortionWriter:
        """Give up what was written so far, and begin the same portion anew."""
        self.drop()
        return PortionWriter(self._path)

    def drop(self) -> None:
        """Give up what is not finished."""
        self._file.close()
        self._temporary.unlink(missing_ok=True)

    def _extend(self, series: int, first: int, last: int) -> None:
        known = self._extents.setdefault(series, [first, last])
        known[:] = min(known[0], first), max(known[1], last)

    def _write(self, number: int, data: bytes) -> None:
        self._file.write(data)
        self._blocks.append(PortionBlock(number, self._offset, len(data)))
        self._offset += len(data)


def nowhere(block: PortionBlock) -> bytes:
    """Reads the blocks of a portion of which only the index is here."""
    raise ValueError(f"block {block.number} is not here")


class Portion:
    """A portion that was written, by its index; ``read`` returns the bytes of a block. ``extents``: from when to when
    each series has anything, in bins or microseconds; -1 stands for all of them.
    """

    def __init__(self, index: Mapping[str, Any], read: Callable[[PortionBlock], bytes] = nowhere) -> None:
        self.read = read
        self.kind: str = index["kind"]
        self.series = [*map(series_of, index["series"])]
        self.extents: dict[int, tuple[int, int]] = {series: (first, last) for series, (first, last) in index["extents"]}
        self.blocks = [PortionBlock(*block) for block in index["blocks"]]
        self.about: dict[str, Any] = index["about"]

    @classmethod
    def at(cls, path: Path) -> Portion:
        """The portion in a file, which is open only while something is read. Raises OSError, and ValueError if it is
        damaged.
        """
        return cls(index_of(path), partial(_bytes_at, path))

    def counts(self, block: PortionBlock) -> EventCounts:
        """The counts of a block."""
        return EventCounts.from_bytes(self.read(block))

    def intervals(self) -> Iterator[IntervalColumns]:
        """All intervals, a block after another."""
        for block in self.blocks:
            yield IntervalColumns.from_bytes(self.read(block))


def index_of(path: Path) -> dict[str, Any]:
    """The index of the portion in a file. Raises OSError, and ValueError if it is damaged."""
    with open(path, "rb") as file:
        file.seek(-_LENGTH, os.SEEK_END)
        end = file.tell()
        length = int.from_bytes(file.read(_LENGTH), "little")
        file.seek(end - length)
        index: dict[str, Any] = json.loads(file.read(length))
    return index


def _bytes_at(path: Path, block: PortionBlock) -> bytes:
    with open(path, "rb") as file:
        file.seek(block.offset)
        return file.read(block.length)


class PortionBins(PackedBins):
    """The bins of a scan that go to a portion as soon as they take much memory."""

    def __init__(self, width: int, scan: Scan, portion: PortionWriter) -> None:
        super().__init__(width, scan)
        self._portion = portion
        self._held = 0

    def take_in(self, counted: ChunkCounts) -> None:
        super().take_in(counted)
        self._held += counted.sums.buckets.size
        if self._held > MOST_HELD:
            self.flush()

    def add(self, sample: Sample, doubtful: bool = False) -> None:
        super().add(sample, doubtful)
        if len(self._singles) > MOST_SINGLES:
            self.flush()

    def flush(self) -> None:
        """Write what is in memory."""
        found = added([*map(exact, self._sums.drain()), counts_of_bins(self._singles)])
        self._singles, self._held = {}, 0
        series = (TableSeries(name, unit, self._scan.label, self._scan.source) for name, unit in self._numbers)
        self._portion.add_counts(found.numbered([self._portion.number_of(one) for one in series]))


def counts_of_bins(bins: dict[int, BinCounts]) -> EventCounts:
    """The counts of bins that were filled event by event, by owner."""
    odd = [bins[owner] for owner in sorted(bins)]
    steps, doubtful = np.array([one.steps for one in odd], np.int64), np.array([one.doubtful for one in odd], np.bool_)
    return EventCounts(sums_of_bins(bins), steps, doubtful)
