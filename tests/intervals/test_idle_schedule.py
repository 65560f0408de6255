"""Idle series between the bins of a scan: what arrays do for few series is what is done for many."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.intervals.event_bins import MOST_ZEROS
from pylatencymap.intervals.idle.records import MOST_AT_ONCE
from pylatencymap.intervals.idle.schedule import IdleSchedule, ScheduledIntervals, concatenated_schedules

WIDTH = 10


def pairs(steps: list[tuple[int, list[int]]]) -> list[tuple[int, int]]:
    """A pair for each series of a bin; a step leads from one bin to the next."""
    bin_, found = 1_000, []
    for step, series in steps:
        bin_ += step
        found += [(bin_, one) for one in sorted(set(series))]
    return found


def halves(found: list[tuple[int, int]], cut: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The pairs in two parts of whole bins."""
    bins = [list(of_bin) for _, of_bin in groupby(found, lambda pair: pair[0])]
    for part in (bins[:cut], bins[cut:]):
        numbers = np.array([pair for of_bin in part for pair in of_bin], np.int64).reshape(-1, 2)
        if numbers.size:
            yield numbers[:, 0], numbers[:, 1]


def rows(schedules: list[ScheduledIntervals]) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in concatenated_schedules(schedules)), strict=True))


def one_by_one(found: list[tuple[int, int]], cut: int) -> list[tuple[int, ...]]:
    turns = IdleSchedule(WIDTH)
    parts = [part for half in halves(found, cut) for part in turns._of_many(*half, most=10)]
    return rows([*parts, turns.rest()])


@given(
    st.lists(st.tuples(st.integers(1, MOST_ZEROS + 3), st.lists(st.integers(0, 5), min_size=1)), min_size=1),
    st.integers(0, 20),
    st.integers(1, 40),
)
def test_few_series_are_scheduled_as_many_are(steps: list[tuple[int, list[int]]], cut: int, most: int) -> None:
    found, turns = pairs(steps), IdleSchedule(WIDTH)
    parts = [part for half in halves(found, cut) for part in turns.bins(*half, most=most)]
    assert rows([*parts, turns.rest()]) == one_by_one(found, cut)
    assert sum(int(part.busy.sum()) for part in parts) == len(found)
    assert all(len(set(part.ends[part.busy].tolist())) <= most for part in parts)


@pytest.mark.parametrize("cut", [1, 3, 4])
def test_series_become_too_many_for_arrays(cut: int) -> None:
    every = list(range(MOST_AT_ONCE + 3))
    found, turns = pairs([(1, [0, 2]), (2, [1]), (1, [2]), (3, every), (1, [5]), (14, [1, 7])]), IdleSchedule(WIDTH)
    parts = [part for half in halves(found, cut) for part in turns.bins(*half, most=1000)]
    assert rows([*parts, turns.rest()]) == one_by_one(found, cut)


def test_an_idle_series_has_an_interval_for_each_snapshot() -> None:
    turns = IdleSchedule(WIDTH)
    numbers, series = (np.array(column) for column in zip(*pairs([(1, [0, 1]), (2, [1])]), strict=True))
    found = rows([*turns.bins(numbers, series, most=100), turns.rest()])
    first, second, third = ((10_010 + WIDTH * number, 10_020 + WIDTH * number) for number in range(3))
    assert found == [
        *((0, *first, True, False), (1, *first, True, False)),
        *((0, *second, False, False), (1, *second, False, False)),
        *((1, *third, True, False), (0, *third, False, False)),
    ]
