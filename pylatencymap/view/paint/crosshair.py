"""Draws the crosshair of the cursor over a map."""

from functools import lru_cache

import numpy as np

from ...window import BoolArray
from ..layout.colour_scale import LevelArray
from ..style.glyphs import Glyphs
from ..style.styles import Ink, background_bits
from ..wording.crosshair import Crosshair
from .canvas import BLANK, CharArray, StyleArray

_GROUND = background_bits((1 << 6) - 1)


def draw_crosshair(
    chars: CharArray,
    styles: StyleArray,
    cursor: Crosshair,
    inks: StyleArray,
    levels: LevelArray,
    look: Glyphs,
    *,
    half: bool,
) -> None:
    """Draw lines through the cells [lines, columns * width] of a map without its totals, and a mark where they cross.

    The lines go over cells of one colour, which stays visible as their background. If cells have two colours, or a
    character for their level, the lines go only through empty cells: the cursor must not hide what it points at.
    ``inks`` [K + 2] are the inks of ``levels``.
    """
    width = chars.shape[1] // levels.shape[1]
    middle = cursor.column * width + width // 2
    free = _free(chars, styles, look, every=look.coloured and not half)
    hatched = chars == ord(look.hatch)
    for place, cells, sign in (
        (np.s_[:, middle], free | hatched, look.vertical),
        (np.s_[cursor.line, :], free & ~hatched, look.horizontal),
    ):
        where = cells[place]
        chars[place][where] = ord(sign)
        styles[place][where] = over_ground(styles[place][where], look)
    ground = int(inks[levels[cursor.row, cursor.column]])
    other = int(inks[levels[cursor.neighbour, cursor.column]]) if cursor.neighbour >= 0 else 0
    if half and width > 2:
        ends = [cursor.column * width, (cursor.column + 1) * width - 1]
        chars[cursor.line, ends] = ord("▀" if cursor.upper else "▄")
        mark = Ink.CLIP_TEXT if ground == Ink.CLIP else Ink.CLIP
        styles[cursor.line, ends] = mark + background_bits(other)
        return
    chars[cursor.line, middle] = ord(look.cross)
    plain = np.array([background_bits(ground) if look.coloured else 0], np.uint16)
    styles[cursor.line, middle] = over_ground(plain, look)[0]


def _free(chars: CharArray, styles: StyleArray, look: Glyphs, *, every: bool) -> BoolArray:
    """The cells that a line can go through: empty ones, or with ``every`` all that have no sign such as ``+``."""
    blank = chars == BLANK if every else (chars == BLANK) & (styles == 0)
    free: BoolArray = blank | (chars == ord(look.dashes)) | (chars == ord(look.limit))
    return free


def over_ground(styles: StyleArray, look: Glyphs) -> StyleArray:
    """The same backgrounds with a foreground that stands out: one for low levels, another for high ones."""
    ground = styles & np.uint16(_GROUND)
    fronts: StyleArray = _fronts(look.levels)[ground // background_bits(1)]
    return ground | fronts


@lru_cache(maxsize=8)
def _fronts(levels: int) -> StyleArray:
    """The foreground that stands out on each background ink, if the ramps have ``levels`` levels."""
    fronts = np.full(1 << 6, Ink.CLIP, np.uint16)
    fronts[0] = Ink.DEFAULT
    fronts[Ink.CLIP] = Ink.CLIP_TEXT
    for base in (Ink.FREQUENCY_RAMP, Ink.INTENSITY_RAMP):
        fronts[base + levels // 2 + 1 : base + levels + 1] = Ink.CLIP_TEXT
    return fronts
