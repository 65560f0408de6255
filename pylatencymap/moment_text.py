"""Moments and spans of time as pictures and sentences have them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from .number_text import LONG, MINUTE
from .text import comes_twice


def nearest(micros: int, step: int = 1_000_000) -> int:
    """The nearest multiple of a step, and of two that are equally near the later one: lengths stay as they are."""
    return (int(micros) + step // 2) // step * step


def zones_between(first: datetime, last: datetime) -> tuple[str, str]:
    """What follows two moments: the name of their zone; also after the first one if clocks changed between them."""
    names = [f" {one.tzname() or ''}".rstrip() for one in (first, last)]
    return names[0] if names[0] != names[1] else "", names[1]


def which_hour(at: datetime) -> str:
    """The name of the zone behind a moment in the hour that comes twice when clocks are put back; else empty."""
    return f" {at.tzname()}" if comes_twice(at) else ""


@dataclass(frozen=True)
class TimeWords:
    """Writes moments of a recording from ``begin`` to ``end``, epoch microseconds, in columns of ``width`` seconds.

    With the date where the recording has more than one, and with the zone in an hour that comes twice. Without a clock,
    as seconds since its beginning.
    """

    begin: int
    end: int
    tz: tzinfo
    width: float = 1.0
    clock: bool = True

    @property
    def dated(self) -> bool:
        """Whether moments need a date."""
        return self._at(self.begin).date() != self._at(self.end - 1_000_000).date()

    def moment(self, micros: int) -> str:
        """``15:30:07``, ``03-03 15:30:07``, to the minute where a column is longer than that; or ``at 12 s``."""
        if not self.clock:
            return f"at {self._offset(micros)} s"
        at = self._at(micros)
        form = "%H:%M" if self.width >= MINUTE else "%H:%M:%S"
        return f"{self._date(at)}{at:{form}}{which_hour(at)}"

    def span(self, begin: int, end: int) -> str:
        """``03:12-03:32``, ``03-03 23:50 to 03-04 00:10``; seconds where they are known and the span is short."""
        if not self.clock:
            return f"{self._offset(begin)}-{self._offset(end)} s"
        if (end - begin) / 1e6 >= LONG or self.width >= MINUTE:
            begin, end = (nearest(one, 60_000_000) for one in (begin, end))
        first, last = self._at(begin), self._at(end)
        form = "%H:%M:%S" if first.second or last.second else "%H:%M"
        hours = which_hour(first), which_hour(last)
        begun, ended = f"{first:{form}}{hours[0] if hours[0] != hours[1] else ''}", f"{last:{form}}{hours[1]}"
        if first.date() == last.date():
            return f"{self._date(first)}{begun}-{ended}"
        return f"{first:%m-%d} {begun} to {last:%m-%d} {ended}"

    def whole(self) -> str:
        """The recording: ``2026-03-02 00:00:00 to 2026-03-05 00:00:00 UTC``; empty without a clock."""
        if not self.clock:
            return ""
        first, last = self._at(self.begin), self._at(self.end)
        form = "%H:%M:%S" if first.date() == last.date() else "%Y-%m-%d %H:%M:%S"
        before, zone = zones_between(first, last)
        return f"{first:%Y-%m-%d %H:%M:%S}{before} to {last:{form}}{zone}"

    def iso(self, micros: int) -> str:
        """ISO 8601 with the zone."""
        at = datetime.fromtimestamp(micros // 1_000_000, self.tz)
        return at.replace(microsecond=micros % 1_000_000).isoformat()

    def _at(self, micros: int) -> datetime:
        return datetime.fromtimestamp(nearest(micros) // 1_000_000, self.tz)

    def _date(self, at: datetime) -> str:
        return f"{at:%m-%d} " if self.dated else ""

    def _offset(self, micros: int) -> str:
        return (
            f"{(micros - self.begin) / 1e6:.3g}" if micros - self.begin < 1e7 else f"{(micros - self.begin) / 1e6:.0f}"
        )
