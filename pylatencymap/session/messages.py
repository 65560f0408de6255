"""Messages that wait while a live view has the terminal, and that it shows meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

SHOWN_SECONDS = 4.0
MOST_SHOWN = 6
"""Messages that a view shows; the others are read when it has ended, as these are once more."""


class NoticeQueue:
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


# A source that says nothing: how long, and what to do about it.


LEAST_SECONDS = 3.0
USUAL_FACTOR = 2.5


class SilenceNotice(Protocol):
    """Says why there is nothing new, where that takes longer than usual."""

    def message(self, usual_seconds: float, /) -> str: ...


class SilenceTimer:
    """``heard`` gives the monotonic time at which the source was heard last; ``advice`` says what its user can do
    where nothing has come at all, and ``later`` where it has fallen silent. ``begun``: whether anything has come.
    ``idle`` says of a source that is not silent that nothing has happened there yet.
    """

    def __init__(
        self,
        heard: Callable[[], float],
        advice: str,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        later: str = "",
        begun: Callable[[], bool] = lambda: False,
        idle: Callable[[], str] = lambda: "",
    ) -> None:
        self._heard = heard
        self._advice = advice
        self._later = later
        self._begun = begun
        self._idle = idle
        self._monotonic = monotonic

    def message(self, usual_seconds: float) -> str:
        """What the screen should say; empty where the source is silent no longer than it usually is."""
        silent = self._monotonic() - self._heard()
        if silent <= max(LEAST_SECONDS, USUAL_FACTOR * usual_seconds):
            return self._idle()
        return f"no data for {silent:.0f} s: {self._later if self._begun() and self._later else self._advice}"
