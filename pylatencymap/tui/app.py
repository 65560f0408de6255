"""The loop of the live view: takes intervals, handles keys, draws frames."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable

from ..interval import Interval
from ..intervals import Batch
from ..memory import give_memory_back
from ..session import LAST_WORDS, EndingRule, Feed, SignalWatcher
from ..view.style import background_from_rgb
from .actions.selecting import go_to_costliest
from .bindings import REPAINT_KEY
from .main_view import MainView
from .terminal.input_events import BackgroundColour, TerminalEvent
from .terminal.keyboard import Keyboard
from .terminal.screen import Screen, suspend_process, wait_for_foreground
from .viewer.filters import collect_filter
from .viewer.viewer import Viewer

# Fewer runs of the garbage collector than Python's default, and threads that take turns sooner.


SWITCH_SECONDS = 0.0005
"""The thread that draws waits so long, instead of 5 ms, whenever it takes over from one that reads."""
NEW_OBJECTS = 10_000
"""Objects made between two runs of the garbage collector: records are made by the thousand and leave no cycles."""


def tune_garbage_collector() -> None:
    """Call this when everything is loaded: those objects stay, so no collection needs to visit them again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)


# The pace of frames in the live view.


FRAME_SECONDS = 1 / 30
IDLE_SECONDS = 0.5
TEXTS_A_SECOND = 5
"""If columns arrive faster than this, texts and numbers are not updated for each of them."""
COMPLETE_SECONDS = 1 / TEXTS_A_SECOND - FRAME_SECONDS
"""After this time without new columns, texts and numbers are updated."""
PAUSE_OF_READING = 9.0
"""While a file is read, at least so many times as long as its last picture took, until the next: the file matters."""
LONGEST_PAUSE = 1.0


