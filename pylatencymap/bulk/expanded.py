"""All sums of a file as intervals, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import TypeAlias

from ..buckets import bounds_of
from ..interval import Interval
from ..intervals.bins import RESOLUTION
from ..intervals.sampled import MOST_ZEROS
from ..intervals.turns import Print, turns
from ..record import Range
from .found import Scan
from .sums import BUCKET_BITS, SERIES, Sums

Cell: TypeAlias = tuple[int, int, int, tuple[Range, ...]]
"""The number of a bin and of a series, the sum of latencies, and the counts."""
_BOUNDS = [bounds_of(bucket, RESOLUTION) for bucket in range(1 << BUCKET_BITS)]


def intervals(blocks: list[Sums], names: list[str], width: int, scan: Scan) -> Iterator[Interval]:
    """What the prints of all bins tell, in their order; blocks are not kept. See ``Whole``."""
    unit, label, source = scan.unit, scan.label, scan.source
    counted: list[Cell] = []
    for series, start, end, busy in turns(_prints(blocks, width, counted)):
        waited, ranges = (counted.pop()[2:]) if busy else (0, ())
        yield Interval(
            names[series],
            unit,
            start,
            end,
            (end - start) / 1e6,
            ranges,
            waited * unit.seconds,
            estimated=False,
            label=label,
            source=source,
        )


def _prints(blocks: list[Sums], width: int, counted: list[Cell]) -> Iterator[Print]:
    """The prints that ``sampled.Printer`` makes; ``counted`` gets the cells of each, the first one last."""
    last: int | None = None
    for number, cells in groupby(_cells(blocks), itemgetter(0)):
        if last is not None:
            yield from _idle(last + 1, number, width)
        last = number
        counted[:] = list(cells)[::-1]
        yield Print(number * width, (number + 1) * width, [cell[1] for cell in reversed(counted)])


def _idle(first: int, stop: int, width: int) -> Iterator[Print]:
    """Those of bins without events: each of a few, or all as one."""
    if stop - first > MOST_ZEROS:
        yield Print(first * width, stop * width)
    else:
        for number in range(first, stop):
            yield Print(number * width, (number + 1) * width)


def _cells(blocks: list[Sums]) -> Iterator[Cell]:
    blocks.reverse()
    while blocks:
        block = blocks.pop()
        counts = zip(block.buckets.tolist(), block.counts.tolist(), strict=True)
        owners = zip(block.owners.tolist(), block.waited.tolist(), block.sizes.tolist(), strict=True)
        for owner, waited, size in owners:
            ranges = tuple([(*_BOUNDS[bucket], count) for bucket, count in islice(counts, size)])
            yield owner // SERIES, owner % SERIES, waited, ranges
