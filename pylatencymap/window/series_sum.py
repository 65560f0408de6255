"""Adds up all series: at their common ends if they have them, else on a common grid."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import reduce
from math import ceil, log10
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..units import Unit
from .column_zoom import COLUMN_SECONDS, ZoomCache, fitting_width, whole_micros
from .history import History, Incident
from .matrix import BoolArray, FloatArray, IntArray
from .runs import ColumnRun, run_of, stretch_columns
from .selection import Selection, columns_until, without_slots
from .statistics import Summary, summarise
from .store import COLUMN, ESTIMATED_BIT, GAP_BIT, RangeKey

# Adding columns of several series.


class SumTerm(NamedTuple):
    """One series' columns. ``keys`` int64 [n], ascending: columns of several series with the same key are added."""

    keys: IntArray
    run: ColumnRun
    ranges: list[RangeKey]
    unit: Unit


def finest_unit(units: Sequence[Unit]) -> Unit:
    """The smallest of one or more units: bounds in the others are whole numbers of it."""
    return min(units, key=lambda unit: unit.seconds)


def ranges_in_unit(ranges: Sequence[RangeKey], unit: Unit, to: Unit) -> list[RangeKey]:
    """Bounds in another unit, which is not larger; exact."""
    factor = round(unit.seconds / to.seconds)
    return [(lower * factor, None if upper is None else upper * factor) for lower, upper in ranges]


def add_terms(terms: Sequence[SumTerm], limit: int) -> tuple[ColumnRun, list[RangeKey], Unit]:
    """The newest ``limit`` columns of the sum of all terms (one or more), their ranges and unit.

    Counts and time waited are sums. ``seconds`` is how long the column was watched: the longest time of any series.
    A column is a gap if no series has data.
    """
    unit = finest_unit([term.unit for term in terms])
    keys = np.unique(np.concatenate([term.keys for term in terms]))[-limit:]
    rows: dict[RangeKey, int] = {}
    where = [
        np.array([rows.setdefault(key, len(rows)) for key in ranges_in_unit(term.ranges, term.unit, unit)], np.int64)
        for term in terms
    ]
    sums = _Sums(len(keys), len(rows))
    for term, columns in zip(terms, where, strict=True):
        kept = np.searchsorted(term.keys, keys[0]) if len(keys) else 0
        run = term.run.taken(slice(int(kept), None))
        sums.add(run, _waits(term, run), np.searchsorted(keys, term.keys[kept:]), columns)
    return sums.run(), list(rows), unit


def _waits(term: SumTerm, run: ColumnRun) -> FloatArray:
    """Seconds waited in each column of a series by itself: what all waited is the sum of that, and no estimate from the
    counts of all, which would be another.
    """
    if not (run.columns["flags"] & ESTIMATED_BIT).any():
        return np.asarray(run.columns["waited"])
    ranges = term.ranges[: run.counts.shape[1]]
    return Selection(ranges, term.unit, run.columns, run.counts, run.lasted, 1.0).settled_waits()


class _Sums:
    """The sums of the columns."""

    def __init__(self, size: int, rows: int) -> None:
        self._columns = np.zeros(size, COLUMN)
        self._columns["start"] = np.iinfo(np.int64).max
        self._begins = self._columns["start"].astype(np.int64)
        self._counts: FloatArray = np.zeros((size, rows))
        self._lasted: FloatArray = np.zeros(size)
        self._data: BoolArray = np.zeros(size, bool)

    def add(self, run: ColumnRun, waits: FloatArray, places: IntArray, rows: IntArray) -> None:
        """Add a run, whose columns waited ``waits`` seconds and go to ``places``, its counts to ``rows``."""
        sums, columns = self._columns, run.columns
        self._counts[np.ix_(places, rows[: run.counts.shape[1]])] += run.counts
        self._data[places] |= columns["flags"] & GAP_BIT == 0
        self._lasted[places] = np.maximum(self._lasted[places], run.lasted)
        self._begins[places] = np.minimum(self._begins[places], run.begins)
        sums["start"][places] = np.minimum(sums["start"][places], columns["start"])
        sums["end"][places] = np.maximum(sums["end"][places], columns["end"])
        sums["seconds"][places] = np.maximum(sums["seconds"][places], columns["seconds"])
        sums["waited"][places] += waits
        sums["flags"][places] |= columns["flags"]

    def run(self) -> ColumnRun:
        """The sums as columns."""
        self._columns["flags"] &= np.where(self._data, ~np.uint8(GAP_BIT), np.uint8(0xFF))
        begins = np.maximum(self._begins, np.concatenate([self._begins[:1], self._columns["end"][:-1]]))
        return ColumnRun(self._columns, self._counts, self._lasted, begins)


