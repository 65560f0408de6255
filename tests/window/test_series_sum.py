"""All series added up."""

from itertools import accumulate
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pylatencymap.units import Unit
from pylatencymap.window.selection import Selection
from pylatencymap.window.window import Window

SECOND = 1_000_000


def window_of(*intervals: Any) -> Window:
    window = Window()
    for one in sorted(intervals, key=lambda one: one.end):
        window.add(one)
    return window


def by_range(selection: Selection) -> dict[Any, float]:
    totals = selection.counts.sum(axis=0).tolist()
    return {key: total for key, total in zip(selection.ranges, totals, strict=True) if total}


def test_series_with_the_same_ends_keep_their_columns(interval: Any) -> None:
    window = window_of(
        *[interval(n, {4: n}) for n in range(1, 6)],
        *[interval(n, {4: 10, 64: 1}, series="b", reset=n == 5, estimated=False) for n in range(3, 6)],
    )
    found = window.sum(10)
    assert found.columns["end"].tolist() == [n * SECOND for n in range(1, 6)]
    assert found.columns["seconds"].tolist() == [1.0] * 5
    assert found.ranges == [(4, 8), (64, 128)]
    assert found.counts.tolist() == [[1, 0], [2, 0], [13, 1], [14, 1], [15, 1]]
    matrix = found.matrix()
    assert matrix.reset.tolist() == [False] * 4 + [True]
    assert matrix.estimated.all()
    mean = 4e-6 / log(2)  # of the events of the first series, all in one range
    assert_allclose(found.columns["waited"], [mean, 2 * mean, *[n * mean + 60e-6 + 96e-6 for n in (3, 4, 5)]])


def test_a_column_is_a_gap_only_where_all_are_silent(interval: Any) -> None:
    both = [interval(n, {4: 1}, series=name) for n in (1, 2, 3, 13) for name in "ab"]
    gaps = [interval(12, seconds=9.0, gap=True, series=name) for name in "ab"]
    assert window_of(*both, *gaps).sum(20).matrix().gap.tolist() == [False] * 3 + [True] * 9 + [False]
    alone = [interval(n, {4: 1}, series="b") for n in range(4, 13)]
    found = window_of(*both, gaps[0], *alone).sum(20)
    assert not found.matrix().gap.any()
    assert found.counts[:, 0].tolist() == [2, 2, 2, *[1] * 9, 2]


def test_units_are_scaled_to_the_finest(interval: Any) -> None:
    milli = interval(1, native=((1, 2, 5), (16, None, 1)), unit=Unit.MS, series="b")
    found = window_of(interval(1, {1024: 3}), milli).sum(5)
    assert found.unit is Unit.US
    assert by_range(found) == {(1024, 2048): 3, (1000, 2000): 5, (16000, None): 1}
    assert found.matrix().resampled
    assert found.matrix().counts.sum() == pytest.approx(9)


def test_different_intervals_meet_on_the_longest(interval: Any) -> None:
    fast = [interval(n, {4: 2}) for n in range(1, 31)]
    slow = [interval(n, {4: 50}, seconds=5.0, series="b") for n in range(5, 31, 5)]
    found = window_of(*fast, *slow).sum(10)
    assert found.width == 5.0
    assert found.columns["end"].tolist() == [n * SECOND for n in range(5, 31, 5)]
    assert_allclose(found.matrix().frequency().sum(axis=0), [12.0] * 6)


def test_series_that_print_at_different_moments_meet_on_a_grid(interval: Any) -> None:
    early = [interval(n, {4: 2}) for n in range(1, 31)]
    late = [interval(n + 0.4, {4: 3}, series="b") for n in range(1, 31)]
    found = window_of(*early, *late).sum(10)
    assert found.width == 1.0
    assert found.counts[:, 0].tolist() == [5.0] * 10
    assert_allclose(found.columns["seconds"], 1.0)


def test_zoomed_out_the_sum_is_on_the_grid_of_its_series(interval: Any) -> None:
    parts = [interval(n, {4: n}, series=name) for n in range(1, 31) for name in "abc"]
    window = window_of(*parts)
    found, one = window.sum(10, 10.0), window.select("a", 10, 10.0)
    assert_allclose(found.counts, 3 * one.counts)
    assert_array_equal(found.columns["end"], one.columns["end"])
    assert found.columns["seconds"].tolist() == [10.0] * 3
    assert window.sum(10, 10.0, end=20 * SECOND).counts[:, 0].tolist() == [165, 465]
    assert window.nbytes > sum(window[name].nbytes for name in "abc")


