"""A storm of sizes at a running replay."""

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.ending import EndingRule, SignalWatcher
from pylatencymap.session.feed import Feed
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.tui.app import App
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.terminal.keyboard import Keyboard
from pylatencymap.tui.terminal.outlet import Outlet
from pylatencymap.tui.terminal.screen import Screen
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.units import Unit
from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.style.options import ViewOptions
from tests.amounts import few_or_many

pyte = pytest.importorskip("pyte")

Make = Callable[..., Any]
SECOND = 1_000_000
START = 1_700_000_000 * SECOND
WIDEST, HIGHEST = 400, 100
SAMPLED = 20
"""One in so many pictures is looked at with the emulator, which takes longer than all the rest."""


def intervals(due: threading.Semaphore) -> Iterator[Interval]:
    """Three series, a second of them whenever one is due."""
    for number in itertools.count():
        due.acquire()
        end = START + number * SECOND
        for place, name in enumerate(("sda", "sdb", "dm-0")):
            ranges = ((1 << (6 + place), 2 << (6 + place), 90 + number % 17), (1 << 13, 1 << 14, number % 5))
            yield Interval(name, Unit.US, end - SECOND, end, 1.0, ranges, 0.1, estimated=True)


class Wire(Outlet):
    """Takes everything."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.sent = ""

    def write(self, text: str) -> None:
        self.sent += text


class Storm(Screen):
    """A terminal that has another size for each frame, or the same again, and has lost what it showed each time."""

    def __init__(self, sizes: list[tuple[int, int]], after: Callable[[int], None]) -> None:
        super().__init__(-1, ViewOptions(), "xterm")
        self._outlet = self.wire = Wire()
        self._sizes = sizes
        self._after = after
        self.emulator = pyte.Screen(1, 1)
        self.number = 0
        self.looked_at = 0

    @property
    def size(self) -> tuple[int, int]:
        return self._sizes[min(self.number, len(self._sizes) - 1)]

    def show(self, drawn: DrawnPicture) -> None:
        columns, lines = self.size
        assert drawn.cells.chars.shape == (lines, columns)
        self.wire.sent = ""
        super().show(drawn)
        if self.number % SAMPLED == 0 or self.number >= len(self._sizes) - 1:
            self.emulator = pyte.Screen(columns, lines)
            stream = pyte.Stream(self.emulator)
            stream.feed("\x1b#8")  # the letter E everywhere
            stream.feed(self.wire.sent)
            assert self.emulator.display == drawn.cells.text()
            self.looked_at += 1
        self.number += 1
        self._after(self.number)


class NoKeyboard(Keyboard):
    def take(self) -> None:
        return


@pytest.mark.parametrize("count", few_or_many(300, 1000))
def test_any_size_is_drawn_while_data_come(count: int) -> None:
    chance = random.Random(7)
    sizes = [(chance.randint(1, WIDEST), chance.randint(1, HIGHEST)) for _ in range(count)]
    sizes += [(columns, lines) for columns in (1, 2, 59, 60, WIDEST) for lines in (1, 2, 19, 20, HIGHEST)]
    sizes.append((120, 40))
    for number in range(0, len(sizes), SAMPLED):
        sizes[number] = sizes[max(number - 1, 0)]  # as after a size that was there too shortly to be seen
    due = threading.Semaphore()
    feed, picture, main = Feed[Interval](lambda: intervals(due)), Picture(PictureOptions()), MainView()
    viewer = Viewer(picture, Presentation("LIVE"), main)
    with SignalWatcher(feed.wake) as signals:

        def next_size(number: int) -> None:
            signals.resized = True
            due.release()
            viewer.quit = number > len(sizes)
            feed.wake()

        storm = Storm(sizes, next_size)
        App(feed, viewer, main, storm, NoKeyboard(), signals, EndingRule(signals, pipe=False)).run()
        feed.abandon()
        due.release()
    assert storm.number > count
    assert storm.looked_at > count // SAMPLED
    assert storm.emulator.display == viewer.layers[-1].draw(viewer).cells.text()
    assert "FREQUENCY" in "\n".join(storm.emulator.display)
    assert len(picture) > 1


def test_a_real_terminal_in_a_storm_shows_the_right_picture(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    counters = [{128: 100 * n, 8192: 7 * n} for n in range(400)]
    (tmp_path / "r.lmap").write_text(make_stream("sda", counters, 1_700_000_000))
    view = terminal("exec L r.lmap --speed 100x")
    view.shows("REPLAY")
    chance = random.Random(11)
    for _ in range(100):
        view.resize(chance.randint(1, WIDEST), chance.randint(1, HIGHEST))
        view.pump(0.01)
    view.resize(110, 35)
    view.shows_the_end("INTENSITY")
    calm = terminal("exec L r.lmap --speed max", size=(110, 35))
    calm.shows_the_end("INTENSITY")
    view.until(lambda: view.text == calm.text, "the picture of a calm terminal")
    for one in (view, calm):
        one.press("q")
        assert one.ends() == 0
        one.is_as_before()
