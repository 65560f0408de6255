"""Puts the ranges of intervals on the grid of a resolution: of one interval, and of many as arrays, its twin."""

from __future__ import annotations

from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_around, on_grid
from ..record import Range
from ..window import row_bounds
from .interval_columns import IntervalColumns, columns_of_intervals, joined


def on_grid_of(columns: IntervalColumns, resolution: int | None, *, divides: bool = True) -> IntervalColumns:
    """The same intervals with ``resolution`` buckets per octave; None: as they are. Without ``divides``, intervals stay
    as they are if a range of theirs would have to be divided among buckets.
    """
    if resolution is None or not columns.counts.size:
        return columns
    pairs, places = _distinct_ranges(columns)
    targets = [_bucket_around(lower, upper, resolution) for lower, upper in pairs]
    known = np.array([one is not None for one in targets])[places]
    rows = np.repeat(np.arange(columns.sizes.size), columns.sizes)
    odd = np.unique(rows[~known])
    bounds = np.array([one or (0.0, 0.0) for one in targets])[places]
    if not odd.size:
        return _summed(columns._replace(lowers=bounds[:, 0], uppers=bounds[:, 1]), rows)
    plain = np.setdiff1d(np.arange(columns.sizes.size), odd)
    moved = columns._replace(lowers=bounds[:, 0], uppers=bounds[:, 1]).rows(plain)
    found = _summed(moved, np.repeat(np.arange(plain.size), moved.sizes))
    others = columns.rows(odd)
    both = joined([found, _resampled(others, resolution) if divides else others])
    return both.rows(np.concatenate([plain, odd]).argsort())


def _distinct_ranges(columns: IntervalColumns) -> tuple[list[tuple[float, float]], NDArray[np.int64]]:
    """The ranges that occur, and which of them each entry has."""
    lowers, of_lower = np.unique(columns.lowers, return_inverse=True)
    uppers, of_upper = np.unique(columns.uppers, return_inverse=True)
    found, places = np.unique(of_lower * uppers.size + of_upper, return_inverse=True)
    return list(zip(lowers[found // uppers.size].tolist(), uppers[found % uppers.size].tolist(), strict=True)), places


@lru_cache(maxsize=1 << 14)
def _bucket_around(lower: float, upper: float, resolution: int) -> tuple[float, float] | None:
    """The bucket that a range lies in, or the range itself if it is a union of buckets; None if it must be divided."""
    if upper == inf:
        return (lower, upper) if on_grid(lower, resolution) else None
    first, last = bounds_around(int(lower), resolution)
    if first <= lower and upper <= last:
        return float(first), float(last)
    return (lower, upper) if on_grid(lower, resolution) and on_grid(upper, resolution) else None


def _summed(columns: IntervalColumns, rows: NDArray[np.int64]) -> IntervalColumns:
    """The same with equal ranges of an interval, which are neighbours, as one."""
    if not rows.size:
        return columns
    new = np.ones(rows.size, np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (columns.lowers[1:] != columns.lowers[:-1])
    firsts = np.flatnonzero(new)
    sizes = np.bincount(rows[firsts], minlength=columns.sizes.size).astype(np.int64)
    counts = np.add.reduceat(columns.counts, firsts)
    return columns._replace(sizes=sizes, lowers=columns.lowers[firsts], uppers=columns.uppers[firsts], counts=counts)


def _resampled(columns: IntervalColumns, resolution: int) -> IntervalColumns:
    """The same intervals, each resampled by itself."""
    intervals = [(one, ranges_on_grid(one.ranges, resolution)) for one in columns.intervals()]
    found = columns_of_intervals([one.without_ranges() for one, _ in intervals])
    ranges = [one for _, of_interval in intervals for one in of_interval]
    return found._replace(
        sizes=np.array([len(of_interval) for _, of_interval in intervals], np.int64),
        lowers=np.array([lower for lower, _, _ in ranges], np.float64),
        uppers=np.array([inf if upper is None else upper for _, upper, _ in ranges], np.float64),
        counts=np.array([count for _, _, count in ranges], np.float64),
    )


def ranges_on_grid(ranges: tuple[Range, ...], resolution: int) -> tuple[Range, ...]:
    """The ranges resampled to buckets of the grid, with the total count kept. A range that is a union of whole buckets
    stays whole.
    """
    keys = [(lower, upper) for lower, upper, _ in ranges]
    if not keys:
        return ()
    rows = row_bounds(keys, resolution, None)
    shares, _ = rows.projection(keys)
    counts = shares @ [float(count) for _, _, count in ranges]
    uppers = [*rows.bounds[1:-1], None if rows.overflow else rows.bounds[-1]]
    return tuple(
        (_plain(lower), None if upper is None else _plain(upper), _plain(float(count)))
        for lower, upper, count in zip(rows.bounds[:-1], uppers, counts, strict=True)
        if count > 0
    )


def _plain(value: float) -> int | float:
    """An int if the value is whole, so that JSON shows no decimal point."""
    return int(value) if value == int(value) else value
