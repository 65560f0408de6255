"""Literals are found where the rows begin with them, whatever they have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.bulk.literals import LONGEST, SHORTEST, Literals
from pylatencymap.bulk.words import BYTES, Rows

NAMES = [
    b": nam='db file sequential read' ela=",
    b": nam='db file scattered read' ela=",
    b": nam='gc current block 2-way' ela=",
    b": nam='gc current block 3-way' ela=",
    b": nam='latch: cache buffers chains' ela=",
    b": nam='latch: cache buffers lru chain' ela=",
    b": nam='x' ela=",
    b": nam='' ela=",
    b": nam='abcdefghi' ela=",
    b": nam='abcdefghij' ela=",
    b": nam='" + b"y" * (LONGEST - 13) + b"' ela=",
]


def rows_of(texts: list[bytes], words: int) -> Rows:
    joined = b"".join(text.ljust(words * BYTES, b"7")[: words * BYTES] for text in texts)
    return np.frombuffer(joined, "<u8").reshape(-1, words)


def check(literals: list[bytes], texts: list[bytes]) -> None:
    known = Literals(literals)
    expected = [next((n for n, literal in enumerate(literals, 1) if text.startswith(literal)), 0) for text in texts]
    assert known.found(rows_of(texts, known.words)).tolist() == expected
    assert known.found(rows_of(texts, known.words + 1)).tolist() == expected
    assert known.lengths.tolist() == [0, *map(len, literals)]


@given(
    st.lists(st.sampled_from(NAMES), unique=True),
    st.lists(st.tuples(st.sampled_from(NAMES), st.integers(-1, LONGEST), st.binary(max_size=9)), max_size=40),
)
def test_names(literals: list[bytes], made: list[tuple[bytes, int, bytes]]) -> None:
    check(literals, [name if at < 0 else name[:at] + b"!" + name[at + 1 :] + end for name, at, end in made])


@pytest.mark.parametrize("length", range(SHORTEST, LONGEST + 1))
def test_every_length(length: int) -> None:
    one, other = b"a" * length, b"a" * (length - 1) + b"b"
    check([one, other], [one, other, one[:-1] + b"c", b"b" + one[1:], one])


def test_hundreds() -> None:
    literals = [b"the same beginning of all, number %d." % n for n in range(150)] + [b"%08d." % n for n in range(150)]
    check(literals, [*literals[::-1], *literals, b"00000150.", b"the same beginning of all, number 150."])


def test_none() -> None:
    check([], [b"anything", b""])
    check(NAMES, [])
