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
def driver(view: Callable[..., Any]) -> Any:
    return view(all_series(100))


def shown(driver: Any) -> str:
    return str(driver.lines[0].split()[1])


def test_the_most_waited_comes_first_and_tab_goes_on(driver: Any) -> None:
    assert shown(driver) == "sdb"
    found = []
    for _ in range(5):
        driver.press("KEY_TAB")
        found.append(shown(driver))
    assert found == ["nvme0n1", "sda", "dm-0", "sum", "sdb"]
    driver.press("KEY_BTAB")
    assert shown(driver) == "sum"


def test_digits(driver: Any) -> None:
    driver.press("3")
    assert shown(driver) == "sda"
    driver.press("9")
    assert "only 4 series" in driver.text
    driver.press("0")
    assert shown(driver) == "sum"
    assert "335" in driver.line("total.* /s"), "10 + 300 + 20 + 5"


def test_one_series_is_its_own_sum(view: Callable[..., Any]) -> None:
    driver = view(50)
    driver.press("0")
    assert shown(driver) == "sda"
    assert "its own sum" in driver.text
    driver.press("KEY_TAB")
    assert "only one series" in driver.text


def test_a_series_is_found_by_typing(driver: Any) -> None:
    driver.press("/")
    for name in (*RATES, "sum"):
        assert name in driver.text
    assert "300" in driver.line("1 sdb  ")
    driver.press(*"NVM")
    assert "dm-0" not in driver.text
    driver.press("KEY_ENTER")
    assert shown(driver) == "nvme0n1"


def test_the_list_is_walked_and_left(driver: Any) -> None:
    driver.press("/", "KEY_DOWN", "KEY_DOWN", "KEY_DOWN", "KEY_UP", "KEY_ENTER")
    assert shown(driver) == "nvme0n1", "behind the sum and the first"
    driver.press("/", *"nothing like this", "KEY_ENTER")
    assert shown(driver) == "nvme0n1"
    driver.press("/", "KEY_ESCAPE")
    assert len(driver.viewer.layers) == 1


def test_the_grid_shows_all_and_opens_one(driver: Any) -> None:
    driver.press("g")
    for number, name in enumerate(("sdb", "nvme0n1", "sda", "dm-0"), 1):
        assert f"{number} {name}" in driver.text
    driver.press("KEY_RIGHT", "KEY_ENTER")
    assert shown(driver) == "nvme0n1"
    driver.press("g", "4")
    assert shown(driver) == "dm-0"
    driver.press("g", "g")
    assert len(driver.viewer.layers) == 1


def test_a_click_opens_a_panel(driver: Any) -> None:
    driver.press("g")
    line = next(number for number, text in enumerate(driver.lines) if "3 sda" in text)
    place = driver.lines[line].index("3 sda"), line + 2
    driver.press(Mouse("press", *place), Mouse("release", *place))
    assert shown(driver) == "sda"


def test_time_and_colours_can_be_changed_in_the_grid(driver: Any) -> None:
    driver.press("g", "f", "]", "c")
    assert driver.viewer.viewpoint.width == 2
    assert "INTENSITY" not in driver.text
    driver.press(" ")
    assert "PAUSED" in driver.lines[0]
    driver.press("KEY_ESCAPE")
    assert "LIVE" not in driver.lines[0]


def test_a_stack_says_that_it_has_no_strip_of_percentiles(driver: Any) -> None:
    driver.press("%", "%")
    assert "PERCENTILES" in driver.text
    driver.press("v")
    assert "percentiles are in the maps: a stack has no strip of them" in driver.text
    assert "PERCENTILES" not in driver.text
    assert "p99" in driver.text.splitlines()[2] + driver.text.splitlines()[1], "the marks have a legend"
    driver.press("%")
    assert "no percentiles over time" in driver.text
    driver.press("%")
    assert "in the maps: a stack has no strip of them" in driver.text