class FramePacer:
    """Decides when the next frame is due.

    ``urgent``: draw a frame at once. ``stale``: data have arrived since the last picture. ``waits_for_texts``: the
    texts of the last picture can be older than its columns.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self._pause = 0.0
        self.stale = self.urgent = True
        self.waits_for_texts = False

    @property
    def now(self) -> float:
        """Seconds, on the clock of frames."""
        return self._monotonic()

    @property
    def tick(self) -> int:
        """The current period of the clock of the texts: within one period the texts can stay unchanged."""
        return int(self._monotonic() * TEXTS_A_SECOND)

    def frame_drawn(self, *, complete: bool = True, since: float | None = None) -> None:
        """A picture of all data was drawn. ``complete``: its texts are of all data too. ``since``: when drawing began,
        of a picture of a file that is being read, which shall not wait for pictures.
        """
        self._last = self._monotonic()
        self._pause = 0.0 if since is None else min(PAUSE_OF_READING * (self._last - since), LONGEST_PAUSE)
        self.stale = self.urgent = False
        self.waits_for_texts = not complete

    def frame_skipped(self) -> None:
        """A frame was due, but there was nothing new to draw."""
        self._last = self._monotonic()

    @property
    def seconds_left(self) -> float:
        """Seconds until the next frame is due."""
        if self.urgent:
            return 0.0
        seconds = FRAME_SECONDS if self.stale else COMPLETE_SECONDS if self.waits_for_texts else IDLE_SECONDS
        return max(0.0, self._last + max(seconds, self._pause) - self._monotonic())


BATCH = 512
"""Intervals taken at once, at most, so that keys are handled in between."""


class App:
    """Runs until the user presses q, until ``ending`` is due, or, without a keyboard, until the source ends."""

    def __init__(
        self,
        feed: Feed[Interval | Batch],
        viewer: Viewer,
        main: MainView,
        screen: Screen,
        keyboard: Keyboard,
        signals: SignalWatcher,
        ending: EndingRule,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed = feed
        self._viewer = viewer
        self._main = main
        self._screen = screen
        self._keyboard = keyboard
        self._signals = signals
        self._ending = ending
        self._pace = FramePacer(monotonic)
        self._looked_at = viewer.viewpoint
        self._thought_at = 0
        self._texts_of: int | None = None
        self._knows_keys = False

    def run(self) -> None:
        """Take the terminal and show the session; always gives the terminal back."""
        self._signals.catch_suspension()
        try:
            self._take_terminal()
            if self._feed.waiting:
                self._take()  # a source in a pipe has begun already
            self._draw()
            tune_garbage_collector()
            self._learn_keys()
            sys.setswitchinterval(SWITCH_SECONDS)
            self._feed.start()
            while not self._is_over():
                self._turn()
        finally:
            try:
                self._keyboard.give_back()
            finally:
                self._screen.give_back()

    def _is_over(self) -> bool:
        if self._viewer.quit or self._ending.is_due:
            return True
        if not self._has_ended:
            return False
        nothing_to_see = len(self._viewer.picture) == 0 or self._feed.error is not None
        if nothing_to_see or self._ending.waiting_for_last_words:
            return True
        # The source may have ended behind the last picture, which says so then, unless the terminal takes none.
        return not self._keyboard.descriptors and (self._viewer.source_ended or self._screen.busy)

    @property
    def _has_ended(self) -> bool:
        """Whether the source has ended and the picture has all of its data."""
        player = self._viewer.player
        return self._feed.done and (player is None or player.is_empty)

    def _turn(self) -> None:
        keys = self._keyboard.descriptors
        ready = self._feed.wait(self._patience(), keys, self._screen.waits_for, for_items=not self._waits_for_frame)
        if self._signals.suspended:
            self._suspend()
        if any(descriptor in ready for descriptor in keys):
            for event in self._keyboard.pressed():
                self._look_again()
                self._handle(event)
        if not self._must_be_seen:
            self._take()
        self._screen.flush()
        viewer = self._viewer
        news = viewer.collect_job(), viewer.collect_detail(), viewer.collect_alerts(), collect_filter(viewer)
        events = viewer.presentation.events
        if any(news) or viewer.sides.has_news or (events is not None and events.collect_answer()):
            self._pace.urgent = True
        if self._viewer.rings:
            self._viewer.rings = False
            self._screen.ring()
        if self._signals.resized:
            self._signals.resized = False
            self._screen.forget()
            self._pace.urgent = True
        if not self._screen.busy:
            self._draw_if_due()
        if not ready and self._has_time_to_think:
            self._think()

    def _learn_keys(self) -> None:
        """Load the names of keys, behind the first picture of a live source; of a file, when all of it has been read
        and nothing is due: they take 13 MB, and memory is fullest while a file is read.
        """
        if not self._knows_keys and self._viewer.has_read_all:
            self._knows_keys = True
            self._keyboard.learn()
            tune_garbage_collector()

    @property
    def _has_time_to_think(self) -> bool:
        """Whether nothing else is due, so that the picture can look for changes in what it keeps. While records of a
        replay are due, it does so on the clock of the texts.
        """
        viewer, player = self._viewer, self._viewer.player
        if self._screen.busy or self._pace.urgent or self._feed.waiting or self._must_be_seen:
            return False
        if player is not None and player.wait() == 0.0 and self._thought_at == self._pace.tick:
            return False
        return viewer.picture.has_thoughts(viewer.viewpoint)

    def _think(self) -> None:
        """Take one short step of that work."""
        self._thought_at = self._pace.tick
        if self._viewer.picture.think(self._viewer.viewpoint):
            self._pace.stale = True

    @property
    def _must_be_seen(self) -> bool:
        """Whether to draw the data taken so far before taking more."""
        player = self._viewer.player
        each = player is not None and player.every_record and not self._viewer.paused
        return each and self._pace.stale

    @property
    def _waits_for_frame(self) -> bool:
        """Whether more data from a live source would only be drawn with the next frame, and can be taken then."""
        return self._viewer.player is None and self._pace.stale and not (self._pace.urgent or self._screen.busy)

    def _patience(self) -> float:
        """Seconds to wait for data, keys or signals."""
        if self._screen.busy:
            return IDLE_SECONDS
        player = self._viewer.player
        if self._must_be_seen or (self._feed.waiting and (player is None or player.room)):
            return 0.0
        if self._has_time_to_think:
            return 0.0
        due = player.wait() if player is not None else None
        return self._pace.seconds_left if due is None else min(self._pace.seconds_left, due)

    def _draw_if_due(self) -> None:
        pace = self._pace
        if pace.urgent or self._must_be_seen or self._has_ended != self._viewer.source_ended:
            self._draw()
        elif pace.seconds_left == 0.0:
            if pace.stale or pace.waits_for_texts or self._has_news:
                self._draw()
            else:
                pace.frame_skipped()
                self._screen.look()
                self._learn_keys()

    @property
    def _has_news(self) -> bool:
        """Whether the message or the state has changed without new data."""
        return self._message() != self._main.message or self._viewer.source_ended != self._has_ended

    def _take(self) -> None:
        """Move the intervals that have arrived, or in a replay those that are due, into the picture."""
        player = self._viewer.player
        intervals: list[Interval | Batch]
        if player is None:
            intervals = self._feed.take(BATCH)
        else:
            # What is played comes as single intervals.
            player.offer(one for one in self._feed.take(player.room) if isinstance(one, Interval))
            if self._feed.done:
                player.all_read()
            intervals = [*player.due()]
        if intervals:
            if len(self._viewer.picture) == 0:
                self._pace.urgent = True  # the user sees an empty frame and waits for the first one with data
            self._viewer.take(intervals)
            self._pace.stale = True

    def _look_again(self) -> None:
        """Draw again between keys that arrive together, so that each acts on the result of the one before it."""
        if self._viewer.viewpoint != self._looked_at:
            self._viewer.fit()
            self._viewer.layers[-1].draw(self._viewer)
            self._looked_at = self._viewer.viewpoint

    def _handle(self, event: TerminalEvent) -> None:
        viewer = self._viewer
        if isinstance(event, BackgroundColour):
            if viewer.presentation.finds_background:
                parts = (event.red / 255, event.green / 255, event.blue / 255)
                viewer.viewpoint = viewer.viewpoint.looking(background=background_from_rgb(*parts))
        else:
            viewer.notice, viewer.wants_costliest = "", False
            viewer.layers[0 if event == REPAINT_KEY else -1].handle(viewer, event)
            if viewer.clipboard:
                self._screen.copy(viewer.clipboard)
                viewer.clipboard = ""
            if viewer.is_spoilt:
                viewer.is_spoilt = False
                self._screen.repaint()
        self._pace.urgent = True

    def _draw(self) -> None:
        viewer, begin = self._viewer, self._pace.now
        viewer.size = self._screen.size
        ended = self._has_ended
        if ended and not viewer.source_ended:
            viewer.picture.settle()
            give_memory_back()  # reading took up to 20 MB more than what is kept
        viewer.source_ended = ended
        viewer.fit()
        viewer.look_closer()
        self._main.message = self._message()
        self._screen.options = viewer.viewpoint.view
        # Records pass faster than anyone can read: most texts can wait, except after a key and at the end.
        waits = self._must_be_seen or (viewer.player is None and self._pace.stale)
        viewer.tick = self._pace.tick if waits and not (self._pace.urgent or self._has_ended) else None
        are_new = viewer.tick is None or (viewer.player is None and viewer.tick != self._texts_of)
        self._texts_of = self._texts_of if viewer.tick is None else viewer.tick
        self._screen.show(viewer.layers[-1].draw(viewer))
        self._looked_at = viewer.viewpoint
        if viewer.wants_costliest and viewer.has_read_all:
            go_to_costliest(viewer)
            viewer.has_more = True
        self._pace.frame_drawn(complete=are_new, since=begin if viewer.is_reading and not ended else None)
        self._pace.urgent, viewer.has_more = viewer.has_more, False
        viewer.tick = None

    def _message(self) -> str:
        if self._ending.waiting_for_last_words:
            return LAST_WORDS
        presentation = self._viewer.presentation
        if notice := presentation.current_notice():
            return notice
        if presentation.detail is not None and (reading := presentation.detail.progress()):
            return reading
        silence = presentation.silence
        if self._has_ended or silence is None:
            return ""
        return silence.silence_notice(self._viewer.picture.usual_seconds(self._viewer.viewpoint))

    def _suspend(self) -> None:
        """Ctrl-Z: give the terminal back, stop like any other program, and take it again when we continue."""
        self._signals.suspended = False
        self._keyboard.give_back()
        self._screen.suspend()
        suspend_process()
        self._take_terminal()
        self._pace.urgent = True

    def _take_terminal(self) -> None:
        """Take the terminal once we are in the foreground."""
        wait_for_foreground(self._screen.descriptor, lambda: self._ending.is_due)
        if not self._ending.is_due:
            self._screen.take()  # first, so that the keyboard restores modes in which Ctrl-C drops no output
            self._keyboard.take()
