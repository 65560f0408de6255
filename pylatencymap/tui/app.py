"""The loop of the live view: intervals come in, keys are answered, frames go out."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

from ..interval import Interval
from ..session import LAST_WORDS_SECONDS, EndingRule, Feed, SignalWatcher
from ..view.style import background_from_rgb
from .main_view import MainView
from .terminal.input_events import BackgroundColour, TerminalEvent
from .terminal.keyboard import Keyboard
from .terminal.screen import Screen, suspend_process, wait_for_foreground
from .viewer.viewer import Viewer

# Looking for cycles of garbage less often than Python does by itself.


NEW_OBJECTS = 10_000
"""So many come before cycles are looked for: records come by the thousand, and leave none behind."""


def tune_garbage_collector() -> None:
    """Call when all is loaded: that stays, and no collection has to go through it again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)


# When the next frame of the live view is due.


FRAME_SECONDS = 1 / 30
IDLE_SECONDS = 0.5
TEXTS_A_SECOND = 5
"""While columns come faster than this, texts and numbers do not follow each of them."""
COMPLETE_SECONDS = 1 / TEXTS_A_SECOND - FRAME_SECONDS
"""When nothing more has come for so long, they catch up."""


class FramePacer:
    """``urgent``: a frame has to come at once. ``stale``: data have come since the last picture. ``waits_for_texts``:
    texts of the last picture may be older than its columns.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self.stale = self.urgent = True
        self.waits_for_texts = False

    @property
    def tick(self) -> int:
        """The number of the moment for which texts may stay as they are."""
        return int(self._monotonic() * TEXTS_A_SECOND)

    def drawn(self, *, complete: bool = True) -> None:
        """A picture was drawn, of all that has come; ``complete``: its texts too."""
        self._last = self._monotonic()
        self.stale = self.urgent = False
        self.waits_for_texts = not complete

    def skip(self) -> None:
        """There was nothing new to draw when a frame was due."""
        self._last = self._monotonic()

    @property
    def left(self) -> float:
        """Seconds until a frame is due, if there is something to draw."""
        if self.urgent:
            return 0.0
        seconds = FRAME_SECONDS if self.stale else COMPLETE_SECONDS if self.waits_for_texts else IDLE_SECONDS
        return max(0.0, self._last + seconds - self._monotonic())


BATCH = 512
"""Intervals that are taken at once, so that a key is heard in between."""
LAST_WORDS = (
    f"interrupted: waiting up to {LAST_WORDS_SECONDS:g} s for the source's last words; Ctrl-C again quits at once"
)


class App:
    """Runs until q, the end that ``ending`` decides, or, without a keyboard, the end of the source."""

    def __init__(
        self,
        feed: Feed[Interval],
        stage: Viewer,
        main: MainView,
        screen: Screen,
        keyboard: Keyboard,
        signals: SignalWatcher,
        ending: EndingRule,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed = feed
        self._stage = stage
        self._main = main
        self._screen = screen
        self._keyboard = keyboard
        self._signals = signals
        self._ending = ending
        self._pace = FramePacer(monotonic)
        self._looked_at = stage.at

    def run(self) -> None:
        """Take the terminal, show the session, give the terminal back whatever happens."""
        self._signals.catch_suspension()
        try:
            self._take_terminal()
            self._draw()
            self._keyboard.learn()
            tune_garbage_collector()
            self._feed.start()
            while not self._is_over():
                self._turn()
        finally:
            try:
                self._keyboard.give_back()
            finally:
                self._screen.give_back()

    def _is_over(self) -> bool:
        if self._stage.quit or self._ending.is_due:
            return True
        if not self._has_ended:
            return False
        nothing_to_see = len(self._stage.picture) == 0 or self._feed.error is not None
        return nothing_to_see or self._ending.waiting_for_last_words or not self._keyboard.descriptors

    @property
    def _has_ended(self) -> bool:
        """Whether all that the source had is in the picture."""
        player = self._stage.player
        return self._feed.done and (player is None or player.is_empty)

    def _turn(self) -> None:
        keys = self._keyboard.descriptors
        ready = self._feed.wait(self._patience(), keys, self._screen.waits_for)
        if self._signals.suspended:
            self._suspend()
        if any(descriptor in ready for descriptor in keys):
            for event in self._keyboard.pressed():
                self._look_again()
                self._answer(event)
        if not self._must_be_seen:
            self._take()
        self._screen.flush()
        if self._stage.settle():
            self._pace.urgent = True
        if self._signals.resized:
            self._signals.resized = False
            self._screen.forget()
            self._pace.urgent = True
        if not self._screen.busy:
            self._draw_if_due()

    @property
    def _must_be_seen(self) -> bool:
        """Whether what has been taken is to be drawn before anything else is taken."""
        player = self._stage.player
        each = player is not None and player.every_record and not self._stage.paused
        return each and self._pace.stale

    def _patience(self) -> float:
        """Seconds to wait for something to happen."""
        if self._screen.busy:
            return IDLE_SECONDS
        player = self._stage.player
        if self._must_be_seen or (self._feed.waiting and (player is None or player.room)):
            return 0.0
        due = player.wait() if player is not None else None
        return self._pace.left if due is None else min(self._pace.left, due)

    def _draw_if_due(self) -> None:
        pace = self._pace
        if pace.urgent or self._must_be_seen:
            self._draw()
        elif pace.left == 0.0:
            if pace.stale or pace.waits_for_texts or self._has_news:
                self._draw()
            else:
                pace.skip()

    @property
    def _has_news(self) -> bool:
        """Whether there is something else to say, although no data have come."""
        return self._message() != self._main.message or self._stage.source_ended != self._has_ended

    def _take(self) -> None:
        """Move what has come, of a replay what is due, into the picture."""
        player = self._stage.player
        if player is None:
            intervals = self._feed.take(BATCH)
        else:
            player.offer(self._feed.take(player.room))
            intervals = player.due()
        if intervals:
            if len(self._stage.picture) == 0:
                self._pace.urgent = True  # whoever has seen an empty frame waits for this one
            self._stage.picture.extend(intervals)
            self._pace.stale = True

    def _look_again(self) -> None:
        """Of keys that come together each acts on what those before it would have made."""
        if self._stage.at != self._looked_at:
            self._stage.modes[-1].drawn(self._stage)
            self._looked_at = self._stage.at

    def _answer(self, event: TerminalEvent) -> None:
        stage = self._stage
        if isinstance(event, BackgroundColour):
            if stage.show.finds_background:
                parts = (event.red / 255, event.green / 255, event.blue / 255)
                stage.at = stage.at.looking(background=background_from_rgb(*parts))
        else:
            stage.notice = ""
            stage.modes[-1].answer(stage, event)
        self._pace.urgent = True

    def _draw(self) -> None:
        stage = self._stage
        stage.size = self._screen.size
        stage.source_ended = self._has_ended
        self._main.message = self._message()
        self._screen.options = stage.at.view
        # Records go by faster than anybody reads: most texts may wait, unless a key asks, or the end has come.
        stage.tick = self._pace.tick if self._must_be_seen and not (self._pace.urgent or self._has_ended) else None
        self._screen.show(stage.modes[-1].drawn(stage))
        self._looked_at = stage.at
        self._pace.drawn(complete=stage.tick is None)
        stage.tick = None

    def _message(self) -> str:
        if self._ending.waiting_for_last_words:
            return LAST_WORDS
        show = self._stage.show
        if news := show.news():
            return news
        silence = show.silence
        if self._has_ended or silence is None:
            return ""
        return silence.message(self._stage.picture.usual_seconds(self._stage.at))

    def _suspend(self) -> None:
        """Ctrl-Z: give the terminal back, stop like any program, and take it again when we go on."""
        self._signals.suspended = False
        self._keyboard.give_back()
        self._screen.give_back()
        suspend_process()
        self._take_terminal()
        self._pace.urgent = True

    def _take_terminal(self) -> None:
        """Take the terminal as soon as it is ours: not while we are in the background."""
        wait_for_foreground(self._screen.descriptor, lambda: self._ending.is_due)
        if not self._ending.is_due:
            self._keyboard.take()
            self._screen.take()
