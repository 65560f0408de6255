"""Paints the user's selection: all else is dimmed, and it has corners where there is room for them."""

from ..style.glyphs import Glyphs
from ..style.styles import FADED_BIT, STRONG
from ..wording.selection import SelectedCells
from .canvas import BLANK, Canvas, StyleArray


def fade_outside(styles: StyleArray, selected: SelectedCells, cell_width: int, lines: int) -> None:
    """Dim the cells of a map [its ``lines``, and one of totals] that are not selected."""
    left, right = selected.first * cell_width, (selected.last + 1) * cell_width
    styles[:, :left] |= FADED_BIT
    styles[:, right:] |= FADED_BIT
    styles[: selected.top, left:right] |= FADED_BIT
    styles[selected.bottom + 1 : lines, left:right] |= FADED_BIT


def paint_corners(canvas: Canvas, selected: SelectedCells, look: Glyphs, top: int, left: int, cell_width: int) -> None:
    """Put corners beside the selection; where nothing is dimmed, also over cells. Without colours, brackets on all its
    lines.
    """
    before, after = left + selected.first * cell_width - 1, left + (selected.last + 1) * cell_width
    lines = range(top + selected.top, top + selected.bottom + 1)
    if not look.coloured:
        for line in lines:
            _put(canvas, line, before, "[", over=True)
            _put(canvas, line, after, "]", over=True)
        return
    signs = look.corners if len(lines) > 1 else "[][]"
    for line, place in ((lines[0], 0), (lines[-1], 2)):
        _put(canvas, line, before, signs[place], over=not selected.fades)
        _put(canvas, line, after, signs[place + 1], over=not selected.fades)


def _put(canvas: Canvas, line: int, column: int, sign: str, *, over: bool) -> None:
    """Put a sign if it hides nothing, or ``over`` what is there."""
    if not (0 <= column < canvas.columns and 0 <= line < canvas.lines):
        return
    free = canvas.chars[line, column] == BLANK and int(canvas.styles[line, column]) & ~FADED_BIT == 0
    if free or over:
        canvas.put(line, column, sign, STRONG)
