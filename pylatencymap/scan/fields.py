"""Lines of a piece taken apart side by side, and what of them is left in doubt."""

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
"""Characters that are looked at together: what is made of them stays in the caches, and memory is used again."""
_COLONS = as_word(b"\0\0\xff\0\0\xff\0\0")


class FieldReader:
    """One row for each of some lines. Each step reads a field from a place in every row and gives the place behind it;
    ``sure`` says of which rows all steps were true. What is read from the others means nothing.
    """

    def __init__(self, text: Chunk, count: int) -> None:
        self._text = text
        self.sure = np.ones(count, np.bool_)

    def literal(self, places: Places, literal: bytes) -> Places:
        """A literal of any length."""
        self.sure &= self._text.holds(places, literal)
        return places + len(literal)

    def number(self, places: Places) -> tuple[Places, Places]:
        """The value of 1 to 15 digits, and the place behind them; of more digits none is sure."""
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
        """Digits, 1 to 15, and a blank behind them."""
        words = self._text.at(places)
        length = leading_digits(words)
        behind = words >> (length << np.uint64(3)) & first_bytes(1)
        more = (length == BYTES).nonzero()[0]
        if more.size:
            words = self._text.at(places[more] + BYTES)
            behind[more] = words >> (leading_digits(words) << np.uint64(3)) & first_bytes(1)
        self.sure &= (length > 0) & (behind == as_word(b" "))

    def digits(self, places: Places, count: int) -> Places:
        """The value of so many digits, 1 to 15."""
        if count > BYTES:
            high, low = self.digits(places, count - BYTES), self.digits(places + (count - BYTES), BYTES)
            return high * np.int64(10**BYTES) + low
        words = self._text.at(places)
        if count < BYTES:
            words = words << np.uint64(8 * (BYTES - count)) | as_word(b"0" * (BYTES - count))
        self.sure &= other_than_digits(words) == 0
        return as_signed(eight_digits(words))

    def all_digits(self, places: Places, count: int) -> Places:
        """So many digits, at most 8, whatever their value is."""
        self.sure &= (other_than_digits(self._text.at(places)) & first_bytes(count)) == 0
        return places + count

    def time_of_day(self, places: Places) -> Places:
        """Seconds in ``HH:MM:SS``."""
        words = self._text.at(places)
        self.sure &= (words & _COLONS) == as_word(b"\0\0:\0\0:\0\0")
        words = words & ~_COLONS | as_word(b"\0\0000\0\0000\0\0")
        self.sure &= other_than_digits(words) == 0
        together = as_signed(eight_digits(words))
        hours, minutes = together // 10**6, together // 1000
        seconds: Places = hours * 3600 + (minutes - hours * 1000) * 60 + (together - minutes * 1000)
        return seconds

    def digit(self, places: Places, before: bytes, behind: bytes) -> tuple[Places, Places]:
        """The value of one digit between two literals, and the place behind them: at most eight characters together."""
        words = self._text.at(places)
        length = len(before) + 1 + len(behind)
        around = first_bytes(length) & ~(np.uint64(0xFF) << np.uint64(8 * len(before)))
        self.sure &= (words & around) == as_word(before + b"\0" + behind)
        values = ((words >> np.uint64(8 * len(before))) & np.uint64(0xFF)) - np.uint64(ord("0"))
        self.sure &= values < 10  # what is below "0" has become very large
        return as_signed(values), places + length

    def fraction(self, places: Places, count: int, ends: bytes = b" ") -> Places:
        """The value of so many digits behind a point, 1 to 6; behind them is one of the characters in ``ends``."""
        words = self._text.at(places)
        self.sure &= (words & first_bytes(1)) == as_word(b".")
        self.sure &= _begins_with(words >> np.uint64(8 * (count + 1)), ends)
        words = words << np.uint64(8 * (BYTES - 1 - count)) & ~first_bytes(BYTES - count)
        self.sure &= other_than_digits(words | as_word(b"0" * (BYTES - count))) == 0
        return as_signed(eight_digits(words))

    def ended(self, places: Places, ends: bytes) -> None:
        """One of some characters."""
        self.sure &= _begins_with(self._text.at(places), ends)


def _begins_with(words: ByteWords, chars: bytes) -> Flags:
    """Whether each word begins with one of some characters."""
    first = words.astype(np.uint8)
    found: Flags = first == chars[0]
    for char in chars[1:]:
        found |= first == char
    return found


