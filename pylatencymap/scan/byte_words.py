"""Eight characters at a time, in unsigned 64-bit words whose lowest byte is the first character.

Most functions here are SWAR, "SIMD within a register": one operation on a word works on its eight bytes at once. That
is right as long as no byte carries into the next one, so each test first limits what is added to a byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ByteWords: TypeAlias = NDArray[np.uint64]
WordRows: TypeAlias = NDArray[np.uint64]
"""Words in two dimensions: each row has consecutive words of one line."""
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
"""One bit of each character: 0x10 is set in digits but not in a blank; 0x08 is worth 8, the bits of a character."""
_BLANK_LAST = np.uint64((ord(" ") ^ ord("0")) << 56)
"""A blank as the last character, after the exclusive or with ZEROS."""
_SHORT_RUNS = 4
"""If runs of equal words are no longer than this on average, finding them costs more than it saves."""
# Eight digits to their value in three steps (``eight_digits``). In each step neighbours become one number of twice the
# width, first * weight + second: a multiplication by 1 + (weight << shift) adds every number, times the weight, to its
# neighbour, the shift moves the sums to the low end of their lanes, and the next step's mask drops the sums between:
#   "12345678" -> bytes 1 2 3 4 5 6 7 8 -> (x 10) 12 34 56 78 -> (x 100) 1234 5678 -> (x 10,000) 12345678
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
    """Whether no character of a word is larger than the limit whose ``headroom`` is ``above``."""
    found: Flags = ((words + above | words) & _HIGH) == 0  # only characters that are too large carry
    return found


def run_starts(values: NDArray[np.integer[Any]]) -> Places:
    """The places where runs of equal values begin, in an array that is not empty."""
    return np.concatenate(([0], (values[1:] != values[:-1]).nonzero()[0] + 1))


def evaluate_by_runs(words: ByteWords, test: Callable[[ByteWords], Flags]) -> Flags:
    """The result of a test for each word. In a run of equal words only one is tested."""
    changes = (words[1:] != words[:-1]).nonzero()[0]
    if not changes.size:
        return np.repeat(test(words[:1]), words.size)
    if changes.size * _SHORT_RUNS > words.size:
        return test(words)
    lasts = np.append(changes, words.size - 1)
    return np.repeat(test(words[lasts]), np.diff(lasts, prepend=-1))


def other_than_digits(words: ByteWords) -> ByteWords:
    """The high bit of each character that is not a digit."""
    values = words ^ ZEROS
    return ((values & _LOW) + _ABOVE_9 | values) & _HIGH


def leading_digits(words: ByteWords) -> ByteWords:
    """How many digits each word begins with, 0 to 8."""
    # Sketch, for n leading digits:
    # 1. After the exclusive or with "0" digits are 0 to 9; adding 0x76 sets the high bit of every other character.
    #    A carry can only spoil characters after the first that is not a digit, and those do not matter.
    # 2. x & -x keeps the lowest of these bits; minus 1 gives all bits below it, so it covers exactly n characters.
    # 3. The lowest bit of each of these n characters stays; multiplying by 0x0101...01 adds them up in the top byte.
    values = words ^ ZEROS
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
    """The value of eight digits; zero bytes count as the digit 0. See ``_STEPS`` for a sketch."""
    values = words & _STEPS[0][0]
    for step, (part, factor, shift) in enumerate(_STEPS):
        if step:
            values &= part
        values *= factor
        values >>= shift
    return values


def leading_number(words: ByteWords, length: ByteWords) -> ByteWords:
    """The value of the first ``length`` digits, 1 to 8: shifted to the end of the word, they get leading zeros."""
    return eight_digits(words << (np.uint64(64) - (length << np.uint64(3))))


def number_before_blank(words: ByteWords) -> tuple[ByteWords, Flags]:
    """The number of 1 to 7 digits that each word begins with, and whether it has one that is followed by a blank."""
    # Sketch: find the first character that cannot be a digit, shift the word so that this character comes last, check
    # that it is a blank and that all before it are digits (zero bytes are shifted in and pass), and shift it out: the
    # digits are right-aligned then.
    shifts = words & _TENS
    shifts ^= _TENS
    shifts &= -shifts  # one bit, in the first character that cannot be a digit
    sure: Flags = shifts > 1 << 4  # at least one character comes before it
    # For character n (from 0) the sum of the EIGHTS up to it is 8 * (n + 1); shifted by 64 less that, it comes last.
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


# Bitmasks: the positions of the few characters for which something is true, 64 characters at a time.


_BITS = 6
"""A word has 2^6 bits."""
_FRACTION, _BIAS = 52, 1023
"""Of a double: the number of bits below the exponent, and the bias of the exponent. Source: IEEE 754."""


def places_of(truths: Flags) -> Places:
    """The positions of true flags, in ascending order: faster than ``nonzero`` if at most one in 40 is true."""
    # Sketch: pack the flags into words, one bit each, and drop the words that are 0. Each round takes the lowest bit
    # out of every word that is left (64 * word + bit is a position) and drops the words that became 0. There are as
    # many rounds as the fullest word has bits: few if the flags are sparse, and each has work for its hits only.
    words = _packed(truths)
    places = (words != 0).nonzero()[0]
    words = words[places]
    places <<= _BITS
    found = [_lowest(words) + places]
    while (rest := (words != 0).nonzero()[0]).size:
        words, places = words[rest], places[rest]
        found.append(_lowest(words) + places)
    # Each round is in ascending order; a stable sort takes advantage of such runs.
    return np.sort(np.concatenate(found), kind="stable") if len(found) > 1 else found[0]


def _packed(truths: Flags) -> ByteWords:
    """The flags as bits of words; the first flag is the lowest bit of the first word."""
    packed = np.zeros(-(-truths.size >> _BITS), "<u8")
    packed.view(np.uint8)[: -(-truths.size // 8)] = np.packbits(truths, bitorder="little")
    return packed


def _lowest(words: ByteWords) -> Places:
    """The position of the lowest bit in each word, none of which is 0. Clears these bits in ``words``."""
    lowest = words & -words
    words ^= lowest
    places: Places = lowest.astype(np.float64).view(np.int64)  # the exponent of a power of two is its position
    places >>= _FRACTION
    places -= _BIAS
    return places
