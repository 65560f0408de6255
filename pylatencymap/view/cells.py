"""The picture as cells: one character and one style each."""

import sys
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .ink import BLANK_BITS

Span: TypeAlias = tuple[str, int]
"""Text and its style."""
Text: TypeAlias = tuple[Span, ...]
CharArray: TypeAlias = NDArray[np.uint32]
StyleArray: TypeAlias = NDArray[np.uint16]
BoolArray: TypeAlias = NDArray[np.bool_]

BLANK = ord(" ")
_CODEC = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
_NO_WIDTH = frozenset({"Mn", "Me", "Cf", "Cc", "Zl", "Zp"})
"""Categories of characters that terminals draw over the one before, not at all, or that they obey."""
_ASCII_FOR = {"·": ".", "…": "~", "µ": "u", "μ": "u", "▸": ">"}


class Cells(NamedTuple):
    """``chars`` uint32 [lines, columns]: narrow code points; ``styles`` uint16 [lines, columns]: see ink."""

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
        return [decode(row) for row in self.chars]


class Canvas:
    """Cells being painted. What does not fit is cut, never an error."""

    def __init__(self, columns: int, lines: int, *, ascii_only: bool = False) -> None:
        self.columns = columns
        self.lines = lines
        self.chars: CharArray = np.full((lines, columns), BLANK, np.uint32)
        self.styles: StyleArray = np.zeros((lines, columns), np.uint16)
        self._ascii_only = ascii_only
        # The same memory: a picture is hundreds of short texts, and slices of arrays cost more than what is copied.
        self._chars = self.chars.reshape(-1).data
        self._styles = self.styles.reshape(-1).data

    def put(self, line: int, column: int, text: str, style: int = 0) -> int:
        """Write text from a column on; returns the column after it."""
        if text:
            self._copy(line, column, *_written(text, style, self._ascii_only))
        return column + len(text)

    def _copy(self, line: int, column: int, codes: memoryview, styles: memoryview) -> None:
        end = column + len(codes)
        if 0 <= line < self.lines and end > 0 and column < self.columns:
            if column < 0 or end > self.columns:
                part = slice(max(0, -column), self.columns - column)
                codes, styles = codes[part], styles[part]
            start = line * self.columns + max(0, column)
            stop = start + len(codes)
            self._chars[start:stop] = codes
            self._styles[start:stop] = styles

    def put_down(self, line: int, column: int, character: str, style: int, height: int) -> None:
        """Write a character on so many lines, from a line down."""
        if 0 <= column < self.columns:
            part = np.s_[max(0, line) : max(0, line + height), column]
            self.chars[part], self.styles[part] = ord(character), style

    def put_text(self, line: int, column: int, spans: Iterable[Span]) -> int:
        """Write spans one after the other; returns the column after the last."""
        codes, styles = _written_text(tuple(spans), self._ascii_only)
        self._copy(line, column, codes, styles)
        return column + len(codes)

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
        self.chars[line : line + height, column : column + width] = chars[:height, :width]
        self.styles[line : line + height, column : column + width] = styles[:height, :width]

    def cells(self) -> Cells:
        """The finished picture. Blanks lose what cannot be seen of their style, so that runs are long."""
        self.styles[self.chars == BLANK] &= np.uint16(BLANK_BITS)
        return Cells(self.chars, self.styles)


def width_of(spans: Iterable[Span]) -> int:
    """Columns that spans take."""
    return sum(len(text) for text, _ in spans)


def decode(chars: CharArray) -> str:
    """The text of code points."""
    return chars.tobytes().decode(_CODEC)


@lru_cache(maxsize=4096)
def _written(text: str, style: int, ascii_only: bool) -> tuple[memoryview, memoryview]:
    """Code points and styles of a text. Labels and numbers come again in every frame, so they are kept."""
    codes = memoryview(_narrow(text, ascii_only).encode(_CODEC, "replace")).cast("I")
    return codes, np.full(len(codes), style, np.uint16).data


@lru_cache(maxsize=256)
def _written_text(spans: Text, ascii_only: bool) -> tuple[memoryview, memoryview]:
    """The same of several spans: most lines say what they said a frame ago."""
    codes = _written("".join(text for text, _ in spans), 0, ascii_only)[0]
    styles = np.repeat(np.array([style for _, style in spans], np.uint16), [len(text) for text, _ in spans])
    return codes, styles.data


def _narrow(text: str, ascii_only: bool) -> str:
    """One cell per character: whatever is wider, narrower or not to be had becomes a question mark; so does, as the
    last guard of the terminal, a control character.
    """
    if text.isascii() and text.isprintable():
        return text
    if ascii_only:
        return "".join(c if c.isascii() and c.isprintable() else _ASCII_FOR.get(c, "?") for c in text)
    return "".join(c if _takes_one_cell(c) else "?" for c in text)


def _takes_one_cell(character: str) -> bool:
    return unicodedata.category(character) not in _NO_WIDTH and unicodedata.east_asian_width(character) not in "WF"
