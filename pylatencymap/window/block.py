"""Blocks: consecutive columns of one series, stored as counts per native range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record import Bound

RangeKey = tuple[Bound, Bound | None]

GAP_BIT, RESET_BIT, ESTIMATED_BIT, UNCLOCKED_BIT = 1, 2, 4, 8
ROWS_AT_ONCE = 16

COLUMN = np.dtype(
    [("start", np.int64), ("end", np.int64), ("seconds", np.float64), ("waited", np.float64), ("flags", np.uint8)]
)
"""The fields of a column besides its counts; in a gap ``seconds`` and ``waited`` are 0."""


@dataclass
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
    return ColumnBlock(np.pad(block.columns, (0, columns)), np.pad(block.counts, ((0, columns), (0, 0))))


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
