"""Bytes from files and pipes, plain or gzip, in pieces that no input can make too large."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

CHUNK = 1 << 16
PAUSE_SECONDS = 0.15
"""How long a live source may be silent before whatever it printed is taken as complete."""

_GZIP_MAGIC = b"\x1f\x8b"


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


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


def unzipped(chunks: Iterable[bytes | None]) -> Iterator[bytes | None]:
    """The chunks themselves, decompressed if they begin as gzip; readable as far as a cut-off file goes."""
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
    yield from _inflated(head, pieces)


def _inflated(head: bytes, pieces: Iterator[bytes | None]) -> Iterator[bytes | None]:
    member = zlib.decompressobj(wbits=31)
    data: bytes | None = head
    while data is not None or (data := next(pieces, b"")) != b"":
        if data is None:
            yield None
            continue
        try:
            text = member.decompress(data, CHUNK)
        except zlib.error as error:
            raise OSError(f"damaged gzip data: {error}") from error
        if text:
            yield text
        if member.eof:
            data = member.unused_data or None
            member = zlib.decompressobj(wbits=31)
        else:
            data = member.unconsumed_tail or None
    if rest := member.flush():
        yield rest
