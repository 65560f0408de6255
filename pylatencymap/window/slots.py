"""Merges columns over real time, on a grid that is aligned to the epoch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .history import History
from .matrix import FloatArray, IntArray
from .runs import ColumnRun, divide_columns, no_columns, run_of
from .store import COLUMN, compact, sum_columns, sum_counts, widened

AT_ONCE = 4096
"""Columns that are merged at once: all columns of a day would need much memory."""


class SlotColumns(NamedTuple):
    """One column for each slot of the grid that is not empty; slot s is (s - 1, s] widths after the epoch.

    slots    int64 [n], ascending
    first    int64 [n], the number of the first column of the history in the slot
    columns  COLUMN [n]
    counts   [n, rows]
    lasted   float64 [n], see ``ColumnRun``
    """

    slots: IntArray
    first: IntArray
    columns: NDArray[Any]
    counts: NDArray[Any]
    lasted: FloatArray

    @property
    def size(self) -> int:
        return len(self.slots)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self)

    def part(self, first: int, stop: int | None = None) -> SlotColumns:
        """Some of the columns, as a copy, so that the rest can be freed."""
        cut = slice(first, stop)
        return SlotColumns(
            self.slots[cut].copy(),
            self.first[cut].copy(),
            self.columns[cut].copy(),
            self.counts[cut].copy(),
            self.lasted[cut].copy(),
        )

    def before(self, slot: int) -> SlotColumns:
        """The columns in earlier slots."""
        return self.part(0, int(np.searchsorted(self.slots, slot)))

    def since(self, slot: int) -> SlotColumns:
        """The columns in this slot and later ones."""
        return self.part(int(np.searchsorted(self.slots, slot)))

    def compacted(self) -> SlotColumns:
        """The same columns in less memory, if that loses nothing."""
        return self._replace(counts=compact(self.counts.astype(np.float64)))


NO_SLOTS = SlotColumns(
    np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, COLUMN), np.zeros((0, 0), np.uint32), np.zeros(0)
)


def slot_of(moment: int, width: int) -> int:
    """The slot that contains a moment; both in microseconds."""
    return -(-moment // width)


def merge_into_slots(
    history: History, first: int, stop: int, width: int, limit: int, until: int | None = None
) -> SlotColumns:
    """Columns number ``first`` to ``stop - 1`` of a history merged into slots of ``width`` microseconds.

    An interval goes to the slot that contains its middle; a longer one, or a gap, to all slots that it covers, at most
    the last ``limit``. The first slot can be incomplete. ``until``: see ``run_of``.
    """
    parts = []
    for at in range(first, max(stop, first + 1), AT_ONCE):
        upper = min(at + AT_ONCE, stop)
        last = upper == stop
        run = run_of(history, at, upper, until if last else None, width / 1e6)
        parts.append(_merged(run, at, width, limit))
    return join_slots(parts)


def join_slots(parts: Sequence[SlotColumns]) -> SlotColumns:
    """Consecutive grids as one; if a grid ends in the slot in which the next begins, that slot is one column."""
    rows = max((part.counts.shape[1] for part in parts), default=0)
    whole = SlotColumns(
        np.concatenate([part.slots for part in parts]),
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([widened(part.counts, rows) for part in parts]),
        np.concatenate([part.lasted for part in parts]),
    )
    return whole if (np.diff(whole.slots) > 0).all() else _summed(whole)


def _merged(run: ColumnRun, offset: int, width: int, limit: int) -> SlotColumns:
    """A run on the grid; its columns are numbered from ``offset``."""
    if not run.size:
        return NO_SLOTS._replace(counts=no_columns(run.counts.shape[1]).counts)
    slots, parts = _slots(run, width)
    pieces = np.minimum(parts, limit)
    index = np.arange(run.size)
    if (pieces > 1).any():
        index = np.repeat(index, pieces)
        left = np.cumsum(pieces)[index] - 1 - np.arange(len(index))
        slots = slots[index] - left
        ends = run.columns["end"][index]
        ends = np.where(pieces[index] > 1, np.minimum(slots * width, ends), ends)
        run = divide_columns(run, index, left, parts[index], ends, width / 1e6)
    return _summed(SlotColumns(slots, index + offset, run.columns, run.counts, run.lasted))


def _slots(run: ColumnRun, width: int) -> tuple[IntArray, IntArray]:
    """The last slot of each column, and how many slots it takes.

    The middle decides: stamps that vary around a bound of the grid would else fill one slot twice and leave the next
    one empty. Columns without a break between them leave no slot empty.
    """
    ends = run.columns["end"].astype(np.int64)
    low, high = (run.begins + width // 2) // width, (ends + width // 2) // width
    middle = -(-(run.begins + ends) // (2 * width))
    return np.where(high > low, high, middle), np.maximum(high - low, 1)


def _summed(grid: SlotColumns) -> SlotColumns:
    """Neighbouring columns in the same slot, added up to one column."""
    starts = np.nonzero(np.diff(grid.slots, prepend=grid.slots[:1] - 1))[0]
    columns = sum_columns(grid.columns, starts)
    lasted = np.maximum(np.maximum.reduceat(grid.lasted, starts), columns["seconds"])
    return SlotColumns(grid.slots[starts], grid.first[starts], columns, sum_counts(grid.counts, starts), lasted)
