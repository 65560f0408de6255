"""Writes to a terminal without ever waiting for it."""

from __future__ import annotations

import os
import select
import termios
from contextlib import suppress

from ...errors import SourceError

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
