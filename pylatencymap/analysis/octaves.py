"""Rows of latency as octaves: what comparisons and changes have in common.

``edges`` are the bounds of rows in seconds, ascending; the first may be 0, the last infinite. Rows may be finer than an
octave, wider, or of different widths.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .density import FloatArray

FEW_EVENTS = 2
"""Per column: an octave with fewer is capped, so that a single burst is no band."""
CAPPED_AT = 0.9
BURST_AROUND = 4
"""Columns on both sides: what is so high in most of them is no single burst."""


def check_shapes(counts: FloatArray, edges: FloatArray, seconds: FloatArray) -> None:
    """Raises ValueError unless counts are [rows, columns], edges [rows + 1] ascending and seconds [columns]."""
    if counts.ndim != 2 or edges.shape != (len(counts) + 1,) or seconds.shape != (counts.shape[1],):
        raise ValueError(f"counts {counts.shape}, edges {edges.shape} and seconds {seconds.shape} do not fit together")
    if not (np.diff(edges) > 0).all() or edges[0] < 0:
        raise ValueError("edges must ascend, from 0 or more")


def rows_between(edges: FloatArray, low: float, high: float) -> NDArray[np.bool_]:
    """Which rows lie between two latencies in seconds, [rows]."""
    return np.asarray((edges[:-1] >= low) & (edges[1:] <= high))


def octave_starts(edges: FloatArray) -> NDArray[np.intp]:
    """The first row of each octave. An octave ends at the first edge that is twice its beginning or more, so that a row
    wider than an octave is one of its own, and so is a first row from 0.
    """
    starts = [0]
    for row in range(1, len(edges) - 1):
        begin = edges[starts[-1]]
        if edges[row] >= 2 * begin * (1 - 1e-9):
            starts.append(row)
    return np.array(starts, dtype=np.intp)


def in_octaves(counts: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Counts [octaves, columns] and bounds [octaves + 1], from the first octave with events to the last one; the lowest
    octave if there are no events. A source that has counted nothing has no rows: that is one empty octave.
    """
    if not len(counts):
        return np.zeros((1, counts.shape[1])), np.array([0.0, np.inf])
    starts = octave_starts(edges)
    bounds = np.append(edges[starts], edges[-1])
    used = np.flatnonzero(np.add.reduceat(counts.any(axis=1), starts))
    first, last = (int(used[0]), int(used[-1]) + 1) if len(used) else (0, 1)
    if len(starts) == len(counts):
        return np.asarray(counts[first:last], dtype=np.float64), bounds[first : last + 1]
    rows = slice(starts[first], starts[last] if last < len(starts) else None)
    summed = np.add.reduceat(counts[rows], starts[first:last] - starts[first], axis=0)
    return np.asarray(summed, dtype=np.float64), bounds[first : last + 1]


def log_widths(edges: FloatArray) -> FloatArray:
    """Widths of rows in octaves; a row from 0 and a row without end count as one octave."""
    with np.errstate(divide="ignore", invalid="ignore"):
        widths = np.diff(np.log2(edges))
    return np.where(np.isfinite(widths), widths, 1.0)


def log_middles(edges: FloatArray) -> FloatArray:
    """Middles of rows, as log2 of seconds; a row from 0 and a row without end are taken for one octave."""
    with np.errstate(divide="ignore"):
        low, high = np.log2(edges[:-1]), np.log2(edges[1:])
    middles = np.where(np.isfinite(low), np.where(np.isfinite(high), (low + high) / 2, low + 0.5), high - 0.5)
    return np.where(np.isfinite(middles), middles, 0.0)


def capped(octaves: FloatArray, seconds: FloatArray) -> FloatArray:
    """Octaves with few events: no column has more per second than the 90 % point of those that have any, unless the
    columns around it have as many, or as many times more events of all latencies: these are no single burst.
    """
    capped, busier = octaves, None
    for row, values in enumerate(octaves):
        some = values[values > 0]
        if len(some) and some.sum() < FEW_EVENTS * len(values):
            if busier is None:
                capped, busier = octaves.copy(), _times_busier(octaves.sum(axis=0) / seconds)
            rates = values / seconds
            usual = float(np.quantile(some / seconds[values > 0], CAPPED_AT))
            high = np.flatnonzero(rates > usual)
            most = np.maximum(usual * busier[high], _median_around(rates, high)) * seconds[high]
            capped[row, high] = np.minimum(most, values[high])
    return capped


def _times_busier(rates: FloatArray) -> FloatArray:
    """How many times the usual rate the columns around each have, 1 at least: [columns]."""
    usual = float(np.median(rates))
    if usual <= 0:
        return np.ones(len(rates))
    return np.maximum(_median_around(rates, np.arange(len(rates))) / usual, 1.0)


def _median_around(rates: FloatArray, places: NDArray[np.intp]) -> FloatArray:
    """The median of ``BURST_AROUND`` columns on both sides of each place and of itself; of as many at an end."""
    middles = np.clip(places, BURST_AROUND, max(len(rates) - 1 - BURST_AROUND, BURST_AROUND))
    around = middles[:, None] + np.arange(-BURST_AROUND, BURST_AROUND + 1)
    return np.asarray(np.median(rates[np.clip(around, 0, len(rates) - 1)], axis=1))
