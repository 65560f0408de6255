"""The columns that a picture shows: a regular time axis on which nothing is lost."""

import tracemalloc
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.window.history import History
from pylatencymap.window.matrix import Matrix
from pylatencymap.window.selection import Selection, select_columns
from tests.window.columns import tail

MANY = 10_000
ALONE = 1 / log(2)
"""The mean of the events of an octave without neighbours, in lower bounds: they are even over the logarithm."""


def selection(intervals: list[Interval], count: int = MANY, width: float | None = None) -> Selection:
    history = History(intervals[0])
    for interval in intervals:
        history.add(interval)
    return select_columns(history, count, width)


def rows_of(matrix: Matrix) -> list[tuple[float, float]]:
    """Bounds of rows with events, in microseconds."""
    used = matrix.counts.sum(axis=1) > 0
    edges = [round(bound * 1e6, 6) for bound in matrix.bounds]
    return [edge for edge, some in zip(pairwise(edges), used, strict=True) if some]


@pytest.mark.parametrize("width", [None, 4.0])
def test_of_an_interval_longer_than_the_picture_a_part_is_shown(interval: Any, width: float | None) -> None:
    """A day without events after one, and one event: the picture holds its last columns and no more of the time."""
    day = interval(86_401, {}, seconds=86_400.0)
    shown = selection([interval(1, {256: 1}), day, interval(86_402, {256: 1})], 20, width).matrix()
    assert shown.seconds.sum() == pytest.approx(20 * (width or 1.0), abs=width or 0.0)
    assert shown.counts.sum() == 1


def covered(shown: Selection, low: float | None, high: float | None) -> tuple[float | None, float | None]:
    return shown.between_latencies(low, high)[2:]


def test_events_between_latencies_are_those_of_whole_ranges(interval: Any) -> None:
    shown = selection([interval(1, native=((200, 400, 7.0), (400, 800, 20.0), (3200, None, 2.0)))])
    row = 256e-6, 512e-6
    assert shown.between_latencies(*row).events == 27
    assert covered(shown, *row) == pytest.approx((200e-6, 800e-6))
    assert covered(shown, 200e-6, 400e-6) == (200e-6, 400e-6)  # its own bounds
    assert covered(shown, None, 256e-6) == (None, pytest.approx(400e-6))
    assert covered(shown, 2048e-6, 4096e-6) == (2048e-6, None)
    assert covered(shown, 1024e-6, 2048e-6) == (1024e-6, 2048e-6)  # nothing is there


def test_a_latency_as_the_screen_writes_a_bound_is_that_bound(interval: Any) -> None:
    shown = selection([interval(1, native=((65536, 131072, 7.0), (131072, 262144, 20.0), (262144, 524288, 3.0)))])
    assert shown.between_latencies(131e-3, 524e-3).events == 23
    assert covered(shown, 131e-3, 262e-3) == pytest.approx((131.072e-3, 262.144e-3))
    assert shown.between_latencies(130e-3, 524e-3).events == 30  # that is inside of a range


