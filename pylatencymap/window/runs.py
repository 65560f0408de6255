"""Makes the time axis regular: gaps and long intervals take as many columns as they lasted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .history import History
from .matrix import FloatArray, IntArray
from .store import COLUMN, GAP_BIT, RESET_BIT

LONG = 1.5
"""An interval longer than this many columns is drawn in pieces."""


class ColumnRun(NamedTuple):
    """Columns, oldest first.

    columns  COLUMN [n]
    counts   [n, ranges]
    lasted   float64 [n], seconds of the interval that each column is a piece of
    begins   int64 [n], when each column really begins: not before the end of the column before it
    """

    columns: NDArray[Any]
    counts: NDArray[Any]
    lasted: FloatArray
    begins: IntArray

    @property
    def size(self) -> int:
        return len(self.columns)

    def taken(self, index: IntArray | slice) -> ColumnRun:
        """Some of the columns, perhaps repeated."""
        return ColumnRun(self.columns[index], self.counts[index], self.lasted[index], self.begins[index])


def run_of(history: History, first: int, stop: int, until: int | None = None, width: float = 1.0) -> ColumnRun:
    """Columns number ``first`` to ``stop - 1``, as they are stored.

    If the next column is a gap or an interval longer than ``width`` seconds and contains the moment ``until``, the part
    of it before that moment is added.
    """
    first = max(first, 0)
    more = until is not None and stop < len(history)
    columns, counts = history.part(max(first - 1, 0), stop + more)
    before = columns["start"][:1] if first == 0 else columns["end"][:1]
    if first:
        columns, counts = columns[1:], counts[1:]
    begins = np.maximum(columns["start"], np.concatenate([before, columns["end"][:-1]])[: len(columns)])
    covered = (columns["seconds"] * 1e6).astype(np.int64)
    begins = np.where(columns["flags"] & GAP_BIT > 0, begins, np.maximum(begins, columns["end"] - covered))
    run = ColumnRun(columns, counts, columns["seconds"].copy(), begins)
    return _cut(run, until, width) if more and until is not None else run


def _cut(run: ColumnRun, moment: int, width: float) -> ColumnRun:
    """The run with its last column cut off at a moment; without that column if it is too short to be divided."""
    if not run.size:
        return run
    span, kept = run.columns["end"][-1] - run.begins[-1], moment - run.begins[-1]
    if kept <= 0 or span < LONG * width * 1e6:
        return run.taken(slice(0, -1))
    share = kept / span
    columns, counts = run.columns.copy(), run.counts.astype(np.float64)
    columns["end"][-1] = moment
    columns["seconds"][-1] *= share
    columns["waited"][-1] *= share
    counts[-1] *= share
    return run._replace(columns=columns, counts=counts)


def stretch_columns(run: ColumnRun, width: float, limit: int) -> ColumnRun:
    """The newest ``limit`` columns after each interval has become as many columns of ``width`` seconds as it lasted.

    So the axis is time, not a sample number. The first piece of an interval has its reset.
    """
    spans = (run.columns["end"] - run.begins) / 1e6
    if np.count_nonzero(spans < LONG * width) == run.size:
        newest = run.taken(slice(max(run.size - limit, 0), None))
        return newest._replace(counts=newest.counts.astype(np.float64))
    parts = np.maximum(np.rint(spans / width), 1).astype(np.int64)
    pieces = np.minimum(parts, limit)
    first = max(len(pieces) - int(np.searchsorted(np.cumsum(pieces[::-1]), limit)) - 1, 0)
    run, parts, pieces = run.taken(slice(first, None)), parts[first:], pieces[first:]
    index = np.repeat(np.arange(run.size), pieces)[-limit:]
    left = (np.cumsum(pieces)[index] - 1 - np.arange(pieces.sum())[-limit:]).astype(np.int64)
    ends = run.columns["end"][index] - (left * width * 1e6).astype(np.int64)
    return divide_columns(run, index, left, parts[index], ends, width)


def divide_columns(
    run: ColumnRun, index: IntArray, left: IntArray, pieces: IntArray, ends: IntArray, width: float
) -> ColumnRun:
    """Columns number ``index``, each one of ``pieces`` equal parts of its interval and ending at ``ends``.

    ``left`` is the number of pieces after it; the oldest pieces of an interval can be missing.
    """
    result = run.taken(index)
    columns, share = result.columns, 1.0 / pieces
    begins = np.where(left < pieces - 1, ends - round(width * 1e6), result.begins)
    columns["start"] = np.where(left < pieces - 1, begins, columns["start"])
    columns["end"] = ends
    columns["seconds"] *= share
    columns["waited"] *= share
    columns["flags"][left < pieces - 1] &= ~np.uint8(RESET_BIT)
    return ColumnRun(columns, result.counts * share[:, None], result.lasted, begins)


def no_columns(ranges: int) -> ColumnRun:
    """A run without columns."""
    return ColumnRun(np.zeros(0, COLUMN), np.zeros((0, ranges)), np.zeros(0), np.zeros(0, np.int64))
