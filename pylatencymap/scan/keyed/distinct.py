"""Finds which of many short texts of a chunk are alike, so that each different one is looked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..byte_words import BYTES, ByteWords, Flags, Places
from ..chunk import Chunk
from ..reader import NotScannable
from .said import UNKNOWN, KeysOfLines, Value

_BLANKS, _ONES, _HIGH = (np.uint64(byte * 0x0101010101010101) for byte in (ord(" "), 1, 0x80))
_ONE, _SEVEN, _NONE = np.uint64(1), np.uint64(7), np.uint64(0)


def first_of_words(text: Chunk, begins: Places) -> tuple[Places, Places]:
    """For words that begin at these places and end before a blank: of each different one the first, and for each word
    the number of that.
    """
    numbers, going, count = np.zeros(begins.size, np.int64), np.arange(begins.size), 0
    offset = 0
    while going.size:
        words, is_over = _before_blank(text.at(begins[going] + offset))
        _, of_word = np.unique(words, return_inverse=True)
        _, of_both = np.unique(numbers[going] * going.size + of_word, return_inverse=True)
        numbers[going] = count + of_both
        count += int(of_both.max()) + 1
        going, offset = going[~is_over], offset + BYTES
    _, first, numbers = np.unique(numbers, return_index=True, return_inverse=True)
    return first, numbers


def _before_blank(words: ByteWords) -> tuple[ByteWords, Flags]:
    """The characters before the first blank of each word, and whether there is one."""
    others = words ^ _BLANKS
    blanks = (others - _ONES) & ~others & _HIGH  # the lowest bit that is set is exact
    return words & (((blanks & (~blanks + _ONE)) >> _SEVEN) - _ONE), blanks != _NONE


def keys_alike(
    lines: Places, usual: Places, alike: tuple[Places, Places], value_at: Callable[[int], Value]
) -> KeysOfLines:
    """The values of a key in some lines. Of the ``usual`` places among them it is known which are ``alike``, see
    ``first_of_words``. ``value_at`` looks at one line, and raises NotScannable if that does not tell.
    """
    first, same = alike
    values = [value_at(int(lines[place])) for place in usual[first].tolist()]
    return keys_said(lines, usual, SaidBySome(np.ones(usual.size, np.bool_), values, same), value_at)


class SaidBySome(NamedTuple):
    """Which of some lines are known, their different values, and for each of the known ones the place of its value."""

    known: Flags
    values: Sequence[Value]
    same: Places


def keys_said(lines: Places, usual: Places, said: SaidBySome | None, value_at: Callable[[int], Value]) -> KeysOfLines:
    """The same where it is known what the ``usual`` places, or some of them, say."""
    values: dict[Value, int] = {}
    numbers = np.zeros(lines.size, np.int64)
    rest = np.ones(lines.size, np.bool_)
    if said is not None and said.same.size:
        found = [values.setdefault(value, len(values)) for value in said.values]
        known = usual[said.known]
        numbers[known] = np.array(found, np.int64)[said.same]
        rest[known] = False
    for place in rest.nonzero()[0].tolist():
        try:
            numbers[place] = values.setdefault(value_at(int(lines[place])), len(values))
        except NotScannable:
            numbers[place] = UNKNOWN
    return KeysOfLines([*values], numbers)


class NumberFields(NamedTuple):
    """Numbers in a text: their values, the places where they begin, and those behind them."""

    values: Places
    begins: Places
    behind: Places

    def of(self, which: Places) -> NumberFields:
        return NumberFields(*(part[which] for part in self))

    def are_plain(self, text: Chunk) -> Flags:
        """Which are printed as numbers are, without zeros before them."""
        plain: Flags = (self.behind - self.begins == 1) | (text.buffer[self.begins] != ord("0"))
        return plain


def numbers_said(numbers: NumberFields, known: Flags) -> SaidBySome:
    """The numbers as values; they are ``known`` where they are plain, and a value at all."""
    values, same = np.unique(numbers.values[known], return_inverse=True)
    return SaidBySome(known, [*map(str, values.tolist())], same)


def value_named(names: Sequence[str], said: Sequence[tuple[str, str]]) -> Value:
    """The first of these names that is said, in any case."""
    values = {name.lower(): value for name, value in said}
    return next((values[name] for name in names if name in values), None)
