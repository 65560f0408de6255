"""Columns up to any moment, and merged columns that are remembered."""

import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pylatencymap.window.selection import Selection, select_columns
from pylatencymap.window.window import MEGABYTE, Window

SECOND = 1_000_000
DAY = 86_400


def same(found: Selection, expected: Selection) -> None:
    for field in ("start", "end", "flags"):
        assert_array_equal(found.columns[field], expected.columns[field], err_msg=field)
    for field in ("seconds", "waited"):
        assert_allclose(found.columns[field], expected.columns[field], err_msg=field)
    ranges = found.counts.shape[1]
    assert_allclose(found.counts, expected.counts[:, :ranges])
    assert_allclose(found.lasted, expected.lasted)


@pytest.mark.parametrize("width", [None, 5.0, 10.0])
def test_what_was_on_the_screen_is_drawn_again_for_its_moment(width: float | None, interval: Any) -> None:
    window, seen = Window(), {}
    random = Random(3)
    clock = 0
    for _ in range(200):
        gap = random.random() < 0.05
        seconds = float(random.choice([4, 40]) if gap else random.choice([1, 1, 1, 1, 1, 1, 3]))
        clock += int(seconds)
        window.add(interval(clock, None if gap else {4 << random.randint(0, 3): 7}, seconds=seconds, gap=gap))
        seen[clock * SECOND] = window.select("a", 30, width)
    for moment, was in seen.items():
        now = window.select("a", 30, width, end=moment)
        if was.width == now.width:
            same(was, now)
            assert not now.counts[:, len(was.ranges) :].any()


def test_a_moment_in_a_long_gap_shows_the_gap_up_to_it(interval: Any) -> None:
    window = Window()
    for one in (interval(1, {4: 1}), interval(2, {4: 1}), interval(102, seconds=100.0, gap=True), interval(103)):
        window.add(one)
    shown = window.select("a", 10, end=7 * SECOND)
    assert shown.columns["end"].tolist() == [n * SECOND for n in range(1, 8)]
    assert shown.matrix().gap.tolist() == [False] * 2 + [True] * 5
    zoomed = window.select("a", 10, 10.0, end=35 * SECOND)
    assert zoomed.matrix().gap.tolist() == [False, True, True, True]


def test_before_the_beginning_there_is_nothing_and_after_the_end_the_newest(interval: Any) -> None:
    window = Window()
    for n in range(10, 20):
        window.add(interval(n, {4: n}))
    for width in (None, 2.0):
        assert len(window.select("a", 5, width, end=SECOND)) == 0
        same(window.select("a", 5, width, end=DAY * SECOND), window.select("a", 5, width))


def test_new_intervals_are_counted(interval: Any) -> None:
    window = Window()
    for n in range(1, 21):
        window.add(interval(n))
        window.add(interval(n, series="b"))
    assert window.new_since("a", 15 * SECOND) == 5
    assert window.new_since(None, 15 * SECOND) == 10
    assert (window.start, window.end, window["a"].start) == (0, 20 * SECOND, 0)


def test_an_interval_is_merged_into_the_slot_that_holds_its_middle(interval: Any) -> None:
    window = Window()
    for n in range(1, 101):
        window.add(interval(n + (0.003 if n % 2 else -0.003), {4: 1}))
    assert window.select("a", 99, 10.0).counts[:, 0].tolist() == [10] * 10


def test_the_unfinished_column_goes_as_far_as_the_data(interval: Any) -> None:
    window = Window()
    for n in range(1, 14):
        window.add(interval(n, {4: 2}))
        newest = window.select("a", 5, 5.0)
        assert newest.columns["end"][-1] == n * SECOND
        assert newest.columns["seconds"][-1] == (n - 1) % 5 + 1
        assert_allclose(newest.matrix().frequency().sum(axis=0), 2.0)


@pytest.mark.parametrize("seed", range(40))
def test_remembered_columns_are_those_merged_anew(seed: int, interval: Any) -> None:
    random, window, clock = Random(seed), Window(), 0
    for _ in range(250):
        gap = random.random() < 0.06
        seconds = random.choice([3, 30, 300]) if gap else random.choice([1, 1, 1, 1, 1, 2, 3, 25])
        clock += seconds + (500 if random.random() < 0.02 else 0)
        end = clock + random.choice([0, 0, 0.003, -0.003])
        counts = None if gap else {1 << random.randint(0, 9): random.randint(1, 9)}
        window.add(interval(end, counts, seconds=float(seconds), gap=gap, reset=random.random() < 0.02))
        if random.random() < 0.02:
            window["a"].merge_oldest()
        if random.random() < 0.3:
            width, count = random.choice([5.0, 10.0, 10.0]), random.choice([3, 20, 300])
            moment = random.choice([None, None, random.randint(0, clock * SECOND)])
            same(window.select("a", count, width, moment), select_columns(window["a"], count, width, moment))


@pytest.fixture(scope="module")
def day(interval: Any) -> Window:
    """24 hours at one interval per second."""
    window, ranges = Window(), tuple((1 << n, 2 << n, n + 1) for n in range(16))
    for n in range(1, DAY + 1):
        window.add(interval(n, native=ranges))
    return window


def best(call: Callable[[], object], times: int = 7) -> float:
    """Milliseconds of CPU of the fastest of some calls: what another program takes meanwhile is not counted."""
    taken = []
    for _ in range(times):
        begun = time.thread_time()
        call()
        taken.append(1000 * (time.thread_time() - begun))
    return min(taken)


def test_any_part_of_a_day_is_cheap(day: Window) -> None:
    for second in (None, 500, DAY // 2, DAY - 1):
        end = None if second is None else second * SECOND
        assert best(lambda end=end: day.select("a", 400, end=end)) < 3  # type: ignore[misc]


def test_a_whole_day_in_columns_of_ten_minutes_is_cheap(day: Window, interval: Any) -> None:
    assert best(lambda: select_columns(day["a"], 400, 600.0), 3) < 30
    before = day.nbytes
    assert day.select("a", 400, 600.0).counts[:, 3].tolist() == [2400.0] * 144
    assert 0 < day.nbytes - before < 50_000

    def one_more() -> None:
        day.add(interval(day["a"].end / SECOND + 1, native=((1, 2, 5),)))
        day.select("a", 400, 600.0)

    assert best(one_more) < 5


def test_what_is_remembered_counts_as_memory_and_goes_first(interval: Any) -> None:
    window = Window(0.4)
    for n in range(1, 4000):
        window.add(interval(n, {1 << bit: n for bit in range(20)}))
        if n % 50 == 0:
            window.select("a", 1000, 2.0)
        assert window["a"].nbytes <= window.nbytes < 0.6 * MEGABYTE
    assert np.sum(window.select("a", 4000, 2.0).columns["seconds"]) > 1900
    assert window.nbytes > window["a"].nbytes
