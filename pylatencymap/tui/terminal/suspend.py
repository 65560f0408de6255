"""Ctrl-Z as every program does it, and coming back."""

from __future__ import annotations

import errno
import os
import signal
import termios
from collections.abc import Callable


def stop() -> None:
    """Stop this process as Ctrl-Z does; the terminal must have been given back. Returns when somebody lets it go on."""
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
