"""Adds counts of the same time from all portions, a block of time after another, before the output is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, NamedTuple

from ...scan import SERIES
from ..event_counts import EventCounts, added
from .rows import BLOCKS, COUNTS, BlockRow, FoundRow, batches_of_rows, rows_of, small_parts

MOST_ROWS = 1 << 20
"""Counts that are in memory before they are added."""


class StreamPlace(NamedTuple):
    """Where the counts of a portion go: to which stream, moved by how many bins, and as which of its series; a negative
    place is of a series that is not wanted. Of intervals only the stream counts.
    """

    stream: int
    moved: int = 0
    places: tuple[int, ...] = ()


StreamPlaces = Mapping[tuple[int, int], StreamPlace]
"""By the number of the input, and the beginning of the split."""


def place_blocks(places: StreamPlaces, batches: Iterable[Any]) -> Iterator[Any]:
    """Blocks of portions as blocks of streams: for ``mapInArrow``. Those of portions without a place are left out."""
    rows = (FoundRow(*row) for row in rows_of(batches))
    yield from batches_of_rows((placed for row in rows for placed in _placed(row, places)), BLOCKS)


def _placed(row: FoundRow, places: StreamPlaces) -> Iterator[BlockRow]:
    place = places.get((row.input, row.begin))
    if place is None:
        return
    if row.kind != COUNTS:
        yield BlockRow(place.stream, row.number, row.data)
        return
    counts = EventCounts.from_bytes(row.data).numbered(place.places)
    counts = counts._replace(sums=counts.sums._replace(owners=counts.sums.owners + place.moved * SERIES))
    for number, block in counts.by_block():
        yield BlockRow(place.stream, number, block.to_bytes())


def add_blocks(intervals: frozenset[int], batches: Iterable[Any]) -> Iterator[Any]:
    """Add the blocks that come sorted by stream and number: for ``mapInArrow``. Streams of ``intervals`` have nothing
    to add.
    """
    rows = (BlockRow(*row) for row in rows_of(batches))
    yield from batches_of_rows(_added(rows, intervals), BLOCKS)


def _added(rows: Iterable[BlockRow], intervals: frozenset[int]) -> Iterator[BlockRow]:
    for (stream, number), group in groupby(rows, key=lambda row: row[:2]):
        rest = iter(group)
        first, second = next(rest), next(rest, None)
        if stream in intervals or second is None:
            yield first
            yield from (row for row in (second,) if row is not None)
            yield from rest
            continue
        for part in small_parts(_sum_of(row.data for row in chain((first, second), rest))):
            yield BlockRow(stream, number, part.to_bytes())


def _sum_of(blocks: Iterable[bytes]) -> EventCounts:
    parts: list[EventCounts] = []
    held = 0
    for data in blocks:
        parts.append(EventCounts.from_bytes(data))
        held += int(parts[-1].sums.buckets.size)
        if held > MOST_ROWS:
            parts, held = [added(parts)], 0
    return added(parts)
