"""The stack and the percentiles on a terminal, with the keys counted, and the answers compared with the truth."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tui.tasks import pressed

Make = Callable[..., Any]


def opened(terminal: Make, three_days: Path, size: tuple[int, int] = (120, 40), options: str = "") -> Any:
    view = terminal(f"L {three_days} --tz UTC {options}", size=size, COLORTERM="truecolor")
    view.shows("ALL 3 d", "q quit")
    return view


def test_who_owned_the_incident_takes_one_key(terminal: Make, three_days: Path) -> None:
    """And the figures of both at any moment, in one more."""
    view = opened(terminal, three_days)
    assert pressed(view, "v") == 1
    view.shows("sda above sdb", "stack of 2", "sda alone", "03-03 03:12-03:32", "sdb went on as before")
    levels = re.search(r"sda alone .* ([\d.]+) -> ([\d.]+) ms/s waited", view.text)
    assert levels
    # 90 of 262 ms and 30 of 131 ms a minute, each at the middle of its range, more than 2.4 s a minute before
    assert float(levels[2]) - float(levels[1]) > 100
    assert pressed(view, *"t03-03 03:20", "KEY_ENTER") == 13
    view.until(lambda: len(re.findall(r"column: ([\d.]+) events/s", view.text)) == 2)
    rates = [float(one) for one in re.findall(r"column: ([\d.]+) events/s", view.text)]
    assert rates[0] == pytest.approx((1000 + 120) / 60, rel=0.2)
    assert rates[1] == pytest.approx(1000 / 60, rel=0.2)
    worst = [line for line in view.text.splitlines() if "column: " in line]
    assert re.search(r"p99 [2-5]\d\d ms", worst[0])
    assert re.search(r"p99 \d\d\.\d ms", worst[1])
    assert pressed(view, "v") == 1
    view.until(lambda: "stack of" not in view.line(0))
    pressed(view, "KEY_BACKSPACE")
    view.shows("stack of 2")


def test_ticked_series_are_stacked_and_the_chosen_one_moves(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days)
    pressed(view, "/", "KEY_DOWN", "KEY_DOWN", " ", "KEY_UP", " ")
    view.shows("2 ticked")
    pressed(view, "KEY_ESCAPE")
    view.until(lambda: "2 ticked" not in view.text, "no list")
    pressed(view, "v")
    view.shows("sdb above sda")
    pressed(view, "n")
    view.shows("sda: 1 03-03 03:12", "selected", "sdb", "sda")
    pressed(view, "KEY_ENTER")
    view.shows(" of 3 d")
    pressed(view, "l")
    view.shows("What stands out in sda, most costly first")
    pressed(view, "KEY_ESCAPE")
    view.until(lambda: "What stands out" not in view.text, "no list")
    pressed(view, "KEY_BACKSPACE", "KEY_BACKSPACE", "KEY_TAB", "v")
    view.until(lambda: view.line(0).split()[1] in ("sda", "sdb") and "above" not in view.line(0))


def test_a_terminal_that_is_too_small_says_so_and_stays(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days, (80, 24))
    pressed(view, "v")
    view.shows("a stack of two series takes 30 lines; this terminal has 24")
    assert "above" not in view.line(0)
    view.resize(80, 30)
    view.until(lambda: "q quit" in view.line(29), "the new size")
    pressed(view, "v")
    view.shows("sda above sdb")
    view.resize(80, 24)
    view.until(lambda: "FREQUENCY" in view.text and "above" not in view.line(0))


def test_the_command_line_of_a_saved_view_opens_it(terminal: Make, three_days: Path, tmp_path: Path) -> None:
    view = opened(terminal, three_days)
    pressed(view, "v", "%", "i")
    view.shows("stack of 2", "━")
    pressed(view, "s")
    view.until(lambda: "this view again: " in view.text or list(tmp_path.glob("*.lmap.gz")))
    view.press("q")
    assert view.ends() == 0
    command = view.after.replace("\n", " ").partition("this view again: ")[2].partition("  ")[0]
    words = shlex.split(command)
    assert words[words.index("--percentiles") + 1] == "map"
    assert [words[place + 1] for place, word in enumerate(words) if word == "--stack"] == ["sda", "sdb"]
    again = terminal("L " + shlex.join(words[1:]), size=(120, 40), COLORTERM="truecolor")
    again.shows("sda above sdb", "stack of 2", "━")


def test_percentiles_go_round_and_a_large_screen_has_them_by_itself(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days)
    for said, shown in (("in the maps", "━"), ("below the maps", "worst p99"), ("no percentiles", "")):
        assert pressed(view, "%") == 1
        view.until(lambda said=said, shown=shown: said in view.text and shown in view.text, said)
    large = opened(terminal, three_days, (200, 60))
    large.shows("PERCENTILES", "MODES", "MOMENTS", "SERIES", "03-03 03:12-03:32", "gap: no data for")
    worst = re.search(r"worst p99 (\d+) ms in 03-03 03:", large.text)
    assert worst
    assert 131 <= int(worst[1]) <= 525
    pressed(large, "%")
    large.until(lambda: "no percentiles" in large.text and "worst p99" not in large.text)
