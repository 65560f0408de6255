"""What the view says while the database is away: what happened, since when, and what is being done."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, tzinfo

from ..session import SilenceTimer

NOTICE_SECONDS = 15.0
"""How long what is over stays on the screen."""
ADVICE = "the database has not answered yet"


class ConnectionStatus(SilenceTimer):
    """Written by the thread that samples, read by the one that draws. ``zone`` is that of the clock times."""

    def __init__(
        self,
        zone: tzinfo | None,
        monotonic: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.heard = monotonic()
        super().__init__(lambda: self.heard, ADVICE, monotonic)
        self._zone = zone
        self._clock = monotonic
        self._now = now
        self._asked = self.heard, self._time()
        self._away: tuple[str, float, str] | None = None
        self._retry = 0.0
        self._news: tuple[str, float] | None = None

    def told(self, news: str) -> None:
        """Something to show for a while."""
        self._news = (news, self._clock() + NOTICE_SECONDS)

    def asks(self) -> None:
        """A call begins. If the database does not answer it, it has been away since now."""
        self._asked = self._clock(), self._time()

    def lost(self, reason: str, retry: float) -> None:
        """The database does not answer, and is tried again in ``retry`` seconds."""
        since, at = self._away[1:] if self._away else self._asked
        self._away, self._retry = (reason, since, at), self._clock() + retry

    def answered(self) -> str:
        """The database has answered. What is over, if something is: ``away 14:03:22 to 14:03:47: ...``, or
        ``at 14:03:22: ...`` where it was back at once.
        """
        self.heard = self._clock()
        if self._away is None:
            return ""
        (reason, _, at), self._away = self._away, None
        now = self._time()
        over = f"at {at}: {reason}" if at == now else f"away {at} to {now}: {reason}"
        self.told(over)
        return over

    def message(self, usual_seconds: float) -> str:
        """What the screen should say now."""
        away, news, now = self._away, self._news, self._clock()
        if away is not None:
            reason, since, at = away
            wait = max(self._retry - now, 0.0)
            doing = f"next try in {wait:.0f} s" if wait >= 1 else "trying again"
            return f"away since {at} ({now - since:.0f} s): {reason}; {doing}"
        if news is not None and now < news[1]:
            return news[0]
        return super().message(usual_seconds)

    def _time(self) -> str:
        return datetime.fromtimestamp(self._now(), self._zone).strftime("%H:%M:%S")
