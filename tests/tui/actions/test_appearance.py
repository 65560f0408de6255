"""Keys that change how the same data are drawn."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.view.style.options import PALETTES, SCALES

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def test_maps(view: Callable[..., Any]) -> None:
    viewer = view()
    for key, shown, hidden in (("f", "FREQUENCY", "INTENSITY"), ("i", "INTENSITY", "FREQUENCY")):
        viewer.press(key)
        assert shown in viewer.text
        assert hidden not in viewer.text
    viewer.press("b")
    assert "FREQUENCY" in viewer.text
    assert "INTENSITY" in viewer.text


def test_all_scales_come_round_and_the_legend_names_them(view: Callable[..., Any]) -> None:
    viewer = view()
    for scale in (*SCALES[1:], SCALES[0]):
        viewer.press("c")
        assert scale in viewer.line("FREQUENCY")


def test_all_palettes_come_round(view: Callable[..., Any]) -> None:
    viewer = view()
    for palette in (*PALETTES[1:], PALETTES[0]):
        viewer.press("p")
        assert viewer.stage.at.view.palette == palette
        assert palette in viewer.text
    viewer.press("d")
    assert viewer.stage.at.view.background == "light"


def test_scales_are_pinned_and_let_go(view: Callable[..., Any]) -> None:
    viewer = view()
    maxima = viewer.drawn.geometry.maxima
    viewer.press("x")
    assert viewer.stage.at.view.frequency_max == maxima["frequency"]
    assert "pinned" in viewer.text
    hot = [
        Interval("sda", Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ((128, 256, 50_000),), 9.6, True)
        for n in range(200, 300)
    ]
    viewer.add(*hot)
    assert viewer.drawn.geometry.maxima == maxima
    viewer.press("x")
    assert viewer.drawn.geometry.maxima["frequency"] == 50_000


def test_to_pin_the_scales_changes_no_cell(view: Callable[..., Any]) -> None:
    """110 and 12 events a second are drawn on scales of 100/s and 10/s: more than M, but not off it."""
    ranges = ((128, 256, 110), (8192, 16384, 12))
    viewer = view(
        [
            Interval("sda", Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ranges, 0.168, True)
            for n in range(100)
        ]
    )
    assert viewer.drawn.geometry.maxima["frequency"] == 100

    def maps() -> list[Any]:
        drawn = viewer.drawn
        lines = [line for region in drawn.geometry.regions for line in range(region.top, region.top + region.lines)]
        return [part[lines].tolist() for part in (drawn.cells.chars, drawn.cells.styles)]

    before = maps()
    viewer.press("x")
    assert maps() == before
    assert "off the" not in viewer.text


def fine(number: int) -> Interval:
    """Ranges of an eighth of a doubling, as event sources have them."""
    end = START + number * SECOND
    ranges = tuple((lower, lower + 16, 5) for lower in range(128, 256, 16))
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, 40 * 192e-6, estimated=True)


def test_detail_grows_as_far_as_the_source_can_tell(view: Callable[..., Any]) -> None:
    viewer = view([fine(number) for number in range(1, 100)])
    for expected in (2, 4, 8):
        viewer.press("+")
        assert viewer.stage.at.resolution == expected
    viewer.press("+")
    assert viewer.stage.at.resolution == 8
    assert "does not tell latencies apart" in viewer.text
    for expected in (4, 2, 1, 1):
        viewer.press("-")
        assert viewer.stage.at.resolution == expected


def test_doublings_have_no_more_detail(view: Callable[..., Any]) -> None:
    viewer = view()
    viewer.press("+")
    assert viewer.stage.at.resolution == 1
    assert "does not tell latencies apart" in viewer.text


def test_a_range_is_fixed_moved_and_let_go(view: Callable[..., Any]) -> None:
    viewer = view()
    viewer.press("r")
    viewer.type("64us-1ms")
    view_options = viewer.stage.at.view
    assert (view_options.min_latency, view_options.max_latency) == (64e-6, 1e-3)
    assert viewer.drawn.geometry.bounds[-2:].tolist() == [pytest.approx(1.024e-3), float("inf")]
    assert ">1.0 ms" in viewer.text
    viewer.press("}")
    assert viewer.stage.at.view.min_latency == pytest.approx(128e-6)
    assert viewer.stage.at.view.max_latency == pytest.approx(2e-3)
    viewer.press("r", "\x15")
    viewer.type("")
    assert viewer.stage.at.view.min_latency is None
    viewer.press("r")
    viewer.type("5")
    assert "is no range" in viewer.text


def test_options_of_the_earlier_tool_give_way_to_a_range(view: Callable[..., Any]) -> None:
    viewer = view(looks=Viewpoint(buckets=(3, 20)))
    viewer.press("r")
    viewer.type("1ms-")
    assert viewer.stage.at.buckets == (None, None)


def test_an_slo_is_typed_or_taken_from_the_cursor(view: Callable[..., Any]) -> None:
    viewer = view()
    viewer.press("o")
    viewer.type("1ms")
    said = viewer.line("SLO 1 ms")
    assert "10 %" in said, "10 of 100 I/Os are slower"
    assert "88 %" in said, "122.88 of 140.16 ms were waited by them"
    viewer.press("o", "\x15")
    viewer.type("")
    assert "SLO" not in viewer.text
    viewer.press("KEY_LEFT", "o")
    assert viewer.lines[-1].startswith(" SLO: 16.4ms")
    viewer.press("KEY_ESCAPE")
    assert viewer.stage.at.view.slo is None


def broad(number: int) -> Interval:
    """As many events in each sixteenth of a doubling from 128 us to 16.4 ms."""
    end = START + number * SECOND
    ranges = tuple(
        (lower, lower + step, 1) for step in (8 << n for n in range(7)) for lower in range(16 * step, 32 * step, step)
    )
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, 0.5, estimated=True)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
def test_detail_never_hides_the_rows_that_hold_the_data(view: Callable[..., Any], size: tuple[int, int]) -> None:
    viewer = view([broad(number) for number in range(1, 100)], size=size)
    for _ in range(6):
        before = viewer.drawn.geometry.bounds.tolist()
        viewer.press("+")
        assert viewer.drawn.geometry.merged <= 0.03
    assert "finer rows do not fit here; r narrows the range" in viewer.text
    assert viewer.drawn.geometry.bounds.tolist() == before
    resolution = viewer.stage.at.resolution
    viewer.press("r")
    viewer.type("1ms-2ms")
    viewer.press("+")
    assert viewer.stage.at.resolution == 2 * resolution, "a narrower range has room for finer rows"


def test_the_title_says_the_range_that_is_drawn(view: Callable[..., Any]) -> None:
    """4 to 20 ms, asked for, lies between the bounds of doublings: 2.05, 4.10, 8.19, 16.4, 32.8 ms."""
    viewer = view()
    viewer.press("r")
    viewer.type("4ms-20ms")
    bounds = viewer.drawn.geometry.bounds
    assert bounds[0] == pytest.approx(2.048e-3)
    assert bounds[bounds < float("inf")][-1] == pytest.approx(32.768e-3)
    assert "only 2.05-32.8 ms" in viewer.lines[0]
    assert "below 2.05 ms, not shown: 90 I/Os/s over the window of 87 s" in viewer.text


def test_while_nothing_has_come_nothing_is_made_up(view: Callable[..., Any]) -> None:
    viewer = view([])
    assert "WAITING" in viewer.lines[0]
    assert "every" not in viewer.text
    assert "FREQUENCY" in viewer.text
    assert " us" not in viewer.text
    assert " ms" not in viewer.text
