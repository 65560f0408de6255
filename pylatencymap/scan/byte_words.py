"""Eight characters at a time: unsigned 64-bit words whose lowest byte is the first character."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ByteWords: TypeAlias = NDArray[np.uint64]
WordRows: TypeAlias = NDArray[np.uint64]
"""Words in two dimensions: each row has those that stand one behind the other."""
Places: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

BYTES = 8
_ONES = 0x0101010101010101
ZEROS = np.uint64(ord("0") * _ONES)
_HIGH = np.uint64(0x80 * _ONES)
_LOW = np.uint64(0x7F * _ONES)
_ABOVE_9 = np.uint64(0x76 * _ONES)
_LOWEST, _LOWEST_BIT = np.uint64(_ONES), np.uint64(1)
_TENS, _EIGHTS = np.uint64(0x10 * _ONES), np.uint64(0x08 * _ONES)
"""Bits of each character: one that digits have and a blank has not, and one whose value is the bits of a character."""
_BLANK_LAST = np.uint64((ord(" ") ^ ord("0")) << 56)
"""A blank as the last character, from which zeros were taken."""
_SHORT_RUNS = 4
"""Runs that are no longer on average are not worth being looked for."""
_STEPS = tuple(
    (np.uint64(mask), np.uint64(factor), np.uint64(shift))
    for mask, factor, shift in (
        (0x0F0F0F0F0F0F0F0F, 2561, 8),
        (0x00FF00FF00FF00FF, 6553601, 16),
        (0x0000FFFF0000FFFF, 42949672960001, 32),
    )
)


def as_word(text: bytes) -> np.uint64:
    """Up to eight characters as a word; missing ones are zero bytes."""
    return np.uint64(int.from_bytes(text[:BYTES], "little"))


def first_bytes(length: int) -> np.uint64:
    """All bits of the first ``length`` characters."""
    return np.uint64((1 << 8 * min(max(length, 0), BYTES)) - 1)


def headroom(most: bytes) -> np.uint64:
    """What can be added to characters that are at most these without reaching their high bits."""
    return as_word(bytes(0x7F - char for char in most.ljust(BYTES, b"\0")))


_SEVEN_DIGITS = headroom(bytes([9] * 7))


def all_within(words: ByteWords, above: np.uint64) -> Flags:
    """Of which words no character is larger than those for which this is the room above."""
    found: Flags = ((words + above | words) & _HIGH) == 0  # carries come from characters that are too large anyway
    return found


def run_starts(values: NDArray[np.integer[Any]]) -> Places:
    """Where values begin that differ from the one before, in an array that is not empty."""
    return np.concatenate(([0], (values[1:] != values[:-1]).nonzero()[0] + 1))


def evaluate_by_runs(words: ByteWords, test: Callable[[ByteWords], Flags]) -> Flags:
    """What a test says of each word: many that are the same may stand one behind another."""
    changes = (words[1:] != words[:-1]).nonzero()[0]
    if not changes.size:
        return np.repeat(test(words[:1]), words.size)
    if changes.size * _SHORT_RUNS > words.size:
        return test(words)
    lasts = np.append(changes, words.size - 1)
    return np.repeat(test(words[lasts]), np.diff(lasts, prepend=-1))


def other_than_digits(words: ByteWords) -> ByteWords:
    """The high bit of each character that is no digit."""
    values = words ^ ZEROS
    return ((values & _LOW) + _ABOVE_9 | values) & _HIGH


def leading_digits(words: ByteWords) -> ByteWords:
    """How many digits each word begins with, 0 to 8."""
    values = words ^ ZEROS
    # Carries only reach characters behind the first one that is no digit.
    found = values + _ABOVE_9
    found |= values
    found &= _HIGH
    found &= -found
    found -= _LOWEST_BIT
    found >>= np.uint64(7)
    found &= _LOWEST
    found *= _LOWEST
    found >>= np.uint64(56)
    return found


def eight_digits(words: ByteWords) -> ByteWords:
    """The value of eight digits; characters that are zero bytes count as leading zeros."""
    values = words & _STEPS[0][0]
    for step, (part, factor, shift) in enumerate(_STEPS):
        if step:
            values &= part
        values *= factor
        values >>= shift
    return values


def leading_number(words: ByteWords, length: ByteWords) -> ByteWords:
    """The value of the first ``length`` digits, 1 to 8."""
    return eight_digits(words << (np.uint64(64) - (length << np.uint64(3))))


def number_before_blank(words: ByteWords) -> tuple[ByteWords, Flags]:
    """The number of 1 to 7 digits that each word begins with, and whether it does and a blank follows."""
    shifts = words & _TENS
    shifts ^= _TENS
    shifts &= -shifts  # a bit of the first character that can be no digit
    sure: Flags = shifts > 1 << 4  # which is not the first of all
    # By so many bits it becomes the last one, with the digits before it.
    shifts -= _LOWEST_BIT
    shifts &= _EIGHTS
    shifts *= _LOWEST
    shifts >>= np.uint64(56)
    np.subtract(64, shifts, out=shifts)
    values = words ^ ZEROS
    values <<= shifts
    values ^= _BLANK_LAST
    sure &= all_within(values, _SEVEN_DIGITS)
    values <<= np.uint64(8)
    return eight_digits(values), sure


# Where the few characters stand for which something is true, 64 of them looked at together.


_BITS = 6
"""A word has 2^6 bits."""
_FRACTION, _BIAS = 52, 1023
"""Of doubles: the bits behind the exponent, and what is added to it."""


def places_of(truths: Flags) -> Places:
    """The places of what is true, in ascending order. Where it is one in 40 or fewer, this is sooner than nonzero."""
    words = _packed(truths)
    places = (words != 0).nonzero()[0]
    words = words[places]
    places <<= _BITS
    found = [_lowest(words) + places]
    while (rest := (words != 0).nonzero()[0]).size:
        words, places = words[rest], places[rest]
        found.append(_lowest(words) + places)
    # Each round is in order, which this way of sorting makes use of.
    return np.sort(np.concatenate(found), kind="stable") if len(found) > 1 else found[0]


def _packed(truths: Flags) -> ByteWords:
    """A bit of each; the first is the lowest of the first word."""
    packed = np.zeros(-(-truths.size >> _BITS), "<u8")
    packed.view(np.uint8)[: -(-truths.size // 8)] = np.packbits(truths, bitorder="little")
    return packed


def _lowest(words: ByteWords) -> Places:
    """The places of the lowest bits of words, none of which is 0; they are taken out."""
    lowest = words & -words
    words ^= lowest
    places: Places = lowest.astype(np.float64).view(np.int64)  # the exponent of a power of two
    places >>= _FRACTION
    places -= _BIAS
    return places
