"""The live view: intervals come in, frames go out, keys are answered."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..interval import Interval
from ..session.ending import Ending
from ..session.feed import Feed
from ..session.pace import Pace
from ..session.picture import Picture
from ..session.signals import Signals
from ..session.silence import Silence
from ..view.status import END, PAUSED
from .keyboard import Keyboard
from .screen import Screen

FRAME_SECONDS = 1 / 30
IDLE_SECONDS = 0.5

KEYS = (("space", "pause"), ("q", "quit"))
PAUSED_KEYS = (("space", "go on"), ("q", "quit"))


@dataclass(frozen=True)
class Show:
    """How a session presents itself: the chip while it runs, the pace of a replay, what to say of a silent source."""

    state: str
    pace: Pace | None = None
    silence: Silence | None = None


class App:
    """Runs until q, the end that ``ending`` decides, or, without a keyboard, the end of the source."""

    def __init__(
        self,
        feed: Feed[Interval],
        picture: Picture,
        screen: Screen,
        keyboard: Keyboard,
        signals: Signals,
        ending: Ending,
        show: Show,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed = feed
        self._picture = picture
        self._screen = screen
        self._keyboard = keyboard
        self._signals = signals
        self._ending = ending
        self._show = show
        self._monotonic = monotonic
        self._paused = False
        self._arrived_meanwhile = 0
        self._last_frame = monotonic()
        self._stale = False
        self.quit = False

    def run(self) -> None:
        """Take the terminal, show the session, give the terminal back whatever happens."""
        self._signals.catch_suspension()
        try:
            self._screen.take()
            self._draw()
            self._keyboard.take()
            self._feed.start()
            while not self._is_over():
                self._turn()
        finally:
            try:
                self._keyboard.give_back()
            finally:
                self._screen.give_back()

    def _is_over(self) -> bool:
        if self.quit or self._ending.is_due:
            return True
        if not self._feed.done:
            return False
        nothing_to_see = len(self._picture) == 0 or self._feed.error is not None
        return nothing_to_see or self._ending.waiting_for_last_words or not self._keyboard.descriptors

    def _turn(self) -> None:
        ready = self._feed.wait(self._patience(), self._keyboard.descriptors)
        if self._signals.suspended:
            self._suspend()
        if ready:
            for key in self._keyboard.pressed():
                self._answer(key)
        if not self._is_held:
            self._take()
        if self._signals.resized:
            self._signals.resized = False
            self._screen.forget()
            self._draw()
        elif ready or self._frame_is_due():
            self._draw()

    @property
    def _is_held(self) -> bool:
        """A replay that is paused stops; live data are kept while the picture stands still."""
        return self._paused and self._show.pace is not None

    def _patience(self) -> float:
        """Seconds to wait for something to happen: until the next frame, or not at all."""
        if self._feed.waiting and not self._is_held:
            return 0.0
        since = self._monotonic() - self._last_frame
        return max(0.0, (FRAME_SECONDS if self._stale else IDLE_SECONDS) - since)

    def _frame_is_due(self) -> bool:
        since = self._monotonic() - self._last_frame
        return since >= (FRAME_SECONDS if self._stale else IDLE_SECONDS)

    def _take(self) -> None:
        """Move what has come into the picture; one by one where each record is to be seen, keys being heard between."""
        each = self._show.pace is not None and self._show.pace.every_record
        intervals = self._feed.take(1) if each else self._feed.take()
        if not intervals:
            return
        self._picture.extend(intervals)
        self._stale = True
        if self._paused:
            self._arrived_meanwhile += len(intervals)
        if each:
            self._draw()

    def _answer(self, key: str) -> None:
        if key == "q":
            self.quit = True
        elif key == " ":
            self._pause() if not self._paused else self._go_on()

    def _pause(self) -> None:
        """Hold the picture still. A replay stops; live data keep arriving and are kept."""
        self._paused = True
        self._arrived_meanwhile = 0
        self._picture.freeze()
        if self._show.pace is not None:
            self._show.pace.pause()

    def _go_on(self) -> None:
        self._paused = False
        self._picture.thaw()
        if self._show.pace is not None:
            self._show.pace.go_on()

    def _draw(self) -> None:
        keys = PAUSED_KEYS if self._paused else KEYS
        self._screen.show(self._picture.live(self._screen.size, self._state(), self._message(), keys))
        self._last_frame = self._monotonic()
        self._stale = False

    def _state(self) -> str:
        if self._paused:
            return PAUSED
        return END if self._feed.done else self._show.state

    def _message(self) -> str:
        if self._ending.waiting_for_last_words:
            return "interrupted: waiting up to 3 s for the source's last words; Ctrl-C again quits at once"
        if self._paused and self._arrived_meanwhile:
            number = self._arrived_meanwhile
            return f"{number} new interval{' has' if number == 1 else 's have'} arrived meanwhile; nothing is lost"
        if self._feed.done or self._show.silence is None:
            return ""
        return self._show.silence.message(self._picture.usual_seconds)

    def _suspend(self) -> None:
        """Ctrl-Z: give the terminal back, stop like any program, and take it again when we go on."""
        self._signals.suspended = False
        self._keyboard.give_back()
        self._screen.give_back()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        self._screen.take()
        self._keyboard.take()
        self._draw()
