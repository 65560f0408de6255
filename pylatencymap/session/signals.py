"""Signals as facts that a loop looks at, with a call that wakes it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


class Signals:
    """Handles SIGINT, SIGTERM, SIGHUP, SIGWINCH and SIGTSTP while it is entered."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self.interrupts = 0
        self.terminated = False
        self.resized = False
        self.suspended = False
        self._wake = wake
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGWINCH):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def catch_suspension(self) -> None:
        """Note Ctrl-Z as well, for a view that has a terminal to give back first."""
        self._before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._note)

    def _note(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT:
            self.interrupts += 1
        elif number in (signal.SIGTERM, signal.SIGHUP):
            self.terminated = True
        elif number == signal.SIGWINCH:
            self.resized = True
        else:
            self.suspended = True
        self._wake()
