"""Bytes from files and pipes: compressed or not, whole, cut off or damaged."""

import gzip
import io
import zlib
from collections import deque

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text import CUT_OFF, DAMAGED, TORN, WRONG_SUM, decompress, readable_text
from pylatencymap.text.byte_stream import CHUNK, PAUSE_SECONDS, file_chunks, pipe_chunks

TEXT = "".join(f"{n} -> {2 * n - 1} : {n * n % 977}\n" for n in range(1, 3000)).encode()
ZIPPED = gzip.compress(TEXT)


def cut(data: bytes, size: int) -> list[bytes | None]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def joined(chunks: list[bytes | None]) -> bytes:
    return b"".join(chunk for chunk in decompress(chunks) if chunk is not None)


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
        assert unzipped(data, size)[1] == []
    for end in (2, 10, 200, len(ZIPPED) // 2, len(ZIPPED) - 8, len(ZIPPED) - 1):
        text, told = unzipped(ZIPPED[:end], size)
        assert told == [(text.count(b"\n") + 1, CUT_OFF)]
    assert unzipped(ZIPPED + ZIPPED[:2], size) == (TEXT, [(TEXT.count(b"\n") + 1, CUT_OFF)])


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
    pieces = list(decompress([gzip.compress(b"\n" * (20 * CHUNK))]))
    assert max(len(piece or b"") for piece in pieces) <= CHUNK
    assert sum(len(piece or b"") for piece in pieces) == 20 * CHUNK


def unzipped(data: bytes, size: int = 1 << 16) -> tuple[bytes, list[tuple[int, str]]]:
    broken: list[tuple[int, str]] = []
    pieces = list(decompress(cut(data, size), lambda line, why: broken.append((line, why))))
    torn = [place for place, piece in enumerate(pieces) if piece is TORN]
    assert torn == [len(pieces) - 1] * len(broken), "it is torn where it breaks off, and nothing follows"
    return b"".join(piece for piece in pieces if piece), broken


def as_zlib(data: bytes) -> bytes:
    """What zlib makes of members, byte by byte, up to the first that it refuses."""
    found, member = b"", zlib.decompressobj(wbits=31)
    for place in range(len(data)):
        try:
            found += member.decompress(data[place : place + 1])
        except zlib.error:
            return found
        if member.eof:
            member = zlib.decompressobj(wbits=31)
    return found


@pytest.mark.parametrize("garbage", [b"no gzip any more", b"\0\0garbage", b"\x1f\x8b\x07\0", b"\xff" * 70_000])
@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_garbage_behind_a_member_is_damage_behind_its_text(garbage: bytes, size: int) -> None:
    assert unzipped(ZIPPED + garbage, size) == (TEXT, [(TEXT.count(b"\n") + 1, DAMAGED)])


@pytest.mark.parametrize("place", range(-8, 0))
def test_a_wrong_checksum_or_length_is_told_behind_the_text(place: int) -> None:
    data = bytearray(ZIPPED)
    data[place] ^= 1
    told = [(TEXT.count(b"\n") + 1, WRONG_SUM)]
    assert unzipped(bytes(data)) == unzipped(bytes(data) + ZIPPED) == (TEXT, told)


@given(st.data())
def test_all_text_before_the_damage_is_read_and_none_behind_it(data: st.DataObject) -> None:
    members = [gzip.compress(TEXT[:500], mtime=0), ZIPPED, gzip.compress(TEXT[:9000], 0, mtime=0)]
    whole = bytearray(b"".join(data.draw(st.lists(st.sampled_from(members), min_size=1, max_size=4))))
    place = data.draw(st.integers(2, len(whole) - 1))
    whole[place : place + data.draw(st.integers(1, 9))] = data.draw(st.binary(min_size=1, max_size=9))
    broken = bytes(whole)
    text, told = unzipped(broken)
    assert text == as_zlib(broken)
    assert [line for line, _ in told] == [text.count(b"\n") + 1] * len(told)
    for size in (1, 7, 300):
        assert unzipped(broken, size) == (text, told)


@given(st.data())
def test_the_text_of_stored_data_is_never_wrong(data: st.DataObject) -> None:
    """Whatever stands in the place of the end of a file, the text is the beginning of the true one."""
    end = data.draw(st.integers(10, len(ZIPPED) - 1))
    text, told = unzipped(ZIPPED[:end] + gzip.compress(b"other\n") * data.draw(st.integers(0, 1)))
    assert len(told) == 1
    lines = text.split(b"\n")[:-1]
    true = TEXT.split(b"\n")
    same = next((n for n, line in enumerate(lines) if line != true[n]), len(lines))
    assert same >= zlib.decompressobj(31).decompress(ZIPPED[:end]).count(b"\n")


def test_a_file_that_is_damaged_from_its_beginning_cannot_be_read() -> None:
    for data in (b"\x1f\x8bnonsense", ZIPPED[:5] + b"\xff" * 99, b"\x28\xb5\x2f\xfdxxxx"):
        if data.startswith(b"\x28"):
            pytest.importorskip("zstandard")
        with pytest.raises(OSError, match="damaged from their first byte on"):
            list(readable_text([data], lambda *_: pytest.fail("it is no bad record")))


def test_pauses_are_passed_on() -> None:
    half = len(ZIPPED) // 2
    assert None in list(decompress([ZIPPED[:half], None, ZIPPED[half:]]))
    assert list(decompress([b"ab", None, b"c"])) == [b"ab", None, b"c"]


def test_one_byte_is_enough_for_a_file() -> None:
    assert list(decompress([b"x"])) == [b"x"]
    assert list(decompress([])) == []


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
    assert unzipped(data + bytes(9) + data + bytes(5000), size) == (text + text, [])
    found, told = unzipped(data[: len(data) // 2], size)
    assert text.startswith(found)
    assert told == [(found.count(b"\n") + 1, CUT_OFF)]
    assert unzipped(data + b"garbage", size) == (text, [(30_001, DAMAGED)])


@pytest.mark.parametrize("lines", [20, 300_000])
@pytest.mark.parametrize("size", [1, 1 << 16])
def test_a_wrong_checksum_of_zstandard_is_told_behind_its_text(lines: int, size: int) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = b"".join(b"line %d\n" % number for number in range(lines))
    data = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(text))
    data[-1] ^= 1
    assert unzipped(bytes(data), size) == (text, [(lines + 1, WRONG_SUM)])


@given(st.data())
def test_whole_blocks_of_zstandard_before_the_damage_are_read(data: st.DataObject) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = b"".join(b"%d\n" % (number * 7919 % 100_003) for number in range(70_000))
    packed = zstandard.ZstdCompressor(write_checksum=True).compress(text)
    place = data.draw(st.integers(10, len(packed) - 1))
    found, told = unzipped(packed[:place] + b"\xff" * 20 + packed[place + 20 :])
    assert len(told) == 1
    assert found == text[: len(found)] or told[0][1] is WRONG_SUM
    assert len(found) >= len(text) * place // len(packed) - 2 * (1 << 17)
    assert unzipped(packed[:place] + b"\xff" * 20 + packed[place + 20 :], 4099) == (found, told)