EARLIER = 0.5
"""An interval can begin before the end of the one before, by this part of its length, and still be next to it."""
SLACK = 1.01
"""An interval up to this many times as long as a step of the grid still fits into it."""

ZoomedOf = Callable[[History, float], ZoomCache]


def sum_series(
    histories: Sequence[History], count: int, width: float | None, end: int | None, zoomed_of: ZoomedOf
) -> Selection:
    """The ``count`` columns of the sum that end at or before ``end``; ``width`` as in ``select_columns``.

    ``zoomed_of`` returns the cache of a series for a width in seconds.
    """
    newest = max((history.end for history in histories), default=None)
    if newest is None:
        return Selection.empty()
    end = newest if end is None else min(end, newest)
    usual = max(history.usual_seconds(columns_until(history, end)[1]) for history in histories)
    if width is None or width <= usual:
        terms = [_by_end(history, count, end, usual) for history in histories]
        if _share_ends(terms):
            run, ranges, unit = add_terms(terms, count)
            run = stretch_columns(run, usual, count)
            return Selection(ranges, unit, run.columns, run.counts, run.lasted, usual, settled=True)
        width = _step(usual)
    terms = [_by_slot(history, count, end, zoomed_of(history, width)) for history in histories]
    run, ranges, unit = add_terms(terms, count)
    return Selection(ranges, unit, run.columns, run.counts, run.lasted, width, settled=True)


def _by_end(history: History, count: int, end: int, usual: float) -> SumTerm:
    until, stop = columns_until(history, end)
    run = run_of(history, stop - count, stop, until, usual)
    return SumTerm(run.columns["end"].astype(np.int64), run, history.ranges, history.unit)


def _by_slot(history: History, count: int, end: int, zoomed: ZoomCache) -> SumTerm:
    grid = zoomed.grid(count, columns_until(history, end)[1], end)
    return SumTerm(grid.slots, without_slots(grid, zoomed.width), history.ranges, history.unit)


def _share_ends(terms: Sequence[SumTerm]) -> bool:
    """Whether columns with the same end cover the same time: no interval extends over an end of another series."""
    first = terms[0]
    if all(np.array_equal(first.keys, term.keys) for term in terms):
        return bool((np.diff(first.keys) > 0).all())
    keys = np.unique(np.concatenate([term.keys for term in terms]))
    return all(_is_next_to(term.run, np.searchsorted(keys, term.keys), keys.astype(np.float64)) for term in terms)


def _is_next_to(run: ColumnRun, places: NDArray[np.intp], keys: FloatArray) -> bool:
    """Whether each column with data begins at the key before its own, and no two columns have the same key."""
    data = (run.columns["flags"] & GAP_BIT == 0) & (places > 0)
    earlier = keys[np.maximum(places - 1, 0)] - run.begins
    allowed = EARLIER * (run.columns["end"] - run.begins)
    return bool((earlier <= allowed)[data].all() and (np.diff(places) > 0).all())


def _step(usual: float) -> float:
    """The width of the common grid: the first step that an interval fits into."""
    steps = [float(step) for step in COLUMN_SECONDS if step * SLACK >= usual]
    if usual < 1:
        power = 10.0 ** ceil(log10(usual) - 1)
        steps = [power * step for step in (1, 2, 5, 10) if power * step * SLACK >= usual]
    return steps[0] if steps else usual


