"""The grid of more series than there is room for, and of names that would steer a terminal."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.tui.bindings import actions_by_event
from pylatencymap.tui.terminal.input_events import Mouse
from pylatencymap.units import Unit
from pylatencymap.view.layout import Selected
from pylatencymap.view.style.styles import FADED_BIT

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SECONDS = 50


def series(names: dict[str, float]) -> list[Interval]:
    """Series that wait so long in each second."""
    return [
        Interval(name, Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ((128, 256, 50),), waited, True)
        for n in range(SECONDS)
        for name, waited in names.items()
    ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_there_is_no_room_for_is_counted_with_its_share(view: Callable[..., Any], size: tuple[int, int]) -> None:
    waits = {f"disk{number:02}": 0.001 * (41 - number) for number in range(1, 41)}
    driver = view(series(waits), size=size)
    driver.press("g")
    ranked = sorted(waits.values(), reverse=True)
    for _ in range(3):
        shown = [int(number) for number in re.findall(r"\bdisk(\d\d)\b", "\n".join(driver.lines[1:-2]))]
        assert shown == list(range(shown[0], shown[0] + len(shown)))
        assert len(shown) < len(waits)
        hidden = 1 - sum(ranked[number - 1] for number in shown) / sum(ranked)
        said = driver.line("not shown: ")
        assert f"not shown: {len(waits) - len(shown)} series, {100 * hidden:.0f} % of the wait" in said
        driver.press("KEY_PGDOWN")


def test_names_cannot_steer_the_terminal(view: Callable[..., Any]) -> None:
    driver = view(series({"evil\x1b[2J\x9b1m\x07": 0.002, "b": 0.001}))
    driver.press("g")
    assert "1 evil\\x1b[2J\\x9b1m" in driver.text
    assert all(sign.isprintable() for line in driver.lines for sign in line)


def test_the_grid_is_narrowed_by_names(view: Callable[..., Any]) -> None:
    driver = view(series({f"disk{number}": 0.001 * (41 - number) for number in range(1, 41)}))
    driver.press("g", "/")
    assert driver.lines[-1].startswith(" only series with")
    driver.type("disk1")
    names = set(re.findall(r"\bdisk\d+\b", "\n".join(driver.lines[1:-2])))
    assert names <= {f"disk1{digit}" for digit in ("", *"0123456789")}
    assert "only disk1" in driver.lines[0]
    driver.press("1")
    assert len(driver.viewer.layers) == 1
    assert driver.viewer.viewpoint.series == "disk1"
    driver.press("g", "/")
    driver.type("nothing")
    assert "no series has 'nothing' in its name" in driver.text
    driver.press("KEY_ESCAPE", "/")
    driver.type("disk40")
    assert set(re.findall(r"\bdisk\d+\b", "\n".join(driver.lines[1:-2]))) == {"disk40"}
    driver.press("KEY_ESCAPE")
    assert len(driver.viewer.layers) == 2, "Esc shows all again"
    assert "disk1 " in driver.text
    driver.press("KEY_ESCAPE")
    assert len(driver.viewer.layers) == 1


def test_all_that_is_kept_fits_the_grid(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}), size=(80, 24))
    driver.viewer.source_ended = True
    driver.press("g", "a")
    assert "22:13:20 - 22:14:10" in driver.lines[-2]


def test_every_key_does_something_in_the_grid_or_says_where_help_is(view: Callable[..., Any]) -> None:
    for key in actions_by_event():
        driver = view(series({"a": 0.002, "b": 0.001}))
        driver.press("g")
        before = driver.drawn.cells.styles.tolist(), driver.lines, driver.viewer.viewpoint, len(driver.viewer.layers)
        driver.press(key)
        after = driver.drawn.cells.styles.tolist(), driver.lines, driver.viewer.viewpoint, len(driver.viewer.layers)
        assert after != before or key in STILL, key


STILL = {"KEY_UP", "KEY_LEFT", "KEY_PGUP", "KEY_PGDOWN", "KEY_BTAB", "KEY_HOME", "KEY_CTRL_L", "b", "q"}
"""Keys that move to where the choice is already, that choose what is shown already, or that only the loop sees."""


def test_an_unknown_key_says_where_help_is(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}))
    for _ in range(2):
        driver.press("&")
        assert "? help" in driver.viewer.notice
        assert driver.viewer.notice in driver.text
        driver.press("g")


def test_dragging_selects_a_time_of_all_series(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}))
    driver.press("g")
    line = next(number for number, text in enumerate(driver.lines) if "│" in text and "us" in text)
    last = driver.drawn.cells.columns - 4
    before = driver.drawn.cells.styles.copy()
    driver.press(Mouse("press", last - 10, line), Mouse("drag", last - 4, line), Mouse("release", last - 4, line))
    chosen = driver.viewer.viewpoint.selected
    assert chosen is not None
    assert len(driver.viewer.layers) == 2, "dragging opens nothing"
    axis = next(text for text in driver.lines if "└" in text).rstrip()
    seconds = [SECONDS - (len(axis) - 1 - column) for column in (last - 10, last - 4)]
    assert chosen == Selected(START + (seconds[0] - 1) * SECOND, START + seconds[1] * SECOND)
    footer = next(text for text in driver.lines if "selected" in text)
    assert "Esc drops it" in footer
    assert "Enter opens" in footer
    assert re.search(r"\d\d:\d\d:\d\d-\d\d:\d\d:\d\d +7 s", footer), "the time is said at once"
    dimmed = (driver.drawn.cells.styles & FADED_BIT > 0) & (before & FADED_BIT == 0)
    panels = [number for number, text in enumerate(driver.lines) if "│" in text]
    assert all(dimmed[number].any() for number in panels), "in all maps of all panels"
    driver.press("KEY_ENTER")
    assert len(driver.viewer.layers) == 1
    assert driver.line("selected ")
    driver.press("g", "KEY_ESCAPE")
    assert driver.viewer.viewpoint.selected is None
    assert len(driver.viewer.layers) == 2
    below = next(number for number, text in enumerate(driver.lines) if "2 b" in text) + 3
    driver.press(Mouse("press", last, line), Mouse("drag", last, below), Mouse("release", last, below))
    assert len(driver.viewer.layers) == 2, "a drag into another panel opens none"
    driver.press(Mouse("press", last, line), Mouse("release", last, line))
    assert len(driver.viewer.layers) == 1, "a click opens"


def seconds_of(driver: Any) -> tuple[int, int]:
    """The seconds from START at which the columns of the panels begin and end, as the last line but one says."""
    begin, end = re.findall(r"(\d\d):(\d\d):(\d\d)", driver.lines[-2])[-2:]
    first, last = (int(hour) * 3600 + int(minute) * 60 + int(second) for hour, minute, second in (begin, end))
    return first - (22 * 3600 + 13 * 60 + 20), last - (22 * 3600 + 13 * 60 + 20)


def test_the_wheel_and_a_key_zoom_out_of_what_only_the_grid_has_merged(view: Callable[..., Any]) -> None:
    """50 s fit one picture of 80 columns, and not panels of 30: those are merged, and can be zoomed."""
    for event in ("[", Mouse("wheel-up", 12, 6)):
        driver = view(series(dict.fromkeys("abcd", 0.001)), size=(80, 24))
        driver.viewer.source_ended = True
        driver.press("g", "a")
        assert "2 s" in driver.lines[0]
        assert seconds_of(driver) == (0, SECONDS)
        driver.press(event)
        assert "nothing shorter" not in driver.text
        assert "1 s" in driver.lines[0]
        begin, end = seconds_of(driver)
        assert (begin == 0) == isinstance(event, Mouse), "the pointer keeps its place; a key keeps the newest"
        assert (end == SECONDS) == (event == "[")
        driver.press(event)
        assert "nothing shorter" in driver.text
        driver.press("]" if event == "[" else Mouse("wheel-down", 12, 6))
        assert seconds_of(driver) == (0, SECONDS)


def test_a_drag_in_the_second_panel_of_a_row_and_over_merged_columns(view: Callable[..., Any]) -> None:
    driver = view(series(dict.fromkeys("abcd", 0.001)), size=(80, 24))
    driver.viewer.source_ended = True
    driver.press("g", "a")
    line = next(number for number, text in enumerate(driver.lines) if text.rfind("│") > 40)
    left = driver.lines[line].rindex("│") + 1
    driver.press(Mouse("press", left + 2, line), Mouse("drag", left + 4, line), Mouse("release", left + 4, line))
    chosen = driver.viewer.viewpoint.selected
    assert chosen is not None
    assert (chosen.begin - START) // SECOND % 2 == 0, "whole columns of 2 s"
    assert (chosen.end - chosen.begin) == 6 * SECOND
    driver.press("KEY_RIGHT")
    begins, ends = (22 * 3600 + 800 + (one - START) // SECOND for one in (chosen.begin, chosen.end))
    times = [f"{one // 3600:02d}:{one % 3600 // 60:02d}:{one % 60:02d}" for one in (begins, ends)]
    assert f"selected   {times[0]}-{times[1]}  6 s" in driver.lines[-2].replace("[selected]", " selected ")
    driver.press("[")
    begin, end = seconds_of(driver)
    assert begin <= (chosen.begin - START) // SECOND < (chosen.end - START) // SECOND <= end, "it stays in sight"


def test_the_grid_says_what_the_mouse_does(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}), size=(120, 40))
    driver.press("g")
    assert "drag select   [ ] wheel time" in driver.lines[-1]


def test_v_stacks_the_chosen_series_with_what_belongs_to_it(view: Callable[..., Any]) -> None:
    driver = view(series({"other": 0.004, "sda": 0.003, "sdb": 0.002, "sda,queue": 0.001}), size=(120, 44))
    driver.press("g", "KEY_RIGHT", "v")
    assert driver.viewer.viewpoint.stacked == ("sda", "sda,queue")
    assert driver.viewer.viewpoint.series == "sda"
    assert "sda above sda,queue" in driver.lines[0]
    driver.press("KEY_BACKSPACE")
    assert not driver.viewer.viewpoint.stacked
    driver.press("g", "KEY_RIGHT", "KEY_RIGHT", "v")
    assert driver.viewer.viewpoint.stacked == ("sdb", "other"), "it has no pair: with the one that waited most"
    small = view(series({"a": 0.002, "b": 0.001}), size=(80, 24))
    small.press("g", "v")
    assert "takes 30 lines; this terminal has 24" in small.viewer.notice
    assert len(small.viewer.layers) == 2, "the grid stays"


def test_w_asks_who_is_in_the_chosen_series(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}), size=(120, 40))
    driver.press("g", "KEY_RIGHT", "w")
    assert "Who is in the selection" in driver.text
    assert driver.viewer.viewpoint.series == "b"
    chosen = driver.viewer.viewpoint.selected
    assert chosen == Selected(START, START + SECONDS * SECOND), "all the time that was shown"
    shares = [line.split() for line in driver.lines if re.search(r"^ *(▸|>)? *[ab] +2,500 ", line)]
    assert len(shares) == 2
    driver.press("KEY_ESCAPE", "KEY_BACKSPACE")
    assert driver.viewer.viewpoint.selected is None
    part = Selected(START + 10 * SECOND, START + 20 * SECOND)
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(selected=part)
    driver.press("g", "w")
    assert driver.viewer.viewpoint.selected == part
    assert re.search(r"\b500 ", driver.text)


def test_what_the_grid_cannot_do_says_why(view: Callable[..., Any]) -> None:
    driver = view(series({"a": 0.002, "b": 0.001}))
    driver.press("g", "%")
    assert "percentiles need larger maps" in driver.viewer.notice
    driver.press("D")
    assert "difference map is of one series" in driver.viewer.notice
