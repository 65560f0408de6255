"""Keeps a terminal from dropping output at Ctrl-C."""

from __future__ import annotations

import os
import termios
from types import TracebackType
from typing import TextIO

_LOCAL_MODES = 3
"""The index of the local modes in what tcgetattr returns."""


class OutputGuard:
    """While it is taken, keys that send a signal leave the output of the terminal alone (NOFLSH).

    Otherwise Ctrl-C drops what was written and has not been read by the terminal yet. If that was the end of a colour,
    or the sequence that leaves the alternate screen, the colour or the screen would stay after our end.

    It does nothing if ``stream`` is no terminal, and in the background, where changing the modes would stop us.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._taken = False

    def __enter__(self) -> OutputGuard:
        self.take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()

    def take(self) -> None:
        """Keep output from now on. Harmless if it is taken already."""
        if not self._taken:
            self._taken = self._set(keep=True)

    def give_back(self) -> None:
        """Restore what was set before. Call this after the last output. Harmless if it is not taken."""
        if self._taken:
            self._taken = False
            self._set(keep=False)

    def _set(self, *, keep: bool) -> bool:
        """Set or clear the mode; returns whether that changed it."""
        try:
            if not self._stream.isatty():
                return False
            descriptor = self._stream.fileno()
            modes = termios.tcgetattr(descriptor)
            if bool(modes[_LOCAL_MODES] & termios.NOFLSH) == keep or os.tcgetpgrp(descriptor) != os.getpgrp():
                return False
            modes[_LOCAL_MODES] ^= termios.NOFLSH
            termios.tcsetattr(descriptor, termios.TCSANOW, modes)
        except (OSError, ValueError, termios.error):  # it has gone, or is closed
            return False
        return True
