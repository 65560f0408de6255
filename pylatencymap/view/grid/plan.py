"""Chooses what all panels of a grid share: rows, columns and colour scales."""

from collections.abc import Sequence
from typing import NamedTuple

from ..frame.frame import make_labels, make_slots
from ..layout.colour_scale import ScaleMemory, wanted_maximum
from ..layout.geometry import line_of_row, row_of
from ..layout.latency_rows import LatencyRows, cut_context, rows_per_doubling, select_rows, squeeze_rows
from ..layout.layout import cell_width
from ..layout.status import Status
from ..style.glyphs import Glyphs, glyphs_of
from ..style.options import ViewOptions
from .common_axes import CommonMatrices, put_on_common_axes
from .panel import GridPanel, PanelRows as Lines
from .panel_layout import GridLayout


class GridPlan(NamedTuple):
    """What all panels share. ``kinds`` are the maps in each panel, ``maxima`` the ends of their colour scales."""

    layout: GridLayout
    look: Glyphs
    options: ViewOptions
    status: Status
    kinds: tuple[str, ...]
    rows: LatencyRows
    lines: Lines
    maxima: dict[str, float]
    data: CommonMatrices


def plan_grid(
    panels: Sequence[GridPanel],
    status: Status,
    options: ViewOptions,
    layout: GridLayout,
    memory: ScaleMemory,
    first: int,
) -> GridPlan:
    """Choose rows, columns and scales for all panels."""
    look = glyphs_of(options)
    kinds = layout.maps(options.maps, half=look.half)
    height = layout.map_lines(len(kinds))[0]
    most = height * (1 + look.half)
    matrices = [panel.matrix for panel in panels]
    wide = cell_width(max(matrix.columns for matrix in matrices), layout.map_width, finished=status.finished)
    data = put_on_common_axes(matrices, max(1, layout.map_width // wide), status.interval, most)
    memory.begin(("grid", status.label, first, data.combined.bounds.size > 1), data.matrices[0])
    rows = cut_context(select_rows(data.combined, memory, options)[0], 0, 0)
    rows = rows if options.rows is None else squeeze_rows(rows, max(1, options.rows))
    rows = squeeze_rows(rows, most)
    per_doubling = rows_per_doubling(rows.bounds)
    half = look.half and rows.size > height
    paired = per_doubling > 1
    # If the rows need fewer lines than there are, maps get smaller: no empty lines above the rows or below them.
    layout = layout._replace(needed=max(1, -(-(rows.size + paired) // 2) if half else rows.size))
    height = layout.map_lines(len(kinds))[0]
    slots = make_slots(rows, height, half=half, paired=paired, apart=False)
    limit = None if options.slo is None else row_of(rows.bounds, options.slo)
    line = None if limit is None else line_of_row(slots, limit)
    lines = Lines(slots, make_labels(rows, slots, per_doubling, data.combined.bounds), half, wide, line)
    maxima = {kind: options.pinned(kind) or memory.maximum(kind, wanted_maximum(rows.values(kind))) for kind in kinds}
    return GridPlan(layout, look, options, status, kinds, rows, lines, maxima, data)
