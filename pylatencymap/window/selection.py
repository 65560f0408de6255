"""The columns of one series that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..units import Unit
from .block import COLUMN, ESTIMATED, GAP, RESET, UNCLOCKED, RangeKey
from .matrix import FloatArray, IntArray, Matrix
from .rows import Rows, row_bounds
from .statistics import Summary, slow_share, summarise
from .waited import waited_per_range


@dataclass(frozen=True)
class Selection:
    """Columns on a regular time axis, oldest first, with counts per native range.

    ``columns`` COLUMN [n]; ``counts`` float64 [n, ranges]; ``lasted`` float64 [n], seconds of the interval that a
    column is a piece of; ``width`` seconds that one column stands for.
    """

    ranges: list[RangeKey]
    unit: Unit
    columns: NDArray[Any]
    counts: FloatArray
    lasted: FloatArray
    width: float

    @classmethod
    def empty(cls) -> Selection:
        """No columns at all."""
        return cls([], Unit.US, np.zeros(0, COLUMN), np.zeros((0, 0)), np.zeros(0), 1.0)

    def __len__(self) -> int:
        return len(self.columns)

    def newest(self, count: int) -> Selection:
        """The last ``count`` columns only."""
        part = slice(max(len(self) - count, 0), None)
        return replace(self, columns=self.columns[part], counts=self.counts[part], lasted=self.lasted[part])

    def summary(self, slo: float | None = None) -> Summary:
        """Statistics of all columns; ``slo``, in seconds, asks for the shares above it."""
        return self._summary(slice(None), slo)

    def latest(self, slo: float | None = None) -> Summary | None:
        """Statistics of the newest column that has data, None without any."""
        with_data = np.nonzero(self._flag(GAP) == 0)[0]
        return self._summary(slice(with_data[-1], with_data[-1] + 1), slo) if len(with_data) else None

    def at(self, micros: int, slo: float | None = None) -> Summary | None:
        """Statistics of the column whose interval holds a moment (epoch microseconds), its end included.

        None outside the columns, in a gap, and where the clock jumped and nothing was measured.
        """
        place = int(np.searchsorted(self.columns["end"], micros))
        if place == len(self) or self.columns["flags"][place] & GAP or micros <= self._begin(place):
            return None
        return self._summary(slice(place, place + 1), slo)

    def _begin(self, place: int) -> int:
        """Where the interval of a column begins: after the column before, unless that is further away than a column."""
        start = int(self.columns["start"][place])
        if place == 0:
            return start
        before = int(self.columns["end"][place - 1])
        return start if start - before > self.width * 1e6 else before

    def matrix(self, resolution: int = 1, cover: tuple[float, float] | None = None) -> Matrix:
        """Rows of the grid that cover all events and at least ``cover`` (seconds), and a row of context each side."""
        used = [key for key, total in zip(self.ranges, self.counts.sum(axis=0), strict=True) if total > 0]
        scale = self.unit.seconds
        rows = row_bounds(used, resolution, None if cover is None else (cover[0] / scale, cover[1] / scale))
        counts, waited = self._project(rows)
        return Matrix(
            bounds=np.array(rows.bounds) * scale,
            counts=counts,
            waited=waited,
            ends=self.columns["end"].copy(),
            seconds=self.columns["seconds"].copy(),
            lasted=self.lasted.copy(),
            gap=self._flag(GAP) > 0,
            reset=self._flag(RESET) > 0,
            estimated=self._flag(ESTIMATED) > 0,
            overflow=rows.overflow,
            resampled=any(rows.is_resampled(key) for key in used),
            clock=not bool(self._flag(UNCLOCKED).any()),
        )

    def _project(self, rows: Rows) -> tuple[FloatArray, FloatArray]:
        """Counts and time waited per row, [rows, columns] each; sums per column stay what they are."""
        shares, times = rows.projection(self.ranges)
        waited = waited_per_range(self.counts, self.ranges, self.columns["waited"], self.unit)
        return shares @ self.counts.T, times @ waited.T

    def _flag(self, flag: int) -> IntArray:
        return (self.columns["flags"] & flag).astype(np.int64)

    def _summary(self, part: slice, slo: float | None) -> Summary:
        columns, counts = self.columns[part], self.counts[part]
        summary = summarise(
            self.ranges,
            counts.sum(axis=0),
            self.unit,
            span=float(columns["seconds"].sum()),
            waited=float(columns["waited"].sum()),
            estimated=bool((columns["flags"] & ESTIMATED).any()),
        )
        if slo is None:
            return summary
        waited = waited_per_range(counts, self.ranges, columns["waited"], self.unit)
        return summary._replace(slow=slow_share(self.ranges, counts.sum(axis=0), waited.sum(axis=0), self.unit, slo))
