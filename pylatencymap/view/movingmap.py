"""One map whose columns come one by one."""

from bisect import bisect_left
from collections import deque

import numpy as np

from ..window.matrix import FloatArray
from .cells import BLANK
from .celltable import Cell, CellArray, cell_of, cell_table
from .compose import Composed
from .frame import Panel
from .mapcells import dash_cell, silent_cells, spark_ends, total_scale
from .memory import Memory
from .options import ViewOptions
from .scale import clipped_above, robust_of_sorted, wanted_for
from .steps import step_ends
from .trail import Peak, Trail


class MovingMap:
    """Follows ``panel``, whose columns have the values ``rates`` [rows, columns] by row."""

    def __init__(self, composed: Composed, panel: Panel, rates: FloatArray, options: ViewOptions) -> None:
        plan, look, width = composed.layout.plan, composed.look, composed.layout.map_width
        self.kind = panel.kind
        self._options, self._exact = options, options.is_exact(panel.kind)
        self._pinned = bool(options.pinned(panel.kind))
        self._levels, self._width = look.levels, width
        self._set_scale(panel.maximum)
        self._table = cell_table(composed.frame, panel, look, half=plan.half, totals=plan.totals)
        self._silent = {column: cell_of(*cell) for column, cell in silent_cells(composed.frame, look).items()}
        self._dashed, self._dash = np.flatnonzero(composed.frame.dashed).tolist(), cell_of(*dash_cell(look))
        self._came = 0
        self._before = rates
        self._since: deque[list[float]] = deque(maxlen=width)
        self._maxima = Trail(rates.max(axis=0).tolist(), width)
        self._totals = Peak(panel.totals.tolist(), width)
        self._largest = self._totals.largest
        self._top = total_scale(self._largest)
        self._spark = spark_ends(self._top, len(look.spark))
        self.clips = False
        """Whether the newest column is clipped."""
        self.has_clipped = bool(panel.clipped.any())
        """Whether a column is clipped, or one of those that have come was."""

    def add(self, rates: list[float]) -> None:
        """A column comes with these values by row."""
        largest = max(rates)
        self._came += 1
        self._since.append(rates)
        self._maxima.add(largest)
        self._totals.add(sum(rates))
        self.clips = largest > self._limit

    def cells(self) -> list[Cell]:
        """The cells of the newest column."""
        ends, rates = self._ends, self._since[-1]
        levels = [bisect_left(ends, rate) for rate in rates]
        if self.clips:
            self.has_clipped = True
            beyond, limit = self._levels + 1, self._limit
            levels = [beyond if rate > limit else level for rate, level in zip(rates, levels, strict=True)]
        levels.append(0)
        return self._cells(levels, self._totals.newest)

    def newest(self, panel: Panel) -> list[Cell]:
        """The cells of the newest column of a panel."""
        return self._cells([*panel.levels[:, -1].tolist(), 0], float(panel.totals[-1]))

    def wanted(self, memory: Memory) -> float:
        """Tell the memory what the scale should be now; where it is to end."""
        if self._pinned:
            return self.maximum
        return memory.maximum(self.kind, wanted_for(robust_of_sorted(self._maxima.ordered)))

    def rescale(self, maximum: float) -> CellArray | None:
        """Let the scale end elsewhere; the cells of all columns, [lines, columns], but for the line of totals. None
        where something is clipped.
        """
        self._set_scale(maximum)
        values = self._values()
        if values.max() > self._limit:
            return None
        self.clips = False
        cells = self._table.block(np.searchsorted(self._ends, values))
        gone = self._gone(values.shape[1])
        for column in self._dashed:
            if column >= gone:
                line = cells[:, column - gone]
                line[line == BLANK] = self._dash
        for column, cell in self._silences(gone):
            cells[:, column] = cell
        return cells

    def rescaled_totals(self) -> list[Cell]:
        """The whole line of totals, oldest first, where its scale has just become another one; else nothing."""
        if not self._table.totals or self._totals.largest == self._largest:
            return []
        self._largest = self._totals.largest
        top = total_scale(self._largest)
        if top == self._top:
            return []
        self._top, self._spark = top, spark_ends(top, len(self._table.totals) - 1)
        cells = [self._table.totals[bisect_left(self._spark, total)] for total in self._totals]
        for column, cell in self._silences(self._gone(len(cells))):
            cells[column] = cell
        return cells

    def _silences(self, gone: int) -> list[tuple[int, Cell]]:
        """The columns of the window without data, and their cells."""
        return [(column - gone, cell) for column, cell in self._silent.items() if column >= gone]

    def _gone(self, left: int) -> int:
        """How many columns are not in the window any more, of which so many are left."""
        return int(self._before.shape[1]) + self._came - left

    def _set_scale(self, maximum: float) -> None:
        self.maximum = maximum
        self._limit = clipped_above(maximum, exact=self._exact)
        self._ends = [0.0, *(end * maximum for end in step_ends(self._options.scale, self._levels))]

    def _values(self) -> FloatArray:
        """Of the columns in the window, [rows, columns]."""
        before, since = self._before, self._since
        if not since:
            return before
        room = max(self._width - len(since), 0)
        kept = before[:, max(before.shape[1] - room, 0) :] if room else before[:, :0]
        return np.concatenate((kept, np.array(since).T), axis=1)

    def _cells(self, levels: list[int], total: float) -> list[Cell]:
        """Level by row, with one 0 behind them for what is no row."""
        table = self._table
        if table.stride:
            cells = [line[levels[upper] * table.stride + levels[lower]] for upper, lower, line in table.lines]
        else:
            cells = [line[levels[row]] for row, _, line in table.lines]
        if table.totals:
            cells.append(table.totals[bisect_left(self._spark, total)])
        return cells
