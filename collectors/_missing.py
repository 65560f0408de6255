"""What a text lacks so far. A text is refused at its end only: its first prints may hold sizes or totals, and the
latencies come later. For a live source, a message says at once what is missing.
"""

from ..errors import Refused
from ..report import Report

MOST_SAID = 20
"""At most this many reasons are reported while a live source is awaited."""


class Missing:
    """Reasons against parts of a text, in the order in which they were found."""

    def __init__(self, report: Report, *, live: bool) -> None:
        self._report = report
        self._live = live
        self._said: set[str] = set()
        self._first: str | None = None

    def add(self, line: int, reason: str) -> None:
        """Nothing could be drawn up to this line, for this reason."""
        self._first = self._first or f"{self._report.where(line)}: {reason}"
        if self._live and reason not in self._said and len(self._said) < MOST_SAID:
            self._said.add(reason)
            self._report.note(line, f"still waiting for latencies: {reason}")

    def refuse(self) -> None:
        """At the end of a text without latencies: raise Refused with the first reason, if there is one."""
        if self._first is not None:
            raise Refused(self._first)
