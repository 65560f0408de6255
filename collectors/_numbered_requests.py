"""Requests that are numbered and not timed, one a second, as ping and ioping send them unless told otherwise."""

from __future__ import annotations

from ..report import Report
from ..text.lines import Line

_WRAP = 1 << 16
"""Sequence numbers of ICMP have 16 bits."""


class NumberedRequests:
    """Places requests on an axis of their numbers; each target has its own."""

    def __init__(self, report: Report, advice: str) -> None:
        self._report = report
        self._advice = advice
        self._told = False
        self._last: dict[str, int] = {}
        self._base: dict[str, int] = {}

    def micros(self, target: str, number: int, line: Line) -> int:
        """Where a request is; the numbers of a second run, and those after the largest one, go on from the last."""
        if not self._told and line.arrival is None:
            self._told = True
            what = f"there are no times in this text: its requests count as one a second; {self._advice}"
            self._report.note(line.number, what)
        last = self._last.get(target, 0)
        if number + _WRAP // 2 < last:
            self._base[target] = self._base.get(target, 0) + _WRAP
        elif number < last and number <= 1:
            self._base[target] = self._base.get(target, 0) + last
        elif number < last:
            return (self._base.get(target, 0) + number) * 1_000_000
        self._last[target] = number
        return (self._base.get(target, 0) + number) * 1_000_000
