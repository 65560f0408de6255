"""Draws the grid: many series at once, with one clock, one latency axis and one colour scale."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...window import IntArray
from ..frame.frame import MapPanel, SlotArray, make_map_panel
from ..layout.colour_scale import ScaleMemory
from ..layout.layout import MAP_COLUMN
from ..layout.scene import Selected
from ..layout.status import Status
from ..paint.canvas import Canvas, Cells
from ..style.glyphs import glyphs_of
from ..style.options import ViewOptions
from ..style.styles import DIM
from ..wording.remarks import find_remarks, shown_marks
from ..wording.selection import SelectedCells, selected_columns
from ..wording.time_axis import axis_ticks, column_span
from .margins import grid_hints_text, paint_footer, paint_legend, paint_title
from .panel import GridPanel, paint_panel, panel_frame
from .panel_layout import GridLayout, grid_layout
from .plan import GridPlan, plan_grid

_LEFT = 1
_KEYS = 9
"""The first 9 series have keys of their own, 1 to 9."""


class DrawnGrid(NamedTuple):
    """A grid, and where its panels are. Series count from 0, ordered by time waited, most first.

    first     number of the first series on this page
    shown     how many series are on this page
    maxima    end of the colour scale of each map
    slots     see Frame
    ends      when the columns of all panels end, epoch microseconds; each is ``cell_width`` characters wide
    interval  seconds that a column lasts
    """

    cells: Cells
    layout: GridLayout
    first: int
    shown: int
    maxima: Mapping[str, float]
    slots: SlotArray
    ends: IntArray
    cell_width: int
    interval: float

    @property
    def per_page(self) -> int:
        """How many panels fit."""
        return self.layout.per_page

    @property
    def columns(self) -> int:
        """How many panels are in a row."""
        return self.layout.columns

    def panel_at(self, column: int, line: int) -> int | None:
        """The number of the series whose panel is at a cell of the screen; None if there is none."""
        place = self.layout.place_at(column, line)
        return None if place is None or place >= self.shown else self.first + place

    def moment_at(self, column: int) -> int | None:
        """The end of the column of a panel that is nearest to a column of the screen; None without data."""
        right = MAP_COLUMN + self.layout.map_width - column % self.layout.width
        if not self.ends.size:
            return None
        place = min(max((right - 1) // self.cell_width, 0), int(self.ends.size) - 1)
        return int(self.ends[-1 - place])

    def share_at(self, column: int) -> float:
        """How far a column of the screen is from the left edge of the maps of its panel to the right one, 0 to 1."""
        return min(max((column % self.layout.width - MAP_COLUMN + 0.5) / self.layout.map_width, 0.0), 1.0)


def draw_grid(
    panels: Sequence[GridPanel],
    status: Status,
    options: ViewOptions,
    size: tuple[int, int],
    memory: ScaleMemory,
    *,
    chosen: int,
    first: int,
    total: int,
    hidden_share: float,
    selected: Selected | None = None,
) -> DrawnGrid:
    """Draw a page of the grid at a size (columns, lines).

    ``panels`` are the series from number ``first`` on, of ``total``; those that do not fit are left out. ``chosen`` is
    the number of a series, on this page or not. ``hidden_share`` is the share of all time waited that belongs to series
    not on this page. ``selected``: the time that is marked in all panels. ``memory`` is changed: pass the same one for
    the next frame, and none that another picture uses.
    """
    layout = grid_layout(size, max(total, len(panels)))
    shown = panels[: layout.per_page]
    look = glyphs_of(options)
    canvas = Canvas(*size, ascii_only=look.ascii_only)
    maxima: Mapping[str, float] = {}
    slots: SlotArray = np.zeros((0, 2), np.intp)
    ends, wide = np.zeros(0, np.int64), 1
    if shown:
        plan = plan_grid(shown, status, options, layout, memory, first)
        maxima, slots, wide = plan.maxima, plan.lines.slots, plan.lines.cell_width
        ends = max((matrix.ends for matrix in plan.data.matrices), key=len)
        drawn = [_maps(plan, number) for number in range(len(shown))]
        for place, (panel, maps) in enumerate(zip(shown, drawn, strict=True)):
            number = first + place
            key = number + 1 if number < _KEYS else 0
            cells = _panel(plan, place, panel, maps, key, selected, is_chosen=number == chosen).cells()
            column, line = layout.corner(place)
            canvas.put_block(line, column, cells.chars, cells.styles)
        paint_legend(canvas, plan, drawn)
        paint_title(canvas, plan, len(shown), total)
        paint_footer(canvas, plan, total - len(shown), hidden_share, selected)
    else:
        canvas.put(0, _LEFT, "no series yet", DIM)
    canvas.put_text(size[1] - 1, _LEFT, grid_hints_text(status, size[0] - 2))
    return DrawnGrid(canvas.cells(), layout, first, len(shown), maxima, slots, ends, wide, status.interval)


def _maps(plan: GridPlan, number: int) -> tuple[MapPanel, ...]:
    """The maps of one series, with the common rows and scales."""
    part, matrix = plan.data.part(number), plan.data.matrices[number]
    rows = plan.rows._replace(
        frequency=plan.rows.frequency[:, part], intensity=plan.rows.intensity[:, part], below=0, above=0
    )
    return tuple(
        make_map_panel(kind, rows, matrix, plan.options, plan.maxima[kind], plan.look.levels) for kind in plan.kinds
    )


def _panel(
    plan: GridPlan,
    place: int,
    panel: GridPanel,
    maps: tuple[MapPanel, ...],
    number: int,
    selected: Selected | None,
    *,
    is_chosen: bool,
) -> Canvas:
    """Paint one panel."""
    matrix, status, wide = plan.data.matrices[place], plan.status, plan.lines.cell_width
    marks = shown_marks(status.marks, matrix, status.interval, plan.layout.width)
    remarks = find_remarks(matrix, status._replace(marks=marks))
    span = column_span(matrix.ends, status.interval)
    ticks = axis_ticks(matrix.ends, span, wide, status.tz, real=matrix.clock)
    columns = None if selected is None else selected_columns(selected, matrix.ends, span)
    bottom = len(plan.lines.slots) - 1
    cells = None if columns is None else SelectedCells(*columns, 0, bottom, "", "", plan.look.coloured)
    frame = panel_frame(plan.lines, maps, matrix, remarks, ticks, cells)
    return paint_panel(panel, number, frame, plan.lines, plan.layout, plan.look, chosen=is_chosen)
