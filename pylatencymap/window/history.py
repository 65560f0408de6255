"""All that is kept of one series: exact counts per native range, over time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_of, bucket_of
from ..interval import Interval
from ..record import Bound
from .block import COLUMN, ESTIMATED, GAP, RESET, UNCLOCKED, Block, fused, halved, widened
from .stats import Summary, summarise

BLOCK_COLUMNS = 1024
FIRST_COLUMNS = 64
MAX_ROWS = 4096
"""Distinct ranges kept apart; what comes after them is counted in whole octaves."""

RangeKey = tuple[Bound, Bound | None]


class History:
    """Columns of one series, only rows in use, in blocks; the oldest can be merged two by two to save memory."""

    def __init__(self, first: Interval) -> None:
        self.name = first.series
        self.unit = first.unit
        self.label = first.label
        self.source = first.source
        self.events = 0.0
        self.waited = 0.0
        self.ranges: list[RangeKey] = []
        self._row: dict[RangeKey, int] = {}
        self._blocks: list[Block] = []
        self._open = self._new_block()
        self._filled = 0
        self._closed_bytes = 0

    def __len__(self) -> int:
        return sum(len(block.columns) for block in self._blocks) + self._filled

    @property
    def nbytes(self) -> int:
        return self._closed_bytes + self._open.nbytes

    def add(self, interval: Interval) -> None:
        """Append a column; an interval with the end of the last one adds its counts there.

        Raises ValueError for another unit: its bounds would be taken for those of this one.
        """
        if interval.unit is not self.unit:
            raise ValueError(f"series {self.name!r} is in {self.unit.value}, not in {interval.unit.value}")
        self.label, self.source = interval.label, interval.source
        self.events += float(interval.events)
        self.waited += interval.waited or 0.0
        column = self._column(interval)
        self._count(interval, column)

    def _column(self, interval: Interval) -> int:
        columns, last = self._open.columns, self._filled - 1
        if self._filled and columns["end"][last] == interval.end and not interval.gap:
            columns["waited"][last] += interval.waited or 0.0
            columns["flags"][last] |= _flags(interval)
            return last
        if self._filled == len(self._open.columns):
            self._make_room()
        seconds = 0.0 if interval.gap else interval.seconds
        self._open.columns[self._filled] = (
            interval.start,
            interval.end,
            seconds,
            interval.waited or 0.0,
            _flags(interval),
        )
        self._filled += 1
        return self._filled - 1

    def _count(self, interval: Interval, column: int) -> None:
        for lower, upper, count in interval.ranges:
            row = self._row_of((lower, upper))
            block = self._open
            if row >= block.counts.shape[1]:
                block.counts = widened(block.counts, row + 1 + row // 8)  # room, so that new rows rarely copy all
            total = block.counts[column, row].item() + count
            if block.counts.dtype == np.uint32 and (total >= 2**32 or total != int(total)):
                block.counts = block.counts.astype(np.float64)
            block.counts[column, row] = total

    def _row_of(self, key: RangeKey) -> int:
        row = self._row.get(key)
        if row is None:
            if len(self.ranges) >= MAX_ROWS:
                key = bounds_of(bucket_of(int(key[0])))
            row = self._row.setdefault(key, len(self.ranges))
            if row == len(self.ranges):
                self.ranges.append(key)
        return row

    def _new_block(self) -> Block:
        return Block(np.zeros(FIRST_COLUMNS, COLUMN), np.zeros((FIRST_COLUMNS, len(self.ranges)), np.uint32))

    def _make_room(self) -> None:
        """Double the open block, so that a series seen once stays small; begin the next one when it is full."""
        if self._filled == BLOCK_COLUMNS:
            self._close(BLOCK_COLUMNS)
            self._open, self._filled = self._new_block(), 0
            return
        block, more = self._open, (0, self._filled)
        self._open = Block(np.pad(block.columns, more), np.pad(block.counts, (more, (0, 0))))

    def merge_oldest(self) -> bool:
        """Halve the time resolution of a part, preferably old; False if nothing is left to do.

        That part is the two oldest blocks of the commonest level, while there are two of a level; then the oldest two.
        """
        if len(self._blocks) < 2:
            return self._merge_last()
        levels = Counter(block.level for block in self._blocks)
        level, blocks = max(levels.items(), key=lambda item: item[1])
        first = next(n for n, block in enumerate(self._blocks) if block.level == level) if blocks > 1 else 0
        self._replace(first, 2, fused(*self._blocks[first : first + 2]))
        return True

    def _merge_last(self) -> bool:
        """With one closed block or none: close the open one early, else halve what is closed."""
        if self._filled > FIRST_COLUMNS:
            self._close_early()
            return True
        if not self._blocks or len(self._blocks[0].columns) <= FIRST_COLUMNS:
            return False
        self._replace(0, 1, halved(self._blocks[0]))
        return True

    def _close_early(self) -> None:
        """Begin a new block with the last column, to which counts may still be added."""
        full, last = self._open, self._filled - 1
        self._close(last)
        self._open, self._filled = self._new_block(), 1
        self._open.columns[0] = full.columns[last]
        self._open.counts = np.zeros((FIRST_COLUMNS, full.counts.shape[1]), full.counts.dtype)
        self._open.counts[0] = full.counts[last]

    def _close(self, columns: int) -> None:
        """Keep the first columns of the open block, without its free room."""
        block = Block(self._open.columns[:columns].copy(), self._open.counts[:columns, : len(self.ranges)].copy())
        self._replace(len(self._blocks), 0, block)

    def _replace(self, first: int, count: int, block: Block) -> None:
        """Put a block in the place of so many."""
        self._closed_bytes += block.nbytes - sum(old.nbytes for old in self._blocks[first : first + count])
        self._blocks[first : first + count] = [block]

    def tail(self, count: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The last ``count`` columns: COLUMN [n] and counts [n, rows], uint32 or float64."""
        blocks = [self._filled_part()]
        missing = count - self._filled
        for block in reversed(self._blocks):
            if missing <= 0:
                break
            blocks.append(block)
            missing -= len(block.columns)
        blocks.reverse()
        columns = np.concatenate([block.columns for block in blocks])[-count:]
        rows = len(self.ranges)
        counts = np.concatenate([widened(block.counts, rows)[:, :rows] for block in blocks])[-count:]
        return columns, counts

    def total(self) -> Summary:
        """Statistics of all that is kept."""
        blocks = [*self._blocks, self._filled_part()]
        counts = np.zeros(len(self.ranges))
        for block in blocks:
            sums = block.counts.sum(axis=0, dtype=np.float64)[: len(counts)]
            counts[: len(sums)] += sums
        return summarise(
            self.ranges,
            counts,
            self.unit,
            span=float(sum(block.columns["seconds"].sum() for block in blocks)),
            waited=self.waited,
            estimated=any(bool((block.columns["flags"] & ESTIMATED).any()) for block in blocks),
        )

    def _filled_part(self) -> Block:
        return Block(self._open.columns[: self._filled], self._open.counts[: self._filled])

    def columns_after(self, moment: int) -> int:
        """How many columns end after a moment (epoch microseconds)."""
        count = int((self._open.columns["end"][: self._filled] > moment).sum())
        for block in reversed(self._blocks):
            later = int((block.columns["end"] > moment).sum())
            if later == 0:
                break
            count += later
        return count

    @property
    def end(self) -> int:
        """Epoch microseconds at which the newest column ends."""
        last = self._open if self._filled else self._blocks[-1]
        return int(last.columns["end"][(self._filled or len(last.columns)) - 1])


def _flags(interval: Interval) -> int:
    gap = GAP if interval.gap else 0
    reset = RESET if interval.reset else 0
    return gap | reset | (ESTIMATED if interval.estimated else 0) | (0 if interval.clock else UNCLOCKED)
