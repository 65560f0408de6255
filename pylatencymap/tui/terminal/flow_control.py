"""How far the terminal has got: what has been sent is not what has been shown.

What is written to a terminal far away waits in the buffers of the pty, sshd and TCP: a link of 2 kB/s hides minutes of
frames there. A question behind a frame is answered when the frame is through.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FAST_SECONDS = 0.3
"""A frame that follows the one before, or its answer, in less than this is asked about; slower ones do not queue up."""
LOST_SECONDS = 10.0
"""An answer that has not come in this time will not come."""


class FlowControl:
    """Decides which frame ends in a question, and when the next has to wait for the answer.

    At most one question is open. A terminal that has never answered is never waited for.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._asked: float | None = None
        self._last = -LOST_SECONDS
        self._answers = False

    def ask(self) -> None:
        """A question is sent."""
        self._asked = self._monotonic()

    def frame(self) -> bool:
        """A frame is sent; whether a question is to follow it."""
        now = self._monotonic()
        fast, self._last = now - self._last < FAST_SECONDS, now
        if not fast or self.is_open:
            return False
        self.ask()
        return True

    def answered(self) -> None:
        """The terminal has done all that came before the question."""
        self._answers, self._asked, self._last = True, None, self._monotonic()

    def forget(self) -> None:
        """The question was never sent."""
        self._asked = None

    @property
    def is_open(self) -> bool:
        """Whether an answer may still come. A terminal that has lost one is not relied on until it answers again."""
        if self._asked is not None and self._monotonic() - self._asked >= LOST_SECONDS:
            self._asked, self._answers = None, False
        return self._asked is not None

    @property
    def is_held(self) -> bool:
        """Whether the next frame has to wait."""
        return self.is_open and self._answers
