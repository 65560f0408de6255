"""Messages that wait while a live view has the terminal, and that it shows meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

SHOWN_SECONDS = 4.0
MOST_SHOWN = 6
"""Messages that a view shows; the others are read when it has ended, as these are once more."""


class Held:
    """Kept in their order. ``news`` is the one to be read now, each for SHOWN_SECONDS since it was asked for."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._messages: list[str] = []
        self._place = 0
        self._since: float | None = None

    def add(self, message: str) -> None:
        """One more. May come from another thread than the one that asks for news."""
        self._messages.append(message)

    def news(self) -> str:
        """What the view should say now; empty where all has been shown long enough."""
        now = self._monotonic()
        if self._since is not None and now - self._since >= SHOWN_SECONDS:
            self._place, self._since = self._place + 1, None
        if self._place >= min(len(self._messages), MOST_SHOWN):
            return ""
        self._since = now if self._since is None else self._since
        return self._messages[self._place]

    def release(self) -> list[str]:
        """All of them, which are then no longer held."""
        messages, self._messages = self._messages, []
        return messages
