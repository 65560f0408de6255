"""Cells by level, as the painter makes them, for columns that are drawn one by one."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .cells import BLANK, CharArray, StyleArray
from .frame import Frame, Panel, SlotArray
from .ink import BLANK_BITS
from .look import Look
from .mapcells import map_cells

Cell: TypeAlias = int
"""Code point and, CODE_BITS higher, style: one number is compared, looked up and put into an array sooner than two."""
CellArray: TypeAlias = NDArray[np.int64]
CODE_BITS = 21
CODE = (1 << CODE_BITS) - 1


def cell_of(character: str, style: int) -> Cell:
    """A character of a style."""
    return style << CODE_BITS | ord(character)


def cells_of(chars: CharArray, styles: StyleArray) -> CellArray:
    """Cells of code points and styles."""
    return styles.astype(np.int64) << CODE_BITS | chars


class CellTable(NamedTuple):
    """``lines``: per line of a map, top to bottom, its upper and lower row and its cell by ``upper level * stride +
    lower level``. ``totals``: the cell of the line of totals by step, none where there is no such line.
    ``slots`` [lines, 2] and ``cells`` [lines, ...] are the lines as arrays.
    """

    lines: tuple[tuple[int, int, tuple[Cell, ...]], ...]
    totals: tuple[Cell, ...]
    stride: int
    slots: SlotArray
    cells: CellArray

    def block(self, levels: NDArray[np.int64]) -> CellArray:
        """The cells of all lines, of levels [rows, columns]."""
        padded = np.concatenate((levels, np.zeros((1, levels.shape[1]), np.int64)))  # for lines that show no row
        places = padded[self.slots[:, 0]] * self.stride + padded[self.slots[:, 1]]
        return np.take_along_axis(self.cells, places, axis=1)


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
    sums = np.resize(np.arange(len(look.spark) + 1), width) / len(look.spark)
    alone = frame._replace(gap=nothing, no_data=nothing, dashed=nothing)
    some = panel._replace(levels=shown, totals=sums, clipped=nothing)
    chars, styles = map_cells(alone, some, look, half=half, cell_width=1, totals=totals)
    visible = np.where(chars == BLANK, styles & BLANK_BITS, styles)
    cells = cells_of(chars, visible)
    rows = [tuple(line) for line in cells.tolist()]
    lines = tuple((high, low, line) for (high, low), line in zip(slots, rows, strict=False))
    steps = rows[-1][: len(look.spark) + 1] if totals else ()
    return CellTable(lines, steps, levels if half else 0, frame.slots, cells[: len(slots)])
