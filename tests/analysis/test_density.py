"""Rows of a source, and the step of its timer."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.analysis import find_modes, percentile, source_rows, tick_of
from pylatencymap.analysis.density import TICKS
from tests.analysis.shapes import counted, drawn, grid

RANGES = st.lists(
    st.tuples(st.integers(0, 40), st.one_of(st.none(), st.integers(1, 20))).map(
        lambda pair: (pair[0], None if pair[1] is None else pair[0] + pair[1])
    ),
    min_size=1,
    max_size=8,
    unique=True,
)


def test_rows_are_the_ranges_with_holes_between() -> None:
    edges, rows = source_rows([(64, 128), (8, 16), (16, 32), (1024, None)], np.array([[1, 2], [3, 4], [5, 6], [7, 8]]))
    assert edges.tolist() == [8, 16, 32, 64, 128, 1024, np.inf]
    assert rows.tolist() == [[3, 4], [5, 6], [0, 0], [1, 2], [0, 0], [7, 8]]


def test_ranges_that_overlap_become_one_row() -> None:
    edges, rows = source_rows([(64, 96), (64, 128), (96, 128), (128, 256)], np.array([[1.0], [2], [3], [4]]))
    assert edges.tolist() == [64, 128, 256]
    assert rows.tolist() == [[6], [4]]


def test_a_series_without_ranges_has_no_rows() -> None:
    edges, rows = source_rows([], np.zeros((0, 3)))
    assert (edges.tolist(), rows.shape) == ([0.0], (0, 3))
    assert find_modes(rows, edges).too_few


@given(RANGES)
def test_every_range_lies_in_one_row_and_no_count_is_lost(ranges: list[tuple[int, int | None]]) -> None:
    counts = np.arange(1.0, 2 * len(ranges) + 1).reshape(len(ranges), 2)
    edges, rows = source_rows(ranges, counts)
    assert (np.diff(edges) > 0).all()
    assert rows.shape == (len(edges) - 1, 2)
    assert rows.sum(axis=0).tolist() == counts.sum(axis=0).tolist()
    for lower, upper in ranges:
        place = int(np.searchsorted(edges, lower, side="right")) - 1
        assert (np.inf if upper is None else upper) <= edges[place + 1]


@pytest.mark.parametrize("tick", TICKS[1:])
@pytest.mark.parametrize("resolution", [4, 8])
def test_a_timer_is_known_by_its_step(tick: float, resolution: int) -> None:
    edges = grid(resolution, 27)
    floored = np.floor(drawn(1, (tick * 6, 0.5, 5_000)) / tick) * tick
    assert tick_of(counted(floored + tick * 1e-6, edges), edges) == tick


@pytest.mark.parametrize("resolution", [1, 2, 4, 8])
def test_continuous_latencies_show_no_tick(resolution: int) -> None:
    edges = grid(resolution, 27)
    for seed in range(30):
        median = 10 ** np.random.default_rng(seed).uniform(-4.5, -1)
        assert tick_of(counted(drawn(seed, (median, 0.5, 3_000)), edges), edges) == 0


def test_a_narrow_mode_is_no_tick() -> None:
    """A cache below 0.5 ms and a disk at 10.2 ms, in rows of 0.5 ms: all else is empty, and 10 ms would explain it."""
    edges = np.arange(0, 101) * 0.5e-3
    assert tick_of(counted(drawn(1, (0.1e-3, 0.3, 9_000), (10.25e-3, 0.003, 1_000)), edges), edges) == 0
    wide = np.array([0, 1, 2, 4, 8, 16, 32]) * 1e-3
    assert tick_of([5_000, 0, 0, 100, 900, 120], wide) == 0


@pytest.mark.filterwarnings("error")
def test_edges_that_are_equal_in_64_bits_are_a_narrow_row() -> None:
    edges = np.array([2e-6, 4e-6, 253402300799.999999, 253402300800.0])
    counts = np.array([32153.0, 0, 1817])
    assert edges[-2] == edges[-1]
    assert len(find_modes(counts, edges).modes) == 2
    middle = percentile(counts, edges, 0.5)
    assert middle is not None
    assert 2e-6 <= middle.value <= 4e-6
