"""Arrays come to the grid as JSON lines do."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, strategies as st

from pylatencymap.buckets import fits
from pylatencymap.interval import Interval
from pylatencymap.record import tidy_ranges
from pylatencymap.tables import columns_of_intervals, on_grid_of, ranges_on_grid
from pylatencymap.units import Unit

BOUND = st.one_of(st.integers(0, 40), st.integers(0, 12).map(lambda power: 1 << power), st.floats(0, 500).map(abs))


@st.composite
def ranges(draw: st.DrawFn) -> tuple[tuple[float, float | None, int], ...]:
    """Ranges side by side, some with holes between them; the last one may be open."""
    bounds = sorted(set(draw(st.lists(BOUND, min_size=2, max_size=9))))
    found: list[tuple[float, float | None, int]] = [
        (lower, upper, draw(st.integers(1, 1000))) for lower, upper in pairwise(bounds)
    ]
    kept = [one for one in found if draw(st.booleans())]
    if draw(st.booleans()):
        kept.append((bounds[-1], None, draw(st.integers(1, 9))))
    return tidy_ranges(kept)


@given(st.lists(ranges(), min_size=1, max_size=6), st.sampled_from([1, 2, 8, 16, 64]))
def test_as_json_lines_do(of_intervals: list[tuple[tuple[float, float | None, int], ...]], resolution: int) -> None:
    intervals = [
        Interval(f"s{number % 2}", Unit.US, number, number + 1, 1e-6, one, 0.5, note="n" * (number % 2))
        for number, one in enumerate(of_intervals)
    ]
    found = on_grid_of(columns_of_intervals(intervals), resolution)
    expected = [replace(one, ranges=ranges_on_grid(one.ranges, resolution)) for one in intervals]
    assert [one.without_ranges() for one in found.intervals()] == [one.without_ranges() for one in expected]
    for mine, other in zip(found.intervals(), expected, strict=True):
        assert mine.ranges == other.ranges


@given(st.lists(ranges(), min_size=1, max_size=6), st.sampled_from([1, 8]))
def test_without_dividing_each_interval_is_on_the_grid_or_as_it_was(
    of_intervals: list[tuple[tuple[float, float | None, int], ...]], resolution: int
) -> None:
    intervals = [Interval("s", Unit.US, number, number + 1, 1e-6, one, 0.5) for number, one in enumerate(of_intervals)]
    found = on_grid_of(columns_of_intervals(intervals), resolution, divides=False)
    for mine, one in zip(found.intervals(), intervals, strict=True):
        fit = all(fits(lower, upper, resolution) for lower, upper, _ in one.ranges)
        assert mine.ranges == (ranges_on_grid(one.ranges, resolution) if fit else one.ranges)
        assert mine.events == one.events
