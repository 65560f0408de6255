"""Chooses the latency rows to show, and merges rows at the edges if there is not enough room."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...window import BoolArray, FloatArray, IntArray, Matrix
from ..style.options import FREQUENCY, ViewOptions
from .colour_scale import ScaleMemory

_ROUNDING = 1e-9
MOST_AT_EDGES = 0.01
"""Of the events, or of the wait, the share whose latency is no longer seen because rows were merged at the edges."""


class LatencyRows(NamedTuple):
    """Rows to draw, lowest first.

    bounds      float64 [rows + 1], seconds; row r is [bounds[r], bounds[r + 1])
    frequency   float64 [rows, columns], events per second
    intensity   float64 [rows, columns], seconds waited per second
    below       number of empty context rows at the low end, 0 or 1; they are shown only if there is room
    above       the same at the high end
    overflow    whether the top row is open
    merged      whether the top row was merged from several, so that its label is its lower bound
    """

    bounds: FloatArray
    frequency: FloatArray
    intensity: FloatArray
    below: int = 0
    above: int = 0
    overflow: bool = False
    merged: bool = False

    @property
    def size(self) -> int:
        return int(self.frequency.shape[0])

    @property
    def core(self) -> int:
        """The number of rows without context."""
        return self.size - self.below - self.above

    def values(self, kind: str) -> FloatArray:
        """Frequency or intensity."""
        return self.frequency if kind == FREQUENCY else self.intensity

    @property
    def open_top(self) -> bool:
        return self.overflow or self.merged


class HiddenRows(NamedTuple):
    """What ``min_latency`` hides: all rows below ``bound`` seconds, with ``counts`` [columns] events in them."""

    bound: float
    counts: FloatArray


def select_rows(matrix: Matrix, memory: ScaleMemory, options: ViewOptions) -> tuple[LatencyRows, HiddenRows | None]:
    """The rows to show, and what is hidden below them.

    Shown are all rows that have events now or had some recently, and a context row on each side if the matrix has one.
    """
    first = 0
    if options.min_latency is not None:
        limit = options.min_latency * (1 + _ROUNDING)
        first = int((matrix.bounds[1:] <= limit).sum()) if matrix.rows else 0
    hidden = HiddenRows(float(matrix.bounds[first]), matrix.counts[:first].sum(axis=0)) if first else None
    rows = LatencyRows(
        matrix.bounds[first:], matrix.frequency()[first:], matrix.intensity()[first:], overflow=matrix.overflow
    )
    if options.max_latency is not None:
        rows = _opened(rows, options.max_latency)
    return (rows if fixed_range(options) else _in_range(rows, memory)), hidden


def fixed_range(options: ViewOptions) -> tuple[float, float] | None:
    """The range of latencies (seconds) that the user fixed; None unless both ends are given."""
    if options.min_latency is None or options.max_latency is None:
        return None
    return options.min_latency, options.max_latency


def drawn_range(rows: LatencyRows, options: ViewOptions) -> tuple[float | None, float | None]:
    """The ends of the range that the user asked for (seconds), moved to row bounds; None for an end not given."""
    low, high = options.min_latency, options.max_latency
    if low is not None:
        low = max((bound for bound in rows.bounds.tolist() if bound <= low * (1 + _ROUNDING)), default=low)
    if high is not None:
        high = min((bound for bound in rows.bounds.tolist() if high * (1 - _ROUNDING) <= bound < np.inf), default=high)
    return low, high


def wanted_cover(options: ViewOptions, memory: ScaleMemory) -> tuple[float, float] | None:
    """The latencies that the next matrix should cover, (low, high) in seconds; None: only those of its events."""
    return fixed_range(options) or memory.cover


def cut_context(rows: LatencyRows, below: int, above: int) -> LatencyRows:
    """The rows with at most ``below`` and ``above`` context rows."""
    if rows.below <= below and rows.above <= above:
        return rows
    low, high = max(0, rows.below - below), rows.size - max(0, rows.above - above)
    return _part(rows, low, high)._replace(below=min(rows.below, below), above=min(rows.above, above))


def squeeze_rows(rows: LatencyRows, count: int) -> LatencyRows:
    """At most ``count`` rows. Rows merge at the edge whose rows have the smaller share of events and of wait; if that
    would hide more than MOST_AT_EDGES, all merge with their neighbours, evenly. ``merge_rows`` of oralatencymap.sql
    does the same.
    """
    if rows.size <= count or count < 1:
        return rows
    starts = _starts_at_edges(rows, count)
    if max(_hidden(values, starts) for values in (rows.frequency, rows.intensity)) <= MOST_AT_EDGES:
        return _merged(rows, starts)._replace(merged=rows.merged or bool(starts[-1] < rows.size - 1))
    return _merged(rows, np.arange(count) * rows.size // count)


def _hidden(values: FloatArray, starts: IntArray) -> float:
    """The share that is in merged rows, without that of the largest of those that each was merged from."""
    shares = _shares(values)
    return float((np.add.reduceat(shares, starts) - np.maximum.reduceat(shares, starts)).sum())


def are_several(rows: LatencyRows, bounds: FloatArray) -> BoolArray:
    """Which of the rows were merged from several of those with these ``bounds``."""
    found: BoolArray = np.diff(np.searchsorted(bounds, rows.bounds)) > 1
    return found


def _starts_at_edges(rows: LatencyRows, count: int) -> IntArray:
    """The first row of each of ``count`` rows that remain if only the lowest and the highest merge."""
    low, high = 0, rows.size - 1
    weights = np.maximum(_shares(rows.frequency), _shares(rows.intensity))
    below, above = weights[low], weights[high]
    while high - low + 1 > count:
        if below <= above:
            low += 1
            below += weights[low]
        else:
            high -= 1
            above += weights[high]
    return np.array([0, *range(low + 1, high + 1)])


def _merged(rows: LatencyRows, starts: IntArray) -> LatencyRows:
    """One row for all from each start to the next."""
    return LatencyRows(
        bounds=np.append(rows.bounds[starts], rows.bounds[-1]),
        frequency=np.add.reduceat(rows.frequency, starts, axis=0),
        intensity=np.add.reduceat(rows.intensity, starts, axis=0),
        overflow=rows.overflow,
        merged=rows.merged,
    )


def merged_share(rows: LatencyRows, drawn: LatencyRows) -> float:
    """The share of the events or of the wait, whichever is larger, in ``drawn`` rows merged from several ``rows``."""
    if rows.size == drawn.size:
        return 0.0
    several = are_several(drawn, rows.bounds)
    if not np.count_nonzero(several):
        return 0.0
    return max(float(_shares(values)[several].sum()) for values in (drawn.frequency, drawn.intensity))


def rows_per_doubling(bounds: FloatArray) -> int:
    """The largest number of rows in an octave: the real resolution of the source, whatever was asked for.

    The first and the last row do not count: they are context, as narrow as was asked for.
    """
    return _rows_per_doubling(bounds.tobytes())


@lru_cache(maxsize=64)
def _rows_per_doubling(raw: bytes) -> int:
    """See ``rows_per_doubling``. The bounds come as float64 bytes, which are a key for the cache: they rarely change
    between frames.
    """
    lower = np.frombuffer(raw)[1:-2]
    lower = lower[lower > 0]
    reach = np.searchsorted(lower, lower * (2 - 1e-9))
    return max(1, int((reach - np.arange(lower.size)).max(initial=1)))


def powers_of_two(bounds: FloatArray) -> BoolArray:
    """Which bounds are powers of two in the source's unit: of ns, us and ms the one that most bounds fit."""
    return _powers_of_two(bounds.tobytes()).copy()


