"""What must not be lost from sight: the cursor when columns change, the newest when the view has ended."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.view.layout.status import END

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SIZE = (120, 40)


@pytest.mark.parametrize("back", [5, 60])
def test_shorter_columns_keep_the_cursor_in_sight(view: Callable[..., Any], back: int) -> None:
    """Columns of 5 s reach back far beyond what columns of 1 s do."""
    driver = view(900)
    driver.press(" ", "]", "]", "KEY_LEFT", *["KEY_LEFT"] * back)
    pointer = driver.viewer.viewpoint.pointer
    assert np.diff(driver.drawn.geometry.ends)[-1] == 5 * SECOND
    driver.press("[", "[")
    assert np.diff(driver.drawn.geometry.ends)[-1] == SECOND
    assert driver.viewer.viewpoint.pointer == pointer
    assert driver.drawn.geometry.column_of(pointer.micros) is not None
    assert " read-out " in driver.text


def test_the_picture_that_stays_is_of_all_that_is_kept(view: Callable[..., Any]) -> None:
    driver = view(500)
    driver.press("KEY_PGUP", "KEY_PGUP", "]", "KEY_LEFT")
    assert driver.right_edge < 400
    assert driver.viewer.viewpoint.pointer is not None
    final = driver.viewer.picture.final(SIZE, END, driver.viewer.viewpoint)
    text = "\n".join(final.cells.text())
    assert int(final.geometry.ends[-1]) == START + 500 * SECOND
    assert int(final.geometry.ends[0]) <= START + 10 * SECOND
    assert "ALL 8.3 min" in text
    assert "read-out" not in text
    assert "22:21:40" in text, "500 s after 22:13:20"


def test_the_help_is_about_the_modes_with_most_wait(view: Callable[..., Any]) -> None:
    """Three modes: many fast ones that hardly wait, and two that do; there is room for two."""

    def second(number: int) -> Interval:
        end = START + number * SECOND
        ranges = ((8, 16, 500), (1024, 2048, 60), (65536, 131072, 20))
        waited = 500 * 12e-6 + 60 * 1536e-6 + 20 * 98304e-6
        return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, waited, True, label="biolatency")

    driver = view([second(number) for number in range(1, 101)])
    driver.press("?")
    said = " ".join(driver.text.split())
    whole = 500 * 12 + 60 * 1536 + 20 * 98304
    assert f"65.5-131 ms: 3 % of I/Os but {100 * 20 * 98304 / whole:.0f} % of the wait" in said
    assert "sda, 1.02-2.05 ms: 10 % of I/Os" in said
    assert "8-16 us:" not in said
