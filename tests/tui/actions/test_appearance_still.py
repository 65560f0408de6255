"""Nothing jumps: what a key says, and the cursor's read-out, take the place of texts, never of a map's rows."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def wide_second(number: int, fastest: int, slowest: int) -> Interval:
    """Events in every doubling from 2^fastest to 2^slowest us: more rows than a small terminal has lines for."""
    end = START + number * SECOND
    ranges = tuple((1 << power, 2 << power, 1 + (number + power) % 7) for power in range(fastest, slowest))
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, 3.0, estimated=True, label="biolatency")


def where(driver: Any) -> tuple[object, ...]:
    """What the maps draw, and on which lines."""
    geometry = driver.drawn.geometry
    return geometry.regions, geometry.axis, geometry.bounds.tolist(), geometry.slots.tolist()


@pytest.mark.parametrize("depth", [ColourDepth.MONO, ColourDepth.TRUECOLOR], ids=["mono", "half-blocks"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize(("fastest", "slowest"), [(8, 13), (4, 16), (2, 20)])
def test_no_notice_and_no_cursor_changes_what_the_maps_draw(
    view: Callable[..., Any], size: tuple[int, int], depth: ColourDepth, fastest: int, slowest: int
) -> None:
    data = [wide_second(number, fastest, slowest) for number in range(1, 200)]
    driver = view(data, size=size, looks=Viewpoint(ViewOptions(depth=depth)))
    before = where(driver)
    for key, said in (
        ("x", "the scales are pinned"),
        ("x", "follow the data"),
        ("+", "per doubling"),
        ("p", "palette"),
        ("p", ""),
    ):
        driver.press(key)
        assert said in driver.text
        assert where(driver) == before, key
    for key in ("KEY_LEFT", *["KEY_UP"] * 25, *["KEY_DOWN"] * 30):
        driver.press(key)
        assert driver.drawn.geometry.cursor is not None
        assert where(driver) == before, key
    driver.press("x")
    assert "the scales are pinned" in driver.text
    assert where(driver) == before
