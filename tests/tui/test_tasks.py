"""What people come for, with the keys counted, and the answers compared with the truth."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tui.tasks import NORMAL, pressed

Make = Callable[..., Any]


@pytest.fixture
def view(terminal: Make, three_days: Path) -> Any:
    shown = terminal(f"L {three_days} --tz UTC", size=(120, 40), COLORTERM="truecolor")
    shown.shows("ALL 3 d", "q quit", "03-03 03:12-03:32")  # the words about changes come when there is time for them
    return shown


def test_answers_take_few_keys(view: Any, tmp_path: Path) -> None:
    """All of the file: none. When did the slow band start: 1. Zoom into it: 1 more. The p99 of a minute: 6. A picture
    for the ticket: 1.
    """
    assert "1 h a column" in view.line(0)
    assert "to 03-05 00:00 UTC" in view.line(0)
    assert pressed(view, "n") == 1
    view.shows("selected", "03-03 03:12-03:32", "131-524 ms")
    assert pressed(view, "KEY_ENTER") == 1
    view.shows(" of 3 d", "03-03 03:12", "03:32")
    pressed(view, "a", "KEY_ESCAPE")
    view.shows("ALL 3 d")
    view.until(lambda: "selected" not in view.text)
    assert pressed(view, *"t3:12", "KEY_ENTER") == 6
    view.shows("read-out", "of this minute", "p99")
    line = next(text for text in view.text.splitlines() if "whole column" in text)
    number, unit = line.rpartition("p99 ")[2].split()[:2]
    assert unit == "ms"
    assert 16.4 <= float(number) <= 32.8  # the last 03:12 is that of the next day: 2 % are in this range
    pressed(view, *"t03-03 3:12", "KEY_ENTER")
    view.until(lambda: re.search(r"p99 (26[2-9]|2[7-9]\d|[34]\d\d|5[01]\d|52[0-4]) ms", view.text))
    assert pressed(view, "s") == 1
    view.until(lambda: list(tmp_path.glob("*.png")))


def test_the_smallest_whole_file(terminal: Make, three_days: Path) -> None:
    """At 80x24 all rows and modes are there: the sums are beside the mini-map, and remarks have only their letters."""
    view = terminal(f"L {three_days} --tz UTC", size=(80, 24), COLORTERM="truecolor")
    view.shows("ALL 3 d", "q quit", "03-03 03:12-03:32", "3 more: R G +", "131-524 ms <1 % events")
    labels = [line[:7] for line in view.text.splitlines()]
    assert [label.strip() for label in labels].count("65.5 ms") == 2
    assert not any(">" in label for label in labels), "no rows are merged"
    assert "reset:" not in view.text
    assert "p99" not in view.text, "statistics give way to modes"
    beside = next(line for line in view.text.splitlines() if line.startswith("all 3 d"))
    found = re.search(r" ([\d.]+)/s  ([\d.]+) ms/s", beside)
    assert found is not None, beside
    per_minute = sum(NORMAL.values())
    assert float(found[1]) == pytest.approx(per_minute / 60, rel=0.05)


def test_steps_are_taken_back_and_moments_wrap(view: Any) -> None:
    pressed(view, "n", "KEY_ENTER", "[")
    view.shows(" of 3 d")
    pressed(view, "KEY_BACKSPACE", "KEY_BACKSPACE", "KEY_BACKSPACE")
    view.shows("ALL 3 d")
    view.until(lambda: "selected" not in view.text)
    pressed(view, "KEY_BACKSPACE")
    view.shows("no step to take back")
    pressed(view, "n")
    view.shows("selected", "03-03 03:12")
    pressed(view, "n")
    view.shows("selected", "03-03 15:29:00-15:30:00")  # the minute with the restart
    pressed(view, "n")
    view.shows("selected", "gap: no data")
    pressed(view, "n")
    view.shows("the first again")
    pressed(view, "N")
    view.shows("the last again")


def test_a_list_and_the_mouse_select_as_well(view: Any) -> None:
    pressed(view, "l")
    view.shows("most costly first", "not known")
    pressed(view, "KEY_DOWN", "KEY_ENTER")
    view.shows("selected", "gap: no data")
    pressed(view, "KEY_ESCAPE")
    view.until(lambda: "selected" not in view.text)
    view.drag((30, 6), (50, 8))
    view.shows("selected", "of this time")
    pressed(view, "KEY_ENTER")
    view.shows(" of 3 d")


def test_what_memory_holds_merged_is_read_again(terminal: Make, three_days: Path) -> None:
    """With memory for an eighth of the minutes, a minute shows the same figures, and so do those beside it."""

    def minute(view: Any) -> list[str]:
        view.shows("ALL 3 d")
        pressed(view, *"t03-03 3:12", "KEY_ENTER")
        view.until(lambda: re.search(r"read-out +03:12-03:13 .* of this minute", view.text))
        pressed(view, "[", "[", "[")
        view.until(lambda: re.search(r"read-out +03:12-03:13 .* of this minute", view.text))
        pressed(view, "KEY_RIGHT", "KEY_RIGHT", "KEY_RIGHT")
        view.until(lambda: re.search(r"read-out +03:15-03:16 .*\n.*20\.\d events/s.*p99 [45]\d\d ms", view.text))
        return [line for line in view.text.splitlines() if "│" in line or "whole column" in line]

    whole, part = (
        minute(terminal(f"L {three_days} --tz UTC --history-mb {megabytes}", size=(120, 40)))
        for megabytes in (256, 0.05)
    )
    assert part == whole
