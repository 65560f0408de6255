"""The notice that the view shows while the database does not answer: what happened, since when, and what comes next."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, tzinfo

from ..session import SilenceTimer

NOTICE_SECONDS = 15.0
"""How long a notice stays on the screen after an outage is over."""
ADVICE = "the database has not answered yet"


class ConnectionStatus(SilenceTimer):
    """The state of the connection. The sampling thread writes it, and the drawing thread reads it. ``zone`` is the zone
    of the clock times in its messages, ``advice`` what to say before the first answer.
    """

    def __init__(
        self,
        zone: tzinfo | None,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        advice: str = ADVICE,
    ) -> None:
        self.heard = monotonic()
        super().__init__(lambda: self.heard, lambda: advice, monotonic)
        self._zone = zone
        self._clock = monotonic
        self._now = now
        self._asked = self.heard, self._time()
        self._away: tuple[str, float, str] | None = None
        self._retry = 0.0
        self._news: tuple[str, float] | None = None

    def set_notice(self, news: str) -> None:
        """Show a notice for NOTICE_SECONDS."""
        self._news = (news, self._clock() + NOTICE_SECONDS)

    def asks(self) -> None:
        """Note that a call begins. If the database does not answer it, the outage began now."""
        self._asked = self._clock(), self._time()

    def lost(self, reason: str, retry: float) -> None:
        """Note that the database does not answer, and that the next try is in ``retry`` seconds."""
        since, at = self._away[1:] if self._away else self._asked
        self._away, self._retry = (reason, since, at), self._clock() + retry

    def answered(self) -> str:
        """Note that the database has answered. If that ends an outage, show and return a text about it:
        ``away 14:03:22 to 14:03:47: ...``, or ``at 14:03:22: ...`` if the database was back within the second.
        """
        self.heard = self._clock()
        if self._away is None:
            return ""
        (reason, _, at), self._away = self._away, None
        now = self._time()
        over = f"at {at}: {reason}" if at == now else f"away {at} to {now}: {reason}"
        self.set_notice(over)
        return over

    def silence_notice(self, usual_seconds: float) -> str:
        """What the screen should say now."""
        away, news, now = self._away, self._news, self._clock()
        if away is not None:
            reason, since, at = away
            wait = max(self._retry - now, 0.0)
            doing = f"next try in {wait:.0f} s" if wait >= 1 else "trying again"
            return f"away since {at} ({now - since:.0f} s): {reason}; {doing}"
        if news is not None and now < news[1]:
            return news[0]
        return super().silence_notice(usual_seconds)

    def stalled(self, usual_seconds: float) -> float:
        """For how many seconds the database has been away, or silent for longer than usual."""
        away = self._away
        return self._clock() - away[1] if away is not None else super().stalled(usual_seconds)

    def _time(self) -> str:
        return datetime.fromtimestamp(self._now(), self._zone).strftime("%H:%M:%S")
