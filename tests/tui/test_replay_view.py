"""The command ``replay`` on a real terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]


def test_a_replay_says_how_long_it_is_and_reads_to_its_end(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(3601)], 1_700_000_000))
    view = terminal("L replay r.lmap --speed 0.1x", size=(120, 40))
    view.shows("REPLAY 0.1x", " s of 1 h")
    view.press("KEY_END")
    view.until(lambda: "REPLAY" not in view.line(0) and "READING" not in view.line(0), "the end")
    view.press("a")
    view.until(lambda: "ALL 60 min" in view.line(0) or "ALL 1 h" in view.line(0), "all of it")
    view.press("q")
    assert view.ends() == 0


def test_a_speed_plays_without_the_word_too(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(3601)], 1_700_000_000))
    view = terminal("L r.lmap --speed 0.1x", size=(120, 40))
    view.shows("REPLAY 0.1x", " s of 1 h", "< > speed")
    view.press(">")
    view.shows("REPLAY 0.2x")
    view.press("q")
    assert view.ends() == 0


HALTS = """
import os, time
import pylatencymap.session.input.source as source
lines = source.Source.lines
def halting(self, *given):
    for number, line in enumerate(lines(self, *given)):
        while number == 2000 and not os.path.exists("go on"):
            time.sleep(0.01)
        yield line
source.Source.lines = halting
"""
"""Reading halts in the middle of a file until there is another one."""


def test_a_file_is_read_to_its_end_with_its_picture_growing(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    counts = [{64: 100 * n, 8192: 5 * max(n - 100, 0) if n < 150 else 250} for n in range(601)]
    (tmp_path / "r.lmap").write_text(make_stream("sda", counts, 1_700_000_000))
    view = terminal("L r.lmap --tz UTC", size=(120, 40), injected=HALTS)
    view.shows("READING", "INTENSITY", "s a column")
    view.press("n")
    view.shows("of what is read so far: ", "selected")
    view.press("l")
    view.shows("What stands out in what is read so far")
    view.press("KEY_ESCAPE")
    (tmp_path / "go on").touch()
    view.shows_the_end("ALL 10 min", "selected")
    view.press("n")
    view.until(lambda: "so far" not in view.text, "nothing about a part")
    view.press("q")
    assert view.ends() == 0


@pytest.mark.parametrize("rises", [100, 400], ids=["something so far", "nothing so far"])
def test_what_cost_most_is_asked_for_once(terminal: Make, make_stream: Any, tmp_path: Path, rises: int) -> None:
    """``n`` while a file is being read: the costliest so far, and when all is read the costliest of all; but not if
    another key was pressed since.
    """
    slow = {rises: 5, rises + 40: 0, 500: 60, 540: 0}
    counts, rate, total = [], 0, 0
    for n in range(601):
        rate = slow.get(n, rate)
        total += rate
        counts.append({64: 100 * n, 65536: total})
    (tmp_path / "r.lmap").write_text(make_stream("sda", counts, 1_700_000_000))
    for key in ("", "KEY_ESCAPE"):
        view = terminal("L r.lmap --tz UTC", size=(120, 40), injected=HALTS)
        view.shows("READING", "INTENSITY", "s a column")
        view.press("n")
        view.shows("of what is read so far: " if rises == 100 else "nothing stands out in what is read so far")
        if key:
            view.press(key)
            view.until(lambda view=view: "selected" not in view.text and "so far" not in view.text)
        (tmp_path / "go on").touch()
        view.shows_the_end("ALL 10 min")
        if not key:
            view.shows("all is read: ", "selected", "22:21:39-22:22:19")
        view.press("q")
        assert view.ends() == 0
        if key:
            assert "all is read" not in view.text
        (tmp_path / "go on").unlink()


SAVES_SLOWLY = """
import os, time
import pylatencymap.session.save as save
write = save._write
def waiting(*given):
    while not os.path.exists("go on"):
        time.sleep(0.01)
    write(*given)
save._write = waiting
"""
"""A recording is written when there is a file."""
LEAVES_AT_ONCE = """
import pylatencymap.tui.viewer.viewer as viewer
collect = viewer.Viewer.collect_job
viewer.Viewer.collect_job = lambda self, waits=False: waits and collect(self, waits=waits)
"""
"""The view does not notice any more that the picture is written, nor that the recording is to be written next."""


@pytest.mark.parametrize("leaves", ["", LEAVES_AT_ONCE], ids=["while it writes", "between two files"])
def test_the_end_says_what_it_waits_for(terminal: Make, make_stream: Any, tmp_path: Path, leaves: str) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{64: 100 * n} for n in range(100)], 1_700_000_000))
    view = terminal("L r.lmap --tz UTC", size=(120, 40), injected=SAVES_SLOWLY + leaves)
    view.shows_the_end("q quit")
    view.press("s")
    view.until(lambda: list(tmp_path.glob("*.[ps][nv]g")))
    view.press("q")
    view.prints("still saving")
    (tmp_path / "go on").touch()
    assert view.ends() == 0
    (recording,) = tmp_path.glob("pylatencymap-*.lmap.gz")
    assert f"saved {recording.name}" in view.raw.decode()


GONE = """
import os
import pylatencymap.tui.terminal.outlet as outlet
flush = outlet.Outlet.flush
def gone(self):
    if self._rest and os.path.exists("gone"):
        raise outlet.SourceError("the terminal cannot be written any more: injected")
    flush(self)
outlet.Outlet.flush = gone
"""


def test_what_is_being_saved_when_the_terminal_goes_is_saved(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    """The view can notice that before it is told by a signal."""
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{64: 100 * n} for n in range(100)], 1_700_000_000))
    view = terminal("L r.lmap --tz UTC", size=(120, 40), injected=SAVES_SLOWLY + GONE)
    view.shows_the_end("q quit")
    view.press("s")
    view.until(lambda: list(tmp_path.glob("*.[ps][nv]g")))
    (tmp_path / "gone").touch()
    view.press("b")
    view.prints("still saving")
    (tmp_path / "go on").touch()
    assert view.ends() == 3
    (recording,) = tmp_path.glob("pylatencymap-*.lmap.gz")
    assert f"saved {recording.name}" in view.raw.decode()
