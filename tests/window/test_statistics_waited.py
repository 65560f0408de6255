"""Time waited per range: its sum is what the source says."""

import numpy as np
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

from pylatencymap.interval import midpoint_time
from pylatencymap.units import Unit
from pylatencymap.window.statistics import waited_per_range
from pylatencymap.window.store import RangeKey

RANGES: list[RangeKey] = [(0, 1), (64, 128), (1000, 3000), (4096, None)]
histograms = st.lists(st.integers(0, 1000), min_size=4, max_size=4)


@given(st.lists(st.tuples(histograms, st.floats(0, 1e6)), min_size=1, max_size=5))
def test_columns_sum_to_the_time_of_the_source(columns: list[tuple[list[int], float]]) -> None:
    counts = np.array([histogram for histogram, _ in columns], dtype=np.float64)
    waited = np.array([time for _, time in columns])
    found = waited_per_range(counts, RANGES, waited, Unit.US)
    some = counts.sum(axis=1) > 0
    assert_allclose(found.sum(axis=1)[some], waited[some], rtol=1e-9, atol=1e-12)
    assert (found >= 0).all()
    assert (found[counts == 0] == 0).all()


@given(histograms)
def test_an_estimate_at_midpoints_is_the_midpoint_of_each_range(histogram: list[int]) -> None:
    ranges = tuple((lower, upper, count) for (lower, upper), count in zip(RANGES, histogram, strict=True))
    estimate = midpoint_time(ranges, Unit.MS)
    found = waited_per_range(np.array([histogram], float), RANGES, np.array([estimate]), Unit.MS)
    assert_allclose(found[0], [midpoint_time((entry,), Unit.MS) for entry in ranges], rtol=1e-9)


def test_exact_time_moves_all_events_of_a_column_alike_and_not_out_of_their_ranges() -> None:
    counts = np.array([[0.0, 10.0, 1.0, 0.0]])
    found = waited_per_range(counts, RANGES, np.array([10 * 80e-6 + 1500e-6]), Unit.US)
    assert_allclose(found, [[0, 10 * 80e-6, 1500e-6, 0]])


def test_more_than_ranges_can_hold_is_put_where_events_are() -> None:
    found = waited_per_range(np.array([[0.0, 1.0, 0.0, 1.0]]), RANGES, np.array([1.0]), Unit.US)
    assert_allclose(found.sum(), 1.0)
    assert (found[0, [0, 2]] == 0).all()
