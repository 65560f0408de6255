"""The overview: the worst minute of each part of all that is kept."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.window import Window, overview_of
from pylatencymap.window.overview import WaitCurve

SECOND = 1_000_000
START = 1_772_409_600 * SECOND


def history_of(waited: dict[int, float], seconds: int, silent: range = range(0)) -> Any:
    """A series of one-second intervals; ``waited`` by number, else 0.1 s. In ``silent`` ones there is a gap."""
    window = Window()
    for number in range(seconds):
        begin = START + number * SECOND
        gap = number in silent
        window.add(
            Interval(
                "a",
                Unit.US,
                begin,
                begin + SECOND,
                1.0,
                () if gap else ((128, 256, 10),),
                None if gap else waited.get(number, 0.1),
                gap=gap,
                estimated=gap,
            )
        )
    return window["a"]


def test_a_bad_minute_stands_out_in_its_part_only() -> None:
    bad = dict.fromkeys(range(36_000, 36_060), 5.0)
    shown = overview_of([history_of(bad, 86_400)], 96).resampled(96)
    assert shown[40] == pytest.approx(5.0)  # 10:00 to 10:15
    assert np.delete(shown, 40).tolist() == pytest.approx([0.1] * 95)


def test_what_was_silent_is_unknown() -> None:
    shown = overview_of([history_of({}, 36_000, range(18_000, 21_600))], 10).resampled(10)
    assert np.isnan(shown).tolist() == [number == 5 for number in range(10)]


def test_the_worst_minute_is_a_minute() -> None:
    """One second of 60 s of waiting in a minute that has else none."""
    shown = overview_of([history_of(dict.fromkeys(range(60), 0.0) | {30: 60.0}, 7200)], 12).resampled(12)
    assert shown[0] == pytest.approx(1.0)


def test_series_are_added_up() -> None:
    one = overview_of([history_of({}, 7200)], 12)
    two = overview_of([history_of({}, 7200), history_of({}, 7200)], 12)
    assert two.rates == pytest.approx(2 * one.rates)


@given(st.integers(1, 400), st.integers(1, 120), st.integers(1, 120))
def test_all_parts_of_a_line_are_known_where_there_are_data(seconds: int, characters: int, drawn: int) -> None:
    shown = overview_of([history_of({}, seconds)], characters).resampled(min(drawn, characters))
    assert not np.isnan(shown).any()
    assert shown == pytest.approx(0.1)


def test_centuries_between_two_stamps_take_little_memory() -> None:
    window = Window()
    for begin in (START, START + 10**18 // 4):
        window.add(Interval("a", Unit.US, begin, begin + SECOND, 1.0, ((128, 256, 10),), 0.1))
    found = overview_of([window["a"]], 80)
    assert found.unit > 60
    shown = found.resampled(80)
    assert not np.isnan(shown[[0, -1]]).any()
    assert np.isnan(shown[1:-1]).all()
    assert shown[0] > 0


def test_many_columns_of_centuries_take_little_memory() -> None:
    """A damaged start makes intervals that overlap: each is spread over the time since the one before."""
    window, century = Window(), 3_153_600_000
    for number in range(250):
        end, length = START + number * SECOND, century if number < 100 else 1
        window.add(Interval("a", Unit.US, end - length * SECOND, end, float(length), ((128, 256, 10),), 0.1))
    tracemalloc.start()
    found = overview_of([window["a"]], 80)
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
    assert found.resampled(80)[0] > 0


def test_columns_longer_than_all_the_time_take_no_time() -> None:
    """The first column of damaged times begins after those that follow it."""
    window, century = Window(), 3_153_600_000
    for number, length in enumerate((1, century, century)):
        end = START + number * SECOND
        window.add(Interval("a", Unit.US, end - length * SECOND, end, float(length), ((128, 256, 10),), 0.1))
    assert not np.isnan(overview_of([window["a"]], 80).resampled(80)).any()


def test_a_column_that_ends_long_before_the_one_before_it_counts(interval: Any) -> None:
    """As of a source with damaged times."""
    window = Window()
    for end in (100.0, 101.0, 20.0, 21.0, 102.0):
        window.add(interval(end, {256: 10}, waited=0.5))
    curve = WaitCurve(window["a"])
    curve.step()
    assert curve.is_whole
    assert curve.rates(1) == pytest.approx([0.5])
