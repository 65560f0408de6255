"""All sums of a file as batches of intervals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..intervals.batch import Batch
from ..intervals.bins import RESOLUTION
from ..intervals.turns import Told, Turns
from .found import Scan
from .sums import SERIES, Sums, joined
from .words import Truths

MOST_INTERVALS = 1 << 13
"""After so many, those of all series are handed over."""


def batches(blocks: Iterator[Sums], names: list[str], width: int, scan: Scan) -> Iterator[Batch]:
    """The intervals of a part of the time, a batch of each series, and so on until the end. See ``Whole``."""
    turns, held = Turns(width), list[Sums]()
    told: dict[int, list[Told]] = {}
    count = 0
    for block in blocks:
        bins, series = np.divmod(block.owners, SERIES)
        cuts = np.flatnonzero(np.diff(bins, prepend=-1, append=-1)).tolist()
        numbers, busy, taken = bins.tolist(), series.tolist(), 0
        for begin, end in pairwise(cuts):
            for one in turns.bin(numbers[begin], busy[begin:end]):
                told.setdefault(one.series, []).append(one)
                count += 1
            if count >= MOST_INTERVALS:
                yield from _made([*held, block.between(taken, end)], told, names, scan)
                held, told, count, taken = [], {}, 0, end
        held.append(block.between(taken, block.owners.size))
    for one in turns.rest():
        told.setdefault(one.series, []).append(one)
    yield from _made(held, told, names, scan)


def _made(blocks: list[Sums], told: dict[int, list[Told]], names: list[str], scan: Scan) -> Iterator[Batch]:
    """A batch of each series, of its intervals and of what was counted in them."""
    if not blocks:
        return
    sums = joined(blocks)
    series = sums.owners % SERIES
    for number, intervals in told.items():
        starts, ends, busy = (np.array(column) for column in list(zip(*intervals, strict=True))[1:])
        found = _of(sums, series == number)
        waited, sizes = np.zeros(starts.size), np.zeros(starts.size, np.int64)
        waited[busy], sizes[busy] = found.waited * scan.unit.seconds, found.sizes
        counted = starts, ends, waited, sizes, found.buckets, found.counts
        yield Batch(names[number], scan.unit, scan.label, scan.source, RESOLUTION, *counted)


def _of(sums: Sums, mine: Truths) -> Sums:
    """Some of the owners."""
    held = np.repeat(mine, sums.sizes)
    owners, waited, sizes = (part[mine] for part in sums[:3])
    return Sums(owners, waited, sizes, sums.buckets[held], sums.counts[held])
