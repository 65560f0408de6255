"""What a history holds, as intervals again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..interval import Interval
from ..record import Bound, Range
from .block import ESTIMATED, GAP, RESET, UNCLOCKED
from .history import History

AT_ONCE = 1024
"""Columns that are taken out of a history in one go."""


def kept_intervals(history: History) -> Iterator[Interval]:
    """The columns of a series, oldest first; where columns were merged, one interval for all of them."""
    order = sorted(range(len(history.ranges)), key=lambda row: _ascending(*history.ranges[row]))
    keys = [history.ranges[row] for row in order]
    for first in range(0, len(history), AT_ONCE):
        columns, counts = history.part(first, first + AT_ONCE)
        counts = counts[:, order]
        where, rows = np.nonzero(counts)
        stops = np.searchsorted(where, np.arange(len(columns) + 1)).tolist()
        entries = list(zip(rows.tolist(), counts[where, rows].tolist(), strict=True))
        for number, column in enumerate(columns.tolist()):
            found = entries[stops[number] : stops[number + 1]]
            ranges: tuple[Range, ...] = tuple((*keys[row], _whole(count)) for row, count in found)
            yield _interval(history, column, ranges)


def _interval(history: History, column: tuple[int, int, float, float, int], ranges: tuple[Range, ...]) -> Interval:
    """One column; ``column`` is as block.COLUMN has it."""
    start, end, seconds, waited, flags = column
    gap = bool(flags & GAP)
    return Interval(
        series=history.name,
        unit=history.unit,
        start=start,
        end=end,
        seconds=(end - start) / 1e6 if gap else seconds,
        ranges=ranges,
        waited=None if gap else waited,
        estimated=bool(flags & ESTIMATED),
        reset=bool(flags & RESET),
        gap=gap,
        clock=not flags & UNCLOCKED,
        label=history.label,
        source=history.source,
    )


def _whole(value: float) -> Bound:
    """A count without a fraction as an integer: what adds them up is exact then."""
    return int(value) if value == int(value) else value


def _ascending(lower: Bound, upper: Bound | None) -> tuple[Bound, Bound]:
    return lower, float("inf") if upper is None else upper
