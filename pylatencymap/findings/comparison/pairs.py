"""A series on both sides of a comparison, on the rows that all its runs have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np

from ...analysis import TimedCounts, row_means
from ...text.clean import printable
from ...window import FloatArray, Selection, join_selections, rank_of
from ..evidence import SeriesData, series_data


class SeriesRun(NamedTuple):
    """One run of a series: its columns, what its events are called, and what is measured."""

    selection: Selection
    noun: str
    label: str


Side = Sequence[Mapping[str, SeriesRun]]
"""The runs of a side, each with its series by name."""


@dataclass(frozen=True)
class SeriesPair:
    """A series on both sides: of all runs in which it has columns. ``name`` is that in AFTER."""

    name: str
    before_name: str
    before: tuple[SeriesRun, ...]
    after: tuple[SeriesRun, ...]

    @property
    def shown(self) -> str:
        """The name as texts have it; with both names, where they differ."""
        names = dict.fromkeys((self.before_name, self.name))
        return " -> ".join(printable(name, 60) for name in names)

    @cached_property
    def own(self) -> tuple[SeriesData, SeriesData]:
        """Each side by itself, in rows of its own."""
        sides = ((self.before_name, self.before), (self.name, self.after))
        first, second = (_data(name, runs, [run.selection for run in runs]) for name, runs in sides)
        return first, second

    @cached_property
    def common(self) -> SeriesData:
        """All runs behind each other, those of BEFORE first, in the rows that end where all of them have a bound."""
        runs = (*self.before, *self.after)
        selections = [run.selection for run in runs]
        if any(_overlaps(join_selections(selections).ranges)):
            selections = [_with_events(one) for one in selections]
        return _data(self.name, runs, selections)

    @cached_property
    def timed(self) -> tuple[list[TimedCounts], list[TimedCounts]]:
        """The runs of both sides in the common rows."""
        found, first = [], 0
        for run in (*self.before, *self.after):
            part = slice(first, first + len(run.selection))
            found.append(TimedCounts(self.common.counts[:, part], self.common.seconds[part]))
            first = part.stop
        return found[: len(self.before)], found[len(self.before) :]

    @cached_property
    def apart(self) -> tuple[list[SeriesData], list[SeriesData]]:
        """The runs of each side, each in rows of its own."""
        sides = ((self.before_name, self.before), (self.name, self.after))
        first, second = ([_data(name, [run], [run.selection]) for run in runs] for name, runs in sides)
        return first, second

    @cached_property
    def waits(self) -> tuple[list[TimedCounts], list[TimedCounts]]:
        """Seconds waited in each column of the runs of both sides, as one row."""
        found = [_waits(data, side) for data, side in zip(self.own, (self.before, self.after), strict=True)]
        return found[0], found[1]

    @cached_property
    def lost_bounds(self) -> bool:
        """Whether one side counts in finer ranges than both have in common."""
        edges = self.common.edges
        return any(
            not np.isclose(edges, bound, rtol=1e-7, atol=0).any()
            for side in self.own
            for bound in _bounds_between_events(side)
        )


def _data(name: str, runs: Sequence[SeriesRun], selections: Sequence[Selection]) -> SeriesData:
    return series_data(name, runs[0].noun, runs[0].label, join_selections(selections))


def _waits(data: SeriesData, runs: Sequence[SeriesRun]) -> list[TimedCounts]:
    """Seconds waited in each column of the runs of a side; where they are not known, from the means of its rows."""
    waited = row_means(data.total, data.edges, data.tick) @ data.counts if data.waited is None else data.waited
    found, first = [], 0
    for run in runs:
        part = slice(first, first + len(run.selection))
        found.append(TimedCounts(waited[None, part], data.seconds[part]))
        first = part.stop
    return found


def _overlaps(ranges: Sequence[tuple[float, float | None]]) -> list[bool]:
    """For each range but the first, in order, whether it begins before the one below it ends."""
    ends = sorted((lower, inf if upper is None else upper) for lower, upper in ranges)
    return [one[0] < below[1] for below, one in pairwise(ends)]


def _with_events(selection: Selection) -> Selection:
    """Without the ranges that have no events: they say nothing, and would join others that overlap with them."""
    kept = np.flatnonzero(selection.counts.sum(axis=0) > 0)
    return replace(selection, ranges=[selection.ranges[one] for one in kept], counts=selection.counts[:, kept])


def _bounds_between_events(data: SeriesData) -> FloatArray:
    """The bounds with events directly below or above them, without the outermost."""
    filled = data.total > 0
    used = np.flatnonzero(filled)
    if not len(used):
        return np.zeros(0)
    touched = np.concatenate(([False], filled)) | np.concatenate((filled, [False]))
    touched[: used[0] + 1] = touched[used[-1] + 1 :] = False
    return data.edges[touched]


def pairs_of(before: Side, after: Side) -> tuple[list[SeriesPair], list[str], list[str]]:
    """The series of both sides in pairs, the one with the most time waited first, and the names of those that only
    BEFORE, and that only AFTER has.

    Series have the same name on both sides; where each side has a single one, its name does not matter.
    """
    sides = [_by_name(side) for side in (before, after)]
    first, second = sides
    if len(first) == len(second) == 1:
        names = [(next(iter(first)), next(iter(second)))]
    else:
        names = [(name, name) for name in second if name in first]
    found = [SeriesPair(after_name, name, tuple(first[name]), tuple(second[after_name])) for name, after_name in names]
    found.sort(key=lambda pair: (rank_of(pair.name), -_waited(pair)))
    paired = {name for pair in names for name in pair}
    only = [[name for name in side if name not in paired] for side in sides]
    return found, only[0], only[1]


def _by_name(side: Side) -> dict[str, list[SeriesRun]]:
    """The runs in which each series has columns."""
    found: dict[str, list[SeriesRun]] = {}
    for run in side:
        for name, one in run.items():
            if len(one.selection):
                found.setdefault(name, []).append(one)
    return found


def _waited(pair: SeriesPair) -> float:
    """Seconds waited on both sides."""
    return sum(float(run.selection.columns["waited"].sum()) for run in (*pair.before, *pair.after))
