"""Counts per bucket as a density per octave, on the edges at which a source's timer can really part two latencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
LN2 = log(2)

TICKS = (1e-6, 10e-6, 100e-6, 1e-3, 4e-3, 10e-3, 15.625e-3)
"""Seconds: the usual steps of timers, which ``tick_of`` looks for."""
LEAST_BESIDE = 20
"""Events that must lie next to empty buckets for these to show that a timer has a tick."""
WIDE = 1.3
"""The ratio of the edges of a bucket that no narrow mode is likely to fill alone: half an octave, about."""
EDGE = 1e-9
"""Edges are computed; one that misses a multiple of the tick by less than this part of itself is on it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was computed from buckets, and the band in which the truth lies; its ends can be 0 and infinity."""

    value: float
    low: float
    high: float


SHORTEST, LONGEST = 1e-18, 1e18
"""Seconds. Edges beyond these, which only damaged text has, count as these, so that products of them stay finite."""
NARROWEST = 1e-12
"""Octaves. Edges that are closer than this are equal in 64 bits, or nearly: their difference says nothing."""


@dataclass(frozen=True, slots=True)
class LogHistogram:
    """Counts per bucket with an empty bucket at each end, as a density over the logarithm of the latency.

    counts  float64 [n], events
    edges   float64 [n + 1], seconds; the first can be 0, the last infinity, the others are SHORTEST to LONGEST; those
            of the empty buckets at the ends are where the events begin and end
    logs    float64 [n + 1], log2 of the edges; a bucket that begins at 0 counts as the octave below its upper edge, one
            that has no end as the octave above its lower edge: the least that fits, and what log-linear sources do
    octaves float64 [n], the width of each bucket, NARROWEST or more
    left    float64 [n], octaves: the width of the left neighbour of each bucket; an empty neighbour is as wide as the
            bucket itself at most, because a source that prints only what it counted leaves holes of many octaves
    right   the same of the right neighbour
    tick    seconds; latencies are whole multiples of it, rounded down; 0 if they are continuous
    to_left the distance from the middle of each bucket to that of its left neighbour, in natural logarithms
    to_right the same of the right neighbour
    begins  seconds: the lower edges, as ``logs`` have them
    """

    counts: FloatArray
    edges: FloatArray
    logs: FloatArray
    octaves: FloatArray
    left: FloatArray
    right: FloatArray
    tick: float
    to_left: FloatArray
    to_right: FloatArray
    begins: FloatArray


class _Geometry(NamedTuple):
    """All of a LogHistogram that does not depend on how many events its buckets have, read-only."""

    edges: FloatArray
    logs: FloatArray
    octaves: FloatArray
    left: FloatArray
    right: FloatArray
    to_left: FloatArray
    to_right: FloatArray
    begins: FloatArray


def log_histogram(counts: ArrayLike, edges: ArrayLike, tick: float | None = None) -> LogHistogram | None:
    """The sum of ``counts`` [buckets] or [buckets, columns] on ``edges`` [buckets + 1]; None if there are no events.

    ``edges`` are seconds, ascending; the first may be 0, the last infinity. ``tick``: seconds, 0 for a continuous
    clock, None to look for one. Raises ValueError if the shapes do not fit.
    """
    total, bounds = _checked(counts, edges)
    if tick is None:
        tick = _tick_of(total, bounds)
    if tick:
        total, bounds = _on_ticks(total, bounds, tick)
    used = total.nonzero()[0]
    if not used.size:
        return None
    first, last = int(used[0]), int(used[-1])
    inside = np.zeros(last - first + 3)
    inside[1:-1] = total[first : last + 1]
    shape = _geometry(bounds[first : last + 2].tobytes(), (inside > 0).tobytes())
    return LogHistogram(inside, *shape[:5], tick, *shape[5:])


@lru_cache(maxsize=64)
def _geometry(bounds: bytes, used: bytes) -> _Geometry:
    """The buckets between ``bounds``, and an empty one at each end, of which those have events whose byte is not 0;
    cached, because of a series that moves by a column mostly the same buckets have events.
    """
    inner, filled = np.frombuffer(bounds), np.frombuffer(used, dtype=np.bool_)
    inner = np.where((inner > 0) & (inner < inf), np.clip(inner, SHORTEST, LONGEST), inner)
    logs = _finite_logs(inner)
    padded = np.concatenate((inner[:1], inner, inner[-1:]))
    all_logs = np.concatenate(([2 * logs[0] - logs[1]], logs, [2 * logs[-1] - logs[-2]]))
    octaves = np.maximum(all_logs[1:] - all_logs[:-1], NARROWEST)
    left, right = _beside(filled, octaves)
    to_left, to_right = (octaves + left) * (LN2 / 2), (octaves + right) * (LN2 / 2)
    found = _Geometry(padded, all_logs, octaves, left, right, to_left, to_right, np.exp2(all_logs[:-1]))
    for one in found:
        one.flags.writeable = False
    return found


def tick_of(counts: ArrayLike, edges: ArrayLike) -> float:
    """The step of the source's timer in seconds, as far as the counts show it; 0 if they do not.

    It is the largest usual tick for which no event lies in a bucket that contains no multiple of it, although many lie
    in the buckets left of these. That has to be seen twice, unless buckets are wide: a narrow mode also leaves the next
    bucket empty. A bucket that begins at 0 does not count: it contains a multiple of any tick, and often all hits of a
    cache. Timers are taken to round down.
    """
    return _tick_of(*_checked(counts, edges))


def _tick_of(total: FloatArray, bounds: FloatArray) -> float:
    for tick, beside in _possible_ticks(bounds.tobytes(), (total > 0).tobytes()):
        if total[beside].sum() >= LEAST_BESIDE:
            return tick
    return 0.0


@lru_cache(maxsize=64)
def _possible_ticks(bounds: bytes, used: bytes) -> tuple[tuple[float, IntArray], ...]:
    """The ticks that a source can have with events in those buckets whose byte is not 0, the largest first, each with
    the buckets that show it if they have enough events: those just left of buckets that cannot have any. Cached,
    because of a series that moves by a column mostly the same buckets have events.
    """
    edges, filled, impossible = np.frombuffer(bounds), np.frombuffer(used, dtype=np.bool_), _hollow(bounds)
    found = []
    for number in np.flatnonzero(~(impossible & filled).any(axis=1)).tolist():
        tick, hollow = TICKS[::-1][number], impossible[number]
        beside = np.flatnonzero(hollow[1:] & ~hollow[:-1] & (edges[:-2] > 0) & filled[:-1])
        is_comb = len(beside) > 1 or (len(beside) and edges[beside[0] + 1] >= WIDE * edges[beside[0]])
        if tick < edges[-1] and is_comb:
            beside.flags.writeable = False
            found.append((tick, beside))
    return tuple(found)


@lru_cache(maxsize=64)
def _hollow(bounds: bytes) -> BoolArray:
    """Which buckets contain no multiple of each tick, the largest first: [ticks, buckets], read-only; cached, because
    a series keeps its buckets.
    """
    edges = np.frombuffer(bounds)
    found = np.array([np.diff(_rounded(edges, tick)) <= 0 for tick in reversed(TICKS)])
    found.flags.writeable = False
    return found


def _checked(counts: ArrayLike, edges: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Counts summed over columns, and edges, as arrays."""
    total, bounds = np.asarray(counts, dtype=np.float64), np.asarray(edges, dtype=np.float64)
    if total.ndim == 2:
        total = total.sum(axis=1)
    if total.ndim != 1 or bounds.shape != (len(total) + 1,):
        raise ValueError(f"counts {np.shape(counts)} and edges {bounds.shape} do not fit: one more edge than buckets")
    return total, bounds


