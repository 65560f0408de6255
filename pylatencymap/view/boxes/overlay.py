"""Lays a box over the dimmed picture, or replaces the last line of the picture by a prompt."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...text import TAIL, cut, spread, text_width
from ..paint.canvas import BLANK, Area, Canvas, Cells, StyleArray
from ..style.colour_depth import ColourDepth
from ..style.glyphs import glyphs_of
from ..style.options import ViewOptions
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import BLANK_BITS, DIM, FADED_BIT, STRONG, TEXT, Ink, background_bits, style

_LAST_OF_WORDS = 0x0250
"""Latin letters, digits and signs are below this code; what maps are painted with in colours is above."""
LONGEST_PIECE = 8
"""Columns. A word of which more would be left is none (maps in ASCII); beside a box that leaves fewer there is nothing
whole."""
WIDEST_PANEL = 140
ROOMY_LINES = 30
"""With this many lines a box has blank lines around its title; with more, the picture shows above and below it."""
_FRAME = style(Ink.FRAME)
_BOX = background_bits(Ink.BOX)
_ANY_GROUND = background_bits(63)
_GROUNDED = (ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256)
"""Depths at which a box has its own background. At the others it has a frame."""


class _Chrome(NamedTuple):
    """The space around the text of a box.

    side    columns between text and edge of the box, on each side
    above   lines of the box above its text
    below   lines of the box below its text
    apart   least distance from the edges of the screen, in columns and lines
    """

    side: int
    above: int
    below: int
    apart: tuple[int, int]

    @property
    def title(self) -> int:
        """The line of the title within the box."""
        return 1 if self.above > 1 else 0


def box_room(size: tuple[int, int]) -> tuple[int, int]:
    """How many columns and lines of text fit in a box on a terminal of a size (columns, lines)."""
    chrome = _chrome(size)
    columns = size[0] - 2 * (chrome.apart[0] + chrome.side)
    return max(0, columns), max(0, size[1] - 2 * chrome.apart[1] - chrome.above - chrome.below)


def with_box(
    cells: Cells, box: Sequence[StyledText], options: ViewOptions, *, title: str = "", corner: str = ""
) -> Cells:
    """The dimmed picture with a box in its middle. ``corner`` is a text at the right end of the title's line, if there
    is room for both.

    What does not fit is cut, see ``box_room``. The default background in ``box`` becomes that of the box; Ink.SCREEN
    gives that of the terminal.
    """
    size = cells.columns, cells.lines
    chrome, (columns, lines) = _chrome(size), box_room(size)
    heading = len(title) + len(corner) + 3 * bool(corner)
    width = min(columns, max([heading, *(width_of(line) for line in box)])) + 2 * chrome.side
    height = min(lines, len(box)) + chrome.above + chrome.below
    canvas = _boxed(box, (width, height), chrome, options)
    if corner and chrome.side + len(title) + len(corner) + 3 <= width - chrome.side:
        canvas.put(chrome.title, width - chrome.side - len(corner) - 1, f" {corner} ", DIM)
    if title:
        canvas.put(chrome.title, chrome.side - 1, f" {title} ", STRONG)
    below = dimmed(cells)
    result = Canvas(*size)
    left, top = max(0, (size[0] - width) // 2), max(0, (size[1] - height) // 2)
    below = _without_pieces(below, left, left + width, slice(top, top + height))
    result.put_block(0, 0, below.chars, below.styles)
    result.put_block(top, left, canvas.chars, _grounded(canvas.styles))
    return result.cells()


class PanelPlace(NamedTuple):
    """Where a panel lies: its first line, the line after it, and its columns; and the cells of the picture (areas as of
    Canvas) that stay bright. ``is_roomy``: there are blank lines around its title.
    """

    top: int
    bottom: int
    bright: tuple[Area, ...] = ()
    is_roomy: bool = False


def panel_room(columns: int, panel: PanelPlace) -> tuple[int, int]:
    """How many columns and lines of text fit in a panel on a terminal of so many columns."""
    apart, side = _panel_sides(columns)
    return max(1, columns - 2 * (apart + side)), max(0, panel.bottom - panel.top - _above(panel) - 1)


def _above(panel: PanelPlace) -> int:
    """Lines of a panel above its text: the title, and in a roomy one a blank line above and below that."""
    return 3 if panel.is_roomy else 1


def with_panel(
    cells: Cells, box: Sequence[StyledText], options: ViewOptions, panel: PanelPlace, title: StyledText
) -> Cells:
    """The dimmed picture with a panel of always the same size. ``title`` is a line of ``panel_room``'s columns."""
    apart, side = _panel_sides(cells.columns)
    width, height = cells.columns - 2 * apart, panel.bottom - panel.top
    chrome = _Chrome(side, _above(panel), 1, (apart, 0))
    canvas = _boxed(box, (width, height), chrome, options)
    canvas.put_text(chrome.title, side, title)
    below = dimmed(cells)
    for area in panel.bright:
        part = slice(area.top, area.bottom), slice(area.left, area.right)
        below.styles[part] = cells.styles[part]
    below = _without_pieces(below, apart, apart + width, slice(panel.top, panel.bottom))
    result = Canvas(cells.columns, cells.lines)
    result.put_block(0, 0, below.chars, below.styles)
    result.put_block(panel.top, apart, canvas.chars, _grounded(canvas.styles))
    return result.cells()


