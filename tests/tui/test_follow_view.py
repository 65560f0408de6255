"""``--follow`` on a real terminal."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

Make = Callable[..., Any]
BEGIN = 1_700_000_000
SOON_STALLED = "messages.USUAL_FACTOR = 8.0\n"
"""A second is usual: the longest that a test waits for STALLED, and that a busy machine can be late to show LIVE."""
ALL_IS_READ_FIRST = """
import threading
import pylatencymap.session.feed as feed
import pylatencymap.session.input.source as source
read = threading.Event()
pause, start = source.StopRequest.pause, feed.Feed.start
def paused(self, seconds):
    read.set()
    pause(self, seconds)
def started(self):
    start(self)
    read.wait()
source.StopRequest.pause, feed.Feed.start = paused, started
"""
"""The view waits until all of the recording is read, of which it then takes a part at a time."""


def test_a_recording_that_is_being_written(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text(make_stream("sda", [{128: 100 * n} for n in range(601)], BEGIN))
    view = terminal("L --follow r.lmap", size=(120, 40), injected=SOON_STALLED)
    view.shows("LIVE", "22:23:20", "10 s a column")
    view.shows("STALLED", "no data for", "nothing is appended")
    with path.open("a") as file:
        file.write(make_stream("sda", [{128: 100 * n} for n in range(601, 661)], BEGIN + 601))
    view.shows("LIVE", "22:24:20")
    with path.open("a") as file:
        file.write(make_stream("sda", [{128: 100 * n} for n in range(661, 1801)], BEGIN + 661))
    view.shows("LIVE", "22:43:20", "30 s a column")
    path.write_text("")
    view.shows("r.lmap was truncated")
    path.write_text(make_stream("sda", [{128: 9 * n} for n in range(3)], BEGIN + 1900))
    view.shows("LIVE", "22:45:02")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def test_ctrl_c_ends_it_with_a_picture(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(60)], BEGIN))
    view = terminal("L --follow r.lmap")
    view.shows("22:14:19")
    view.press("\x03")
    assert view.ends() == -signal.SIGINT
    assert "FREQUENCY" in view.after


def test_what_is_selected_waits_until_all_that_is_read_has_been_taken(
    terminal: Make, make_stream: Any, tmp_path: Path
) -> None:
    """At 22:21:51, where the first picture ends, the last 22:46 was the day before."""
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(2001)], BEGIN))
    view = terminal("L --follow r.lmap --select 22:46..22:47", size=(120, 40), injected=ALL_IS_READ_FIRST)
    view.shows("selected   22:46:00-22:47:00", "4,000 events")
