"""The picture as cells: one character and one style each."""

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...text import TAIL, spread
from ..style.styled_text import StyledSpan, StyledText
from ..style.styles import BLANK_BITS

CharArray: TypeAlias = NDArray[np.uint32]
StyleArray: TypeAlias = NDArray[np.uint16]
CellMask: TypeAlias = NDArray[np.bool_]

BLANK = ord(" ")
TAIL_CODE = ord(TAIL)
"""The second cell of a character that takes two; it has the style of the first."""
_CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_ASCII_FOR = {"·": ".", "…": "~", "µ": "u", "μ": "u", "▸": ">"}


class Cells(NamedTuple):
    """``chars`` uint32 [lines, columns]: code points, TAIL_CODE after one that takes two cells; ``styles`` uint16
    [lines, columns]: see ink.
    """

    chars: CharArray
    styles: StyleArray

    @property
    def lines(self) -> int:
        return int(self.chars.shape[0])

    @property
    def columns(self) -> int:
        return int(self.chars.shape[1])

    def text(self) -> list[str]:
        """The characters of each line."""
        return [text_of_codes(row).replace(TAIL, "") for row in self.chars]


class Canvas:
    """Cells being painted. What does not fit is cut, never an error.

    A character of two cells is on the canvas with both or not at all: a blank takes the place of a half that is left.
    """

    def __init__(self, columns: int, lines: int, *, ascii_only: bool = False) -> None:
        self.columns = columns
        self.lines = lines
        self.chars: CharArray = np.full((lines, columns), BLANK, np.uint32)
        self.styles: StyleArray = np.zeros((lines, columns), np.uint16)
        self._ascii_only = ascii_only
        self._has_wide = False
        # The same memory: a picture is hundreds of short texts, and slices of arrays cost more than what is copied.
        self._chars = self.chars.reshape(-1).data
        self._styles = self.styles.reshape(-1).data

    def put(self, line: int, column: int, text: str, style: int = 0) -> int:
        """Write text from a column on; returns the column after it."""
        if not text:
            return column
        written = _written(text, style, self._ascii_only)
        self._copy(line, column, written)
        return column + len(written.codes)

    def _copy(self, line: int, column: int, written: "_Written") -> None:
        codes, styles, has_wide = written
        end = column + len(codes)
        if 0 <= line < self.lines and end > max(0, column) and column < self.columns:
            self._has_wide |= has_wide
            if column < 0 or end > self.columns:
                part = slice(max(0, -column), self.columns - column)
                codes, styles = _whole(codes, part) if has_wide else codes[part], styles[part]
            start = line * self.columns + max(0, column)
            stop = start + len(codes)
            if self._has_wide:
                self._free_run(start, stop)
            self._chars[start:stop] = codes
            self._styles[start:stop] = styles

    def _free_run(self, start: int, stop: int) -> None:
        """The same as ``_free`` for a piece of one line, by places in memory: no line begins with a second half."""
        if self._chars[start] == TAIL_CODE:
            self._chars[start - 1] = BLANK
        if stop < len(self._chars) and self._chars[stop] == TAIL_CODE:
            self._chars[stop] = BLANK

    def _free(self, lines: slice, left: int, right: int) -> None:
        """Before cells are written over: blank the halves, next to them, of characters whose other half goes."""
        for edge, lost in ((left, left - 1), (right, right)):
            if 0 < edge < self.columns:
                rows = np.flatnonzero(self.chars[lines, edge] == TAIL_CODE)
                self.chars[lines, lost][rows] = BLANK

    def put_down(self, line: int, column: int, character: str, style: int, height: int) -> None:
        """Write a character of one cell on so many lines, from a line down."""
        if 0 <= column < self.columns:
            lines = np.s_[max(0, line) : max(0, line + height)]
            if self._has_wide:
                self._free(lines, column, column + 1)
            self.chars[lines, column], self.styles[lines, column] = ord(character), style

    def put_text(self, line: int, column: int, spans: Iterable[StyledSpan]) -> int:
        """Write spans one after the other; returns the column after the last."""
        written = _written_text(tuple(spans), self._ascii_only)
        self._copy(line, column, written)
        return column + len(written.codes)

    def is_blank(self, line: int, column: int) -> bool:
        """Whether nothing is written in a cell and beside it."""
        if not (0 <= line < self.lines and 0 <= column < self.columns):
            return False
        part = np.s_[line, max(0, column - 1) : column + 2]
        return bool((self.chars[part] == BLANK).all() and not self.styles[part].any())

    def put_block(self, line: int, column: int, chars: CharArray, styles: StyleArray) -> None:
        """Copy a block [height, width] of cells."""
        height = max(0, min(chars.shape[0], self.lines - line))
        width = max(0, min(chars.shape[1], self.columns - column))
        lines = np.s_[line : line + height]
        self._has_wide = self._has_wide or bool((chars == TAIL_CODE).any())
        if self._has_wide and height and width:
            self._free(lines, column, column + width)
        self.chars[lines, column : column + width] = chars[:height, :width]
        self.styles[lines, column : column + width] = styles[:height, :width]
        if 0 < width < chars.shape[1]:
            self.chars[lines, column + width - 1][chars[:height, width] == TAIL_CODE] = BLANK

    def cells(self) -> Cells:
        """The finished picture. Blanks lose what cannot be seen of their style, so that runs are long."""
        self.styles[self.chars == BLANK] &= np.uint16(BLANK_BITS)
        return Cells(self.chars, self.styles)


