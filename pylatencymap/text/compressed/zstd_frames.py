"""Decompresses the frames of a Zstandard file, up to the first damage.

The libraries lose all text of a call in which they find damage. So the parts of a frame go to them one by one: its
head, each block, its checksum. Source: RFC 8878, sections 3.1.1 and 3.1.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...errors import MissingPackage
from .breaks import CHUNK, DAMAGED, WRONG_SUM, DamagedData

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SLICE = 1 << 10
"""Bytes that are decompressed at once: even of the most compressible data they make 32 MB at most."""
_HEAD = len(ZSTD_MAGIC) + 1
"""Bytes of a frame that tell how long its head is."""
_BLOCK_HEAD = 3
_RAW_RUN = 1
"""The type of a block that repeats a single byte."""
_CHECKSUM = 4
_SKIPPED = range(0x50, 0x60)
"""The first bytes of frames without text, whose heads say how long they are."""
_SKIPPED_HEAD = 8


class _Parts:
    """Says where the next part of a frame ends. ``wanted``: bytes that it has at least; ``is_checksum``: it is one."""

    def __init__(self) -> None:
        self.is_checksum = False
        self._next: Callable[[bytes], int | None] = self._of_head
        self._has_checksum = self._is_last = False

    def length(self, data: bytes) -> int | None:
        """How many bytes the part has that begins these data; None if too few are there to tell."""
        return self._next(data)

    def _of_head(self, data: bytes) -> int | None:
        if data[:1] and data[0] in _SKIPPED:
            return None if len(data) < _SKIPPED_HEAD else _SKIPPED_HEAD + int.from_bytes(data[4:8], "little")
        if len(data) < _HEAD:
            return None
        described = data[_HEAD - 1]
        self._has_checksum = bool(described & 4)
        single, size = described >> 5 & 1, described >> 6
        self._next = self._of_block
        return _HEAD + (not single) + (0, 1, 2, 4)[described & 3] + (single, 2, 4, 8)[size]

    def _of_block(self, data: bytes) -> int | None:
        if len(data) < _BLOCK_HEAD:
            return None
        head = int.from_bytes(data[:_BLOCK_HEAD], "little")
        if head & 1:
            self._next = self._of_checksum
        return _BLOCK_HEAD + (1 if head >> 1 & 3 == _RAW_RUN else head >> 3)

    def _of_checksum(self, _: bytes) -> int:
        self.is_checksum = True
        return _CHECKSUM


class ZstdFrames:
    """Decompresses the frames one after the other; zero bytes between and after them are padding."""

    def __init__(self) -> None:
        self._new_frame, self._error = _zstd_library()
        self._frame, self._parts = self._new_frame(), _Parts()
        self._waiting = b""
        self._left = 0
        self._begun = False

    @property
    def is_within(self) -> bool:
        """Whether a frame has begun but not ended."""
        return self._begun

    def feed(self, data: bytes) -> Iterator[bytes]:
        data, self._waiting = self._waiting + data, b""
        while data := data if self._begun else data.lstrip(b"\0"):
            self._begun = True
            if not self._left:
                length = self._parts.length(data)
                if length is None:
                    self._waiting = data
                    return
                self._left = length
            size = min(self._left, _SLICE)
            taken, data = data[:size], data[size:]
            self._left -= len(taken)
            text = self._decompressed(taken)
            yield from (text[begin : begin + CHUNK] for begin in range(0, len(text), CHUNK))
            if self._frame.eof:
                self._frame, self._parts, self._begun, self._left = self._new_frame(), _Parts(), False, 0

    def _decompressed(self, data: bytes) -> bytes:
        try:
            text: bytes = self._frame.decompress(data)
        except self._error as error:
            raise DamagedData(WRONG_SUM if self._parts.is_checksum else DAMAGED) from error
        return text

    def rest(self) -> bytes:
        return b""


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
