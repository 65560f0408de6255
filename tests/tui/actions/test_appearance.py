"""Keys that change how the same data are drawn."""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.view.style.options import PALETTES, SCALES

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def test_maps(view: Callable[..., Any]) -> None:
    driver = view()
    for key, shown, hidden in (("f", "FREQUENCY", "INTENSITY"), ("i", "INTENSITY", "FREQUENCY")):
        driver.press(key)
        assert shown in driver.text
        assert hidden not in driver.text
    driver.press("b")
    assert "FREQUENCY" in driver.text
    assert "INTENSITY" in driver.text


def test_all_scales_come_round_and_the_legend_names_them(view: Callable[..., Any]) -> None:
    driver = view()
    for scale in (*SCALES[1:], SCALES[0]):
        driver.press("c")
        assert scale in driver.line("FREQUENCY")


def test_all_palettes_come_round(view: Callable[..., Any]) -> None:
    driver = view()
    for palette in (*PALETTES[1:], PALETTES[0]):
        driver.press("p")
        assert driver.viewer.viewpoint.view.palette == palette
        assert palette in driver.text
    driver.press("d")
    assert driver.viewer.viewpoint.view.background == "light"


def test_scales_are_pinned_and_let_go(view: Callable[..., Any]) -> None:
    driver = view()
    maxima = driver.drawn.geometry.maxima
    driver.press("x")
    assert driver.viewer.viewpoint.view.frequency_max == maxima["frequency"]
    assert "pinned" in driver.text
    hot = [
        Interval("sda", Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ((128, 256, 50_000),), 9.6, True)
        for n in range(200, 300)
    ]
    driver.add(*hot)
    assert driver.drawn.geometry.maxima == maxima
    driver.press("x")
    assert driver.drawn.geometry.maxima["frequency"] == 50_000


def test_to_pin_the_scales_changes_no_cell(view: Callable[..., Any]) -> None:
    """110 and 12 events a second are drawn on scales of 100/s and 10/s: more than M, but not off it."""
    ranges = ((128, 256, 110), (8192, 16384, 12))
    driver = view(
        [
            Interval("sda", Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ranges, 0.168, True)
            for n in range(100)
        ]
    )
    assert driver.drawn.geometry.maxima["frequency"] == 100

    def maps() -> list[Any]:
        drawn = driver.drawn
        lines = [line for region in drawn.geometry.regions for line in range(region.top, region.top + region.lines)]
        return [part[lines].tolist() for part in (drawn.cells.chars, drawn.cells.styles)]

    before = maps()
    driver.press("x")
    assert maps() == before
    assert "off the" not in driver.text


def fine(number: int) -> Interval:
    """Ranges of an eighth of a doubling, as event sources have them."""
    end = START + number * SECOND
    ranges = tuple((lower, lower + 16, 5) for lower in range(128, 256, 16))
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, 40 * 192e-6, estimated=True)


def test_detail_grows_as_far_as_the_source_can_tell(view: Callable[..., Any]) -> None:
    driver = view([fine(number) for number in range(1, 100)])
    for expected in (2, 4, 8):
        driver.press("+")
        assert driver.viewer.viewpoint.resolution == expected
    driver.press("+")
    assert driver.viewer.viewpoint.resolution == 8
    assert "does not tell latencies apart" in driver.text
    for expected in (4, 2, 1, 1):
        driver.press("-")
        assert driver.viewer.viewpoint.resolution == expected


def test_doublings_have_no_more_detail(view: Callable[..., Any]) -> None:
    driver = view()
    driver.press("+")
    assert driver.viewer.viewpoint.resolution == 1
    assert "does not tell latencies apart" in driver.text


def test_a_range_is_fixed_moved_and_let_go(view: Callable[..., Any]) -> None:
    driver = view()
    driver.press("r")
    driver.type("64us-1ms")
    view_options = driver.viewer.viewpoint.view
    assert (view_options.min_latency, view_options.max_latency) == (64e-6, 1e-3)
    assert driver.drawn.geometry.bounds[-2:].tolist() == [pytest.approx(1.024e-3), float("inf")]
    assert ">1.0 ms" in driver.text
    driver.press("}")
    assert driver.viewer.viewpoint.view.min_latency == pytest.approx(128e-6)
    assert driver.viewer.viewpoint.view.max_latency == pytest.approx(2e-3)
    driver.press("r", "\x15")
    driver.type("")
    assert driver.viewer.viewpoint.view.min_latency is None
    driver.press("r")
    driver.type("5")
    assert "is no range" in driver.text


