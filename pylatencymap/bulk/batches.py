"""Sums of events per bin and series as batches of intervals: what prints of the bins would come to, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..intervals.batch import Batch
from ..intervals.bins import RESOLUTION
from ..intervals.idle import AT_ONCE
from ..intervals.sampled import MOST_ZEROS
from .found import Scan
from .sums import Sums, joined
from .words import Places, Truths


class _Prints(NamedTuple):
    """Each bin with events and, before it, those without: one by one, or many as one; ``places`` are those of the
    former among all.
    """

    starts: Places
    ends: Places
    places: Places


MOST_SERIES = AT_ONCE
"""Of more series idle ones are not told of in each print, see ``idle.filled``."""


def batches(
    blocks: Sequence[Sums], names: Mapping[int, str], owners_per_bin: int, width: int, scan: Scan
) -> Iterator[Batch]:
    """A batch of each series, in the order in which they come up; an owner is a bin's number times
    ``owners_per_bin`` and that of a series, which ``names`` has. Blocks ascend.

    A series has an interval for each print from its first one on, as ``idle.filled`` makes of records.
    """
    if not blocks:
        return
    bins, series = np.divmod(np.concatenate([block.owners for block in blocks]), owners_per_bin)
    begins = np.concatenate(([True], bins[1:] != bins[:-1]))
    prints = _prints(bins[begins], width)
    places = prints.places[np.cumsum(begins) - 1]
    numbers, firsts = np.unique(series, return_index=True)
    order = sorted(zip(places[firsts].tolist(), [names[number] for number in numbers.tolist()], numbers, strict=True))
    for first, name, number in order:
        mine = series == number
        found = _of_owners(blocks, mine)
        starts, ends = prints.starts[first:], prints.ends[first:]
        waited, sizes = np.zeros(starts.size), np.zeros(starts.size, np.int64)
        waited[places[mine] - first] = found.waited * scan.unit.seconds
        sizes[places[mine] - first] = found.sizes
        counted = starts, ends, waited, sizes, found.buckets, found.counts
        yield Batch(name, scan.unit, scan.label, scan.source, RESOLUTION, *counted)


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
