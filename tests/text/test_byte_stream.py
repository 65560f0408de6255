"""Bytes from files and pipes: gzip or not, whole or cut off."""

import gzip
import io
import zlib
from collections import deque

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text.byte_stream import CHUNK, PAUSE_SECONDS, file_chunks, gunzip, pipe_chunks

TEXT = "".join(f"{n} -> {2 * n - 1} : {n * n % 977}\n" for n in range(1, 3000)).encode()
ZIPPED = gzip.compress(TEXT)


def cut(data: bytes, size: int) -> list[bytes | None]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def joined(chunks: list[bytes | None]) -> bytes:
    return b"".join(chunk for chunk in gunzip(chunks) if chunk is not None)


@pytest.mark.parametrize("size", [1, 2, 3, 1000, 1 << 20])
def test_gzip_and_plain_text_come_out_alike_in_any_chunks(size: int) -> None:
    assert joined(cut(ZIPPED, size)) == TEXT
    assert joined(cut(TEXT, size)) == TEXT


@given(st.integers(0, len(ZIPPED)), st.sampled_from([1, 7, 4096]))
def test_a_cut_off_file_is_read_as_far_as_it_goes(end: int, size: int) -> None:
    found = joined(cut(ZIPPED[:end], size))
    assert found == ZIPPED[:end] if end < 2 else TEXT.startswith(found)


