"""The columns of one series in blocks: added at one end, merged at the other, read anywhere.

How ``merge_oldest`` saves memory:
1. New columns go to the open block. Full, with 1,024 columns, it is closed: level 0, one interval per column.
2. Each call takes the two oldest blocks of the commonest level and makes one block of the next level of them, in which
   a column is two of the old ones added up: half the memory, no count lost. A level n column has up to 2^n intervals.
3. If no two blocks have the same level, the two oldest are merged. With at most one closed block, the open block is
   closed early; if it is nearly empty, the closed block is halved by itself.
So blocks stay in the order of time, and old columns become coarser long before new ones do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import Bound

# Blocks: consecutive columns of one series, stored as counts per native range.


RangeKey = tuple[Bound, Bound | None]

GAP_BIT, RESET_BIT, ESTIMATED_BIT, UNCLOCKED_BIT, DOUBT_BIT = 1, 2, 4, 8, 16
ROWS_AT_ONCE = 16

COLUMN = np.dtype(
    [("start", np.int64), ("end", np.int64), ("seconds", np.float64), ("waited", np.float64), ("flags", np.uint8)]
)
"""The fields of a column besides its counts; in a gap ``seconds`` and ``waited`` are 0."""


@dataclass(slots=True)
class ColumnBlock:
    """Columns, oldest first: ``columns`` [n] of COLUMN, ``counts`` [n, rows]; at most ``2 ** level`` intervals each.

    Counts are unsigned integers as long as they are whole and fit, else float64; a complete block has the shortest
    type that holds its counts. Old blocks lack the rows that came later.
    """

    columns: NDArray[Any]
    counts: NDArray[Any]
    level: int = 0

    @property
    def nbytes(self) -> int:
        return self.columns.nbytes + self.counts.nbytes


def widened(counts: NDArray[Any], rows: int) -> NDArray[Any]:
    """Counts with zeros in the missing rows."""
    missing = rows - counts.shape[1]
    return counts if missing <= 0 else np.pad(counts, ((0, 0), (0, missing)))


def with_room(block: ColumnBlock, columns: int) -> ColumnBlock:
    """A block with ``columns`` more columns, which are empty."""
    filled, rows = block.counts.shape
    more = ColumnBlock(np.zeros(filled + columns, COLUMN), np.zeros((filled + columns, rows), block.counts.dtype))
    more.columns[:filled], more.counts[:filled] = block.columns, block.counts
    return more


def fill(block: ColumnBlock, columns: NDArray[np.int64], rows: NDArray[np.int64], counts: NDArray[Any]) -> None:
    """Put counts into distinct empty cells; the block gets the rows that it lacks, and becomes float64 if necessary."""
    block.counts = widened(block.counts, int(rows.max(initial=-1)) + 1)
    if block.counts.dtype == np.uint32 and int(counts.max(initial=0)) >= 1 << 32:
        block.counts = block.counts.astype(np.float64)
    block.counts[columns, rows] = counts


def add(block: ColumnBlock, column: int, counts: Mapping[int, float]) -> None:
    """Add counts to rows of a column that has counts already; the block becomes float64 if necessary."""
    rows = np.fromiter(counts, np.intp, len(counts))
    before = block.counts[column, rows].tolist()
    totals = [total + count for total, count in zip(before, counts.values(), strict=True)]
    whole = max(totals) < 2**32 and all(total == int(total) for total in totals)
    if not whole and block.counts.dtype == np.uint32:
        block.counts = block.counts.astype(np.float64)
    block.counts[column, rows] = totals


def merge_blocks(first: ColumnBlock, second: ColumnBlock) -> ColumnBlock:
    """Two neighbouring blocks as one block of the next level: every two columns become one."""
    columns = np.concatenate([first.columns, second.columns])
    rows = max(first.counts.shape[1], second.counts.shape[1])
    counts = np.concatenate([widened(first.counts, rows), widened(second.counts, rows)])
    return halve_columns(ColumnBlock(columns, counts, max(first.level, second.level)))


def halve_columns(block: ColumnBlock) -> ColumnBlock:
    """The block with every two columns merged into one."""
    starts = np.arange(0, len(block.columns), 2)
    return ColumnBlock(sum_columns(block.columns, starts), compact(sum_counts(block.counts, starts)), block.level + 1)


def sum_columns(columns: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[Any]:
    """One column for each group of neighbours, given by the first index of each; it is a gap if all of them are."""
    result = np.zeros(len(starts), COLUMN)
    result["start"] = columns["start"][starts]
    result["end"] = np.maximum.reduceat(columns["end"], starts)
    result["seconds"] = np.add.reduceat(columns["seconds"], starts)
    result["waited"] = np.add.reduceat(columns["waited"], starts)
    any_flag = np.bitwise_or.reduceat(columns["flags"], starts)
    all_gap = np.bitwise_and.reduceat(columns["flags"] & GAP_BIT, starts)
    result["flags"] = (any_flag & ~np.uint8(GAP_BIT)) | all_gap
    return result


def sum_counts(counts: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Counts of the same groups, [groups, rows]; a few rows at a time, because numpy converts its input to floats."""
    result = np.empty((len(starts), counts.shape[1]))
    for row in range(0, counts.shape[1], ROWS_AT_ONCE):
        part = slice(row, row + ROWS_AT_ONCE)
        result[:, part] = np.add.reduceat(counts[:, part], starts, dtype=np.float64)
    return result