def test_of_one_series_the_sum_is_the_series_and_of_none_nothing(interval: Any) -> None:
    window = window_of(interval(1, {4: 1}), interval(20, seconds=19.0, gap=True), interval(21, {8: 1}))
    found, one = window.sum(30), window.select("a", 30)
    fields = [name for name in found.columns.dtype.names if name != "waited"]
    assert_array_equal(found.columns[fields], one.columns[fields])
    assert_allclose(found.columns["waited"], one.settled_waits())
    assert_array_equal(found.counts, one.counts)
    assert len(Window().sum(10)) == 0
    assert Window().total_of_all().events == 0


def test_the_total_is_of_all_series(interval: Any) -> None:
    milli = interval(1, native=((1, 2, 5),), unit=Unit.MS, series="b", waited=0.007, estimated=False)
    total = window_of(interval(1, {1024: 3}), interval(2), milli).total_of_all()
    assert (total.events, total.span, total.estimated) == (8, 2.0, True)
    assert total.waited == pytest.approx(0.007 + 3 * 1024e-6 / log(2))
    assert total.maximum is not None
    assert total.maximum.seconds == pytest.approx(2048e-6)


def test_what_all_waited_is_what_each_waited(interval: Any) -> None:
    """The estimate from the counts of all would be another: a mode of one series changes the slopes of the other's."""
    slow, fast = {8192: 90, 1024: 1}, {512: 400, 1024: 500, 4096: 50, 16384: 1}
    window = window_of(
        *[interval(n, slow) for n in range(1, 21)], *[interval(n, fast, series="b") for n in range(1, 21)]
    )
    each = sum(window.select(name, 100).summary().waited for name in "ab")
    for found in (window.sum(100), window.sum(100, 10.0)):
        assert found.summary().waited == pytest.approx(each)
        assert found.matrix().waited.sum() == pytest.approx(each)
        assert found.matrix(4).waited.sum() == pytest.approx(each)
        assert found.summary().estimated
    assert window.total_of_all().waited == pytest.approx(each)


steps = st.lists(st.tuples(st.sampled_from([1, 1, 1, 2, 5]), st.integers(0, 9), st.booleans()), min_size=1, max_size=20)


@given(
    series=st.lists(st.tuples(steps, st.integers(0, 9), st.sampled_from([0, 0, 0.25])), min_size=1, max_size=4),
    width=st.sampled_from([None, 2.0, 10.0]),
)
def test_counts_and_time_are_conserved_whatever_the_series(series: Any, width: float | None, interval: Any) -> None:
    parts, counts, waited = [], 0, 0.0
    for number, (lengths, start, phase) in enumerate(series):
        ends = accumulate(length for length, _, _ in lengths)
        for end, (length, count, gap) in zip(ends, lengths, strict=True):
            ranges = () if gap else ((16 << number, 32 << number, count + 1),)
            part = interval(start + phase + end, native=ranges, seconds=float(length), gap=gap, series=f"s{number}")
            parts.append(part)
            counts += 0 if gap else count + 1
            waited += 0 if gap else (count + 1) * (16e-6 / log(2)) * 2**number
    found = window_of(*parts).sum(1000, width)
    assert_allclose(found.counts.sum(), counts)
    assert_allclose(found.columns["waited"].sum(), waited)
    assert (np.diff(found.columns["end"]) > 0).all()
    assert not found.counts[found.columns["flags"] & 1 > 0].any()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (range(1, 41), range(1, 41)),
        (range(1, 41), range(21, 41)),
        (range(1, 21), range(21, 41)),
        (range(1, 11), range(31, 41)),
        (range(1, 31), range(11, 41)),
    ],
)
def test_the_total_is_over_the_time_of_the_columns_of_the_sum(interval: Any, first: range, second: range) -> None:
    """Series that were watched at other times: rates of the list and of the map agree."""
    window = window_of(*[interval(n, {4: 10}) for n in first], *[interval(n, {64: 30}, series="b") for n in second])
    total, drawn = window.total_of_all(), window.sum(100).summary()
    assert total.span == pytest.approx(len({*first, *second}))
    assert (total.span, total.events, total.waited) == pytest.approx((drawn.span, drawn.events, drawn.waited))


def test_silences_that_all_have_are_no_part_of_the_total(interval: Any) -> None:
    silence = {"gap": True, "seconds": 1000.0}
    names = ("a", "b")
    window = window_of(
        *[interval(n, {4: 10}, series=name) for name in names for n in (*range(1, 11), *range(1011, 1021))],
        *[interval(1010, {}, series=name, **silence) for name in names],
    )
    assert window.total_of_all().span == pytest.approx(20.0)
