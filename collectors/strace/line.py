"""Parses the parts of a line of strace: process, time, call, duration."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...record import Clock
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
