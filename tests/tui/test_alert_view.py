"""``--alert`` in the live view, on a real terminal: the bell, the mark, the line, and the command."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Make = Callable[..., Any]
LIVE = """mkfifo pipe; exec 3<>pipe; exec "$PY" -m pylatencymap <pipe """
BEGIN = 1_700_000_000
ESCAPES = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
SCRIPT = """#!/bin/sh
env | grep ^PYLATENCYMAP_ | sort >>facts
printf 'no \\033]0;owned\\007route\\n'
exit 3
"""


def bells(view: Any) -> int:
    """How often the terminal was rung; the end of an OSC sequence is no bell."""
    return ESCAPES.sub(b"", view.raw).count(b"\x07")


def print_seconds(folder: Path, make_stream: Any, first: int, stop: int, slow_from: int, slow_to: int) -> None:
    """200 events a second, those of some seconds slow."""
    counters = []
    for second in range(first, stop):
        slow = min(max(second - slow_from, 0), slow_to - slow_from)
        counters.append({128: 200 * (second - slow), 32768: 200 * slow})
    with (folder / "pipe").open("w") as pipe:
        pipe.write(make_stream("sda", counters, BEGIN + first))


def test_an_alert_rings_marks_says_and_runs(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    script = tmp_path / "tell.sh"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    view = terminal(
        LIVE + "--record r.lmap --alert 'p50 > 20ms for 10s' --alert-run './tell.sh \"$HOME\"'", size=(120, 40)
    )
    view.until((tmp_path / "pipe").exists)
    print_seconds(tmp_path, make_stream, 0, 30, 30, 50)
    view.shows("LIVE", "22:13:49")
    assert bells(view) == 0
    print_seconds(tmp_path, make_stream, 30, 36, 30, 50)
    view.shows("22:13:55")
    assert bells(view) == 0
    print_seconds(tmp_path, make_stream, 36, 50, 30, 50)
    view.shows("22:14:09", 'M 22:13:56  "alert: p50 > 20ms for 10s: sda p50')
    view.shows("--alert-run: ./tell.sh failed with status 3: no \\x1b]0;owned\\x07route")
    assert bells(view) == 1
    assert b"owned\x07" not in view.raw
    assert "PYLATENCYMAP_SINCE=2023-11-14T22:13:46+00:00\n" in (tmp_path / "facts").read_text()
    view.press("l")
    view.shows("What stands out", 'mark "alert: p50 > 20ms')
    view.press("l")
    view.press("q")
    assert view.ends() == 0
    assert "ALERT 22:13:56 p50 > 20ms for 10s: sda p50 36.8 ms" in view.after
    view.is_as_before()
    assert (tmp_path / "r.lmap").read_text().count('"mark": "alert: p50 > 20ms') == 1
    assert (tmp_path / "facts").read_text().count("PYLATENCYMAP_CONDITION=") == 1


def test_the_line_stays_until_a_key_and_the_next_crossing_rings_again(
    terminal: Make, make_stream: Any, tmp_path: Path
) -> None:
    view = terminal(LIVE + "--alert 'p50 > 20ms for 10s'", size=(100, 40))
    view.until((tmp_path / "pipe").exists)
    print_seconds(tmp_path, make_stream, 0, 40, 20, 30)
    view.shows("22:13:59", "ALERT 22:13:46 p50 > 20ms for 10s: sda p50")
    assert bells(view) == 1
    print_seconds(tmp_path, make_stream, 40, 70, 20, 30)
    view.shows("22:14:29", "ALERT OVER 22:14:05 p50 > 20ms for 10s, since 22:13:46: sda p50")
    assert bells(view) == 1
    view.press("b")
    view.until(lambda: "ALERT" not in view.text)
    print_seconds(tmp_path, make_stream, 70, 90, 60, 80)
    view.shows("22:14:49", "ALERT 22:14:3")
    assert bells(view) == 2
    view.press("q")
    assert view.ends() == 0


def test_a_followed_recording_rings_for_what_comes_only(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    """What was slow an hour ago is history."""
    past = [{128: 200 * max(n - 60, 0), 32768: 200 * min(n, 60)} for n in range(120)]
    (tmp_path / "r.lmap").write_text(make_stream("sda", past, BEGIN))
    view = terminal("L --follow r.lmap --alert 'p50 > 20ms for 10s'", size=(100, 40))
    view.shows("LIVE", "22:15:19")
    assert "ALERT" not in view.text
    coming = [{128: 200 * 60, 32768: 200 * n} for n in range(60, 120)]
    with (tmp_path / "r.lmap").open("a") as file:
        file.write(make_stream("sda", coming, BEGIN + 120))
    view.shows("22:16:19", "ALERT 22:15:2")
    assert bells(view) == 1
    view.press("q")
    assert view.ends() == 0
