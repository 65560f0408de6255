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


def decompress(chunks: Iterable[bytes | None], broken: Broken = _forget) -> Iterator[bytes | None]:
    """The chunks unchanged, or decompressed if they begin as gzip, Zstandard, or blocks of lz4-java or snappy-java.

    Where compressed data break off, all text before that is yielded, then TORN. Then ``broken`` gets the number of the
    line in which the text breaks off, and why: CUT_OFF, DAMAGED or WRONG_SUM. There is no text behind that, but the
    chunks are read to their end, as a live source wants it. Zeros behind the data, and between their parts, are
    padding. Raises MissingPackage if nothing decompresses them.
    """
    pieces = iter(chunks)
    head = _head_of(pieces)
    decompressor = _decompressor(head)
    if decompressor is not None:
        yield from _decompressed(chain([head], pieces), decompressor, broken)
        return
    if head:
        yield head
    yield from pieces


def _head_of(pieces: Iterator[bytes | None]) -> bytes:
    """Takes as many pieces as tell whether the file is compressed, and returns their bytes."""
    head = b""
    for piece in pieces:
        if piece is not None:
            head += piece
        if not any(magic.startswith(head) and magic != head for magic in MAGICS):
            break
    return head


def _decompressed(
    pieces: Iterable[bytes | None], decompressor: _Decompressor, broken: Broken
) -> Iterator[bytes | None]:
    """The text of a compressed file; see ``decompress``."""
    line, is_broken = 1, False
    for piece in pieces:
        if piece is None:
            yield None
            continue
        if is_broken:
            continue
        try:
            for text in decompressor.feed(piece):
                line += text.count(b"\n")
                yield text
        except DamagedData as error:
            is_broken = True
            yield TORN
            broken(line, error.why)
    if not is_broken and decompressor.is_within:
        if rest := decompressor.rest():
            line += rest.count(b"\n")
            yield rest
        yield TORN
        broken(line, CUT_OFF)


def readable_text(chunks: Iterable[bytes | None], broken: Broken) -> Iterator[bytes | None]:
    """See ``decompress``. Raises OSError if the chunks are damaged before there is any text."""
    is_begun = False

    def told(line: int, why: str) -> None:
        if why is not CUT_OFF and not is_begun:
            raise OSError("the compressed data are damaged from their first byte on")
        broken(line, why)

    for piece in decompress(chunks, told):
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
