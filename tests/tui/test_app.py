"""The loop of the live view, with a fake terminal and a fake clock."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.commentary import Commentary
from pylatencymap.session.ending import EndingRule, SignalWatcher
from pylatencymap.session.feed import Feed
from pylatencymap.session.messages import SilenceTimer
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.replay import ReplayPlayer
from pylatencymap.tui.app import TEXTS_A_SECOND, App
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.terminal.input_events import TerminalEvent
from pylatencymap.tui.terminal.keyboard import Keyboard
from pylatencymap.tui.terminal.screen import Screen
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.units import Unit
from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.layout import Reading
from pylatencymap.view.layout.colour_scale import TOLERANCE, nice_ceiling
from pylatencymap.view.style.options import ViewOptions
from tests.waiting import PATIENCE

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


class Clock:
    """Each look costs a moment."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 1000.0
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now


class FakeScreen(Screen):
    def __init__(self, on_frame: Callable[[int], None] = lambda _: None) -> None:
        super().__init__(-1, ViewOptions())
        self.calls: list[str] = []
        self.frames: list[str] = []
        self.on_frame = on_frame

    @property
    def size(self) -> tuple[int, int]:
        return 100, 30

    def take(self) -> None:
        self.calls.append("take")

    def give_back(self) -> None:
        self.calls.append("give back")

    def show(self, drawn: DrawnPicture) -> None:
        self.frames.append("\n".join(drawn.cells.text()))
        self.on_frame(len(self.frames))


class NoKeyboard(Keyboard):
    def __init__(self) -> None:
        super().__init__()
        self.given_back = 0
        self.has_learned = False

    def take(self) -> None:
        return

    def learn(self) -> None:
        self.has_learned = True

    def give_back(self) -> None:
        self.given_back += 1


class Typist(NoKeyboard):
    """Presses its keys, so many at once, when there are data."""

    def __init__(self, keys: list[str], take_batch: int, ready: Callable[[], bool]) -> None:
        super().__init__()
        self._keys, self._at_once, self._ready = keys, take_batch, ready
        self._read_end, write_end = os.pipe()
        os.write(write_end, b"x")
        os.close(write_end)

    @property
    def descriptors(self) -> tuple[int, ...]:
        return (self._read_end,)

    def pressed(self) -> list[TerminalEvent]:
        if not self._ready():
            return []
        now, self._keys = self._keys[: self._at_once], self._keys[self._at_once :]
        return [*now]

    def give_back(self) -> None:
        super().give_back()
        os.close(self._read_end)


def intervals(number: int) -> list[Interval]:
    return [
        Interval("sda", Unit.US, START + k * SECOND, START + (k + 1) * SECOND, 1.0, ((128, 256, k + 1),), 0.1)
        for k in range(number)
    ]


def run(
    produce: Iterable[Interval] | Callable[[], Iterator[Interval]],
    show: Presentation,
    screen: FakeScreen,
    clock: Clock,
    pipe: bool = False,
    keyboard: NoKeyboard | None = None,
) -> tuple[Picture, NoKeyboard]:
    feed: Feed[Interval] = Feed(produce if callable(produce) else lambda: iter(produce))
    picture, keyboard = Picture(PictureOptions()), keyboard or NoKeyboard()
    with SignalWatcher(feed.wake) as signals:
        main = MainView()
        App(
            feed, Viewer(picture, show, main), main, screen, keyboard, signals, EndingRule(signals, pipe=pipe), clock
        ).run()
    return picture, keyboard


def seconds_kept(picture: Picture) -> float:
    return picture.window.select("sda", 100_000).summary().span


def test_delay_0_draws_every_record() -> None:
    screen = FakeScreen()
    picture, _ = run(intervals(50), Presentation("REPLAY", ReplayPlayer(delay=0.0)), screen, Clock())
    assert seconds_kept(picture) == 50
    assert len(set(screen.frames)) >= 50


def test_texts_of_a_fast_live_source_are_written_five_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, drawn, read = Clock(0.001), threading.Event(), list[float]()
    reading = Commentary.reading

    def counted(self: Commentary, *about: Any) -> Reading:
        read.append(clock.now)
        return reading(self, *about)

    def produce() -> Iterator[Interval]:
        for interval in intervals(40):
            drawn.clear()
            yield interval
            drawn.wait(PATIENCE)

    monkeypatch.setattr(Commentary, "reading", counted)
    screen = FakeScreen(lambda _: drawn.set())
    run(produce, Presentation("LIVE"), screen, clock)
    steps = [later - before for before, later in pairwise(read)]
    assert len(screen.frames) >= 40
    assert len(read) <= (read[-1] - read[0]) * TEXTS_A_SECOND + 4
    assert len(read) < len(screen.frames) / 2, steps
    assert "40 s" in screen.frames[-1], "the last frame has texts of its own"


