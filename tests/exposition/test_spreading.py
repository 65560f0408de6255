"""What is served: whole numbers that only grow, of which none is lost, in buckets that allow the time waited."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.exposition.grids import NATIVE, ZERO, ClassicGrid, native_bound, native_index
from pylatencymap.exposition.spreading import BucketGrid, SpreadCounts

GRIDS = [NATIVE, *(ClassicGrid(number).grid for number in (1, 2, 4, 8))]
MICRO = 1e-6


@st.composite
def ranges_of_events(draw: st.DrawFn) -> tuple[list[tuple[float, float, int]], float]:
    """Ranges with counts as a source has them, and the time that their events waited."""
    found, waited = [], 0.0
    for lower, width in draw(st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(1, 100_000)), max_size=5)):
        latencies = draw(st.lists(st.floats(0, 0.999), min_size=1, max_size=8))
        found.append((lower * MICRO, (lower + width) * MICRO, len(latencies)))
        waited += sum((lower + part * width) * MICRO for part in latencies)
    return found, waited


@settings(deadline=None)
@given(st.sampled_from(GRIDS), st.lists(ranges_of_events(), min_size=1, max_size=8))
def test_no_event_is_lost_and_no_bucket_falls(
    grid: BucketGrid, parts: list[tuple[list[tuple[float, float, int]], float]]
) -> None:
    counts = SpreadCounts(grid)
    before: dict[int, int] = {}
    events, waited = 0, 0.0
    for ranges, seconds in parts:
        counts.add(ranges, seconds)
        events, waited = events + sum(count for *_, count in ranges), waited + seconds
        grown = {place: count - before.get(place, 0) for place, count in counts.counts.items()}
        assert min(grown.values(), default=0) >= 0
        before = dict(counts.counts)
        assert sum(before.values()) == events
        least = sum(count * grid.ends(place)[0] for place, count in before.items())
        most = sum(count * grid.ends(place)[1] for place, count in before.items())
        assert least - 1e-9 <= waited <= most + 1e-9


@given(st.sampled_from(GRIDS), st.integers(0, 25), st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_over_time_a_range_is_spread_in_proportion(grid: BucketGrid, octave: int, steps: list[int]) -> None:
    lower, upper = 2**octave * MICRO, 2 ** (octave + 1) * MICRO
    counts = SpreadCounts(grid)
    for count in steps:
        counts.add([(lower, upper, count)], None)
    for place, part in grid.shares(lower, upper):
        assert abs(counts.counts.get(place, 0) - part * sum(steps)) < len(grid.shares(lower, upper))


@pytest.mark.parametrize("number", [1, 2, 4, 8])
def test_ranges_of_a_probe_are_whole_buckets(number: int) -> None:
    grid = ClassicGrid(number)
    for octave in range(3, 26):
        for part in range(number):
            lower, upper = (2**octave * (1 + step / number) * MICRO for step in (part, part + 1))
            ((place, share),) = grid.shares(lower, upper)
            assert (share, grid.ends(place)) == (1.0, pytest.approx((lower, upper)))


@given(st.floats(1e-6, 1e6))
def test_native_buckets_include_their_upper_bounds(seconds: float) -> None:
    index = native_index(seconds)
    assert native_bound(index - 1) * (1 - 1e-12) <= seconds <= native_bound(index) * (1 + 1e-12)


def test_bounds_of_native_buckets_are_those_that_servers_print() -> None:
    """The numbers are from an answer of Prometheus 2.42."""
    assert native_bound(native_index(0.0001)) == pytest.approx(0.00010264848819015068, rel=1e-15)
    assert native_bound(native_index(0.0078125)) == 0.0078125
    assert native_index(0.0078125) == -56


def test_what_is_open_and_what_is_zero() -> None:
    assert ClassicGrid().shares(1.0, math.inf) == [(28, 1.0)]
    assert NATIVE.shares(0.0, 1e-6) == [(ZERO, 1.0)]
    ((place, _),) = NATIVE.shares(1.0, math.inf)
    assert NATIVE.ends(place)[0] == 1.0


def test_fractions_are_carried_until_they_are_whole() -> None:
    counts = SpreadCounts(NATIVE)
    for _ in range(10):
        counts.add([(0.001, 0.00101, 0.25)], None)
    assert sum(counts.counts.values()) == 2


@pytest.mark.parametrize("grid", GRIDS)
def test_what_is_open_says_nothing_about_the_others(grid: BucketGrid) -> None:
    """Five events of 1 ms or more, and a time waited that is not 134 s each: 70 others stay where they are."""
    alone, beside = SpreadCounts(grid), SpreadCounts(grid)
    closed = [(0.0, 1e-4, 50), (1e-4, 2e-4, 20)]
    for waited in (0.0025 + 0.003 + 5e-3, 10.0):
        alone.add(closed, 0.0025 + 0.003)
        beside.add([*closed, (1e-3, math.inf, 5)], waited)
    ((place, _),) = grid.shares(1e-3, math.inf)
    assert beside.counts.pop(place) == 10
    assert beside.counts == alone.counts
