"""What is said of a selection: its own figures, and those of the time before and after it."""

import re
from dataclasses import replace
from itertools import accumulate

import pytest

from pylatencymap.record import Mark, Stamp
from pylatencymap.view.layout import READING, Selected
from tests.tui.actions.conftest import START, KeyDriver, View, second

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


@pytest.mark.parametrize("stacked", [False, True])
def test_a_selection_that_is_all_gap_has_no_data_which_is_not_no_events(view: View, stacked: bool) -> None:
    seconds = [
        one
        for number in range(1, 121)
        for one in (second(number, factor=number > 100), second(number, "sdb", factor=2 * (number > 100)))
    ]
    gaps = [
        replace(one, start=START + 30 * SECOND, seconds=30.0, gap=True, ranges=(), waited=None)
        for one in seconds
        if one.end == START + 60 * SECOND
    ]
    kept = [one for one in seconds if one.end <= START + 30 * SECOND or one.end > START + 60 * SECOND]
    driver = view(sorted([*kept, *gaps], key=lambda one: one.end))
    if stacked:
        driver.press("v")
    selecting(driver, 35, 55)
    assert "no data in this time, which is not zero" in driver.line("selected")
    assert "no events" not in driver.line("selected")
    selecting(driver, 65, 75)
    assert re.search("no (I/Os|events) in this time", driver.line("selected"))


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


def uneven_seconds(count: int, slow_from: int):
    """Seconds as a live source has them: most of them somewhat longer than usual, some shorter."""
    lengths = [SECOND + (4000, 900, -2500, 200)[number % 4] for number in range(count)]
    for number, end in enumerate(accumulate(lengths), 1):
        one = second(number, slow=10 if number < slow_from else 200)
        begin = START + end - lengths[number - 1]
        yield replace(one, start=begin, end=START + end, seconds=lengths[number - 1] / 1e6)


@pytest.mark.parametrize("slow_from", [41, 42, 43, 44])
def test_a_step_and_a_mark_are_a_column_with_its_figures(view: View, slow_from: int) -> None:
    seconds = list(uneven_seconds(200, slow_from))
    driver = view(seconds, size=(120, 40))
    for number, note in ((150, "deploy"), (151, "rolled back"), (152, "third")):
        driver.viewer.picture.mark(Mark(Stamp(seconds[number - 1].end), note))
    driver.press("n")
    chosen = driver.viewer.viewpoint.selected
    assert (chosen.begin, chosen.end) == (seconds[slow_from - 1].start, seconds[slow_from - 1].end)
    assert re.search("200 I/Os, 69 %|90 I/Os, 31 %", driver.line("selected")), driver.line("selected")
    for number, note in ((150, "deploy"), (151, "rolled back"), (152, "third")):
        driver.press("n")
        assert f'"{note}"' in driver.viewer.notice
        chosen = driver.viewer.viewpoint.selected
        assert (chosen.begin, chosen.end) == (seconds[number - 1].start, seconds[number - 1].end)
        assert "290 I/Os" in driver.line("selected"), driver.line("selected")


def said_at(driver: KeyDriver, *keys: str) -> list[str]:
    """The sign and the last word of what each key says."""
    said = []
    for key in keys:
        driver.press(key)
        words = driver.viewer.notice.rpartition("again; ")[2].split()
        said.append(f"{words[0]} {words[-1]}")
    return said


def marked(driver: KeyDriver, *marks: tuple[int, str]) -> KeyDriver:
    """With marks in second 151, so many microseconds after its begin."""
    for micros, note in marks:
        driver.viewer.picture.mark(Mark(Stamp(START + 150 * SECOND + micros), note))
    return driver


def test_marks_in_one_column_are_gone_to_in_turn(view: View) -> None:
    driver = marked(view(200), (500_000, "one"), (700_000, "two"), (700_000, "three"))
    assert said_at(driver, *"nnnn") == ['M "one"', 'M "two"', 'M "three"', 'M "one"']


def test_marks_that_are_equal_are_one_step(view: View) -> None:
    """Two deploys that have the same time and the same words: n and N go on behind and before both."""
    driver = marked(view(200), (500_000, "one"), (700_000, "two"), (700_000, "two"), (900_000, "three"))
    assert said_at(driver, *"nnnn") == ['M "one"', 'M "two"', 'M "three"', 'M "one"']
    assert said_at(driver, *"NNN") == ['M "three"', 'M "two"', 'M "one"']


def test_a_reset_in_the_column_of_an_incident_is_left(view: View) -> None:
    seconds = [second(number, factor=8 if number == 120 else 1) for number in range(1, 201)]
    seconds[119] = replace(seconds[119], reset=True)
    driver = marked(view(seconds), (500_000, "deploy"))
    signs = [said.split()[0] for said in said_at(driver, *"nnnn")]
    assert signs == ["1", "R", "M", "1"]
    assert [said.split()[0] for said in said_at(driver, *"NNN")] == ["M", "R", "1"]
