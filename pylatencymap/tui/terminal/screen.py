"""The terminal as a screen: takes it, paints on it, and restores it."""

from __future__ import annotations

import errno
import os
import signal
import termios
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress

from ...errors import SourceError
from ...view import DrawnPicture
from ...view.style import BACKGROUND_QUERY as ASK_BACKGROUND, ViewOptions
from ...view.terminal import (
    ASK_STATUS,
    DEFAULT_SIZE,
    OutputGuard,
    ScreenEncoder,
    answers_status,
    synchronized,
    terminal_size,
)
from .input_events import CursorPlace
from .outlet import CursorWatch, FlowControl, Outlet

# Control sequences that take a terminal and give it back; and which terminals are asked.


PARKED = CursorPlace(2, 2)
"""Where each frame leaves the cursor. What others write moves it: a carriage return from any column but the first, a
line feed from any line but the last. On the first line the answer would be the same as F3 with a modifier.
"""
PARK = f"\x1b[{PARKED.line};{PARKED.column}H"
ENTER_SCREEN = f"\x1b[?1049h\x1b[?25l\x1b[2J{PARK}"
"""Alternate screen, no cursor, empty. These are the same on every terminal that has an alternate screen."""
AFTER_OTHERS = "\x18\x1b[r\x1b(B\x0f\x1b[0m\x1b[?25l"
"""What others may have left: the beginning of a sequence, a scrolling region, a character set, a colour, the cursor."""
MOUSE_ON = "\x1b[?1002h\x1b[?1006h\x1b[?2004h"
"""Buttons and wheel of the mouse, and its moves while a button is pressed, in decimal numbers; pasted text is marked.
Terminals without them ignore it.
"""
MOUSE_OFF = "\x1b[?2004l\x1b[?1006l\x1b[?1002l"
END_FRAME = "\x1b[?2026l"
"""Of synchronized output, for a frame of which only the beginning was sent."""
CANCEL = "\x18"
"""CAN cancels a sequence of which only the beginning was sent."""
LEAVE_SCREEN = f"{END_FRAME}{MOUSE_OFF}\x1b[0m\x1b[?25h\x1b[?1049l"
ASK_CURSOR = "\x1b[6n"
"""As ASK_STATUS, answered with the place of the cursor (CPR)."""

_TELL_BACKGROUND = ("xterm", "tmux", "foot", "alacritty", "kitty", "rxvt", "wezterm")


def tells_background(term: str) -> bool:
    """Whether a terminal of this type can be asked for its background; others show a part of the question."""
    return term.startswith(_TELL_BACKGROUND)


