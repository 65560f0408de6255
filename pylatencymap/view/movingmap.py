"""One map whose columns come one by one."""

from bisect import bisect_left

from ..window.matrix import FloatArray
from .celltable import Cell, cell_table
from .compose import Composed
from .frame import Panel
from .mapcells import spark_ends, total_scale
from .memory import Memory
from .options import ViewOptions
from .scale import clipped_above, robust_of_sorted, wanted_for
from .steps import step_ends
from .trail import Trail


class MovingMap:
    """Follows ``panel``, whose columns have the maxima ``maxima`` [columns]."""

    def __init__(self, composed: Composed, panel: Panel, maxima: FloatArray, options: ViewOptions) -> None:
        plan, look, width = composed.layout.plan, composed.look, composed.layout.map_width
        self.kind = panel.kind
        self._pinned = bool(options.pinned(panel.kind))
        self._maximum = panel.maximum
        self._limit = clipped_above(panel.maximum, exact=options.is_exact(panel.kind))
        self._ends = [0.0, *(end * panel.maximum for end in step_ends(options.scale, look.levels))]
        self._table = cell_table(composed.frame, panel, look, half=plan.half, totals=plan.totals)
        self._maxima = Trail(maxima.tolist(), width)
        self._totals = Trail(panel.totals.tolist(), width)
        self._largest = self._totals.largest
        self._top = total_scale(self._largest)
        self._spark = spark_ends(self._top, len(look.spark))
        self._beyond = look.levels + 1
        self.clips = False
        """Whether the newest column is clipped."""

    def cells(self, rates: list[float]) -> list[Cell]:
        """The cells of a column with these values by row; ``clips`` says whether it is clipped."""
        ends, largest, total = self._ends, max(rates), sum(rates)
        levels = [bisect_left(ends, rate) for rate in rates]
        self.clips = largest > self._limit
        if self.clips:
            levels = [self._beyond if rate > self._limit else level for rate, level in zip(rates, levels, strict=True)]
        levels.append(0)
        self._maxima.add(largest)
        self._totals.add(total)
        return self._cells(levels, total)

    def newest(self, panel: Panel) -> list[Cell]:
        """The cells of the newest column of a panel."""
        return self._cells([*panel.levels[:, -1].tolist(), 0], float(panel.totals[-1]))

    def holds(self, memory: Memory) -> bool:
        """Tell the memory what the scale should be now; whether it is what it was."""
        wanted = wanted_for(robust_of_sorted(self._maxima.ordered))
        return self._pinned or memory.maximum(self.kind, wanted) == self._maximum

    def rescaled_totals(self) -> list[Cell]:
        """The whole line of totals, oldest first, where its scale has just become another one; else nothing."""
        if not self._table.totals or self._totals.largest == self._largest:
            return []
        self._largest = self._totals.largest
        top = total_scale(self._largest)
        if top == self._top:
            return []
        self._top, self._spark = top, spark_ends(top, len(self._table.totals) - 1)
        return [self._table.totals[bisect_left(self._spark, total)] for total in self._totals]

    def _cells(self, levels: list[int], total: float) -> list[Cell]:
        """Level by row, with one 0 behind them for what is no row."""
        table = self._table
        cells = [line[levels[upper] * table.stride + levels[lower]] for upper, lower, line in table.lines]
        if table.totals:
            cells.append(table.totals[bisect_left(self._spark, total)])
        return cells
