"""Keeps a terminal from dropping output at Ctrl-C, until it has shown all of it."""

from __future__ import annotations

import os
import re
import select
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

ASK_STATUS = "\x1b[5n"
"""DSR (Source: ECMA-48): a terminal answers as soon as it has processed everything before it."""
SHOWN_SECONDS = 3.0
"""How long to wait for that answer behind the last output."""
NO_STYLE = "\x1b[0m"
"""Its Esc also ends a sequence of which only the beginning was shown."""
NO_MODES = "\x1b[?2026l\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?25h"
"""What a view has set, except the alternate screen: to leave it twice would move the cursor."""
MUTE_SECONDS = 0.7
"""How long to wait for a terminal that cannot be asked."""
_STATUS = re.compile(rb"\x1b\[[03]n")
_MUTE_TERMINALS = ("linux", "dumb")
_LOCAL_MODES = 3
"""The index of the local modes in what tcgetattr returns."""


def answers_status(term: str) -> bool:
    """Whether a terminal of this type can be asked for its status without answering in plain text."""
    return bool(term) and not term.startswith(_MUTE_TERMINALS)


class OutputGuard:
    """While it is taken, keys that send a signal leave the output of the terminal alone (NOFLSH).

    Otherwise Ctrl-C drops what was written and has not been read by the terminal yet. If that was the end of a colour,
    or the sequence that leaves the alternate screen, the colour or the screen would stay after our end. It is so for
    a Ctrl-C after our end too, so ``give_back`` waits until the terminal has shown everything. Only the terminal
    itself can tell: a pseudo-terminal says of output that was not read yet that it is gone (tcdrain, TIOCOUTQ).

    It does nothing if ``stream`` is no terminal, and in the background, where changing the modes would stop us.
    ``answers``: the terminal has answered a question; ``had_view``: a view has set modes. The screen sets both.
    """

    def __init__(
        self,
        stream: TextIO,
        term: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._stream = stream
        self._term = os.environ.get("TERM", "") if term is None else term
        self._monotonic = monotonic
        self._sleep = sleep
        self._taken = False
        self.answers = self.had_view = False

    def take(self) -> None:
        """Keep output from now on. Harmless if it is taken already."""
        if not self._taken:
            self._taken = self._set(keep=True)

    def give_back(self, *, interrupted: bool = False) -> None:
        """Restore what was set before. Call this after the last output. Harmless if it is not taken.

        A terminal that is known to answer is waited for. If the user has ``interrupted``, others are waited for too,
        because Ctrl-C is often pressed again, and the modes are restored once more; those that cannot be asked get
        some time.
        """
        if not self._taken:
            return
        self._taken = False
        try:
            if interrupted:
                with suppress(OSError, ValueError):
                    self._stream.write(NO_STYLE + (NO_MODES if self.had_view else ""))
                    self._stream.flush()
            if self.answers or (interrupted and answers_status(self._term)):
                with suppress(OSError, ValueError, termios.error):
                    self._wait_until_shown()
            elif interrupted:
                self._sleep(MUTE_SECONDS)
        finally:
            self._set(keep=False)

    def _set(self, *, keep: bool) -> bool:
        """Set or clear the mode; returns whether that changed it."""
        try:
            if not self._is_ours():
                return False
            descriptor = self._stream.fileno()
            modes = termios.tcgetattr(descriptor)
            if bool(modes[_LOCAL_MODES] & termios.NOFLSH) == keep:
                return False
            modes[_LOCAL_MODES] ^= termios.NOFLSH
            termios.tcsetattr(descriptor, termios.TCSANOW, modes)
        except (OSError, ValueError, termios.error):  # it has gone, or is closed
            return False
        return True

    def _is_ours(self) -> bool:
        """Whether this is a terminal with us in its foreground."""
        return self._stream.isatty() and os.tcgetpgrp(self._stream.fileno()) == os.getpgrp()

    def _wait_until_shown(self) -> None:
        """Ask the terminal for its status, and wait for the answer."""
        if not self._is_ours():
            return
        name = os.ttyname(self._stream.fileno())
        terminal = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            before = termios.tcgetattr(terminal)
            quiet = termios.tcgetattr(terminal)
            quiet[_LOCAL_MODES] &= ~(termios.ICANON | termios.ECHO)
            termios.tcsetattr(terminal, termios.TCSANOW, quiet)
            try:
                self._ask(terminal)
            finally:
                termios.tcsetattr(terminal, termios.TCSANOW, before)
        finally:
            os.close(terminal)

    def _ask(self, terminal: int) -> None:
        deadline = self._monotonic() + SHOWN_SECONDS
        question, heard = ASK_STATUS.encode(), b""
        while not _STATUS.search(heard) and (left := deadline - self._monotonic()) > 0:
            ready, room, _ = select.select([terminal], [terminal] if question else [], [], left)
            if room:
                question = question[os.write(terminal, question) :]
            if ready:
                piece = os.read(terminal, 4096)
                if not piece:
                    return
                heard += piece
