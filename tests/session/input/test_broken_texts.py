"""Texts of all collectors, cut off anywhere: nothing that is read is wrong, and the break counts as one bad record."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.text import DAMAGED
from tests.trust.fuzzing.generated import FORMS, generated
from tests.trust.fuzzing.reading import Reading, Way, read

GARBAGE = b"no gzip any more"
TRACES = ("strace", "oracle trace", "fio log", "biosnoop")


@cache
def whole(form: str) -> Reading:
    return read(generated(form, 1))


def fields(intervals: list[Interval]) -> Counter[Any]:
    return Counter((one.series, one.start, one.end, one.ranges, one.gap) for one in intervals)


def events(intervals: list[Interval]) -> Iterator[tuple[Any, ...]]:
    """Each count of a range, event by event."""
    for one in intervals:
        for lower, upper, count in one.ranges:
            yield from ((one.series, one.start, lower, upper, number) for number in range(int(count)))


def broken_at(form: str, place: int) -> Reading:
    """What is read of the text up to a place, with garbage behind it in the file."""
    return read(gzip.compress(generated(form, 1)[:place]) + GARBAGE)


@pytest.mark.parametrize("form", FORMS)
@given(st.data())
def test_what_is_told_is_part_of_the_truth(form: str, data: st.DataObject) -> None:
    true, size = whole(form), len(generated(form, 1))
    found = broken_at(form, data.draw(st.integers(size // 2, size - 1)))
    assert (found.ended, found.bad - true.bad <= 1, found.bad >= 1) == ("", True, True)
    assert [DAMAGED in one for one in found.said].count(True) == 1
    if form.startswith(TRACES):
        assert set(events(found.intervals)) <= set(events(true.intervals))
    else:
        assert not fields(found.intervals) - fields(true.intervals)
    assert len(found.intervals) >= len(true.intervals) // 4


@pytest.mark.parametrize("form", FORMS)
def test_live_texts_break_off_alike(form: str) -> None:
    """What was drawn stays; the line that breaks off is not read, and the break is counted once."""
    text = generated(form, 1)
    live = Way(live=True, chunk=97)
    for place in Random(form).sample(range(len(text) // 2, len(text)), 5):
        begun = text[: text.rfind(b"\n", 0, place) + 1]
        found = read(gzip.compress(text[:place]) + GARBAGE, live)
        assert [DAMAGED in one for one in found.said].count(True) == 1
        assert 1 <= found.bad <= 1 + read(begun, live).bad
