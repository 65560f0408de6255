"""Eight characters at a time give what one at a time gives."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import bucket_of
from pylatencymap.intervals.event_bins import EVENT_RESOLUTION
from pylatencymap.scan.byte_words import (
    all_within,
    as_word,
    eight_digits,
    evaluate_by_runs,
    headroom,
    leading_digits,
    leading_number,
    number_before_blank,
    other_than_digits,
    places_of,
    run_starts,
)
from pylatencymap.scan.counts import buckets_of


@given(st.binary(min_size=8, max_size=8))
def test_leading_digits(text: bytes) -> None:
    expected = next((place for place, char in enumerate(text) if not 48 <= char <= 57), 8)
    words = np.array([as_word(text)])
    assert int(leading_digits(words)[0]) == expected
    assert (int(other_than_digits(words)[0]) == 0) == (expected == 8)
    if expected:
        assert int(leading_number(words, np.array([expected], np.uint64))[0]) == int(text[:expected])


@given(st.integers(0, 10**8 - 1))
def test_number(value: int) -> None:
    assert int(eight_digits(np.array([as_word(b"%08d" % value)]))[0]) == value


@given(st.lists(st.integers(0, (1 << 53) - 1), min_size=1))
def test_buckets(values: list[int]) -> None:
    edges = [near for bits in range(53) for near in ((1 << bits) - 1, 1 << bits, (1 << bits) + 1)]
    assert buckets_of(np.array(values + edges)).tolist() == [
        bucket_of(value, EVENT_RESOLUTION) for value in values + edges
    ]


@given(st.text("0123456789 x:/", min_size=8, max_size=8))
def test_numbers_before_a_blank(text: str) -> None:
    expected = re.match(r"(\d{1,7}) ", text)
    values, sure = number_before_blank(np.array([as_word(text.encode())]))
    assert bool(sure[0]) == bool(expected)
    if expected:
        assert int(values[0]) == int(expected[1])


@given(st.binary(min_size=8, max_size=8), st.binary(max_size=8).map(lambda most: bytes(char % 128 for char in most)))
def test_characters_that_are_not_too_large(text: bytes, most: bytes) -> None:
    limits = most.ljust(8, b"\0")
    near = bytes(min(limit + char % 3, 255) for limit, char in zip(limits, text, strict=True))
    for chars in (text, limits, near):
        expected = all(char <= limit for char, limit in zip(chars, limits, strict=True))
        assert all_within(np.array([as_word(chars)]), headroom(most)).tolist() == [expected]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 20))))
def test_runs(lengths: list[tuple[int, int]]) -> None:
    values = np.array([value for value, length in lengths for _ in range(length)], np.uint64)
    assert evaluate_by_runs(values, lambda words: words == 2).tolist() == (values == 2).tolist()
    if values.size:
        changed = [place for place in range(1, values.size) if values[place] != values[place - 1]]
        assert run_starts(values).tolist() == [0, *changed]


# Places are those that nonzero gives, however many there are.


@given(st.lists(st.booleans(), max_size=300))
def test_any(truths: list[bool]) -> None:
    assert places_of(np.array(truths, np.bool_)).tolist() == [place for place, one in enumerate(truths) if one]


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 4096, 100_003])
@pytest.mark.parametrize("every", [1, 2, 63, 64, 65, 1000])
def test_one_in_so_many(size: int, every: int) -> None:
    truths = np.arange(size) % every == every - 1
    assert places_of(truths).tolist() == list(range(every - 1, size, every))
