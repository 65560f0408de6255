"""Waits of a trace of which no time is known: they wait for the first ``tim``, or are placed without one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...record import Clock, Sample
from ...report import Report

MOST_WAITING = 100_000
"""Waits that are kept until the first time is known."""

_BY_DATES = (
    "there is no tim in this trace: waits are placed by the dates beside ***, and go on from there by themselves"
)
_NO_TIMES = "nothing in this trace tells the time of day: its axis is the time waited"


class _Undated(NamedTuple):
    """A wait that lasted so many microseconds, and the last date before it."""

    sample: Sample
    waited: int
    date: int | None


class UndatedWaits:
    """Waits in the order of the trace."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.held: list[_Undated] = []
        self._date: int | None = None
        self._now, self._clock = 0, Clock.COUNTED
        self._told = self._gave_up = False

    def add(self, sample: Sample, waited: int, date: int | None) -> None:
        """Keep a wait. Times are microseconds; ``date`` is since 1970."""
        self.held.append(_Undated(sample, waited, date))

    def placed(self, now: int | None) -> Iterator[Sample]:
        """Those that are kept, at the first time that is known; without one, when they are too many to wait on."""
        if now is not None:
            held, self.held = self.held, []
            yield from (one.sample._replace(micros=now) for one in held)
        elif self._gave_up or len(self.held) >= MOST_WAITING:
            self._gave_up = True
            yield from self.without_tim()

    def without_tim(self) -> Iterator[Sample]:
        """Those that are kept, each at the last date, and after the wait before it. Those before the first date go on
        from there as well; without dates the axis is the time waited.
        """
        held, self.held = self.held, []
        if self._clock is Clock.COUNTED:
            first = next((one.date for one in held if one.date is not None), None)
            if first is not None:
                self._now, self._clock = first, Clock.EPOCH
        for one in held:
            if one.date is not None and one.date != self._date:
                self._date = self._now = one.date
            else:
                self._now += one.waited
            self._tell(one.sample)
            yield one.sample._replace(micros=self._now, clock=self._clock)

    def _tell(self, sample: Sample) -> None:
        """How waits are placed, once."""
        if not self._told and (self._clock is Clock.EPOCH or sample.arrival is None):
            self._told = True
            self._report.note(sample.line, _BY_DATES if self._clock is Clock.EPOCH else _NO_TIMES)
