"""What can go wrong, and the exit status that says so."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit statuses of every command."""

    OK = 0
    NO_INTERVAL = 1
    USAGE = 2
    SOURCE = 3
    BAD_INPUT = 4
    PLUGIN = 5
    INTERRUPTED = 130


class LatencyMapError(Exception):
    """Base of all errors that end a command with a message and without a traceback."""

    status = Exit.SOURCE


class UsageError(LatencyMapError):
    """The command line asks for something that does not exist or contradicts itself."""

    status = Exit.USAGE


class SourceError(LatencyMapError):
    """A source cannot be started, read or recognised."""


class Refused(SourceError):
    """The text was recognised, but it holds no latency distribution over time."""


class NoInterval(LatencyMapError):
    """A source was read, and there was nothing to draw in it."""

    status = Exit.NO_INTERVAL


class PluginError(LatencyMapError):
    """A collector of another package failed."""

    status = Exit.PLUGIN


class BadInput(LatencyMapError):
    """A bad line or record, under ``--strict``."""

    status = Exit.BAD_INPUT
