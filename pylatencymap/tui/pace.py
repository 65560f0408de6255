"""When the next frame of the live view is due."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_SECONDS = 1 / 30
TEXT_SECONDS = 1 / 5
"""How long texts may be behind the columns, where these come faster than texts can be read."""
TEXT_SHARE = 1 / 20
"""Of the time may go into pictures that are drawn for their texts: a slow or busy machine draws columns first."""
LONGEST_TEXT_SECONDS = 1.0
IDLE_SECONDS = 0.5


class Pace:
    """``urgent``: a frame has to come at once. ``stale``: data have come since the last picture. ``seen``: their
    columns are on the screen all the same, and only texts are behind.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self._text_seconds = TEXT_SECONDS
        self.stale = self.urgent = True
        self.seen = False

    def came(self, *, seen: bool) -> None:
        """Data have come."""
        self.stale, self.seen = True, seen

    def drawn(self, begun: float) -> None:
        """A picture was drawn, of all that has come; it was begun at a moment on our clock."""
        self._last = self._monotonic()
        wanted = (self._last - begun) / TEXT_SHARE
        self._text_seconds = min(max(wanted, TEXT_SECONDS), LONGEST_TEXT_SECONDS)
        self.stale = self.urgent = self.seen = False

    def skip(self) -> None:
        """There was nothing new to draw when a frame was due."""
        self._last = self._monotonic()

    @property
    def left(self) -> float:
        """Seconds until a frame is due, if there is something to draw."""
        return 0.0 if self.urgent else max(0.0, self._last + self._seconds - self._monotonic())

    @property
    def text_is_due(self) -> bool:
        """Whether texts have been behind for as long as they may be."""
        return self._monotonic() - self._last >= self._text_seconds

    @property
    def _seconds(self) -> float:
        """From one frame to the next."""
        if not self.stale:
            return IDLE_SECONDS
        return self._text_seconds if self.seen else FRAME_SECONDS
