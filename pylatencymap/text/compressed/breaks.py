"""Where a compressed text breaks off, and why: the file was cut off, or is damaged."""

from collections.abc import Callable
from typing import Final, TypeAlias

CHUNK = 1 << 16
"""Bytes of text that are handed on at once, at most."""


class Break(str):
    """Why a text breaks off, as a message. It counts as one bad record, with the record that it broke off in."""

    __slots__ = ()


CUT_OFF: Final = Break(
    "the compressed data (gzip, Zstandard, lz4 or snappy) break off here: the file was cut off, or is still being "
    "written; what followed is missing"
)
DAMAGED: Final = Break(
    "the compressed data (gzip, Zstandard, lz4 or snappy) are damaged here: what follows in this file is not read, and "
    "the last lines before it can be wrong"
)
WRONG_SUM: Final = Break(
    "the checksum of the compressed data (gzip or Zstandard) does not match here: what was read of them can be wrong, "
    "and what follows in this file is not read"
)

Broken: TypeAlias = Callable[[int, str], object]
"""Gets the number of the line in which a text breaks off, and why: a Break."""


class DamagedData(Exception):
    """Compressed data cannot be decompressed further. ``why`` is a Break."""

    def __init__(self, why: Break) -> None:
        super().__init__(why)
        self.why = why


class _Torn(bytes):
    __slots__ = ()


TORN: Final[bytes] = _Torn()
"""A piece of a text without bytes, known by its identity: what came since the last line feed is no whole line. Who
splits the text into lines forgets it, because half a number would be a wrong one.
"""
