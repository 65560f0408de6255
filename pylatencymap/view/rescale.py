"""A change of scale without composing the whole picture: maps are painted again, and the legends."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from .cells import BoolArray, Canvas, Cells, width_of
from .compose import Composed
from .frame import Frame, Panel
from .mapcells import map_cells
from .options import ViewOptions
from .paint import heading_ends, legends


class Patch(NamedTuple):
    """Cells that lie over the picture; the upper left one is on a line and in a column of the screen."""

    line: int
    column: int
    cells: Cells


def patches(
    composed: Composed, panels: Sequence[Panel], changed: Collection[str], came: int, options: ViewOptions
) -> list[Patch]:
    """The maps of the kinds that have ``changed``, their lines of totals included, and the legends of all.

    ``panels`` are what the maps show now that ``came`` columns have come behind what was composed.
    """
    layout, look = composed.layout, composed.look
    found: list[Patch] = []
    for position, panel in enumerate(panels):
        if panel.kind in changed:
            cells = _map(composed, panel, came)
            found.append(Patch(layout.heading_line(position) + 1, layout.right - cells.columns, cells))
    frame = composed.frame._replace(panels=tuple(panels))
    texts = legends(frame, layout, look, options.scale)
    for position, (end, text) in enumerate(zip(heading_ends(frame), texts, strict=True)):
        canvas = Canvas(max(layout.right - end, 0), 1, ascii_only=look.ascii_only)
        canvas.put_text(0, canvas.columns - width_of(text), text)
        found.append(Patch(layout.heading_line(position), end, canvas.cells()))
    return found


def _map(composed: Composed, panel: Panel, came: int) -> Cells:
    plan, frame = composed.layout.plan, _moved(composed.frame, panel.levels.shape[1], came)
    chars, styles = map_cells(frame, panel, composed.look, half=plan.half, cell_width=1, totals=plan.totals)
    canvas = Canvas(chars.shape[1], chars.shape[0])
    canvas.put_block(0, 0, chars, styles)
    return canvas.cells()


def _moved(frame: Frame, columns: int, came: int) -> Frame:
    """What is remarkable about the newest ``columns`` columns; there is nothing about those that came."""
    kept = max(columns - came, 0)

    def moved(flags: BoolArray) -> BoolArray:
        return np.concatenate((flags[flags.size - kept :], np.zeros(columns - kept, np.bool_)))

    return frame._replace(gap=moved(frame.gap), no_data=moved(frame.no_data), dashed=moved(frame.dashed))
