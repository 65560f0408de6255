"""Moments as a user types them: a time of day, a full date, or so much earlier or later."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from ..errors import UsageError
from ..text.dates import parse_date

_STEPS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_OFFSET = re.compile(r"([+-])\s*(\d+(?:\.\d+)?)\s*([smhd])")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?")


def moment_named(text: str, near: int, tz: tzinfo) -> int:
    """Epoch microseconds of ``12:34``, ``12:34:56``, ``2026-01-31 12:34:56``, ``-10m`` or ``+1.5h``.

    A time of day is the one nearest to ``near`` (epoch microseconds), from which offsets count as well. Raises
    UsageError for anything else.
    """
    text = text.strip().lower()
    if offset := _OFFSET.fullmatch(text):
        sign, number, step = offset.groups()
        return near + round(float(f"{sign}{number}") * _STEPS[step] * 1e6)
    if time := _TIME.fullmatch(text):
        return _nearest(time, near, tz)
    found = parse_date(text)
    if found is None:
        raise UsageError(f"{text!r} is no time; write 12:34, 12:34:56, 2026-01-31 12:34, -10m or +30s")
    return _micros(found if found.tzinfo else found.replace(tzinfo=tz))


def _nearest(time: re.Match[str], near: int, tz: tzinfo) -> int:
    hour, minute, second = (int(part or 0) for part in time.groups())
    if hour > 23 or minute > 59 or second > 59:
        raise UsageError(f"there is no {time.group()} on a clock")
    day = datetime.fromtimestamp(near // 1_000_000, tz).replace(hour=hour, minute=minute, second=second)
    days = (day + timedelta(days=shift) for shift in (-1, 0, 1))
    return min((_micros(moment) for moment in days), key=lambda micros: abs(micros - near))


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6)
