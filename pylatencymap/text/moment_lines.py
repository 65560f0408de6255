"""Recognises lines that contain only a moment, as scripts print them above each measurement."""

import re
from datetime import timezone

from ..record import Clock, Stamp
from ..units import MICROS_PER_DAY
from .dates import parse_date

LONGEST_MOMENT_LINE = 80
"""In characters. No line that contains only a moment is longer."""

_FRAME = " \t\r=-*#|~<>[]():"
"""Characters that scripts put around a moment to make it stand out, as in ``=== 10:00:00 ===``."""
_PREFIX = re.compile(r"(?:local ?time|time ?stamp|time|date|at)\b\s*[:=]?\s*", re.IGNORECASE)
_OF_DAY = re.compile(
    r"(?:(?P<date>[0-9]{4}[-/][01][0-9][-/][0-3][0-9])[ T])?(?P<hour>[01]?[0-9]|2[0-3]):"
    r"(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9]|60)"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))?(?: ?(?P<half>[AaPp][Mm]))?"
)
_EPOCH = re.compile(r"(?P<whole>[0-9]{10}|[0-9]{13}|[0-9]{16}|[0-9]{19})(?:\.(?P<fraction>[0-9]{1,9}))?")
_EARLIEST, _LATEST = 1_000_000_000_000_000, 4_102_444_800_000_000
"""2001 to 2100, in epoch microseconds; a number outside this range is no moment."""


def moment_of(line: str) -> Stamp | None:
    """The stamp that a line contains, or None: a time of day, a date with a time, or a number since 1970 in seconds,
    milliseconds, microseconds or nanoseconds.

    A time of day without a zone has Clock.DAY, with the date, if any, in its text; all others have Clock.EPOCH. An
    indented number is no moment: numbers in columns are keys.
    """
    if len(line) > LONGEST_MOMENT_LINE or not any(char.isdigit() for char in line):
        return None
    text = line.strip(_FRAME)
    prefix = _PREFIX.match(text)
    text = text[prefix.end() :].strip(_FRAME) if prefix else text
    return _time_of_day(text) or (None if line[0] == " " else _since_epoch(text)) or _dated(text)


def _time_of_day(text: str) -> Stamp | None:
    found = _OF_DAY.fullmatch(text)
    if not found:
        return None
    fraction, hour = found["fraction"] or "", int(found["hour"])
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower() == "pm" else 0)
    seconds = (hour * 60 + int(found["minute"])) * 60 + int(found["second"])
    micros = seconds * 1_000_000 + int(fraction[:6].ljust(6, "0"))
    return Stamp(micros, Clock.DAY, whole=not fraction, text=text if found["date"] else "")


def _since_epoch(text: str) -> Stamp | None:
    found = _EPOCH.fullmatch(text)
    if not found:
        return None
    digits = found["whole"]
    # Ten digits are seconds, perhaps with a fraction; longer numbers are milli-, micro- or nanoseconds.
    fraction = (digits[10:] or found["fraction"] or "")[:6]
    micros = int(digits[:10] + fraction.ljust(6, "0"))
    return Stamp(micros, whole=not fraction) if _EARLIEST <= micros < _LATEST else None


def _dated(text: str) -> Stamp | None:
    if ":" not in text and "." not in text:
        return None  # a date without a time is no moment
    moment = parse_date(text)
    if moment is None:
        return None
    whole = not moment.microsecond
    if moment.tzinfo is not None:
        micros = round(moment.astimezone(timezone.utc).replace(microsecond=0).timestamp()) * 1_000_000
        return Stamp(micros + moment.microsecond, whole=whole, text=text)
    of_day = ((moment.hour * 60 + moment.minute) * 60 + moment.second) * 1_000_000 + moment.microsecond
    return Stamp(of_day % MICROS_PER_DAY, Clock.DAY, whole=whole, text=text)
