"""Vectorised binning: the same buckets as one by one, up to the last 64-bit integer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.buckets import bucket_of
from pylatencymap.record import tidy_ranges
from pylatencymap.window.binning import buckets_of, histogram

RESOLUTIONS = [1, 2, 4, 8, 16, 32, 64]
values = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), max_size=50)


@given(values, st.sampled_from(RESOLUTIONS))
def test_buckets_are_those_of_one_by_one(found: list[int], resolution: int) -> None:
    buckets = buckets_of(np.array(found, dtype=np.uint64), resolution)
    assert buckets.tolist() == [bucket_of(value, resolution) for value in found]
    assert buckets.dtype == np.int64


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_neighbours_of_all_powers_of_two(resolution: int) -> None:
    edges = sorted({0, 2**64 - 1} | {2**power + offset for power in range(1, 64) for offset in (-1, 0, 1)})
    buckets = buckets_of(np.array(edges, dtype=np.uint64), resolution)
    assert buckets.tolist() == [bucket_of(value, resolution) for value in edges]


@given(values, st.sampled_from(RESOLUTIONS))
def test_a_histogram_counts_every_value_in_its_range(found: list[int], resolution: int) -> None:
    ranges = histogram(np.array(found, dtype=np.uint64), resolution)
    assert ranges == list(tidy_ranges(ranges))
    for lower, upper, count in ranges:
        assert upper is not None
        assert count == sum(lower <= value < upper for value in found)
    assert sum(count for *_, count in ranges) == len(found)