def as_signed(words: ByteWords) -> Places:
    """The same values, of words below 2^63."""
    same: Places = words.view(np.int64)
    return same


def matching_places(text: Chunk, test: Callable[[Bytes], Flags], few: bool = False) -> Places:
    """The places of the characters for which a test holds: it is given some in a row, and the one before them. Where
    these are ``few``, less than one in 40, they are sooner found if that is told.
    """
    if not text.count:
        return np.zeros(0, np.int64)
    first, end = int(text.starts[0]), int(text.ends[-1])  # the end of the last line is not looked at
    hits = np.empty(end - first, np.bool_)
    for begin in range(first, end, _BLOCK):
        block = test(text.buffer[begin - 1 : min(begin + _BLOCK, end)])
        hits[begin - first : begin - first + block.size] = block
    places = places_of(hits) if few else hits.nonzero()[0]
    places += first
    return places


def lines_at(text: Chunk, places: Places) -> Places:
    """The lines that hold places in ascending order, each of them once."""
    return np.unique(np.searchsorted(text.starts, places, side="right") - 1)


def doubtful_lines(
    text: Chunk, sure: Flags, beside: Iterable[int] = (), followed: bytes = b""
) -> tuple[dict[int, bytes], dict[int, int | None]]:
    """What the decoder has to see (as in ``Found``): all lines that are not sure; and, to be known, of those that are
    the first and the last of the piece, those ``beside``, and those behind lines that hold what has to be ``followed``.
    """
    decoded = {index: text.line(index) for index in (~sure).nonzero()[0].tolist()}
    behind = (index + 1 for index, line in decoded.items() if followed and followed in line)
    known = {index for index in (0, text.count - 1, *beside, *behind) if 0 <= index < text.count}.difference(decoded)
    decoded.update((index, text.line(index)) for index in known)
    return decoded, dict.fromkeys(known)


# Times as columns print them: decimals of one unit, and times of day.


NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1, "": 10**9}
"""Nanoseconds of the units in headers; of a time of day the last number is in seconds."""
_PRINTED = re.compile(r"(?:[0-9]+|(\d\d:\d\d:\d\d))(?:\.(\d{1,6}))?")
_ENDS = b" \n\r"
_MOST = 4 * 10**18
"""Nanoseconds; more are left to the decoder."""


class DecimalFormat(NamedTuple):
    """Numbers with so many digits behind the point, in units of so many nanoseconds."""

    digits: int
    nanos: int
    of_day: bool

    def read(self, rows: FieldReader, places: Places) -> tuple[Places, Places]:
        """Nanoseconds, and the places behind."""
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
    def whole(self) -> int:
        """Nanoseconds of the unit in which latencies printed so are whole numbers, as the decoder has it."""
        thousands = -(-self.digits // 3)
        return max(self.nanos // int(1000**thousands), 1)


def decimal_format(printed: str, unit: str) -> DecimalFormat | None:
    """The form of one that was printed; None where others of its kind are for the decoder."""
    found = _PRINTED.fullmatch(printed)
    digits = len(found[2] or "") if found else 0
    return DecimalFormat(digits, NANOS[unit], bool(found[1])) if found and 10**digits <= NANOS[unit] else None


# Lines of so many words with blanks between them.


_BLANK, _LAST = np.uint8(ord(" ")), np.uint8(ord("~"))


class WordStarts:
    """Where the words of lines begin. ``sure`` are the lines that have as many as wanted, or more if there may be;
    ``starts[n]`` are the places of word n, of other lines that of their beginning.
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
    """Whether all lines have so many words."""
    if places.size != text.count * count or not text.count:
        return False
    return bool((places[::count] >= text.starts).all() and (places[count - 1 :: count] < text.ends).all())


def _begin_words(chars: Bytes) -> Flags:
    """Which characters, but for the first, begin words."""
    inside = chars > _BLANK
    begun: Flags = inside[1:] > inside[:-1]
    return begun


def _odd(text: Chunk) -> Places:
    """Lines with characters other than those of ASCII that print: some of them are blanks as well."""
    chars = text.buffer[text.starts[0] : text.ends[-1]] if text.count else text.buffer[:0]
    if text.plain and (not chars.size or int(chars.max()) <= _LAST):
        return np.zeros(0, np.int64)
    places = matching_places(text, lambda chars: (chars[1:] - _BLANK) > _LAST - _BLANK)
    line_ends = text.holds(places, b"\n") | text.holds(places, b"\r\n")
    return lines_at(text, places[~line_ends])
