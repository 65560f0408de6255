"""Columns drawn one by one are what whole pictures show, and the memory of the scales cannot tell the difference."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylatencymap.interval import Interval, midpoint_time
from pylatencymap.units import Unit
from pylatencymap.view.cells import Cells
from pylatencymap.view.colour import Depth
from pylatencymap.view.draw import draw_composed, map_columns
from pylatencymap.view.encoder import Encoder
from pylatencymap.view.geometry import Drawn, Geometry
from pylatencymap.view.memory import Memory
from pylatencymap.view.options import ViewOptions
from pylatencymap.view.scene import Scene
from pylatencymap.view.status import Status
from pylatencymap.view.strips import Strip, Strips
from pylatencymap.window.window import Window
from tests.view.emulator import held, plainly_shown, screen_with

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SMALL, HALF, WIDE = (70, 40), (70, 24), (123, 44)
ZONE = timezone(timedelta(hours=5, minutes=30))


class Viewer:
    """Draws what has come: a whole picture, or one more column where that is possible."""

    def __init__(self, options: ViewOptions, size: tuple[int, int]) -> None:
        self._options, self._size = options, size
        self._window, self._memory = Window(), Memory()
        self._strips: Strips | None = None

    def whole(self, interval: Interval) -> Drawn:
        self._window.add(interval)
        columns = map_columns(self._size)
        selection = self._window.select("sda", columns)
        status = Status("disk", "sda", interval=selection.width, tz=ZONE)
        matrix = selection.matrix(1, self._memory.cover)
        scene = Scene(matrix, status, selection.summary(), selection.latest())
        drawn, composed = draw_composed(scene, self._options, self._size, self._memory)
        self._strips = Strips.start(scene, composed, drawn, self._options, self._memory, Unit.US, columns)
        return drawn

    def next(self, interval: Interval) -> Strip | Drawn:
        strip = self._strips.column(interval) if self._strips is not None else None
        if strip is None:
            return self.whole(interval)
        self._window.add(interval)
        return strip


def intervals(rows: Sequence[Sequence[int]], *, lowest: int = 5) -> Iterator[Interval]:
    """One a second; counts by octave."""
    for number, counts in enumerate(rows):
        ranges = tuple((1 << k, 2 << k, count) for k, count in enumerate(counts, lowest) if count)
        end = START + (number + 1) * SECOND
        yield Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, midpoint_time(ranges, Unit.US))


def data_region(cells: Cells, geometry: Geometry) -> list[list[tuple[int, int]]]:
    """Maps, totals, axis and clock labels."""
    lines = [line for region in geometry.regions for line in range(region.top, region.top + region.lines + 1)]
    part = np.s_[[*lines, geometry.axis, geometry.axis + 1], geometry.left : geometry.right]
    return np.stack((cells.chars[part], cells.styles[part].astype(np.uint32)), axis=-1).tolist()  # type: ignore[no-any-return]


def headings(cells: Cells, geometry: Geometry) -> list[list[tuple[int, int]]]:
    """The lines above the maps, with their legends."""
    part = np.s_[[region.top - 1 for region in geometry.regions], : geometry.right]
    return np.stack((cells.chars[part], cells.styles[part].astype(np.uint32)), axis=-1).tolist()  # type: ignore[no-any-return]


def check(rows: Sequence[Sequence[int]], options: ViewOptions, size: tuple[int, int]) -> int:
    """How many columns were drawn one by one; all of them like whole pictures, and on the terminal too."""
    return compared(intervals(rows), options, size)[0]


def compared(found: Iterable[Interval], options: ViewOptions, size: tuple[int, int]) -> tuple[int, int]:
    """How many columns were drawn one by one, and how many of them on another scale than the column before."""
    viewer, reference, encoder = Viewer(options, size), Viewer(options, size), Encoder(options)
    sent, strips, rescaled, geometry = [], 0, 0, None
    for interval in found:
        wanted = reference.whole(interval)
        shown = viewer.next(interval)
        if isinstance(shown, Drawn):
            geometry = shown.geometry
            sent.append(encoder.encode(shown))
            assert np.array_equal(shown.cells.chars, wanted.cells.chars)
            assert np.array_equal(shown.cells.styles, wanted.cells.styles)
            continue
        strips += 1
        sent.append(encoder.scroll(shown))
        if shown.patches:
            rescaled += 1
            assert headings(encoder.shown, geometry) == headings(wanted.cells, wanted.geometry)
        if (geometry.regions, geometry.axis) == (wanted.geometry.regions, wanted.geometry.axis):
            assert data_region(encoder.shown, geometry) == data_region(wanted.cells, wanted.geometry)
    assert held(screen_with(*size, *sent)) == plainly_shown(encoder.shown, options)
    return strips, rescaled


ROW = st.lists(st.one_of(st.just(0), st.integers(0, 30), st.integers(0, 4000)), min_size=7, max_size=7)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(ROW, min_size=2, max_size=90), st.sampled_from([SMALL, HALF]), st.sampled_from(["sqrt", "linear", "log"])
)
def test_columns_are_those_of_whole_pictures(rows: list[list[int]], size: tuple[int, int], scale: str) -> None:
    check(rows, ViewOptions(scale=scale), size)


def steady(count: int, seed: int = 1) -> list[list[int]]:
    """Two modes with a tail that comes and goes."""
    random = np.random.default_rng(seed)
    means = np.array([0.05, 20, 300, 40, 1, 0.3, 30, 80, 9, 0.1])
    drift = 1 + 0.7 * np.sin(np.arange(count) / 30)[:, np.newaxis]
    return random.poisson(means * drift).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("depth", "size"), [*((depth, SMALL) for depth in Depth), (Depth.COLOURS_256, HALF), (Depth.TRUECOLOR, WIDE)]
)
def test_a_running_source_is_mostly_drawn_column_by_column(depth: Depth, size: tuple[int, int]) -> None:
    rows = steady(260)
    assert check(rows, ViewOptions(depth=depth), size) > 100


def growing() -> list[list[int]]:
    """More and more, and less again, in two modes: no scale holds for long."""
    loads = [1.04 ** min(number, 320 - number) for number in range(320)]
    return [[int(load * mode) for mode in (0, 20, 90, 15, 2, 1, 9, 40, 3)] for load in loads]


@pytest.mark.parametrize(
    ("depth", "size"), [*((depth, SMALL) for depth in Depth), (Depth.COLOURS_256, HALF), (Depth.TRUECOLOR, WIDE)]
)
@pytest.mark.parametrize("scale", ["sqrt", "linear", "log"])
def test_a_change_of_scale_needs_no_whole_picture(scale: str, depth: Depth, size: tuple[int, int]) -> None:
    columns, rescaled = compared(intervals(growing()), ViewOptions(scale=scale, depth=depth), size)
    assert columns > 200
    assert rescaled > 5


def test_gaps_and_resets_keep_their_place_when_the_scale_changes() -> None:
    def holes() -> Iterator[Interval]:
        for number, interval in enumerate(intervals(growing())):
            gap = number % 40 == 25
            yield replace(
                interval,
                ranges=() if gap else interval.ranges,
                waited=None if gap else interval.waited,
                gap=gap,
                reset=number % 40 == 33,
            )

    assert compared(holes(), ViewOptions(), SMALL)[1] > 5


@pytest.mark.parametrize("factor", [0.1, 0.8, 1.3, 3.0])
def test_exact_times_waited(factor: float) -> None:
    """Of a source that measures them they are anywhere in their ranges, and sometimes in none."""
    exact = (
        replace(interval, waited=(interval.waited or 0.0) * factor, estimated=False)
        for interval in intervals(steady(120))
    )
    assert compared(exact, ViewOptions(), SMALL)[0] > 40


def test_pinned_scales() -> None:
    assert check(steady(150), ViewOptions(frequency_max=100.0, intensity_max=0.5), SMALL) > 10


@pytest.mark.parametrize(
    ("depth", "size"),
    [(Depth.COLOURS_256, SMALL), (Depth.COLOURS_256, HALF), (Depth.MONO, SMALL), (Depth.ASCII, SMALL)],
)
def test_columns_off_the_scale(depth: Depth, size: tuple[int, int]) -> None:
    hot = [[9 * count for count in row] if number % 60 == 47 else row for number, row in enumerate(steady(240))]
    viewer = Viewer(ViewOptions(depth=depth), size)
    found = [viewer.next(interval) for interval in intervals(hot)]
    assert sum(isinstance(found[number], Strip) for number in (107, 167, 227)) >= 2
    assert check(hot, ViewOptions(depth=depth), size) > 100


def test_idle_times_are_columns_too() -> None:
    rows = steady(60) + [[0] * 10] * 30 + steady(40)
    assert check(rows, ViewOptions(), SMALL) > 60


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": 2.0},
        {"end": START + 62 * SECOND},
        {"gap": True, "ranges": ()},
        {"reset": True},
        {"unit": Unit.MS},
        {"clock": False},
        {"ranges": ((1 << 20, 1 << 21, 5),)},
        {"ranges": ((100, 300, 5),)},
        {"ranges": ((128, None, 5),)},
    ],
)
def test_whatever_changes_more_than_a_column_needs_a_whole_picture(change: dict[str, object]) -> None:
    *before, last = intervals(steady(61))
    viewer = Viewer(ViewOptions(), SMALL)
    for interval in before:
        viewer.whole(interval)
    assert viewer._strips is not None
    assert viewer._strips.column(replace(last, **change)) is None


@pytest.mark.parametrize("options", [ViewOptions(scale="share"), ViewOptions(slo=0.01), ViewOptions(rows=3)])
def test_some_pictures_are_always_composed(options: ViewOptions) -> None:
    assert check(steady(50), options, SMALL) == 0
