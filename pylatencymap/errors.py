"""The errors that end a command, each with its exit status."""

import os
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
    index has another program; and the Python that runs, because the first pip in the PATH may belong to another. Into a
    system's own Python, as that of the Debian package, pip installs nothing.
    """

    def __init__(self, need: str, package: str) -> None:
        if not _is_externally_managed():
            advice = f"{need}: {shlex.quote(sys.executable or 'python3')} -m pip install {package}"
        elif package in _OF_DEBIAN and os.path.exists("/etc/debian_version"):
            advice = f"{need}: apt-get install {_OF_DEBIAN[package]}"
        else:
            advice = f"{need}: {package}; install pylatencymap into a virtual environment, and {package} with pip there"
        super().__init__(advice)


_OF_DEBIAN = {
    "Pillow": "python3-pil",
    "lz4": "python3-lz4",
    "pandas": "python3-pandas",
    "prometheus-client": "python3-prometheus-client",
    "urllib3": "python3-urllib3",
    "zstandard": "python3-zstandard",
}
"""Packages of Debian 13 that have the release that we need. Its python3-oracledb is too old."""


def _is_externally_managed() -> bool:
    """Whether pip refuses to install into the Python that runs (PEP 668)."""
    import sysconfig

    return sys.prefix == sys.base_prefix and os.path.exists(f"{sysconfig.get_path('stdlib')}/EXTERNALLY-MANAGED")


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
