"""Reads bytes from files and pipes, plain or compressed, in chunks of limited size whatever the input is."""

from __future__ import annotations

import codecs
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

from ..errors import MissingPackage
from .java_blocks import BLOCK_MAGICS, block_text

CHUNK = 1 << 16
RECENT = 1 << 15
"""So many bytes before the damage the next member of a gzip file can begin."""
CUT_OFF = (
    "the compressed data (gzip, Zstandard, lz4 or snappy) break off here: the file was cut off, or is still being "
    "written; what followed is missing"
)
PAUSE_SECONDS = 0.15
"""How long a live source is silent before everything it has printed counts as complete."""

_MEMBER = b"\x1f\x8b\x08"
"""How a member of a gzip file begins."""
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_MAGICS = (_GZIP_MAGIC, _ZSTD_MAGIC, *BLOCK_MAGICS)
_ZSTD_SLICE = 1 << 10
"""Zstandard bytes that are decompressed at once: even of the most compressible data they make 32 MB at most."""
PLAIN_HEAD = 4
"""So many bytes of a file tell whether it is plain."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _forget(_: int) -> None:
    """The callback of callers that need none."""


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_plain(head: bytes) -> bool:
    """Whether a file that begins with these bytes is neither compressed nor marked with a byte order mark."""
    return not head.startswith((*(magic[:PLAIN_HEAD] for magic in _MAGICS), *_MARKS))


def file_chunks(file: Readable) -> Iterator[bytes]:
    """The bytes of an open file, in chunks."""
    while chunk := file.read(CHUNK):
        yield chunk


class FileReader:
    """Reads a regular file from its beginning, even if others read the same descriptor."""

    def __init__(self, descriptor: int, on_progress: Callable[[int], object]) -> None:
        self._descriptor = descriptor
        self.offset = 0
        self._on_progress = on_progress

    def read(self, size: int, /) -> bytes:
        chunk = os.pread(self._descriptor, size, self.offset)
        self.offset += len(chunk)
        self._on_progress(self.offset)
        return chunk


def pipe_chunks(
    read: Callable[[int], bytes], ready: Callable[[float | None], bool], ended: Callable[[], bool]
) -> Iterator[bytes | None]:
    """The bytes of a pipe, in chunks, and one None each time nothing arrives for PAUSE_SECONDS.

    ``ready`` waits until bytes can be read and returns whether they can. Its argument is the longest wait in seconds;
    None sets no limit, though ``ready`` can still return False early. ``ended`` returns True to stop reading while the
    pipe is still open.
    """
    quiet = True
    while not ended():
        if not ready(None if quiet else PAUSE_SECONDS):
            if not quiet:
                quiet = True
                yield None
            continue
        chunk = read(CHUNK)
        if not chunk:
            return
        quiet = False
        yield chunk


def said_in_turn(
    read: Callable[[Callable[[int, str], object]], Iterable[bytes | None]], bad: Callable[[int, str], object]
) -> Iterator[bytes]:
    """The pieces of a text, with an empty one before ``bad`` receives what is wrong behind the pieces so far: who reads
    them can use those first. ``read`` returns the pieces, and says what is wrong.
    """
    late: list[tuple[int, str]] = []

    def said() -> Iterator[bytes]:
        if late:
            yield b""
        for line, what in late:
            bad(line, what)
        late.clear()

    for piece in read(lambda line, what: late.append((line, what))):
        yield from said()
        if piece:
            yield piece
    yield from said()


def gunzip(
    chunks: Iterable[bytes | None],
    cut: Callable[[int], object] = _forget,
    damaged: Callable[[int], object] | None = None,
) -> Iterator[bytes | None]:
    """The chunks unchanged, or decompressed if they begin as gzip, Zstandard, or blocks of lz4-java or snappy-java.

    If the compressed file was cut off, all that it still contains is read, and ``cut`` is called with the number of the
    line in which the text breaks off. Where the data are damaged, reading goes on with the next member of the file, and
    ``damaged`` is called with the number of the line. Without it, OSError is raised when everything has been read.
    Other damaged data than gzip have no next member: reading ends there. Raises MissingPackage if nothing reads them.
    """
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        if piece is not None:
            head += piece
        if not any(magic.startswith(head) and magic != head for magic in _MAGICS):
            break
    if head.startswith(_ZSTD_MAGIC):
        yield from _Zstandard(cut, damaged).text(chain([head], pieces))
        return
    for magic in filter(head.startswith, BLOCK_MAGICS):
        yield from block_text(magic, chain([head], pieces), cut, damaged)
        return
    if not head.startswith(_GZIP_MAGIC):
        if head:
            yield head
        yield from pieces
        return
    lines: list[int] = []
    yield from _inflated(head, pieces, cut, damaged or lines.append)
    if lines:
        raise OSError(f"damaged gzip data, in line {lines[0]} first")


def _inflated(
    head: bytes, pieces: Iterator[bytes | None], cut: Callable[[int], object], damaged: Callable[[int], object]
) -> Iterator[bytes | None]:
    gunzip = _Gunzip(damaged)
    yield from gunzip.feed(head)
    for piece in pieces:
        if piece is None:
            yield None
        else:
            yield from gunzip.feed(piece)
    if rest := gunzip.end():
        yield rest
    if gunzip.within_member:
        cut(gunzip.line)


class _Gunzip:
    """Decompresses the members of a gzip file one after the other; zero bytes between and after members are padding.

    Where the data are damaged, ``damaged`` is called, and reading goes on at the next member. It can begin before the
    byte at which the damage shows, as after a member that was cut off: it is looked for in the last bytes, too. How
    many those are does not depend on the chunks that the data come in.
    """

    def __init__(self, damaged: Callable[[int], object]) -> None:
        self._damaged = damaged
        self._member = _new_member()
        self._begun = False
        self._recent = b""
        self._lost: bytes | None = None
        self._resumes = False
        self.line = 1
        """The number of the line to which the next byte of text belongs."""

    @property
    def within_member(self) -> bool:
        """Whether a member has begun but not ended."""
        return self._begun and not self._member.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes; yields the text in chunks of at most CHUNK."""
        if self._lost is not None:
            data = self._next_member(self._lost + data)
        while data := data if self._begun else data.lstrip(b"\0"):
            self._begun = True
            before = self._member.copy()
            try:
                text = self._member.decompress(data, CHUNK)
            except zlib.error:
                text, place = _undamaged(before, data)
                text = self._counted(text)
                data = self._after_damage(data, place)
                if text:
                    yield text
                continue
            if text := self._counted(text):
                yield text
            rest = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            self._recent = (self._recent + data[: len(data) - len(rest)])[-RECENT - 1 :]
            data = rest
            if self._member.eof:
                self._begin()

    def end(self) -> bytes:
        """The rest of the text in a member that was cut off."""
        if self._lost is not None:
            return b""
        return self._counted(self._member.flush())

    def _counted(self, text: bytes) -> bytes:
        """The text, counted; after damage it begins a line of its own."""
        if text:
            text, self._resumes = b"\n" + text if self._resumes else text, False
            self.line += text.count(b"\n")
        return text

    def _begin(self) -> None:
        """Another member follows."""
        self._member, self._begun, self._recent = _new_member(), False, b""

    def _after_damage(self, data: bytes, place: int) -> bytes:
        """Report the damage, which shows at a ``place`` in the data; the bytes from the next member on."""
        self._damaged(self.line)
        self._resumes = True
        data, shows = self._recent + data, len(self._recent) + place
        self._begin()
        return self._next_member(data[max(1, shows - RECENT) :])

    def _next_member(self, data: bytes) -> bytes:
        """The bytes from the next member on; empty if it is still to come."""
        start = data.find(_MEMBER)
        self._lost = data[1 - len(_MEMBER) :] if start < 0 else None
        return b"" if start < 0 else data[start:]


