"""Sentences in lines: nothing is cut, and a number keeps its unit."""

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text import text_width, wrap


def test_a_number_and_its_unit_stay_together() -> None:
    assert wrap("p99 15.3 ms -> 23.0 ms, x 1.51", 12) == ["p99 15.3 ms", "-> 23.0 ms,", "x 1.51"]
    assert wrap("of the wait 90.8 % before", 16) == ["of the wait", "90.8 % before"]
    assert wrap("from 855 -> 731 I/Os/s", 10) == ["from", "855 -> 731", "I/Os/s"]
    assert wrap("by +1.9 to +8.2 points", 16) == ["by +1.9 to", "+8.2 points"]


def test_indents_and_double_blanks() -> None:
    assert wrap("loop0  48 I/Os  p50 1 s", 80, 2) == ["  loop0  48 I/Os  p50 1 s"]
    assert wrap("loop0  48 I/Os  p50 1 s", 18, 0, 4) == ["loop0  48 I/Os", "    p50 1 s"]


def test_a_word_that_is_too_long_goes_on() -> None:
    assert wrap("see abcdefghijklmnop now", 10, 0, 2) == ["see", "  abcdefgh", "  ijklmnop", "  now"]
    assert "".join(wrap("\N{CJK UNIFIED IDEOGRAPH-6F22}" * 30, 11)) == "\N{CJK UNIFIED IDEOGRAPH-6F22}" * 30


@given(st.text(alphabet="ab1%. ", max_size=120), st.integers(8, 60), st.integers(0, 4), st.integers(0, 4))
def test_nothing_is_lost(text: str, columns: int, first: int, rest: int) -> None:
    lines = wrap(text, columns, first, rest)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert max(map(text_width, lines)) <= columns


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_line_of_hardly_any_room_ends(columns: int) -> None:
    assert "".join("".join(wrap("ab cd 1 ms", columns, 0, 2)).split()) == "abcd1ms"