def test_a_source_that_ends_while_its_last_picture_is_drawn_is_drawn_with_its_end() -> None:
    pictured, source = threading.Event(), list[threading.Thread]()

    def produce() -> Iterator[Interval]:
        source.append(threading.current_thread())
        yield from intervals(1)
        pictured.wait(PATIENCE)

    def end(_: int) -> None:
        if "22:13:21" in screen.frames[-1]:
            pictured.set()
            source[0].join(PATIENCE)

    screen = FakeScreen(end)
    run(produce, Presentation("LIVE"), screen, Clock())
    assert ["LIVE" in frame for frame in screen.frames[-2:]] == [True, False]
    assert "ALL 1 s" in screen.frames[-1]


def test_texts_wait_while_records_go_by_and_catch_up_when_they_pause() -> None:
    clock, gate, seen = Clock(0.001), threading.Event(), []

    def pieces() -> Iterator[Interval]:
        found = intervals(40)
        yield from found[:30]
        seen.append(gate.wait(PATIENCE))
        yield from found[30:]

    def look(_: int) -> None:
        titles.append(screen.frames[-1].splitlines()[0])
        if "22:13:50" in titles[-1]:
            gate.set()

    titles: list[str] = []
    screen = FakeScreen(look)
    run(pieces, Presentation("REPLAY", ReplayPlayer(delay=0.0)), screen, clock)
    assert seen == [True], "the texts of the 30th record came although no other record followed"
    assert len(screen.frames) >= 40
    assert len(set(titles)) < len(screen.frames) / 2, "most pictures did not wait for texts"


@pytest.mark.parametrize(("state", "while_reading"), [("READING", False), ("LIVE", True)])
def test_names_of_keys_are_loaded_before_a_live_source_and_behind_a_file(state: str, while_reading: bool) -> None:
    """They take memory, and a file needs most while it is read."""
    seen = list[bool]()
    done = threading.Event()
    keyboard = Typist(["q"], 1, lambda: done.is_set() and keyboard.has_learned)

    def produce() -> Iterator[Interval]:
        for interval in intervals(20):
            seen.append(keyboard.has_learned)
            yield interval
        done.set()

    run(produce, Presentation(state), FakeScreen(), Clock(0.01), keyboard=keyboard)
    assert seen == [while_reading] * 20


def test_as_fast_as_possible_is_at_most_30_frames_a_second() -> None:
    clock, screen = Clock(0.001), FakeScreen()
    picture, _ = run(intervals(2000), Presentation("REPLAY", ReplayPlayer(None, monotonic=clock)), screen, clock)
    assert seconds_kept(picture) == 2000
    assert len(screen.frames) <= (clock.now - 1000) * 30 + 2


def test_what_comes_between_two_frames_is_drawn_with_the_next() -> None:
    clock, screen = Clock(0.001), FakeScreen()
    gate = threading.Event()

    def pieces() -> Iterator[Interval]:
        yield from intervals(2)
        gate.wait(PATIENCE)

    def open_gate(_: int) -> None:
        if screen.frames[-1] != screen.frames[0] and "2 s" in screen.frames[-1]:
            gate.set()

    screen.on_frame = open_gate
    begin = clock.now
    run(pieces, Presentation("LIVE"), screen, clock)
    assert gate.is_set()
    assert clock.now - begin < 0.5


def shows_all(viewer: Viewer) -> bool:
    """Whether the end of 300 intervals has been drawn; for good, once it has."""
    drawn = viewer.geometry is not None and viewer.geometry.ends.size > 0
    return drawn and viewer.source_ended and (viewer.newest or 0) >= START + 295 * SECOND


@pytest.mark.parametrize(
    "keys", [["KEY_LEFT", "]", "]", "KEY_LEFT"], ["KEY_LEFT", "]", "KEY_SLEFT", "[", "KEY_LEFT"]], ids=["out", "in"]
)
def test_keys_that_come_together_act_as_those_that_come_one_by_one(keys: list[str]) -> None:
    looked_at = []
    for take_batch in (1, len(keys) + 1):
        feed: Feed[Interval] = Feed(lambda: iter(intervals(300)))
        picture, main = Picture(PictureOptions()), MainView()
        viewer = Viewer(picture, Presentation("LIVE"), main)
        typist = Typist([*keys, "q"], take_batch, partial(shows_all, viewer))
        with SignalWatcher(feed.wake) as signals:
            App(feed, viewer, main, FakeScreen(), typist, signals, EndingRule(signals, pipe=False), Clock(0.01)).run()
        looked_at.append(viewer.viewpoint)
    assert looked_at[0] == looked_at[1]
    assert looked_at[0].pointer is not None


