"""Reads the values of time columns and latency columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from ...record import Clock
from ...text import decimal_of, moment_of, parse_date
from ...units import MICROS_PER_DAY
from .names import unit_seconds

_LATENCY = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*([^\W0-9]+)?")
_EARLIEST, _LATEST = 10**9, 4_102_444_800
"""Seconds of 2001 and of 2100: a number between them counts from 1970."""
_SINCE_1970 = {0: "seconds", 3: "milliseconds", 6: "microseconds", 9: "nanoseconds"}
ORDERS = ("dmy", "mdy")
"""The order of day, month and year if all are numbers and the year is last."""
_WITHOUT_ORDER = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})\b,?(.*)")


class ColumnMoment(NamedTuple):
    """A moment in microseconds, with its clock."""

    micros: int
    clock: Clock


class TimeFormat(NamedTuple):
    """The format of a time column, in words, and the function that reads it."""

    what: str
    read: ReadTime


ReadTime: TypeAlias = Callable[[str], "ColumnMoment | None"]


def latency_in(text: str) -> tuple[Decimal, Decimal | None] | None:
    """The number of a latency and, in seconds, the unit that can follow it; None for anything else."""
    found = _LATENCY.fullmatch(text.strip())
    number = decimal_of(found[1]) if found else None
    if found is None or number is None:
        return None
    unit = unit_seconds(found[2]) if found[2] else None
    return None if found[2] and unit is None else (number, unit)


def time_format(text: str, unit: Decimal | None, tz: tzinfo | None, order: str = "") -> TimeFormat | None:
    """The format of a time column with this first value; None if it is no time, or its unit or order is ambiguous."""
    number = decimal_of(text)
    if number is None:
        if _of_day(text):
            return TimeFormat("time of day", _of_day)
        read = _dates(tz, order)
        return TimeFormat("date and time", read) if read(text) else None
    if unit is not None:
        epoch = _EARLIEST <= number * unit < _LATEST
        what = "since 1970" if epoch else "since some zero"
        return TimeFormat(f"in units of {unit.normalize():f} s {what}", _numbers(unit, epoch))
    for digits, name in _SINCE_1970.items():
        scale = Decimal(1).scaleb(-digits)
        if _EARLIEST <= number * scale < _LATEST:
            return TimeFormat(f"{name} since 1970", _numbers(scale, True))
    if "." in text:
        return TimeFormat("seconds since some zero", _numbers(Decimal(1), False))
    return None


def is_of_day(text: str) -> bool:
    """Whether a value is a time of day without a date."""
    return decimal_of(text) is None and _of_day(text) is not None


def is_without_order(text: str) -> bool:
    """Whether a date consists of numbers with the year last: either the day or the month can be first."""
    return _WITHOUT_ORDER.fullmatch(text) is not None


def _numbers(unit: Decimal, epoch: bool) -> ReadTime:
    scale, clock = unit * 10**6, Clock.EPOCH if epoch else Clock.FREE

    def read(text: str) -> ColumnMoment | None:
        number = decimal_of(text)
        if number is None or number < 0 or number * unit >= _LATEST:
            return None
        return ColumnMoment(int(number * scale), clock)

    return read


def _dates(tz: tzinfo | None, order: str) -> ReadTime:
    """Read dates with a time of day; a day alone is not a moment."""

    def read(text: str) -> ColumnMoment | None:
        if ":" not in text and "." not in text:
            return None
        moment = parse_date(_year_first(text.strip("[]"), order))
        if moment is None:
            return None
        micros = _micros(moment if moment.tzinfo else moment.replace(tzinfo=tz))
        return None if micros is None else ColumnMoment(micros, Clock.EPOCH)

    return read


def _year_first(text: str, order: str) -> str:
    """A date with dashes and, if its order is known, with the year first."""
    found = _WITHOUT_ORDER.fullmatch(text) if order else None
    if found is None:
        return text[:10].replace("/", "-") + text[10:]
    day, month = (found[1], found[2]) if order == "dmy" else (found[2], found[1])
    return f"{found[3]}-{month:0>2}-{day:0>2}{found[4]}"


def _micros(moment: datetime) -> int | None:
    try:
        return round(moment.replace(microsecond=0).timestamp()) * 10**6 + moment.microsecond
    except (OverflowError, OSError, ValueError):
        return None


def _of_day(text: str) -> ColumnMoment | None:
    stamp = moment_of(text)
    return (
        ColumnMoment(stamp.micros % MICROS_PER_DAY, Clock.DAY)
        if stamp and stamp.clock is Clock.DAY and not stamp.text
        else None
    )
