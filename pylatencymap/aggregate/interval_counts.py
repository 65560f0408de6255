"""Intervals that a decoder made of single events, as counts again: those of different files can then be added."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..buckets import bounds_of, bucket_of
from ..interval import Interval
from ..intervals import EVENT_RESOLUTION
from ..scan import SERIES, OwnerSums
from ..tables import TableSeries
from .event_counts import EventCounts, added


class NotOnGrid(Exception):
    """Intervals that are no whole bins of one grid: they stay intervals."""


def counts_of_intervals(
    intervals: Sequence[Interval], width: int, phase: int, number_of: Callable[[TableSeries], int]
) -> EventCounts:
    """The counts of intervals with events; each is one bin of ``width`` microseconds that begins at a multiple of it
    plus ``phase``. Raises NotOnGrid.
    """
    busy = [one for one in intervals if one.ranges]
    owners, waited, steps, buckets, counts = [], [], [], [], []
    for one in busy:
        if one.end - one.start != width or (one.start - phase) % width or one.gap or one.reset or one.note:
            raise NotOnGrid
        series = number_of(TableSeries(one.series, one.unit, one.label, one.source))
        owners.append((one.start - phase) // width * SERIES + series)
        exact, step = _halves(one)
        waited.append(exact)
        steps.append(step)
        for lower, upper, count in one.ranges:
            bucket = bucket_of(int(lower), EVENT_RESOLUTION)
            if bounds_of(bucket, EVENT_RESOLUTION) != (lower, upper) or count != int(count):
                raise NotOnGrid
            buckets.append(bucket)
            counts.append(int(count))
    sums = OwnerSums(
        np.array(owners, np.int64),
        np.array(waited, np.int64),
        np.array([len(one.ranges) for one in busy], np.int64),
        np.array(buckets, np.int16),
        np.array(counts, np.int64),
    )
    doubtful = np.array([one.doubtful for one in busy], np.bool_)
    return added([EventCounts(sums, np.array(steps, np.int64), doubtful)])


def _halves(one: Interval) -> tuple[int, int]:
    """The time waited in whole units, and the sum of the steps, of which half counts; see ``BinCounts``. The engine
    made seconds of these numbers, and makes the same seconds of them again.
    """
    halves = round((one.waited or 0.0) * 2 / one.unit.seconds)
    if not one.estimated:
        return halves // 2, 0
    return halves // 2 - 1, halves % 2 + 2
