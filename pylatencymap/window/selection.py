"""Selects the columns of one series that a picture shows, and makes a matrix and statistics of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil, inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..analysis import bunching_of
from ..buckets import MAX_RESOLUTION, on_grid
from ..units import Unit, bound_meant
from .column_zoom import ZoomCache, whole_micros
from .history import History
from .matrix import BoolArray, FloatArray, Matrix, row_bounds
from .runs import ColumnRun, run_of, stretch_columns
from .slots import SlotColumns, merge_into_slots
from .statistics import (
    SlowTime,
    Summary,
    WholeRanges,
    WorstColumn,
    mean_latencies,
    seconds_and_counts,
    share_above,
    slow_times,
    summarise,
    tick_of,
    waited_per_range,
)
from .store import COLUMN, DOUBT_BIT, ESTIMATED_BIT, GAP_BIT, RESET_BIT, UNCLOCKED_BIT, RangeKey

SLACK = 1 + 1e-9
"""Bounds in seconds are not exact."""
FLAG_BITS = np.array([[GAP_BIT], [RESET_BIT], [ESTIMATED_BIT], [DOUBT_BIT], [UNCLOCKED_BIT]], np.uint8)


class _Flags(NamedTuple):
    """The flags of columns, bool [columns] each, in the order of FLAG_BITS; see Matrix."""

    gap: BoolArray
    reset: BoolArray
    estimated: BoolArray
    doubtful: BoolArray
    unclocked: BoolArray


@dataclass(frozen=True)
class Selection:
    """Columns on a regular time axis, oldest first, with counts per native range.

    ``columns`` COLUMN [n]; ``counts`` float64 [n, ranges]; ``lasted`` float64 [n], seconds of the interval that a
    column is a piece of; ``width``, the seconds that one column covers. ``settled``: the times waited of ``columns``
    are the best estimates already where they are estimates, as those of a sum of several series.
    """

    ranges: list[RangeKey]
    unit: Unit
    columns: NDArray[Any]
    counts: FloatArray
    lasted: FloatArray
    width: float
    settled: bool = False

    @classmethod
    def empty(cls) -> Selection:
        """A selection without columns."""
        return cls([], Unit.US, np.zeros(0, COLUMN), np.zeros((0, 0)), np.zeros(0), 1.0)

    def __len__(self) -> int:
        return len(self.columns)

    def newest(self, count: int) -> Selection:
        """The last ``count`` columns only."""
        part = slice(max(len(self) - count, 0), None)
        return replace(self, columns=self.columns[part], counts=self.counts[part], lasted=self.lasted[part])

    def summary(self, slo: float | None = None) -> Summary:
        """Statistics of all columns; with ``slo``, in seconds, also the shares above it."""
        return self._summary(slice(None), slo)

    def latest(self, slo: float | None = None) -> Summary | None:
        """Statistics of the newest column that has data; None if no column has."""
        with_data = np.nonzero(~self._flags.gap)[0]
        return self._summary(slice(with_data[-1], with_data[-1] + 1), slo) if len(with_data) else None

    def at(self, micros: int, slo: float | None = None) -> Summary | None:
        """Statistics of the column whose interval contains a moment (epoch microseconds), its end included.

        None outside the columns, in a gap, and between columns, where the clock jumped and nothing was measured.
        """
        place = int(np.searchsorted(self.columns["end"], micros))
        if place == len(self) or self.columns["flags"][place] & GAP_BIT or micros <= self.begin_of(place):
            return None
        return self._summary(slice(place, place + 1), slo)

    def begin_of(self, place: int) -> int:
        """When the interval of a column begins: at the end of the one before, unless that is over a column away."""
        start = int(self.columns["start"][place])
        if place == 0:
            return start
        before = int(self.columns["end"][place - 1])
        return start if start - before > self.width * 1e6 else before

    def matrix(self, resolution: int = 1, cover: tuple[float, float] | None = None) -> Matrix:
        """A matrix whose rows cover all events and at least ``cover`` (seconds), with a context row at each end."""
        used = (self._totals > 0).tobytes()
        rows = _matrix_rows(tuple(self.ranges), used, resolution, cover, self.unit)
        gap, reset, estimated, doubtful, unclocked = self._flags
        return Matrix(
            bounds=rows.bounds,
            counts=rows.shares @ self.counts.T,
            waited=rows.times @ self.waited_per_range().T,
            ends=self.columns["end"].copy(),
            seconds=self.columns["seconds"].copy(),
            lasted=self.lasted.copy(),
            gap=gap,
            reset=reset,
            estimated=estimated,
            doubtful=doubtful,
            overflow=rows.overflow,
            resampled=rows.resampled,
            clock=not np.count_nonzero(unclocked),
            unit=self.unit,
        )

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Bounds in seconds [rows + 1] of the source's own ranges as adjacent rows, and counts [rows, columns]."""
        return seconds_and_counts(self.ranges, self.counts.T, self.unit)

    @cached_property
    def tick(self) -> float | None:
        """The step of the source's clock in seconds: its unit, if that is coarse and it told latencies apart that
        differ by one; None where the ranges do not show it.
        """
        return tick_of(self.ranges, self._totals, self.unit)

    def between_latencies(self, low: float | None, high: float | None) -> WholeRanges:
        """What is in all ranges that reach into ``low`` to ``high`` (seconds; None: no bound)."""
        scale = self.unit.seconds
        bounds = [bound * scale for range_ in self.ranges for bound in range_ if bound is not None]
        low, high = (None if one is None else bound_meant(one, bounds) for one in (low, high))
        inside = np.array(
            [
                (low is None or upper is None or upper * scale > low * SLACK)
                and (high is None or lower * scale * SLACK < high)
                for lower, upper in self.ranges
            ],
            np.bool_,
        )
        events, waited = float(self.counts[:, inside].sum()), float(self.waited_per_range()[:, inside].sum())
        used = [range_ for range_, is_used in zip(self.ranges, inside & (self._totals > 0), strict=True) if is_used]
        lowest = min((lower for lower, _ in used), default=inf) * scale
        highest = max((inf if upper is None else upper for _, upper in used), default=0) * scale
        if high is not None and highest > high * SLACK:
            high = None if highest == inf else highest
        return WholeRanges(events, waited, lowest if low is not None and lowest * SLACK < low else low, high)

    def above(self, threshold: float) -> FloatArray:
        """Events [columns] above a threshold (seconds). Of a range that holds it, all columns have the same part."""
        edges, rows = self.rows()
        surely = rows[edges[:-1] >= threshold / SLACK].sum(axis=0)
        inside = rows[(edges[:-1] < threshold / SLACK) & (edges[1:] > threshold * SLACK)].sum(axis=0)
        total, divided = float(rows.sum()), float(inside.sum())
        if not divided:
            return np.asarray(surely)
        waited = None if self._flags.estimated.any() else float(self.columns["waited"].sum())
        slow = share_above(self.ranges, self._totals, waited, self.unit, threshold, self.tick).events * total
        return np.asarray(surely + inside * min(max((slow - float(surely.sum())) / divided, 0.0), 1.0))

    def slow_times(self, threshold: float, limit: float) -> list[SlowTime]:
        """When more than the share ``limit`` of the events are above a threshold (seconds)."""
        return slow_times(self.columns, self.settled_waits(), self.counts.sum(axis=1), self.above(threshold), limit)

    def worst(self, since: int | None = None, until: int | None = None) -> WorstColumn | None:
        """The column with the most time waited per second, between two moments (epoch microseconds; None: of all); None
        if no column there has data.
        """
        seconds, ends = self.columns["seconds"], self.columns["end"]
        there = (ends > (-np.inf if since is None else since)) & (ends <= (np.inf if until is None else until))
        known = np.flatnonzero((seconds > 0) & ~self._flags.gap & there)
        if not len(known):
            return None
        rates = self.settled_waits()[known] / seconds[known]
        place = int(known[rates.argmax()])
        end = int(self.columns["end"][place])
        return WorstColumn(
            end - round(self.width * 1e6),
            end,
            float(seconds[place]),
            float(rates.max()),
            float(sum(np.sort(rates)[[(len(rates) - 1) // 2, len(rates) // 2]]) / 2),  # np.median imports numpy.ma
            len(known),
        )

    def waited_per_range(self) -> FloatArray:
        """Seconds waited, [columns, ranges]. Estimates add up: an event counts as the mean of all events of its range
        in this selection, whatever its column is.
        """
        sums, measured = self.columns["waited"], ~self._guessed
        return waited_per_range(self.counts, self.ranges, self._means, sums, measured, self.unit)

    @cached_property
    def _means(self) -> FloatArray:
        return mean_latencies(self.ranges, self._totals, self.unit, self.tick)

    @cached_property
    def _totals(self) -> FloatArray:
        """Events per range."""
        return np.asarray(self.counts.sum(axis=0))

    @cached_property
    def _bunch(self) -> float:
        return bunching_of(self.counts.T, None)

    @cached_property
    def _flags(self) -> _Flags:
        return _Flags(*(self.columns["flags"] & FLAG_BITS != 0))

    @property
    def _guessed(self) -> BoolArray:
        """The columns, [columns], of whose time waited there is no good estimate yet."""
        return self._flags.estimated & (not self.settled)

    def settled_waits(self) -> FloatArray:
        """Seconds waited in each column, [columns], as in summaries."""
        return np.where(self._guessed, self.counts @ self._means, self.columns["waited"])

    def _summary(self, part: slice, slo: float | None) -> Summary:
        columns, counts, guessed = self.columns[part], self.counts[part].sum(axis=0), self._guessed[part]
        waited = float(columns["waited"][~guessed].sum())
        if guessed.any():
            waited += float(self.counts[part][guessed].sum(axis=0) @ self._means)
        summary = summarise(
            self.ranges,
            counts,
            self.unit,
            span=float(columns["seconds"].sum()),
            waited=waited,
            estimated=bool(self._flags.estimated[part].any()),
            bunch=self._bunch,
            tick=self.tick,
        )
        if slo is None:
            return summary
        exact = None if summary.estimated else waited
        return summary._replace(slow=share_above(self.ranges, counts, exact, self.unit, slo, self.tick))


class _MatrixRows(NamedTuple):
    """Rows of a matrix: bounds in seconds, and the projections that make counts and time waited of those of ranges.
    Sums per column stay what they are.
    """

    bounds: FloatArray
    overflow: bool
    resampled: bool
    shares: FloatArray
    times: FloatArray


@lru_cache(maxsize=64)
def _matrix_rows(
    ranges: tuple[RangeKey, ...], used: bytes, resolution: int, cover: tuple[float, float] | None, unit: Unit
) -> _MatrixRows:
    """Rows for the ranges of a series, of which those are in use whose byte is not 0: mostly those of the picture
    before. Read-only.
    """
    keys, scale = [key for key, is_used in zip(ranges, used, strict=True) if is_used], unit.seconds
    rows = row_bounds(keys, resolution, None if cover is None else (cover[0] / scale, cover[1] / scale))
    bounds = np.array(rows.bounds) * scale
    bounds.flags.writeable = False
    return _MatrixRows(bounds, rows.overflow, any(map(rows.is_resampled, keys)), *rows.projection(list(ranges)))


# How fine a latency resolution is worth drawing.


FINEST = MAX_RESOLUTION


def finest_resolution(selection: Selection) -> int:
    """The finest resolution worth drawing, 1 to 64; FINEST if there are no events to judge by.

    In the octave with the most wait, rows are at least half as wide as the source's own range there. If the source's
    ranges lie on the grid, a finer resolution that would draw them just as wide is not worth it either.
    """
    waits = _waits(selection)
    octaves: dict[int, float] = {}
    for (lower, upper), wait in waits.items():
        octave = _octave(lower, upper)
        octaves[octave] = octaves.get(octave, 0.0) + wait
    if not octaves:
        return FINEST
    octave = max(octaves, key=lambda number: octaves[number])
    inside = {key: wait for key, wait in waits.items() if _octave(*key) == octave}
    lower, upper = max(inside, key=lambda key: inside[key])
    resolution = FINEST
    while resolution > 1 and 2 ** max(octave - 1, 0) / resolution < (upper - lower) / 2:
        resolution //= 2
    while resolution > 1 and all(on_grid(bound, resolution // 2) for key in inside for bound in key):
        resolution //= 2
    return resolution


def _waits(selection: Selection) -> dict[tuple[float, float], float]:
    """Time waited by range, of the closed ranges in use; their numbers of events if there is no time waited at all."""
    waited, events = selection.waited_per_range().sum(axis=0), selection.counts.sum(axis=0)
    weights = np.where(events > 0, waited, 0.0) if waited.any() else events
    return {
        (float(lower), float(upper)): float(weight)
        for (lower, upper), weight in zip(selection.ranges, weights, strict=True)
        if upper is not None and weight > 0
    }


def _octave(lower: float, upper: float) -> int:
    return int((lower + upper) / 2).bit_length()


# The columns of a series up to a moment, one interval each or merged on a time grid.


def select_columns(
    history: History, count: int, width: float | None = None, end: int | None = None, zoomed: ZoomCache | None = None
) -> Selection:
    """The ``count`` columns that end at or before ``end`` (epoch microseconds; None: the newest).

    ``width`` None, or not more than the usual interval: one interval each, long ones in pieces. Else columns of
    ``width`` seconds on a grid aligned to the epoch; the last one ends with the data up to ``end``. So the same moment
    always gives the same picture, whatever data have come since. ``zoomed`` is a cache of merged columns.
    """
    end, stop = columns_until(history, end)
    usual = history.usual_seconds(stop)
    if width is None or width <= usual:
        run = stretch_columns(run_of(history, stop - count, stop, end, usual), usual, count)
        return selection_of(history, run, usual)
    zoomed = zoomed or ZoomCache(history, whole_micros(width))
    return selection_of(history, without_slots(zoomed.grid(count, stop, end), zoomed.width), width)


def select_between(history: History, start: int | None, end: int | None, count: int | None = None) -> Selection:
    """The columns that end after ``start`` and at or before ``end`` (epoch microseconds; None: all), as stored.

    If there are more than ``count`` columns, they are merged into at most ``count`` slots of a grid aligned to the
    epoch. A slot is a whole number of usual intervals wide (rounded to two digits, since intervals are rarely exact),
    so that all slots have the same number of intervals. No count is lost.
    """
    first = 0 if start is None else history.count_until(start)
    stop = max(first, len(history) if end is None else history.count_until(end))
    usual = history.usual_seconds(stop)
    run = run_of(history, first, stop)
    if count is None or run.size <= count:
        return selection_of(history, run, usual)
    step, wanted = (
        max(whole_micros(float(f"{usual:.2g}")), 1),
        (int(run.columns["end"][-1]) - int(run.begins[0])) / count,
    )
    while True:
        width = step * ceil(wanted / step)
        grid = merge_into_slots(history, first, stop, width, count + 2)
        if grid.size <= count:
            return selection_of(history, without_slots(grid, width), width / 1e6)
        wanted = width * (1 + 1 / count)


def columns_until(history: History, end: int | None) -> tuple[int, int]:
    """The moment ``end``, or the end of the history if that is earlier, and how many columns end at or before it."""
    if end is None or end >= history.end:
        return history.end, len(history)
    return end, history.count_until(end)


def without_slots(grid: SlotColumns, width: int) -> ColumnRun:
    """The columns of a grid as a run, each ending with its slot of ``width`` microseconds.

    Only the last column can end earlier, with its data. If others could, a column in which a silence begins would end
    early, and the time axis would be off by one column.
    """
    columns, ends = grid.columns.copy(), grid.slots * width
    columns["end"][:-1] = ends[:-1]
    columns["end"][-1:] = np.minimum(columns["end"][-1:], ends[-1:])
    return ColumnRun(columns, grid.counts, grid.lasted, columns["start"].astype(np.int64))


def selection_of(history: History, run: ColumnRun, width: float) -> Selection:
    """A run of columns of a series as a selection, with counts for all its ranges."""
    ranges = list(history.ranges)
    counts = run.counts
    if counts.shape[1] < len(ranges):
        counts = np.zeros((run.size, len(ranges)))
        counts[:, : run.counts.shape[1]] = run.counts
    return Selection(ranges, history.unit, run.columns, counts, run.lasted, width)
