"""Messages to the user while a live view has the terminal: it shows them, and they are printed when it ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Protocol

SHOWN_SECONDS = 4.0
MOST_SHOWN = 6
"""At most this many messages are shown in a view. All of them are printed when it has ended."""


class NoticeQueue:
    """Holds messages in their order. ``current_notice`` is the message to show now: each is shown for SHOWN_SECONDS
    from the first time it was asked for.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._messages: list[str] = []
        self._place = 0
        self._since: float | None = None
        self._lock = Lock()

    def add(self, message: str) -> None:
        """Add a message, from any thread."""
        with self._lock:
            self._messages.append(message)

    def current_notice(self) -> str:
        """The message to show now; empty when all have been shown long enough."""
        now = self._monotonic()
        if self._since is not None and now - self._since >= SHOWN_SECONDS:
            self._place, self._since = self._place + 1, None
        if self._place >= min(len(self._messages), MOST_SHOWN):
            return ""
        self._since = now if self._since is None else self._since
        return self._messages[self._place]

    def release(self) -> list[str]:
        """Hand over all messages and forget them."""
        with self._lock:
            messages, self._messages = self._messages, []
        self._place = 0
        return messages


# Silent sources: for how long, and what to do about it.


LEAST_SECONDS = 3.0
USUAL_FACTOR = 2.5


class SilenceNotice(Protocol):
    """Explains why there are no new data, if the pause is longer than usual."""

    def silence_notice(self, usual_seconds: float, /) -> str: ...

    def stalled(self, usual_seconds: float, /) -> float:
        """For how many seconds a source has been silent; 0 unless that is longer than usual."""
        ...


class SilenceTimer:
    """Measures how long a source has been silent.

    ``heard`` returns the monotonic time at which data last arrived; ``advice`` the end of the message; ``idle`` the
    message for a source that is not silent but has reported no events yet.
    """

    def __init__(
        self,
        heard: Callable[[], float],
        advice: Callable[[], str],
        monotonic: Callable[[], float] = time.monotonic,
        *,
        idle: Callable[[], str] = lambda: "",
    ) -> None:
        self._heard = heard
        self._advice = advice
        self._idle = idle
        self._monotonic = monotonic

    def silence_notice(self, usual_seconds: float) -> str:
        """The message for the screen; that of ``idle`` unless the source is silent for longer than usual."""
        silent = SilenceTimer.stalled(self, usual_seconds)
        return f"no data for {silent:.0f} s: {self._advice()}" if silent else self._idle()

    def stalled(self, usual_seconds: float) -> float:
        """For how many seconds the source has been silent; 0 unless that is longer than usual."""
        silent = self._monotonic() - self._heard()
        return silent if silent > max(LEAST_SECONDS, USUAL_FACTOR * usual_seconds) else 0.0


class FirstAdvice:
    """Says once what to do about a source that has not spoken for LEAST_SECONDS: what ``advice`` returns then.
    ``begun`` returns whether any text has come from it.
    """

    def __init__(
        self, advice: Callable[[], str], begun: Callable[[], bool], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._advice = advice
        self._begun = begun
        self._monotonic = monotonic
        self._since: float | None = monotonic()

    def due(self) -> str:
        """The message, when it is due; otherwise an empty text."""
        if self._since is None or (silent := self._monotonic() - self._since) < LEAST_SECONDS:
            return ""
        self._since = None
        so_far = ", only text without any" if self._begun() else ""
        return f"no data for {silent:.0f} s{so_far}: {self._advice()}"
