"""Shares above an SLO, and the statistics of one column."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.units import Unit
from pylatencymap.window.matrix import MatrixRows
from pylatencymap.window.selection import select_columns
from pylatencymap.window.statistics import share_above
from pylatencymap.window.window import Window


def test_shares_are_linear_in_the_range_that_holds_the_threshold() -> None:
    found = share_above([(0, 100), (100, 200)], np.array([50.0, 50.0]), np.array([2.5, 7.5]), Unit.MS, 0.15)
    assert (found.threshold, found.events, found.unsure) == (0.15, 0.25, False)
    assert found.waited == pytest.approx(7.5 * (200**2 - 150**2) / (200**2 - 100**2) / 10)


def test_an_open_range_is_above_only_where_it_begins_above() -> None:
    counts, waited = np.array([3.0, 1.0]), np.array([3.0, 9.0])
    above = share_above([(1, 2), (8, None)], counts, waited, Unit.MS, 0.004)
    assert (above.events, above.waited, above.unsure) == (0.25, 0.75, False)
    unsure = share_above([(1, 2), (8, None)], counts, waited, Unit.MS, 0.010)
    assert (unsure.events, unsure.waited, unsure.unsure) == (0.0, 0.0, True)
    assert not share_above([(1, 2), (8, None)], np.array([3.0, 0.0]), waited, Unit.MS, 0.010).unsure


def test_of_no_events_none_are_above() -> None:
    assert share_above([(1, 2)], np.zeros(1), np.zeros(1), Unit.MS, 0.001)[1:] == (0.0, 0.0, False, True)


@given(st.integers(0, 1000), st.integers(1, 1000), st.floats(0.001, 2500))
def test_shares_are_those_of_rows_that_are_cut_at_the_threshold(lower: int, width: int, threshold: float) -> None:
    key = (lower, lower + width)
    rows = MatrixRows([0.0, threshold, 3000.0], 1, overflow=False)
    shares, times = rows.projection([key])
    found = share_above([key], np.ones(1), np.ones(1), Unit.MS, threshold * Unit.MS.seconds)
    assert found.events == pytest.approx(shares[1, 0], abs=1e-9)
    assert found.waited == pytest.approx(times[1, 0], abs=1e-9)


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
    assert window.slow.waited == pytest.approx(5 * 12288 / (95 * 384 + 5 * 12288))
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
    slow = share_above(ranges, np.array([3.0, 0, 0, 1]), np.array([4.5e-3, 0, 0, 12e-3]), Unit.MS, threshold)
    assert slow.exact is exact
