"""The cursor: where it goes, and that what it reads out is what the data say."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pylatencymap.interval import Interval
from pylatencymap.tui.terminal.input_events import Mouse
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def uneven(number: int) -> Interval:
    """In second n: n fast I/Os and 10 slow ones."""
    end = START + number * SECOND
    ranges = ((128, 256, number), (8192, 16384, 10))
    waited = number * 192e-6 + 10 * 12288e-6
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ranges, waited, estimated=True, label="biolatency")


def read_out(driver: Any) -> str:
    return str(driver.line(r"^ +read-out "))


@pytest.fixture
def driver(view: Callable[..., Any]) -> Any:
    return view([uneven(number) for number in range(1, 301)])


def test_it_appears_where_the_wait_is_and_reads_the_truth(driver: Any) -> None:
    driver.press("KEY_LEFT")
    pointer = driver.viewer.viewpoint.pointer
    assert 8192e-6 <= pointer.latency < 16384e-6
    second = round((pointer.micros - START) / SECOND)
    said = read_out(driver)
    assert "8.19-16.4 ms" in said
    assert "10 I/Os/s" in said
    share = 10 / (10 + second)
    assert f"{share:.0%}".replace("%", " %") in said or f"{100 * share:.1f} %" in said
    assert "118 ms/s" in said
    waited = 0.12288 / (0.12288 + second * 192e-6)
    assert f"{100 * waited:.0f} %" in said


def test_each_arrow_is_one_column_or_row(driver: Any) -> None:
    driver.press("KEY_LEFT")
    first = driver.viewer.viewpoint.pointer
    driver.press("KEY_LEFT", "KEY_LEFT")
    assert driver.viewer.viewpoint.pointer.micros == first.micros - 2 * SECOND
    driver.press("KEY_SLEFT")
    assert driver.viewer.viewpoint.pointer.micros == first.micros - 12 * SECOND
    driver.press("KEY_RIGHT")
    assert driver.viewer.viewpoint.pointer.micros == first.micros - 11 * SECOND
    driver.press("KEY_DOWN")
    assert 4096e-6 <= driver.viewer.viewpoint.pointer.latency < 8192e-6
    driver.press("KEY_SDOWN", "KEY_UP")
    assert driver.viewer.viewpoint.pointer.latency < 256e-6


def test_the_panel_on_the_right_reads_its_column(driver: Any) -> None:
    driver.press("KEY_LEFT", *["KEY_LEFT"] * 20)
    second = round((driver.viewer.viewpoint.pointer.micros - START) / SECOND)
    assert f"{second + 10} " in driver.line(r"total.* /s")


def test_at_the_edge_the_history_moves(driver: Any) -> None:
    columns = driver.drawn.geometry.ends.size
    driver.press("KEY_LEFT", *["KEY_LEFT"] * (columns + 30))
    oldest = int(driver.drawn.geometry.ends[0])
    assert driver.viewer.viewpoint.pointer.micros == oldest
    assert driver.right_edge < 300
    assert "PAUSED" in driver.lines[0]
    driver.press(*["KEY_LEFT"] * 400)
    assert driver.viewer.viewpoint.pointer.micros == START + SECOND
    driver.press(*["KEY_RIGHT"] * 400)
    assert driver.viewer.viewpoint.pointer.micros == START + 300 * SECOND


def test_home_and_end_are_the_oldest_and_the_newest(driver: Any) -> None:
    driver.press("KEY_LEFT", "KEY_HOME")
    assert driver.viewer.viewpoint.pointer.micros == START + SECOND
    assert " 1 I/Os/s" not in read_out(driver)
    driver.press("KEY_END")
    assert driver.viewer.viewpoint.pointer.micros == START + 300 * SECOND
    assert "LIVE" in driver.lines[0]


def test_it_stays_with_its_data_and_ends_when_they_leave(driver: Any) -> None:
    driver.press("KEY_LEFT")
    pointer = driver.viewer.viewpoint.pointer
    driver.add(*(uneven(number) for number in range(301, 311)))
    assert driver.viewer.viewpoint.pointer == pointer
    driver.add(*(uneven(number) for number in range(311, 700)))
    assert driver.viewer.viewpoint.pointer is None
    assert "has left the screen" in driver.text


def test_a_click_puts_it_where_it_is(driver: Any) -> None:
    geometry = driver.drawn.geometry
    region = geometry.regions[1]
    row = geometry.row_of(200e-6)
    offset = int(np.flatnonzero((geometry.slots == row).any(axis=1))[0])
    driver.press(Mouse("press", geometry.right - 5, region.top + offset))
    pointer = driver.viewer.viewpoint.pointer
    assert pointer.micros == START + 296 * SECOND
    assert 128e-6 <= pointer.latency < 256e-6
    assert "296 I/Os/s" in read_out(driver)
    driver.press(Mouse("press", 0, 0))
    assert driver.viewer.viewpoint.pointer is None


def test_the_wheel_changes_the_time_per_column(driver: Any) -> None:
    driver.press(Mouse("wheel-down", 50, 10))
    assert np.diff(driver.drawn.geometry.ends)[-1] == 2 * SECOND
    driver.press(Mouse("wheel-up", 50, 10))
    assert np.diff(driver.drawn.geometry.ends)[-1] == SECOND


def test_escape_ends_it(driver: Any) -> None:
    driver.press("KEY_LEFT", "KEY_ESCAPE")
    assert driver.viewer.viewpoint.pointer is None
    assert "read-out " not in driver.text


def test_zooming_keeps_its_column_in_sight(driver: Any) -> None:
    driver.press("KEY_LEFT", *["KEY_LEFT"] * 40, " ", "]", "]", "[", "[")
    geometry = driver.drawn.geometry
    assert geometry.column_of(driver.viewer.viewpoint.pointer.micros) is not None


def test_a_selection_of_less_than_a_second_has_tenths(view: Callable[..., Any]) -> None:
    quarter = SECOND // 4
    ends = [START + number * quarter for number in range(1, 81)]
    ranges = ((128, 256, 9), (8192, 16384, 1))
    driver = view([Interval("sda", Unit.US, end - quarter, end, 0.25, ranges, 0.014, estimated=True) for end in ends])
    driver.press("KEY_LEFT", "KEY_LEFT", "(", "KEY_RIGHT", ")")
    line = driver.line("selected ")
    found = re.search(r"22:13:(\d\d\.\d)-22:13:(\d\d\.\d)  0\.50 s", line)
    assert found, line
    begin, end = found.groups()
    assert float(end) - float(begin) == pytest.approx(0.5, abs=0.11), "as exact as tenths are"
