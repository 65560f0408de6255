"""Parses the fields of all lines of a chunk in parallel, and flags the lines that it is not sure about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .byte_words import (
    BYTES,
    ByteWords,
    Flags,
    Places,
    as_word,
    eight_digits,
    first_bytes,
    leading_digits,
    leading_number,
    other_than_digits,
    places_of,
)
from .chunk import Chunk

Bytes = NDArray[np.uint8]
_BLOCK = 1 << 18
"""Characters that are tested together: few enough that intermediate arrays stay in the caches and reuse memory."""
_COLONS = as_word(b"\0\0\xff\0\0\xff\0\0")


class FieldReader:
    """Reads fields of many lines at once, one row per line.

    Each step reads one field at a place in every row and returns the place after it. ``sure`` flags the rows in which
    every field so far was as expected; the values of other rows mean nothing.
    """

    def __init__(self, text: Chunk, count: int) -> None:
        self._text = text
        self.sure = np.ones(count, np.bool_)

    def literal(self, places: Places, literal: bytes) -> Places:
        """A literal of any length."""
        self.sure &= self._text.holds(places, literal)
        return places + len(literal)

    def number(self, places: Places) -> tuple[Places, Places]:
        """The value of 1 to 15 digits, and the place after them; with more digits a row is not sure."""
        words = self._text.at(places)
        found = leading_digits(words)
        self.sure &= found > 0
        values, length = as_signed(leading_number(words, found)), as_signed(found)
        more = (length == BYTES).nonzero()[0]
        if more.size:
            behind = self._text.at(places[more] + BYTES)
            extra = leading_digits(behind)
            self.sure[more] &= extra < BYTES
            values[more] = values[more] * 10 ** as_signed(extra) + as_signed(leading_number(behind, extra))
            length[more] += as_signed(extra)
        return values, places + length

    def integer(self, places: Places) -> None:
        """1 to 15 digits, followed by a blank; their value is not needed."""
        words = self._text.at(places)
        length = leading_digits(words)
        behind = words >> (length << np.uint64(3)) & first_bytes(1)
        more = (length == BYTES).nonzero()[0]
        if more.size:
            words = self._text.at(places[more] + BYTES)
            behind[more] = words >> (leading_digits(words) << np.uint64(3)) & first_bytes(1)
        self.sure &= (length > 0) & (behind == as_word(b" "))

    def digits(self, places: Places, count: int) -> Places:
        """The value of exactly ``count`` digits, 1 to 15."""
        if count > BYTES:
            high, low = self.digits(places, count - BYTES), self.digits(places + (count - BYTES), BYTES)
            return high * np.int64(10**BYTES) + low
        words = self._text.at(places)
        if count < BYTES:
            words = words << np.uint64(8 * (BYTES - count)) | as_word(b"0" * (BYTES - count))
        self.sure &= other_than_digits(words) == 0
        return as_signed(eight_digits(words))

    def all_digits(self, places: Places, count: int) -> Places:
        """Exactly ``count`` digits, at most 8, whatever their value is; returns the place after them."""
        self.sure &= (other_than_digits(self._text.at(places)) & first_bytes(count)) == 0
        return places + count

    def time_of_day(self, places: Places) -> Places:
        """Seconds in ``HH:MM:SS``. Leap seconds, and what is no time, are left to the decoder."""
        words = self._text.at(places)
        self.sure &= (words & _COLONS) == as_word(b"\0\0:\0\0:\0\0")
        words = words & ~_COLONS | as_word(b"\0\0000\0\0000\0\0")
        self.sure &= other_than_digits(words) == 0
        together = as_signed(eight_digits(words))
        hours, minutes = together // 10**6, together // 1000
        minutes, seconds = minutes - hours * 1000, together - minutes * 1000
        self.sure &= (hours < 24) & (minutes < 60) & (seconds < 60)
        since_midnight: Places = hours * 3600 + minutes * 60 + seconds
        return since_midnight

    def digit(self, places: Places, before: bytes, behind: bytes) -> tuple[Places, Places]:
        """The value of one digit between two literals, and the place after them: at most eight characters together."""
        words = self._text.at(places)
        length = len(before) + 1 + len(behind)
        around = first_bytes(length) & ~(np.uint64(0xFF) << np.uint64(8 * len(before)))
        self.sure &= (words & around) == as_word(before + b"\0" + behind)
        values = ((words >> np.uint64(8 * len(before))) & np.uint64(0xFF)) - np.uint64(ord("0"))
        self.sure &= values < 10  # characters below "0" have wrapped around to very large values
        return as_signed(values), places + length

    def fraction(self, places: Places, count: int, ends: bytes = b" ") -> Places:
        """The value of ``count`` digits, 1 to 6, after a decimal point and before one of the characters in ``ends``."""
        words = self._text.at(places)
        self.sure &= (words & first_bytes(1)) == as_word(b".")
        self.sure &= _begins_with(words >> np.uint64(8 * (count + 1)), ends)
        words = words << np.uint64(8 * (BYTES - 1 - count)) & ~first_bytes(BYTES - count)
        self.sure &= other_than_digits(words | as_word(b"0" * (BYTES - count))) == 0
        return as_signed(eight_digits(words))

    def ended(self, places: Places, ends: bytes) -> None:
        """One of the characters in ``ends``."""
        self.sure &= _begins_with(self._text.at(places), ends)


def _begins_with(words: ByteWords, chars: bytes) -> Flags:
    """Whether each word begins with one of ``chars``."""
    first = words.astype(np.uint8)
    found: Flags = first == chars[0]
    for char in chars[1:]:
        found |= first == char
    return found


def as_signed(words: ByteWords) -> Places:
    """The same values as signed integers; words are below 2^63."""
    same: Places = words.view(np.int64)
    return same


def matching_places(text: Chunk, test: Callable[[Bytes], Flags], few: bool = False) -> Places:
    """The places of the characters for which a test holds.

    The test gets consecutive characters with the one before them, and returns a flag for each but that first one.
    ``few`` makes it faster if the test holds for less than one character in 40.
    """
    if not text.count:
        return np.zeros(0, np.int64)
    first, end = int(text.starts[0]), int(text.ends[-1])  # without the end of the last line
    hits = np.empty(end - first, np.bool_)
    for begin in range(first, end, _BLOCK):
        block = test(text.buffer[begin - 1 : min(begin + _BLOCK, end)])
        hits[begin - first : begin - first + block.size] = block
    places = places_of(hits) if few else hits.nonzero()[0]
    places += first
    return places


def lines_at(text: Chunk, places: Places) -> Places:
    """The numbers of the lines that hold these places, ascending, each number once."""
    return np.unique(np.searchsorted(text.starts, places, side="right") - 1)


def doubtful_lines(
    text: Chunk, sure: Flags, context: Iterable[int] = (), followed: bytes = b""
) -> tuple[dict[int, bytes], dict[int, int | None]]:
    """The lines that the decoder has to see: ``decoded`` and ``known`` of ``ChunkEvents``.

    These are all lines that are not sure. For context the decoder also sees some sure lines, which are the known ones:
    the first and the last line of the chunk, the lines of ``context``, and each line after a doubtful line that
    contains ``followed``.
    """
    decoded = {index: text.line(index) for index in (~sure).nonzero()[0].tolist()}
    behind = (index + 1 for index, line in decoded.items() if followed and followed in line)
    known = {index for index in (0, text.count - 1, *context, *behind) if 0 <= index < text.count}.difference(decoded)
    decoded.update((index, text.line(index)) for index in known)
    return decoded, dict.fromkeys(known)


# Times as columns show them: decimal numbers of one unit, and times of day.


NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1, "": 10**9}
"""Nanoseconds per unit, by its name in a header; "" is a time of day, whose last number is in seconds."""
_PRINTED = re.compile(r"(?:[0-9]+|(\d\d:\d\d:\d\d))(?:\.(\d{1,6}))?")
_ENDS = b" \n\r"
_MOST = 4 * 10**18
"""Nanoseconds; the decoder reads larger numbers."""


class DecimalFormat(NamedTuple):
    """The format of decimal numbers: ``digits`` after the point, in units of ``nanos`` nanoseconds.

    ``of_day``: the numbers are times of day, ``HH:MM:SS`` and the fraction.
    """

    digits: int
    nanos: int
    of_day: bool

    def read(self, rows: FieldReader, places: Places) -> tuple[Places, Places]:
        """The values in nanoseconds, and the places after them."""
        if self.of_day:
            whole, places = rows.time_of_day(places), places + len("HH:MM:SS")
        else:
            whole, places = rows.number(places)
            rows.sure &= whole < _MOST // self.nanos
        value = whole * np.int64(self.nanos)
        if not self.digits:
            rows.ended(places, _ENDS)
            return value, places
        value += rows.fraction(places, self.digits, _ENDS) * np.int64(self.nanos // 10**self.digits)
        return value, places + (1 + self.digits)

    @property
    def nanos_per_unit(self) -> int:
        """Nanoseconds of the largest unit in which all numbers of this format are whole; the decoder uses the same."""
        thousands = -(-self.digits // 3)
        return max(self.nanos // int(1000**thousands), 1)


def decimal_format(printed: str, unit: str) -> DecimalFormat | None:
    """The format of a number that a source printed; None if only the decoder can read such numbers."""
    found = _PRINTED.fullmatch(printed)
    digits = len(found[2] or "") if found else 0
    return DecimalFormat(digits, NANOS[unit], bool(found[1])) if found and 10**digits <= NANOS[unit] else None


# Lines of a fixed number of words, separated by blanks.


_BLANK, _LAST = np.uint8(ord(" ")), np.uint8(ord("~"))


class WordStarts:
    """Where the words of each line begin.

    ``sure`` flags the lines with exactly ``count`` words, or at least that many with ``more``. ``starts[n]`` are the
    places of word n; in lines that are not sure, the place of the line's beginning.
    """

    def __init__(self, text: Chunk, count: int, more: bool) -> None:
        places = matching_places(text, _begin_words)
        if _is_regular(text, places, count):
            self.sure: Flags = np.ones(text.count, np.bool_)
            self.starts = list(places.reshape(-1, count).T.copy())
        else:
            first = np.searchsorted(places, text.starts)
            found = np.diff(first, append=places.size)
            self.sure = (found >= count) if more else (found == count)
            padded = np.concatenate((places, np.zeros(count, np.int64)))
            self.starts = [np.where(self.sure, padded[first + word], text.starts) for word in range(count)]
        self.sure[_odd(text)] = False


def _is_regular(text: Chunk, places: Places, count: int) -> bool:
    """Whether all lines have exactly ``count`` words."""
    if places.size != text.count * count or not text.count:
        return False
    return bool((places[::count] >= text.starts).all() and (places[count - 1 :: count] < text.ends).all())


def _begin_words(chars: Bytes) -> Flags:
    """Which characters after the first begin a word."""
    inside = chars > _BLANK
    begun: Flags = inside[1:] > inside[:-1]
    return begun


def _odd(text: Chunk) -> Places:
    """Lines with characters that are not printable ASCII: some of those are blanks as well."""
    chars = text.buffer[text.starts[0] : text.ends[-1]] if text.count else text.buffer[:0]
    if text.plain and (not chars.size or int(chars.max()) <= _LAST):
        return np.zeros(0, np.int64)
    places = matching_places(text, lambda chars: (chars[1:] - _BLANK) > _LAST - _BLANK)
    line_ends = text.holds(places, b"\n") | text.holds(places, b"\r\n")
    return lines_at(text, places[~line_ends])
