"""How series were before and during a change, and how they went over a time: by their own columns, so that it does not
depend on what a screen has room for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...analysis import EpisodeKind
from ...window import (
    FloatArray,
    History,
    IntArray,
    Selection,
    ZoomCache,
    fitting_width,
    select_between,
    select_columns,
)

if TYPE_CHECKING:
    from ...findings import Change

MOST_COLUMNS = 512
"""Columns that a level is added up from; more are merged."""
NEAR = 64
"""Intervals before and after a step that are compared."""
ENDS = 8
"""The first and the last part of a drift are each so many times shorter than it."""
COURSE = 64
"""Columns in which series are compared over a time."""
TELLING = 10
"""Events; from fewer nothing follows about how many there would be at another time."""


class Levels(NamedTuple):
    """Before a change and in it: ``rates`` of events per second, ``waits`` in seconds per second, and the number of
    ``events``.
    """

    rates: tuple[float, float]
    waits: tuple[float, float]
    events: tuple[float, float]

    @property
    def tell(self) -> bool:
        """Whether there are enough events for it to mean something that they are more, or fewer, or as many."""
        return max(self.events) >= TELLING


def levels_of(history: History, change: Change) -> Levels | None:
    """How a series was before a change, for as long as that lasted, and in it; of a step, shortly before and after; of
    a drift, in its first part and in its last one. None where one of both is not kept.
    """
    length = change.end - change.begin or round(NEAR * history.usual_seconds() * 1e6)
    firsts = change.begin - length, change.begin
    if change.kind is EpisodeKind.DRIFT:
        length = max(length // ENDS, 1)
        firsts = change.begin, change.end - length
    parts = [select_between(history, first, first + length, MOST_COLUMNS).summary() for first in firsts]
    if not all(part.span > 0 for part in parts):
        return None
    before, inside = parts
    return Levels(
        (before.events / before.span, inside.events / inside.span),
        (before.waited / before.span, inside.waited / inside.span),
        (before.events, inside.events),
    )


class TimeCourse(NamedTuple):
    """A series over time: when its columns begin and end, epoch microseconds, and the seconds, events and seconds
    waited of each.
    """

    starts: IntArray
    ends: IntArray
    seconds: FloatArray
    events: FloatArray
    waits: FloatArray


def is_telling(course: TimeCourse) -> bool:
    """Whether its columns have so many events that more or fewer of them mean something."""
    return float(course.events.sum()) >= TELLING * max(len(course.events), 1)


class Courses:
    """The courses of series over a time. Merged columns are kept: the next picture is mostly of the same time."""

    def __init__(self) -> None:
        self._zoomed: dict[str, ZoomCache] = {}

    def of(self, histories: Sequence[History], begin: int, end: int) -> tuple[list[TimeCourse], int]:
        """The series between two moments (epoch microseconds), in about COURSE columns of the same length, and that
        length in microseconds.
        """
        usual = max(one.usual_seconds() for one in histories)
        width = fitting_width(begin, end, usual, COURSE) or usual
        found = [self._selected(one, width, end) for one in histories]
        return [_course(one, begin) for one in found], round(width * 1e6)

    def _selected(self, history: History, width: float, end: int) -> Selection:
        if width <= history.usual_seconds():
            return select_columns(history, COURSE + 1, width, end)
        micros, kept = round(width * 1e6), self._zoomed.get(history.name)
        if kept is None or not kept.is_about(history) or not kept.is_of(micros):
            kept = self._zoomed[history.name] = ZoomCache(history, micros)
        return select_columns(history, COURSE + 1, width, end, kept)


def _course(selection: Selection, begin: int) -> TimeCourse:
    columns = selection.columns
    part = columns["end"] > begin
    shown = columns[part]
    return TimeCourse(
        shown["start"].copy(),
        shown["end"].copy(),
        shown["seconds"].copy(),
        selection.counts[part].sum(axis=1),
        shown["waited"].copy(),
    )