class TestMatrix:
    def test_counts_rates_and_marks(self, interval: Any) -> None:
        matrix = selection(
            [
                interval(1, {256: 10}),
                interval(2, {8192: 2}, reset=True),
                interval(3, {256: 3, 8192: 1}, estimated=False),
            ]
        ).matrix()
        assert rows_of(matrix) == [(256, 512), (8192, 16384)]
        assert matrix.counts[[1, 6]].tolist() == [[10, 0, 3], [0, 2, 1]]
        assert_allclose(matrix.frequency(), matrix.counts)
        assert_allclose(
            matrix.intensity()[[1, 6]], [[10 * ALONE * 256e-6, 0, 0.001152], [0, 2 * ALONE * 8192e-6, 0.012288]]
        )
        assert matrix.reset.tolist() == [False, True, False]
        assert matrix.estimated.tolist() == [True, True, False]
        assert matrix.ends.tolist() == [1_000_000, 2_000_000, 3_000_000]
        assert (matrix.resampled, matrix.overflow, matrix.clock) == (False, False, True)

    def test_exact_time_is_kept_per_column(self, interval: Any) -> None:
        first = interval(1, {256: 10}, waited=0.003, estimated=False)
        matrix = selection([first, interval(2, {256: 5}, waited=0.002, estimated=False)]).matrix()
        assert_allclose(matrix.waited.sum(axis=0), [0.003, 0.002])

    def test_bounds_are_seconds_of_the_series_unit(self, interval: Any) -> None:
        matrix = selection([interval(1, {16: 1}, unit=Unit.MS)]).matrix()
        assert_allclose(matrix.bounds, [0.008, 0.016, 0.032, 0.064])

    def test_cover_is_in_seconds(self, interval: Any) -> None:
        matrix = selection([interval(1, {16: 1})]).matrix(cover=(4e-6, 256e-6))
        assert_allclose(matrix.bounds * 1e6, [2, 4, 8, 16, 32, 64, 128, 256, 512])

    def test_foreign_bounds_are_marked(self, interval: Any) -> None:
        shown = selection([interval(1, native=((100, 200, 50),))])
        assert shown.matrix().resampled
        assert shown.matrix().counts.sum() == pytest.approx(50)
        assert not shown.matrix(64).resampled

    def test_ranges_that_are_not_in_sight_do_not_mark_or_stretch_the_picture(self, interval: Any) -> None:
        intervals = [interval(1, native=((100_000, 200_000, 1), (1 << 30, None, 1))), interval(2, {16: 1})]
        matrix = selection(intervals, count=1).matrix()
        assert (matrix.resampled, matrix.overflow, rows_of(matrix)) == (False, False, [(16, 32)])

    def test_an_overflow_is_marked_and_counts_at_its_lower_bound(self, interval: Any) -> None:
        matrix = selection([interval(1, native=((16, 32, 1), (4096, None, 2)))]).matrix()
        assert matrix.overflow
        assert matrix.bounds[-1] == np.inf
        assert matrix.bounds[-2] == pytest.approx(4096e-6)
        assert matrix.waited[-1, 0] == pytest.approx(2 * 4096e-6)

    def test_0_to_2_is_one_row(self, interval: Any) -> None:
        assert rows_of(selection([interval(1, native=((0, 2, 9), (4, 8, 1)))]).matrix(8)) == [(0, 2), (4, 8)]

    def test_no_events_at_all(self, interval: Any) -> None:
        matrix = selection([interval(1), interval(2)]).matrix()
        assert matrix.counts.shape == (2, 2)
        assert not matrix.counts.any()

    def test_an_unreal_clock_is_marked(self, interval: Any) -> None:
        assert not selection([interval(1, clock=False)]).matrix().clock

    @pytest.mark.parametrize("resolution", [1, 2, 4, 8, 16, 32, 64])
    def test_any_resolution_has_the_same_sums(self, interval: Any, resolution: int) -> None:
        native = tuple((n * n, (n + 1) ** 2, n) for n in range(60))
        shown = selection([interval(1, native=native), interval(2, native=native[20:])])
        found = shown.matrix(resolution)
        assert_allclose(found.counts.sum(axis=0), [sum(n for *_, n in native), sum(n for *_, n in native[20:])])
        assert_allclose(found.waited.sum(axis=0), shown.waited_per_range().sum(axis=1))
        assert_allclose(found.waited.sum(), shown.summary().waited)


