"""When a wait ended: converts the ``tim`` of a trace, which does not always count from 1970."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

from ...record import Clock
from ...text import parse_date
from ...units import Unit

EARLIEST, LATEST = 631_152_000_000_000, 4_102_444_800_000_000
"""Microseconds of 1990 and 2100: a ``tim`` between them counts from 1970."""
DATE = re.compile(
    r"[0-9]{4}-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{1,9})?"
    r"(?:Z|[+-][0-9][0-9]:?[0-9][0-9])?"
)
_AGREES = 1_000_000
"""Microseconds by which a date can differ from the times around it. Oracle prints it just before the next line."""
_MONTHS = timedelta(days=30) // timedelta(microseconds=1)
_DAY = timedelta(days=1) // timedelta(microseconds=1)
_SPAN = 30_000_000
"""Microseconds between two dates that show how fast ``tim`` runs."""
_EXACT = {"ns/1024": 0.002, "cs": 0.1}
"""How exactly. In centiseconds the next ``tim`` can be seconds behind a date, because lines of waits have none."""
_RELEASE = re.compile(r"Oracle.* Release ([0-9]{1,3})\.([0-9]{1,3})")


class TimUnit(NamedTuple):
    """``ela`` times ``factor`` is a latency in ``unit``; ``tim`` times ``numerator`` / ``denominator`` is in us."""

    unit: Unit
    factor: int
    numerator: int
    denominator: int

    def micros(self, tim: int) -> int:
        """A ``tim`` in microseconds."""
        return tim * self.numerator // self.denominator


USUAL_UNIT = "us"
TIM_UNITS = {
    "us": TimUnit(Unit.US, 1, 1, 1),
    "ns/1024": TimUnit(Unit.NS, 1024, 1024, 1000),
    "cs": TimUnit(Unit.MS, 10, 10_000, 1),
}
"""us since Oracle 9i; ns/1024 in 9.2 and 10.2 on Linux and Solaris; centiseconds before."""


def unit_of_release(text: str) -> str | None:
    """The unit of the times in traces of a release, from the line of the head that names it; None if it names none.

    Source: My Oracle Support note 39817.1: centiseconds before 9.0.
    """
    found = _RELEASE.match(text)
    if found is None:
        return None
    return "cs" if int(found[1]) < 9 else "us"


class TraceClock:
    """Converts ``tim`` to microseconds. If it counts from another zero than 1970, the dates after ``***`` determine it,
    and go on correcting it.

    ``printed``: the date printed since the last ``tim``, in epoch microseconds; ``has_dates``: there was any.
    ``zero``: what to add to a ``tim`` that does not count from 1970; None if no date has told it. ``is_epoch``: the
    last ``tim`` counted from 1970. ``is_free``: no date is waited for any longer. ``looks_like``: the unit in which
    ``tim`` would fit the dates, if it does not in the usual one; else empty.
    """

    def __init__(self, tz: tzinfo | None) -> None:
        self._tz = tz
        self.unit = TIM_UNITS["us"]
        self.printed: int | None = None
        self.has_dates = False
        self.is_epoch = False
        self.zero: int | None = None
        self.is_free = False
        self.looks_like = ""
        self._dated: tuple[str, int | None] = "", None  # the last date, which the lines about a session print again
        self._last: int | None = None
        self._begun: tuple[int, int] | None = None

    def date(self, text: str) -> None:
        """Take a ``***`` line: its date, if it has one, is the time of what follows."""
        found = DATE.search(text)
        if found is None:
            return
        if found[0] != self._dated[0]:
            moment = parse_date(found[0])
            micros = None if moment is None else _micros(moment if moment.tzinfo else moment.replace(tzinfo=self._tz))
            self._dated = found[0], micros
        if self._dated[1] is not None:
            self.has_dates = True
            self.printed = self._dated[1]

    def place(self, tim: int) -> int | None:
        """The microseconds of a ``tim`` on the clock of ``kind``; None if only later lines can determine it."""
        micros = self.unit.micros(tim)
        printed, self.printed = self.printed, None
        self.is_epoch = EARLIEST <= micros < LATEST
        if self.is_epoch:
            self._compare(micros, printed)
            return micros
        if printed is not None and not self.is_free:
            self._correct(micros, printed)
        self._last = micros
        return None if self.zero is None else micros + self.zero

    @property
    def kind(self) -> Clock:
        """The clock of what ``place`` returned last."""
        return Clock.FREE if self.is_free and not self.is_epoch else Clock.EPOCH

    def count_from_tim(self) -> None:
        """Wait for no date any longer: from now on the zero is that of ``tim``."""
        self.is_free, self.zero = True, 0

    def _correct(self, micros: int, printed: int) -> None:
        """Move the zero, if a date shows that it is wrong. The date is no later than the ``tim`` behind it, unless by a
        little; how much earlier it is can only be told by the ``tim`` before it.
        """
        early = self.zero is None or printed - (micros + self.zero) > _AGREES
        late = self.zero is not None and self._last is not None and self._last + self.zero - printed > _AGREES
        other = self.zero is not None and abs(printed - (micros + self.zero)) > _DAY
        if early or late or other:
            self.zero = printed - micros
        if self._begun is None or other:
            self._begun = micros, printed
        passed, told = micros - self._begun[0], printed - self._begun[1]
        if told >= _SPAN and self.unit is TIM_UNITS["us"]:
            fits = (name for name in _EXACT if abs(told - TIM_UNITS[name].micros(passed)) < told * _EXACT[name])
            self.looks_like = next(fits, self.looks_like)

    def _compare(self, micros: int, printed: int | None) -> None:
        if printed is not None and self.unit is TIM_UNITS["us"]:
            scaled = TIM_UNITS["ns/1024"].micros(micros)
            if abs(printed - micros) > _MONTHS and abs(printed - scaled) < _DAY:
                self.looks_like = "ns/1024"


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6)
