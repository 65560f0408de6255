"""Reads a file in chunks of whole lines, scans them in several processes, and yields the results in order."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..text.lines import MAX_LINE
from .chunk import PADDING, Chunk
from .workers import WorkerLost, map_in_order

PIECE = 4 << 20
"""Bytes of a chunk. Smaller ones would mean more numpy calls in all; larger ones fit no cache."""
_BEYOND = 4096
_LINE_FEED = b"\n"

ScanResult = TypeVar("ScanResult")


class NotScannable(Exception):
    """Only the ordinary reader and decoder can read the file, for example because of very long lines."""


def scan_chunks(
    descriptor: int, size: int, scan: Callable[[Chunk], ScanResult], jobs: int
) -> Iterator[tuple[int, ScanResult]]:
    """The end of each chunk of the file's first ``size`` bytes, and the result of ``scan`` for it, in order.

    ``scan`` runs in ``jobs`` processes at once, and must not keep the text. A last line without a line feed is in no
    chunk: see ``tail``. Raises NotScannable, and OSError.
    """
    buffer: NDArray[np.uint8] | None = None

    def of_piece(begin: int) -> ScanResult:
        nonlocal buffer
        if buffer is None:  # each process has its own
            buffer = np.zeros(PIECE + 2 * PADDING + 2 * _BEYOND, np.uint8)
        text, buffer = _lines_from(descriptor, begin, min(begin + PIECE, size), size, buffer)
        text.number = begin // PIECE
        return scan(_with_short_lines(text))

    begins = range(0, size, PIECE)
    try:
        for result, begin in zip(map_in_order(of_piece, begins, jobs), begins, strict=True):
            yield min(begin + PIECE, size), result
    except WorkerLost as error:
        raise NotScannable from error
    _give_back()


def _with_short_lines(text: Chunk) -> Chunk:
    """The same text. Raises NotScannable if a line is longer than the ordinary reader allows."""
    if text.count and int((text.ends - text.starts).max()) > MAX_LINE:
        raise NotScannable
    return text


def _give_back() -> None:
    """Return freed memory to the system; the C library of Linux keeps many MB of it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _lines_from(
    descriptor: int, begin: int, end: int, size: int, buffer: NDArray[np.uint8]
) -> tuple[Chunk, NDArray[np.uint8]]:
    """The lines that begin between two places of a file, and the buffer that holds them: a larger one if necessary."""
    first = max(begin - 1, 0)
    filled = _read(descriptor, first, min(end + _BEYOND, size) - first, buffer)
    wanted = end - first
    while first + filled < size and _after_feed(buffer, wanted - 1, filled) > filled:
        if filled > PIECE + MAX_LINE:
            raise NotScannable
        more = min(2 * filled, size - first)
        if more > buffer.size - 2 * PADDING:  # pieces share the buffer: an earlier one may have enlarged it
            buffer = np.concatenate([buffer, np.zeros(buffer.size, np.uint8)])
        filled = _read(descriptor, first, more, buffer)
    return _whole_lines(buffer, begin - first, wanted, filled), buffer


def _whole_lines(buffer: NDArray[np.uint8], skipped: int, wanted: int, filled: int) -> Chunk:
    """The lines that begin within the ``wanted`` bytes; bytes that are ``skipped`` before belong to the last chunk."""
    begin = _after_feed(buffer, 0, wanted) if skipped else 0
    if begin >= wanted:
        return Chunk(buffer, PADDING, PADDING)
    end = _after_feed(buffer, wanted - 1, filled)
    if end > filled:  # the file's last line has no line feed
        end = buffer[PADDING : PADDING + filled].tobytes().rfind(_LINE_FEED) + 1
    return Chunk(buffer, PADDING + begin, PADDING + max(end, begin))


def _after_feed(buffer: NDArray[np.uint8], begin: int, end: int) -> int:
    """The place after the first line feed in a part of the data; ``end + 1`` if there is none."""
    for stop in (min(begin + _BEYOND, end), end):
        place = buffer[PADDING + begin : PADDING + stop].tobytes().find(_LINE_FEED)
        if place >= 0:
            return begin + place + 1
    return end + 1


def tail(descriptor: int, size: int) -> bytes:
    """The text after the last line feed of the first ``size`` bytes."""
    length = min(size, MAX_LINE + 1)
    rest = os.pread(descriptor, length, size - length)
    return rest[rest.rfind(_LINE_FEED) + 1 :]


def _read(descriptor: int, offset: int, size: int, buffer: NDArray[np.uint8]) -> int:
    """Read all ``size`` bytes into the buffer and clear the padding after them. Returns ``size``.

    Raises NotScannable if the file has become shorter.
    """
    filled = 0
    while filled < size:
        count = os.preadv(descriptor, [buffer.data[PADDING + filled : PADDING + size]], offset + filled)
        if not count:
            raise NotScannable
        filled += count
    buffer[PADDING + filled : PADDING + filled + PADDING] = 0
    return filled