def _new_member() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _undamaged(member: zlib._Decompress, data: bytes) -> tuple[bytes, int]:
    """The text of the bytes before the damage, and how many these are: they are decompressed again, in ever smaller
    steps.
    """
    found, place, step = b"", 0, len(data)
    while step and place < len(data):
        before = member.copy()
        try:
            text = member.decompress(data[place : place + step], CHUNK - len(found))
        except zlib.error:
            member, step = before, step // 2
            continue
        found += text
        if member.unconsumed_tail or member.eof or len(found) >= CHUNK:
            break
        place += step
    return found, place


class _Zstandard:
    """Decompresses the frames of a Zstandard file one after the other."""

    def __init__(self, cut: Callable[[int], object], damaged: Callable[[int], object] | None) -> None:
        self._cut, self._damaged = cut, damaged
        self._new_frame, self._error = _zstd_library()
        self._line = 1

    def text(self, pieces: Iterable[bytes | None]) -> Iterator[bytes | None]:
        """The text of all frames, in chunks; None for each None."""
        frame, begun = self._new_frame(), False
        for piece in pieces:
            if piece is None:
                yield None
                continue
            for place in range(0, len(piece), _ZSTD_SLICE):
                data = piece[place : place + _ZSTD_SLICE]
                while data:
                    begun = True
                    try:
                        text = frame.decompress(data)
                    except self._error:
                        self._say_damaged()
                        return
                    data = frame.unused_data if frame.eof else b""
                    if frame.eof:
                        frame, begun = self._new_frame(), False
                    self._line += text.count(b"\n")
                    yield from (text[begin : begin + CHUNK] for begin in range(0, len(text), CHUNK))
        if begun:
            self._cut(self._line)

    def _say_damaged(self) -> None:
        if self._damaged is None:
            raise OSError(f"damaged Zstandard data, in line {self._line}")
        self._damaged(self._line)


def _zstd_library() -> tuple[Callable[[], Any], type[Exception]]:
    """What makes a decompressor of one frame, and the error that it raises: Python's own from 3.14 on."""
    try:
        from compression import zstd

        return zstd.ZstdDecompressor, zstd.ZstdError
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError as error:
        raise MissingPackage("the file is compressed with Zstandard, which needs a package", "zstandard") from error
    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
