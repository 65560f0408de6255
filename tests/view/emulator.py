"""What a terminal emulator holds, and what it would hold after an encoder that knows nothing."""

from functools import cache

import numpy as np
import pyte
from wcwidth import wcwidth

from pylatencymap.text.width import TAIL
from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.layout.geometry import Geometry
from pylatencymap.view.paint.canvas import Cells, text_of_codes
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.terminal.ansi import Pen

Seen = tuple[object, ...]
"""Character, foreground, background, bold, reverse."""


class StrictScreen(pyte.Screen):
    """A terminal that, as xterm and tmux do, blanks what is left of a character of two cells when half of it goes."""

    def draw(self, data: str) -> None:
        for char in data:
            super().draw(char)
            self._mend(self.buffer[self.cursor.y])

    def insert_characters(self, count: int | None = None) -> None:
        super().insert_characters(count)
        self._mend(self.buffer[self.cursor.y])

    def delete_characters(self, count: int | None = None) -> None:
        super().delete_characters(count)
        self._mend(self.buffer[self.cursor.y])

    def _mend(self, line: dict[int, pyte.screens.Char]) -> None:
        for column in range(self.columns):
            is_wide = wcwidth(line[column].data) == 2 if line[column].data else False
            follows = column + 1 < self.columns and line[column + 1].data == ""
            if is_wide and not follows:
                line[column] = line[column]._replace(data=" ")
            elif follows and not is_wide:
                line[column + 1] = line[column + 1]._replace(data=" ")


def screen_with(columns: int, lines: int, *texts: str, kind: type[pyte.Screen] = pyte.Screen) -> pyte.Screen:
    """A terminal that has been sent some texts."""
    screen = kind(columns, lines)
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
            char = chr(cells.chars[line, column]).replace(TAIL, "")
            pieces.append(f"{styling(int(cells.styles[line, column]), options)}{char}\x1b[0m")
    return "".join(pieces)


def plainly_shown(cells: Cells, options: ViewOptions) -> list[list[Seen]]:
    """What a terminal holds after the plain encoder."""
    chars, styles = [text_of_codes(line) for line in cells.chars], cells.styles.tolist()
    return [
        [
            _visible((char.replace(TAIL, ""), *look_of_style(number, options)))
            for char, number in zip(text, numbers, strict=True)
        ]
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


def drawn_of(cells: Cells) -> DrawnPicture:
    """A picture without any data in it."""
    nothing = np.zeros(0)
    geometry = Geometry((), 0, 0, 1, cells.lines, nothing.astype(np.int64), nothing, np.zeros((0, 2), np.intp))
    return DrawnPicture(cells, geometry)


def _seen(char: pyte.screens.Char) -> Seen:
    return _visible((char.data, char.fg, char.bg, char.bold, char.reverse))


def _visible(seen: Seen) -> Seen:
    """Of a blank that is not inverse only the background can be seen."""
    char, _, background, _, reverse = seen
    return seen if char != " " or reverse else (char, "default", background, False, False)
