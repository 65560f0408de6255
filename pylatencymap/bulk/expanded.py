"""All sums of a file as intervals, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from ..interval import Interval
from ..intervals.sampled import MOST_ZEROS
from ..intervals.turns import Print, turns
from .cells import Counted, cells, ranges_of
from .found import Scan
from .sums import Sums


def intervals(blocks: list[Sums], names: list[str], width: int, scan: Scan) -> Iterator[Interval]:
    """What the prints of all bins tell, in their order; blocks are not kept. See ``Whole``."""
    unit, label, source = scan.unit, scan.label, scan.source
    waiting: deque[Counted] = deque()
    for series, start, end, busy in turns(_prints(blocks, width, waiting)):
        one = waiting.popleft() if busy else None
        yield Interval(
            names[series],
            unit,
            start,
            end,
            (end - start) / 1e6,
            ranges_of(one.counts) if one else (),
            one.waited * unit.seconds if one else 0.0,
            estimated=False,
            label=label,
            source=source,
        )


def _prints(blocks: list[Sums], width: int, waiting: deque[Counted]) -> Iterator[Print]:
    """The prints that ``sampled.Printer`` makes; ``waiting`` gets what was counted for each."""
    last: int | None = None
    for number, found in groupby(cells(_taken(blocks)), attrgetter("bin")):
        if last is not None:
            yield from _idle(last + 1, number, width)
        last = number
        waiting.extend(found)
        yield Print(number * width, (number + 1) * width, [one.series for one in waiting])


def _idle(first: int, stop: int, width: int) -> Iterator[Print]:
    """Those of bins without events: each of a few, or all as one."""
    if stop - first > MOST_ZEROS:
        yield Print(first * width, stop * width)
    else:
        for number in range(first, stop):
            yield Print(number * width, (number + 1) * width)


def _taken(blocks: list[Sums]) -> Iterator[Sums]:
    blocks.reverse()
    while blocks:
        yield blocks.pop()
