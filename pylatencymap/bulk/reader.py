"""A file in pieces of whole lines, read by several threads and handed out in order."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..text.lines import MAX_LINE
from .text import PADDING, Text

PIECE = 4 << 20
"""Bytes. In smaller pieces the threads wait more often for each other, larger ones no cache holds."""
_BEYOND = 4096
_LINE_FEED = b"\n"

Result = TypeVar("Result")


class Unfit(Exception):
    """The file has lines that only the ordinary reader can cut to size."""


def scanned(descriptor: int, size: int, scan: Callable[[Text], Result], jobs: int) -> Iterator[tuple[int, Result]]:
    """For each piece of the file's first ``size`` bytes where it ends, and what ``scan`` makes of it, in order.

    ``scan`` runs in ``jobs`` threads at once, and must not keep the text. A last line without a line feed is in no
    piece. Raises Unfit, and OSError.
    """
    wanted, done = SimpleQueue[int | None](), SimpleQueue[tuple[int, Result | BaseException]]()

    def work() -> None:
        buffer = np.zeros(PIECE + 2 * PADDING + 2 * _BEYOND, np.uint8)
        while (begin := wanted.get()) is not None:
            try:
                text, buffer = _lines_from(descriptor, begin, min(begin + PIECE, size), size, buffer)
                done.put((begin, scan(_with_short_lines(text))))
            except BaseException as error:  # noqa: BLE001 - it is raised where the piece is waited for
                done.put((begin, error))

    threads = [Thread(target=work, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        yield from _in_order(wanted, done, range(0, size, PIECE), size, jobs + 1)
    finally:
        for _ in threads:
            wanted.put(None)
        for thread in threads:
            thread.join()
    _give_back()


def _in_order(
    wanted: SimpleQueue[int | None],
    done: SimpleQueue[tuple[int, Result | BaseException]],
    begins: range,
    size: int,
    ahead: int,
) -> Iterator[tuple[int, Result]]:
    """What comes of pieces, so many of which are wanted at once. Raises what was raised for one."""
    for begin in begins[:ahead]:
        wanted.put(begin)
    found: dict[int, Result | BaseException] = {}
    for place, begin in enumerate(begins):
        while begin not in found:
            found.update([done.get()])
        result = found.pop(begin)
        if isinstance(result, BaseException):
            raise result
        if place + ahead < len(begins):
            wanted.put(begins[place + ahead])
        yield min(begin + begins.step, size), result


def _with_short_lines(text: Text) -> Text:
    """The same text. Raises Unfit where a line is longer than the ordinary reader lets it be."""
    if text.count and int((text.ends - text.starts).max()) > MAX_LINE:
        raise Unfit
    return text


def _give_back() -> None:
    """Return to the system what the threads have freed, of which the C library of Linux keeps many MB."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _lines_from(
    descriptor: int, begin: int, end: int, size: int, buffer: NDArray[np.uint8]
) -> tuple[Text, NDArray[np.uint8]]:
    """The lines that begin between two places of a file, and the buffer that holds them, a larger one if need be."""
    first = max(begin - 1, 0)
    filled = _read(descriptor, first, min(end + _BEYOND, size) - first, buffer)
    wanted = end - first
    while first + filled < size and _after_feed(buffer, wanted - 1, filled) > filled:
        if filled > PIECE + MAX_LINE:
            raise Unfit
        buffer = np.concatenate([buffer, np.zeros(buffer.size, np.uint8)])
        filled = _read(descriptor, first, min(2 * filled, size - first, buffer.size - 2 * PADDING), buffer)
    return _whole_lines(buffer, begin - first, wanted, filled), buffer


def _whole_lines(buffer: NDArray[np.uint8], skipped: int, wanted: int, filled: int) -> Text:
    """The lines that begin in the wanted bytes; those skipped before are the last ones of another piece."""
    begin = _after_feed(buffer, 0, wanted) if skipped else 0
    if begin >= wanted:
        return Text(buffer, PADDING, PADDING)
    end = _after_feed(buffer, wanted - 1, filled)
    if end > filled:  # the file's last line has no end
        end = buffer[PADDING : PADDING + filled].tobytes().rfind(_LINE_FEED) + 1
    return Text(buffer, PADDING + begin, PADDING + max(end, begin))


def _after_feed(buffer: NDArray[np.uint8], begin: int, end: int) -> int:
    """The place behind the first line feed in a part of the data; behind ``end`` where there is none."""
    for stop in (min(begin + _BEYOND, end), end):
        place = buffer[PADDING + begin : PADDING + stop].tobytes().find(_LINE_FEED)
        if place >= 0:
            return begin + place + 1
    return end + 1


def tail(descriptor: int, size: int) -> bytes:
    """What lies behind the last line feed of the first ``size`` bytes."""
    length = min(size, MAX_LINE + 1)
    rest = os.pread(descriptor, length, size - length)
    return rest[rest.rfind(_LINE_FEED) + 1 :]


def _read(descriptor: int, offset: int, size: int, buffer: NDArray[np.uint8]) -> int:
    """Bytes that have been read; fewer where the file has become shorter. What lies behind them is cleared."""
    filled = 0
    while filled < size:
        count = os.preadv(descriptor, [buffer.data[PADDING + filled : PADDING + size]], offset + filled)
        if not count:
            break
        filled += count
    buffer[PADDING + filled : PADDING + filled + PADDING] = 0
    return filled
