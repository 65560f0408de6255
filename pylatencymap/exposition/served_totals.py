"""Totals of all series since we began: they only grow, whatever the source does, and no scrape changes them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from ..interval import Interval
from .grids import CLOSE, NATIVE, SCHEMA, ClassicGrid, coarser_native, open_from, schema_for, wide_of
from .spreading import SpreadCounts

OTHER = "other"
"""The series of all that are one too many."""


@dataclass
class _Series:
    """The totals of one series; ``created``: epoch seconds at which its first interval began. ``widest``: the widest of
    the source's ranges, as its upper by its lower end. ``open_from``: where a range with events is open, in s.
    """

    created: float
    classic: SpreadCounts
    native: SpreadCounts
    waited: float = 0.0
    estimated: float = 0.0
    widest: float = 1.0
    open_from: float = math.inf


class NativeCounts(NamedTuple):
    """Counts by the number of native buckets of a schema."""

    schema: int
    counts: dict[int, int]


class SeriesSnapshot(NamedTuple):
    """The totals of a series at a moment: counts by bucket of both grids, seconds waited, which part of that is an
    estimate, and when they began. ``native`` is None if the source is coarser than any native buckets. How long the
    events of an open range took is not known beyond ``open_from``, seconds.
    """

    name: str
    created: float
    classic: dict[int, int]
    native: NativeCounts | None
    waited: float
    estimated: float
    open_from: float = math.inf

    @property
    def events(self) -> int:
        """All events."""
        return sum(self.classic.values())


class TotalsSnapshot(NamedTuple):
    """All totals at a moment. ``last``: the end of the newest interval, epoch seconds. ``up``: the source is there."""

    series: list[SeriesSnapshot]
    up: bool
    intervals: int
    gaps: int
    resets: int
    left_out: int
    last: float


@dataclass
class ServedTotals:
    """Takes intervals in one thread, and is looked at from others. At most ``most`` series have a name of their own."""

    grid: ClassicGrid
    most: int
    up: bool = True
    _series: dict[str, _Series] = field(default_factory=dict, init=False)
    _left_out: set[str] = field(default_factory=set, init=False)
    _counts: dict[str, int] = field(default_factory=lambda: {"intervals": 0, "gaps": 0, "resets": 0}, init=False)
    _last: float = field(default=0.0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def add(self, interval: Interval) -> None:
        """Add an interval to the totals of its series."""
        with self._lock:
            self._last = max(self._last, interval.end / 1e6)
            if interval.gap:
                self._counts["gaps"] += 1
                return
            self._counts["intervals"] += 1
            self._counts["resets"] += interval.reset
            one = self._of(interval)
            scale = interval.unit.seconds
            ranges = [
                (lower * scale, math.inf if upper is None else upper * scale, count)
                for lower, upper, count in interval.ranges
            ]
            one.classic.add(ranges, interval.waited)
            one.native.add(ranges, interval.waited)
            one.widest = max(one.widest, wide_of(ranges, scale))
            one.open_from = min(one.open_from, open_from(ranges))
            one.waited += interval.waited or 0.0
            one.estimated += (interval.waited or 0.0) if interval.estimated else 0.0

    def _of(self, interval: Interval) -> _Series:
        name = interval.series
        if name not in self._series and len(self._series) >= self.most:
            if len(self._left_out) < 100_000:
                self._left_out.add(name)
            name = OTHER
        if name not in self._series:
            counts = SpreadCounts(self.grid.grid), SpreadCounts(NATIVE)
            self._series[name] = _Series(interval.start / 1e6, *counts)
        return self._series[name]

    def first_open(self) -> tuple[str, float] | None:
        """A series whose source does not tell how long events above some seconds are, though there are bounds above
        these, and the seconds.
        """
        with self._lock:
            found = ((one.open_from, name) for name, one in self._series.items())
            least, name = min(found, default=(math.inf, ""))
        return (name, least) if least < self.grid.bounds[-1] * (1 - CLOSE) else None

    @property
    def has_any(self) -> bool:
        """Whether there has been an interval."""
        return bool(self._series)

    def snapshot(self) -> TotalsSnapshot:
        """A copy of all totals."""
        with self._lock:
            series = [
                SeriesSnapshot(
                    name,
                    one.created,
                    dict(one.classic.counts),
                    _native(one),
                    one.waited,
                    one.estimated,
                    one.open_from,
                )
                for name, one in sorted(self._series.items())
            ]
            return TotalsSnapshot(series, self.up, **self._counts, left_out=len(self._left_out), last=self._last)


def _native(one: _Series) -> NativeCounts | None:
    """The native buckets of a series, no finer than the source."""
    schema = schema_for(one.widest)
    if schema is None:
        return None
    counts: dict[int, int] = {}
    for index, count in one.native.counts.items():
        place = coarser_native(index, SCHEMA - schema)
        counts[place] = counts.get(place, 0) + count
    return NativeCounts(schema, counts)
