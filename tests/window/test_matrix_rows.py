"""Rows of the picture: where they begin and end, and how foreign ranges are spread over them."""

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

from pylatencymap.buckets import bounds_of
from pylatencymap.window.matrix import row_bounds
from pylatencymap.window.store import RangeKey

RESOLUTIONS = [1, 2, 4, 8, 16, 32, 64]
foreign = st.tuples(st.floats(0, 1e7), st.floats(0.001, 1e7)).map(lambda pair: (pair[0], pair[0] + pair[1]))
buckets = st.builds(bounds_of, st.integers(0, 200), st.sampled_from(RESOLUTIONS))
opens = st.floats(0, 1e6).map(lambda lower: (lower, None))
keys = st.lists(foreign | buckets | opens, min_size=1, max_size=12, unique=True)


@given(keys, st.sampled_from([1, 2, 8]))
def test_projection_conserves_counts_and_time(used: list[RangeKey], resolution: int) -> None:
    rows = row_bounds(used, resolution, None)
    shares, times = rows.projection(used)
    assert_allclose(shares.sum(axis=0), 1.0)
    assert_allclose(times.sum(axis=0), 1.0)
    assert (shares >= 0).all()
    assert (times >= 0).all()


@given(keys, st.sampled_from([1, 2, 8]))
def test_events_stay_within_the_rows_that_their_range_overlaps(used: list[RangeKey], resolution: int) -> None:
    rows = row_bounds(used, resolution, None)
    shares, _ = rows.projection(used)
    assert all(low < high for low, high in pairwise(rows.bounds))
    for column, (lower, upper) in enumerate(used):
        for row, (low, high) in enumerate(pairwise(rows.bounds)):
            if shares[row, column] and upper is not None:
                assert low < upper
                assert lower < high


@given(keys, st.sampled_from([1, 2, 8]))
def test_a_range_of_whole_buckets_is_one_row_at_most(used: list[RangeKey], resolution: int) -> None:
    rows = row_bounds(used, resolution, None)
    shares, _ = rows.projection(used)
    for column, key in enumerate(used):
        if not rows.is_resampled(key):
            assert (shares[:, column] > 0).sum() == 1


@given(keys)
def test_rows_that_are_not_used_do_not_take_anything_away(used: list[RangeKey]) -> None:
    """Ranges without events have no say in the rows, and must not matter where they are."""
    shares, _ = row_bounds(used[:1], 1, None).projection(used)
    assert_allclose(shares.sum(axis=0), 1.0)


def test_octaves_with_one_more_row_at_each_end() -> None:
    assert row_bounds([(128, 256), (512, 1024)], 1, None).bounds == [64, 128, 256, 512, 1024, 2048]
    assert row_bounds([(0, 1)], 1, None).bounds == [0, 1, 2]


def test_a_union_of_buckets_is_one_row() -> None:
    assert row_bounds([(0, 2), (4, 8)], 1, None).bounds == [0, 2, 4, 8, 16]
    assert row_bounds([(512, 1024)], 4, None).bounds == [448, 512, 1024, 1280]


def test_finer_ranges_share_the_row_of_an_octave() -> None:
    used: list[RangeKey] = [(512, 1024), (512, 576), (1024, 1152)]
    rows = row_bounds(used, 8, None)
    assert rows.bounds == [480, 512, 1024, 1152, 1280]
    assert not any(rows.is_resampled(key) for key in used)


def test_finer_buckets_are_drawn_as_coarse_ones_without_resampling() -> None:
    used = [bounds_of(bucket, 8) for bucket in range(40, 60)]
    rows = row_bounds(used, 1, None)
    assert not any(rows.is_resampled(key) for key in used)
    assert rows.bounds == [2**n for n in range(6, 12)]


def test_foreign_bounds_are_spread_by_their_overlap() -> None:
    rows = row_bounds([(100, 200)], 1, None)
    assert rows.is_resampled((100, 200))
    shares, times = rows.projection([(100, 200)])
    assert rows.bounds == [32, 64, 128, 256, 512]
    assert_allclose(shares[:, 0], [0, 0.28, 0.72, 0])
    assert_allclose(times[:, 0], [0, 0.28 * 114 / 150, 0.72 * 164 / 150, 0])


