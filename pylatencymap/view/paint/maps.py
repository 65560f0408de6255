"""Turns the levels of one map into cells, all columns at once."""

from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...window import BoolArray, FloatArray
from ..frame.frame import Frame, MapPanel
from ..layout.colour_scale import ROUNDING, LevelArray, nice_ceiling
from ..style.glyphs import Glyphs
from ..style.styles import Ink, background_bits, style
from .canvas import BLANK, CharArray, StyleArray
from .crosshair import draw_crosshair
from .percentiles import draw_marks
from .selection import fade_outside

UPPER, LOWER, PLUS = ord("▀"), ord("▄"), ord("+")
_HATCH, _GAP = style(Ink.HATCH), style(Ink.GAP)
_MARK, _TOTAL = style(Ink.MARK), style(Ink.TOTAL)
_CLIP_FULL = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)

CellBlock = tuple[CharArray, StyleArray]
Number = TypeVar("Number", bound=np.generic)


def map_cells(frame: Frame, panel: MapPanel, look: Glyphs, *, half: bool, cell_width: int, totals: bool) -> CellBlock:
    """The cells [lines, columns * cell_width] of a map, with a line of totals below it if ``totals``."""
    halves = half and look.coloured
    # An empty row at the end: slots without a row have the index -1.
    levels = np.concatenate((panel.levels, np.zeros((1, panel.levels.shape[1]), np.int8)))
    index = levels[frame.slots[:, 0]].astype(np.intp)
    if halves:
        index = index * (look.levels + 2) + levels[frame.slots[:, 1]]
    first_total, all_chars, all_styles = _table(look, panel.is_frequency, halves)
    if totals:
        index = np.concatenate((index, (_total_steps(panel, look) + first_total)[np.newaxis]))
    chars, styles = all_chars.take(index), all_styles.take(index)
    rows = np.s_[: len(frame.slots)]
    if panel.marks is not None:
        draw_marks(chars[rows], styles[rows], panel.marks, _inks(panel.is_frequency, look), levels, look)
    if cell_width > 1:
        chars, styles = np.repeat(chars, cell_width, axis=1), np.repeat(styles, cell_width, axis=1)
    _limit(chars, styles, frame, look)
    signs = panel.signs or frame
    _dash(chars[rows], styles[rows], signs.dashed, look, cell_width)
    for columns, number in ((signs.gap, _GAP), (signs.no_data, _HATCH)):
        if np.count_nonzero(columns):
            wide = np.repeat(columns, cell_width)
            chars[:, wide] = ord(look.hatch)
            styles[:, wide] = number
    if frame.selected is not None and frame.selected.fades:
        fade_outside(styles, frame.selected, cell_width, len(frame.slots))
    if frame.cursor is not None:
        inks = _inks(panel.is_frequency, look)
        draw_crosshair(chars[rows], styles[rows], frame.cursor, inks, panel.levels, look, half=half)
    return chars, styles


def unknown_cells(lines: int, columns: int, look: Glyphs) -> CellBlock:
    """The time before the first column: nothing, up to a border."""
    chars, styles = np.full((lines, columns), BLANK, np.uint32), np.zeros((lines, columns), np.uint16)
    chars[:, -1], styles[:, -1] = ord(look.vertical), style(Ink.FRAME)
    return chars, styles


def _inks(is_frequency: bool, look: Glyphs) -> StyleArray:
    """The ink of each level, uint16 [K + 2]."""
    base = Ink.FREQUENCY_RAMP if is_frequency else Ink.INTENSITY_RAMP
    return np.array([0, *(base + level for level in range(1, look.levels + 1)), Ink.CLIP], np.uint16)


@lru_cache(maxsize=64)
def _table(look: Glyphs, is_frequency: bool, half: bool) -> tuple[int, CharArray, StyleArray]:
    """The cell for each level or, with ``half``, for upper level * (K + 2) + lower level. Read-only."""
    inks = _inks(is_frequency, look)
    if not look.coloured:
        block = np.array([BLANK, *map(ord, look.glyphs), PLUS], np.uint32), np.zeros(len(inks), np.uint16)
    elif half:
        block = half_cells(np.repeat(inks, len(inks)), np.tile(inks, len(inks)))
    else:
        block = full_cells(inks)
    spark = np.array([BLANK, *map(ord, look.spark)], np.uint32)
    chars = np.concatenate((block[0], spark))
    styles = np.concatenate((block[1], np.where(spark == BLANK, 0, _TOTAL).astype(np.uint16)))
    chars.flags.writeable = styles.flags.writeable = False
    return len(block[0]), chars, styles


