"""Turns cells into runs of one style with real colours, which both picture formats draw."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..view.paint import Cells, text_of_codes
from ..view.style import GROUNDS, Rgb, ViewOptions, faded_theme, rgb_of, style_parts, theme_of

_STRONG: dict[str, Rgb] = {"dark": (0xFF, 0xFF, 0xFF), "light": (0x00, 0x00, 0x00)}


class StyledRun(NamedTuple):
    """Neighbouring cells of one style on one line. ``ground`` None means the picture's own background.

    ``text`` has one character per cell: TAIL follows a character that takes two cells.
    """

    line: int
    column: int
    text: str
    colour: Rgb
    ground: Rgb | None
    bold: bool


def picture_ground(options: ViewOptions) -> Rgb:
    """The background colour of the whole picture."""
    return GROUNDS[options.background][1]


def styled_runs_of(cells: Cells, options: ViewOptions) -> Iterator[StyledRun]:
    """All runs from top to bottom and left to right, without blank runs on the default background."""
    known: dict[int, tuple[Rgb, Rgb | None, bool]] = {}
    for line in range(cells.lines):
        text, styles = text_of_codes(cells.chars[line]), cells.styles[line]
        edges = [0, *(np.flatnonzero(styles[1:] != styles[:-1]) + 1).tolist(), cells.columns]
        for start, stop in pairwise(edges):
            number = int(styles[start])
            if number not in known:
                known[number] = _look_of(number, options)
            run = StyledRun(line, start, text[start:stop], *known[number])
            if run.ground is not None or run.text.strip():
                yield run


def _look_of(number: int, options: ViewOptions) -> tuple[Rgb, Rgb | None, bool]:
    look, (front, back) = style_parts(number), GROUNDS[options.background]
    theme = faded_theme(options) if look.faded else theme_of(options)
    bold = look.bold and not look.faded
    plain = _STRONG[options.background] if bold else front
    colour = rgb_of(theme[look.foreground]) if look.foreground in theme else plain
    behind = rgb_of(theme[look.background]) if look.background and look.background in theme else None
    if look.reverse:
        return behind or back, front if bold else colour, bold
    return colour, behind, bold
