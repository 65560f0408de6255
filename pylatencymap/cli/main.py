"""The program pylatencymap: finds the command to run, and turns errors into messages and exit statuses."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NoReturn

from ..errors import Exit, LatencyMapError, UsageError
from .standard_streams import forget_stdout, prepare_streams, print_excerpt, print_notice, print_text, print_traceback

NEW_OBJECTS = 100_000
"""Objects made between two runs of the garbage collector. Python's default of 700 costs a tenth of the time to the
first picture."""
COMMANDS = (
    "replay",
    "live",
    "collect",
    "convert",
    "export",
    "report",
    "compare",
    "events",
    "aggregate",
    "merge",
    "serve",
    "collectors",
    "completions",
    "help",
    "demo",
)
IN_FOLDERS = {"merge": "fleet.merge", "serve": "fleet.serve", "completions": "shell.completions", "help": "shell.help"}
"""Where the module of a command is, if not right in ``commands``."""


def entry() -> NoReturn:
    """The console script: run, then exit without the interpreter's clean-up.

    All output has been written by then. Deallocating numpy's objects one by one, as the interpreter does at a normal
    exit, takes longer than drawing ten pictures.
    """
    gc.set_threshold(NEW_OBJECTS)
    status = run()
    with contextlib.suppress(OSError):  # the reader has gone
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command with these arguments (default: the process's own); returns the exit status."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts faster without threads that nothing here uses
    return guarded("pylatencymap", run_command, list(sys.argv[1:] if argv is None else argv))


def guarded(name: str, command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run a command and return its exit status. What it raises becomes a message of program ``name`` and a status."""
    prepare_streams(name)
    try:
        status = command(arguments)
        print_text("")
    except BrokenPipeError:
        forget_stdout()
        return Exit.OK
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the one boundary of all errors
        if _wants_traceback(arguments):
            print_traceback(error)
        return _report_error(error)
    return status


def run_command(arguments: list[str]) -> int:
    """Run the command that these arguments name. What it raises passes through."""
    named = bool(arguments) and arguments[0] in COMMANDS
    name = arguments[0] if named else "view"
    module = importlib.import_module(f".commands.{IN_FOLDERS.get(name, name)}", __package__)
    try:
        return int(module.run(arguments[1:] if named else arguments))
    except SystemExit as end:  # argparse, after --help and --version
        return int(end.code or 0)


def _report_error(error: Exception) -> int:
    """Print what went wrong; returns the exit status."""
    if isinstance(error, UsageError):
        print_notice(error.message)
        print_excerpt(error.excerpt)
        return error.status
    if isinstance(error, LatencyMapError):
        print_notice(str(error))
        return error.status
    print_notice(f"internal error: {error!r}; --traceback shows where. Please report it.")
    return Exit.SOURCE


def _wants_traceback(arguments: list[str]) -> bool:
    """Whether ``--traceback``, or the earlier tool's ``-d N`` or ``--debug_level N`` with N of 1 or more, is given.

    The error may be a wrong command line, so this does not parse it.
    """
    for word, following in zip_longest(arguments, arguments[1:], fillvalue="0"):
        if word == "--traceback":
            return True
        for flag in ("--debug_level", "-d"):
            if word.startswith(flag) and _is_positive(word.removeprefix(flag).lstrip("=") or following):
                return True
    return False


def _is_positive(text: str) -> bool:
    try:
        return int(text) > 0
    except ValueError:
        return False
