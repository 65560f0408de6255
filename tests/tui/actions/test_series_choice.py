"""Keys that choose the series, and the grid of all of them."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.tui.terminal.input_events import Mouse
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
RATES = {"sda": 10, "sdb": 300, "nvme0n1": 20, "dm-0": 5}
"""Events per second; all of them alike, so that the order is that of the rates."""


def all_series(seconds: int) -> list[Interval]:
    return [
        Interval(
            name,
            Unit.US,
            START + n * SECOND,
            START + (n + 1) * SECOND,
            1.0,
            ((128, 256, rate),),
            rate * 192e-6,
            True,
            label="biolatency",
        )
        for n in range(seconds)
        for name, rate in RATES.items()
    ]


@pytest.fixture
def viewer(view: Callable[..., Any]) -> Any:
    return view(all_series(100))


def shown(viewer: Any) -> str:
    return str(viewer.lines[0].split()[1])


def test_the_most_waited_comes_first_and_tab_goes_on(viewer: Any) -> None:
    assert shown(viewer) == "sdb"
    found = []
    for _ in range(5):
        viewer.press("KEY_TAB")
        found.append(shown(viewer))
    assert found == ["nvme0n1", "sda", "dm-0", "sum", "sdb"]
    viewer.press("KEY_BTAB")
    assert shown(viewer) == "sum"


def test_digits(viewer: Any) -> None:
    viewer.press("3")
    assert shown(viewer) == "sda"
    viewer.press("9")
    assert "only 4 series" in viewer.text
    viewer.press("0")
    assert shown(viewer) == "sum"
    assert "335" in viewer.line("total.* /s"), "10 + 300 + 20 + 5"


def test_one_series_is_its_own_sum(view: Callable[..., Any]) -> None:
    viewer = view(50)
    viewer.press("0")
    assert shown(viewer) == "sda"
    assert "its own sum" in viewer.text
    viewer.press("KEY_TAB")
    assert "only one series" in viewer.text


def test_a_series_is_found_by_typing(viewer: Any) -> None:
    viewer.press("/")
    for name in (*RATES, "sum"):
        assert name in viewer.text
    assert "300" in viewer.line("1 sdb  ")
    viewer.press(*"NVM")
    assert "dm-0" not in viewer.text
    viewer.press("KEY_ENTER")
    assert shown(viewer) == "nvme0n1"


def test_the_list_is_walked_and_left(viewer: Any) -> None:
    viewer.press("/", "KEY_DOWN", "KEY_DOWN", "KEY_DOWN", "KEY_UP", "KEY_ENTER")
    assert shown(viewer) == "nvme0n1", "behind the sum and the first"
    viewer.press("/", *"nothing like this", "KEY_ENTER")
    assert shown(viewer) == "nvme0n1"
    viewer.press("/", "KEY_ESCAPE")
    assert len(viewer.stage.modes) == 1


def test_the_grid_shows_all_and_opens_one(viewer: Any) -> None:
    viewer.press("g")
    for number, name in enumerate(("sdb", "nvme0n1", "sda", "dm-0"), 1):
        assert f"{number} {name}" in viewer.text
    viewer.press("KEY_RIGHT", "KEY_ENTER")
    assert shown(viewer) == "nvme0n1"
    viewer.press("g", "4")
    assert shown(viewer) == "dm-0"
    viewer.press("g", "g")
    assert len(viewer.stage.modes) == 1


def test_a_click_opens_a_panel(viewer: Any) -> None:
    viewer.press("g")
    line = next(number for number, text in enumerate(viewer.lines) if "3 sda" in text)
    viewer.press(Mouse("press", viewer.lines[line].index("3 sda"), line + 2))
    assert shown(viewer) == "sda"


def test_time_and_colours_can_be_changed_in_the_grid(viewer: Any) -> None:
    viewer.press("g", "f", "]", "c")
    assert viewer.stage.at.width == 2
    assert "INTENSITY" not in viewer.text
    viewer.press(" ")
    assert "PAUSED" in viewer.lines[0]
    viewer.press("KEY_ESCAPE")
    assert "LIVE" not in viewer.lines[0]