def _rounded(bounds: FloatArray, tick: float) -> FloatArray:
    """Edges rounded up to multiples of a tick."""
    steps = bounds / tick
    return np.asarray(np.ceil(steps * (1 - EDGE)) * tick)


def _on_ticks(total: FloatArray, bounds: FloatArray, tick: float) -> tuple[FloatArray, FloatArray]:
    """Buckets between multiples of a tick. Events in a bucket that contains none, if any, go to the bucket before."""
    rounded = _rounded(bounds, tick)
    kept = np.flatnonzero(np.diff(rounded) > 0)
    if not kept.size:
        return total, bounds
    starts = kept.copy()
    starts[0] = 0
    return np.add.reduceat(total, starts), np.append(rounded[kept], rounded[-1])


def bucket_of_rows(histogram: LogHistogram, edges: FloatArray) -> IntArray:
    """The bucket of a histogram in which each row counts, of the ``edges`` [rows + 1] that it was made of; outside of
    its events one of the empty buckets at its ends.
    """
    return _bucket_of_rows(histogram.edges.tobytes(), histogram.tick, edges.tobytes())


@lru_cache(maxsize=64)
def _bucket_of_rows(bounds: bytes, tick: float, rows: bytes) -> IntArray:
    edges = np.frombuffer(rows)
    lowers = edges[:-1]
    if tick:
        rounded = _rounded(edges, tick)
        kept = np.flatnonzero(np.diff(rounded) > 0)
        if kept.size:
            number = np.searchsorted(kept, np.arange(len(lowers)), side="right") - 1
            lowers = rounded[kept[np.maximum(number, 0)]]
    found = np.asarray(np.searchsorted(np.frombuffer(bounds)[1:-1], lowers, side="right"), dtype=np.int64)
    found.flags.writeable = False
    return found