@lru_cache(maxsize=64)
def _powers_of_two(raw: bytes) -> BoolArray:
    """See ``powers_of_two``. The bounds come as float64 bytes, which are a key for the cache."""
    bounds = np.frombuffer(raw)
    best = np.zeros(bounds.shape, np.bool_)
    for unit in (1e-9, 1e-6, 1e-3):
        with np.errstate(divide="ignore", invalid="ignore"):
            exponent = np.log2(bounds / unit)
            found = np.isfinite(exponent) & (exponent > -0.5) & (np.abs(exponent - np.rint(exponent)) < 1e-6)
        if found.sum() > best.sum():
            best = found
    return best


def _shares(values: FloatArray) -> FloatArray:
    sums: FloatArray = values.sum(axis=1)
    return sums / max(float(sums.sum()), 1e-300)


def _part(rows: LatencyRows, low: int, high: int) -> LatencyRows:
    """Rows ``low`` to ``high``, ``high`` not included."""
    return rows._replace(
        bounds=rows.bounds[low : high + 1],
        frequency=rows.frequency[low:high],
        intensity=rows.intensity[low:high],
        overflow=rows.overflow and high == rows.size,
    )


def _opened(rows: LatencyRows, max_latency: float) -> LatencyRows:
    """Merge all rows that begin at or above a latency into one open row; drop them if they are empty."""
    first = int((rows.bounds[:-1] < max_latency * (1 - _ROUNDING)).sum())
    if first >= rows.size:
        return rows
    if not rows.frequency[first:].any():
        return _part(rows, 0, first) if first else rows
    starts = np.arange(first + 1)
    return rows._replace(
        bounds=np.append(rows.bounds[: first + 1], np.inf),
        frequency=np.add.reduceat(rows.frequency, starts, axis=0),
        intensity=np.add.reduceat(rows.intensity, starts, axis=0),
        overflow=True,
    )


def _in_range(rows: LatencyRows, memory: ScaleMemory) -> LatencyRows:
    """Record the rows in use now, and return the rows that the memory covers, with context."""
    used: list[int] = (rows.frequency.max(axis=1, initial=0.0) > 0).nonzero()[0].tolist()
    finite = rows.size - 1 if rows.overflow else rows.size
    if used:
        low = min(used[0], max(0, finite - 1))
        memory.remember_range(float(rows.bounds[low]), float(rows.bounds[min(used[-1] + 1, finite)]))
    if memory.cover is None:
        return rows
    low, high = _covered(rows.bounds.tobytes(), *memory.cover)
    if rows.overflow and used and used[-1] == rows.size - 1:
        low, high = min(low, rows.size - 1), rows.size
    if low >= high:
        return rows
    below, above = int(low > 0), int(high < finite)
    return _part(rows, low - below, high + above)._replace(below=below, above=above)


@lru_cache(maxsize=64)
def _covered(raw: bytes, lowest: float, highest: float) -> tuple[int, int]:
    """The first row that reaches into a range of latencies, and the one behind the last; from the bytes of bounds."""
    bounds = np.frombuffer(raw)
    inside = np.flatnonzero((bounds[1:] > lowest * (1 + 1e-9)) & (bounds[:-1] < highest * (1 - 1e-9)))
    return (int(inside[0]), int(inside[-1]) + 1) if inside.size else (len(bounds), 0)
