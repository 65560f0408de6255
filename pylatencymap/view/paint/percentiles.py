"""Paints percentiles over time: as thin marks in the cells of a map, or as a strip of half cells."""

from __future__ import annotations

import numpy as np

from ..frame.frame import Frame
from ..layout.layout import AXIS_COLUMN, MAP_COLUMN, Layout
from ..style.glyphs import Glyphs
from ..style.styles import BOLD_BIT, DIM, TEXT, Ink, background_bits, style
from ..wording.percentiles import MEDIAN, SIGN_STYLES, SLOW, CurveMarks, PercentileStrip
from .canvas import BLANK, Area, Board, Canvas, CharArray, StyleArray
from .crosshair import over_ground
from .selection import fade_outside

_UPPER, _LOWER = ord("▀"), ord("▄")
_INKS = (Ink.TOTAL, Ink.CLIP)
_FRAME, _GAP, _HATCH = style(Ink.FRAME), style(Ink.GAP), style(Ink.HATCH)
_LEFT, _LABEL_END = 1, 7


def draw_marks(
    chars: CharArray, styles: StyleArray, marks: CurveMarks, inks: StyleArray, levels: np.ndarray, look: Glyphs
) -> None:
    """Draw p50 and p99 into the cells [lines, columns] of a map, one character a column; p99 is over p50.

    Where a cell has two rows, the mark takes the half of its row. ``inks`` [K + 2] are those of ``levels`` [rows + 1,
    columns], of which the last row is empty.
    """
    for sign, ink in enumerate(_INKS):
        columns = np.flatnonzero(marks.lines[sign] >= 0)
        lines, other = marks.lines[sign, columns], marks.other[sign, columns]
        whole = (other < 0) | (not look.coloured)
        at = lines[whole], columns[whole]
        chars[at] = ord(look.curves[sign])
        styles[at] = over_ground(styles[at], look) | np.uint16(BOLD_BIT)
        at = lines[~whole], columns[~whole]
        chars[at] = np.where(marks.upper[sign, columns][~whole], _UPPER, _LOWER)
        grounds = inks[levels[other[~whole], columns[~whole]]].astype(np.uint16)
        styles[at] = (ink + grounds * np.uint16(background_bits(1))).astype(np.uint16)


def strip_cells(strip: PercentileStrip, look: Glyphs) -> tuple[CharArray, StyleArray]:
    """The cells [lines, columns] of a strip."""
    upper, lower = strip.upper, strip.lower
    if not look.coloured:
        chars = np.full(upper.shape, BLANK, np.uint32)
        for sign, place in ((MEDIAN, 0), (SLOW, 1)):
            chars[(upper == sign) | (lower == sign)] = ord(look.strip[place])
        return chars, np.zeros(upper.shape, np.uint16)
    table = np.array(SIGN_STYLES, np.uint16)
    above, below = table[upper], table[lower]
    only_lower = above == 0
    chars = np.where(only_lower, np.where(below == 0, BLANK, _LOWER), _UPPER).astype(np.uint32)
    grounds = np.where(only_lower, 0, below) * np.uint16(background_bits(1))
    return chars, (np.where(only_lower, below, above) + grounds).astype(np.uint16)


def paint_strip(board: Board, frame: Frame, strip: PercentileStrip, layout: Layout, look: Glyphs) -> None:
    """Paint a strip with everything around it."""
    heading = layout.strip_line
    top, bottom = heading + 1, heading + layout.plan.strip

    def labels(canvas: Canvas) -> None:
        for line, label in enumerate(strip.labels, top):
            canvas.put(line, _LABEL_END - len(label), label, DIM)
        canvas.put_down(top, AXIS_COLUMN, look.vertical, _FRAME, len(strip.labels))

    def beside(canvas: Canvas) -> None:
        for line, text in enumerate(strip.beside, top):
            canvas.put_text(line, layout.right + 1, text)

    board.block(
        Area(heading, 0, top, layout.columns),
        strip.heading,
        lambda canvas: canvas.put_text(heading, _LEFT, strip.heading),
    )
    board.block(Area(top, 0, bottom, MAP_COLUMN), strip.labels, labels)
    board.block(Area(top, layout.right, bottom, layout.columns), strip.beside, beside)
    chars, styles = _signed_cells(frame, strip, layout.cell_width, look)
    start = layout.map_width - chars.shape[1]
    if start:
        blank = np.full((len(chars), start), BLANK, np.uint32)
        board.canvas.put_block(top, MAP_COLUMN, blank, np.zeros(blank.shape, np.uint16), wide=False)
    board.canvas.put_block(top, MAP_COLUMN + start, chars, styles, wide=False)


def _signed_cells(frame: Frame, strip: PercentileStrip, cell_width: int, look: Glyphs) -> tuple[CharArray, StyleArray]:
    """The cells of a strip with gaps, selection and cursor, as the maps have them."""
    chars, styles = strip_cells(strip, look)
    if cell_width > 1:
        chars, styles = np.repeat(chars, cell_width, axis=1), np.repeat(styles, cell_width, axis=1)
    for columns, number in ((frame.gap, _GAP), (frame.no_data, _HATCH)):
        if np.count_nonzero(columns):
            wide = np.repeat(columns, cell_width)
            chars[:, wide], styles[:, wide] = ord(look.hatch), number
    if frame.selected is not None and frame.selected.fades:
        whole = frame.selected._replace(top=0, bottom=len(chars) - 1)
        fade_outside(styles, whole, cell_width, len(chars))
    if frame.cursor is not None:
        middle = frame.cursor.column * cell_width + cell_width // 2
        free = chars[:, middle] == BLANK
        chars[free, middle], styles[free, middle] = ord(look.vertical), TEXT
    return chars, styles