class SeriesSum:
    """All series added up, to be read like one history. ``name`` is what it is called."""

    def __init__(self, name: str, histories: Sequence[History]) -> None:
        self.name = name
        self.histories = tuple(histories)

    @property
    def state(self) -> tuple[object, ...]:
        """Changes with the data."""
        return tuple((history.version, len(history), history.events) for history in self.histories)

    @property
    def unit(self) -> Unit:
        """The finest unit of any series."""
        return finest_unit([history.unit for history in self.histories])

    def ranges_of_each(self) -> list[list[RangeKey]]:
        """The ranges of each series in the common unit."""
        return [ranges_in_unit(history.ranges, history.unit, self.unit) for history in self.histories]

    def counts(self) -> dict[RangeKey, float]:
        """All events by range, in the common unit."""
        found: dict[RangeKey, float] = {}
        for history, ranges in zip(self.histories, self.ranges_of_each(), strict=True):
            for key, count in zip(ranges, history.counts, strict=True):
                found[key] = found.get(key, 0) + count
        return found

    @property
    def start(self) -> int:
        """When the oldest column begins, in epoch microseconds."""
        return min(history.start for history in self.histories)

    @property
    def end(self) -> int:
        """When the newest column ends, in epoch microseconds."""
        return max(history.end for history in self.histories)

    @property
    def label(self) -> str:
        return self.histories[0].label

    @property
    def source(self) -> str:
        return self.histories[0].source

    def usual_seconds(self) -> float:
        """Seconds between two columns: those of the series that has them least often."""
        return max(history.usual_seconds() for history in self.histories)

    def all_incidents(self) -> tuple[Incident, ...]:
        """The resets of all series, one per moment, and the silences that all have in common; oldest first."""
        each = [history.incidents.all() for history in self.histories]
        resets = {one.end: one for its in each for one in its if one.reset}
        silences = [[(one.start, one.end) for one in its if one.gap and not one.reset] for its in each]
        common = [
            Incident(start, end, (end - start) / 1e6, gap=True, reset=False)
            for start, end in reduce(_overlaps, silences)
        ]
        return tuple(sorted([*resets.values(), *common], key=lambda one: one.end))

    def select(self, count: int, width: float | None = None, end: int | None = None) -> Selection:
        """The ``count`` columns that end at or before ``end``; see ``sum_series``."""
        return sum_series(self.histories, count, width, end, _anew)

    def filled(self, count: int, width: float) -> Generator[None, None, Selection]:
        """``select`` in steps of some thousand columns of one series, for a view that must not wait."""
        caches = {history.name: ZoomCache(history, whole_micros(width)) for history in self.histories}
        for cache in caches.values():
            yield from cache.fill(count)
            yield
        return sum_series(self.histories, count, width, None, lambda history, _: caches[history.name])

    def between(self, first: int, last: int, count: int | None) -> Selection:
        """The columns that end after ``first`` and at or before ``last`` (epoch microseconds); merged if there are more
        than ``count``.
        """
        usual, last = self.usual_seconds(), min(last, self.end)
        seconds = (last - max(first, self.start)) / 1e6
        width = fitting_width(max(first, self.start), last, usual, count) if count is not None else None
        found = self.select(max(ceil(seconds / (width or usual)) + 1, 1), width, last)
        return found.newest(int((found.columns["end"] > first).sum()))


def _anew(history: History, seconds: float) -> ZoomCache:
    return ZoomCache(history, whole_micros(seconds))


_Spans: TypeAlias = list[tuple[int, int]]


def _overlaps(ones: _Spans, others: _Spans) -> _Spans:
    """What two lists of times, each in order, have in common."""
    found, place = [], 0
    for start, end in ones:
        while place < len(others) and others[place][1] <= start:
            place += 1
        for first, last in others[place:]:
            if first >= end:
                break
            found.append((max(start, first), min(end, last)))
    return found


def total_of_series(histories: Sequence[History]) -> Summary:
    """Statistics of everything that was added to all series; ``span`` is the time in which any of them was watched."""
    if not histories:
        return Selection.empty().summary()
    parts = [history.total() for history in histories]
    unit = finest_unit([history.unit for history in histories])
    counts: dict[RangeKey, float] = {}
    for history in histories:
        for key, count in zip(ranges_in_unit(history.ranges, history.unit, unit), history.counts, strict=True):
            counts[key] = counts.get(key, 0) + count
    return summarise(
        list(counts),
        np.array(list(counts.values()), dtype=np.float64),
        unit,
        span=_watched(histories, [summary.span for summary in parts]),
        waited=sum(summary.waited for summary in parts),
        estimated=any(summary.estimated for summary in parts),
    )


def _watched(histories: Sequence[History], spans: Sequence[float]) -> float:
    """Seconds in which any series was watched: the time covered by at least one series, less common silences.

    The series with the smallest share of silence stands for the silences that all series have in common.
    """
    covered, reached = 0, None
    for start, end in sorted((history.start, history.end) for history in histories):
        covered += max(0, end - (start if reached is None else max(start, reached)))
        reached = end if reached is None else max(reached, end)
    extents = [(history.end - history.start) / 1e6 for history in histories]
    part = max((span / extent for span, extent in zip(spans, extents, strict=True) if extent > 0), default=1.0)
    return max(*spans, covered / 1e6 * min(part, 1.0)) if len(spans) > 1 else sum(spans)
