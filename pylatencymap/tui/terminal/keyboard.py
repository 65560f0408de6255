"""Reads keys and other events from the terminal, even if standard input is the data."""

from __future__ import annotations

import os
import select
import termios
import time
import tty
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol

from ...errors import SourceError
from .input_events import CursorPlace, TerminalDone, TerminalEvent
from .key_names import KeyNames
from .tokenizer import Replies, Tokenizer

ESC_SECONDS = 0.05
"""Bytes that follow an Esc within this time belong to its sequence: nobody types that fast."""
STALE_SECONDS = 1.0
"""What began a sequence or a paste before a silence of this length has been cut off."""
LAST_ANSWER_SECONDS = 1.0
"""How long to wait for an answer of the terminal at the end, so that it does not end up in the shell."""
_READ_BYTES = 65536


class Listener(Protocol):
    """What wants to know that somebody reads the terminal's answers, and which came: the screen."""

    @property
    def expects_answer(self) -> bool: ...

    def listen(self) -> None: ...

    def mute(self) -> None: ...

    def answered(self) -> None: ...

    def found_cursor(self, place: CursorPlace) -> None: ...


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
    """Single keys without echo, and the mouse. The terminal's signal keys (Ctrl-C, Ctrl-Z) keep their meaning."""

    def __init__(
        self,
        listener: Listener | None = None,
        descriptor: int = 0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listener = listener
        self._descriptor = descriptor
        self._monotonic = monotonic
        self._keys = KeyNames()
        self._tokens = Tokenizer()
        self._replies = Replies(self._keys)
        self._heard = monotonic()
        self._before: list[Any] | None = None

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The descriptors to wait on for keys; empty while the keyboard is not taken."""
        return (self._descriptor,) if self._before is not None else ()

    def take(self) -> None:
        """Read keys one by one from now on. Does nothing without a terminal."""
        if self._before is not None or not os.isatty(self._descriptor):
            return
        try:
            before = termios.tcgetattr(self._descriptor)
            tty.setcbreak(self._descriptor, termios.TCSANOW)
        except termios.error:
            return  # it has gone, or it is another job's
        self._before = before
        if self._listener is not None:
            self._listener.listen()

    def learn(self) -> None:
        """Load the names of the terminal's keys now, not at the first key: it takes a tenth of a second."""
        if self._before is not None:
            self._keys.learn()

    def give_back(self) -> None:
        """Restore the terminal's line discipline. Harmless if it was not taken or the terminal has gone."""
        if self._before is None:
            return
        try:
            self._end_listening()
        finally:
            self._restore()

    def pressed(self) -> list[TerminalEvent]:
        """What was pressed, clicked or told, in order. There is nothing any more when the terminal has gone.

        Waits, for ESC_SECONDS, only behind an Esc with which a longer sequence may begin.
        """
        events: list[TerminalEvent] = []
        for event in self._received():
            if isinstance(event, TerminalDone):
                if self._listener is not None:
                    self._listener.answered()
            elif isinstance(event, CursorPlace):
                if self._listener is not None:
                    self._listener.found_cursor(event)
            else:
                events.append(event)
        return events

    def _received(self) -> Iterable[TerminalEvent | TerminalDone | CursorPlace]:
        try:
            tokens = self._read()
        except (EOFError, OSError):
            self._restore()
            return []
        return [event for token in tokens if (event := self._replies.event(token)) is not None]

    def _read(self) -> list[bytes]:
        """The complete tokens of the waiting input."""
        now = self._monotonic()
        if now - self._heard > STALE_SECONDS:
            self._tokens.settle()
            self._replies.forget()
        tokens: list[bytes] = []
        patience = 0.0
        while select.select([self._descriptor], [], [], patience)[0]:
            data = os.read(self._descriptor, _READ_BYTES)
            if not data:
                raise EOFError
            tokens += self._tokens.feed(data)
            self._heard = now
            patience = ESC_SECONDS if self._tokens.is_doubtful else 0.0
        return tokens + (self._tokens.settle() if self._tokens.is_doubtful else [])

    def _restore(self) -> None:
        before, self._before = self._before, None
        self._tokens, self._replies = Tokenizer(), Replies(self._keys)
        if before is not None:
            with suppress(termios.error):
                # At once: waiting for the output to drain, as blessed does, never ends where Ctrl-S holds it.
                termios.tcsetattr(self._descriptor, termios.TCSANOW, before)

    def _end_listening(self) -> None:
        """Let the terminal report nothing more, and take the answer that is on its way."""
        if self._listener is None:
            return
        deadline = self._monotonic() + LAST_ANSWER_SECONDS
        with suppress(SourceError):
            self._listener.mute()
            while self._before is not None and self._listener.expects_answer:
                left = deadline - self._monotonic()
                if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                    return
                self.pressed()
