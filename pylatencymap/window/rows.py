"""The rows of the picture, and the only place where ranges with other bounds are resampled."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from math import ceil, inf
from typing import NamedTuple

import numpy as np

from ..buckets import bounds_of, bucket_of, fits
from .block import RangeKey
from .matrix import FloatArray

MOST_GRID_ROWS = 5000


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
    return MatrixRows([*bounds[: bisect_left(bounds, top)], float(top), inf], resolution, overflow=True)


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
        share = np.diff(cuts) / (upper - lower)
        shares[first:stop, column] = share
        times[first:stop, column] = share * ((cuts[:-1] + cuts[1:]) / (lower + upper))
    shares.flags.writeable = times.flags.writeable = False
    return shares, times
