"""All sums of a file as a batch of intervals of each series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..intervals.batch import Batch
from ..intervals.bins import RESOLUTION
from ..intervals.idle import AT_ONCE
from ..intervals.sampled import MOST_ZEROS
from ..intervals.turns import Print, turns
from .found import Scan
from .sums import SERIES, Sums, joined
from .words import Places, Truths


class _Prints(NamedTuple):
    """Each bin with events and, before it, those without: one by one, or many as one; ``places`` are those of the
    former among all.
    """

    starts: Places
    ends: Places
    places: Places


def batches(blocks: list[Sums], names: list[str], width: int, scan: Scan) -> Iterator[Batch]:
    """A batch of each series, in the order in which they come up. See ``Whole``.

    A series has an interval for each print from its first one on; where there are many series, idle ones have longer
    ones, as ``turns`` tells of them.
    """
    if not blocks:
        return
    bins, series = np.divmod(np.concatenate([block.owners for block in blocks]), SERIES)
    begins = np.concatenate(([True], bins[1:] != bins[:-1]))
    prints = _prints(bins[begins], width)
    places = prints.places[np.cumsum(begins) - 1]
    told = _told(places, series, prints.ends.size)
    for number in dict.fromkeys(series.tolist()):
        mine, last = series == number, told[number]
        found, busy = _of_owners(blocks, mine), last.searchsorted(places[mine])
        waited, sizes = np.zeros(last.size), np.zeros(last.size, np.int64)
        waited[busy], sizes[busy] = found.waited * scan.unit.seconds, found.sizes
        starts, ends = prints.starts[np.append(last[:1], last[:-1] + 1)], prints.ends[last]
        counted = starts, ends, waited, sizes, found.buckets, found.counts
        yield Batch(names[number], scan.unit, scan.label, scan.source, RESOLUTION, *counted)


def _told(places: Places, series: Places, count: int) -> list[Places]:
    """For each series, by its number, the prints that end its intervals, ascending."""
    size = int(series.max()) + 1
    firsts = np.full(size, count)
    np.minimum.at(firsts, series, places)
    if np.count_nonzero(firsts < count) <= AT_ONCE:  # then each print tells of all
        return [np.arange(first, count) for first in firsts.tolist()]
    told: list[list[int]] = [[] for _ in range(size)]
    ends, busy = places.searchsorted(np.arange(count), "right").tolist(), series.tolist()
    parts = enumerate(pairwise([0, *ends]))
    for one in turns(Print(number, number + 1, busy[begin:end]) for number, (begin, end) in parts):
        told[one.series].append(one.end - 1)
    return [np.array(numbers, np.int64) for numbers in told]


def _of_owners(blocks: Sequence[Sums], mine: Truths) -> Sums:
    """Some of the owners of all blocks. What is not theirs is not copied, for of all there may be much."""
    parts, begin = [], 0
    for block in blocks:
        chosen = mine[begin : begin + block.owners.size]
        begin += block.owners.size
        held = np.repeat(chosen, block.sizes)
        owners, waited, sizes = (part[chosen] for part in block[:3])
        parts.append(Sums(owners, waited, sizes, block.buckets[held], block.counts[held]))
    return joined(parts)


def _prints(bins: Places, width: int) -> _Prints:
    """The prints of ascending bins, as ``sampled.Printer`` makes them."""
    idle = np.diff(bins, prepend=bins[0] - 1) - 1
    before = np.where(idle > MOST_ZEROS, 1, idle)
    places = np.arange(bins.size) + np.cumsum(before)
    owners = np.repeat(np.arange(bins.size), before + 1)
    ends = (bins[owners] + 1 + np.arange(owners.size) - places[owners]) * width
    lasting = np.ones(owners.size, np.int64)
    long = (idle > MOST_ZEROS).nonzero()[0]
    lasting[places[long] - 1] = idle[long]
    return _Prints(ends - lasting * width, ends, places)
