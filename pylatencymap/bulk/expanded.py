"""All sums of a file as intervals, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from ..interval import Interval
from ..intervals.turns import Told, Turns
from .cells import Counted, cells, ranges_of
from .found import Scan
from .sums import Sums


def intervals(blocks: Iterator[Sums], names: list[str], width: int, scan: Scan) -> Iterator[Interval]:
    """What the prints of all bins tell, in their order. See ``Whole``."""
    unit, label, source = scan.unit, scan.label, scan.source

    def interval(told: Told, counted: Counted | None) -> Interval:
        return Interval(
            names[told.series],
            unit,
            told.start,
            told.end,
            (told.end - told.start) / 1e6,
            ranges_of(counted.counts) if counted else (),
            counted.waited * unit.seconds if counted else 0.0,
            estimated=False,
            label=label,
            source=source,
        )

    turns = Turns(width)
    for number, found in groupby(cells(blocks), attrgetter("bin")):
        counted = list(found)
        rest = iter(counted)
        for told in turns.bin(number, [one.series for one in counted]):
            yield interval(told, next(rest) if told.busy else None)
    for told in turns.rest():
        yield interval(told, None)