class TestTimeAxis:
    def test_the_newest_columns(self, interval: Any) -> None:
        shown = selection([interval(n, {4: n}) for n in range(1, 30)], count=5)
        assert shown.columns["end"].tolist() == [n * 1_000_000 for n in range(25, 30)]
        assert shown.counts[:, 0].tolist() == [25, 26, 27, 28, 29]
        assert shown.width == 1.0
        assert shown.newest(2).counts[:, 0].tolist() == [28, 29]

    def test_a_gap_is_as_wide_as_it_lasted(self, interval: Any) -> None:
        gap = interval(12, seconds=9.0, gap=True)
        matrix = selection([interval(2, {4: 1}), interval(3, {4: 1}), gap, interval(13, {4: 1})]).matrix()
        assert matrix.gap.tolist() == [False] * 2 + [True] * 9 + [False]
        assert matrix.ends.tolist() == [n * 1_000_000 for n in range(2, 14)]
        assert not matrix.counts[:, 2:11].any()
        assert matrix.seconds[2:11].tolist() == [0] * 9

    def test_an_endless_gap_is_not_wider_than_the_picture(self, interval: Any) -> None:
        gap = interval(10_000_000, seconds=9_999_000.0, gap=True)
        shown = selection([interval(1000, {4: 1}), gap, interval(10_000_001, {4: 1})], count=80)
        assert len(shown) == 80
        assert shown.matrix().gap.tolist() == [True] * 79 + [False]

    def test_counters_after_a_gap_are_one_column_over_their_real_seconds(self, interval: Any) -> None:
        usual = [interval(n, {4: 1}) for n in (1, 2, 3)]
        gap = interval(12, seconds=9.0, gap=True)
        matrix = selection([*usual, gap, interval(13, {4: 20}, seconds=10.0)]).matrix()
        assert matrix.gap.tolist() == [False] * 3 + [True] * 9 + [False]
        assert matrix.frequency().sum(axis=0)[-1] == pytest.approx(2.0)

    def test_a_long_interval_is_drawn_as_long_as_it_was(self, interval: Any) -> None:
        matrix = selection([interval(n, {4: 1}) for n in (1, 2, 3)] + [interval(5, {4: 8}, seconds=2.0)]).matrix()
        assert matrix.frequency().sum(axis=0).tolist() == [1, 1, 1, 4, 4]
        assert matrix.ends.tolist() == [n * 1_000_000 for n in range(1, 6)]

    def test_a_reset_in_a_long_interval_is_one_reset_over_all_of_it(self, interval: Any) -> None:
        usual = [interval(n, {4: 1}) for n in (1, 2, 3)]
        shown = selection([*usual, interval(11, {4: 80}, seconds=8.0, reset=True), interval(12, {4: 1})], count=10)
        matrix = shown.matrix()
        assert matrix.reset.tolist() == [False, True, *[False] * 8]
        assert matrix.lasted.tolist() == [1, *[8] * 8, 1]
        assert shown.newest(2).lasted.tolist() == [8, 1]

    def test_long_gaps_cost_no_more_than_the_picture(self, interval: Any) -> None:
        parts = [interval(1, {4: 1})]
        for day in range(1, 301):
            end = 86_400 * day
            parts += [interval(end, seconds=86_399.0, gap=True), interval(end + 1, {4: 1})]
        tracemalloc.start()
        shown = selection(parts, count=2000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert shown.matrix().gap.tolist() == [True] * 1999 + [False]
        assert peak < 2_000_000

    def test_a_clock_that_jumped_is_no_long_interval(self, interval: Any) -> None:
        usual = [interval(n, {4: 1}) for n in (1, 2, 3)]
        matrix = selection([*usual, interval(3604, {4: 5}, span=3601.0)]).matrix()
        assert matrix.frequency().sum(axis=0).tolist() == [1, 1, 1, 5]

    def test_zooming_out_merges_columns_over_real_time_aligned_to_the_epoch(self, interval: Any) -> None:
        shown = selection([interval(n, {4: n}) for n in range(3, 21)], width=5.0)
        assert shown.columns["end"].tolist() == [5_000_000, 10_000_000, 15_000_000, 20_000_000]
        assert shown.counts[:, 0].tolist() == [12, 40, 65, 90]
        assert shown.columns["seconds"].tolist() == [3, 5, 5, 5]
        assert shown.width == 5.0

    def test_zooming_in_beyond_the_interval_changes_nothing(self, interval: Any) -> None:
        shown = selection([interval(n, {4: n}) for n in range(1, 9)], width=0.1)
        assert (len(shown), shown.width) == (8, 1.0)

    def test_zoomed_out_only_what_is_in_sight_is_shown(self, interval: Any) -> None:
        shown = selection([interval(n, {4: 1}) for n in range(1, 2001)], count=10, width=60.0)
        assert shown.columns["end"].tolist() == [n * 60_000_000 for n in range(25, 34)] + [2_000_000_000]
        assert shown.counts[:, 0].tolist() == [60.0] * 9 + [20.0]

    def test_a_gap_wider_than_the_columns_stays_in_sight_when_zoomed_out(self, interval: Any) -> None:
        gap = interval(123, seconds=100.0, gap=True)
        parts = [*[interval(n, {4: 1}) for n in range(1, 24)], gap, *[interval(n, {4: 1}) for n in range(124, 131)]]
        matrix = selection(parts, width=10.0).matrix()
        assert matrix.gap.tolist() == [False] * 3 + [True] * 9 + [False]
        assert matrix.counts.sum(axis=0).tolist() == [10, 10, 3, *[0] * 9, 7]
        assert matrix.ends.tolist() == [*range(10_000_000, 130_000_001, 10_000_000)]

    def test_a_small_gap_within_a_column_leaves_its_rate_right(self, interval: Any) -> None:
        gap = interval(14, seconds=4.0, gap=True)
        parts = [*[interval(n, {4: 2}) for n in range(1, 11)], gap, *[interval(n, {4: 2}) for n in range(15, 21)]]
        matrix = selection(parts, width=10.0).matrix()
        assert matrix.gap.tolist() == [False, False]
        assert_allclose(matrix.frequency().sum(axis=0), [2.0, 2.0])

    @given(
        steps=st.lists(st.tuples(st.sampled_from([0, 1, 1, 1, 2, 3]), st.integers(0, 9)), min_size=1, max_size=60),
        width=st.none() | st.sampled_from([0.5, 2.0, 7.0, 60.0]),
        merges=st.integers(0, 3),
    )
    def test_counts_seconds_and_time_are_conserved(
        self, steps: list[tuple[int, int]], width: float | None, merges: int, interval: Any
    ) -> None:
        clock, history = 0, None
        for kind, count in steps:
            seconds = 20.0 if kind == 0 else float(kind)
            clock += round(seconds)
            one = interval(clock, {4 << kind: count} if kind else None, seconds=seconds, gap=kind == 0)
            history = history or History(one)
            history.add(one)
        assert history is not None
        columns, counts = tail(history, MANY)
        for _ in range(merges):
            history.merge_oldest()
        shown = select_columns(history, MANY, width)
        assert_allclose(shown.counts.sum(axis=0), counts.sum(axis=0))
        assert_allclose(shown.columns["seconds"].sum(), columns["seconds"].sum())
        assert_allclose(shown.columns["waited"].sum(), columns["waited"].sum(), atol=1e-12)
        assert_array_equal(np.sort(shown.columns["end"]), shown.columns["end"])
        matrix = shown.matrix()
        assert_allclose(matrix.counts.sum(), counts.sum())
        assert_allclose(matrix.waited.sum(), shown.summary().waited, atol=1e-12)


class TestSummaries:
    def test_of_all_columns_and_of_the_newest_with_data(self, interval: Any) -> None:
        gap = interval(4, seconds=2.0, gap=True)
        shown = selection([interval(1, {256: 90}), interval(2, {8192: 10}), gap])
        summary, latest = shown.summary(), shown.latest()
        assert (summary.events, summary.span, summary.estimated) == (100, 2.0, True)
        assert summary.average is not None
        assert summary.average.seconds == pytest.approx((90 * 256 + 10 * 8192) * ALONE / 100 * 1e-6)
        assert latest is not None
        assert (latest.events, latest.span) == (10, 1.0)

    def test_of_nothing_but_a_gap(self, interval: Any) -> None:
        assert selection([interval(4, seconds=2.0, gap=True)]).latest() is None

    def test_of_no_columns(self) -> None:
        empty = Selection.empty()
        assert (len(empty), empty.latest(), empty.summary().events) == (0, None, 0.0)
