"""Time waited per range: its sum is what the source says."""

import numpy as np
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

from pylatencymap.units import Unit
from pylatencymap.window.matrix import FloatArray
from pylatencymap.window.statistics import mean_latencies, summarise, waited_per_range
from pylatencymap.window.store import RangeKey

RANGES: list[RangeKey] = [(0, 1), (64, 128), (1000, 3000), (4096, None)]
histograms = st.lists(st.integers(0, 1000), min_size=4, max_size=4)


def waited_of(counts: FloatArray, waited: FloatArray, *, measured: bool) -> FloatArray:
    means = mean_latencies(RANGES, counts.sum(axis=0), Unit.US)
    return waited_per_range(counts, RANGES, means, waited, np.full(len(counts), measured), Unit.US)


@given(st.lists(st.tuples(histograms, st.floats(0, 1e6)), min_size=1, max_size=5))
def test_columns_sum_to_the_time_that_the_source_measured(columns: list[tuple[list[int], float]]) -> None:
    counts = np.array([histogram for histogram, _ in columns], dtype=np.float64)
    waited = np.array([time for _, time in columns])
    found = waited_of(counts, waited, measured=True)
    some = counts.sum(axis=1) > 0
    assert_allclose(found.sum(axis=1)[some], waited[some], rtol=1e-9, atol=1e-12)
    assert (found >= 0).all()
    assert (found[counts == 0] == 0).all()


@given(st.lists(histograms, min_size=1, max_size=5))
def test_estimates_of_columns_add_up_to_that_of_all(columns: list[list[int]]) -> None:
    counts = np.array(columns, dtype=np.float64)
    found = waited_of(counts, np.zeros(len(counts)), measured=False)
    about = summarise(RANGES, counts.sum(axis=0), Unit.US, span=1.0, waited=None, estimated=True)
    assert_allclose(found.sum(), about.waited, rtol=1e-9, atol=1e-12)
    assert (found[counts == 0] == 0).all()


def test_a_source_with_whole_milliseconds_has_its_events_where_they_can_be() -> None:
    ranges: list[RangeKey] = [(500, 1000), (1000, 2000), (2000, 4000), (4000, 8000), (8000, 16000)]
    counts = np.array([[0.0, 500.0, 800.0, 300.0, 40.0]])
    means = mean_latencies(ranges, counts[0], Unit.US)
    assert (means[1:] >= np.array([1e-3, 2e-3, 4e-3, 8e-3])).all()
    assert (means[1:] <= np.array([2e-3, 4e-3, 8e-3, 16e-3])).all()


def test_exact_time_does_not_move_events_out_of_their_ranges() -> None:
    counts = np.array([[0.0, 10.0, 1.0, 0.0]])
    found = waited_of(counts, np.array([10 * 80e-6 + 1500e-6]), measured=True)
    assert_allclose(found.sum(), 10 * 80e-6 + 1500e-6)
    assert 10 * 64e-6 <= found[0, 1] <= 10 * 128e-6
    assert 1000e-6 <= found[0, 2] <= 3000e-6


def test_more_than_ranges_can_hold_is_put_where_events_are() -> None:
    found = waited_of(np.array([[0.0, 1.0, 0.0, 1.0]]), np.array([1.0]), measured=True)
    assert_allclose(found.sum(), 1.0)
    assert (found[0, [0, 2]] == 0).all()