def compact(counts: NDArray[Any]) -> NDArray[Any]:
    """The counts as the shortest unsigned integers that hold them; unchanged if some are not whole or too large."""
    top = counts.max(initial=0)
    for short in (np.uint8, np.uint16, np.uint32):
        if top <= np.iinfo(short).max:
            whole = counts.astype(short)
            return whole if np.array_equal(whole, counts) else counts
    return counts


BLOCK_COLUMNS = 1024
FIRST_COLUMNS = 4
"""The room of a new series; with 100,000 series most of the memory is in it."""
FEWEST_COLUMNS = 64
"""No shorter history is merged, unless that does not save enough."""


class ColumnStore:
    """Columns, oldest first, with their counts per row; ``rows`` is set by the owner as rows come into use.

    ``version`` changes whenever columns are merged, so that callers that cache column numbers can invalidate them.
    """

    __slots__ = ("_blocks", "_closed", "_closed_bytes", "_counted", "filled", "open", "rows", "version")

    def __init__(self) -> None:
        self.rows = 0
        self.version = 0
        self.open = self._new_block()
        self.filled = 0
        self._counted = False
        self._blocks: list[ColumnBlock] = []
        self._closed = 0
        self._closed_bytes = 0

    def __len__(self) -> int:
        return self._closed + self.filled

    def frozen(self) -> ColumnStore:
        """The present columns for another thread: closed blocks never change, so only the open one is copied."""
        same = copy(self)
        same._blocks = self._blocks.copy()
        open_ = self._filled_part()
        same.open = ColumnBlock(open_.columns.copy(), open_.counts.copy())
        return same

    @property
    def nbytes(self) -> int:
        return self._closed_bytes + self.open.columns.nbytes + self.open.counts.nbytes

    def extend(
        self, columns: NDArray[Any], sizes: NDArray[np.int64], rows: NDArray[np.int64], counts: NDArray[Any]
    ) -> None:
        """Append columns, COLUMN [n], with their counts; the same as ``append`` and ``count`` for each.

        ``sizes`` [n] is the number of counts of each column; ``rows`` and ``counts`` [sum of sizes] have them one
        column after another.
        """
        behind = np.concatenate(([0], np.cumsum(sizes)))
        first = 0
        while first < len(columns):
            if self.filled == len(self.open.columns):
                self._make_room(len(columns) - first)
            stop = min(len(columns), first + len(self.open.columns) - self.filled)
            held = slice(int(behind[first]), int(behind[stop]))
            places = np.repeat(np.arange(self.filled, self.filled + stop - first), sizes[first:stop])
            self.open.columns[self.filled : self.filled + stop - first] = columns[first:stop]
            fill(self.open, places, rows[held], counts[held])
            self.filled += stop - first
            first = stop
        self._counted = True

    def append(self, start: int, end: int, seconds: float, waited: float, flags: int) -> None:
        """Append a column without counts to the open block."""
        if self.filled == len(self.open.columns):
            self._make_room()
        self.open.columns[self.filled] = (start, end, seconds, waited, flags)
        self.filled += 1
        self._counted = False

    def count(self, counts: Mapping[int, float]) -> None:
        """Add counts to rows of the last column, which has been appended before."""
        if not counts:
            return
        block, column, last = self.open, self.filled - 1, max(counts)
        if last >= block.counts.shape[1]:
            block.counts = widened(block.counts, last + 1 + last // 8)  # room, so that new rows rarely copy everything
        if self._counted or not _set(block.counts[column], counts):
            add(block, column, counts)
        self._counted = True

    def part(self, first: int, stop: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns number ``first`` to ``stop - 1``: COLUMN [n] and counts [n, rows], uint32 or float64."""
        opened = len(self) - self.filled
        if first >= opened and self.open.counts.dtype != np.float64:
            part = slice(first - opened, max(stop - opened, 0))
            block = self._filled_part()
            return block.columns[part].copy(), widened(block.counts[part], self.rows)[:, : self.rows].copy()
        found: list[ColumnBlock] = []
        offset = len(self)
        for block in (self._filled_part(), *reversed(self._blocks)):
            offset -= len(block.columns)
            if offset < stop:
                part = slice(max(first - offset, 0), max(stop - offset, 0))
                found.append(ColumnBlock(block.columns[part], widened(block.counts[part], self.rows)[:, : self.rows]))
            if offset <= first:
                break
        found.reverse()
        if not found:
            return np.zeros(0, COLUMN), np.zeros((0, self.rows), np.uint32)
        counts = np.concatenate([block.counts for block in found])
        whole = counts.dtype.kind == "u"  # sums of shorter integers would overflow
        return np.concatenate([block.columns for block in found]), counts.astype(np.uint32) if whole else counts

    def columns(self, first: int, stop: int) -> NDArray[Any]:
        """Columns number ``first`` to ``stop - 1`` without counts: COLUMN [n]."""
        offset = len(self) - self.filled
        if first >= offset:
            return self.open.columns[first - offset : max(stop - offset, 0)]
        found = [self.open.columns[: min(max(stop - offset, 0), self.filled)]]
        for block in reversed(self._blocks):
            offset -= len(block.columns)
            if offset < stop:
                found.append(block.columns[max(first - offset, 0) : stop - offset])
            if offset <= first:
                break
        return np.concatenate(found[::-1])

    def most_merged(self, first: int, stop: int) -> int:
        """The most intervals in one of the columns number ``first`` to ``stop - 1``, or more: 1 if none is merged."""
        level, offset = 0, len(self) - self.filled
        for block in reversed(self._blocks):
            if offset <= first:
                break
            offset -= len(block.columns)
            level = max(level, block.level if offset < stop else 0)
        return 1 << level

    def newest_single(self, most: int) -> int:
        """How many of the newest columns, up to ``most``, are certainly one interval each."""
        found = self.filled
        for block in reversed(self._blocks):
            if block.level or found >= most:
                break
            found += len(block.columns)
        return min(found, most)

    def waited(self, first: int, stop: int) -> float:
        """Seconds waited in columns number ``first`` to ``stop - 1``."""
        total, offset = 0.0, len(self)
        for block in (self._filled_part(), *reversed(self._blocks)):
            offset -= len(block.columns)
            total += float(block.columns["waited"][max(first - offset, 0) : max(stop - offset, 0)].sum())
            if offset <= first:
                break
        return total

    def count_until(self, moment: int) -> int:
        """The number of columns that end at or before a moment (epoch microseconds)."""
        before = len(self)
        for block in (self._filled_part(), *reversed(self._blocks)):
            ends = block.columns["end"]
            before -= len(ends)
            if len(ends) and ends[0] <= moment:
                return before + int(np.searchsorted(ends, moment, side="right"))
        return 0

    @property
    def start(self) -> int:
        """When the oldest column begins, in epoch microseconds."""
        first = self._blocks[0] if self._blocks else self.open
        return int(first.columns["start"][0])

    @property
    def end(self) -> int:
        """When the newest column ends, in epoch microseconds."""
        last = self.open if self.filled else self._blocks[-1]
        return int(last.columns["end"][(self.filled or len(last.columns)) - 1])

    def merge_oldest(self, fewest: int = FEWEST_COLUMNS) -> bool:
        """Halve the time resolution of a part, preferably an old one; False if nothing is left to merge, which is so
        for ``fewest`` columns.

        That part is the two oldest blocks of the commonest level; if no level has two blocks, the two oldest of all.
        """
        if len(self._blocks) < 2:
            return self._merge_last(fewest)
        levels = Counter(block.level for block in self._blocks)
        level, blocks = max(levels.items(), key=lambda item: item[1])
        first = next(n for n, block in enumerate(self._blocks) if block.level == level) if blocks > 1 else 0
        self._replace(first, 2, merge_blocks(*self._blocks[first : first + 2]))
        return True

    def _merge_last(self, fewest: int) -> bool:
        """With at most one closed block: close the open one early, or else halve the closed one."""
        if self.filled > fewest:
            self._close_early()
            return True
        if not self._blocks or len(self._blocks[0].columns) <= fewest:
            return False
        self._replace(0, 1, halve_columns(self._blocks[0]))
        return True

    def _close_early(self) -> None:
        """Close the open block, and begin a new one with its last column, to which counts can still be added."""
        full, last = self.open, self.filled - 1
        self._close(last)
        self.open, self.filled = self._new_block(), 1
        self.open.columns[0] = full.columns[last]
        self.open.counts = np.zeros((FIRST_COLUMNS, full.counts.shape[1]), full.counts.dtype)
        self.open.counts[0] = full.counts[last]
        self._counted = True

    def _new_block(self) -> ColumnBlock:
        return ColumnBlock(np.zeros(FIRST_COLUMNS, COLUMN), np.zeros((FIRST_COLUMNS, self.rows), np.uint32))

    def _make_room(self, columns: int = 1) -> None:
        """Double the open block, so that a series seen once stays small, until it has room for so many more columns; if
        it is full, close it and begin another.
        """
        if self.filled == BLOCK_COLUMNS:
            self._close(BLOCK_COLUMNS)
            self.open, self.filled = self._new_block(), 0
        room = len(self.open.columns)
        while room < min(self.filled + columns, BLOCK_COLUMNS):
            room *= 2
        if room > len(self.open.columns):
            self.open = with_room(self.open, room - len(self.open.columns))

    def _close(self, columns: int) -> None:
        """Keep the first ``columns`` columns of the open block as a closed one, without free room."""
        block = ColumnBlock(self.open.columns[:columns].copy(), compact(self.open.counts[:columns, : self.rows].copy()))
        self._replace(len(self._blocks), 0, block)

    def _replace(self, first: int, count: int, block: ColumnBlock) -> None:
        """Put a block in place of ``count`` blocks from number ``first`` on."""
        old = self._blocks[first : first + count]
        self._closed_bytes += block.nbytes - sum(one.nbytes for one in old)
        self._closed += len(block.columns) - sum(len(one.columns) for one in old)
        self._blocks[first : first + count] = [block]
        self.version += count > 0

    def _filled_part(self) -> ColumnBlock:
        return ColumnBlock(self.open.columns[: self.filled], self.open.counts[: self.filled])


def _set(cells: NDArray[Any], counts: Mapping[int, float]) -> bool:
    """Write counts into an empty column; if they do not fit its type, empty it again and return False.

    For the few numbers of a column, the plain loop is much faster than an array.
    """
    places: Any = cells.data
    try:
        for row, count in counts.items():
            places[row] = count
    except (TypeError, ValueError, OverflowError):
        cells[:] = 0
        return False
    return True
