"""Intervals merged to longer ones."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.merge import join_intervals, merge_intervals
from pylatencymap.record import tidy_ranges
from pylatencymap.units import Unit

SECOND = 1_000_000


def interval(end: float, count: int = 1, seconds: float = 1.0, series: str = "a", lower: int = 4) -> Interval:
    return Interval(
        series,
        Unit.US,
        round((end - seconds) * SECOND),
        round(end * SECOND),
        seconds,
        ((lower, 2 * lower, count),) if count else (),
        count * 1e-6,
    )


def shape(found: list[Interval]) -> list[tuple[float, float, int | float]]:
    return [(one.start / SECOND, one.end / SECOND, one.events) for one in found]


def test_without_a_length_nothing_is_merged() -> None:
    given = [interval(n) for n in range(5)]
    assert list(merge_intervals(given, None)) == given


def test_whole_intervals_are_merged_up_to_multiples_of_the_length() -> None:
    assert shape(list(merge_intervals([interval(n) for n in range(7, 24)], 5))) == [
        (6, 10, 4),
        (10, 15, 5),
        (15, 20, 5),
        (20, 23, 3),
    ]


def test_intervals_that_are_as_long_stay_as_they_are() -> None:
    given = [interval(n, seconds=5) for n in (7, 12, 17)]
    assert list(merge_intervals(given, 5)) == given
    assert list(merge_intervals(given, 1)) == given


def test_a_gap_ends_what_came_before_and_stays() -> None:
    gap = Interval("a", Unit.US, 3 * SECOND, 33 * SECOND, 30.0, gap=True)
    found = list(merge_intervals([interval(2), interval(3), gap, interval(34), interval(35)], 10))
    assert shape(found) == [(1, 3, 2), (3, 33, 0), (33, 35, 2)]
    assert [one.gap for one in found] == [False, True, False]


def test_series_are_merged_each_by_itself() -> None:
    given = [interval(n, series=name) for n in (1, 2, 3, 4) for name in "ab"]
    found = list(merge_intervals(given, 2))
    assert {name: shape([one for one in found if one.series == name]) for name in "ab"} == {
        "a": [(0, 2, 2), (2, 4, 2)],
        "b": [(0, 2, 2), (2, 4, 2)],
    }


def test_what_is_joined_keeps_marks_and_the_newer_names() -> None:
    first = replace(interval(1), reset=True, estimated=False, note="old")
    second = replace(interval(2), estimated=False, label="new", note="")
    both = join_intervals(first, second)
    assert (both.reset, both.estimated, both.label, both.note) == (True, False, "new", "old")
    assert join_intervals(first, replace(second, estimated=True)).estimated


def test_a_record_of_the_same_print_adds_counts_and_no_time() -> None:
    both = join_intervals(interval(1, 3), interval(1, 4, lower=8))
    assert (both.seconds, both.ranges, both.waited) == (1.0, ((4, 8, 3), (8, 16, 4)), pytest.approx(7e-6))


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([4, 8]), st.booleans()), max_size=40), st.integers(1, 12))
def test_counts_seconds_and_time_are_conserved(steps: list[tuple[int, int, bool]], length: int) -> None:
    given = [
        Interval("a", Unit.US, n * SECOND, (n + 1) * SECOND, 1.0, gap=True)
        if gap
        else interval(n + 1, count, lower=lower)
        for n, (count, lower, gap) in enumerate(steps)
    ]
    found = list(merge_intervals(given, length))
    assert tidy_ranges([r for one in found for r in one.ranges]) == tidy_ranges(
        [r for one in given for r in one.ranges]
    )
    assert sum(one.seconds for one in found) == sum(one.seconds for one in given)
    assert sum(one.waited or 0 for one in found) == pytest.approx(sum(one.waited or 0 for one in given))
    ends = [one.end for one in found]
    assert ends == sorted(set(ends))


def test_what_is_merged_so_far_comes_before_an_error() -> None:
    def broken() -> Iterator[Interval]:
        yield from (interval(1), interval(2))
        raise SourceError("the disk is gone")

    found: list[Interval] = []
    with pytest.raises(SourceError):
        found.extend(merge_intervals(broken(), 10))
    assert shape(found) == [(0, 2, 2)]
