"""When the next frame of the live view is due."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_SECONDS = 1 / 30
IDLE_SECONDS = 0.5
TEXTS_A_SECOND = 5
"""While columns come faster than this, texts and numbers do not follow each of them."""
COMPLETE_SECONDS = 1 / TEXTS_A_SECOND - FRAME_SECONDS
"""When nothing more has come for so long, they catch up."""


class Pace:
    """``urgent``: a frame has to come at once. ``stale``: data have come since the last picture. ``waits_for_texts``:
    texts of the last picture may be older than its columns.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()
        self.stale = self.urgent = True
        self.waits_for_texts = False

    @property
    def tick(self) -> int:
        """The number of the moment for which texts may stay as they are."""
        return int(self._monotonic() * TEXTS_A_SECOND)

    def drawn(self, *, complete: bool = True) -> None:
        """A picture was drawn, of all that has come; ``complete``: its texts too."""
        self._last = self._monotonic()
        self.stale = self.urgent = False
        self.waits_for_texts = not complete

    def skip(self) -> None:
        """There was nothing new to draw when a frame was due."""
        self._last = self._monotonic()

    @property
    def left(self) -> float:
        """Seconds until a frame is due, if there is something to draw."""
        if self.urgent:
            return 0.0
        seconds = FRAME_SECONDS if self.stale else COMPLETE_SECONDS if self.waits_for_texts else IDLE_SECONDS
        return max(0.0, self._last + seconds - self._monotonic())
