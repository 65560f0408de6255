"""Tracks how far the terminal has got: output that was sent may not have been shown yet.

Output to a remote terminal waits in the buffers of the pty, sshd and TCP; on a link of 2 kB/s these hold minutes of
frames. The terminal answers a question after a frame when it has processed the frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FAST_SECONDS = 0.3
"""A frame that follows the last one, or its answer, faster than this ends in a question: slower ones do not queue."""
LOST_SECONDS = 10.0
"""After this time an answer is considered lost."""


class FlowControl:
    """Decides which frame ends in a question, and when the next frame must wait for the answer.

    At most one question is open. A terminal that has never answered is never waited for.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._asked: float | None = None
        self._last = -LOST_SECONDS
        self._answers = False

    def ask(self) -> None:
        """Note that a question is sent."""
        self._asked = self._monotonic()

    def frame(self) -> bool:
        """Note that a frame is sent. Returns whether a question must follow it."""
        now = self._monotonic()
        fast, self._last = now - self._last < FAST_SECONDS, now
        if not fast or self.is_open:
            return False
        self.ask()
        return True

    def answered(self) -> None:
        """Note the answer: the terminal has processed everything before the question."""
        self._answers, self._asked, self._last = True, None, self._monotonic()

    def forget(self) -> None:
        """Note that the question was never sent."""
        self._asked = None

    @property
    def is_open(self) -> bool:
        """Whether an answer can still arrive. After a lost answer, we rely on no other until one arrives."""
        if self._asked is not None and self._monotonic() - self._asked >= LOST_SECONDS:
            self._asked, self._answers = None, False
        return self._asked is not None

    @property
    def is_held(self) -> bool:
        """Whether the next frame must wait."""
        return self.is_open and self._answers
