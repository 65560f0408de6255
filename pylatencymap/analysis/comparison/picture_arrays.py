"""The maps of a comparison as arrays: both sides in the same rows and in few columns, and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..density import FloatArray
from ..waited import row_means
from .differences import RowRates, average_rates, differences, doublings_between, rows_for_picture

MOST_ROWS = 64
"""Doublings of latency between the fastest and the slowest events."""
FEWEST = 8
"""Columns of a map, if there are so many intervals."""
TINY = 1e-300
ON_EDGE = 1e-7
"""An edge that misses another by less than this part of itself is the same."""


class RunColumns(NamedTuple):
    """One run: ``counts`` [rows, columns] on ``edges``, those of its side; per column ``seconds`` (0 in a gap) and
    ``waited``, seconds, None where they are only estimated.
    """

    counts: FloatArray
    edges: FloatArray
    seconds: FloatArray
    waited: FloatArray | None


@dataclass(frozen=True)
class SideBySide:
    """One quantity on both sides, per second: rows [rows, columns], the lowest latency first.

    before, after  values; runs of a side stand beside each other, with a column of zeros between two
    silent         [columns] of each side: 1 where there are no data
    differences    of both sides: each cell less the average of BEFORE in its row, 0 where that is noise
    averages       [rows] of each side; NaN where a side has no data at all, which is not zero
    """

    before: FloatArray
    after: FloatArray
    silent: tuple[FloatArray, FloatArray]
    differences: tuple[FloatArray, FloatArray]
    averages: tuple[FloatArray, FloatArray]


def picture_places(counts: FloatArray, edges: FloatArray, most: int, otherwise: int) -> list[int]:
    """The places in ``edges`` at which rows of a picture begin, and where the last ends, for ``counts`` [rows] of all
    runs: one row for each doubling; if these are more than ``most``, at most ``otherwise``.
    """
    means = row_means(counts, edges, tick=0.0)
    weights = counts / max(float(counts.sum()), TINY) + counts * means / max(float(counts @ means), TINY)
    places = rows_for_picture(weights, edges, MOST_ROWS)
    return places if len(places) - 1 <= most else rows_for_picture(weights, edges, otherwise)


def with_empty_rows(counts: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``counts`` [rows] and ``edges`` with rows without events cut at each doubling, so that rows of a picture are as
    high there as elsewhere: a source that has no events between two modes has no bounds there either.
    """
    cut = [
        inside
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
        if not count
        for inside in doublings_between(float(low), float(high), edges)
    ]
    if not cut:
        return counts, edges
    finer = np.sort(np.concatenate([edges, cut]))
    rows = np.zeros(len(finer) - 1)
    rows[np.searchsorted(finer, edges[:-1])] = counts
    return rows, finer


def side_by_side(
    runs: Sequence[RunColumns], before: int, edges: FloatArray, places: Sequence[int], width: int
) -> tuple[SideBySide, SideBySide]:
    """Events, and seconds waited, of ``runs`` in rows that begin at ``places`` of ``edges``, each side in at most
    ``width`` columns. The first ``before`` runs are those of BEFORE. The rows of each side lie within those of
    ``edges``; what their events waited is estimated before they are put together.
    """
    means = [row_means(_total(side), side[0].edges, tick=0.0) for side in (runs[:before], runs[before:])]
    shared = _columns_of([run.counts.shape[1] for run in runs], before, width)
    merged = [_merged(run, columns) for run, columns in zip(runs, shared, strict=True)]
    events, waits = [], []
    for number, run in enumerate(merged):
        waited = _waits(run, means[number >= before])
        events.append(RowRates(_rates(run, run.counts, edges, places), run.seconds))
        waits.append(RowRates(_rates(run, waited, edges, places), run.seconds))
    return _pictured(events, before), _pictured(waits, before)


def _total(side: Sequence[RunColumns]) -> FloatArray:
    """Events per row."""
    return np.asarray(np.sum([run.counts.sum(axis=1) for run in side], axis=0))


def _columns_of(sizes: Sequence[int], before: int, width: int) -> list[int]:
    """How many columns of a map each run gets, of so many intervals: both sides have as many in each, unless one is
    so short that it would have hardly any columns.
    """
    sides = list(sizes[:before]), list(sizes[before:])
    wide = max(sum(side) / max(width - len(side) + 1, len(side)) for side in sides)
    found = []
    for side in sides:
        step = max(min(wide, sum(side) / FEWEST), 1.0)
        found += [min(max(round(size / step), 1), size) for size in side]
    return found


def _merged(run: RunColumns, columns: int) -> RunColumns:
    """Intervals added up to so many columns; a column without any data is a gap."""
    parts = np.linspace(0, run.counts.shape[1], columns + 1).round().astype(np.int64)[:-1]
    waited = None if run.waited is None else np.add.reduceat(run.waited, parts)
    counts, seconds = np.add.reduceat(run.counts, parts, axis=1), np.add.reduceat(run.seconds, parts)
    return RunColumns(counts, run.edges, seconds, waited)


def _waits(run: RunColumns, means: FloatArray) -> FloatArray:
    """Seconds waited in each cell, from the mean latencies of rows; sums of columns are exact where they are known."""
    values = run.counts * means[:, None]
    if run.waited is None:
        return np.asarray(values)
    sums = values.sum(axis=0)
    return np.asarray(values * np.where(sums > 0, run.waited / np.where(sums > 0, sums, 1.0), 1.0))


def _rates(run: RunColumns, values: FloatArray, edges: FloatArray, places: Sequence[int]) -> FloatArray:
    """``values`` [rows of the run, columns] per second, in the rows of the picture."""
    bounds = edges[list(places)]
    inside = np.searchsorted(bounds, run.edges[:-1] * (1 + ON_EDGE), side="right") - 1
    rows = np.zeros((len(bounds) - 1, values.shape[1]))
    np.add.at(rows, np.clip(inside, 0, len(rows) - 1), values)  # beyond the ends there are no events
    seconds = run.seconds
    return np.asarray(np.where(seconds > 0, rows / np.where(seconds > 0, seconds, 1.0), 0.0))


def _pictured(rates: Sequence[RowRates], before: int) -> SideBySide:
    sides = rates[:before], rates[before:]
    found = differences(*sides)
    values = [_beside([one.rates for one in side]) for side in sides]
    silent = [_beside([(one.seconds <= 0).astype(np.float64)[None, :] for one in side])[0] for side in sides]
    differing = [_beside(side) for side in (found.before, found.after)]
    first, second = (average_rates(side) if _has_data(side) else np.full(len(side[0].rates), np.nan) for side in sides)
    return SideBySide(values[0], values[1], (silent[0], silent[1]), (differing[0], differing[1]), (first, second))


def _has_data(side: Sequence[RowRates]) -> bool:
    return any((run.seconds > 0).any() for run in side)


def _beside(parts: Sequence[FloatArray]) -> FloatArray:
    """Runs of a side beside each other, with a column of zeros between two."""
    joined = [parts[0]]
    for part in parts[1:]:
        joined += [np.zeros((len(part), 1)), part]
    return np.concatenate(joined, axis=1)
