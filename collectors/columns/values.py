"""What stands in a time column and in a latency column."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from ...record import Clock
from ...text.dates import parse_date
from ...text.moments import moment_of
from ...text.scaled import decimal_of
from .names import unit_of

_LATENCY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*([^\W\d]+)?")
_EARLIEST, _LATEST = 10**9, 4_102_444_800
"""Seconds of 2001 and of 2100: between them a number is taken to count since 1970."""
_SINCE_1970 = {0: "seconds", 3: "milliseconds", 6: "microseconds", 9: "nanoseconds"}
_DAY = 86_400 * 10**6
_DATED = re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\d{1,2}-[A-Za-z]{3}-\d\d|[A-Za-z]{3},? +[A-Za-z]{3} ")


class Moment(NamedTuple):
    """Microseconds of a clock."""

    micros: int
    clock: Clock


class Meaning(NamedTuple):
    """How the values of a time column are read, in words, and the reading itself."""

    what: str
    read: ReadTime


ReadTime: TypeAlias = Callable[[str], "Moment | None"]


def latency_in(text: str) -> tuple[Decimal, Decimal | None] | None:
    """The number of a latency, and the seconds of the unit that may stand behind it; None for anything else."""
    found = _LATENCY.fullmatch(text.strip())
    number = decimal_of(found[1]) if found else None
    if found is None or number is None:
        return None
    unit = unit_of(found[2]) if found[2] else None
    return None if found[2] and unit is None else (number, unit)


def meaning_of(text: str, unit: Decimal | None, tz: tzinfo | None) -> Meaning | None:
    """How a column of times is read whose first value this is; None where its unit is open, or where it is no time."""
    number = decimal_of(text)
    if number is None:
        read = _dates(tz) if _DATED.match(text) else _of_day
        what = "date and time" if _DATED.match(text) else "time of day"
        return Meaning(what, read) if read(text) else None
    if unit is not None:
        epoch = _EARLIEST <= number * unit < _LATEST
        what = "since 1970" if epoch else "since some zero"
        return Meaning(f"in units of {unit.normalize():f} s {what}", _numbers(unit, epoch))
    for digits, name in _SINCE_1970.items():
        scale = Decimal(1).scaleb(-digits)
        if _EARLIEST <= number * scale < _LATEST:
            return Meaning(f"{name} since 1970", _numbers(scale, True))
    if "." in text:
        return Meaning("seconds since some zero", _numbers(Decimal(1), False))
    return None


def is_of_day(text: str) -> bool:
    """Whether a value is a time of day, without a date."""
    return decimal_of(text) is None and not _DATED.match(text) and _of_day(text) is not None


def _numbers(unit: Decimal, epoch: bool) -> ReadTime:
    scale, clock = unit * 10**6, Clock.EPOCH if epoch else Clock.FREE

    def read(text: str) -> Moment | None:
        number = decimal_of(text)
        if number is None or number < 0 or number * unit >= _LATEST:
            return None
        return Moment(int(number * scale), clock)

    return read


def _dates(tz: tzinfo | None) -> ReadTime:
    def read(text: str) -> Moment | None:
        moment = parse_date(text[:10].replace("/", "-") + text[10:])
        if moment is None:
            return None
        micros = _micros(moment if moment.tzinfo else moment.replace(tzinfo=tz))
        return None if micros is None else Moment(micros, Clock.EPOCH)

    return read


def _micros(moment: datetime) -> int | None:
    try:
        return round(moment.replace(microsecond=0).timestamp()) * 10**6 + moment.microsecond
    except (OverflowError, OSError, ValueError):
        return None


def _of_day(text: str) -> Moment | None:
    stamp = moment_of(text)
    return Moment(stamp.micros % _DAY, Clock.DAY) if stamp and stamp.clock is Clock.DAY and not stamp.text else None
