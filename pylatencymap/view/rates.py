"""The values of one interval by row, without arrays: of a column that is drawn by itself."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import mul
from typing import NamedTuple, TypeAlias

from ..interval import Interval
from ..record import Bound
from ..units import Unit

MOST_SHAPES = 256
"""So many sets of ranges are known at a time; a source mostly has the same few again and again."""
EXACT = 1e-12
"""A time waited that is so little, relatively, off the sum at the midpoints was estimated from them."""

Bounds: TypeAlias = tuple[tuple[Bound, ...], tuple[Bound | None, ...]]
"""Lower and upper bounds of the ranges of an interval."""


class Values(NamedTuple):
    """Events per second and seconds waited per second by row; ``used`` are the rows with events."""

    frequency: list[float]
    intensity: list[float]
    used: Sequence[int]


class _Shape(NamedTuple):
    """Row, lower bound, width and midpoint (seconds) of each range; ``pads``: rows below and above them where they are
    rows in order, each one of its own.
    """

    rows: tuple[int, ...]
    lows: tuple[float, ...]
    widths: tuple[float, ...]
    middles: tuple[float, ...]
    pads: tuple[list[float], list[float]] | None

    def at(self, events: Sequence[Bound], waited: float) -> list[float]:
        """The latency of the events of each range, all at one fraction of it, as seconds waited in all have it."""
        least, spread = sum(map(mul, events, self.lows)), sum(map(mul, events, self.widths))
        fraction = min(max((waited - least) / spread, 0.0), 1.0) if spread > 0 else 0.5
        return [low + fraction * width for low, width in zip(self.lows, self.widths, strict=True)]


class Rates:
    """``bounds`` (seconds) are of the rows drawn, of which ``core`` hold events already."""

    def __init__(self, bounds: list[float], core: range, unit: Unit) -> None:
        self._bounds = bounds
        self._core = core
        self._scale = unit.seconds
        self._shapes: dict[Bounds, _Shape] = {}

    def of(self, interval: Interval) -> Values | None:
        """What window.waited and a matrix make of an interval; None where not each range lies in a row of the core."""
        if not interval.ranges:
            nothing = [0.0] * (len(self._bounds) - 1)
            return Values(nothing, nothing, ())
        events: Sequence[Bound]
        lowers, uppers, events = zip(*interval.ranges, strict=True)
        shape = self._shapes.get((lowers, uppers)) or self._learn(lowers, uppers)
        if shape is None:
            return None
        waited, seconds = interval.waited or 0.0, interval.seconds
        waits = list(map(mul, events, shape.middles))
        total = sum(waits)
        if abs(waited - total) > EXACT * waited:
            waits = list(map(mul, events, shape.at(events, waited)))
            total = sum(waits)
        scale = waited / (total or 1.0) / seconds
        if shape.pads is None:
            events, waits = self._by_row(shape.rows, events), self._by_row(shape.rows, waits)
        frequency, intensity = [count / seconds for count in events], [wait * scale for wait in waits]
        if shape.pads is not None:
            below, above = shape.pads
            frequency, intensity = below + frequency + above, below + intensity + above
        return Values(frequency, intensity, shape.rows)

    def _by_row(self, rows: Sequence[int], values: Sequence[float]) -> list[float]:
        sums = [0.0] * (len(self._bounds) - 1)
        for row, value in zip(rows, values, strict=True):
            sums[row] += value
        return sums

    def _learn(self, lowers: tuple[Bound, ...], uppers: tuple[Bound | None, ...]) -> _Shape | None:
        rows: list[int] = []
        for lower, upper in zip(lowers, uppers, strict=True):
            row = bisect_right(self._bounds, lower * self._scale) - 1
            if upper is None or row not in self._core or upper * self._scale > self._bounds[row + 1]:
                return None
            rows.append(row)
        if len(self._shapes) >= MOST_SHAPES:
            self._shapes.clear()
        lows = tuple([lower * self._scale for lower in lowers])
        widths = tuple([(upper or 0) * self._scale - low for upper, low in zip(uppers, lows, strict=True)])
        middles = tuple([low + width / 2 for low, width in zip(lows, widths, strict=True)])
        ordered = rows == list(range(rows[0], rows[0] + len(rows)))
        pads = ([0.0] * rows[0], [0.0] * (len(self._bounds) - 2 - rows[-1])) if ordered else None
        shape = _Shape(tuple(rows), lows, widths, middles, pads)
        self._shapes[lowers, uppers] = shape
        return shape
