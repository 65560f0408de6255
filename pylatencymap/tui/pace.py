"""When the next frame of the live view is due."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_SECONDS = 1 / 30
IDLE_SECONDS = 0.5


class Pace:
    """``urgent``: a frame has to come at once. ``stale``: data have come since the last picture."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self.stale = self.urgent = True

    def drawn(self) -> None:
        """A picture was drawn, of all that has come."""
        self._last = self._monotonic()
        self.stale = self.urgent = False

    def skip(self) -> None:
        """There was nothing new to draw when a frame was due."""
        self._last = self._monotonic()

    @property
    def left(self) -> float:
        """Seconds until a frame is due, if there is something to draw."""
        if self.urgent:
            return 0.0
        seconds = FRAME_SECONDS if self.stale else IDLE_SECONDS
        return max(0.0, self._last + seconds - self._monotonic())
