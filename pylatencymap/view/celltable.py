"""Cells by level, as the painter makes them, for columns that are drawn one by one."""

from typing import NamedTuple, TypeAlias

import numpy as np

from .cells import BLANK
from .frame import Frame, Panel
from .ink import BLANK_BITS
from .look import Look
from .mapcells import map_cells

Cell: TypeAlias = tuple[str, int]
"""Character and style."""


class CellTable(NamedTuple):
    """``lines``: per line of a map, top to bottom, its upper and lower row and its cell by ``upper level * stride +
    lower level``. ``totals``: the cell of the line of totals by step, none where there is no such line.
    """

    lines: tuple[tuple[int, int, tuple[Cell, ...]], ...]
    totals: tuple[Cell, ...]
    stride: int


_KNOWN: dict[tuple[object, ...], CellTable] = {}
_MOST_KNOWN = 64


def cell_table(frame: Frame, panel: Panel, look: Look, *, half: bool, totals: bool) -> CellTable:
    """The cells of a map at all levels, the clipped one included, of a frame without a cursor and without an SLO."""
    # Nothing else of a frame and a panel shows in it.
    key = (panel.kind, panel.levels.shape[0], frame.slots.shape, frame.slots.tobytes(), look, half, totals)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[key] = _made(frame, panel, look, half=half, totals=totals)
    return found


def _made(frame: Frame, panel: Panel, look: Look, *, half: bool, totals: bool) -> CellTable:
    levels, slots = look.levels + 2, frame.slots.tolist()
    upper, lower = np.divmod(np.arange(levels * levels if half else levels), levels if half else 1)
    if not half:
        lower = upper
    width = max(upper.size, len(look.spark) + 1)
    upper, lower = np.resize(upper, width), np.resize(lower, width)
    shown = np.zeros((panel.levels.shape[0], width), np.int8)
    for upper_row, lower_row in slots:
        for row, values in ((lower_row, lower), (upper_row, upper)):
            if row >= 0:
                shown[row] = values
    nothing = np.zeros(width, np.bool_)
    steps = np.resize(np.arange(len(look.spark) + 1), width) / len(look.spark)
    alone = frame._replace(gap=nothing, no_data=nothing, dashed=nothing)
    some = panel._replace(levels=shown, totals=steps, clipped=nothing)
    chars, styles = map_cells(alone, some, look, half=half, cell_width=1, totals=totals)
    visible = np.where(chars == BLANK, styles & BLANK_BITS, styles)
    rows = [_cells(*line) for line in zip(chars.tolist(), visible.tolist(), strict=True)]
    lines = tuple((high, low, cells) for (high, low), cells in zip(slots, rows, strict=False))
    return CellTable(lines, rows[-1][: len(look.spark) + 1] if totals else (), levels if half else 0)


def _cells(chars: list[int], styles: list[int]) -> tuple[Cell, ...]:
    return tuple(zip(map(chr, chars), styles, strict=True))
