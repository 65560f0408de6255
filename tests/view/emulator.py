"""What a terminal emulator holds, and what it would hold after an encoder that knows nothing."""

from functools import cache

import numpy as np
import pyte

from pylatencymap.view.cells import Cells
from pylatencymap.view.geometry import Drawn, Geometry
from pylatencymap.view.options import ViewOptions
from pylatencymap.view.sgr import Pen

Seen = tuple[object, ...]
"""Character, foreground, background, bold, reverse."""


def screen_with(columns: int, lines: int, *texts: str) -> pyte.Screen:
    """A terminal that has been sent some texts."""
    screen = pyte.Screen(columns, lines)
    stream = pyte.Stream(screen)
    for text in texts:
        stream.feed(text)
    return screen


def held(screen: pyte.Screen) -> list[list[Seen]]:
    """What each cell of a terminal shows."""
    lines = (screen.buffer[line] for line in range(screen.lines))
    return [[_seen(line[column]) for column in range(screen.columns)] for line in lines]


def plain_text(cells: Cells, options: ViewOptions) -> str:
    """The plain encoder: clear, then each cell with its style, from the terminal's own one."""
    pieces = ["\x1b[2J"]
    for line in range(cells.lines):
        pieces.append(f"\x1b[{line + 1}H")
        for column in range(cells.columns):
            char = chr(cells.chars[line, column])
            pieces.append(f"{styling(int(cells.styles[line, column]), options)}{char}\x1b[0m")
    return "".join(pieces)


def plainly_shown(cells: Cells, options: ViewOptions) -> list[list[Seen]]:
    """What a terminal holds after the plain encoder."""
    chars, styles = cells.text(), cells.styles.tolist()
    return [
        [_visible((char, *look_of_style(number, options))) for char, number in zip(text, numbers, strict=True)]
        for text, numbers in zip(chars, styles, strict=True)
    ]


@cache
def styling(number: int, options: ViewOptions) -> str:
    """The sequence that sets a style, from the terminal's own one."""
    return Pen(options).run(np.array([ord("x")], np.uint32), np.array([number], np.uint16)).removesuffix("x")


@cache
def look_of_style(number: int, options: ViewOptions) -> Seen:
    """What a cell of a style shows beside its character."""
    return _seen(screen_with(2, 1, styling(number, options) + "x").buffer[0][0])[1:]


def drawn_of(cells: Cells) -> Drawn:
    """A picture without any data in it."""
    nothing = np.zeros(0)
    geometry = Geometry((), 0, 0, 1, cells.lines, nothing.astype(np.int64), nothing, np.zeros((0, 2), np.intp))
    return Drawn(cells, geometry)


def _seen(char: pyte.screens.Char) -> Seen:
    return _visible((char.data, char.fg, char.bg, char.bold, char.reverse))


def _visible(seen: Seen) -> Seen:
    """Of a blank that is not inverse only the background can be seen."""
    char, _, background, _, reverse = seen
    return seen if char != " " or reverse else (char, "default", background, False, False)
