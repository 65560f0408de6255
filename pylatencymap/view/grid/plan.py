"""What all panels of a grid share: rows, columns and colour scales."""

from collections.abc import Sequence
from typing import NamedTuple

from ..frame.frame import make_labels, make_slots
from ..frame.geometry import line_of, row_of
from ..frame.layout import cell_width
from ..frame.memory import Memory
from ..frame.rows import Rows, cut, rows_per_doubling, select, squeezed
from ..frame.scale import wanted_maximum
from ..frame.status import Status
from ..style.look import Look, look_of
from ..style.options import ViewOptions
from .common import Together, together
from .layout import GridLayout
from .panel import GridPanel
from .panel import Rows as Lines


class GridPlan(NamedTuple):
    """``kinds`` are the maps that each panel has, ``maxima`` the end of the colour scale of each."""

    layout: GridLayout
    look: Look
    options: ViewOptions
    status: Status
    kinds: tuple[str, ...]
    rows: Rows
    lines: Lines
    maxima: dict[str, float]
    data: Together


def planned(
    panels: Sequence[GridPanel],
    status: Status,
    options: ViewOptions,
    layout: GridLayout,
    memory: Memory,
    first: int,
) -> GridPlan:
    """Rows, columns and scales: one of each for all panels."""
    look = look_of(options)
    kinds = layout.maps(options.maps, half=look.half)
    height = layout.map_lines(len(kinds))[0]
    most = height * (1 + look.half)
    matrices = [panel.matrix for panel in panels]
    wide = cell_width(max(matrix.columns for matrix in matrices), layout.map_width, finished=status.finished)
    data = together(matrices, max(1, layout.map_width // wide), status.interval, most)
    memory.begin(("grid", status.label, first, data.joined.bounds.size > 1), data.matrices[0])
    rows = cut(select(data.joined, memory, options)[0], 0, 0)
    rows = squeezed(rows, most if options.rows is None else max(1, min(most, options.rows)))
    per_doubling = rows_per_doubling(rows.bounds)
    half = look.half and rows.size > height
    paired = per_doubling > 1
    # Rows that need less than there is leave no empty lines between themselves and the axis, or above.
    layout = layout._replace(needed=max(1, -(-(rows.size + paired) // 2) if half else rows.size))
    height = layout.map_lines(len(kinds))[0]
    slots = make_slots(rows, height, half=half, paired=paired, apart=False)
    limit = None if options.slo is None else row_of(rows.bounds, options.slo)
    line = None if limit is None else line_of(slots, limit)
    lines = Lines(slots, make_labels(rows, slots, per_doubling), half, wide, line)
    maxima = {kind: options.pinned(kind) or memory.maximum(kind, wanted_maximum(rows.values(kind))) for kind in kinds}
    return GridPlan(layout, look, options, status, kinds, rows, lines, maxima, data)
