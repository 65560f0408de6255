"""The view without a terminal: keys go in, lines of text come out, and the numbers in them are known."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import Mark
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.replay import ReplayPlayer
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.terminal.input_events import Mouse
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.units import Unit
from pylatencymap.view.drawing import DrawnPicture

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
"""2023-11-14 22:13:20 UTC"""


def second(number: int, series: str = "sda", fast: int = 90, slow: int = 10, factor: int = 1) -> Interval:
    """Second ``number`` (1 is the first): ``fast`` I/Os of [128, 256) us and ``slow`` of [8.19, 16.4) ms."""
    ranges = ((128, 256, fast * factor), (8192, 16384, slow * factor))
    waited = factor * (fast * 192e-6 + slow * 12288e-6)
    end = START + number * SECOND
    return Interval(series, Unit.US, end - SECOND, end, 1.0, ranges, waited, estimated=True, label="biolatency")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that save write into a folder of the test."""
    monkeypatch.chdir(tmp_path)


class KeyDriver:
    """A viewer with a main view, drawn after each key."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.kept: list[Mark] = []
        self.draw()

    def add(self, *intervals: Interval) -> None:
        """More data, as a source brings them."""
        self.viewer.picture.extend(intervals)
        self.draw()

    def play(self) -> None:
        """What the player hands out now."""
        assert self.viewer.player is not None
        while due := self.viewer.player.due():
            self.viewer.picture.extend(due)
        self.draw()

    def press(self, *events: str | Mouse) -> None:
        """Keys, one after the other."""
        for event in events:
            self.viewer.notice = ""
            self.viewer.layers[-1].handle(self.viewer, event)
            self.draw()

    def type(self, text: str) -> None:
        """A text and Enter, at a question."""
        self.press(*text, "KEY_ENTER")

    def draw(self) -> None:
        self.viewer.fit()  # as the loop does
        self.drawn: DrawnPicture = self.viewer.layers[-1].draw(self.viewer)
        self.lines = self.drawn.cells.text()

    def saves(self) -> None:
        """Wait until what is being saved is written; what was said of it is in ``said``."""
        self.said: list[str] = []
        while self.viewer.collect_job(waits=True):
            self.said.append(self.viewer.notice)
        assert self.said
        self.draw()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def line(self, pattern: str) -> str:
        """The only line in which a pattern occurs."""
        found = [line for line in self.lines if re.search(pattern, line)]
        assert len(found) == 1, f"{pattern!r} is in {len(found)} lines of\n{self.text}"
        return found[0]

    @property
    def right_edge(self) -> int:
        """Seconds after START at which the newest column drawn ends."""
        return round((int(self.drawn.geometry.ends[-1]) - START) / SECOND)


View = Callable[..., KeyDriver]


@pytest.fixture
def view() -> Iterator[View]:
    """A view of so many seconds of one disk, or of the intervals that are given; ``marks`` are read before there is a
    view. What was begun to be saved ends within the folder of the test.
    """
    begun = []

    def make(
        data: int | Iterable[Interval] = 200,
        *,
        player: ReplayPlayer | None = None,
        size: tuple[int, int] = (120, 40),
        looks: Viewpoint | None = None,
        marks: Iterable[Mark] = (),
    ) -> KeyDriver:
        picture = Picture(PictureOptions(looks or Viewpoint()))
        for mark in marks:
            picture.marks.add(mark)
        intervals = [second(number) for number in range(1, data + 1)] if isinstance(data, int) else list(data)
        if player is None:
            picture.extend(intervals)
        else:
            player.offer(intervals)
        kept: list[Mark] = []
        viewer = Viewer(
            picture,
            Presentation("LIVE" if player is None else "REPLAY", player, keep=kept.append, finds_background=True),
            MainView(),
        )
        viewer.size = size
        begun.append(viewer)
        driver = KeyDriver(viewer)
        driver.kept = kept
        return driver

    yield make
    for viewer in begun:
        while viewer.collect_job(waits=True):
            pass
