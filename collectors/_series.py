"""Names of series, so many at most: what a text names beyond that is one series."""

from ..report import Report

MAX_SERIES = 5_000
OTHER = "other"


class SeriesNames:
    """All series named so far: at most MAX_SERIES, the rest are OTHER."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: set[str] = set()

    def capped(self, series: str, line: int) -> str:
        """The name itself, or OTHER where there are too many, which is told once with the line."""
        if series in self._known:
            return series
        if len(self._known) < MAX_SERIES:
            self._known.add(series)
            return series
        if OTHER not in self._known:
            self._known.add(OTHER)
            self._report.note(line, f"more than {MAX_SERIES} series: the rest are summed as {OTHER!r}")
        return OTHER
