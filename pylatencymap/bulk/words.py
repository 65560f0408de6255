"""Eight characters at a time: unsigned 64-bit words whose lowest byte is the first character."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Rows: TypeAlias = NDArray[np.uint64]
"""Words in two dimensions: each row has those that stand one behind the other."""
Places: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]

BYTES = 8
_ONES = 0x0101010101010101
_ZEROS = np.uint64(ord("0") * _ONES)
_HIGH = np.uint64(0x80 * _ONES)
_LOW = np.uint64(0x7F * _ONES)
_ABOVE_9 = np.uint64(0x76 * _ONES)
_LOWEST, _LOWEST_BIT = np.uint64(_ONES), np.uint64(1)
_BLANK = np.uint64(ord(" ") ^ ord("0"))
_STEPS = tuple(
    (np.uint64(mask), np.uint64(factor), np.uint64(shift))
    for mask, factor, shift in (
        (0x0F0F0F0F0F0F0F0F, 2561, 8),
        (0x00FF00FF00FF00FF, 6553601, 16),
        (0x0000FFFF0000FFFF, 42949672960001, 32),
    )
)


def word(text: bytes) -> np.uint64:
    """Up to eight characters as a word; missing ones are zero bytes."""
    return np.uint64(int.from_bytes(text[:BYTES], "little"))


def mask(length: int) -> np.uint64:
    """All bits of the first ``length`` characters."""
    return np.uint64((1 << 8 * min(max(length, 0), BYTES)) - 1)


def other_than_digits(words: Words) -> Words:
    """The high bit of each character that is no digit."""
    values = words ^ _ZEROS
    return ((values & _LOW) + _ABOVE_9 | values) & _HIGH


def leading_digits(words: Words) -> Words:
    """How many digits each word begins with, 0 to 8."""
    others = other_than_digits(words)
    below = (others & -others) - np.uint64(1)
    return ((below >> np.uint64(7)) & _LOWEST) * _LOWEST >> np.uint64(56)


def number(words: Words) -> Words:
    """The value of eight digits; characters that are zero bytes count as leading zeros."""
    for part, factor, shift in _STEPS:
        words = (words & part) * factor >> shift
    return words


def leading_number(words: Words, length: Words) -> Words:
    """The value of the first ``length`` digits, 1 to 8."""
    return number(words << (np.uint64(64) - (length << np.uint64(3))))


def number_before_blank(words: Words) -> tuple[Words, Truths]:
    """The number of 1 to 7 digits that each word begins with, and whether it does and a blank follows."""
    values = words ^ _ZEROS
    # Carries only reach characters behind the first one that is no digit.
    others = (values + _ABOVE_9 | values) & _HIGH
    below = (others & -others) - _LOWEST_BIT
    bits = (((below >> np.uint64(7)) & _LOWEST) * _LOWEST >> np.uint64(56)) << np.uint64(3)
    sure: Truths = ((values >> bits) & np.uint64(0xFF)) == _BLANK
    sure &= bits > 0
    return number(values << (np.uint64(64) - bits)), sure
