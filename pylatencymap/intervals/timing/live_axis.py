"""How far the time axis of a live trace has come, which no single event decides.

A bin is printed when the axis has passed it, and the events that come for it later count elsewhere. So an event that is
ahead of the others by more than the time that passed since the last one moves the axis only if the next one agrees, or
if none comes. If the clock is set back, the axis goes on.
"""

from __future__ import annotations

from ...report import Report
from .event_times import long_away


class LiveAxis:
    """The axis, in bins of ``width`` microseconds.

    ``newest`` is how far it has come, and ``line`` the line of the event that moved it there.
    """

    def __init__(self, width: int, report: Report) -> None:
        self.newest: int | None = None
        self.line = 0
        self._width = width
        self._far = long_away(width)
        self._report = report
        self._shift = 0
        self._last: tuple[int, int] | None = None

    def moved(self, end: int, line: int) -> int:
        """The time of an event on the axis. If the clock was set back, it is shifted, until it is as before."""
        if self.newest is None:
            return end
        if self._shift and abs(end - self.newest) <= self._far:
            self._shift = 0
        back = self.newest - (end + self._shift)
        if back > self._far:
            self._report.note(line, f"the clock went back by {back / 1e6:.0f} s; the time axis goes on")
            self._shift = self.newest - end
        return end + self._shift

    def heard(self, end: int, line: int, elapsed: float) -> None:
        """An event that ended at ``end``, ``elapsed`` seconds after the last one came."""
        last, self._last = self._last, (end, line)
        if self.newest is None or end - self.newest <= round(elapsed * 1e6) + self._width:
            self._advance(end, line)
        elif last is not None:
            self._advance(*min(last, self._last))

    def confirm(self) -> None:
        """No event has come for a while, so the last one counts."""
        if self._last is not None:
            self._advance(*self._last)

    def told_late(self, end: int, begin: int) -> str:
        """What to say of an event that ended before ``begin``, where the interval begins that is drawn."""
        return (
            f"an event ended {(begin - end) / 1e6:.3g} s before the interval that is drawn; such events count in it. "
            f"The time in line {self.line} began it: suspect that one, or try a longer --interval"
        )

    def _advance(self, end: int, line: int) -> None:
        if self.newest is None or end > self.newest:
            self.newest, self.line = end, line
