"""Merges streams by time, all intervals sorted by their end, and by name where they end together; and writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import Exit
from ..record import Mark
from ..tables import IntervalColumns, TableSeries, joined
from .outputs import Output
from .streams import EventStream, IntervalStream, LatencyGrid


class MergedStream(NamedTuple):
    """A stream to merge: when it begins, epoch microseconds, and what makes its chunks."""

    begin: int
    chunks: Callable[[], Iterator[IntervalColumns]]


class _Open:
    """A stream that has begun, and those of its intervals that wait for others that end before."""

    def __init__(self, chunks: Iterator[IntervalColumns]) -> None:
        self._chunks = chunks
        self.waiting: IntervalColumns | None = None
        self.is_over = False
        self.more()

    @property
    def reach(self) -> int:
        """No later interval of the stream ends before this moment."""
        return int(self.waiting.ends.max()) if self.waiting is not None and self.waiting.ends.size else 0

    def more(self) -> None:
        """Read the next chunk."""
        new = next(self._chunks, None)
        if new is None:
            self.is_over = True
        else:
            self.waiting = new if self.waiting is None else joined([self.waiting, new])

    def take(self, until: int | None) -> IntervalColumns | None:
        """The intervals that end before a moment; None: all of them."""
        if self.waiting is None:
            return None
        due = np.ones(self.waiting.ends.size, np.bool_) if until is None else self.waiting.ends < until
        found = self.waiting.rows(np.flatnonzero(due)) if due.any() else None
        self.waiting = None if due.all() else self.waiting.rows(np.flatnonzero(~due))
        return found


def merged(streams: Sequence[MergedStream]) -> Iterator[IntervalColumns]:
    """The intervals of all streams, sorted by their end. A stream is opened when its time has come."""
    later = sorted(streams, key=lambda one: one.begin, reverse=True)
    open_ones: list[_Open] = []
    while later or open_ones:
        if later and (not open_ones or later[-1].begin <= min(one.reach for one in open_ones)):
            open_ones.append(_Open(later.pop().chunks()))
            continue
        going_on = [one for one in open_ones if not one.is_over]
        limits = [one.reach for one in going_on] + [one.begin for one in later[-1:]]
        until = min(limits, default=None)
        parts = [part for one in open_ones if (part := one.take(until)) is not None]
        if parts:
            yield _sorted(joined(parts))
        for one in going_on:
            if one.reach == until or one.waiting is None:
                one.more()
        open_ones = [one for one in open_ones if not one.is_over or one.waiting is not None]


def _sorted(columns: IntervalColumns) -> IntervalColumns:
    names = [one.words for one in columns.series]
    ranks = np.zeros(max(len(names), 1), np.int64)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    order = np.lexsort((columns.starts, ranks[columns.owners], columns.ends))
    return columns.rows(order)


@dataclass
class AggregateSummary:
    """What came of it. ``bad`` are the damaged records of each file that has any, ``failed`` why inputs were left out,
    ``without_key`` what is to be said of files without the key that divides events, ``known_before`` how many inputs
    an earlier run had read.
    """

    inputs: int = 0
    known_before: int = 0
    size: int = 0
    series: int = 0
    intervals: int = 0
    events: float = 0
    waited: float = 0.0
    bad: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    without_key: dict[str, str] = field(default_factory=dict)
    status: int = Exit.OK


class ToWrite(NamedTuple):
    """What is to be written: streams, the names of their series, and what the output says of itself."""

    streams: Sequence[EventStream | IntervalStream]
    names: Sequence[dict[TableSeries, str]]
    about: Mapping[str, Any]
    marks: Sequence[Mark]
    resolution: int | None

    def write(
        self, output: Output, folder: Path, summary: AggregateSummary, show: Callable[[str], object] = lambda _: None
    ) -> None:
        """Write all to an output, which works in this folder and is finished later; adds up what was written."""
        output.begin(folder, self.about, self.marks)
        for found in merged(list(self._merged_streams(LatencyGrid(self.resolution, output.divides)))):
            output.write(found)
            summary.intervals += int(found.owners.size)
            summary.events += float(found.counts.sum())
            summary.waited += float(np.nansum(found.waited))
            show(f"writing {output.target}: {summary.intervals:,} intervals")

    def _merged_streams(self, grid: LatencyGrid) -> Iterator[MergedStream]:
        for stream, named in zip(self.streams, self.names, strict=True):
            if named:
                begin = min(span[0] for one, span in stream.extents().items() if one in named)
                yield MergedStream(begin, partial(stream.chunks, named, grid))
