"""A, B and the selection as marks of a recording: written when they are named, and shown again with the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...record import SELECTION, Clock, NamedTime, Stamp
from ...view.layout import NamedSides, Selected, SideTimes
from .sides_watch import time_words

if TYPE_CHECKING:
    from ...session import Picture, Viewpoint

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