def text_of_codes(chars: CharArray) -> str:
    """The text of code points, one character per cell."""
    return chars.tobytes().decode(_CODEC)


class _Written(NamedTuple):
    """Code points and styles of a text, cell by cell."""

    codes: memoryview
    styles: memoryview
    has_wide: bool


@lru_cache(maxsize=4096)
def _written(text: str, style: int, ascii_only: bool) -> _Written:
    """The cells of a text. Labels and numbers come again in every frame, so they are kept."""
    drawn = _drawable(text, ascii_only)
    codes = memoryview(drawn.encode(_CODEC, "replace")).cast("I")
    return _Written(codes, _seen(codes, np.full(len(codes), style, np.uint16)), TAIL in drawn)


@lru_cache(maxsize=256)
def _written_text(spans: StyledText, ascii_only: bool) -> _Written:
    """The same of several spans: most lines say what they said a frame ago."""
    texts = [_drawable(text, ascii_only) for text, _ in spans]
    drawn = "".join(texts)
    styles = np.repeat(np.array([style for _, style in spans], np.uint16), [len(text) for text in texts])
    codes = memoryview(drawn.encode(_CODEC, "replace")).cast("I")
    return _Written(codes, _seen(codes, styles), TAIL in drawn)


def _seen(codes: memoryview, styles: StyleArray) -> memoryview:
    """Styles without what cannot be seen of them where the character is a blank."""
    styles[np.frombuffer(codes, np.uint32) == BLANK] &= np.uint16(BLANK_BITS)
    return styles.data


def _whole(codes: memoryview, part: slice) -> memoryview:
    """A part of the cells of a text, a blank for what it holds half of."""
    cells = np.array(codes[part])
    if cells[0] == TAIL_CODE:
        cells[0] = BLANK
    if part.stop < len(codes) and codes[part.stop] == TAIL_CODE:
        cells[-1] = BLANK
    return cells.data


def _drawable(text: str, ascii_only: bool) -> str:
    """One character per cell, see ``spread``. What is not to be had becomes a question mark in each of its cells; so
    does, as the last guard of the terminal, a control character.
    """
    if text.isascii() and text.isprintable():
        return text
    drawn = spread(text)
    if ascii_only:
        return "".join(c if c.isascii() and c.isprintable() else _ASCII_FOR.get(c, "?") for c in drawn)
    return drawn


# A canvas that stays from picture to picture, painted block by block where something is new.


class Area(NamedTuple):
    """Lines ``top`` to ``bottom`` and columns ``left`` to ``right``, the last ones not included."""

    top: int
    left: int
    bottom: int
    right: int


class Board:
    """Blocks do not overlap, and each paints within its area only. What does not fit is cut."""

    def __init__(self, columns: int, lines: int, *, ascii_only: bool) -> None:
        self.canvas = Canvas(columns, lines, ascii_only=ascii_only)
        self._keys: dict[Area, object] = {}

    def block(self, area: Area, key: object, paint: Callable[[Canvas], object]) -> None:
        """Paint a block again if its key, a value that says all that is painted, is not the one it has."""
        if area in self._keys:
            if self._keys[area] == key:
                return
            self._clear(area)
        paint(self.canvas)
        self._keys[area] = key

    def _clear(self, area: Area) -> None:
        lines, columns = slice(max(0, area.top), max(0, area.bottom)), slice(max(0, area.left), max(0, area.right))
        self.canvas.chars[lines, columns] = BLANK
        self.canvas.styles[lines, columns] = 0

    def cells(self) -> Cells:
        """The picture as it is now: a copy, for the board changes, that nobody can write to."""
        copy = Cells(self.canvas.chars.copy(), self.canvas.styles.copy())
        copy.chars.flags.writeable = copy.styles.flags.writeable = False
        return copy
