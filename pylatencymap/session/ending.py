"""Decides when a session ends, and with which exit status."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from ..errors import Exit

# Signals set flags, which a loop checks, and wake that loop.


ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that end a session at once. Ctrl-\\ (SIGQUIT) is one of them, so that the alternate screen is left."""


class SignalWatcher:
    """Handles SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH and SIGTSTP while it is entered.

    A signal that the process was started to ignore, as by nohup, stays ignored.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self.interrupts = 0
        self.terminated = False
        self.resized = False
        self.suspended = False
        self._wake = wake
        self._before: dict[int, Any] = {}

    def __enter__(self) -> SignalWatcher:
        for number in (signal.SIGINT, *ENDING, signal.SIGWINCH):
            self._catch(number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def catch_suspension(self) -> None:
        """Catch Ctrl-Z as well, for a view that must restore the terminal first."""
        self._catch(signal.SIGTSTP)

    def _catch(self, number: signal.Signals) -> None:
        if signal.getsignal(number) is not signal.SIG_IGN:
            self._before[number] = signal.signal(number, self._note)

    def _note(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT:
            self.interrupts += 1
        elif number in ENDING:
            self.terminated = True
        elif number == signal.SIGWINCH:
            self.resized = True
        else:
            self.suspended = True
        self._wake()


LAST_WORDS_SECONDS = 3.0
"""How long a source in a pipe can go on after the first Ctrl-C, which reaches it too."""
LAST_WORDS = (
    f"interrupted: waiting up to {LAST_WORDS_SECONDS:g} s for the source's last words; Ctrl-C again quits at once"
)


class EndingRule:
    """Decides when a session ends.

    While stdin is a pipe, the first SIGINT lets the source finish, for LAST_WORDS_SECONDS at most; the second quits at
    once. SIGTERM, SIGHUP and SIGQUIT end the session at once and show what was read. ``seconds`` is the maximum
    duration. ``ask_to_end`` asks a source that we started to end, because Ctrl-C does not reach it.
    """

    def __init__(
        self,
        signals: SignalWatcher,
        *,
        pipe: bool,
        seconds: float | None = None,
        ask_to_end: Callable[[], object] = lambda: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._signals = signals
        self._pipe = pipe
        self._ask_to_end = ask_to_end
        self._monotonic = monotonic
        self._latest = None if seconds is None else monotonic() + seconds
        self._deadline: float | None = None

    @property
    def waiting_for_last_words(self) -> bool:
        """Whether the source has been interrupted and can still print."""
        return self._pipe and self._signals.interrupts == 1

    @property
    def is_due(self) -> bool:
        """Whether to end now, even if more data would arrive."""
        signals = self._signals
        if signals.terminated or signals.interrupts > 1 or (signals.interrupts and not self._pipe):
            return True
        now = self._monotonic()
        if self.waiting_for_last_words:
            if self._deadline is None:
                self._deadline = now + LAST_WORDS_SECONDS
                self._ask_to_end()
            return now >= self._deadline
        return self._latest is not None and now >= self._latest

    @property
    def shows_result(self) -> bool:
        """Whether to show what was read: not after a second Ctrl-C."""
        return self._signals.interrupts < 2

    @property
    def by_signal(self) -> bool:
        """Whether the user or the system ended the session, so that what is missing is no failure of the source."""
        return self._signals.terminated or self._signals.interrupts > 0

    @property
    def status(self) -> Exit:
        """The exit status as far as signals decide it."""
        return Exit.INTERRUPTED if self._signals.interrupts else Exit.OK
