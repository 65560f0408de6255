"""Standard input, output and error: makes them usable even if the caller closed them, and writes to them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from functools import cache
from glob import glob

from ..errors import LatencyMapError, NotRecognised
from ..text import fit
from ..text.clean import hide_passwords, printable, printable_lines

MAX_MESSAGE = 2000
MAX_PROGRESS = 79
"""A longer line would wrap on narrow terminals and could not be erased."""

_command = "pylatencymap"
"""The program that the user started: messages begin with its name."""


def prepare_streams(command: str) -> None:
    """From now on messages begin with ``command``. Closed descriptors are opened on /dev/null, so that no file opened
    later gets their numbers. Characters that the encoding of standard output cannot represent are replaced.
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
    """Write UTF-8 to standard output from now on: output for programs must not depend on the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def print_text(text: str) -> None:
    """Write lines of text to standard output, with whatever does not print escaped: names in them come from outside.

    Raises BrokenPipeError if the reader has gone.
    """
    write_output(printable_lines(text))


def write_output(text: str) -> None:
    """Write to standard output as it is, and flush: pictures, whose escape sequences are ours, and data for programs.
    Names in them are escaped already. Raises BrokenPipeError if the reader has gone.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_stdout()
        raise LatencyMapError(f"standard output cannot be written: {error.strerror}") from error


def write_bytes(data: bytes) -> None:
    """Write the bytes of a file to standard output. Raises BrokenPipeError if the reader has gone."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget_stdout()
        raise LatencyMapError(f"standard output cannot be written: {error.strerror}") from error


def print_notice(message: str, *, below: bool = False) -> None:
    """Print a message on standard error. Control characters in it are escaped, so input cannot control the terminal,
    and passwords are hidden. ``below``: leave the terminal's current line as it is, because another program may have
    put a prompt there. Another thread can print as well: so each line is one write.
    """
    begin = "\n" if below and sys.stderr.isatty() else ""
    text = f"{begin}{_command}: {printable(hide_passwords(message), MAX_MESSAGE)}\n"
    with contextlib.suppress(OSError):  # the reader has gone
        print(text, end="", file=sys.stderr, flush=True)


def print_excerpt(lines: Sequence[str]) -> None:
    """Print lines below a message, indented: an option's text, and what points at a place in it."""
    with contextlib.suppress(OSError):
        for line in lines:
            print(f"    {printable(line, MAX_MESSAGE)}", file=sys.stderr, flush=True)


def show_progress(text: str) -> None:
    """Show progress in the last line of a terminal that shows nothing else; an empty text erases it."""
    if sys.stderr.isatty():
        with contextlib.suppress(OSError):
            print(f"\r\x1b[K{fit(printable(text), MAX_PROGRESS)}", end="", file=sys.stderr, flush=True)


def print_traceback(error: Exception) -> None:
    """Print where an error came from, on standard error; escaped and without passwords like every message."""
    import traceback

    text = printable_lines(hide_passwords("".join(traceback.format_exception(error))))
    with contextlib.suppress(OSError):  # the reader has gone
        print(text, end="", file=sys.stderr, flush=True)


def notice_or_raise(error: BaseException | None, *, interrupted: bool) -> None:
    """Raise the error that ended a source. After Ctrl-C or another signal only print it, because the source did not end
    by itself; text that no collector knows can be the prompt or the banner of a source that had not begun yet.
    """
    if error is None:
        return
    if not (interrupted and isinstance(error, LatencyMapError)):
        raise error
    message = error.so_far if isinstance(error, NotRecognised) else str(error)
    if message:
        print_notice(message)


def forget_stdout() -> None:
    """Redirect standard output to /dev/null: Python flushes it at exit and must not hit the closed pipe again."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


@cache
def programs_beside() -> frozenset[str]:
    """The names of the programs of our process group, which in an interactive shell are those of the pipe. Empty on
    systems without Linux's /proc. Source: proc(5), /proc/pid/stat.
    """
    group, names = os.getpgrp(), set()
    for path in glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError), open(path, "rb") as stat:  # a process that has just ended
            name, _, fields = stat.read().partition(b"(")[2].rpartition(b")")
            if int(fields.split()[2]) == group:
                names.add(name.decode(errors="replace"))
    return frozenset(names)
