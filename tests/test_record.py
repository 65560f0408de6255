"""Records and intervals: what their ranges and their estimates are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.interval import Interval, midpoint_time
from pylatencymap.record import Range, Record, Semantics, Stamp, tidy_ranges
from pylatencymap.units import Unit

ranges = st.lists(
    st.tuples(st.integers(0, 12), st.none() | st.integers(13, 20), st.integers(0, 5)).map(lambda entry: tuple(entry))
)


@given(ranges)
def test_tidy_ranges_sum_like_ones_and_keep_the_total(found: list[Range]) -> None:
    tidy = tidy_ranges(found)
    assert sum(count for *_, count in tidy) == sum(count for *_, count in found)
    assert all(count for *_, count in tidy)
    keys = [(lower, float("inf") if upper is None else upper) for lower, upper, _ in tidy]
    assert keys == sorted(set(keys))
    assert tidy_ranges(list(tidy)) == tidy


def test_where_a_record_came_from_is_no_part_of_what_it_says() -> None:
    one = Record("a", Unit.US, ((0, 1, 2), (1, 2, 3)), Semantics.INTERVAL, Stamp(5), arrival=1.0, line=7)
    same = Record("a", Unit.US, ((0, 1, 2), (1, 2, 3)), Semantics.INTERVAL, Stamp(5, whole=True, text="today"))
    assert one == same
    assert one.events == 5


@pytest.mark.parametrize(
    ("entry", "microseconds"),
    [
        ((0, 1, 1), 0.5),
        ((512, 1024, 1), 0.75 * 1024),
        ((0, 2, 1), 1.0),
        ((4096, None, 2), 8192.0),
        ((100, 500, 10), 3000.0),
    ],
)
def test_time_is_estimated_at_the_midpoint_and_of_an_open_range_at_its_lower_bound(
    entry: Range, microseconds: float
) -> None:
    assert midpoint_time((entry,), Unit.US) == pytest.approx(microseconds * 1e-6)
    assert midpoint_time((entry,), Unit.MS) == pytest.approx(microseconds * 1e-3)


def test_events_of_an_interval() -> None:
    assert Interval("a", Unit.US, 0, 1, 1.0, ((0, 1, 2), (4, None, 3))).events == 5
    assert Interval("a", Unit.US, 0, 1, 1.0, gap=True).events == 0
