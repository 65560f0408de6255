"""Selections behind each other: no count is lost, whatever units and ranges they have."""

import numpy as np
import pytest

from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.window import Selection, Window, added_up, join_selections
from pylatencymap.window.store import COLUMN


def selection(ranges: list, counts: list, unit: Unit = Unit.US, first: int = 0) -> Selection:
    table = np.array(counts, np.float64)
    columns = np.zeros(len(table), COLUMN)
    columns["start"] = np.arange(len(table)) + first
    columns["seconds"] = 1
    return Selection(ranges, unit, columns, table, np.ones(len(table)), 1.0)


def test_what_is_added_up_has_the_same_rows_and_averages() -> None:
    """Of columns whose time waited is known, and of others for which it is estimated."""
    window = Window()
    for number in range(1, 101):
        ranges = ((0, 2, number % 3), (128, 256, number % 17), (8192, 16384, number % 5), (16384, None, number % 2))
        exact = number % 4 == 0
        waited = sum(count * ((low * 1.2) if high is None else (low + high) / 2.5) for low, high, count in ranges) / 1e6
        window.add(
            Interval("a", Unit.US, (number - 1) * 10**6, number * 10**6, 1.0, ranges, waited, estimated=not exact)
        )
    some = window.between("a", None, None)
    added = added_up(some)
    assert len(added) == 2
    for resolution in (1, 4):
        whole, sums = some.matrix(resolution), added.matrix(resolution)
        assert sums.bounds.tolist() == whole.bounds.tolist()
        assert sums.counts.sum(axis=1) == pytest.approx(whole.counts.sum(axis=1))
        assert float(sums.seconds.sum()) == pytest.approx(100.0)
        assert float(sums.waited.sum()) == pytest.approx(float(whole.waited.sum()))
        assert float(sums.waited.sum()) == pytest.approx(some.summary().waited)
    assert len(added_up(Selection.empty())) == 0


def test_columns_stand_behind_each_other_on_all_ranges() -> None:
    one = selection([(1, 2), (2, 4)], [[1, 2], [3, 4]])
    other = selection([(2, 4), (4, None)], [[5, 6]], first=7)
    joined = join_selections([one, other])
    assert joined.ranges == [(1, 2), (2, 4), (4, None)]
    assert joined.counts.tolist() == [[1, 2, 0], [3, 4, 0], [0, 5, 6]]
    assert joined.columns["start"].tolist() == [0, 1, 7]
    assert len(joined.lasted) == 3


def test_one_selection_stays_as_it_is() -> None:
    one = selection([(1, 2)], [[1]])
    assert join_selections([one]) is one


def test_units_become_the_finest() -> None:
    joined = join_selections([selection([(1, 2)], [[1]], Unit.MS), selection([(1000, 2000)], [[2]], Unit.US)])
    assert (joined.unit, joined.ranges) == (Unit.US, [(1000, 2000)])
    assert joined.counts.tolist() == [[1], [2]]


def test_bounds_that_are_printed_differently_are_the_same() -> None:
    joined = join_selections([selection([(0.1 + 0.2, 5)], [[1]]), selection([(0.3, 5)], [[2]])])
    assert joined.ranges == [(0.3, 5)]
