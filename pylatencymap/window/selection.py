"""The columns of one series that a picture shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..intervals.nominal import low_median
from ..units import Unit
from .block import COLUMN, ESTIMATED, GAP, RESET, UNCLOCKED, summed_columns, summed_counts
from .history import History, RangeKey
from .matrix import FloatArray, IntArray, Matrix
from .rows import Rows, row_bounds
from .stats import Summary, summarise
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
        part = slice(-count, None)
        return replace(self, columns=self.columns[part], counts=self.counts[part], lasted=self.lasted[part])

    def summary(self) -> Summary:
        """Statistics of all columns."""
        return self._summary(slice(None))

    def latest(self) -> Summary | None:
        """Statistics of the newest column that has data, None without any."""
        with_data = np.nonzero(self._flag(GAP) == 0)[0]
        return self._summary(slice(with_data[-1], with_data[-1] + 1)) if len(with_data) else None

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

    def _summary(self, part: slice) -> Summary:
        columns = self.columns[part]
        return summarise(
            self.ranges,
            self.counts[part].sum(axis=0),
            self.unit,
            span=float(columns["seconds"].sum()),
            waited=float(columns["waited"].sum()),
            estimated=bool((columns["flags"] & ESTIMATED).any()),
        )


def select(history: History, count: int, width: float | None) -> Selection:
    """The newest ``count`` columns of ``width`` seconds; None: as wide as the usual interval of the history."""
    columns, counts = history.tail(count)
    usual = _usual_seconds(columns)
    if width is not None and width > usual:
        columns, counts = history.tail(history.columns_after(history.end - round((count + 1) * width * 1e6)))
        columns, counts = _grouped(columns, counts, width)
    width = max(width or 0.0, usual)
    columns, counts, lasted = _stretched(columns, counts, width, count)
    return Selection(list(history.ranges), history.unit, columns, counts, lasted, width)


def _usual_seconds(columns: NDArray[Any]) -> float:
    seconds = columns["seconds"][columns["seconds"] > 0]
    return low_median(seconds[-100:].tolist()) if len(seconds) else 1.0


def _grouped(columns: NDArray[Any], counts: NDArray[Any], width: float) -> tuple[NDArray[Any], FloatArray]:
    """Columns merged over real time, aligned to the epoch; a gap that is wider stays by itself."""
    micros = round(width * 1e6)
    slots = -(-columns["end"] // micros)
    wide_gap = (columns["flags"] & GAP > 0) & (columns["end"] - columns["start"] > micros)
    begins = (np.diff(slots, prepend=slots[:1] - 1) > 0) | wide_gap
    begins[1:] |= wide_gap[:-1]
    starts = np.nonzero(begins)[0]
    return summed_columns(columns, starts), summed_counts(counts, starts)


def _stretched(
    columns: NDArray[Any], counts: NDArray[Any], width: float, limit: int
) -> tuple[NDArray[Any], FloatArray, FloatArray]:
    """Gaps and long intervals over as many columns as they lasted: the axis is time and not a sample number.

    The newest ``limit`` of them, with their counts and the seconds of the interval that each is a piece of. A reset is
    in the first piece.
    """
    pieces = _pieces(columns, width, limit)
    first = max(len(pieces) - int(np.searchsorted(np.cumsum(pieces[::-1]), limit)) - 1, 0)
    columns, counts, pieces = columns[first:], counts[first:], pieces[first:]
    index = np.repeat(np.arange(len(columns)), pieces)[-limit:]
    left = (np.cumsum(pieces)[index] - 1 - np.arange(pieces.sum())[-limit:]).astype(np.int64)
    result, share = columns[index], 1.0 / pieces[index]
    result["end"] -= (left * width * 1e6).astype(np.int64)
    result["seconds"] *= share
    result["waited"] *= share
    result["flags"][left < pieces[index] - 1] &= ~np.uint8(RESET)
    return result, counts[index] * share[:, None], columns["seconds"][index]


def _pieces(columns: NDArray[Any], width: float, limit: int) -> IntArray:
    """How many columns of ``width`` seconds each column lasted, 1 to ``limit``."""
    begins = np.maximum(columns["start"], np.concatenate([columns["start"][:1], columns["end"][:-1]]))
    spans = (columns["end"] - begins) / 1e6
    lasted = np.where(columns["flags"] & GAP, spans, np.minimum(spans, columns["seconds"]))
    return np.asarray(np.clip(np.rint(lasted / width), 1, limit), np.int64)
