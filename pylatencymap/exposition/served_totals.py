"""Totals of all series since we began: they only grow, whatever the source does, and no scrape changes them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from ..interval import Interval
from .grids import NATIVE, ClassicGrid
from .spreading import SpreadCounts

OTHER = "other"
"""The series of all that are one too many."""


@dataclass
class _Series:
    """The totals of one series; ``created``: epoch seconds at which its first interval began."""

    created: float
    classic: SpreadCounts
    native: SpreadCounts
    waited: float = 0.0
    estimated: float = 0.0


class SeriesSnapshot(NamedTuple):
    """The totals of a series at a moment: counts by bucket of both grids, seconds waited, and when they began."""

    name: str
    created: float
    classic: dict[int, int]
    native: dict[int, int]
    waited: float

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
    estimated: float
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

    @property
    def has_any(self) -> bool:
        """Whether there has been an interval."""
        return bool(self._series)

    def snapshot(self) -> TotalsSnapshot:
        """A copy of all totals."""
        with self._lock:
            series = [
                SeriesSnapshot(name, one.created, dict(one.classic.counts), dict(one.native.counts), one.waited)
                for name, one in sorted(self._series.items())
            ]
            estimated = sum(one.estimated for one in self._series.values())
            return TotalsSnapshot(
                series, self.up, **self._counts, left_out=len(self._left_out), estimated=estimated, last=self._last
            )