@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_where_a_file_was_cut_off_is_told_by_line(size: int) -> None:
    for data in (ZIPPED, ZIPPED + b"\0" * 9, gzip.compress(b""), TEXT, b"", b"\x1f"):
        lines: list[int] = []
        list(gunzip(cut(data, size), lines.append))
        assert lines == []
    for end in (2, 10, 200, len(ZIPPED) // 2, len(ZIPPED) - 8, len(ZIPPED) - 1):
        lines = []
        text = b"".join(chunk for chunk in gunzip(cut(ZIPPED[:end], size), lines.append) if chunk)
        assert lines == [text.count(b"\n") + 1]
    later: list[int] = []
    list(gunzip(cut(ZIPPED + ZIPPED[:2], size), later.append))
    assert later == [TEXT.count(b"\n") + 1]


def test_no_byte_is_left_behind_where_little_data_is_much_text() -> None:
    dense = gzip.compress(b"\n" * (3 * CHUNK) + b"end\n")
    for end in range(20, len(dense)):
        whole = zlib.decompressobj(wbits=31)
        assert joined([dense[:end]]) == whole.decompress(dense[:end]) + whole.flush()


def test_a_file_that_was_flushed_is_read_to_its_last_flush() -> None:
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb") as zipped:
        zipped.write(TEXT[:5000])
        zipped.flush()
        flushed = file.tell()
        zipped.write(TEXT[5000:])
    assert joined(cut(file.getvalue()[:flushed], 100)) == TEXT[:5000]


@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_members_follow_each_other_with_padding_between_and_after_them(size: int) -> None:
    data = ZIPPED + b"\0" * 37 + gzip.compress(b"more\n") + b"\0" * 512
    assert joined(cut(data, size)) == TEXT + b"more\n"


def test_what_is_small_in_the_file_and_large_in_memory_comes_in_pieces() -> None:
    pieces = list(gunzip([gzip.compress(b"\n" * (20 * CHUNK))]))
    assert max(len(piece or b"") for piece in pieces) <= CHUNK
    assert sum(len(piece or b"") for piece in pieces) == 20 * CHUNK


def unzipped(data: bytes) -> tuple[bytes, list[int]]:
    lines: list[int] = []
    return b"".join(piece for piece in gunzip([data], lines.append, lines.append) if piece), lines


def test_damage_is_an_error_after_what_could_be_read() -> None:
    found = gunzip([ZIPPED, b"no gzip any more"])
    assert next(found) == TEXT[:CHUNK]
    with pytest.raises(OSError, match="damaged gzip data"):
        list(found)


def test_damage_costs_the_rest_of_its_member() -> None:
    assert unzipped(ZIPPED + b"no gzip any more") == (TEXT, [TEXT.count(b"\n") + 1])
    text = b"".join(b"line %d\n" % number for number in range(5000))
    data = gzip.compress(text)
    for place in (15, 50, len(data) // 2, len(data) - 12):
        broken = bytearray(data)
        broken[place] ^= 0x10
        found, lines = unzipped(bytes(broken) + gzip.compress(b"more\n"))
        begin, _, rest = found.rpartition(b"\nmore\n")
        assert rest == b""
        assert len(lines) == 1
        assert place > len(data) - 20 or len(begin) < len(text)


@given(st.data())
def test_what_is_read_of_damaged_data_does_not_depend_on_chunks(data: st.DataObject) -> None:
    inner = gzip.compress(TEXT[:2000], mtime=0)
    members = [gzip.compress(TEXT[:500], mtime=0), gzip.compress(inner, 0, mtime=0), inner]
    whole = bytearray(b"".join(data.draw(st.lists(st.sampled_from(members), min_size=1, max_size=4))))
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(2, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut_off = bytes(whole[: data.draw(st.integers(3, len(whole)))]) + inner
    lines: list[int] = []
    found = b"".join(chunk for chunk in gunzip([cut_off], damaged=lines.append) if chunk)
    for size in (1, 7, 300):
        again: list[int] = []
        assert b"".join(chunk for chunk in gunzip(cut(cut_off, size), damaged=again.append) if chunk) == found
        assert again == lines


def test_what_comes_before_the_damage_is_read() -> None:
    random = b"".join(b"%d\n" % (number * 7919 % 100_003) for number in range(20_000))
    data = bytearray(gzip.compress(random))
    data[len(data) // 2] ^= 0x10
    found, _ = unzipped(bytes(data))
    assert len(found) > len(random) // 3


def test_pauses_are_passed_on() -> None:
    half = len(ZIPPED) // 2
    assert None in list(gunzip([ZIPPED[:half], None, ZIPPED[half:]]))
    assert list(gunzip([b"ab", None, b"c"])) == [b"ab", None, b"c"]


def test_one_byte_is_enough_for_a_file() -> None:
    assert list(gunzip([b"x"])) == [b"x"]
    assert list(gunzip([])) == []


def test_a_file_is_read_to_its_end() -> None:
    data = b"x" * (2 * CHUNK + 5)
    assert [len(chunk) for chunk in file_chunks(io.BytesIO(data))] == [CHUNK, CHUNK, 5]


class Pipe:
    """A pipe that gives a script: bytes, or None for a moment without any; b"" is its end."""

    def __init__(self, *script: bytes | None) -> None:
        self._script = deque(script)
        self.timeouts: list[float | None] = []

    def ready(self, timeout: float | None) -> bool:
        self.timeouts.append(timeout)
        if self._script[0] is None:
            self._script.popleft()
            return False
        return True

    def read(self, _: int) -> bytes:
        return self._script.popleft() or b""

    def ended(self) -> bool:
        return not self._script


def test_a_silent_pipe_pauses_once_and_then_is_waited_for_without_limit() -> None:
    pipe = Pipe(b"a\n", None, None, b"b\n", b"c\n", b"")
    assert list(pipe_chunks(pipe.read, pipe.ready, pipe.ended)) == [b"a\n", None, b"b\n", b"c\n"]
    assert pipe.timeouts == [None, PAUSE_SECONDS, None, None, PAUSE_SECONDS, PAUSE_SECONDS]


def test_a_pipe_is_left_when_reading_shall_stop() -> None:
    pipe = Pipe(b"a\n")
    assert list(pipe_chunks(pipe.read, pipe.ready, pipe.ended)) == [b"a\n"]


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_zstandard_comes_out_as_it_went_in(size: int) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = b"".join(b"line %d\n" % number for number in range(30_000))
    data = zstandard.ZstdCompressor().compress(text)
    assert b"".join(piece for piece in gunzip(cut(data + data, size)) if piece) == text + text
    broken: list[int] = []
    found = b"".join(piece for piece in gunzip(cut(data[: len(data) // 2], size), broken.append) if piece)
    assert text.startswith(found)
    assert broken == [found.count(b"\n") + 1]


def test_damaged_zstandard_is_told_with_its_line() -> None:
    zstandard = pytest.importorskip("zstandard")
    text = b"".join(b"line %d\n" % number for number in range(300_000))
    data = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(text))
    data[len(data) // 2] ^= 255
    lines: list[int] = []
    found = b"".join(piece for piece in gunzip(cut(bytes(data), 1 << 16), damaged=lines.append) if piece)
    assert lines == [found.count(b"\n") + 1]
    with pytest.raises(OSError, match="damaged Zstandard data, in line"):
        list(gunzip(cut(bytes(data), 1 << 16)))