def level_cells(levels: LevelArray, look: Glyphs, *, is_frequency: bool, half: bool) -> CellBlock:
    """The cells of a map's levels [rows, columns], the lowest row at the bottom; ``half``: two rows on a line."""
    _, chars, styles = _table(look, is_frequency, half and look.coloured)
    upper, lower = row_pairs(levels, half=half and look.coloured)
    index = upper.astype(np.intp)
    if half and look.coloured:
        index = index * (look.levels + 2) + lower
    return chars.take(index), styles.take(index)


def row_pairs(values: NDArray[Number], *, half: bool) -> tuple[NDArray[Number], NDArray[Number]]:
    """The rows of each line from the top, upper and lower: the same ones, or with ``half`` two, of which the upper one
    of the first line is 0 if their number is odd.
    """
    flipped = values[::-1]
    if not half:
        return flipped, flipped
    if len(flipped) % 2:
        flipped = np.concatenate((np.zeros_like(flipped[:1]), flipped))
    return flipped[0::2], flipped[1::2]


def full_cells(inks: StyleArray) -> CellBlock:
    """Cells with one ink each."""
    chars = np.full(inks.shape, BLANK, np.uint32)
    styles = (inks * background_bits(1)).astype(np.uint16)
    clipped = inks == Ink.CLIP
    chars[clipped] = PLUS
    styles[clipped] = _CLIP_FULL
    return chars, styles


def half_cells(upper: StyleArray, lower: StyleArray) -> CellBlock:
    """Cells with two inks. Equal inks need no half block; the terminal's own background must remain a background."""
    equal, only_lower = upper == lower, upper == 0
    chars = np.where(equal, BLANK, np.where(only_lower, LOWER, UPPER)).astype(np.uint32)
    foreground = np.where(equal, 0, np.where(only_lower, lower, upper))
    background = np.where(only_lower & ~equal, 0, lower)
    return chars, (foreground + background * background_bits(1)).astype(np.uint16)


def _dash(chars: CharArray, styles: StyleArray, dashed: BoolArray, look: Glyphs, cell_width: int) -> None:
    """Draw a dashed line through the empty cells of columns with a reset or mark."""
    if np.count_nonzero(dashed):
        columns = np.flatnonzero(dashed) * cell_width + cell_width // 2
        # The line of a mark goes over the line of the SLO.
        empty = ((chars[:, columns] == BLANK) & (styles[:, columns] == 0)) | (chars[:, columns] == ord(look.limit))
        chars[:, columns] = np.where(empty, ord(look.dashes), chars[:, columns])
        styles[:, columns] = np.where(empty, _MARK, styles[:, columns])


def _limit(chars: CharArray, styles: StyleArray, frame: Frame, look: Glyphs) -> None:
    """Draw a line through the empty cells of the line that contains the SLO."""
    if frame.limit is not None:
        empty = (chars[frame.limit] == BLANK) & (styles[frame.limit] == 0)
        chars[frame.limit, empty] = ord(look.limit)
        styles[frame.limit, empty] = _MARK


def _total_steps(panel: MapPanel, look: Glyphs) -> NDArray[np.intp]:
    """Totals as a grey line of columns on a 1-2-5 scale of its own: never in ramp colours."""
    top = nice_ceiling(panel.peak or float(panel.totals.max(initial=0.0))) or 1.0
    return _spark_ends(top, len(look.spark)).searchsorted(panel.totals)


@lru_cache(maxsize=64)
def _spark_ends(top: float, steps: int) -> FloatArray:
    """The upper ends of the steps of the totals except the last: the step of a total is the number of ends below it.

    Step 0 is for zero only. A total that equals an end, apart from the rounding of sums, belongs to the lower step.
    """
    ends = np.array([0.0, *(top * (step + ROUNDING) / steps for step in range(1, steps))])
    ends.flags.writeable = False
    return ends