def test_options_of_the_earlier_tool_give_way_to_a_range(view: Callable[..., Any]) -> None:
    driver = view(looks=Viewpoint(buckets=(3, 20)))
    driver.press("r")
    driver.type("1ms-")
    assert driver.viewer.viewpoint.buckets == (None, None)


def test_an_slo_is_typed_or_taken_from_the_cursor(view: Callable[..., Any]) -> None:
    driver = view()
    driver.press("o")
    driver.type("1ms")
    said = driver.line("SLO 1 ms")
    assert "10 %" in said, "10 of 100 I/Os are slower"
    assert "88 %" in said, "122.88 of 140.16 ms were waited by them"
    driver.press("o", "\x15")
    driver.type("")
    assert "SLO" not in driver.text
    driver.press("KEY_LEFT", "o")
    assert driver.lines[-1].startswith(" SLO: 16.4ms")
    driver.press("KEY_ESCAPE")
    assert driver.viewer.viewpoint.view.slo is None


def broad(number: int) -> Interval:
    """As many events in each sixteenth of a doubling from 128 us to 16.4 ms."""
    end = START + number * SECOND
    ranges = tuple(
        (lower, lower + step, 1) for step in (8 << n for n in range(7)) for lower in range(16 * step, 32 * step, step)
    )
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, 0.5, estimated=True)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
def test_detail_never_hides_the_rows_that_hold_the_data(view: Callable[..., Any], size: tuple[int, int]) -> None:
    driver = view([broad(number) for number in range(1, 100)], size=size)
    for _ in range(6):
        before = driver.drawn.geometry.bounds.tolist()
        driver.press("+")
        assert driver.drawn.geometry.merged <= 0.03
    assert "finer rows do not fit here; r narrows the range" in driver.text
    assert driver.drawn.geometry.bounds.tolist() == before
    resolution = driver.viewer.viewpoint.resolution
    driver.press("r")
    driver.type("1ms-2ms")
    driver.press("+")
    assert driver.viewer.viewpoint.resolution == 2 * resolution, "a narrower range has room for finer rows"


def test_the_title_says_the_range_that_is_drawn(view: Callable[..., Any]) -> None:
    """4 to 20 ms, asked for, lies between the bounds of doublings: 2.05, 4.10, 8.19, 16.4, 32.8 ms."""
    driver = view()
    driver.press("r")
    driver.type("4ms-20ms")
    bounds = driver.drawn.geometry.bounds
    assert bounds[0] == pytest.approx(2.048e-3)
    assert bounds[bounds < float("inf")][-1] == pytest.approx(32.768e-3)
    assert "only 2.05-32.8 ms" in driver.lines[0]
    assert "below 2.05 ms, not shown: 90 I/Os/s over the window of 87 s" in driver.text


def test_while_nothing_has_come_nothing_is_made_up(view: Callable[..., Any]) -> None:
    driver = view([])
    assert "WAITING" in driver.lines[0]
    assert "every" not in driver.text
    assert "FREQUENCY" in driver.text
    assert " us" not in driver.text
    assert " ms" not in driver.text


def test_times_are_told_in_utc_or_in_the_zone_of_the_session(view: Callable[..., Any]) -> None:
    driver = view()
    driver.viewer.picture.use_zone(ZoneInfo("Asia/Kolkata"))
    driver.viewer.zone = ZoneInfo("Asia/Kolkata")
    driver.draw()
    assert "IST 03:46:40" in driver.lines[0]
    driver.press("u")
    assert "UTC 22:16:40" in driver.lines[0]
    assert "times are in UTC" in driver.text
    driver.press("u")
    assert "IST 03:46:40" in driver.lines[0]
    assert "times are in Asia/Kolkata" in driver.text
