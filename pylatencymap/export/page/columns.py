"""The columns of a series at one level of zoom: counts stay whole numbers, and no interval is divided."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...window import COLUMN_SECONDS, GAP_BIT, FloatArray, History, IntArray

AT_ONCE = 4096
"""Columns that are read from a history at once."""
MARGIN = 1.05
"""An interval that is longer than a step by less than this goes into it like the others: intervals are rarely exact."""


class PageColumns(NamedTuple):
    """Columns, oldest first, and the counts that are not 0, range by range.

    step     microseconds; 0: as recorded
    starts   int64 [n], epoch microseconds
    ends     int64 [n]
    seconds  float64 [n], the divisor for rates; 0 in a gap
    waited   float64 [n], seconds, as the source or its intervals say
    flags    uint8 [n], see ``window``
    ranges   the number of ranges
    row      int64 [counts], the range of each count, ascending
    column   int64 [counts], its column, ascending within a range
    events   float64 [counts]
    """

    step: int
    starts: IntArray
    ends: IntArray
    seconds: FloatArray
    waited: FloatArray
    flags: NDArray[np.uint8]
    ranges: int
    row: IntArray
    column: IntArray
    events: FloatArray

    @property
    def size(self) -> int:
        return len(self.starts)


def recorded_columns(history: History) -> PageColumns:
    """All columns of a series as they are kept."""
    columns, rows, places, counts = [], [], [], []
    for first in range(0, max(len(history), 1), AT_ONCE):
        some, cells = history.part(first, first + AT_ONCE)
        row, place = np.nonzero(cells.T)
        columns.append(some)
        rows.append(row)
        places.append(place + first)
        counts.append(cells[place, row].astype(np.float64))
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    return PageColumns(
        0,
        *_times(np.concatenate(columns)),
        len(history.ranges),
        row[order],
        np.concatenate(places)[order],
        np.concatenate(counts)[order],
    )


def _times(columns: NDArray[Any]) -> tuple[IntArray, IntArray, FloatArray, FloatArray, NDArray[np.uint8]]:
    """Starts, ends, seconds, time waited and flags. A column begins at the end of the one before at the earliest: what
    is counted after a silence can be of all of it, but the silence has a column of its own.
    """
    names = ("start", "end", "seconds", "waited", "flags")
    starts, ends, seconds, waited, flags = (np.ascontiguousarray(columns[name]) for name in names)
    begins = np.maximum(starts, np.concatenate((starts[:1], ends[:-1])))
    covered = np.where(flags & GAP_BIT, ends - begins, (seconds * 1e6).astype(np.int64))
    return np.minimum(np.maximum(begins, ends - covered), ends), ends, seconds, waited, flags


def merged_columns(columns: PageColumns, step: int) -> PageColumns:
    """The same counts in steps of so many microseconds, on a grid aligned to the epoch, as ``window/slots.py`` has it:
    an interval belongs to the step whose middle it covers, or in which its own middle is. One that is longer than a
    step, or a gap that is, stays a column of its own: nothing is divided.
    """
    if not columns.size:
        return columns._replace(step=step)
    starts, ends = columns.starts, columns.ends
    low, high = (starts + step // 2) // step, (ends + step // 2) // step
    slots = np.where(high > low, high, -(-(starts + ends) // (2 * step)))  # slot s is (s - 1, s] steps after the epoch
    alone = ends - starts > step * MARGIN
    begins = np.ones(columns.size, np.bool_)
    begins[1:] = (slots[1:] != slots[:-1]) | alone[1:] | alone[:-1]
    first, group = np.flatnonzero(begins), np.cumsum(begins) - 1
    key = columns.row * len(first) + group[columns.column]  # ascending, as rows are, and groups within a row
    at = np.flatnonzero(np.diff(key, prepend=-1))
    any_flag = np.bitwise_or.reduceat(columns.flags, first)
    all_gap = np.bitwise_and.reduceat(columns.flags & GAP_BIT, first)
    return PageColumns(
        step,
        starts[first],
        np.maximum.reduceat(ends, first),
        np.add.reduceat(columns.seconds, first),
        np.add.reduceat(columns.waited, first),
        (any_flag & ~np.uint8(GAP_BIT)) | all_gap,
        columns.ranges,
        key[at] // len(first),
        key[at] % len(first),
        np.add.reduceat(columns.events, at) if len(at) else columns.events,
    )


def steps_above(seconds: float) -> list[int]:
    """The steps of zooming out that are longer than such an interval, in microseconds, the short first."""
    return [round(step * 1e6) for step in COLUMN_SECONDS if step > MARGIN * seconds]
