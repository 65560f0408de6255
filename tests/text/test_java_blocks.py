"""Blocks of lz4-java and snappy-java, made here by their description."""

import struct
import sys
from collections.abc import Callable

import pytest

from pylatencymap.errors import MissingPackage
from pylatencymap.text import decompress, is_plain
from pylatencymap.text.compressed.java_blocks import BLOCK_MAGICS

TEXT = b"".join(b"line %d\n" % number for number in range(20_000))
BLOCK = 1 << 15
PIECES = [TEXT[at : at + BLOCK] for at in range(0, len(TEXT), BLOCK)]
LZ4_END = b"LZ4Block" + struct.pack("<Biii", 0x15, 0, 0, 0)


def lz4_stream(pieces: list[bytes], *, stored: bool = False) -> bytes:
    block = pytest.importorskip("lz4.block")
    found = b""
    for piece in pieces:
        packed = piece if stored else block.compress(piece, store_size=False)
        found += b"LZ4Block" + struct.pack("<Biii", (0x10 if stored else 0x20) | 5, len(packed), len(piece), 0) + packed
    return found + LZ4_END


def snappy_stream(pieces: list[bytes]) -> bytes:
    cramjam = pytest.importorskip("cramjam")
    found = b"\x82SNAPPY\x00" + struct.pack(">ii", 1, 1)
    for piece in pieces:
        packed = bytes(cramjam.snappy.compress_raw(piece))
        found += struct.pack(">i", len(packed)) + packed
    return found


STREAMS = [lz4_stream, snappy_stream]
Stream = Callable[[list[bytes]], bytes]


def in_pieces(data: bytes, size: int) -> list[bytes | None]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def text_of(data: bytes, size: int = 1 << 16, lines: list[int] | None = None) -> bytes:
    told = [] if lines is None else lines
    return b"".join(piece for piece in decompress(in_pieces(data, size), lambda line, _: told.append(line)) if piece)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("size", [97, 1 << 16])
def test_text_comes_out_as_it_went_in(stream: Stream, size: int) -> None:
    data, lines = stream(PIECES), list[int]()
    assert text_of(data, size, lines) == TEXT
    assert text_of(data + data, size, lines) == TEXT + TEXT
    assert text_of(stream([]), size, lines) == b""
    for zeros in (1, 4, 21, 4096):
        assert text_of(data + bytes(zeros), size, lines) == TEXT
    assert lines == []
    assert not is_plain(data[:4])


def test_stored_blocks_are_taken_as_they_are() -> None:
    assert text_of(lz4_stream(PIECES, stored=True)) == TEXT


@pytest.mark.parametrize("stream", STREAMS)
def test_whole_blocks_of_an_unfinished_file_are_read(stream: Stream) -> None:
    data, ends = stream(PIECES), {0, *(sum(map(len, PIECES[:count])) for count in range(len(PIECES) + 1))}
    for end in range(40, len(data) - len(LZ4_END), 1777):
        lines: list[int] = []
        found = text_of(data[:end], lines=lines)
        assert TEXT.startswith(found)
        assert len(found) in ends
        assert lines == [found.count(b"\n") + 1]


@pytest.mark.parametrize("stream", STREAMS)
def test_a_pause_passes_and_text_comes_as_soon_as_its_block_is_there(stream: Stream) -> None:
    data, half = stream(PIECES[:2]), len(stream(PIECES[:1])) - (len(LZ4_END) if stream is lz4_stream else 0)
    found = list(decompress([data[:half], None, data[half:]]))
    assert found == [PIECES[0], None, PIECES[1]]


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("length", [-5, (1 << 31) - 1])
def test_an_impossible_length_is_damage_told_with_its_line(stream: Stream, length: int) -> None:
    data = bytearray(stream(PIECES))
    first = len(stream(PIECES[:1])) - (len(LZ4_END) if stream is lz4_stream else 0)
    if stream is lz4_stream:
        struct.pack_into("<i", data, first + 9, length)
    else:
        struct.pack_into(">i", data, first, length)
    lines: list[int] = []
    assert text_of(bytes(data), lines=lines) == PIECES[0]
    assert lines == [PIECES[0].count(b"\n") + 1]


@pytest.mark.parametrize("stream", STREAMS)
def test_damage_within_a_block_never_makes_more_text_than_there_is(stream: Stream) -> None:
    good = stream(PIECES)
    for place in range(30, len(good), 4999):
        data, lines = bytearray(good), list[int]()
        data[place] ^= 255
        found = text_of(bytes(data), lines=lines)
        assert len(found) <= len(TEXT)
        assert found == TEXT or lines or len(found) == len(TEXT)


@pytest.mark.parametrize(("magic", "package"), [*zip(BLOCK_MAGICS, ["lz4", "cramjam"], strict=True)])
def test_without_the_package_the_message_says_how_to_get_it(
    magic: bytes, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (package, f"{package}.block"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingPackage, match=f"-m pip install {package}$|apt-get install|and {package} with pip there$"
    ):
        list(decompress([magic + bytes(20)]))
