"""The cells of difference maps, and the legends of both kinds of maps."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import NamedTuple

import numpy as np

from ...number_text import open_label, scale_text
from ...units import format_latency
from ...window import FloatArray
from ..layout.colour_scale import LevelArray, levels_of, wanted_maximum
from ..paint.canvas import BLANK
from ..paint.maps import CellBlock, full_cells, half_cells, row_pairs
from ..style.colour_depth import ColourDepth
from ..style.glyphs import Glyphs
from ..style.options import FREQUENCY, SQRT, ViewOptions
from ..style.ramps import diverging_ramps
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, TEXT, Ink, style

LEAST = 200
"""Differences below this part of the end of their scale are blank."""
MONO = "-▽▼", "+△▲"
ASCII = "abcdef", "123456"
HEADING_STEP = 0.7
"""Where on its ramp (0 to 1) the colour of words about fewer, and about more, is."""
RAMP = 12
"""Columns of a legend's ramp."""


class DifferenceLook(NamedTuple):
    """``levels`` on each side of zero, and their characters if they are no colours, from little to much."""

    levels: int
    fewer: str = ""
    more: str = ""

    @property
    def coloured(self) -> bool:
        """Whether levels are colours."""
        return not self.fewer

    def word_style(self, sign: int) -> int:
        """The style of words about what became more (1) or fewer (-1)."""
        if not self.coloured:
            return TEXT
        base = Ink.MORE_RAMP if sign > 0 else Ink.FEWER_RAMP
        return style(base + max(round(HEADING_STEP * self.levels), 1))


def difference_look(options: ViewOptions, *, plain: bool = False) -> DifferenceLook:
    """How differences look at a depth. ``plain``: the terminal may draw triangles two cells wide."""
    if options.depth is ColourDepth.ASCII or (plain and options.depth is ColourDepth.MONO):
        return DifferenceLook(len(ASCII[0]), *ASCII)
    if options.depth is ColourDepth.MONO:
        return DifferenceLook(len(MONO[0]), *MONO)
    return DifferenceLook(len(diverging_ramps(options.background, options.depth)[0]))


def difference_scale(parts: Sequence[FloatArray]) -> float:
    """Where the scale of differences ends, on both sides."""
    return wanted_maximum(np.abs(np.concatenate(parts, axis=1)))


def signed_levels(found: FloatArray, maximum: float, look: DifferenceLook) -> LevelArray:
    """The level of each difference, negative for fewer; 0 for what is blank, levels + 1 beyond the scale."""
    size = np.abs(found)
    levels = levels_of(size, maximum, look.levels, SQRT)
    levels[size < maximum / LEAST] = 0
    return (np.sign(found) * levels).astype(np.int8)


def difference_cells(levels: LevelArray, look: DifferenceLook, *, half: bool) -> CellBlock:
    """The cells of a difference map, the lowest row at the bottom; ``half``: two rows on a line, with colours."""
    upper, lower = row_pairs(levels, half=half and look.coloured)
    if not look.coloured:
        return _characters(upper, look)
    if half:
        return half_cells(_inks(upper, look), _inks(lower, look))
    chars, styles = full_cells(_inks(upper, look))
    chars[upper == -look.levels - 1] = ord("-")
    return chars, styles


def _inks(levels: LevelArray, look: DifferenceLook) -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    size = np.abs(levels)
    base = np.where(levels < 0, int(Ink.FEWER_RAMP), int(Ink.MORE_RAMP))
    inks = np.where(levels == 0, 0, base + size)
    return np.where(size > look.levels, int(Ink.CLIP), inks).astype(np.uint16)


def _characters(levels: LevelArray, look: DifferenceLook) -> CellBlock:
    table = [*look.fewer[::-1], " ", *look.more]
    place = np.clip(levels.astype(np.intp), -look.levels, look.levels) + look.levels
    codes = np.array([BLANK if char == " " else ord(char) for char in table], np.uint32)
    return codes[place], np.zeros(place.shape, np.uint16)


def row_labels(bounds: FloatArray, *, half: bool) -> list[str]:
    """The upper bound of each row, from the top down; with two rows on a line, the bound between them. What is above
    the last bound is called so.
    """
    rows = len(bounds) - 1
    texts: list[str] = []
    for top in range(rows, 0, -1) if not half else range(rows - 1 + rows % 2, 0, -2):
        is_open = top >= rows - 1 and isinf(bounds[rows]) and not texts
        texts.append(open_label(float(bounds[rows - 1])) if is_open else format_latency(float(bounds[top])))
    return texts


def map_legend(kind: str, maximum: float, look: Glyphs, room: int) -> StyledText:
    """``0 ramp 500``; empty where it has no room."""
    if maximum <= 0:
        return ()
    base = Ink.FREQUENCY_RAMP if kind == FREQUENCY else Ink.INTENSITY_RAMP
    levels = range(1, look.levels + 1)
    repeat = max(RAMP // look.levels, 1)
    ramp: list[StyledSpan] = [(" " * repeat, style(0, base + level)) for level in levels]
    if not look.coloured:
        ramp = [(look.glyphs, TEXT)]
    text = (("0 ", DIM), *ramp, (f" {scale_text(maximum, kind != FREQUENCY)}", TEXT))
    return text if width_of(text) <= room else ()


def difference_legend(kind: str, maximum: float, look: DifferenceLook, room: int) -> StyledText:
    """``-500 ramp 0 ramp +500``; shorter, or empty, where it has no room."""
    if maximum <= 0:
        return ()
    end = scale_text(maximum, kind != FREQUENCY)
    arms = _arm(look, -1), _arm(look, 1)
    for text in (
        ((f"-{end} ", TEXT), *arms[0], (" 0 ", DIM), *arms[1], (f" +{end}", TEXT)),
        (*arms[0], (" 0 ", DIM), *arms[1], (f" +{end}", TEXT)),
        (*arms[0], ("0", DIM), *arms[1]),
    ):
        if width_of(text) <= room:
            return text
    return ()


def _arm(look: DifferenceLook, sign: int) -> list[StyledSpan]:
    levels = range(1, look.levels + 1) if sign > 0 else range(look.levels, 0, -1)
    if not look.coloured:
        return [(look.more if sign > 0 else look.fewer[::-1], TEXT)]
    base = Ink.MORE_RAMP if sign > 0 else Ink.FEWER_RAMP
    repeat = max(6 // look.levels, 1)
    return [(" " * repeat, style(0, base + level)) for level in levels]
