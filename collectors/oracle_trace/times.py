"""The times of a trace in order: a wrong one affects only its own wait."""

from __future__ import annotations

from ...record import Sample
from ...report import Report
from ...text.lines import Line

FAR = 86_400_000_000
"""Microseconds: a time that differs by more than this from the times before and after it is wrong."""


class Times:
    """``now`` is the time of the last line in epoch microseconds; None before the first.

    A time that is far from the one before it is doubtful until the next one. If the next one is near the one before,
    the trace did not jump: the doubtful wait counts at that time, and is reported as bad. If not, the trace continues
    where it jumped to. Waits that are decided are put into ``ready``.
    """

    def __init__(self, report: Report) -> None:
        self.now: int | None = None
        self.ready: list[Sample] = []
        self._report = report
        self._near: int | None = None
        self._doubted: int | None = None
        self._held: tuple[Line, Sample] | None = None

    def place(self, micros: int) -> None:
        """Take a time without a check: it does not count from 1970, or was computed."""
        self.believe()
        self.now = micros

    def take(self, micros: int) -> bool:
        """Take a time that counts from 1970. Return whether it is doubtful; if so, hold a wait that ended then."""
        if self._doubted is not None:
            self._decide(self._doubted, micros)
        near = self._near
        if near is not None and not -FAR <= micros - near <= FAR:
            self._doubted = micros
            return True
        self.now = self._near = micros
        return False

    def hold(self, line: Line, sample: Sample) -> None:
        """Hold the wait that ended at the doubtful time."""
        assert self._doubted is not None
        self._held = line, sample._replace(micros=self._doubted)

    def believe(self) -> None:
        """Accept the doubtful time after all."""
        if self._doubted is not None:
            self.now = self._near = self._doubted
            self._doubted = None
        if self._held is not None:
            self.ready.append(self._held[1])
            self._held = None

    def end(self) -> None:
        """The trace ends: nothing can confirm or refute the last time."""
        if self._held is not None and self._doubted is not None and self._near is not None:
            days = abs(self._doubted - self._near) // FAR
            what = f"the last tim is {days} days from the one before it, and none follows that shows if it is right"
            self._report.note(self._held[0].number, what)
        self.believe()

    def _decide(self, doubted: int, micros: int) -> None:
        """Decide on the doubtful time by the one after it."""
        assert self._near is not None
        if abs(micros - self._near) > FAR or abs(micros - doubted) <= FAR:
            self.believe()
            return
        self._doubted = None
        if self._held is not None:
            (line, sample), self._held = self._held, None
            what = "a tim more than a day from those before and behind it; the wait counts next to them"
            self._report.bad(line.number, f"{what}: {line.text}")
            self.ready.append(sample._replace(micros=self._near if self.now is None else self.now))
