"""Reads a file in chunks of whole lines, scans them in several processes, and yields the results in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..memory import give_memory_back
from ..text import TORN, Broken, is_plain
from ..text.lines import MAX_LINE
from .chunk import PADDING, Chunk
from .contract import ChunkCounts, counted_of
from .workers import WorkerLost, map_in_order

PIECE = 4 << 20
"""Bytes of a chunk. Smaller ones would mean more numpy calls in all; larger ones fit no cache."""
_BEYOND = 4096
_BACK = 1 << 17
_MOST_BACK = 4 << 20
"""Bytes read at a time, and at most, to find the lines in front of a chunk."""
_LINE_FEED = b"\n"

ScanResult = TypeVar("ScanResult")


class NotScannable(Exception):
    """Only the ordinary reader and decoder can read the file, for example because of very long lines."""


def scan_chunks(
    descriptor: int,
    size: int,
    scan: Callable[[Chunk], ScanResult],
    jobs: int,
    split: tuple[int, int] | None = None,
) -> Iterator[tuple[int, ScanResult]]:
    """The end of each chunk of the file's first ``size`` bytes, and the result of ``scan`` for it, in order. With a
    ``split``, only the lines that begin between two places.

    ``scan`` runs in ``jobs`` processes at once, and must not read the text later. A last line without a line feed is in
    no chunk: see ``tail``. Raises NotScannable, and OSError.
    """
    buffer: NDArray[np.uint8] | None = None
    first, stop = (0, size) if split is None else (split[0], min(split[1], size))

    def of_piece(begin: int) -> ScanResult:
        nonlocal buffer
        if buffer is None:  # each process has its own
            buffer = np.zeros(PIECE + 2 * PADDING + 2 * _BEYOND, np.uint8)
        text, buffer = _lines_from(descriptor, begin, min(begin + PIECE, stop), size, buffer)
        text.number = begin // PIECE
        if text.count:
            place = max(begin - 1, 0) + int(text.starts[0]) - PADDING
            text.lines_before = partial(_lines_before, descriptor, place)
        return scan(check_lines(text))

    begins = range(first, stop, PIECE)
    try:
        for result, begin in zip(map_in_order(of_piece, begins, jobs), begins, strict=True):
            yield min(begin + PIECE, stop), result
    except WorkerLost as error:
        raise NotScannable from error
    give_memory_back()


def _lines_before(descriptor: int, end: int, count: int) -> list[bytes]:
    """The last ``count`` lines before a place of the file where a line begins, or all there are.

    Raises NotScannable if they are too long to be read again for each chunk.
    """
    length = _BACK
    while True:
        begin = max(end - length, 0)
        lines = _last_lines(os.pread(descriptor, end - begin, begin), count, is_all=not begin)
        if lines is not None:
            return lines
        if length >= _MOST_BACK:
            raise NotScannable
        length *= 2


def _lines_of(text: bytes, count: int, *, is_all: bool) -> list[bytes]:
    """The last ``count`` lines of a text, or all there are. Raises NotScannable if those before it are missing."""
    lines = _last_lines(text, count, is_all=is_all)
    if lines is None:
        raise NotScannable
    return lines


def _last_lines(text: bytes, count: int, *, is_all: bool) -> list[bytes] | None:
    """The last ``count`` lines of a text, or all there are; None if those before the text would have to be known."""
    lines = text.split(_LINE_FEED)[:-1]
    if len(lines) <= count and not is_all:
        return None
    return [line.removesuffix(b"\r") for line in lines[-count:]] if b"\r" in text else lines[-count:]


def check_lines(text: Chunk) -> Chunk:
    """The same text. Raises NotScannable if a line is longer than the ordinary reader allows."""
    if text.count and int((text.ends - text.starts).max()) > MAX_LINE:
        raise NotScannable
    return text


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


# Where the chunks of a file come from: its bytes, decompressed bytes, or what was counted of them before.


CountChunk: TypeAlias = Callable[[Chunk], ChunkCounts]


class ChunkSource(Protocol):
    """The chunks of one file, in order. ``broken``: after the last one, the line at which compressed data break off,
    and why.
    """

    broken: tuple[int, str] | None

    def counts(self, count: CountChunk) -> Iterator[tuple[int, ChunkCounts]]:
        """How far the file has been read after each chunk, in bytes, and what ``count`` finds in it."""

    def tail(self) -> bytes:
        """The text after the last line feed; known after the last chunk."""


class TextChunks(Protocol):
    """The chunks of the text of a file, which can be read for anything, and again."""

    broken: tuple[int, str] | None

    def counts(self, count: Callable[[Chunk], ScanResult]) -> Iterator[tuple[int, ScanResult]]: ...

    def tail(self) -> bytes: ...


class PlainChunks:
    """The chunks of a file that is not compressed, counted by ``jobs`` processes."""

    broken: tuple[int, str] | None = None

    def __init__(self, descriptor: int, size: int, jobs: int) -> None:
        self._descriptor, self._size, self._jobs = descriptor, size, jobs

    def counts(self, count: Callable[[Chunk], ScanResult]) -> Iterator[tuple[int, ScanResult]]:
        yield from scan_chunks(self._descriptor, self._size, count, self._jobs)

    def tail(self) -> bytes:
        return tail(self._descriptor, self._size)


class StreamedChunks:
    """The chunks of a text that comes in pieces, as from a decompressor. They are counted in this process.

    ``pieces`` begins the text anew; it takes what is called with the line at which the text breaks off, and
    why. ``done`` returns the number of compressed bytes read so far.
    """

    def __init__(
        self, pieces: Callable[[Broken], Iterable[bytes | memoryview | None]], done: Callable[[], int]
    ) -> None:
        self._pieces, self._done = pieces, done
        self._rest = self._before = b""
        self._counted = self._number = 0
        self.broken: tuple[int, str] | None = None

    def counts(self, count: Callable[[Chunk], ScanResult]) -> Iterator[tuple[int, ScanResult]]:
        self.broken = None
        buffer, filled = np.zeros(2 * PIECE + 2 * PADDING, np.uint8), 0
        self._before, self._counted, self._number = b"", 0, 0
        for piece in self._read():
            if piece is TORN:
                filled = _after_last_feed(buffer, filled)
                continue
            if filled + len(piece) > 2 * PIECE:
                raise NotScannable  # a line is longer than any chunk
            buffer[PADDING + filled : PADDING + filled + len(piece)] = np.frombuffer(piece, np.uint8)
            filled += len(piece)
            if filled >= PIECE:
                end = _after_last_feed(buffer, filled)
                if end:
                    yield self._done(), count(self._chunk(buffer, end))
                    buffer[PADDING : PADDING + filled - end] = buffer[PADDING + end : PADDING + filled].copy()
                    filled -= end
        end = _after_last_feed(buffer, filled)
        self._rest = buffer[PADDING + end : PADDING + filled].tobytes()
        yield self._done(), count(self._chunk(buffer, end))

    def _chunk(self, buffer: NDArray[np.uint8], end: int) -> Chunk:
        """The lines in the first ``end`` bytes; what follows them in the buffer stays as it is."""
        text = Chunk(buffer, PADDING, PADDING + end)
        text.number = self._number
        self._number += 1
        text.lines_before = partial(_lines_of, self._before, is_all=len(self._before) == self._counted)
        whole = buffer[PADDING : PADDING + end].tobytes()
        self._before = whole if text.count > SEAM_LINES else _end_of(self._before, whole)
        self._counted += end
        return check_lines(text)

    def tail(self) -> bytes:
        return self._rest

    def _read(self) -> Iterator[bytes | memoryview]:
        """The pieces. What cannot be read at all is for the line decoder, which says so."""
        begun = False
        try:
            for piece in self._pieces(self._break_off):
                if piece and not begun:
                    begun = True
                    if not is_plain(bytes(piece[:4])):
                        raise NotScannable
                yield b"" if piece is None else piece
        except OSError as error:
            raise NotScannable from error

    def _break_off(self, line: int, why: str) -> None:
        self.broken = line, why


def _after_last_feed(buffer: NDArray[np.uint8], filled: int) -> int:
    """The number of bytes up to the last line feed."""
    for begin in (max(filled - 4096, 0), 0):
        place = buffer[PADDING + begin : PADDING + filled].tobytes().rfind(b"\n")
        if place >= 0:
            return begin + place + 1
    return 0


# A file can be counted in splits, by several processes or machines, each of which knows nothing of the others. What the
# rest of the scan has to know of a split is small: everything of its chunks but their sums.


SEAM_LINES = 1_200
"""Lines at the ends of a split that comes as a stream: more than any scan asks for of those before a chunk."""
_MOST_OF_SEAM = 4 << 20


class Seam(NamedTuple):
    """The ends of a split that came as a stream, wherever a line begins: its ``first`` lines, which are counted as soon
    as what is before them is known, the ``last`` lines that are complete, what is ``cut_off`` behind them, and the
    bytes of the whole split. ``first`` and ``last`` can be the same lines.
    """

    first: bytes
    last: bytes
    cut_off: bytes
    size: int


class SplitChunks(StreamedChunks):
    """The chunks of a split that comes in pieces; its first lines are left out: see ``seam``, which is complete after
    the last chunk. ``is_first``: no text is before it.
    """

    def __init__(self, pieces: Iterable[bytes | memoryview], *, is_first: bool) -> None:
        super().__init__(lambda _: self._behind_first(pieces), lambda: self._size)
        self._is_first = is_first
        self._size = 0
        self._first = b""

    @property
    def seam(self) -> Seam:
        return Seam(self._first, _end_of(b"", self._before), self.tail(), self._size)

    def _behind_first(self, pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
        held, is_begun = b"", self._is_first
        for piece in pieces:
            self._size += len(piece)
            if is_begun:
                yield piece
                continue
            held += piece
            lines = held.split(_LINE_FEED, SEAM_LINES)
            if len(held) - len(lines[-1]) > _MOST_OF_SEAM or (len(lines) <= SEAM_LINES and len(lines[-1]) > MAX_LINE):
                raise NotScannable
            if len(lines) > SEAM_LINES:
                is_begun = True
                self._hold(held[: len(held) - len(lines[-1])])
                yield lines[-1]
        if not is_begun:
            self._hold(held[: held.rfind(_LINE_FEED) + 1])
            yield held[len(self._first) :]

    def _hold(self, first: bytes) -> None:
        """Leave out the first lines; there is text before them that is not here."""
        self._first = self._before = first
        self._counted = len(first) + 1


def _end_of(before: bytes, text: bytes) -> bytes:
    """The last SEAM_LINES of two texts, one behind the other; fewer if they are very long."""
    both = before + text
    lines = both.rsplit(_LINE_FEED, SEAM_LINES + 1)
    if len(lines) > SEAM_LINES + 1:
        both = both[len(lines[0]) + 1 :]
    return both if len(both) <= _MOST_OF_SEAM else both[both.find(_LINE_FEED, len(both) - _MOST_OF_SEAM) + 1 :]


class CountedChunks:
    """The chunks of a file whose splits were counted before, with empty sums: these have been taken already. A Seam
    stands before the accounts of its split.
    """

    broken: tuple[int, str] | None = None

    def __init__(self, accounts: Iterable[list[Any] | Seam], rest: bytes) -> None:
        self._accounts, self._rest = accounts, rest

    def counts(self, count: CountChunk) -> Iterator[tuple[int, ChunkCounts]]:
        before, cut_off, done = b"", b"", 0
        for account in self._accounts:
            if not isinstance(account, Seam):
                yield int(account[0]), counted_of(account)
                continue
            if account.first:
                is_all = len(before) + len(cut_off) == done
                yield done, count(_chunk_behind(before, cut_off + account.first, is_all=is_all))
            if len(account.last) + len(account.cut_off) < account.size:
                before, cut_off = account.last, account.cut_off
            elif account.last:
                before, cut_off = _end_of(before, cut_off + account.last), account.cut_off
            else:  # no line ends in this split
                cut_off += account.cut_off
            if len(cut_off) > MAX_LINE + 1:
                raise NotScannable
            done += account.size

    def tail(self) -> bytes:
        return self._rest


def _chunk_behind(before: bytes, lines: bytes, *, is_all: bool) -> Chunk:
    """Lines as a chunk, with those before them."""
    buffer = np.zeros(len(lines) + 2 * PADDING, np.uint8)
    buffer[PADDING:-PADDING] = np.frombuffer(lines, np.uint8)
    text = Chunk(buffer, PADDING, PADDING + len(lines))
    text.lines_before = partial(_lines_of, before, is_all=is_all)
    return check_lines(text)
