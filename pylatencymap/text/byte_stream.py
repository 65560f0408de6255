"""Bytes from files and pipes, plain or gzip, in pieces that no input can make too large."""

import codecs
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

CHUNK = 1 << 16
PAUSE_SECONDS = 0.15
"""How long a live source may be silent before whatever it printed is taken as complete."""

_GZIP_MAGIC = b"\x1f\x8b"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _forget(_: int) -> None:
    """Where nobody is told."""


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_plain(head: bytes) -> bool:
    """Whether a file that begins so is neither compressed nor marked as some encoding."""
    return not head.startswith((_GZIP_MAGIC, *_MARKS))


def file_chunks(file: Readable) -> Iterator[bytes]:
    """The bytes of an open file."""
    while chunk := file.read(CHUNK):
        yield chunk


def pipe_chunks(
    read: Callable[[int], bytes], ready: Callable[[float | None], bool], ended: Callable[[], bool]
) -> Iterator[bytes | None]:
    """The bytes of a pipe, with None once whenever nothing came for PAUSE_SECONDS.

    ``ready`` waits until bytes can be read, at most its argument in seconds (None: as long as it takes, though it may
    come back early with False); ``ended`` says that reading shall stop although the pipe is still open.
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


def gunzip(chunks: Iterable[bytes | None], cut: Callable[[int], object] = _forget) -> Iterator[bytes | None]:
    """The chunks themselves, decompressed if they begin as gzip. Of a file that was cut off all that it holds is read,
    and ``cut`` is called with the number of the line in which the text breaks off.
    """
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        if piece is not None:
            head += piece
        if len(head) >= len(_GZIP_MAGIC):
            break
    if not head.startswith(_GZIP_MAGIC):
        if head:
            yield head
        yield from pieces
        return
    yield from _inflated(head, pieces, cut)


def _inflated(head: bytes, pieces: Iterator[bytes | None], cut: Callable[[int], object]) -> Iterator[bytes | None]:
    gunzip = _Gunzip()
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
    """Decompresses members of a gzip file that follow each other; zero bytes between and after them are padding."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._begun = False
        self.line = 1
        """The number of the line that the next byte of text belongs to."""

    @property
    def within_member(self) -> bool:
        """Whether a member has begun that has not ended."""
        return self._begun and not self._member.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The text in further bytes, in pieces of at most CHUNK."""
        while data := data if self._begun else data.lstrip(b"\0"):
            self._begun = True
            try:
                text = self._member.decompress(data, CHUNK)
            except zlib.error as error:
                raise OSError(f"damaged gzip data: {error}") from error
            if text:
                self.line += text.count(b"\n")
                yield text
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if self._member.eof:
                self._member, self._begun = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), False

    def end(self) -> bytes:
        """What a member that was cut off still holds."""
        rest = self._member.flush()
        self.line += rest.count(b"\n")
        return rest
