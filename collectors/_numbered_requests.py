"""Places requests that have a number but no time. ping and ioping send one a second unless an option changes that."""

from __future__ import annotations

from typing import NamedTuple

from ..report import Report
from ..text.lines import Line
from ._bounded import BoundedDict

_WRAP = 1 << 16
"""ICMP sequence numbers have 16 bits, then start again at 0."""


class _Numbering(NamedTuple):
    """The last number of a target, and what to add to it after runs and wrap-arounds."""

    last: int = 0
    base: int = 0

    def next(self, number: int) -> _Numbering:
        """After a wrap-around or the start of a second run the numbers continue from the last one."""
        if number + _WRAP // 2 < self.last:
            return _Numbering(number, self.base + _WRAP)
        if number < self.last and number <= 1:
            return _Numbering(number, self.base + self.last)
        return _Numbering(max(number, self.last), self.base)

    def surprise(self, number: int, requests: int = 1) -> int:
        """How far a number is from the one that is due after so many requests."""
        return abs(number - self.last - requests)


class NumberedRequests:
    """Places requests on a time axis by their numbers, one second apart. Each target has its own numbering.

    A number that seems to begin a second run, or that makes later ones seem to, is judged by the next one: if that one
    continues from the number before, the one in the middle was damaged.
    """

    def __init__(self, report: Report, advice: str) -> None:
        self._report = report
        self._advice = advice
        self._reported = False
        self._now: BoundedDict[str, _Numbering] = BoundedDict()
        self._before_jump: BoundedDict[str, _Numbering] = BoundedDict()

    def micros(self, target: str, number: int, line: Line) -> int:
        """The position of a request in microseconds."""
        if not self._reported and line.arrival is None:
            self._reported = True
            what = f"there are no times in this text: its requests count as one a second; {self._advice}"
            self._report.note(line.number, what)
        last, before = self._now.get(target, _Numbering()), self._before_jump.pop(target, None)
        if before is not None and before.surprise(number, 2) < last.surprise(number):
            last = before
        now = self._now[target] = last.next(number)
        if now.base != last.base or number > last.last + _WRAP // 2:
            self._before_jump[target] = last
        return (now.base + number) * 1_000_000
