"""Signals as facts that a loop looks at, with a call that wakes it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""They end a session at once; Ctrl-\\ (SIGQUIT) too must not leave a terminal in the alternate screen."""


class Signals:
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

    def __enter__(self) -> Signals:
        for number in (signal.SIGINT, *ENDING, signal.SIGWINCH):
            self._catch(number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def catch_suspension(self) -> None:
        """Note Ctrl-Z as well, for a view that has a terminal to give back first."""
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
