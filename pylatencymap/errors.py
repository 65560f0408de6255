"""The errors that end a command, each with its exit status."""

import shlex
import sys
from enum import IntEnum


class Exit(IntEnum):
    """Exit statuses of every command."""

    OK = 0
    NO_INTERVAL = 1
    USAGE = 2
    SOURCE = 3
    BAD_INPUT = 4
    PLUGIN = 5
    CONDITION_HOLDS = 6
    INTERRUPTED = 130


class LatencyMapError(Exception):
    """Base class of all errors that end a command with a message instead of a traceback."""

    status = Exit.SOURCE


class UsageError(LatencyMapError):
    """The command line contradicts itself or asks for something that does not exist.

    ``excerpt``: lines to print below the message as they are, such as a text and a caret below the wrong place.
    """

    status = Exit.USAGE

    def __init__(self, message: str, excerpt: tuple[str, ...] = ()) -> None:
        super().__init__("\n    ".join((message, *excerpt)))
        self.message = message
        self.excerpt = excerpt


class SourceError(LatencyMapError):
    """A source cannot be started, read or recognised."""


class MissingPackage(SourceError):
    """A Python package that is installed only if it is wanted is not there.

    ``need`` says who needs it. The command names the package itself, not our extra, because by our name the package
    index has another program; and the Python that runs, because the first pip in the PATH may belong to another.
    """

    def __init__(self, need: str, package: str) -> None:
        python = shlex.quote(sys.executable or "python3")
        super().__init__(f"{need}: {python} -m pip install {package}")


class NothingMeasured(SourceError):
    """The source printed times and banners only, up to its end. ``name`` is the name of the source."""

    status = Exit.NO_INTERVAL

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} printed no histogram: nothing was measured")
        self.name = name


class NotRecognised(SourceError):
    """No collector knows the text of a source. ``so_far`` is what can be said if the user ended the source before it
    had printed more, for example at its prompt for a password; empty if nothing had come.
    """

    def __init__(self, message: str, so_far: str) -> None:
        super().__init__(message)
        self.so_far = so_far


class Refused(SourceError):
    """The text was recognised, but it holds no latency distribution over time."""


class NoInterval(LatencyMapError):
    """A source was read to its end, but it contained nothing to draw."""

    status = Exit.NO_INTERVAL


class PluginError(LatencyMapError):
    """A collector from another package failed."""

    status = Exit.PLUGIN


class BadInput(LatencyMapError):
    """The input has a bad line or record, and ``--strict`` is set."""

    status = Exit.BAD_INPUT
