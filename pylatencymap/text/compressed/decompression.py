"""Decompresses what comes from a file or a pipe, by its first bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Protocol

from .breaks import CUT_OFF, TORN, Broken, DamagedData
from .gzip_members import GZIP_MAGIC, GzipMembers
from .java_blocks import BLOCK_MAGICS, JavaBlocks
from .zstd_frames import ZSTD_MAGIC, ZstdFrames

MAGICS = (GZIP_MAGIC, ZSTD_MAGIC, *BLOCK_MAGICS)


def _forget(_line: int, _why: str) -> None:
    """The callback of callers that need none."""


def gunzip(chunks: Iterable[bytes | None], broken: Broken = _forget) -> Iterator[bytes | None]:
    """The chunks unchanged, or decompressed if they begin as gzip, Zstandard, or blocks of lz4-java or snappy-java.

    Where compressed data break off, all text before that is yielded, then TORN. Then ``broken`` gets the number of the
    line in which the text breaks off, and why: CUT_OFF, DAMAGED or WRONG_SUM. There is no text behind that, but the
    chunks are read to their end, as a live source wants it. Zeros behind the data, and between their parts, are
    padding. Raises MissingPackage if nothing decompresses them.
    """
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        if piece is not None:
            head += piece
        if not any(magic.startswith(head) and magic != head for magic in MAGICS):
            break
    reads = _decompressor(head)
    if reads is None:
        if head:
            yield head
        yield from pieces
        return
    line, is_broken = 1, False
    for piece in chain([head], pieces):
        if piece is None:
            yield None
            continue
        if is_broken:
            continue
        try:
            for text in reads.feed(piece):
                line += text.count(b"\n")
                yield text
        except DamagedData as error:
            is_broken = True
            yield TORN
            broken(line, error.why)
    if not is_broken and reads.is_within:
        if rest := reads.rest():
            line += rest.count(b"\n")
            yield rest
        yield TORN
        broken(line, CUT_OFF)


def readable_text(chunks: Iterable[bytes | None], broken: Broken) -> Iterator[bytes | None]:
    """The same. Raises OSError if the chunks are damaged before there is any text."""
    is_begun = False

    def told(line: int, why: str) -> None:
        if why is not CUT_OFF and not is_begun:
            raise OSError("the compressed data are damaged from their first byte on")
        broken(line, why)

    for piece in gunzip(chunks, told):
        is_begun = is_begun or bool(piece)
        yield piece


class _Decompressor(Protocol):
    """What decompresses a file of some kind, as its bytes come."""

    @property
    def is_within(self) -> bool:
        """Whether the file cannot end here."""

    def feed(self, data: bytes, /) -> Iterator[bytes]:
        """The text of more bytes, in chunks of at most CHUNK. Raises DamagedData after all text before the damage."""

    def rest(self) -> bytes:
        """The last text of a file that was cut off."""


def _decompressor(head: bytes) -> _Decompressor | None:
    """What decompresses a file that begins so; None if it is plain. Raises MissingPackage."""
    if head.startswith(GZIP_MAGIC):
        return GzipMembers()
    if head.startswith(ZSTD_MAGIC):
        return ZstdFrames()
    return next((JavaBlocks(magic) for magic in BLOCK_MAGICS if head.startswith(magic)), None)
