"""When a session ends, and with which exit status."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..errors import Exit
from .signals import Signals

LAST_WORDS_SECONDS = 3.0
"""How long a source in a pipe may go on after the first Ctrl-C, which reaches it too."""


class Ending:
    """Rules of design: while standard input is a pipe the first SIGINT means that the source is ending; the second
    quits at once. SIGTERM, SIGHUP and SIGQUIT end at once and show what is there. ``seconds`` is the longest the
    session may take. ``ask_to_end`` tells a source that we started ourselves, and that Ctrl-C does not reach.
    """

    def __init__(
        self,
        signals: Signals,
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
        """The source has been interrupted, and may still print."""
        return self._pipe and self._signals.interrupts == 1

    @property
    def is_due(self) -> bool:
        """Whether to end now, whatever else may come."""
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
        """Whether what was read is to be shown; the second Ctrl-C wants out."""
        return self._signals.interrupts < 2

    @property
    def status(self) -> Exit:
        """The exit status as far as signals decide it."""
        return Exit.INTERRUPTED if self._signals.interrupts else Exit.OK
