"""What is said of a selection: its own figures, and those of the time before and after it."""

import re

import pytest

from pylatencymap.view.layout import READING, Selected
from tests.tui.actions.conftest import START, View, second

SECOND = 1_000_000
RATES = {40: 100, 60: 300, 200: 200}
"""Until which second, and events a second."""


def rate_at(number: int) -> int:
    return next(rate for until, rate in RATES.items() if number <= until)


def driven(view: View, size: tuple[int, int], begin: int, end: int):
    """A view of RATES with a selection from and to a second."""
    driver = view([second(number, factor=rate_at(number) // 100) for number in range(1, 201)], size=size)
    return selecting(driver, begin, end)


def selecting(driver, begin: int, end: int):
    chosen = Selected(START + begin * SECOND, START + end * SECOND)
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(selected=chosen)
    driver.draw()
    return driver


@pytest.mark.parametrize("size", [(100, 40), (120, 40), (200, 60)])
def test_the_same_figures_before_and_after(view: View, size: tuple[int, int]) -> None:
    driver = driven(view, size, 40, 60)
    assert "20 s" in driver.line("selected")
    for words, rate in (("all of this time:", 300), ("20 s before:", 100), ("20 s after:", 200)):
        line = driver.line(words)
        assert re.search(rf"rate {rate}/s ", line), line
        assert re.search(r"avg 1\.[34]\d ms", line), line
        assert "p99" in line
    places = {driver.line(words).index("p99") for words in ("all of this time", "s before:", "s after:")}
    assert len(places) == 1, "the figures stand below each other"


def test_what_is_not_kept_is_not_said(view: View) -> None:
    driver = driven(view, (120, 40), 0, 150)
    assert "before:" not in driver.text
    assert "rate 200/s" in driver.line("50 s after:")
    driver = driven(view, (120, 40), 190, 200)
    assert "after:" not in driver.text
    assert "rate 200/s" in driver.line("10 s before:")


def test_a_time_without_data_has_no_rate(view: View) -> None:
    seconds = [second(number) for number in [*range(1, 31), *range(61, 120)]]
    driver = selecting(view(seconds), 60, 80)
    line = driver.line("before:")
    assert "no data" in line or "no events" in line
    assert "rate" not in line


def test_a_small_screen_keeps_its_lines(view: View) -> None:
    driver = driven(view, (80, 18), 40, 60)
    assert "rate 300/s" in driver.line("all of this time")
    assert "before:" not in driver.text


def test_a_moment_that_was_read_after_the_last_picture_does_not_zoom(view: View) -> None:
    """All that is read is on the screen, also what is behind the last picture; at the end that is all of the file."""
    driver = view(200)
    driver.viewer.presentation = driver.viewer.presentation._replace(state=READING)
    driver.press("a")
    slow = range(700, 760)
    driver.viewer.picture.extend(second(number, slow=900 if number in slow else 10) for number in range(201, 1001))
    driver.press("n")
    assert "selected" in driver.text
    assert driver.right_edge == 1000
    driver.add(*(second(number) for number in range(1001, 1201)))
    assert driver.right_edge == 1200
    assert driver.viewer.viewpoint.follows
