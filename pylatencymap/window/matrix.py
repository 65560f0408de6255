"""The time x latency matrix, from which the picture is drawn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from math import ceil, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_of, bucket_of, fits
from ..units import Unit
from .store import RangeKey

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class Matrix(NamedTuple):
    """Counts of one series in ``rows`` latency rows and ``columns`` times, oldest column first, lowest row first.

    bounds     float64 [rows + 1], seconds, ascending; row r is [bounds[r], bounds[r + 1]). Rows may differ in width.
               With ``overflow``, the last row is open: [bounds[-2], infinity), and bounds[-1] is infinity.
    counts     float64 [rows, columns], events
    waited     float64 [rows, columns], seconds waited; sums per column are exact unless ``estimated``
    ends       int64   [columns], epoch microseconds at which the column's interval ends
    seconds    float64 [columns], the divisor for rates; 0 without data
    lasted     float64 [columns], seconds of the interval that the column is a piece of; 0 without data
    gap        bool    [columns], the source was silent (counts are 0)
    reset      bool    [columns], the counters restarted within it; of an interval drawn in pieces only the first
    estimated  bool    [columns], time waited is a midpoint estimate
    doubtful   bool    [columns], it rests on a record that no other one confirms
    resampled  some range of the source had to be divided among rows
    clock      times are real
    unit       the unit of the source's own bounds
    """

    bounds: FloatArray
    counts: FloatArray
    waited: FloatArray
    ends: IntArray
    seconds: FloatArray
    lasted: FloatArray
    gap: BoolArray
    reset: BoolArray
    estimated: BoolArray
    doubtful: BoolArray
    overflow: bool = False
    resampled: bool = False
    clock: bool = True
    unit: Unit = Unit.US

    def __repr__(self) -> str:
        low, high = self.bounds[0], self.bounds[-1]
        events = f"{float(self.counts.sum()):,.0f} events"
        return f"<Matrix of {self.rows} rows from {low:g} to {high:g} s, {self.columns} columns, {events}>"

    @property
    def rows(self) -> int:
        return int(self.counts.shape[0])

    @property
    def columns(self) -> int:
        return int(self.counts.shape[1])

    def frequency(self) -> FloatArray:
        """Events per second, [rows, columns]; 0 without data."""
        return per_second(self.counts, self.seconds)

    def intensity(self) -> FloatArray:
        """Seconds waited per second, [rows, columns]; 0 without data."""
        return per_second(self.waited, self.seconds)


def per_second(values: FloatArray, seconds: FloatArray) -> FloatArray:
    """Values [..., columns] divided by each column's seconds; 0 in columns with 0 seconds."""
    if np.count_nonzero(seconds > 0) == seconds.size:
        return values / seconds
    safe = np.where(seconds > 0, seconds, 1.0)
    return np.where(seconds > 0, values / safe, 0.0)


# The rows of the picture, and the only place where ranges with other bounds are resampled.


MOST_GRID_ROWS = 5000
NARROWEST = 1e-12
"""A row is wider than this part of its bounds, because floating-point numbers hardly tell closer ones apart."""


class MatrixRows(NamedTuple):
    """Row r is [bounds[r], bounds[r + 1]) in the unit of the series; with ``overflow`` the last bound is infinity."""

    bounds: list[float]
    resolution: int
    overflow: bool

    def is_resampled(self, key: RangeKey) -> bool:
        """Whether a range had to be cut at a bound other than its own."""
        return not fits(*key, self.resolution)

    def projection(self, ranges: list[RangeKey]) -> tuple[FloatArray, FloatArray]:
        """Matrices [rows, ranges] that spread counts and time waited over rows; each column of both sums to 1."""
        return _projection(tuple(self.bounds), self.overflow, tuple(ranges))


def row_bounds(used: list[RangeKey], resolution: int, cover: tuple[float, float] | None) -> MatrixRows:
    """See ``_row_bounds``, which is cached because most pictures have the same ranges in use as the one before."""
    rows = _row_bounds(tuple(used), resolution, cover)
    return rows._replace(bounds=rows.bounds.copy())


@lru_cache(maxsize=64)
def _row_bounds(used: tuple[RangeKey, ...], resolution: int, cover: tuple[float, float] | None) -> MatrixRows:
    """Rows that cover the ranges in use and ``cover`` (both in the unit of the series), and one more at each end.

    An open range in use is the top row, even if ``cover`` reaches higher, because its events can lie anywhere in it.
    A range that is a union of whole buckets, such as [0, 2) or an octave at a finer resolution, becomes one row.
    """
    lowers = [lower for lower, _ in used] + ([cover[0]] if cover else [])
    uppers = [upper for _, upper in used if upper is not None] + ([cover[1]] if cover and cover[1] < inf else [])
    open_at = min((lower for lower, upper in used if upper is None), default=None)
    if not uppers:
        uppers = [open_at if open_at else 1]
    low, high = min(lowers, default=0), max(uppers)
    bounds = _grid(min(low, high), high, resolution)
    for lower, upper in used:
        if upper is not None and fits(lower, upper, resolution):
            del bounds[bisect_right(bounds, lower) : bisect_left(bounds, upper)]
    if open_at is None:
        return MatrixRows(bounds, resolution, overflow=False)
    top = max(open_at, max((upper for _, upper in used if upper is not None), default=open_at))
    below = bounds[: bisect_left(bounds, top * (1 - NARROWEST))]
    return MatrixRows([*below, float(top), inf], resolution, overflow=True)


def _grid(low: float, high: float, resolution: int) -> list[float]:
    """Bounds of the buckets that cover [low, high], and of one more bucket at each end if there is one."""
    first = max(bucket_of(int(low), resolution) - 1, 0)
    last = min(bucket_of(max(ceil(high) - 1, 0), resolution) + 1, first + MOST_GRID_ROWS)
    return [float(bounds_of(bucket, resolution)[0]) for bucket in range(first, last + 2)]


@lru_cache(maxsize=64)
def _projection(
    bounds: tuple[float, ...], overflow: bool, ranges: tuple[RangeKey, ...]
) -> tuple[FloatArray, FloatArray]:
    """See ``projection``. Cached, because pictures rarely change rows or ranges; the matrices are read-only."""
    edges = np.array(bounds)
    shares = np.zeros((len(edges) - 1, len(ranges)))
    times = np.zeros_like(shares)
    last = len(edges) - 2
    for column, (lower, upper) in enumerate(ranges):
        first = min(max(bisect_right(bounds, lower) - 1, 0), last)
        if upper is None:
            row = last if overflow else first
            shares[row, column] = times[row, column] = 1.0
            continue
        stop = max(min(bisect_left(bounds, upper), last + 1), first + 1)
        cuts = np.concatenate(([lower], edges[first + 1 : stop], [upper])).astype(np.float64)
        width = cuts[-1] - cuts[0]  # of large integers not exactly the difference of the bounds, and even 0
        share = np.diff(cuts) / width if width else np.eye(1, len(cuts) - 1)[0]
        shares[first:stop, column] = share
        times[first:stop, column] = share * ((cuts[:-1] + cuts[1:]) / (lower + upper))
    shares.flags.writeable = times.flags.writeable = False
    return shares, times