def _panel_sides(columns: int) -> tuple[int, int]:
    """Columns beside a panel, and between its edge and its text."""
    return (max(4, (columns - WIDEST_PANEL) // 2), 3) if columns >= 100 else (0, 2 if columns >= 80 else 1)


def _without_pieces(cells: Cells, left: int, right: int, lines: slice) -> Cells:
    """The picture without the words of which a box, from ``left`` to ``right``, would leave some letters or digits."""
    chars, styles = cells.chars.copy(), cells.styles.copy()
    for row, inks in zip(chars[lines], styles[lines], strict=True):
        words = (row != BLANK) & (row < _LAST_OF_WORDS)
        first, stop = left, right
        while first and words[first] and words[first - 1]:
            first -= 1
        while stop < len(row) and words[stop - 1] and words[stop]:
            stop += 1
        first = 0 if left <= LONGEST_PIECE else first if left - first <= LONGEST_PIECE else left
        stop = len(row) if len(row) - right <= LONGEST_PIECE else stop if stop - right <= LONGEST_PIECE else right
        for beside in (slice(first, left), slice(right, stop)):
            row[beside], inks[beside] = BLANK, 0
    return Cells(chars, styles)


def dimmed(cells: Cells) -> Cells:
    """The same characters in faded colours."""
    seen = (cells.chars != BLANK) | (cells.styles & BLANK_BITS > 0)
    return cells._replace(styles=np.where(seen, cells.styles | FADED_BIT, cells.styles).astype(np.uint16))


def with_last_line(cells: Cells, line: StyledText) -> Cells:
    """The picture with another last line. If the picture is all ASCII, so is the line."""
    canvas = Canvas(cells.columns, 1, ascii_only=bool((cells.chars < 128).all()))
    canvas.put_text(0, 0, line)
    last = canvas.cells()
    return Cells(np.concatenate((cells.chars[:-1], last.chars)), np.concatenate((cells.styles[:-1], last.styles)))


def _chrome(size: tuple[int, int]) -> _Chrome:
    columns, lines = size
    side = 3 if columns >= 100 else 2 if columns >= 40 else 1
    roomy = lines >= ROOMY_LINES
    return _Chrome(side, 3 if roomy else 1, 1, (1 if columns >= 40 else 0, 1 if lines > ROOMY_LINES else 0))


def _boxed(box: Sequence[StyledText], size: tuple[int, int], chrome: _Chrome, options: ViewOptions) -> Canvas:
    """The text of a box, inside its frame if it has one, on a canvas of a size (columns, lines)."""
    width, height = size
    look = glyphs_of(options)
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


# A prompt: a question on the last line of the screen, with what the user has typed.


_CARET = style(reverse=True)
_LEAST_TEXT = 8
"""At least this many characters of the text are shown before a hint gets any room."""


def prompt_line(label: str, text: str, caret: int, hint: str, columns: int) -> StyledText:
    """The line ``label: text`` with a hint at the right, ``columns`` wide. Of a long text the part around the caret.

    ``caret`` is the position in the text, 0 to its length, at which the next character will be inserted.
    """
    typed = "".join(char if char.isprintable() else "?" for char in text)
    place = text_width(typed[: max(caret, 0)])
    typed += " "
    start: list[StyledSpan] = [(f" {label}: ", STRONG)] if label else [(" ", TEXT)]
    if columns - width_of(start) < _LEAST_TEXT:
        start = []
    room = columns - width_of(start)
    end = _hint(hint, room - min(text_width(typed), max(_LEAST_TEXT, room // 2)))
    room -= width_of(end)
    spans = _around(typed, place, max(room, 1))
    blanks = (" " * (room - width_of(spans)), TEXT)
    return tuple(span for span in (*start, *spans, blanks, *end) if span[0])


def _around(typed: str, place: int, room: int) -> StyledText:
    """The part of the text that fits in ``room`` cells, around the caret at cell ``place``."""
    cells = spread(typed)
    place = min(place, len(cells) - 1)
    caret = 1 + (cells[place + 1 : place + 2] == TAIL)
    first = max(0, min(place - room // 2, len(cells) - room))
    last = first + room
    if caret > room:
        return ((" ", _CARET),)
    if place + caret > last:
        first, last = first + 1, last + 1
    edges = (first, place, place + caret, last)
    pieces = [cut(typed, edges[number], edges[number + 1]) for number in range(3)]
    return tuple(zip(pieces, (TEXT, _CARET, TEXT), strict=True))


def _hint(hint: str, room: int) -> StyledText:
    """As many of the parts of the hint as fit, which semicolons divide: less of it would not be understood."""
    parts = hint.split("; ") if hint else []
    while parts and room < text_width("; ".join(parts)) + 3:
        del parts[-1]
    return ((f"  {'; '.join(parts)} ", DIM),) if parts else ()
