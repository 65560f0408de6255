"""Keys, from the terminal even where standard input is the data."""

from __future__ import annotations

import os
import sys
import termios
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blessed import Terminal


def free_stdin_for_keys() -> int:
    """Move piped data to another descriptor, which is returned, and put the terminal in place of standard input.

    Where the process has no terminal, standard input stays what it is and is returned.
    """
    if os.isatty(0):
        return 0
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return 0
    data = os.dup(0)
    os.dup2(terminal, 0)
    os.close(terminal)
    return data


class Keyboard:
    """Single keys without echo. The terminal's signal keys (Ctrl-C, Ctrl-Z) keep their meaning."""

    def __init__(self) -> None:
        self._terminal: Terminal | None = None
        self._mode: AbstractContextManager[None] | None = None

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What to wait on for keys; nothing while the keyboard is not taken."""
        return (0,) if self._mode is not None else ()

    def take(self) -> None:
        """Read keys one by one from now on; where there is no terminal to read from nothing happens."""
        if not os.isatty(0):
            return
        if self._terminal is None:
            from blessed import Terminal

            # With styling it asks the terminal what it can do, and waits 10 s where nothing answers.
            self._terminal = Terminal(stream=sys.__stdout__, force_styling=None)
        self._mode = self._terminal.cbreak()
        self._mode.__enter__()

    def give_back(self) -> None:
        """Restore the terminal's line discipline; harmless when it was not taken, or when the terminal has gone."""
        if self._mode is not None:
            mode, self._mode = self._mode, None
            with suppress(termios.error):
                mode.__exit__(None, None, None)

    def pressed(self) -> list[str]:
        """Keys that wait: a character, or a name as KEY_LEFT. There are none any more when the terminal has gone."""
        keys: list[str] = []
        try:
            while self._terminal is not None and (key := self._terminal.inkey(timeout=0)):
                keys.append(key.name if key.is_sequence and key.name else str(key))
        except (EOFError, OSError):
            self.give_back()
        return keys
