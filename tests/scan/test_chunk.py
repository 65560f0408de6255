"""Lines of a text in memory are those that bytes.split gives."""

import numpy as np
from hypothesis import given, strategies as st

from pylatencymap.scan.chunk import PADDING, Chunk


@given(
    st.binary(max_size=50)
    | st.lists(st.sampled_from([b"\n", b"\r", b"\x1b[1m", b"\t", b"ab", b"\xe9\0"])).map(b"".join)
)
def test_lines(lines: bytes) -> None:
    lines += b"\n"
    buffer = np.frombuffer(b"\n" * PADDING + lines + b"\n" * PADDING, np.uint8)
    text = Chunk(buffer, PADDING, PADDING + len(lines))
    expected = lines.split(b"\n")[:-1]
    assert text.count == len(expected)
    assert [text.line(number) for number in range(text.count)] == [line.removesuffix(b"\r") for line in expected]
    assert text.escaped_lines().tolist() == [number for number, line in enumerate(expected) if b"\x1b" in line]
    rows = text.rows(text.ends - 8, 3).tobytes()
    assert [rows[24 * number : 24 * number + 24] for number in range(text.count)] == [
        buffer[end - 8 : end + 16].tobytes() for end in text.ends.tolist()
    ]
    assert (text.rows(text.starts, 1)[:, 0] == text.at(text.starts)).all()


def test_words_at_any_place() -> None:
    """As many as are not fetched one by one."""
    chars = np.random.default_rng(1).integers(0, 256, 5000 + 2 * PADDING).astype(np.uint8)
    text = Chunk(chars, PADDING, PADDING + 5000)
    places = np.arange(PADDING - 20, PADDING + 5000 + 20)[::-1]
    expected = [int.from_bytes(chars[place : place + 8].tobytes(), "little") for place in places.tolist()]
    assert text.at(places).tolist() == expected
    assert text.at(places[:9]).tolist() == expected[:9]
