"""The command pylatencymap: which command is meant, and what becomes of its errors."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from ..errors import Exit, LatencyMapError

COMMANDS = ("replay", "convert", "export", "collectors", "demo")


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command with these arguments (default: the process's own); returns the exit status.

    argparse ends ``--help``, ``--version`` and what it cannot understand by SystemExit.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts faster without threads that nothing here uses
    arguments = list(sys.argv[1:] if argv is None else argv)
    traceback_wanted = "--traceback" in arguments
    command = arguments.pop(0) if arguments and arguments[0] in COMMANDS else "replay"
    try:
        module = importlib.import_module(f".{command}", __package__)
        status = int(module.run(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
        return Exit.OK
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Exception as error:
        if traceback_wanted or _debug_level(arguments):
            raise
        return _told(error)
    return status


def _told(error: Exception) -> int:
    if isinstance(error, LatencyMapError):
        print(f"pylatencymap: {error}", file=sys.stderr)
        return error.status
    print(f"pylatencymap: internal error: {error!r}; --traceback shows where. Please report it.", file=sys.stderr)
    return Exit.SOURCE


def _debug_level(arguments: list[str]) -> bool:
    """Whether the earlier tool's ``-d N`` or ``--debug_level N`` asks for more than a message."""
    for flag, value in zip(arguments, [*arguments[1:], "0"], strict=False):
        name, _, given = flag.partition("=")
        if name in ("-d", "--debug_level"):
            return (given or value) not in ("0", "")
    return False


def _forget_stdout() -> None:
    """Python flushes stdout once more when it ends; it must not find the closed pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
