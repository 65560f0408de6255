"""Remarks on the time axis: the user's, and those of recordings."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator
from operator import attrgetter

from ..record import Mark

MOST = 10_000
"""Kept; beyond them the oldest go, for a source may make marks for ever."""

_moment = attrgetter("stamp.micros")


class Marks:
    """Marks in the order of time. They may be added in one thread and read in another."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._marks.copy())

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        insort(self._marks, mark, key=_moment)
        if len(self._marks) > MOST:
            del self._marks[0]

    def until(self, end: int) -> tuple[tuple[int, str, str], ...]:
        """Those up to a moment (epoch microseconds), as the picture takes them."""
        marks = self._marks.copy()
        return tuple((mark.stamp.micros, "M", mark.note) for mark in marks[: bisect_right(marks, end, key=_moment)])