class Screen:
    """Paints pictures on a terminal, one write for each. It never waits for the terminal: while ``busy`` a picture is
    kept, and the newest is painted when the terminal is free again.

    The keyboard tells it when somebody listens for answers, and what was answered.
    """

    def __init__(
        self,
        descriptor: int,
        options: ViewOptions,
        term: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        guard: OutputGuard | None = None,
    ) -> None:
        self._descriptor = descriptor
        self._guard = guard
        self._encoder = ScreenEncoder(options)
        self._term = os.environ.get("TERM", "") if term is None else term
        self._outlet = Outlet(descriptor)
        self._flow = FlowControl(monotonic)
        self._watch = CursorWatch(PARKED, monotonic)
        self._size = DEFAULT_SIZE
        self._next: DrawnPicture | None = None
        self._last: DrawnPicture | None = None
        self._before = ""
        self._taken = False
        self._listened = False
        self._asked_background = False

    @property
    def descriptor(self) -> int:
        """The terminal's descriptor."""
        return self._descriptor

    @property
    def size(self) -> tuple[int, int]:
        """The present columns and lines; the last known ones if the terminal has gone."""
        with suppress(OSError):
            self._size = terminal_size(self._descriptor)
        return self._size

    @property
    def options(self) -> ViewOptions:
        """The view options for colours; they can change between pictures."""
        return self._encoder.options

    @options.setter
    def options(self, options: ViewOptions) -> None:
        self._encoder.options = options

    @property
    def busy(self) -> bool:
        """Whether a picture would have to wait, because the terminal has not taken or not shown the last one."""
        return self._outlet.is_full or self._flow.is_held

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The descriptor to watch: call ``flush`` when it becomes writable. Empty while nothing waits."""
        return (self._outlet.descriptor,) if self._outlet.is_full else ()

    @property
    def expects_answer(self) -> bool:
        """Whether the terminal can still answer a question."""
        return self._flow.is_open or self._watch.is_open

    def take(self) -> None:
        """Switch to the alternate screen. From now on Ctrl-C drops no output; the caller gives back the guard."""
        if not self._taken:
            if self._guard is not None:
                self._guard.take()
                self._guard.had_view = True
            self._outlet.open()
            self._taken = True
            self._outlet.write(ENTER_SCREEN)
            if self._listened:
                self._begin_listening()
        self.forget()

    def give_back(self) -> None:
        """Restore the terminal. Harmless if it was not taken or has gone."""
        if not self._taken:
            return
        self._taken, self._next, self._last = False, None, None
        try:
            with suppress(SourceError):
                self._outlet.write(CANCEL + LEAVE_SCREEN if self._outlet.drop() else LEAVE_SCREEN)
                self._outlet.finish()
        finally:
            self._outlet.close()
            self._flow.forget()
            self._watch.forget()

    def suspend(self) -> None:
        """As ``give_back``, with all modes as they were before."""
        self.give_back()
        if self._guard is not None:
            self._guard.give_back()

    def listen(self) -> None:
        """The keyboard reads reports from now on: switch the mouse on, and ask for the background colour."""
        self._listened = True
        if self._taken:
            self._begin_listening()

    def mute(self) -> None:
        """The keyboard stops reading: switch mouse reports off. Answers to earlier questions can still arrive."""
        if self._taken and self._listened:
            cut = self._outlet.drop()
            if cut:
                self._flow.forget()  # the question is the last part of a frame
            self.forget()
            self._outlet.write(CANCEL + MOUSE_OFF if cut else MOUSE_OFF)
        self._listened, self._next, self._last = False, None, None

    def answered(self) -> None:
        """The terminal has processed everything before the last question."""
        self._flow.answered()
        if self._guard is not None:
            self._guard.answers = True
        self._paint_next()

    def found_cursor(self, place: CursorPlace) -> None:
        """The terminal tells where its cursor was. If others have written over the picture, it is painted again."""
        self._watch.answered(place)
        self._repair()

    def look(self) -> None:
        """Ask where the cursor is, while there is nothing new to show."""
        if self._taken and not self.busy and self._may_ask() and self._watch.looks_again():
            self._outlet.write(ASK_CURSOR)

    def forget(self) -> None:
        """Forget what the terminal shows: every cell of the next picture is painted."""
        self._encoder.forget()

    def repaint(self) -> None:
        """Forget what the terminal shows, and the state in which others may have left it."""
        self.forget()
        self._before = AFTER_OTHERS

    def copy(self, text: str) -> None:
        """Have the terminal put a text on its clipboard (OSC 52)."""
        if self._taken:
            self._outlet.write(f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07")

    def ring(self) -> None:
        """Ring the terminal's bell."""
        if self._taken:
            self._outlet.write("\a")

    def show(self, drawn: DrawnPicture) -> None:
        """Paint what has changed; while the terminal is busy the newest picture waits. Raises SourceError when the
        terminal has gone.
        """
        self._next = drawn
        self.flush()

    def flush(self) -> None:
        """Send as much as the terminal takes now. Raises SourceError if it has gone."""
        self._outlet.flush()
        self._repair()
        self._paint_next()

    def _repair(self) -> None:
        """Paint the last picture again if others have written over it."""
        if self._last is not None and self._watch.repairs():
            self.repaint()
            self._next = self._next or self._last
            self._paint_next()

    def _paint_next(self) -> None:
        if self._next is None or self.busy or not self._taken:
            return
        drawn, self._next = self._next, None
        self._last, is_whole = drawn, self._encoder.shown is None
        self._send(self._encoder.encode(drawn), is_whole=is_whole)

    def _send(self, text: str, *, is_whole: bool) -> None:
        """Send one frame. A question before it tells whether the cursor is where the last frame left it, which does
        not matter if the whole screen is painted. Another question follows it if the flow control wants one.
        """
        if not text:
            return
        asks = self._may_ask()
        look = ASK_CURSOR if asks and not is_whole and self._watch.looks() else ""
        question = ASK_STATUS if asks and self._flow.frame() else ""
        before, self._before = self._before, ""
        self._outlet.write(before + look + synchronized(text + PARK) + question)

    def _begin_listening(self) -> None:
        text = MOUSE_ON
        if self._may_ask() and tells_background(self._term) and not self._asked_background:
            self._asked_background = True
            self._flow.ask()
            # A terminal that does not know the first question answers the second: nothing more is to come then.
            text += ASK_BACKGROUND + ASK_STATUS
        self._outlet.write(text)

    def _may_ask(self) -> bool:
        return self._listened and answers_status(self._term)


# Ctrl-Z as in any other program, and the return to the foreground.


def suspend_process() -> None:
    """Stop this process as Ctrl-Z does; give the terminal back first. Returns when the process is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        signal.raise_signal(signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGTSTP, handler)


def wait_for_foreground(descriptor: int, is_over: Callable[[], bool]) -> None:
    """Wait until this process is in the foreground of the terminal behind ``descriptor``.

    It is stopped meanwhile, and the shell says so: ``bg`` does not do, for there is nothing to see in the background. A
    signal that ends the session (``is_over``) ends the waiting.
    """
    while os.isatty(descriptor) and not is_over():
        try:
            # Changes nothing, but who tries it in the background is stopped by the kernel (SIGTTOU). tcsetattr would
            # do that too, and then set what it had been given: what the shell had set for its own prompt.
            termios.tcflow(descriptor, termios.TCOON)
        except termios.error as error:
            if error.args[0] == errno.EINTR:
                continue
        return  # also where nobody could bring us to the foreground: what comes next will tell
