"""Decompresses a file of blocks of lz4-java or snappy-java, each as soon as it is there as a whole. Spark writes them;
neither is the format of the command lz4 or of snzip.

Sources: LZ4BlockOutputStream of lz4-java, SnappyOutputStream of snappy-java.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ...errors import MissingPackage
from .breaks import CHUNK, DAMAGED, DamagedData

LZ4_MAGIC = b"LZ4Block"
SNAPPY_MAGIC = b"\x82SNAPPY\x00"
BLOCK_MAGICS = (LZ4_MAGIC, SNAPPY_MAGIC)
MOST_OF_BLOCK = 1 << 26
"""No block is longer, compressed or not: a larger length is damage. Those of Spark have 32 kB."""
_LZ4_HEAD = struct.Struct("<8sBiii")
"""The magic, what is within, its length, that of the text, a checksum."""
_STORED, _COMPRESSED = 0x10, 0x20
_SNAPPY_HEAD = 16
_LENGTH = struct.Struct(">i")
_AGAIN = _LENGTH.unpack(SNAPPY_MAGIC[:4])[0]
"""The length that a repeated head looks like."""


class _Block(NamedTuple):
    """A piece of text, and how many bytes of the file it took."""

    text: bytes
    size: int


class _Blocks(Protocol):
    name: str

    def first(self, data: bytes, at: int, /) -> _Block | None:
        """The block that begins at a place; None if it is not there as a whole. Raises DamagedData."""


class _Lz4Blocks:
    """Blocks of lz4-java. One that is empty ends a stream; another stream can follow."""

    name = "lz4"

    def __init__(self) -> None:
        try:
            import lz4.block
        except ImportError as error:
            raise MissingPackage("the file is compressed with LZ4, which needs a package", "lz4") from error
        self._decompress, self._error = lz4.block.decompress, lz4.block.LZ4BlockError

    def first(self, data: bytes, at: int, /) -> _Block | None:
        if zeros := _zeros(data, at):
            return _Block(b"", zeros)
        if len(data) < at + _LZ4_HEAD.size:
            return None
        magic, token, size, length, _ = _LZ4_HEAD.unpack_from(data, at)
        if magic != LZ4_MAGIC or not (0 <= size <= MOST_OF_BLOCK and 0 <= length <= MOST_OF_BLOCK):
            raise DamagedData(DAMAGED)
        begin = at + _LZ4_HEAD.size
        if len(data) < begin + size:
            return None
        packed = data[begin : begin + size]
        return _Block(self._text(token & 0xF0, packed, length) if length else b"", _LZ4_HEAD.size + size)

    def _text(self, kind: int, packed: bytes, length: int) -> bytes:
        if kind == _STORED and len(packed) == length:
            return packed
        if kind != _COMPRESSED:
            raise DamagedData(DAMAGED)
        try:
            text: bytes = self._decompress(packed, uncompressed_size=length)
        except self._error as error:
            raise DamagedData(DAMAGED) from error
        if len(text) != length:
            raise DamagedData(DAMAGED)
        return text


class _SnappyBlocks:
    """Blocks of snappy-java; its head can come again."""

    name = "snappy"

    def __init__(self) -> None:
        try:
            import cramjam
        except ImportError as error:
            raise MissingPackage("the file is compressed with Snappy, which needs a package", "cramjam") from error
        self._decompress, self._error = cramjam.snappy.decompress_raw, cramjam.DecompressionError

    def first(self, data: bytes, at: int, /) -> _Block | None:
        if len(data) < at + _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack_from(data, at)
        if not size:  # padding
            return _Block(b"", _LENGTH.size)
        if size == _AGAIN:
            return _Block(b"", _SNAPPY_HEAD) if len(data) >= at + _SNAPPY_HEAD else None
        if not 0 <= size <= MOST_OF_BLOCK:
            raise DamagedData(DAMAGED)
        begin = at + _LENGTH.size
        if len(data) < begin + size:
            return None
        packed = data[begin : begin + size]
        if _snappy_length(packed) > MOST_OF_BLOCK:
            raise DamagedData(DAMAGED)
        try:
            return _Block(bytes(self._decompress(packed)), _LENGTH.size + size)
        except self._error as error:
            raise DamagedData(DAMAGED) from error


def _zeros(data: bytes, at: int) -> int:
    """How many zero bytes begin at a place: between blocks they are padding."""
    return len(data) - at - len(data[at:].lstrip(b"\0")) if data.startswith(b"\0", at) else 0


def _snappy_length(packed: bytes) -> int:
    """The length of the text of raw Snappy data, with which they begin."""
    length = 0
    for place, byte in enumerate(packed[:5]):
        length |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            break
    return length


class JavaBlocks:
    """Decompresses the blocks of a file that begins with a magic. Raises MissingPackage."""

    def __init__(self, magic: bytes) -> None:
        self._blocks: _Blocks = _Lz4Blocks() if magic == LZ4_MAGIC else _SnappyBlocks()
        self._rest = b""

    @property
    def is_within(self) -> bool:
        """Whether a block has begun but not ended."""
        return bool(self._rest.strip(b"\0"))

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The text of the blocks that are there as a whole. Raises DamagedData."""
        self._rest += data
        place = 0
        while (block := self._blocks.first(self._rest, place)) is not None:
            place += block.size
            yield from (block.text[begin : begin + CHUNK] for begin in range(0, len(block.text), CHUNK))
        self._rest = self._rest[place:]

    def rest(self) -> bytes:
        """Nothing: a block that is not whole has no text."""
        return b""
