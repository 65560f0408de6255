"""Random keys, clicks, drags and sizes: the view goes on, and shows what a new one would show."""

import random
from typing import Any

import numpy as np
import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import Clock, Mark, Stamp
from pylatencymap.session import Picture, PictureOptions, ReplayPlayer
from pylatencymap.tui.bindings import actions_by_event
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.terminal.input_events import Mouse
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.units import Unit
from pylatencymap.view.layout import LIVE, READING, REPLAY
from tests.amounts import few_or_many

SECOND = 1_000_000
START = 1_772_409_600 * SECOND
LENGTH = 900
SAVING = {"s", "S", "y"}
"""Keys that write files."""
TYPED = (*"0123456789:-. abms", "KEY_BACKSPACE", "KEY_LEFT", "KEY_DELETE")


def interval(name: str, number: int) -> Interval:
    """A second of one series; it has an incident, a reset and a gap."""
    end = START + number * SECOND
    slow = 40 if 300 <= number < 360 and name == "sda" else 0
    ranges = ((128, 256, 90 + number % 17), (8192, 16_384, 9), *(((131_072, 262_144, slow),) if slow else ()))
    gap = 600 <= number < 640
    return Interval(
        name,
        Unit.US,
        end - SECOND,
        end,
        1.0,
        () if gap else ranges,
        None if gap else 0.1,
        estimated=not gap,
        gap=gap,
        reset=number == 480,
    )


def events(chance: random.Random) -> Any:
    """A key, a click, a drag, a turn of the wheel, or text for a prompt."""
    kind = chance.random()
    if kind < 0.25:
        place = chance.randrange(0, 140), chance.randrange(0, 45)
        return Mouse(chance.choice(("press", "drag", "release", "wheel-up", "wheel-down")), *place)
    if kind < 0.4:
        return chance.choice(TYPED)
    keys = sorted(set(actions_by_event()) - SAVING - {"q"})
    return chance.choice([*keys, "KEY_ENTER", "KEY_ESCAPE", "KEY_BACKSPACE", "n", "["])


class Storm:
    """A view without a terminal. ``source`` is live, saved, or played."""

    def __init__(self, source: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.picture = Picture(PictureOptions())
        player = ReplayPlayer() if source == REPLAY else None
        self.viewer = Viewer(self.picture, Presentation(source, player), MainView())
        self.viewer.source_ended = source == READING
        self.came = 0
        self.arrive(LENGTH if source == READING else 100)
        if source == READING:
            self.picture.mark(Mark(Stamp(START + 200 * SECOND, Clock.EPOCH), "deploy"))
            self.picture.settle()

    def arrive(self, count: int) -> None:
        for number in range(self.came, self.came + count):
            self.picture.extend([interval(name, number) for name in ("sda", "sdb", "dm-0")])
        self.came += count

    def draw(self) -> Any:
        self.viewer.fit()
        return self.viewer.layers[-1].draw(self.viewer)

    def step(self) -> None:
        if self.chance.random() < 0.1:
            self.viewer.size = self.chance.randrange(40, 301), self.chance.randrange(10, 81)
        if not self.viewer.source_ended and self.chance.random() < 0.3:
            self.arrive(self.chance.randrange(1, 6))
        if self.chance.random() < 0.2:
            self.picture.think(self.viewer.viewpoint)
        self.viewer.notice = ""
        self.viewer.layers[-1].handle(self.viewer, events(self.chance))


@pytest.mark.parametrize("count", few_or_many(500, 2000))
@pytest.mark.parametrize("source", [LIVE, READING, REPLAY])
def test_any_keys_in_any_order_leave_a_right_picture(
    source: str, count: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    storm = Storm(source, 11)
    storm.draw()
    places = set()
    for _ in range(count):
        storm.step()
        at = storm.viewer.viewpoint
        places.add((at.end, at.width, at.fitted, at.selected, at.series))
        drawn = storm.draw()
        assert (drawn.cells.columns, drawn.cells.lines) == storm.viewer.size
        is_on_screen(storm.viewer)
    assert len(places) > count / 100
    while len(storm.viewer.layers) > 1:
        storm.viewer.close()
    shows_what_a_new_picture_shows(storm)


def is_on_screen(viewer: Viewer) -> None:
    """The cursor's column is drawn; a fitted picture has all events."""
    if len(viewer.layers) > 1 or viewer.geometry is None or not viewer.geometry.ends.size:
        return
    pointer = viewer.viewpoint.pointer
    assert pointer is None or viewer.geometry.column_of(pointer.micros) is not None
    viewpoint, picture = viewer.viewpoint, viewer.picture
    if viewpoint.fitted and viewpoint.follows and not picture.is_sum(viewpoint):
        name = picture.series(viewpoint)
        assert name is not None
        selection = picture.selection(viewpoint, picture.columns_at(viewer.size))
        assert selection.counts.sum() == pytest.approx(picture.window[name].total().events)


def shows_what_a_new_picture_shows(storm: Storm) -> None:
    """Scales aside, which remember what was there before, the maps are those of a picture that was never touched."""
    viewer, fresh = storm.viewer, Picture(PictureOptions())
    for number in range(storm.came):
        fresh.extend([interval(name, number) for name in ("sda", "sdb", "dm-0")])
    viewpoint = viewer.viewpoint._replace(
        view=viewer.viewpoint.view._replace(frequency_max=1000.0, intensity_max=1000.0), pointer=None, selected=None
    )
    if viewpoint.series is None:
        viewpoint = viewpoint._replace(series=viewer.picture.series(viewpoint))
    mine, other = (
        one.selection(viewpoint, one.columns_at(viewer.size)).matrix(viewpoint.resolution)
        for one in (viewer.picture, fresh)
    )
    assert np.array_equal(mine.counts, other.counts)
    assert np.array_equal(mine.ends, other.ends)
