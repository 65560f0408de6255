"""Waits whose time is not known: they wait for the first date or ``tim``, or are placed without one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...record import Clock, Sample
from ...report import Report

MOST_WAITING = 100_000
"""Most waits that are kept until the first time is known."""

PACED_SECONDS = 0.5
"""So long the waits of a live source that never pauses are watched: what grep finds in a file comes far faster."""

_BY_DATES = (
    "there is no tim in this trace: waits are placed by the dates after ***, and continue from there by their durations"
)
_NO_TIMES = "nothing in this trace tells the time of day: its axis is the time waited"


class _Undated(NamedTuple):
    """A wait, how long it took, when it ended on the clock of ``tim``, and the last date before it; in microseconds."""

    sample: Sample
    waited: int
    tim: int | None
    date: int | None


class UndatedWaits:
    """Undated waits in the order of the trace. ``heard``: the last time on the clock of ``tim``, in microseconds."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.held: list[_Undated] = []
        self.heard: int | None = None
        self._first: int | None = None
        self._mark: tuple[float, int] | None = None
        self._date: int | None = None
        self._now, self._clock = 0, Clock.COUNTED
        self._reported = False

    def come_as_they_happen(self) -> bool:
        """Whether live waits come as fast as their ``tim`` passes, by those of the last PACED_SECONDS."""
        arrival, tim = self.held[-1].sample.arrival, self.heard
        if arrival is None or tim is None:
            return False
        if self._mark is None:
            self._mark = arrival, tim
        passed = arrival - self._mark[0]
        if passed < PACED_SECONDS:
            return False
        paced = (tim - self._mark[1]) / 1e6 <= passed + PACED_SECONDS
        self._mark = arrival, tim
        return paced

    @property
    def are_too_many(self) -> bool:
        """Whether no more can be kept."""
        return len(self.held) >= MOST_WAITING

    def hear(self, tim: int) -> None:
        """Take the time of a line, in microseconds."""
        self.heard = tim
        self._first = tim if self._first is None else self._first

    def add(self, sample: Sample, waited: int, date: int | None, *, has_tim: bool) -> None:
        """Keep a wait: it ended at the time that was heard, or took so long since then if its line has none."""
        if self.heard is not None and not has_tim:
            self.heard += waited
        self.held.append(_Undated(sample, waited, self.heard, date))

    def placed(self, now: int, zero: int | None, clock: Clock) -> Iterator[Sample]:
        """Yield the waits kept so far, now that a time is known: by their ``tim``, if its ``zero`` is known; else next
        to that time.
        """
        held, self.held = self.held, []
        for one in held:
            tim = self._first if one.tim is None else one.tim
            yield one.sample._replace(micros=now if tim is None or zero is None else tim + zero, clock=clock)

    def without_tim(self) -> Iterator[Sample]:
        """Yield the waits kept so far, each after the wait before it, starting again at each date.

        Waits before the first date start at that date as well. Without any date the axis is the time waited.
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
            if self._clock is Clock.EPOCH or one.sample.arrival is None:
                self._tell(one.sample.line, _BY_DATES if self._clock is Clock.EPOCH else _NO_TIMES)
            yield one.sample._replace(micros=self._now, clock=self._clock)

    def _tell(self, line: int, how: str) -> None:
        """Report once how the waits are placed."""
        if not self._reported:
            self._reported = True
            self._report.note(line, how)
