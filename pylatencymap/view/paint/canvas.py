"""The grid of cells on which a picture is painted: each cell has one character and one style."""

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
"""The code in the second cell of a wide character; that cell has the style of the first."""
_CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_ASCII_FOR = {"·": ".", "…": "~", "µ": "u", "μ": "u", "▸": ">"}


class Cells(NamedTuple):
    """The cells of a picture.

    chars     uint32 [lines, columns], code points, with TAIL_CODE after a character of two cells
    styles    uint16 [lines, columns], see ``style/styles.py``
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
        """The text of each line."""
        return [text_of_codes(row).replace(TAIL, "") for row in self.chars]


class Canvas:
    """Cells being painted. What does not fit is cut; it is never an error.

    A character of two cells has both of them on the canvas or neither: if one is overwritten, the other becomes blank.
    """

    def __init__(self, columns: int, lines: int, *, ascii_only: bool = False) -> None:
        self.columns = columns
        self.lines = lines
        self.chars: CharArray = np.full((lines, columns), BLANK, np.uint32)
        self.styles: StyleArray = np.zeros((lines, columns), np.uint16)
        self._ascii_only = ascii_only
        self._has_wide = False
        # Views of the same memory: a picture has hundreds of short texts, and slicing an array costs more than copying.
        self._chars = self.chars.reshape(-1).data
        self._styles = self.styles.reshape(-1).data

    def put(self, line: int, column: int, text: str, style: int = 0) -> int:
        """Write text that starts at a column; return the column after it."""
        if not text:
            return column
        written = _written(text, style, self._ascii_only)
        self._copy(line, column, written)
        return column + len(written.codes)

    def _copy(self, line: int, column: int, written: "_Written") -> None:
        codes, styles, has_wide = written
        size = len(codes)
        if 0 <= line < self.lines and size and -size < column < self.columns:
            self._has_wide |= has_wide
            if column < 0 or column + size > self.columns:
                part = slice(max(0, -column), self.columns - column)
                codes, styles = _whole(codes, part) if has_wide else codes[part], styles[part]
                column, size = max(0, column), len(codes)
            start = line * self.columns + column
            stop = start + size
            if self._has_wide:
                self._free_run(start, stop)
            self._chars[start:stop] = codes
            self._styles[start:stop] = styles

    def _free_run(self, start: int, stop: int) -> None:
        """The same as ``_free`` for a piece of one line, by positions in memory. No line begins with a second half."""
        if self._chars[start] == TAIL_CODE:
            self._chars[start - 1] = BLANK
        if stop < len(self._chars) and self._chars[stop] == TAIL_CODE:
            self._chars[stop] = BLANK

    def _free(self, lines: slice, left: int, right: int) -> None:
        """Call before overwriting cells: blanks the adjacent halves of wide characters that lose their other half."""
        for edge, lost in ((left, left - 1), (right, right)):
            if 0 < edge < self.columns:
                rows = np.flatnonzero(self.chars[lines, edge] == TAIL_CODE)
                self.chars[lines, lost][rows] = BLANK

    def put_down(self, line: int, column: int, character: str, style: int, height: int) -> None:
        """Write a character of one cell on ``height`` lines, downwards from ``line``."""
        if 0 <= column < self.columns:
            lines = np.s_[max(0, line) : max(0, line + height)]
            if self._has_wide:
                self._free(lines, column, column + 1)
            self.chars[lines, column], self.styles[lines, column] = ord(character), style

    def put_text(self, line: int, column: int, spans: Iterable[StyledSpan]) -> int:
        """Write spans one after another; return the column after the last."""
        written = _written_text(tuple(spans), self._ascii_only)
        self._copy(line, column, written)
        return column + len(written.codes)

    def is_blank(self, line: int, column: int) -> bool:
        """Whether a cell and its left and right neighbours are empty. False outside of the canvas."""
        if not (0 <= line < self.lines and 0 <= column < self.columns):
            return False
        part = np.s_[line, max(0, column - 1) : column + 2]
        return bool((self.chars[part] == BLANK).all() and not self.styles[part].any())

    def put_block(self, line: int, column: int, chars: CharArray, styles: StyleArray, *, wide: bool = True) -> None:
        """Copy a block [height, width] of cells; ``wide``: it may have characters of two."""
        height = max(0, min(chars.shape[0], self.lines - line))
        width = max(0, min(chars.shape[1], self.columns - column))
        lines = np.s_[line : line + height]
        self._has_wide = self._has_wide or (wide and TAIL_CODE in chars)
        if self._has_wide and height and width:
            self._free(lines, column, column + width)
        self.chars[lines, column : column + width] = chars[:height, :width]
        self.styles[lines, column : column + width] = styles[:height, :width]
        if wide and 0 < width < chars.shape[1]:
            self.chars[lines, column + width - 1][chars[:height, width] == TAIL_CODE] = BLANK

    def cells(self) -> Cells:
        """The finished picture. Blanks lose the invisible part of their style, so that runs of one style are longer."""
        self.styles[self.chars == BLANK] &= np.uint16(BLANK_BITS)
        return Cells(self.chars, self.styles)


def text_of_codes(chars: CharArray) -> str:
    """The text of code points, one character per cell."""
    return chars.tobytes().decode(_CODEC)


class _Written(NamedTuple):
    """The code points and styles of a text, cell by cell."""

    codes: memoryview
    styles: memoryview
    has_wide: bool


@lru_cache(maxsize=4096)
def _written(text: str, style: int, ascii_only: bool) -> _Written:
    """The cells of a text. Cached: labels and numbers are the same in most frames."""
    drawn = _drawable(text, ascii_only)
    codes = memoryview(drawn.encode(_CODEC, "replace")).cast("I")
    return _Written(codes, _seen(codes, np.full(len(codes), style, np.uint16)), TAIL in drawn)


@lru_cache(maxsize=256)
def _written_text(spans: StyledText, ascii_only: bool) -> _Written:
    """The cells of several spans. Cached: most lines are the same as in the last frame."""
    texts = [_drawable(text, ascii_only) for text, _ in spans]
    drawn = "".join(texts)
    styles = np.repeat(np.array([style for _, style in spans], np.uint16), [len(text) for text in texts])
    codes = memoryview(drawn.encode(_CODEC, "replace")).cast("I")
    return _Written(codes, _seen(codes, styles), TAIL in drawn)


def _seen(codes: memoryview, styles: StyleArray) -> memoryview:
    """The styles; those of blanks without their invisible part."""
    styles[np.frombuffer(codes, np.uint32) == BLANK] &= np.uint16(BLANK_BITS)
    return styles.data


def _whole(codes: memoryview, part: slice) -> memoryview:
    """A part of the cells of a text, with a blank for each wide character that is cut in half."""
    cells = np.array(codes[part])
    if cells[0] == TAIL_CODE:
        cells[0] = BLANK
    if part.stop < len(codes) and codes[part.stop] == TAIL_CODE:
        cells[-1] = BLANK
    return cells.data


def _drawable(text: str, ascii_only: bool) -> str:
    """One character per cell, see ``spread``.

    With ``ascii_only`` other characters become an ASCII one, or a question mark in each of their cells.
    ``spread`` replaces control characters: the last guard against sending one to the terminal.
    """
    if text.isascii() and text.isprintable():
        return text
    drawn = spread(text)
    if ascii_only:
        return "".join(c if c.isascii() and c.isprintable() else _ASCII_FOR.get(c, "?") for c in drawn)
    return drawn


# A canvas that is kept between pictures. Only the blocks whose content changed are painted again.


class Area(NamedTuple):
    """A rectangle of the canvas: lines ``top`` to ``bottom``, columns ``left`` to ``right``, ends not included."""

    top: int
    left: int
    bottom: int
    right: int


class Board:
    """The canvas, and the key that each block was last painted with.

    Blocks must not overlap, and each must paint within its own area only. What does not fit on the canvas is cut.
    """

    def __init__(self, columns: int, lines: int, *, ascii_only: bool) -> None:
        self.canvas = Canvas(columns, lines, ascii_only=ascii_only)
        self._keys: dict[Area, object] = {}

    def block(self, area: Area, key: object, paint: Callable[[Canvas], object]) -> None:
        """Clear and paint an area, unless its last painting had an equal key.

        The key is a value that contains everything that ``paint`` depends on.
        """
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
        """A read-only copy of the picture. It is a copy because the next picture is painted on the same canvas."""
        copy = Cells(self.canvas.chars.copy(), self.canvas.styles.copy())
        copy.chars.flags.writeable = copy.styles.flags.writeable = False
        return copy
