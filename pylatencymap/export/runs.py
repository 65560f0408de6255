"""Cells as runs of one look, in real colours: what both picture formats draw."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..view.cells import Cells, decode
from ..view.ink import parts
from ..view.options import ViewOptions
from ..view.ramps import Colour, rgb
from ..view.theme import theme_of

Rgb = tuple[int, int, int]

_GROUNDS: dict[str, tuple[Rgb, Rgb]] = {
    "dark": ((0xD0, 0xD2, 0xD6), (0x12, 0x14, 0x17)),
    "light": ((0x24, 0x26, 0x2B), (0xFD, 0xFD, 0xFC)),
}
"""Default foreground and background."""
_STRONG: dict[str, Rgb] = {"dark": (0xFF, 0xFF, 0xFF), "light": (0x00, 0x00, 0x00)}
_SIXTEEN = (
    "000000cd000000cd00cdcd000000eecd00cd00cdcde5e5e5"  # the dark ones
    "7f7f7fff000000ff00ffff005c5cffff00ff00ffffffffff"  # the bright ones
)
"""The first 16 colours as xterm has them."""
_CUBE = (0, 95, 135, 175, 215, 255)


class Run(NamedTuple):
    """Neighbouring cells of one style on one line; ``ground`` None is the picture's own background."""

    line: int
    column: int
    text: str
    colour: Rgb
    ground: Rgb | None
    bold: bool


def background_of(options: ViewOptions) -> Rgb:
    """The colour behind everything."""
    return _GROUNDS[options.background][1]


def runs_of(cells: Cells, options: ViewOptions) -> Iterator[Run]:
    """All runs, top to bottom and left to right, blank ones on the default background left out."""
    known: dict[int, tuple[Rgb, Rgb | None, bool]] = {}
    for line in range(cells.lines):
        text, styles = decode(cells.chars[line]), cells.styles[line]
        edges = [0, *(np.flatnonzero(styles[1:] != styles[:-1]) + 1).tolist(), cells.columns]
        for start, stop in pairwise(edges):
            number = int(styles[start])
            if number not in known:
                known[number] = _look_of(number, options)
            run = Run(line, start, text[start:stop], *known[number])
            if run.ground is not None or run.text.strip():
                yield run


def _look_of(number: int, options: ViewOptions) -> tuple[Rgb, Rgb | None, bool]:
    theme, (front, back) = theme_of(options), _GROUNDS[options.background]
    ink, ground, bold, reverse = parts(number)
    colour = rgb_of(theme[ink]) if ink in theme else _STRONG[options.background] if bold else front
    behind = rgb_of(theme[ground]) if ground in theme else None
    if reverse:
        return behind or back, front if bold else colour, bold
    return colour, behind, bold


def rgb_of(colour: Colour) -> Rgb:
    """Red, green and blue of a colour; of a palette index those of xterm."""
    if isinstance(colour, tuple):
        return colour
    if colour < 16:
        return rgb(_SIXTEEN[6 * colour : 6 * colour + 6])
    if colour >= 232:
        grey = 8 + 10 * (colour - 232)
        return grey, grey, grey
    red, rest = divmod(colour - 16, 36)
    green, blue = divmod(rest, 6)
    return _CUBE[red], _CUBE[green], _CUBE[blue]
