"""All series within one budget of memory."""

from typing import Any

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.window.history import History
from pylatencymap.window.window import LEAST_SERIES, MEGABYTE, OTHER_SERIES, PATIENCE, Window
from tests.window.columns import tail


def test_series_are_kept_apart_and_sorted_by_time_waited(interval: Any) -> None:
    window = Window()
    for n in range(1, 4):
        for name, lower in (("fast", 64), ("slow", 8192), ("idle", 0)):
            window.add(interval(n, {lower: 10} if lower else None, series=name))
    assert list(window.names()) == ["fast", "slow", "idle"]
    assert window.by_time_waited() == ["slow", "fast", "idle"]
    assert "fast" in window
    assert "other" not in window
    assert len(window) == 3
    assert window["fast"].events == 30
    assert window.select("slow", 2).counts.tolist() == [[10], [10]]
    assert len(window.select("slow", 10, 3.0)) == 1


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_is_more_than_nothing(budget: float) -> None:
    with pytest.raises(UsageError, match=r"--history-mb .*: must be more than 0"):
        Window(budget)


def test_the_default_budget_keeps_all_of_a_day(interval: Any) -> None:
    window = Window()
    for n in range(1, 5001):
        window.add(interval(n, {64: 1}))
    assert len(window["a"]) == 5000


def filled(window: Window, interval: Any, columns: int, series: int = 1) -> float:
    total = 0.0
    for n in range(1, columns + 1):
        for number in range(series):
            one = interval(n, {1 << bit: n for bit in range(1, 41)}, series=f"s{number}")
            window.add(one)
            total += one.events
    return total


@pytest.mark.parametrize(("megabytes", "columns", "series"), [(0.4, 6000, 1), (0.6, 400, 12), (0.5, 2100, 2)])
def test_a_small_budget_is_kept_and_nothing_is_lost(interval: Any, megabytes: float, columns: int, series: int) -> None:
    window = Window(megabytes)
    total = filled(window, interval, columns, series)
    names = list(window.names())
    assert window.nbytes == sum(window[name].nbytes for name in names)
    assert window.nbytes < megabytes * MEGABYTE * PATIENCE
    shown = [window.select(name, columns) for name in names]
    assert sum(one.summary().events for one in shown) == pytest.approx(total)
    assert sum(one.summary().span for one in shown) == pytest.approx(columns * series)
    assert sum(len(window[name]) for name in names) < columns * series


def test_the_newest_columns_are_the_last_to_be_merged(interval: Any) -> None:
    window = Window(0.4)
    filled(window, interval, 6000)
    columns, _ = tail(window["s0"], 10)
    assert columns["seconds"][-10:].tolist() == [1.0] * 10


def test_a_budget_that_no_merging_can_keep_is_exceeded_and_not_fatal(interval: Any) -> None:
    window = Window(0.001)
    total = filled(window, interval, 300, 3)
    assert sum(window[name].events for name in window.names()) == total


def test_more_series_than_the_budget_holds_are_one_and_nothing_is_lost(interval: Any) -> None:
    window = Window(1)
    for end in (1, 2):
        for number in range(LEAST_SERIES + 100):
            window.add(interval(end, {64: 1}, series=f"s{number}"))
    window.add(interval(1, {64: 5}, series="late"))
    names = list(window.names())
    assert len(names) == LEAST_SERIES + 1
    assert window.most_series == LEAST_SERIES
    assert window.by_time_waited()[-1] == OTHER_SERIES
    others = window[OTHER_SERIES]
    assert (len(others), others.events) == (2, 205)
    assert window.sum(10).summary().events == 2 * LEAST_SERIES + 205
    assert window.total_of_all().events == 2 * LEAST_SERIES + 205


def test_many_series_stay_within_the_budget(interval: Any) -> None:
    window = Window(3)
    for end in range(1, 80):
        for number in range(1000):
            window.add(interval(end, {64: 1}, series=f"s{number}"))
    assert window.nbytes < 3 * MEGABYTE * PATIENCE
    assert window.total_of_all().events == 79 * 1000


@pytest.mark.parametrize("megabytes", [256, 1])
def test_the_cost_of_a_new_series_does_not_grow_with_their_number(
    interval: Any, megabytes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    nbytes = History.nbytes

    def counted(history: History) -> int:
        nonlocal looks
        looks += 1
        return int(nbytes.__get__(history))

    monkeypatch.setattr(History, "nbytes", property(counted))
    window = Window(megabytes)
    for number in range(2000):
        window.add(interval(1, {64: 1}, series=f"s{number}"))
    assert len(window) == 2000
    assert looks < 20 * 2000
