"""Lines are found to begin as regular expressions tell, whatever their beginnings have in common."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.scan.chunk import PADDING, Chunk
from pylatencymap.scan.patterns import LONGEST_PREFIX, MOST_PREFIXES, LinePrefix, LinePrefixes, usual_number

NAMES = [
    b"db file sequential read",
    b"db file scattered read",
    b"gc current block 2-way",
    b"gc current block 3-way",
    b"latch: cache buffers chains",
    b"latch: cache buffers lru chain",
    b"SQL*Net more data from client",
    b"SQL*Net more data from dblink",
    b"x",
    b"",
    b"abcdefghi",
    b"abcdefghij",
    b"y" * 70,
]
WIDTHS = [1, 2, 7, 8, 9, 10, 15, 16, 20]
ENDS = [b" ela=", b" ela= "]
beginnings = st.builds(
    LinePrefix,
    st.sampled_from([b"WAIT #", b"wait #"]),
    st.sampled_from(WIDTHS),
    st.builds(lambda name, end: b": nam='" + name + b"'" + end, st.sampled_from(NAMES), st.sampled_from(ENDS)),
)


def pattern(one: LinePrefix) -> re.Pattern[bytes]:
    behind = b"" if one.after_digits.endswith(b" ") else b"(?! )"
    return re.compile(re.escape(one.before_digits) + b"[0-9]{%d}" % one.digits + re.escape(one.after_digits) + behind)


def check(known: list[LinePrefix], lines: list[bytes], usual: int = 0) -> list[int]:
    """Numbers of lines, which are compared with those of the expressions."""
    joined = b"".join(line + b"\n" for line in lines)
    buffer = np.frombuffer(b"7" * PADDING + joined + b"7" * PADDING, np.uint8)
    text = Chunk(buffer, PADDING, PADDING + len(joined))
    numbers, behind = LinePrefixes(known).found(text, text.starts, usual)
    patterns = list(map(pattern, known))
    expected = [next((n for n, one in enumerate(patterns, 1) if one.match(line + b"\n")), 0) for line in lines]
    assert numbers.tolist() == expected
    for line, number, word in zip(lines, expected, behind.tolist(), strict=True):
        if number:
            begun = (line + b"\n")[known[number - 1].length :][:8]
            assert int(word).to_bytes(8, "little")[: len(begun)] == begun
    return expected


def line_of(one: LinePrefix, cursor: int, end: bytes, at: int, char: bytes) -> bytes:
    line = one.before_digits + b"%0*d" % (one.digits, cursor % 10**one.digits) + one.after_digits + end
    return line if at < 0 else line[:at] + char + line[at + 1 :]


@given(
    st.lists(beginnings, unique=True, max_size=12),
    st.lists(
        st.builds(
            line_of,
            beginnings,
            st.sampled_from([4711, 10**19 + 7]) | st.integers(0, 10**20),
            st.sampled_from([b"12 p1=1", b" 12", b"", b"1234567 p1=1"]),
            st.just(-1) | st.integers(0, 90),
            st.sampled_from([b"5", b"a", b" ", b"\xb5", b"\xff", b"/", b":", b"\0"]),
        ),
        max_size=40,
    ),
    st.integers(0, 12),
)
def test_beginnings(known: list[LinePrefix], lines: list[bytes], usual: int) -> None:
    check(known, [line.replace(b"\n", b"") for line in lines], min(usual, len(known)))


@pytest.mark.parametrize("digits", range(1, 21))
@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 40, LONGEST_PREFIX - 40])
def test_every_length(digits: int, length: int) -> None:
    one, other = (LinePrefix(b"WAIT #", digits, b": nam='" + b"a" * length + end) for end in (b"b'", b"c'"))
    lines = [line_of(which, 10**digits // 7 + n, b"1", -1, b"") for n in range(9) for which in (one, other, one)]
    broken = [line_of(one, 12, b"1", at, b"\x80") for at in range(one.length)]
    assert check([one, other], lines + broken) == [1, 2, 1] * 9 + [0] * one.length
    assert check([other, one], lines + broken, usual=1) == [2, 1, 2] * 9 + [0] * one.length


def test_hundreds() -> None:
    known = [LinePrefix(b"WAIT #", 1, b": nam='the same beginning of all, number %d'" % n) for n in range(150)]
    known += [LinePrefix(b"WAIT #", 1, b"%08d" % n) for n in range(150)]
    lines = [line_of(one, 3, b"", -1, b"") for one in [*known[::-1], *known]]
    assert check(known, [*lines, b"WAIT #300000150"]) == [*range(300, 0, -1), *range(1, 301), 0]


def test_what_is_learned() -> None:
    known = LinePrefixes()
    seen = [LinePrefix(b"WAIT #", 1, b": nam='%d' ela= " % n) for n in range(MOST_PREFIXES + 1)]
    more = known.learned([seen[0], seen[1], seen[0]])
    assert more is not None
    assert more.known == (seen[0], seen[1])
    assert more.learned([seen[1]]) is None
    assert more.learned([LinePrefix(b"WAIT #", 1, b"x" * LONGEST_PREFIX)]) is None, "it is too long"
    full = more.learned(seen)
    assert full is not None
    assert full.known == tuple(seen[:MOST_PREFIXES])
    assert full.learned(seen) is None


def test_what_is_usual() -> None:
    assert usual_number(np.array([], np.int16)) == 0
    assert usual_number(np.array([1, 2, 3] * 100, np.int16)) == 0
    assert usual_number(np.array([0, 2, 2] * 10_000, np.int16)) == 2