def test_cover_adds_rows() -> None:
    assert row_bounds([(128, 256)], 1, (16, 4096)).bounds == [2.0**n for n in range(3, 14)]
    assert row_bounds([], 1, (16, 32)).bounds == [8, 16, 32, 64]
    assert row_bounds([], 1, None).bounds == [0, 1, 2]
    assert row_bounds([(128, 256)], 1, (16, inf)).bounds == [8, 16, 32, 64, 128, 256, 512]


class TestOpenRanges:
    def test_an_open_range_is_the_top_row(self) -> None:
        rows = row_bounds([(1024, 2048), (4096, None)], 1, None)
        assert (rows.bounds, rows.overflow) == ([512, 1024, 2048, 4096, inf], True)
        shares, _ = rows.projection([(4096, None)])
        assert shares[:, 0].tolist() == [0, 0, 0, 1]

    def test_it_begins_where_it_says_though_it_is_no_bound_of_the_grid(self) -> None:
        rows = row_bounds([(1000, 3000), (3000, None)], 1, None)
        assert rows.bounds == [256, 512, 1024, 2048, 3000, inf]

    def test_no_row_above_it_is_made_for_the_sake_of_cover(self) -> None:
        """Its events would seem to be slower than is known."""
        assert row_bounds([(64, 128), (256, None)], 1, (32, 65536)).bounds == [16, 32, 64, 128, 256, inf]

    def test_alone(self) -> None:
        assert row_bounds([(4096, None)], 1, None).bounds == [2048, 4096, inf]
        assert row_bounds([(0, None)], 1, None).bounds == [0, inf]

    def test_below_the_highest_other_range_it_is_still_the_top_row(self) -> None:
        rows = row_bounds([(256, None), (1024, 2048)], 1, None)
        assert rows.bounds[-2:] == [2048, inf]
        assert rows.projection([(256, None)])[0][-1, 0] == 1


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_the_widest_range_of_latencies_has_rows_enough(resolution: int) -> None:
    used = [(0, 1), (2**63, 2**64)]
    rows = row_bounds(used, resolution, None)
    assert rows.bounds[0] == 0
    assert rows.bounds[-1] > 2.0**64


def test_absurd_bounds_cost_neither_memory_nor_events() -> None:
    used: list[RangeKey] = [(0, 1), (1e30, 1e60)]
    shares, times = row_bounds(used, 64, None).projection(used)
    assert_allclose(shares.sum(axis=0), 1.0)
    assert_allclose(times.sum(axis=0), 1.0)


def test_many_wide_ranges_are_spread_by_their_overlap_at_the_finest_resolution() -> None:
    used: list[RangeKey] = [((1 << 20) + 2 * n + 1, (1 << 40) + 2 * n + 1) for n in range(50)]
    rows = row_bounds(used, 64, None)
    shares, times = rows.projection(used)
    for column, (lower, upper) in enumerate(used):
        assert upper is not None
        for row in (rows.bounds.index(2.0**30), rows.bounds.index(2.0**39)):
            low, high = rows.bounds[row], rows.bounds[row + 1]
            assert shares[row, column] == pytest.approx((high - low) / (upper - lower))
            assert times[row, column] == pytest.approx((high - low) / (upper - lower) * (low + high) / (lower + upper))
    assert_allclose(shares.sum(axis=0), 1.0)
    assert_allclose(times.sum(axis=0), 1.0)


@pytest.mark.parametrize("lower", [2**53 + 1, 253402300800000000, 2**60 + 5])
def test_a_range_of_one_is_counted_once_however_large_its_bounds_are(lower: int) -> None:
    used: list[RangeKey] = [(1, 2), (lower, lower + 1)]
    shares, times = row_bounds(used, 8, None).projection(used)
    assert_allclose(shares.sum(axis=0), 1.0)
    assert_allclose(times.sum(axis=0), 1.0)


@pytest.mark.parametrize("lower", [2**53 - 1, 2**53 + 1, 2**63 - 1, 2**63 + 1])
def test_the_open_row_begins_above_the_others_in_any_unit(lower: int) -> None:
    bounds = row_bounds([(1, 2), (2**52, 2**53 - 5), (lower, None)], 1, None).bounds
    for scale in (1e-9, 1e-6, 1e-3):
        assert all(low * scale < high * scale for low, high in pairwise(bounds))
