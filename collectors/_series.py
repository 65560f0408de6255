"""Limits the number of series: all names beyond the limit share one series."""

from ..report import Report

MAX_SERIES = 5_000
OTHER = "other"


class SeriesNames:
    """All series named so far: at most MAX_SERIES. The rest share the name OTHER."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: set[str] = set()

    def capped(self, series: str, line: int) -> str:
        """The name itself, or OTHER if there are too many. The first time, a note with the line number says so."""
        if series in self._known:
            return series
        if len(self._known) < MAX_SERIES:
            self._known.add(series)
            return series
        if OTHER not in self._known:
            self._known.add(OTHER)
            self._report.note(line, f"more than {MAX_SERIES} series: the rest are summed as {OTHER!r}")
        return OTHER
