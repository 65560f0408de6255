"""Parses the parts of a line of strace: process, time, call, duration; and what it says about a call besides these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...record import Clock, EventKey
from ...units import Unit

_PID = r"(?:\[pid +[0-9]{1,10}(?:<[^>]*>)?\] |[0-9]{1,7}(?:<[^>]*>)? )?"
_TIME = r"(?:[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{1,9})?|[0-9]{1,12}\.[0-9]{1,9}|[0-9]{9,12}) "
_SINCE = r"(?:\(\+ *[0-9]+(?:\.[0-9]+)?\) )?"
STAMP_TEXT = rf" *{_TIME}{_SINCE}"
_PLACE = r"(?:\[[ 0-9a-f?]{1,20}\] )*"
PREFIX_TEXT = rf"{_PID} *(?:{_TIME}{_SINCE})?{_PLACE}"
"""Process, time, number of the call and instruction pointer, each of which can be missing."""
DURATION_TEXT = r".*<[0-9]{1,9}(?:\.[0-9]{1,9})?>"

_LINE = re.compile(
    r"(?:\[pid +([0-9]{1,10})(?:<[^>]*>)?\] |([0-9]{1,7})(?:<[^>]*>)? )?"
    r" *(?:(?:([0-9][0-9]):([0-9][0-9]):([0-9][0-9])|([0-9]{1,12})(?=\.)|([0-9]{9,12}))(?:\.([0-9]{1,9}))? "
    r"(?:\(\+ *[0-9]+(?:\.[0-9]+)?\) )?)?"
    rf"{_PLACE}(?:([A-Za-z_]\w{{0,60}})\(|<\.\.\. ([A-Za-z_]\w{{0,60}}) resumed>|(\+\+\+|---) )"
)
RESULT = re.compile(r"\) += ")
_DURATION = re.compile(r"<([0-9]{1,9})(?:\.([0-9]{1,9}))?>\s*$")

_EPOCH_FROM = 10**8
"""Seconds. Smaller times are relative to the line before, as -r prints them."""
_UNITS = {3: Unit.MS, 6: Unit.US, 9: Unit.NS}
_NANOS = {Unit.MS: 10**6, Unit.US: 10**3, Unit.NS: 1}


class CallTime(NamedTuple):
    """The time before a call in nanoseconds; with Clock.FREE, since the line before."""

    nanos: int
    clock: Clock


NO_TIME = CallTime(-1, Clock.DAY)
"""Stands for digits that are no time of day."""


class ParsedLine(NamedTuple):
    """A line with the beginning of a strace line. ``call`` and ``resumed`` are empty if it is about something else."""

    pid: str
    moment: CallTime | None
    call: str
    resumed: str
    ended: bool
    at: int


def parse_line(text: str) -> ParsedLine | None:
    """Parse the beginning of a line; None for any other text."""
    found = _LINE.match(text)
    if found is None:
        return None
    pid, bare, hour, minute, second, seconds, whole, fraction, call, resumed, other = found.groups()
    moment = None
    nanos = int(fraction.ljust(9, "0")) if fraction else 0
    if hour is not None:
        of_day = (int(hour) * 60 + int(minute)) * 60 + int(second)
        is_time = int(hour) < 24 and int(minute) < 60 and int(second) <= 60
        moment = CallTime(of_day * 10**9 + nanos, Clock.DAY) if is_time else NO_TIME
    elif seconds or whole:
        number = int(seconds or whole)
        moment = CallTime(number * 10**9 + nanos, Clock.EPOCH if number >= _EPOCH_FROM else Clock.FREE)
    return ParsedLine(pid or bare or "", moment, call or "", resumed or "", other == "+++", found.end())


class CallDuration(NamedTuple):
    """A duration: a whole number of a unit, the same in nanoseconds, and ``step``: truncation removed less than this
    many units.
    """

    latency: int
    unit: Unit
    nanos: int
    step: int


def duration(text: str, at: int) -> CallDuration | None:
    """The duration that -T added to the end of a line. Arguments can contain anything, so only the last one counts.

    ``--syscall-times=s`` and ``ms`` truncate. Fewer digits than those of microseconds are such a ``step``. None for
    other numbers of digits, which strace never prints.
    """
    last = text.rfind("<")
    found = _DURATION.match(text, last) if last > at and RESULT.search(text, at - 1, last) else None
    if found is None:
        return None
    whole, fraction = int(found[1]), found[2] or ""
    if fraction and len(fraction) not in _UNITS:
        return None
    digits = len(fraction) or min(_UNITS)
    unit = _UNITS[digits]
    latency = whole * 10**digits + int(fraction.ljust(digits, "0"))
    step = 10 ** (digits - len(fraction)) if unit is Unit.MS else 0
    return CallDuration(latency, unit, latency * _NANOS[unit], step)


# Keys of a call: process, file descriptor, path, error.


MOST_ARGUMENTS = 500
"""Characters of the arguments in which descriptors and paths are looked for."""
_OF_DESCRIPTORS = (
    "read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 fsync fdatasync sync_file_range "
    "fallocate ftruncate fstat fstatfs lseek close dup dup2 dup3 ioctl fcntl flock getdents getdents64 "
    "sendfile splice accept accept4 connect bind listen sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg "
    "shutdown epoll_wait epoll_pwait epoll_ctl fadvise64 readahead syncfs fchmod fchown fchdir openat "
    "newfstatat unlinkat mkdirat renameat"
)
OF_DESCRIPTORS = frozenset(_OF_DESCRIPTORS.split())
"""Calls whose first argument is a file descriptor."""
_DESCRIPTOR = re.compile(r"([0-9]{1,10}|AT_FDCWD)(?:<((?:[^>\\]|\\.)*)>)?(?=[,)])")
_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?')
_OF_PATHS = re.compile(
    r"(?:open|stat|lstat|access|unlink|mkdir|rmdir|rename|chmod|chown|readlink|execve|statfs|truncate|creat|link|"
    r"symlink|chdir|statx|faccessat2?|readlinkat|openat2?|newfstatat|unlinkat|mkdirat|renameat2?)\b"
)
"""Calls whose first text is a path, and not what was read or written."""
_ERROR = re.compile(r"\) += -1 (E[A-Z0-9]{1,20})\b")


def arguments_of(text: str, at: int) -> str:
    """The beginning of the arguments, which begin at a place of a line."""
    return text[at : at + MOST_ARGUMENTS]


def is_told_by_first_word(words: str, names: Sequence[str]) -> bool:
    """Whether descriptor and path of a call are the same in all lines whose first word is that of these words."""
    call, _, arguments = words.partition(" ")[0].partition("(")
    if len(arguments) > MOST_ARGUMENTS or ("path" in names and _OF_PATHS.fullmatch(call)):
        return False
    return _DESCRIPTOR.match(arguments) is not None or "<" not in arguments


def call_keys(text: str, found: ParsedLine, begun: str | None) -> tuple[EventKey, ...]:
    """The keys of a call that returned in this line. ``begun``: the arguments, if they stand in an earlier line."""
    name = found.call or found.resumed
    arguments = arguments_of(text, found.at) if begun is None else begun
    keys = [EventKey("pid", found.pid)] if found.pid else []
    descriptor = _DESCRIPTOR.match(arguments)
    if descriptor is not None and (name in OF_DESCRIPTORS or descriptor[2] is not None):
        keys.append(EventKey("fd", descriptor[1]))
    path = descriptor[2] if descriptor is not None else None
    if _OF_PATHS.fullmatch(name) and (quoted := _PATH.search(arguments)):
        path = quoted[1]
    if path is not None:
        keys.append(EventKey("path", path))
    if error := _ERROR.search(text, found.at - 1):
        keys.append(EventKey("error", error[1]))
    return tuple(keys)
