"""Places requests that have a number but no time. ping and ioping send one a second unless an option changes that."""

from __future__ import annotations

from ..report import Report
from ..text.lines import Line

_WRAP = 1 << 16
"""ICMP sequence numbers have 16 bits, then start again at 0."""


class NumberedRequests:
    """Places requests on a time axis by their numbers, one second apart. Each target has its own numbering."""

    def __init__(self, report: Report, advice: str) -> None:
        self._report = report
        self._advice = advice
        self._reported = False
        self._last: dict[str, int] = {}
        self._base: dict[str, int] = {}

    def micros(self, target: str, number: int, line: Line) -> int:
        """The position of a request in microseconds.

        After a wrap-around or the start of a second run the numbers continue from the last one.
        """
        if not self._reported and line.arrival is None:
            self._reported = True
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
