"""Line prefixes (literal, digits, literal) and categories, learned from a few lines and matched against all.

How ``LinePrefixes`` finds the prefix of each line of a chunk:
1. One pass compares all lines with the usual prefix, if most lines had it so far.
2. The lines left over are looked up in tables of prefixes with the same literal and number of digits before the last
   literal. A hash of the first one to three words of that literal leads to a slot with the only candidate.
3. The lines of each candidate are compared with all of it, word by word, so that a false candidate costs time only.
   Digits only have to be digits: see ``headroom``. A prefix whose slot is taken goes to a table of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .byte_words import (
    BYTES,
    ByteWords,
    Flags,
    Places,
    WordRows,
    all_within,
    as_word,
    evaluate_by_runs,
    first_bytes,
    headroom,
)
from .chunk import Chunk

LONGEST_PREFIX = 14 * BYTES
"""The most characters of a prefix, chosen so that one row also holds the word after it."""
MOST_PREFIXES = 500
"""The most prefixes that are matched; the decoder reads lines with others."""
_MOST_KEYED, _SLOT_BITS = 3, 12
_FACTORS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
"""Large odd numbers without a pattern, so that the upper bits of a product depend on all bits of a word."""
_SHIFT = np.uint64(64 - _SLOT_BITS)
_SAMPLE = 64
_ALL, _NONE = first_bytes(BYTES), headroom(b"")
_BLANK, _NINE = ord(" "), 9


class LinePrefix(NamedTuple):
    """How a line begins: a literal, a number of digits, and another literal."""

    before_digits: bytes
    digits: int
    after_digits: bytes

    @property
    def length(self) -> int:
        return len(self.before_digits) + self.digits + len(self.after_digits)

    @classmethod
    def of(cls, found: re.Match[bytes]) -> LinePrefix:
        """The prefix in a match whose first three groups are its parts."""
        return cls(found[1], len(found[2]), found[3])

    @property
    def key(self) -> tuple[bytes, int, int]:
        """The parts before the last literal, and how many whole words of that literal are hashed."""
        return self.before_digits, self.digits, min(len(self.after_digits) // BYTES, _MOST_KEYED)


class _Pattern:
    """A prefix as words to compare lines with; ``lead`` characters before it make its last literal start a word."""

    def __init__(self, beginning: LinePrefix) -> None:
        before, digits, behind = beginning
        self.lead = -(len(before) + digits) % BYTES
        text = bytes(self.lead) + before + b"0" * digits + behind
        most = bytes(self.lead + len(before)) + bytes([_NINE]) * digits + bytes(len(behind))
        self.length, self._blank = len(text), behind.endswith(b" ") or not behind
        self.words = [
            (
                as_word(text[place:]),
                first_bytes(len(text) - place) & ~first_bytes(self.lead - place),
                headroom(most[place : place + BYTES]),
            )
            for place in range(0, len(text), BYTES)
        ]

    def matches(self, rows: WordRows) -> Flags:
        """Which rows match; each row begins ``lead`` characters before its line."""
        hits = np.ones(len(rows), np.bool_)
        for column, (expected, whole, above) in zip(rows.T, self.words, strict=False):
            if above != _NONE:  # the number is often the same as in the line before
                hits &= evaluate_by_runs(column, partial(_digits_as, expected, whole, above))
            else:
                hits &= (column if whole == _ALL else column & whole) == expected
        return hits

    def found(self, text: Chunk, places: Places) -> tuple[Flags, ByteWords]:
        """Whether the prefix is at each place, and the eight characters after it; there is at least one place."""
        rows = text.rows(places - self.lead, len(self.words) + 1)
        hits = self.matches(rows)
        behind: ByteWords = np.ndarray(places.shape, "<u8", rows, self.length, rows.strides[:1]).copy()
        if not self._blank:
            hits &= (behind & first_bytes(1)) != _BLANK
        return hits, behind


def _digits_as(expected: np.uint64, whole: np.uint64, above: np.uint64, words: ByteWords) -> Flags:
    """Whether the bits ``whole`` of each word are as expected, with any digit in place of each expected zero."""
    return all_within((words ^ expected) & whole, above)


_pattern = lru_cache(2 * MOST_PREFIXES)(_Pattern)


class _Table:
    """Prefixes that have the same literal and number of digits before their last literals.

    They are hashed by the first words of the last literals. A slot has the number of the only prefix that a line with
    this hash can have, or 0.
    """

    def __init__(self, key: tuple[bytes, int, int]) -> None:
        self.key = key
        before, digits, self._keyed = key
        self._head = _Pattern(LinePrefix(before, digits, b""))
        self._length = len(before) + digits
        self._slots = np.zeros(1 << _SLOT_BITS, np.int16)
        self._literals: dict[int, bytes] = {}

    def put(self, number: int, behind: bytes) -> bool:
        """Give a prefix its slot; False if another prefix has that slot."""
        slot = self._slot_of(np.frombuffer(behind[: BYTES * self._keyed], "<u8").reshape(1, -1))[0]
        if self._slots[slot]:
            return False
        self._slots[slot] = number
        self._literals[number] = behind
        return True

    def find(self, text: Chunk, places: Places, numbers: NDArray[np.int16], behind: ByteWords) -> None:
        """Write the number of each line that has one of these prefixes, and the eight characters after the prefix.

        Lines that have a number already are skipped.
        """
        left = (numbers == 0).nonzero()[0]
        if not left.size:
            return
        begins = places[left]
        guesses = self._guesses(text, begins)
        order, counts = guesses.argsort(kind="stable"), np.bincount(guesses).tolist()
        begin = 0
        for number, count in enumerate(counts):
            some = order[begin : begin + count]
            begin += count
            if number and count:
                pattern = _pattern(LinePrefix(b"", 0, self._literals[number]))
                hits, words = pattern.found(text, begins[some] + self._length)
                some = left[some]
                numbers[some], behind[some] = hits * np.int16(number), words

    def _guesses(self, text: Chunk, places: Places) -> NDArray[np.int16]:
        """The number in the slot of each line, 0 if the line differs before the last literal."""
        head = self._head
        rows = text.rows(places - head.lead, len(head.words) + self._keyed)
        guesses = self._slots[self._slot_of(rows[:, len(head.words) :])]
        guesses *= head.matches(rows)
        return guesses

    def _slot_of(self, rows: WordRows) -> Places:
        total = rows[:, 0] * _FACTORS[0]
        for place in range(1, self._keyed):
            total += rows[:, place] * _FACTORS[place]
        slots: Places = (total >> _SHIFT).view(np.int64)
        return slots


class LinePrefixes:
    """The known prefixes, numbered from 1. An object does not change.

    A prefix has at most LONGEST_PREFIX characters, and at least a word of them after the digits. After a prefix that
    does not end with a blank, the line does not go on with a blank.
    """

    def __init__(self, known: Iterable[LinePrefix] = ()) -> None:
        self.known = tuple(known)
        self._tables: list[_Table] = []
        for number, beginning in enumerate(self.known, 1):
            if not any(
                table.key == beginning.key and table.put(number, beginning.after_digits) for table in self._tables
            ):
                self._tables.append(_Table(beginning.key))
                self._tables[-1].put(number, beginning.after_digits)

    def learned(self, seen: Iterable[LinePrefix]) -> LinePrefixes | None:
        """The known prefixes and those in ``seen``; None if there is no new one, or no room for it."""
        known = dict.fromkeys((*self.known, *(one for one in seen if one.length <= LONGEST_PREFIX)))
        return LinePrefixes(tuple(known)[:MOST_PREFIXES]) if len(self.known) < min(len(known), MOST_PREFIXES) else None

    def found(self, text: Chunk, places: Places, usual: int = 0) -> tuple[NDArray[np.int16], ByteWords]:
        """The number of the prefix at each place, or 0, and the eight characters after it.

        It is faster if most lines have the prefix number ``usual``; 0: no prefix is usual.
        """
        if usual and places.size:
            hits, behind = _pattern(self.known[usual - 1]).found(text, places)
            numbers = hits * np.int16(usual)
        else:
            numbers, behind = np.zeros(places.size, np.int16), np.zeros(places.size, np.uint64)
        for table in self._tables:
            table.find(text, places, numbers, behind)
        return numbers, behind


def usual_number(numbers: NDArray[np.int16]) -> int:
    """The number that most lines have, judged by a sample of them; 0 if there is no such number."""
    some = numbers[:: numbers.size // _SAMPLE + 1]
    counts = np.bincount(some, minlength=1)
    number = int(counts.argmax())
    return number if 2 * int(counts[number]) > some.size else 0


# Categories: fields with few distinct values, learned from some lines and matched against all.


MOST_CATEGORIES = 200
"""The most categories that are matched in a chunk; the decoder reads rows with others."""
_FEW = 8
"""Once less than one row in this many is left, only the rows that are left are matched, not all of them."""

RowSubset: TypeAlias = Places | slice
"""Rows by their numbers, or a slice of all rows."""
Category = TypeVar("Category")


class Categories(Generic[Category]):
    """The categories seen so far, the most frequent first."""

    def __init__(self) -> None:
        self._known: tuple[Category, ...] = ()

    def numbers(
        self, sure: Flags, is_of: Callable[[Category, RowSubset], Flags], learn: Callable[[int], Category | None]
    ) -> tuple[list[Category], Places]:
        """The categories, and for each row the number of its category, or -1; only rows that are ``sure`` have one.

        ``is_of`` says which rows have a category; ``learn`` reads the category of a row that has no known one.
        """
        known = list(self._known)
        counts = [0] * len(known)
        numbers = np.full(sure.size, -1, np.int64)
        left: Flags = sure.copy()
        count = int(np.count_nonzero(left))
        for number, kind in enumerate(known):
            if count * _FEW < left.size:
                break
            hits = is_of(kind, slice(None))
            hits &= left
            counts[number] = int(np.count_nonzero(hits))
            count -= counts[number]
            left ^= hits
            np.putmask(numbers, hits, number)
        rows = left.nonzero()[0]
        number = 0
        while rows.size and number < MOST_CATEGORIES:
            if number == len(known):
                kind_of_row = learn(int(rows[0]))
                if kind_of_row is None or kind_of_row in known:
                    rows = rows[1:]
                    continue
                known.append(kind_of_row)
                counts.append(0)
            hits = is_of(known[number], rows)
            numbers[rows[hits]] = number
            counts[number] += int(np.count_nonzero(hits))
            rows = rows[~hits]
            number += 1
        self._known = tuple(
            known[place] for place in np.argsort(counts, kind="stable")[::-1].tolist()[:MOST_CATEGORIES]
        )
        return known, numbers
