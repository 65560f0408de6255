"""Reads bytes from files and pipes, plain or gzip, in chunks of limited size whatever the input is."""

import codecs
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

CHUNK = 1 << 16
PAUSE_SECONDS = 0.15
"""How long a live source is silent before everything it has printed counts as complete."""

_GZIP_MAGIC = b"\x1f\x8b"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _forget(_: int) -> None:
    """The callback of callers that need none."""


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_plain(head: bytes) -> bool:
    """Whether a file that begins with these bytes is neither compressed nor marked with a byte order mark."""
    return not head.startswith((_GZIP_MAGIC, *_MARKS))


def file_chunks(file: Readable) -> Iterator[bytes]:
    """The bytes of an open file, in chunks."""
    while chunk := file.read(CHUNK):
        yield chunk


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


def gunzip(chunks: Iterable[bytes | None], cut: Callable[[int], object] = _forget) -> Iterator[bytes | None]:
    """The chunks unchanged, or decompressed if they begin as gzip. If the gzip file was cut off, everything it still
    contains is read, and ``cut`` is called with the number of the line in which the text breaks off.
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
    """Decompresses the members of a gzip file one after the other; zero bytes between and after members are padding."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._begun = False
        self.line = 1
        """The number of the line to which the next byte of text belongs."""

    @property
    def within_member(self) -> bool:
        """Whether a member has begun but not ended."""
        return self._begun and not self._member.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress more bytes; yields the text in chunks of at most CHUNK."""
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
        """The rest of the text in a member that was cut off."""
        rest = self._member.flush()
        self.line += rest.count(b"\n")
        return rest
