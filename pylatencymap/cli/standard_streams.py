"""Standard input, output and error: made usable whatever the caller left of them, and written to."""

from __future__ import annotations

import contextlib
import io
import os
import sys

from ..errors import LatencyMapError
from ..text import fit
from ..text.clean import printable

MAX_MESSAGE = 2000
MAX_PROGRESS = 79
"""A longer line would wrap on narrow terminals, and could not be taken back."""

_command = "pylatencymap"
"""What the user typed: messages begin with it."""


def prepare_streams(command: str) -> None:
    """Messages come from ``command`` from now on. Put /dev/null in the place of closed descriptors, so that no file
    that is opened later takes their numbers, and let characters that the encoding of standard output does not know cost
    no more than themselves.
    """
    global _command
    _command = command
    for number, mode in ((0, "r"), (1, "w"), (2, "w")):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        name = ("stdin", "stdout", "stderr")[number]
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - as long as we run
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def write_utf8() -> None:
    """Write UTF-8 to standard output from now on: text for programs does not depend on the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def print_text(text: str) -> None:
    """Text on standard output, at once. Raises BrokenPipeError where nobody reads it any more."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_stdout()
        raise LatencyMapError(f"standard output cannot be written: {error.strerror}") from error


def print_notice(message: str) -> None:
    """A message on standard error; what it quotes from outside cannot steer the terminal."""
    with contextlib.suppress(OSError):  # there is nobody left to tell
        print(f"{_command}: {printable(message, MAX_MESSAGE)}", file=sys.stderr, flush=True)


def show_progress(text: str) -> None:
    """How far something is, in the last line of a terminal that shows nothing else meanwhile; empty: it is over."""
    if sys.stderr.isatty():
        with contextlib.suppress(OSError):
            print(f"\r\x1b[K{fit(printable(text), MAX_PROGRESS)}", end="", file=sys.stderr, flush=True)


def notice_or_raise(error: BaseException | None, *, interrupted: bool) -> None:
    """Raise what ended a source; after Ctrl-C it is only told, for the source ended because it was asked to."""
    if error is None:
        return
    if not (interrupted and isinstance(error, LatencyMapError)):
        raise error
    print_notice(str(error))


def forget_stdout() -> None:
    """Python flushes standard output once more when it ends; it must not find the closed pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
