"""A, B and the selection as marks of a recording: written when they are named, and shown again with the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...record import SELECTION, Clock, NamedTime, Stamp
from ...view.layout import NamedSides, Selected, SideTimes
from .sides_watch import time_words

if TYPE_CHECKING:
    from ...session import Picture, SelectionWords, Viewpoint

A, B = "A", "B"


def recalled(viewpoint: Viewpoint, named: Mapping[str, NamedTime]) -> Viewpoint:
    """The viewpoint with what a recording has named. A baseline, which the command line names, stays B."""
    times = {name: (mark.begin, mark.stamp.micros) for name, mark in named.items()}
    if viewpoint.sides is None or not viewpoint.sides.other:
        sides = NamedSides(times.get(A), times.get(B))
        viewpoint = viewpoint._replace(sides=None if sides == NamedSides() else sides)
    if viewpoint.selected is None and SELECTION in times:
        found = named[SELECTION]
        viewpoint = viewpoint._replace(selected=Selected(*times[SELECTION], found.low, found.high))
    return viewpoint


class FirstSelection:
    """What ``--select`` names is selected until the user selects something else. Times of day are those at the end of
    a file, and move on while it is read.
    """

    def __init__(self, words: SelectionWords | None) -> None:
        self._words = words
        self._placed: Selected | None = None
        self._refusal = ""

    def shown(self, picture: Picture, viewpoint: Viewpoint, *, is_complete: bool) -> Viewpoint:
        """The viewpoint with the selection. ``is_complete``: its place is final, because no older data will come."""
        words, extent, tz = self._words, picture.extent(viewpoint), picture.options.tz
        if words is None or extent is None:
            return viewpoint
        if self._placed is not None and viewpoint.selected != self._placed:
            self._words = None
            return viewpoint
        self._placed = words.placed(extent, tz)
        if is_complete:
            self._words, self._refusal = None, words.outside(extent, tz)
        return viewpoint._replace(selected=self._placed)

    def tell(self) -> str:
        """Why nothing of it can be seen, once."""
        refusal, self._refusal = self._refusal, ""
        return refusal


def named_marks(picture: Picture, viewpoint: Viewpoint) -> Iterator[NamedTime]:
    """What is named, and what is selected, at present."""
    sides, chosen = viewpoint.sides, viewpoint.selected
    for name, times in ((A, sides and sides.a), (B, sides and sides.b)):
        if times is not None:
            yield named_mark(picture, viewpoint, name, times)
    if chosen is not None and chosen.begin < chosen.end:
        yield named_mark(picture, viewpoint, SELECTION, (chosen.begin, chosen.end), chosen.low, chosen.high)


def named_mark(
    picture: Picture,
    viewpoint: Viewpoint,
    name: str,
    times: SideTimes,
    low: float | None = None,
    high: float | None = None,
) -> NamedTime:
    """The mark at the end of a time. Readers that do not know that it names one show its note."""
    high = None if high is None or high == float("inf") else high
    note = f"{name}: {time_words(picture, viewpoint, times)}"
    return NamedTime(Stamp(times[1], Clock.EPOCH), note, "", name, times[0], low, high)
