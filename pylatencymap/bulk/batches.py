"""Sums of events per bin and series as batches of intervals: what prints of the bins would come to, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..intervals.batch import Batch
from ..intervals.bins import RESOLUTION
from ..intervals.sampled import MOST_ZEROS
from .found import Scan
from .rounds import told_prints
from .sums import Sums, joined
from .words import Places, Truths


class _Prints(NamedTuple):
    """Each bin with events and, before it, those without: one by one, or many as one; ``places`` are those of the
    former among all.
    """

    starts: Places
    ends: Places
    places: Places


def batches(
    blocks: Sequence[Sums], names: Mapping[int, str], owners_per_bin: int, width: int, scan: Scan
) -> Iterator[Batch]:
    """A batch of each series, in the order in which they come up; an owner is a bin's number times
    ``owners_per_bin`` and that of a series, which ``names`` has. Blocks ascend.

    A series has an interval for each print from its first one on; where there are many series, idle ones have longer
    ones, as ``idle.filled`` tells of them.
    """
    if not blocks:
        return
    bins, series = np.divmod(np.concatenate([block.owners for block in blocks]), owners_per_bin)
    begins = np.concatenate(([True], bins[1:] != bins[:-1]))
    prints = _prints(bins[begins], width)
    places = prints.places[np.cumsum(begins) - 1]
    by_name = sorted(names, key=names.__getitem__)
    ranks = np.argsort(by_name)[series]
    order = np.lexsort((ranks, places))
    told = told_prints(places[order], ranks[order], prints.ends.size)
    for rank in dict.fromkeys(ranks[order].tolist()):
        mine, last = ranks == rank, told[rank]
        found, busy = _of_owners(blocks, mine), last.searchsorted(places[mine])
        waited, sizes = np.zeros(last.size), np.zeros(last.size, np.int64)
        waited[busy], sizes[busy] = found.waited * scan.unit.seconds, found.sizes
        starts, ends = prints.starts[np.append(last[:1], last[:-1] + 1)], prints.ends[last]
        counted = starts, ends, waited, sizes, found.buckets, found.counts
        yield Batch(names[by_name[rank]], scan.unit, scan.label, scan.source, RESOLUTION, *counted)


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
