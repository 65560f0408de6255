"""Writes to a terminal without ever waiting for it, and notices what others write there."""

from __future__ import annotations

import os
import select
import termios
import time
from collections.abc import Callable
from contextlib import suppress

from ...errors import SourceError
from .input_events import CursorPlace

STUCK_SECONDS = 5.0
"""A terminal that takes nothing for so long while it is given back is left to itself."""


class Outlet:
    """Sends bytes to the terminal behind a descriptor, and keeps what the terminal has not taken yet.

    It opens the terminal once more: O_NONBLOCK belongs to the open file, which the shell and others share with us
    through the descriptors that we were given.
    """

    def __init__(self, descriptor: int) -> None:
        self._given = descriptor
        self._own: int | None = None
        self._rest = b""

    @property
    def descriptor(self) -> int:
        return self._given if self._own is None else self._own

    @property
    def is_full(self) -> bool:
        """Whether output waits for the terminal."""
        return bool(self._rest)

    def open(self) -> None:
        """Open the terminal. If that is not allowed (another user's terminal), use the given descriptor."""
        if self._own is None:
            with suppress(OSError):
                self._own = os.open(os.ttyname(self._given), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)

    def close(self) -> None:
        self._rest = b""
        if self._own is not None:
            own, self._own = self._own, None
            os.close(own)

    def write(self, text: str) -> None:
        """Send as much as the terminal takes now and keep the rest. Raises SourceError if it has gone."""
        self._rest += text.encode("utf-8", "replace")
        self.flush()

    def flush(self) -> None:
        """Send as much of the rest as the terminal takes now. Raises SourceError if it has gone."""
        try:
            while self._rest:
                self._rest = self._rest[os.write(self.descriptor, self._rest) :]
        except BlockingIOError:
            return
        except OSError as error:
            raise SourceError(f"the terminal cannot be written any more: {error.strerror}") from error

    def drop(self) -> bool:
        """Drop the waiting output. Returns whether the terminal has received only a part of a write."""
        cut, self._rest = bool(self._rest), b""
        return cut

    def finish(self) -> None:
        """Wait until all is sent, as long as the terminal takes anything; a Ctrl-S holds it no longer.

        Raises SourceError when the terminal has gone.
        """
        if self._rest:
            with suppress(termios.error):
                for action in (termios.TCOOFF, termios.TCOON):  # TCOON alone only undoes a TCOOFF
                    termios.tcflow(self.descriptor, action)
        while self._rest and select.select([], [self.descriptor], [], STUCK_SECONDS)[1]:
            self.flush()


# Tracks how far the terminal has got: output that was sent may not have been shown yet.
#
# Output to a remote terminal waits in the buffers of the pty, sshd and TCP; on a link of 2 kB/s these hold minutes of
# frames. The terminal answers a question after a frame when it has processed the frame.


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


# Notices what others write over the picture: messages of the piped program, wall, a prompt.


LOOK_SECONDS = 1.0
"""How often to look while there is nothing new to show."""
REPAIR_SECONDS = 1.0
"""The picture is painted again at most this often, even if others write all the time."""


class CursorWatch:
    """Each frame leaves the cursor at the same place. If it is elsewhere before the next one, others have moved it.

    A terminal that does not answer within LOST_SECONDS is not asked again, until an answer arrives after all.
    """

    def __init__(self, parked: CursorPlace, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._parked = parked
        self._monotonic = monotonic
        self._open = 0
        self._asked = self._repaired = -LOST_SECONDS
        self._spoilt = False

    def looks(self) -> bool:
        """Whether to ask now; notes that a question is sent."""
        if self._open and self._monotonic() - self._asked >= LOST_SECONDS:
            return False
        if not self._open:
            self._asked = self._monotonic()
        self._open += 1
        return True

    def looks_again(self) -> bool:
        """The same between two frames: only now and then, and not while an answer is expected."""
        return not self._open and self._monotonic() - self._asked >= LOOK_SECONDS and self.looks()

    def answered(self, place: CursorPlace) -> None:
        """Note the place of the cursor at the time of the oldest open question."""
        if self._open:
            self._open -= 1
            self._asked = self._monotonic()
            self._spoilt = self._spoilt or place != self._parked

    def repairs(self) -> bool:
        """Whether to paint the whole picture now, because others have written over it; notes that it is painted."""
        now = self._monotonic()
        if not self._spoilt or now - self._repaired < REPAIR_SECONDS:
            return False
        self._spoilt, self._repaired = False, now
        return True

    def forget(self) -> None:
        """Note that the terminal was given back: answers that still come are of no use."""
        self._open, self._spoilt = 0, False

    @property
    def is_open(self) -> bool:
        """Whether an answer can still arrive."""
        return self._open > 0 and self._monotonic() - self._asked < LOST_SECONDS
