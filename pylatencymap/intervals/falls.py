"""Totals that fall again and again: found to be cumulative in the first prints, but perhaps per interval."""

from ..record import RangeCounts, Record, counts_of
from ..report import Report
from .evidence import SeriesKey, fell

SUSPICIOUS_FALLS = 3
"""In so many prints most series have fallen: a counter restarts, but not that often."""


class Falls:
    """Compares the prints of series whose counts were found to be totals; tells once where they seem to be none."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._compared = self._fallen = 0
        self._line = 0
        self._prints = 0
        self._told = False

    def take(self, record: Record) -> None:
        """A record of the print that is going on."""
        if self._told:
            return
        key = (record.series, record.unit)
        counts = counts_of(record.ranges)
        if key in self._last:
            self._compared += 1
            self._fallen += fell(self._last[key], counts)
        self._last[key] = counts
        self._line = record.line

    def close(self) -> None:
        """The print is over."""
        self._prints += self._fallen * 2 > self._compared
        self._compared = self._fallen = 0
        if not self._told and self._prints >= SUSPICIOUS_FALLS:
            self._told = True
            self._last.clear()
            self._report.note(
                self._line,
                "the first prints only grew, so the counts were taken as totals, but they fall again and again; "
                "if they are per interval, use --semantics interval",
            )
