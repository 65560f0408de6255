"""Eight characters at a time give what one at a time gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.buckets import bucket_of
from pylatencymap.bulk.counter import buckets_of
from pylatencymap.bulk.sums import Ordered, Sums, summed
from pylatencymap.bulk.words import leading_digits, leading_number, number, other_than_digits, word
from pylatencymap.intervals.bins import RESOLUTION


@given(st.binary(min_size=8, max_size=8))
def test_leading_digits(text: bytes) -> None:
    expected = next((place for place, char in enumerate(text) if not 48 <= char <= 57), 8)
    words = np.array([word(text)])
    assert int(leading_digits(words)[0]) == expected
    assert (int(other_than_digits(words)[0]) == 0) == (expected == 8)
    if expected:
        assert int(leading_number(words, np.array([expected], np.uint64))[0]) == int(text[:expected])


@given(st.integers(0, 10**8 - 1))
def test_number(value: int) -> None:
    assert int(number(np.array([word(b"%08d" % value)]))[0]) == value


@given(st.lists(st.integers(0, (1 << 53) - 1), min_size=1))
def test_buckets(values: list[int]) -> None:
    edges = [near for bits in range(53) for near in ((1 << bits) - 1, 1 << bits, (1 << bits) + 1)]
    assert buckets_of(np.array(values + edges)).tolist() == [bucket_of(value, RESOLUTION) for value in values + edges]


pieces = st.lists(st.lists(st.tuples(st.integers(-50, 50).map(lambda n: n * 10**6), st.integers(1, 9)), max_size=20))


@given(pieces)
def test_sums_are_ordered_and_complete(given_pieces: list[list[tuple[int, int]]]) -> None:
    sums, expected = Ordered(), dict[int, int]()
    for piece in given_pieces:
        keys, values = (np.array([item[place] for item in piece], np.int64) for place in (0, 1))
        sums.add(summed(keys, values))
        for key, value in piece:
            expected[key] = expected.get(key, 0) + value
    taken: list[Sums] = list(sums.taken())
    assert [
        (key, value) for block in taken for key, value in zip(block.keys.tolist(), block.values.tolist(), strict=True)
    ] == sorted(expected.items())
    assert not list(sums.taken())