@pytest.mark.parametrize("frame", [1, 2])
def test_the_terminal_is_given_back_when_drawing_fails(frame: int) -> None:
    def fail(number: int) -> None:
        if number == frame:
            raise RuntimeError("injected")

    screen = FakeScreen(fail)
    with pytest.raises(RuntimeError, match="injected"):
        run(intervals(3), Presentation("LIVE"), screen, Clock(0.05))
    assert screen.calls == ["take", "give back"]


def test_the_terminal_is_given_back_when_the_keyboard_cannot_be() -> None:
    class Broken(NoKeyboard):
        def give_back(self) -> None:
            raise RuntimeError("injected")

    screen, feed = FakeScreen(), Feed[Interval](lambda: iter(()))
    picture = Picture(PictureOptions())
    with SignalWatcher(feed.wake) as signals:
        main = MainView()
        viewer = Viewer(picture, Presentation("LIVE"), main)
        app = App(feed, viewer, main, screen, Broken(), signals, EndingRule(signals, pipe=False))
        with pytest.raises(RuntimeError, match="injected"):
            app.run()
    assert screen.calls[-1] == "give back"


def test_what_ends_a_source_ends_the_view() -> None:
    def broken() -> Iterator[Interval]:
        yield from intervals(2)
        raise ValueError("injected")

    picture, keyboard = run(broken, Presentation("LIVE"), FakeScreen(), Clock())
    assert seconds_kept(picture) == 2
    assert keyboard.given_back == 1


def test_silence_is_told_after_three_seconds_and_after_longer_than_usual() -> None:
    clock = Clock()
    silence = SilenceTimer(lambda: 1000.0, lambda: "do this", clock)
    told = {}
    for usual in (1.0, 10.0):
        for seconds in (0.0, 2.9, 3.1, 24.0, 26.0):
            clock.now = 1000.0 + seconds
            told[usual, seconds] = silence.silence_notice(usual)
    assert [seconds for (usual, seconds), text in told.items() if usual == 1.0 and text] == [3.1, 24.0, 26.0]
    assert [seconds for (usual, seconds), text in told.items() if usual == 10.0 and text] == [26.0]
    assert told[1.0, 3.1] == "no data for 3 s: do this"
    clock.now = 1009.0
    assert [silence.stalled(usual) for usual in (1.0, 10.0)] == [9.0, 0.0]


def test_the_screen_says_that_a_source_is_silent_until_it_ends() -> None:
    clock = Clock()
    messages: list[str] = []

    class Told(SilenceTimer):
        def silence_notice(self, usual_seconds: float) -> str:
            messages.append(super().silence_notice(usual_seconds))
            return messages[-1]

    def quiet() -> Iterator[Interval]:
        yield from intervals(1)
        clock.now += 5.0
        while not any(messages):
            clock.now += 0.1
            yield from ()
        yield from intervals(2)

    run(
        quiet,
        Presentation("LIVE", None, Told(lambda: 1000.0, lambda: "do this", clock)),
        FakeScreen(),
        clock,
        pipe=True,
    )
    assert any("do this" in message for message in messages)


def test_a_key_that_pins_the_scales_pins_what_is_seen() -> None:
    picture = Picture(PictureOptions())
    seen: list[float] = []

    def count() -> int:
        return len(picture.window["sda"]) if "sda" in picture.window else 0

    def scale_of(largest: int) -> float:
        return nice_ceiling(largest / TOLERANCE)

    def has_another_scale() -> bool:
        if not seen and count() > 100 and scale_of(count()) != scale_of(count() - 1):
            seen.append(scale_of(count()))
        return bool(seen)

    feed: Feed[Interval] = Feed(lambda: iter(intervals(600)))
    viewer = Viewer(picture, Presentation("REPLAY", ReplayPlayer(delay=0.0)), main := MainView())
    keyboard = Typist(["x", "q"], 1, has_another_scale)
    with SignalWatcher(feed.wake) as signals:
        App(feed, viewer, main, FakeScreen(), keyboard, signals, EndingRule(signals, pipe=False), Clock()).run()
    assert [viewer.viewpoint.view.frequency_max] == seen
