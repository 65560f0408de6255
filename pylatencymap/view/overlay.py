"""A box over the picture, which stays there, dimmed; and a line in the place of the last one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .cells import BLANK, Canvas, Cells, StyleArray, Text, width_of
from .colour import Depth
from .ink import BLANK_BITS, DIM, FADED_BIT, STRONG, Ink, background_bits, style
from .look import look_of
from .options import ViewOptions

ROOMY_LINES = 30
"""From here on a box has blank lines around its title, and the picture is seen above and below it."""
_FRAME = style(Ink.FRAME)
_BOX = background_bits(Ink.BOX)
_ANY_GROUND = background_bits(63)
_GROUNDED = (Depth.TRUECOLOR, Depth.COLOURS_256)
"""Depths at which a box has a ground of its own; at the others it has a frame."""


class _Chrome(NamedTuple):
    """What is around the text of a box: columns at each side, lines above and below, and how near it comes to the
    edges of the screen, columns and lines.
    """

    side: int
    above: int
    below: int
    apart: tuple[int, int]

    @property
    def title(self) -> int:
        """Line of the title within the box."""
        return 1 if self.above > 1 else 0


def room(size: tuple[int, int]) -> tuple[int, int]:
    """Columns and lines of text that a box can hold on a terminal of a size (columns, lines)."""
    chrome = _chrome(size)
    columns = size[0] - 2 * (chrome.apart[0] + chrome.side)
    return max(0, columns), max(0, size[1] - 2 * chrome.apart[1] - chrome.above - chrome.below)


def overlay(cells: Cells, box: Sequence[Text], options: ViewOptions, *, title: str = "", corner: str = "") -> Cells:
    """The picture dimmed, with a box in its middle; ``corner`` stands at the right of the title.

    What does not fit is cut, see ``room``. A background of 0 becomes the box's own; Ink.SCREEN stays the terminal's.
    """
    size = cells.columns, cells.lines
    chrome, (columns, lines) = _chrome(size), room(size)
    heading = len(title) + len(corner) + 3 * bool(corner)
    width = min(columns, max([heading, *(width_of(line) for line in box)])) + 2 * chrome.side
    height = min(lines, len(box)) + chrome.above + chrome.below
    canvas = _boxed(box, (width, height), chrome, options)
    if corner:
        canvas.put(chrome.title, width - chrome.side - len(corner) - 1, f" {corner} ", DIM)
    if title:
        canvas.put(chrome.title, chrome.side - 1, f" {title} ", STRONG)
    below = dimmed(cells)
    result = Canvas(*size)
    result.put_block(0, 0, below.chars, below.styles)
    left, top = max(0, (size[0] - width) // 2), max(0, (size[1] - height) // 2)
    result.put_block(top, left, canvas.chars, _grounded(canvas.styles))
    return result.cells()


def dimmed(cells: Cells) -> Cells:
    """The same characters in faded colours."""
    seen = (cells.chars != BLANK) | (cells.styles & BLANK_BITS > 0)
    return cells._replace(styles=np.where(seen, cells.styles | FADED_BIT, cells.styles).astype(np.uint16))


def with_last_line(cells: Cells, line: Text) -> Cells:
    """The picture with another last line. Where all its characters are ASCII, so are those of the line."""
    canvas = Canvas(cells.columns, 1, ascii_only=bool((cells.chars < 128).all()))
    canvas.put_text(0, 0, line)
    last = canvas.cells()
    return Cells(np.concatenate((cells.chars[:-1], last.chars)), np.concatenate((cells.styles[:-1], last.styles)))


def _chrome(size: tuple[int, int]) -> _Chrome:
    columns, lines = size
    side = 3 if columns >= 100 else 2 if columns >= 40 else 1
    roomy = lines >= ROOMY_LINES
    return _Chrome(side, 3 if roomy else 1, 1, (1 if columns >= 40 else 0, 1 if lines > ROOMY_LINES else 0))


def _boxed(box: Sequence[Text], size: tuple[int, int], chrome: _Chrome, options: ViewOptions) -> Canvas:
    """The text of a box inside its frame, if it has one, on a canvas of a size (columns, lines)."""
    width, height = size
    look = look_of(options)
    canvas = Canvas(width, height, ascii_only=look.ascii_only)
    if options.depth not in _GROUNDED:
        upper_left, upper_right, lower_left, lower_right = tuple(look.corners)
        across = look.horizontal * (width - 2)
        canvas.put(0, 0, upper_left + across + upper_right, _FRAME)
        for line in range(1, height - 1):
            canvas.put(line, 0, look.vertical, _FRAME)
            canvas.put(line, width - 1, look.vertical, _FRAME)
        canvas.put(height - 1, 0, lower_left + across + lower_right, _FRAME)
    columns, lines = max(0, width - 2 * chrome.side), max(0, height - chrome.above - chrome.below)
    inside = Canvas(columns, lines, ascii_only=look.ascii_only)
    for number, text in enumerate(box):
        inside.put_text(number, 0, text)
    canvas.put_block(chrome.above, chrome.side, inside.chars, inside.styles)
    return canvas


def _grounded(styles: StyleArray) -> StyleArray:
    return np.where(styles & _ANY_GROUND, styles, styles | _BOX).astype(np.uint16)
