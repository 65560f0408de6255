"""Reads bytes from files and pipes, plain or compressed, in chunks of limited size whatever the input is."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from .compressed.breaks import TORN, Broken
from .compressed.decompression import MAGICS

CHUNK = 1 << 16
PAUSE_SECONDS = 0.15
"""How long a live source is silent before everything it has printed counts as complete."""

PLAIN_HEAD = 4
"""So many bytes of a file tell whether it is plain."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_plain(head: bytes) -> bool:
    """Whether a file that begins with these bytes is neither compressed nor marked with a byte order mark."""
    return not head.startswith((*(magic[:PLAIN_HEAD] for magic in MAGICS), *_MARKS))


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


def said_in_turn(read: Callable[[Broken], Iterable[bytes | None]], bad: Broken) -> Iterator[bytes]:
    """The pieces of a text, with an empty one before ``bad`` receives what is wrong behind the pieces so far: who reads
    them can use those first. ``read`` returns the pieces, and says what is wrong. TORN is passed on.
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
        if piece or piece is TORN:
            yield piece
    yield from said()
