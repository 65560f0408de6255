"""When a wait ended: converts the ``tim`` of a trace, which does not always count from 1970."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

from ...text import parse_date
from ...units import Unit

EARLIEST, LATEST = 631_152_000_000_000, 4_102_444_800_000_000
"""Microseconds of 1990 and 2100: a ``tim`` between them counts from 1970."""
_DATE = re.compile(
    r"[0-9]{4}-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{1,9})?"
    r"(?:Z|[+-][0-9][0-9]:?[0-9][0-9])?"
)
_DRIFT = 60_000_000
"""Microseconds. If ``tim`` moves by more than this against the printed dates, it is that of another server with another
zero.
"""
_MONTHS = timedelta(days=30) // timedelta(microseconds=1)
_DAY = timedelta(days=1) // timedelta(microseconds=1)


class TimUnit(NamedTuple):
    """``ela`` times ``factor`` is a latency in ``unit``; ``tim`` times ``numerator`` / ``denominator`` is in us."""

    unit: Unit
    factor: int
    numerator: int
    denominator: int


TIM_UNITS = {
    "us": TimUnit(Unit.US, 1, 1, 1),
    "ns/1024": TimUnit(Unit.NS, 1024, 1024, 1000),
    "cs": TimUnit(Unit.MS, 10, 10_000, 1),
}
"""us since Oracle 9i; ns/1024 in 9.2 and 10.2 on Linux and Solaris; centiseconds before."""


class TraceClock:
    """Converts ``tim`` to epoch microseconds. If it counts from another zero, the dates after ``***`` determine its
    place.

    ``is_epoch``: the last ``tim`` counted from 1970. ``printed``: the date printed since then, in the same units.
    """

    def __init__(self, unit: TimUnit, tz: tzinfo | None) -> None:
        self._unit = unit
        self._tz = tz
        self.printed: int | None = None
        self.is_epoch = False
        self._offset: int | None = None
        self.looks_like_ns1024 = False

    def date(self, text: str) -> None:
        """Take a ``***`` line: its date, if it has one, is the time of what follows."""
        found = _DATE.search(text)
        moment = parse_date(found[0]) if found else None
        if moment is not None:
            self.printed = _micros(moment if moment.tzinfo else moment.replace(tzinfo=self._tz))

    def place(self, tim: int) -> int | None:
        """Epoch microseconds of a ``tim``; None if only later lines can determine it."""
        micros = tim * self._unit.numerator // self._unit.denominator
        printed, self.printed = self.printed, None
        self.is_epoch = EARLIEST <= micros < LATEST
        if self.is_epoch:
            self._compare(micros, printed)
            return micros
        if printed is not None:
            offset = printed - micros
            if self._offset is None or abs(offset - self._offset) > _DRIFT:
                self._offset = offset
        return None if self._offset is None else micros + self._offset

    def _compare(self, micros: int, printed: int | None) -> None:
        if printed is not None and self._unit is TIM_UNITS["us"]:
            scaled = micros * 1024 // 1000
            self.looks_like_ns1024 |= abs(printed - micros) > _MONTHS and abs(printed - scaled) < _DAY


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6)