def _beside(used: BoolArray, octaves: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The widths of both neighbours of all buckets, see ``LogHistogram``; the outermost neighbours are equally wide."""
    narrow = np.minimum(octaves[1:], octaves[:-1])
    left, right = octaves.copy(), octaves.copy()
    left[1:] = np.where(used[:-1], octaves[:-1], narrow)
    right[:-1] = np.where(used[1:], octaves[1:], narrow)
    return left, right


def _finite_logs(edges: FloatArray) -> FloatArray:
    """log2 of edges of which the first can be 0 and the last infinity."""
    with np.errstate(divide="ignore"):
        logs = np.log2(edges)
    if not np.isfinite(logs[0]):
        logs[0] = logs[1] - 1 if np.isfinite(logs[1]) else 0.0
    if not np.isfinite(logs[-1]):
        logs[-1] = logs[-2] + 1
    return logs


def source_rows(ranges: Sequence[tuple[float, float | None]], counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Edges [rows + 1] and counts [rows, columns] of adjacent rows, of ``counts`` [ranges, columns].

    Ranges are (lower, upper) in any order and unit; an upper bound of None has no end. Ranges that overlap, which a
    source prints that changed its ranges, become one row: nothing is divided. Holes between ranges are rows without
    events.
    """
    edges, rows, are_apart = row_of_ranges(tuple(ranges))
    found = np.zeros((len(edges) - 1, counts.shape[1]))
    if are_apart:
        found[rows] = counts
    else:
        np.add.at(found, rows, counts)
    return edges.copy(), found


@lru_cache(maxsize=64)
def row_of_ranges(ranges: tuple[tuple[float, float | None], ...]) -> tuple[FloatArray, IntArray, bool]:
    """Edges [rows + 1] of adjacent rows, the row of each range, both read-only, and whether each has a row of its own;
    see ``source_rows``. Cached, because a series keeps its ranges.
    """
    ends = [(float(lower), inf if upper is None else float(upper)) for lower, upper in ranges]
    edges: list[float] = []
    rows = [0] * len(ends)
    for place in sorted(range(len(ends)), key=ends.__getitem__):
        lower, upper = ends[place]
        if edges and lower < edges[-1]:
            edges[-1] = max(edges[-1], upper)
        else:
            if not edges or lower > edges[-1]:
                edges.append(lower)
            edges.append(upper)
        rows[place] = len(edges) - 2
    found, places = np.array(edges or [0.0]), np.array(rows, dtype=np.int64)
    found.flags.writeable = places.flags.writeable = False
    return found, places, len(set(rows)) == len(rows)
