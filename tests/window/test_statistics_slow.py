"""Shares above an SLO, and the statistics of one column."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.units import Unit
from pylatencymap.window.selection import select_columns
from pylatencymap.window.statistics import share_above
from pylatencymap.window.window import Window


def test_shares_in_the_range_that_holds_the_threshold_follow_the_slope_of_the_density() -> None:
    found = share_above([(50, 100), (100, 200), (200, 400)], np.array([20.0, 60.0, 20.0]), None, Unit.MS, 0.15)
    assert (found.threshold, found.unsure, found.exact) == (0.15, False, False)
    assert 0.2 < found.events < 0.8
    assert found.events == pytest.approx(0.2 + 0.6 * 0.415, abs=0.01)  # the density per octave is even on both sides
    assert found.waited > found.events


def test_a_sum_says_how_much_of_the_range_that_holds_the_threshold_is_above() -> None:
    """All but a few events of 100 to 200 ms lie in one range: at a mean of 104 ms, most are below 120 ms."""
    ranges, counts = [(50, 100), (100, 200), (200, 400)], np.array([1.0, 98.0, 1.0])
    fast, slow = (
        share_above(ranges, counts, 98 * mean + 0.375, Unit.MS, limit) for mean, limit in ((0.104, 0.12), (0.196, 0.18))
    )
    assert fast.events < 0.01 + 0.98 * 4 / 20  # more of them would have waited longer than all did
    assert slow.events > 0.01 + 0.98 * (1 - 4 / 20)


def test_an_open_range_is_above_only_where_it_begins_above() -> None:
    counts = np.array([3.0, 1.0])
    above = share_above([(1, 2), (8, None)], counts, 0.0125, Unit.MS, 0.004)
    assert (above.events, above.unsure) == (0.25, False)
    assert 0.6 < above.waited < 0.8
    unsure = share_above([(1, 2), (8, None)], counts, 0.0125, Unit.MS, 0.010)
    assert (unsure.events, unsure.waited, unsure.unsure) == (0.0, 0.0, True)
    assert not share_above([(1, 2), (8, None)], np.array([3.0, 0.0]), 0.0045, Unit.MS, 0.010).unsure


def test_of_no_events_none_are_above() -> None:
    assert share_above([(1, 2)], np.zeros(1), 0.0, Unit.MS, 0.001)[1:] == (0.0, 0.0, False, True)


@given(st.integers(1, 1000), st.floats(1.001, 2.0), st.floats(0.001, 2500))
def test_shares_lie_between_those_at_both_bounds_of_the_range(lower: int, ratio: float, threshold: float) -> None:
    key = (lower, max(lower + 1, int(lower * ratio)))
    seconds = sum(key) / 2 * 1e-3
    found = share_above([key], np.ones(1), seconds, Unit.MS, threshold * Unit.MS.seconds)
    if threshold <= key[0]:
        assert (found.events, found.waited) == (1.0, 1.0)
    elif threshold >= key[1]:
        assert (found.events, found.waited) == (0.0, 0.0)
    else:
        assert 0 <= found.events <= 1
        assert 0 <= found.waited <= 1


def window_of(intervals: list[Any]) -> Window:
    window = Window()
    for one in intervals:
        window.add(one)
    return window


def test_the_window_the_latest_and_any_column_have_their_own_shares(interval: Any) -> None:
    shown = select_columns(window_of([interval(1, {256: 90}), interval(2, {256: 5, 8192: 5})])["a"], 10)
    window, latest = shown.summary(0.004), shown.latest(0.004)
    assert shown.summary().slow is None
    assert window.slow is not None
    assert window.slow.events == pytest.approx(0.05)
    assert window.slow.waited == pytest.approx(5 * 11.8 / (95 * 0.369 + 5 * 11.8), abs=0.001)
    assert latest is not None
    assert latest.slow is not None
    assert latest.slow.events == pytest.approx(0.5)
    first = shown.at(1_000_000, 0.004)
    assert first is not None
    assert first.slow is not None
    assert (first.events, first.slow.events) == (90, 0.0)


class TestAt:
    def test_the_column_whose_interval_holds_a_moment(self, interval: Any) -> None:
        shown = select_columns(window_of([interval(n, {4: n}) for n in range(1, 6)])["a"], 10)
        for moment, events in ((1, 1), (1_000_000, 1), (1_000_001, 2), (2_500_000, 3), (5_000_000, 5)):
            found = shown.at(moment)
            assert found is not None
            assert found.events == events
        assert shown.at(5_000_001) is None
        assert shown.at(0) is None

    def test_in_a_gap_there_is_nothing(self, interval: Any) -> None:
        gap = interval(12, seconds=9.0, gap=True)
        shown = select_columns(
            window_of([interval(2, {4: 1}), interval(3, {4: 1}), gap, interval(13, {4: 1})])["a"], 20
        )
        assert shown.at(7_000_000) is None
        assert shown.at(13_000_000) is not None

    def test_where_the_clock_jumped_there_is_nothing(self, interval: Any) -> None:
        shown = select_columns(window_of([*[interval(n, {4: 1}) for n in (1, 2, 3)], interval(3604, {4: 5})])["a"], 20)
        assert shown.at(1_000_000_000) is None
        found = shown.at(3_603_500_000)
        assert found is not None
        assert found.events == 5


@pytest.mark.parametrize(
    ("threshold", "exact"), [(1e-3, True), (1.5e-3, False), (2e-3, True), (3e-3, True), (5e-3, True), (12e-3, False)]
)
def test_a_share_is_exact_where_no_events_lie_around_the_threshold(threshold: float, exact: bool) -> None:
    """3 events of [1, 2) ms and 1 of [8, 16) ms; between 2 and 8 ms there are none."""
    ranges = [(1, 2), (2, 4), (4, 8), (8, 16)]
    slow = share_above(ranges, np.array([3.0, 0, 0, 1]), 16.5e-3, Unit.MS, threshold)
    assert slow.exact is exact
