"""The columns of one series that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..buckets import MAX_RESOLUTION, on_grid
from ..units import Unit
from .block import COLUMN, ESTIMATED_BIT, GAP_BIT, RESET_BIT, UNCLOCKED_BIT, RangeKey
from .column_zoom import ZoomCache
from .history import History
from .matrix import FloatArray, IntArray, Matrix
from .rows import MatrixRows, row_bounds
from .runs import ColumnRun, run_of, stretch_columns
from .slots import SlotColumns, merge_into_slots
from .statistics import Summary, share_above, summarise, waited_per_range


@dataclass(frozen=True)
class Selection:
    """Columns on a regular time axis, oldest first, with counts per native range.

    ``columns`` COLUMN [n]; ``counts`` float64 [n, ranges]; ``lasted`` float64 [n], seconds of the interval that a
    column is a piece of; ``width`` seconds that one column stands for.
    """

    ranges: list[RangeKey]
    unit: Unit
    columns: NDArray[Any]
    counts: FloatArray
    lasted: FloatArray
    width: float

    @classmethod
    def empty(cls) -> Selection:
        """No columns at all."""
        return cls([], Unit.US, np.zeros(0, COLUMN), np.zeros((0, 0)), np.zeros(0), 1.0)

    def __len__(self) -> int:
        return len(self.columns)

    def newest(self, count: int) -> Selection:
        """The last ``count`` columns only."""
        part = slice(max(len(self) - count, 0), None)
        return replace(self, columns=self.columns[part], counts=self.counts[part], lasted=self.lasted[part])

    def summary(self, slo: float | None = None) -> Summary:
        """Statistics of all columns; ``slo``, in seconds, asks for the shares above it."""
        return self._summary(slice(None), slo)

    def latest(self, slo: float | None = None) -> Summary | None:
        """Statistics of the newest column that has data, None without any."""
        with_data = np.nonzero(self._flag(GAP_BIT) == 0)[0]
        return self._summary(slice(with_data[-1], with_data[-1] + 1), slo) if len(with_data) else None

    def at(self, micros: int, slo: float | None = None) -> Summary | None:
        """Statistics of the column whose interval holds a moment (epoch microseconds), its end included.

        None outside the columns, in a gap, and where the clock jumped and nothing was measured.
        """
        place = int(np.searchsorted(self.columns["end"], micros))
        if place == len(self) or self.columns["flags"][place] & GAP_BIT or micros <= self._begin(place):
            return None
        return self._summary(slice(place, place + 1), slo)

    def _begin(self, place: int) -> int:
        """Where the interval of a column begins: after the column before, unless that is further away than a column."""
        start = int(self.columns["start"][place])
        if place == 0:
            return start
        before = int(self.columns["end"][place - 1])
        return start if start - before > self.width * 1e6 else before

    def matrix(self, resolution: int = 1, cover: tuple[float, float] | None = None) -> Matrix:
        """Rows of the grid that cover all events and at least ``cover`` (seconds), and a row of context each side."""
        used = [key for key, total in zip(self.ranges, self.counts.sum(axis=0), strict=True) if total > 0]
        scale = self.unit.seconds
        rows = row_bounds(used, resolution, None if cover is None else (cover[0] / scale, cover[1] / scale))
        counts, waited = self._project(rows)
        flags = self.columns["flags"]
        return Matrix(
            bounds=np.array(rows.bounds) * scale,
            counts=counts,
            waited=waited,
            ends=self.columns["end"].copy(),
            seconds=self.columns["seconds"].copy(),
            lasted=self.lasted.copy(),
            gap=(flags & GAP_BIT).astype(np.bool_),
            reset=(flags & RESET_BIT).astype(np.bool_),
            estimated=(flags & ESTIMATED_BIT).astype(np.bool_),
            overflow=rows.overflow,
            resampled=any(rows.is_resampled(key) for key in used),
            clock=not np.count_nonzero(flags & UNCLOCKED_BIT),
            unit=self.unit,
        )

    def _project(self, rows: MatrixRows) -> tuple[FloatArray, FloatArray]:
        """Counts and time waited per row, [rows, columns] each; sums per column stay what they are."""
        shares, times = rows.projection(self.ranges)
        waited = waited_per_range(self.counts, self.ranges, self.columns["waited"], self.unit)
        return shares @ self.counts.T, times @ waited.T

    def _flag(self, flag: int) -> IntArray:
        return (self.columns["flags"] & flag).astype(np.int64)

    def _summary(self, part: slice, slo: float | None) -> Summary:
        columns, counts = self.columns[part], self.counts[part]
        summary = summarise(
            self.ranges,
            counts.sum(axis=0),
            self.unit,
            span=float(columns["seconds"].sum()),
            waited=float(columns["waited"].sum()),
            estimated=bool((columns["flags"] & ESTIMATED_BIT).any()),
        )
        if slo is None:
            return summary
        waited = waited_per_range(counts, self.ranges, columns["waited"], self.unit)
        return summary._replace(slow=share_above(self.ranges, counts.sum(axis=0), waited.sum(axis=0), self.unit, slo))


# How fine a latency resolution is worth drawing.


FINEST = MAX_RESOLUTION
"""Finer than this nothing is drawn, whatever the source."""


def finest_resolution(selection: Selection) -> int:
    """The finest resolution worth drawing, 1 to 64; FINEST as long as there are no events that could tell.

    It is that at which a row of the octave with the most wait is no narrower than half the source's own range there;
    where its ranges lie on the grid, none at which they are drawn as wide as one step before.
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
    while resolution > 1 and all(_drawn_whole(*key, resolution // 2) for key in inside):
        resolution //= 2
    return resolution


def _waits(selection: Selection) -> dict[tuple[float, float], float]:
    """Time waited by range, of the closed ranges in use; their events where nothing was waited."""
    per_range = waited_per_range(selection.counts, selection.ranges, selection.columns["waited"], selection.unit)
    waited, events = per_range.sum(axis=0), selection.counts.sum(axis=0)
    weights = np.where(events > 0, waited, 0.0) if waited.any() else events
    return {
        (float(lower), float(upper)): float(weight)
        for (lower, upper), weight in zip(selection.ranges, weights, strict=True)
        if upper is not None and weight > 0
    }


def _octave(lower: float, upper: float) -> int:
    return int((lower + upper) / 2).bit_length()


def _drawn_whole(lower: float, upper: float, resolution: int) -> bool:
    """Whether a range is a row of its own at a resolution."""
    return on_grid(lower, resolution) and on_grid(upper, resolution)


# The columns of a series up to a moment, one interval each or merged over real time.


def select_columns(
    history: History, count: int, width: float | None = None, end: int | None = None, zoomed: ZoomCache | None = None
) -> Selection:
    """The ``count`` columns that end at or before ``end`` (epoch microseconds; None: the newest).

    ``width`` None, or not more than the usual interval: one interval each, long ones in pieces. Else columns of so many
    seconds on a grid that is aligned to the epoch; the last one goes as far as the data up to ``end``. So what was on
    the screen at a moment is drawn again for that moment, whatever has come since. ``zoomed`` remembers merged columns.
    """
    end, stop = columns_until(history, end)
    usual = history.usual_seconds(stop)
    if width is None or width <= usual:
        run = stretch_columns(run_of(history, stop - count, stop, end, usual), usual, count)
        return selection_of(history, run, usual)
    zoomed = zoomed or ZoomCache(history, whole_micros(width))
    return selection_of(history, without_slots(zoomed.grid(count, stop, end), zoomed.width), width)


def select_between(history: History, start: int | None, end: int | None, count: int | None = None) -> Selection:
    """The columns that end after ``start`` and not after ``end`` (epoch microseconds; None: all), as they are kept.

    ``count``: where there are more columns, they are merged on a grid that is aligned to the epoch, into at most so
    many. A slot is a whole number of usual intervals wide (rounded to two digits, since intervals are rarely exact), so
    that all slots hold equally many. No count is lost.
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
    """A moment, at most that at which the history ends, and how many columns end at or before it."""
    if end is None or end >= history.end:
        return history.end, len(history)
    return end, history.count_until(end)


def whole_micros(seconds: float) -> int:
    """Whole microseconds."""
    return round(seconds * 1e6)


def without_slots(grid: SlotColumns, width: int) -> ColumnRun:
    """The columns of a grid, without their slots of ``width`` microseconds: each ends where its slot does.

    The last one ends with its data where these end earlier. Elsewhere a column in which a silence begins would end
    early, and the time axis be out by one.
    """
    columns, ends = grid.columns.copy(), grid.slots * width
    columns["end"][:-1] = ends[:-1]
    columns["end"][-1:] = np.minimum(columns["end"][-1:], ends[-1:])
    return ColumnRun(columns, grid.counts, grid.lasted, columns["start"].astype(np.int64))


def selection_of(history: History, run: ColumnRun, width: float) -> Selection:
    """A run of columns of a series, as the picture takes them."""
    ranges = list(history.ranges)
    counts = run.counts
    if counts.shape[1] < len(ranges):
        counts = np.zeros((run.size, len(ranges)))
        counts[:, : run.counts.shape[1]] = run.counts
    return Selection(ranges, history.unit, run.columns, counts, run.lasted, width)
