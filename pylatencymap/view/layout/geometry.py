"""Maps screen cells to moments and latencies, and back."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...window import FloatArray, IntArray
from .scene import Pointer

SlotArray: TypeAlias = NDArray[np.intp]


class Region(NamedTuple):
    """The rows of one map: their first line and the number of lines, without the totals."""

    kind: str
    top: int
    lines: int


class OverviewPlace(NamedTuple):
    """The line of the overview, and the epoch microseconds at which it begins and ends."""

    line: int
    begin: int
    end: int


class Geometry(NamedTuple):
    """Where the data are on the screen. Lines and columns count from 0.

    regions     the maps, top to bottom
    left        first screen column of the maps; those before the oldest time column are empty
    right       first screen column after the newest time column
    cell_width  screen columns per time column
    axis        line of the time axis; its labels are on the next one
    ends        int64 [columns], epoch microseconds: the end of each time column drawn
    bounds      float64 [rows + 1], seconds: the bounds of the rows drawn
    slots       [lines, 2], see Frame
    maxima      end of the colour scale of each map drawn: events per second, or seconds waited per second
    heaviest    the row with the most time waited
    merged      share of the events or of the wait, whichever is larger, in edge rows that were merged from several
    cursor      time column and row under the cursor; None if it is outside of what is drawn
    overview    where all that is kept is drawn as one line; None if it is not
    """

    regions: tuple[Region, ...]
    left: int
    right: int
    cell_width: int
    axis: int
    ends: IntArray
    bounds: FloatArray
    slots: SlotArray
    maxima: Mapping[str, float] = MappingProxyType({})
    heaviest: int = 0
    merged: float = 0.0
    cursor: tuple[int, int] | None = None
    overview: OverviewPlace | None = None

    @property
    def half(self) -> bool:
        """Whether a line holds two rows."""
        return bool((self.slots[:, 0] != self.slots[:, 1]).any())

    @property
    def first(self) -> int:
        """The screen column at which the oldest time column begins."""
        return self.right - int(self.ends.size) * self.cell_width

    def column_of(self, micros: int) -> int | None:
        """The time column whose interval contains a moment; None if it is not drawn."""
        return column_of(self.ends, micros)

    def row_of(self, latency: float) -> int | None:
        """The row that contains a latency (seconds); None if it is not drawn."""
        return row_of(self.bounds, latency)

    def pointer_at(self, column: int, line: int) -> Pointer | None:
        """The moment and latency at a cell of the screen; None outside the data."""
        if not self.first <= column < self.right:
            return None
        for region in self.regions:
            offset = line - region.top
            if 0 <= offset < region.lines:
                row = max(self.slots[offset].tolist())
                if row < 0:
                    return None
                moment = int(self.ends[(column - self.first) // self.cell_width])
                return Pointer(moment, self.middle_of(row))
        return None

    def span_of(self, micros: int) -> tuple[int, int]:
        """When the time column that contains a moment, or the nearest one, begins and ends."""
        last = int(self.ends.size) - 1
        column = min(int(np.searchsorted(self.ends, micros)), last)
        usual = int(np.median(np.diff(self.ends))) if last else 1_000_000
        end = int(self.ends[column])
        return max(end - usual, int(self.ends[column - 1])) if column else end - usual, end

    def line_range(self, latency: float) -> tuple[float, float]:
        """The bounds of all rows on the line that shows a latency."""
        row = min(max(int(np.searchsorted(self.bounds, latency, side="right")) - 1, 0), int(self.bounds.size) - 2)
        line = self.line_of(row)
        rows = [row] if line is None else [one for one in self.slots[line].tolist() if one >= 0]
        return float(self.bounds[min(rows)]), float(self.bounds[max(rows) + 1])

    def nearest(self, column: int, line: int) -> Pointer | None:
        """The moment and latency at the cell of the data that is nearest to a cell of the screen; None without data."""
        if not self.regions or not self.ends.size:
            return None
        column = min(max(column, self.first), self.right - 1)
        region = min(self.regions, key=lambda one: max(one.top - line, line - one.top - one.lines + 1, 0))
        rows = [place for place in range(region.lines) if max(self.slots[place].tolist()) >= 0]
        if not rows:
            return None
        nearest = min(rows, key=lambda place: abs(region.top + place - line))
        return self.pointer_at(column, region.top + nearest)

    def overview_at(self, column: int, line: int) -> int | None:
        """The moment at a cell of the overview; None beside it."""
        place = self.overview
        if place is None or line != place.line or not self.left <= column < self.right:
            return None
        share = (column - self.left + 0.5) / (self.right - self.left)
        return place.begin + round(share * (place.end - place.begin))

    def moment_at(self, column: int) -> int | None:
        """The end of the time column at a column of the screen; None outside the data."""
        if not self.first <= column < self.right:
            return None
        return int(self.ends[(column - self.first) // self.cell_width])

    def middle_of(self, row: int) -> float:
        """A latency inside a row, in seconds: its middle, or the lower bound of an open row."""
        lower, upper = float(self.bounds[row]), float(self.bounds[row + 1])
        return (lower + upper) / 2 if upper < np.inf else lower

    def line_of(self, row: int) -> int | None:
        """The line of a map that shows a row, counted from the map's first line; None if no line does."""
        return line_of_row(self.slots, row)

    def moved(self, pointer: Pointer | None, columns: int, rows: int) -> Pointer | None:
        """The pointer moved ``columns`` to the right and ``rows`` up, but never outside of what is drawn.

        A pointer outside of what is drawn starts from the nearest cell. Without a pointer, a new one appears in the
        newest column, in the row with the most time waited. The result is None if nothing is drawn.
        """
        last, top = int(self.ends.size) - 1, int(self.bounds.size) - 2
        if last < 0 or top < 0:
            return None
        column, row = last, self.heaviest
        if pointer is not None:
            column = min(int(np.searchsorted(self.ends, pointer.micros)), last) + columns
            row = min(max(int(np.searchsorted(self.bounds, pointer.latency, side="right")) - 1, 0), top) + rows
        column, row = min(max(column, 0), last), min(max(row, 0), top)
        return Pointer(int(self.ends[column]), self.middle_of(row))


NO_MAPS = Geometry((), 0, 0, 1, -1, np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 2), np.intp))
"""Of a screen on which no cell shows a moment and a latency."""


def column_of(ends: IntArray, micros: int) -> int | None:
    """The column whose interval contains a moment, given the ends of all columns; None outside of them.

    The first column is taken to be as long as the median of the others.
    """
    if not ends.size or micros > ends[-1]:
        return None
    column = int(np.searchsorted(ends, micros))
    if column or ends.size < 2:
        return column
    return column if micros > ends[0] - int(np.median(np.diff(ends))) else None


def row_of(bounds: FloatArray, latency: float) -> int | None:
    """The row that contains a latency, given the bounds of all rows; None outside of them."""
    row = int(np.searchsorted(bounds, latency, side="right")) - 1
    return row if 0 <= row < bounds.size - 1 else None


def line_of_row(slots: SlotArray, row: int) -> int | None:
    """The first line that shows a row, given the ``slots`` of all lines (see Frame); None if no line does."""
    lines = np.flatnonzero((slots == row).any(axis=1))
    return int(lines[0]) if lines.size else None
