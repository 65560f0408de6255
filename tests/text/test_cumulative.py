"""Cumulative counts whose bounds change."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, strategies as st

from pylatencymap.record import Range
from pylatencymap.text.cumulative import CumulativeCounts


def ranges_of(values: Counter[int], edges: list[int]) -> list[Range]:
    bounds = [*pairwise([0, *edges]), (edges[-1], None)]
    found: list[Range] = []
    for lower, upper in bounds:
        count = sum(n for value, n in values.items() if lower <= value and (upper is None or value < upper))
        found.append((lower, upper, count))
    return found


def test_the_same_bounds_are_told_as_they_are() -> None:
    counters = CumulativeCounts()
    assert counters.without_jumps("a", [(0, 1, 5), (1, 2, 0)]) == ((0, 1, 5),)
    assert counters.without_jumps("a", [(0, 1, 4), (1, 2, 3)]) == ((0, 1, 4), (1, 2, 3))


def test_impossible_bounds_and_counts_are_not_remembered() -> None:
    counters = CumulativeCounts()
    assert counters.without_jumps("a", [(0, 1, 5), (1, None, 1)]) == ((0, 1, 5), (1, None, 1))
    for odd in ([(0, 1 << 70, 6), (1 << 70, None, 1)], [(0, 1, 1 << 130)], [(0, 1, 5), (1, None, -1)]):
        assert counters.without_jumps("b", odd) == tuple(odd)
    assert counters.without_jumps("a", [(0, 1, 7), (1, None, 1)]) == ((0, 1, 7), (1, None, 1))


def test_a_count_that_fell_to_zero_is_told() -> None:
    counters = CumulativeCounts()
    assert counters.without_jumps("a", [(0, 1, 5), (1, 2, 1), (2, None, 0)]) == ((0, 1, 5), (1, 2, 1))
    assert counters.without_jumps("a", [(0, 1, 6), (1, 2, 0), (2, None, 0)]) == ((0, 1, 6), (1, 2, 0))


def test_a_bound_that_was_missing_had_no_events_below_it() -> None:
    counters = CumulativeCounts()
    counters.without_jumps((1, 4), [(0, 1, 2), (1, 4, 5)])
    assert counters.without_jumps((1, 2, 4), [(0, 1, 2), (1, 2, 1), (2, 4, 6)]) == (
        (0, 1, 2),
        (1, 2, 1),
        (1, 4, 5),
        (2, 4, 1),
    )


def test_a_bound_that_comes_between_events_of_before_makes_one_guess() -> None:
    counters = CumulativeCounts()
    counters.without_jumps((1, 4), [(0, 1, 2), (1, 4, 5)])
    assert counters.without_jumps((1, 2, 4), [(0, 1, 2), (1, 2, 4), (2, 4, 3)]) == ((0, 1, 2), (1, 2, 2), (1, 4, 5))
    assert counters.is_guess
    counters.without_jumps((1, 2, 4), [(0, 1, 2), (1, 2, 6), (2, 4, 3)])
    assert not counters.is_guess
    for below, above in ((0, 6), (1, 4)):  # nothing was below the new bound; nothing grew
        counters = CumulativeCounts()
        counters.without_jumps((1, 4), [(0, 1, 2), (1, 4, 5)])
        counters.without_jumps((1, 2, 4), [(0, 1, 2), (1, 2, below), (2, 4, above)])
        assert not counters.is_guess


def test_buckets_that_are_merged_keep_their_counts() -> None:
    counters = CumulativeCounts()
    counters.without_jumps(1, [(0, 1, 2), (1, 2, 3), (2, 3, 4)])
    assert counters.without_jumps(0, [(0, 2, 5), (2, 4, 6)]) == ((0, 1, 2), (1, 2, 3), (2, 3, 4), (2, 4, 2))
    assert counters.without_jumps(0, [(0, 2, 7), (2, 4, 6)]) == ((0, 1, 2), (0, 2, 2), (1, 2, 3), (2, 3, 4), (2, 4, 2))


def test_counts_that_fell_are_a_restart() -> None:
    counters = CumulativeCounts()
    counters.without_jumps(1, [(0, 1, 20), (1, 2, 30)])
    assert counters.without_jumps(0, [(0, 2, 5)]) == ((0, 2, 5),)
    counters.without_jumps(1, [(0, 1, 3), (1, 2, 3)])
    assert counters.without_jumps(1, [(0, 1, 1)]) == ((0, 1, 1),)


@given(
    steps=st.lists(
        st.tuples(
            st.lists(st.integers(0, 40), max_size=8),
            st.lists(st.integers(1, 40), min_size=1, max_size=5, unique=True).map(sorted),
        ),
        min_size=2,
        max_size=6,
    )
)
def test_whatever_the_bounds_counts_never_fall_and_their_sum_is_right(
    steps: list[tuple[list[int], list[int]]],
) -> None:
    counters = CumulativeCounts()
    total: Counter[int] = Counter()
    last: dict[object, object] = {}
    for values, edges in steps:
        total.update(values)
        told = counters.without_jumps(tuple(edges), ranges_of(total, edges))
        assert sum(count for _, _, count in told) == sum(total.values())
        now = {(lower, upper): count for lower, upper, count in told}
        assert all(now.get(key, 0) >= count for key, count in last.items())  # type: ignore[operator]
        last = dict(now)
