"""Steps of zooming in time, and of latency detail."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import bounds_of, bucket_of
from pylatencymap.window.column_zoom import COLUMN_SECONDS, fitting_width, next_narrower, next_wider
from pylatencymap.window.selection import FINEST, Selection, finest_resolution, select_columns
from pylatencymap.window.window import Window


@pytest.mark.parametrize(
    ("width", "usual", "out"),
    [
        (None, 1.0, 2),
        (None, 1.003, 2),
        (None, 0.1, 0.2),
        (0.5, 0.1, 1),
        (2, 1.0, 5),
        (30, 1.0, 60),
        (3600, 1.0, 5400),
        (43_200, 1, 86_400),
        (None, 60, 120),
    ],
)
def test_a_step_out(width: float | None, usual: float, out: float) -> None:
    assert next_wider(width, usual) == out


def test_there_is_no_step_beyond_the_last() -> None:
    assert next_wider(COLUMN_SECONDS[-1], 1.0) == COLUMN_SECONDS[-1]
    assert next_wider(None, 1e7) == 1e7


def test_steps_divide_a_day() -> None:
    assert all(86_400_000 % round(step * 1000) == 0 for step in COLUMN_SECONDS if step <= 86_400)


DAY = 86_400


@pytest.mark.parametrize(
    ("seconds", "usual", "columns", "width"),
    [
        (90, 1.0, 90, None),
        (91, 1.0, 90, 2),
        (90, 1.02, 90, None),
        (3 * DAY, 1.0, 87, 3600),
        (3 * DAY, 1.0, 56, 5400),
        (3 * DAY, 3600.0, 56, 5400),
        (20, 0.01, 100, 0.2),
        (90 * DAY, 60.0, 90, DAY),
        (400 * DAY, 60.0, 87, 7 * DAY),
        (40_000 * DAY, 60.0, 101, 400 * DAY),
    ],
)
def test_the_width_at_which_all_fits(seconds: float, usual: float, columns: int, width: float | None) -> None:
    start = 1_772_409_600_000_000  # 2026-03-02 00:00 UTC
    found = fitting_width(start, start + round(seconds * 1e6), usual, columns)
    assert found == width


@given(
    st.integers(0, 10**15),
    st.floats(0.5, 1e8),
    st.sampled_from([0.01, 0.1, 1.0, 1.003, 5.0, 60.0, 600.0]),
    st.integers(20, 400),
)
def test_what_fits_has_no_more_columns_than_there_are(start: int, seconds: float, usual: float, columns: int) -> None:
    end = start + round(seconds * 1e6)
    width = fitting_width(start, end, usual, columns)
    if width is None:
        assert seconds / usual <= columns + 0.5
    else:
        half = round(usual * 5e5)
        first, last = start + min(half, end - start), max(end - half, start)
        assert -(-last // round(width * 1e6)) - -(-first // round(width * 1e6)) < columns


@pytest.mark.parametrize(
    ("width", "usual", "inward"),
    [(None, 1.0, None), (2.0, 1.0, None), (5.0, 1.0, 2), (60.0, 10.0, 30), (30.0, 10.1, 15), (15.0, 10.1, None)],
)
def test_a_step_in(width: float | None, usual: float, inward: float | None) -> None:
    assert next_narrower(width, usual) == inward


@pytest.mark.parametrize("usual", [0.01, 1.0, 7.0, 300.0])
def test_in_undoes_out(usual: float) -> None:
    steps: list[float | None] = [None]
    while steps[-1] != COLUMN_SECONDS[-1]:
        steps.append(next_wider(steps[-1], usual))
    for before, after in pairwise(steps):
        assert next_narrower(after, usual) == before


def shown(interval: Any, native: Any) -> Selection:
    window = Window()
    window.add(interval(1, native=tuple(native)))
    return select_columns(window["a"], 10)


@pytest.mark.parametrize("resolution", [1, 2, 4, 8, 64])
def test_a_source_on_the_grid_is_worth_its_own_resolution(interval: Any, resolution: int) -> None:
    first = bucket_of(1 << 14, resolution)
    native = [(*bounds_of(bucket, resolution), 10) for bucket in range(first, first + resolution)]
    assert finest_resolution(shown(interval, [(1, 2, 1), *native])) == resolution


@pytest.mark.parametrize(("width", "expected"), [(10, 64), (100, 16), (400, 4), (3000, 1)])
def test_foreign_ranges_are_drawn_as_rows_of_at_least_half_their_width(
    interval: Any, width: int, expected: int
) -> None:
    assert finest_resolution(shown(interval, [(n, n + width, 5) for n in range(1027, 2020, width)])) == expected
    assert 1024 / expected >= width / 2 or expected == 1


def test_the_octave_with_the_most_wait_decides(interval: Any) -> None:
    fine = [(n, n + 8, 1) for n in range(512, 1024, 8)]
    assert finest_resolution(shown(interval, [*fine, (8192, 16384, 1000)])) == 1
    assert finest_resolution(shown(interval, [*[(low, high, 10**6) for low, high, _ in fine], (8192, 16384, 1)])) == 64


def test_without_events_everything_is_worth_drawing(interval: Any) -> None:
    assert finest_resolution(Selection.empty()) == FINEST
    assert finest_resolution(shown(interval, [(4096, None, 3)])) == FINEST
