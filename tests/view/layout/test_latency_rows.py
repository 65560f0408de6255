"""Which rows are shown, opened, hidden and merged."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import bounds_of
from pylatencymap.view.frame.frame import make_labels, make_slots
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.latency_rows import LatencyRows, cut_context, powers_of_two, select_rows, squeeze_rows
from pylatencymap.view.style.options import ViewOptions


def rows_of(weights: list[float], *, lowest: int = 5, overflow: bool = False) -> LatencyRows:
    values = np.array(weights, float)[:, np.newaxis]
    bounds = 2.0 ** np.arange(lowest, lowest + len(weights) + 1) * 1e-6
    if overflow:
        bounds[-1] = np.inf
    return LatencyRows(bounds, values, values * 1e-3, overflow=overflow)


def test_min_latency_hides_whole_rows_only(make_matrix) -> None:
    rows, hidden = select_rows(make_matrix(), ScaleMemory(), ViewOptions(min_latency=100e-6))
    assert hidden is not None
    assert hidden.bound == pytest.approx(64e-6), "the row [64, 128) us is not entirely below 100 us"
    assert hidden.counts.sum() == sum(column % 5 for column in range(71))
    assert rows.bounds[0] == pytest.approx(64e-6)


def test_max_latency_opens_the_top_row(make_matrix) -> None:
    rows, _ = select_rows(make_matrix(), ScaleMemory(), ViewOptions(max_latency=4e-3))
    assert rows.overflow
    assert rows.bounds[-2:].tolist() == [pytest.approx(4.096e-3), np.inf]
    assert (rows.frequency[-1] == 90).all()
    assert rows.frequency.sum() == make_matrix().counts.sum()


def test_max_latency_below_all_data_opens_one_row(make_matrix) -> None:
    rows, _ = select_rows(make_matrix(), ScaleMemory(), ViewOptions(max_latency=16e-6))
    assert rows.overflow
    assert rows.bounds.tolist() == [pytest.approx(16e-6), np.inf]
    assert rows.frequency.tolist() == [make_matrix().frequency().sum(axis=0).tolist()]


def test_max_latency_above_all_data_opens_nothing(make_matrix) -> None:
    rows, _ = select_rows(make_matrix(), ScaleMemory(), ViewOptions(max_latency=1.0))
    assert not rows.overflow


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=20), st.integers(1, 20))
def test_merging_edges_loses_nothing(weights: list[float], count: int) -> None:
    rows = rows_of(weights)
    fewer = squeeze_rows(rows, count)
    assert fewer.size == min(count, len(weights))
    assert fewer.frequency.sum() == pytest.approx(rows.frequency.sum())
    assert fewer.bounds[0] == rows.bounds[0]
    assert fewer.bounds[-1] == rows.bounds[-1]
    assert set(fewer.bounds) <= set(rows.bounds)


def test_the_lightest_edges_merge_first() -> None:
    fewer = squeeze_rows(rows_of([1, 6, 600, 200, 5, 5, 90, 2]), 6)
    assert fewer.frequency[:, 0].tolist() == [7, 600, 200, 5, 5, 92]
    slots = make_slots(fewer, 6, half=False, paired=False, apart=False)
    labels = ">2.0 ms", "2.05 ms", "1.02 ms", "512 us", "256 us", "128 us"
    assert make_labels(fewer, slots, 1) == labels
    signed = (*labels[:-1], "128 us*")
    rows = rows_of([1, 6, 600, 200, 5, 5, 90, 2])
    assert make_labels(fewer, slots, 1, rows.bounds) == signed, "the top one says it by itself"
    half = make_slots(fewer, 3, half=True, paired=False, apart=False)
    assert make_labels(fewer, half, 1, rows.bounds) == (">2.0 ms", "512 us", "128 us*")


def test_edges_that_have_much_do_not_merge_but_all_rows_alike() -> None:
    fewer = squeeze_rows(rows_of([600, 200, 5, 0, 0, 90, 30, 1, 0, 0, 40, 2, 0]), 6)
    assert fewer.frequency[:, 0].tolist() == [800, 5, 90, 31, 0, 42], "90, 30 and 40 are told apart"
    assert not fewer.open_top
    assert np.diff(np.log2(fewer.bounds)).tolist() == [2, 2, 2, 2, 2, 3]


def test_so_they_do_where_few_rows_are_too_many() -> None:
    """13 rows for 9 lines: an incident in the upper three must not become one row."""
    rows = rows_of([300, 280, 500, 20, 1, 1, 60, 30, 1, 1, 40, 30, 20])
    fewer = squeeze_rows(rows, 9)
    assert np.diff(np.log2(fewer.bounds)).round(6).tolist() == [1, 1, 2, 1, 2, 1, 2, 1, 2]
    labels = make_labels(fewer, make_slots(fewer, 9, half=False, paired=False, apart=False), 1, rows.bounds)
    assert [label.endswith("*") for label in reversed(labels)] == [
        False,
        False,
        True,
        False,
        True,
        False,
        True,
        False,
        True,
    ]


def test_labels_of_half_lines_are_the_bound_in_the_middle() -> None:
    rows = rows_of([1] * 5)
    slots = make_slots(rows, 3, half=True, paired=False, apart=False)
    assert slots.tolist() == [[-1, 4], [3, 2], [1, 0]]
    assert make_labels(rows, slots, 1) == ("1.02 ms", "256 us", "64 us")


def test_bcc_first_row_is_labelled_by_its_upper_bound() -> None:
    rows = LatencyRows(np.array([0, 2e-6, 4e-6]), np.ones((2, 1)), np.ones((2, 1)))
    slots = make_slots(rows, 2, half=False, paired=False, apart=False)
    assert make_labels(rows, slots, 1) == ("4 us", "2 us")


def test_an_overflow_row_is_set_apart() -> None:
    rows = rows_of([1, 1, 1], overflow=True)
    full = make_slots(rows, 4, half=False, paired=False, apart=True)
    assert full[:, 0].tolist() == [2, -1, 1, 0]
    assert make_labels(rows, full, 1) == (">128 us", "", "128 us", "64 us")
    half = make_slots(rows, 2, half=True, paired=False, apart=True)
    assert half.tolist() == [[2, -1], [1, 0]]


@pytest.mark.parametrize("resolution", [2, 4, 8])
@pytest.mark.parametrize("first", [64, 65, 66, 71])
@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1e-3])
def test_powers_of_two_fall_on_the_middle_of_half_lines(resolution: int, first: int, unit: float) -> None:
    edges = [bounds_of(bucket, resolution)[0] for bucket in range(first, first + 4 * resolution + 1)]
    bounds = np.array(edges) * unit
    rows = LatencyRows(bounds, np.ones((len(edges) - 1, 1)), np.ones((len(edges) - 1, 1)))
    assert powers_of_two(bounds).tolist() == [edge & (edge - 1) == 0 for edge in edges]
    slots = make_slots(rows, (rows.size + 2) // 2, half=True, paired=True, apart=False)
    labels = make_labels(rows, slots, resolution)
    inner = powers_of_two(bounds)
    assert sum(map(bool, labels)) == inner.sum() - (inner[-1] and slots[0, 1] == -1)
    assert sorted(set(slots.ravel()) - {-1}) == list(range(rows.size))


def test_context_is_cut(make_matrix) -> None:
    rows, _ = select_rows(make_matrix(), ScaleMemory(), ViewOptions())
    bare = cut_context(rows, 0, 0)
    assert (bare.size, bare.below, bare.above) == (9, 0, 0)
    assert bare.bounds[0] == pytest.approx(32e-6)
    assert cut_context(rows, 1, 0).size == 10
