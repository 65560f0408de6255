"""The command pylatencymap: which command is meant, and what becomes of its errors."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NoReturn

from ..errors import Exit, LatencyMapError
from .standard_streams import forget_stdout, prepare_streams, print_notice, print_text

NEW_OBJECTS = 100_000
"""So many come before Python looks for cycles of garbage; its own 700 cost a tenth of the time to the first picture."""
COMMANDS = ("replay", "live", "collect", "convert", "export", "collectors", "demo")


def entry() -> NoReturn:
    """The console script: run, and end at once.

    All that is to be kept has been written by then. Taking numpy apart object by object, as the interpreter does when
    it ends by itself, takes longer than drawing ten pictures.
    """
    gc.set_threshold(NEW_OBJECTS)
    status = run()
    with contextlib.suppress(OSError):  # nobody reads any more
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command with these arguments (default: the process's own); returns the exit status."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts faster without threads that nothing here uses
    return guarded("pylatencymap", _run, list(sys.argv[1:] if argv is None else argv))


def guarded(name: str, command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """The exit status of a command; whatever it raises becomes a message of that name and a status."""
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
            _print_traceback(error)
        return _told(error)
    return status


def _run(arguments: list[str]) -> int:
    named = bool(arguments) and arguments[0] in COMMANDS
    module = importlib.import_module(f".commands.{arguments[0] if named else 'replay'}", __package__)
    try:
        return int(module.run(arguments[1:] if named else arguments))
    except SystemExit as end:  # argparse, after --help and --version
        return int(end.code or 0)


def _told(error: Exception) -> int:
    if isinstance(error, LatencyMapError):
        print_notice(str(error))
        return error.status
    print_notice(f"internal error: {error!r}; --traceback shows where. Please report it.")
    return Exit.SOURCE


def _wants_traceback(arguments: list[str]) -> bool:
    """Whether ``--traceback``, or the earlier tool's ``-d N`` or ``--debug_level N``, asks for more than a message.

    The command line may be what is wrong, so this does not rely on its being parsed.
    """
    for word, following in zip_longest(arguments, arguments[1:], fillvalue="0"):
        if word == "--traceback":
            return True
        for flag in ("--debug_level", "-d"):
            if word.startswith(flag):
                return (word.removeprefix(flag).lstrip("=") or following) != "0"
    return False


def _print_traceback(error: Exception) -> None:
    import traceback

    from ..text.clean import printable

    for line in "".join(traceback.format_exception(error)).splitlines():
        print(printable(line, len(line) * 10), file=sys.stderr)
