"""The times of a trace, one after another: one that is wrong costs itself."""

from __future__ import annotations

from ...record import Sample
from ...report import Report
from ...text.lines import Line

FAR = 86_400_000_000
"""Microseconds: a time that differs by more from those before and behind it is wrong."""


class Times:
    """``now`` is the time of the last line, in epoch microseconds; None before the first.

    A time that is far from the one before it is in doubt until the next one. Where that is near the one before, the
    trace did not jump: the wait in doubt counts there, and as bad. Where it is not, the trace goes on where it jumped
    to. Waits that are decided on are put into ``ready``.
    """

    def __init__(self, report: Report) -> None:
        self.now: int | None = None
        self.ready: list[Sample] = []
        self._report = report
        self._near: int | None = None
        self._doubted: int | None = None
        self._held: tuple[Line, Sample] | None = None

    def place(self, micros: int) -> None:
        """A time that is believed as it is: it does not count since 1970, or was reckoned."""
        self.believe()
        self.now = micros

    def take(self, micros: int) -> bool:
        """A time that counts since 1970. Whether it is in doubt: then a wait at it is to be held."""
        if self._doubted is not None:
            self._decide(self._doubted, micros)
        near = self._near
        if near is not None and not -FAR <= micros - near <= FAR:
            self._doubted = micros
            return True
        self.now = self._near = micros
        return False

    def hold(self, line: Line, sample: Sample) -> None:
        """The wait that ended at the time in doubt."""
        assert self._doubted is not None
        self._held = line, sample._replace(micros=self._doubted)

    def believe(self) -> None:
        """A time that is in doubt is right after all."""
        if self._doubted is not None:
            self.now = self._near = self._doubted
            self._doubted = None
        if self._held is not None:
            self.ready.append(self._held[1])
            self._held = None

    def end(self) -> None:
        """There is no more: of the last time nobody can tell."""
        if self._held is not None and self._doubted is not None and self._near is not None:
            days = abs(self._doubted - self._near) // FAR
            what = f"the last tim is {days} days from the one before it, and none follows that shows if it is right"
            self._report.note(self._held[0].number, what)
        self.believe()

    def _decide(self, doubted: int, micros: int) -> None:
        """By the time behind the one in doubt."""
        assert self._near is not None
        if abs(micros - self._near) > FAR or abs(micros - doubted) <= FAR:
            self.believe()
            return
        self._doubted = None
        if self._held is not None:
            (line, sample), self._held = self._held, None
            what = "a tim more than a day from those before and behind it; the wait counts beside them"
            self._report.bad(line.number, f"{what}: {line.text}")
            self.ready.append(sample._replace(micros=self._near if self.now is None else self.now))
