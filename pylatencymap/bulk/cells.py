"""Sums one owner after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ..buckets import bounds_of
from ..intervals.bins import RESOLUTION
from ..record import Range
from .sums import BUCKET_BITS, SERIES, Sums

Counts = list[tuple[int, int]]
"""Buckets, ascending, and how many events are in each."""
_BOUNDS = [bounds_of(bucket, RESOLUTION) for bucket in range(1 << BUCKET_BITS)]


class Counted(NamedTuple):
    """The numbers of a bin and of a series, the sum of latencies, and the counts."""

    bin: int
    series: int
    waited: int
    counts: Counts


def cells(blocks: Iterable[Sums]) -> Iterator[Counted]:
    """All owners in their order."""
    for block in blocks:
        counts = zip(block.buckets.tolist(), block.counts.tolist(), strict=True)
        owners = zip(block.owners.tolist(), block.waited.tolist(), block.sizes.tolist(), strict=True)
        for owner, waited, size in owners:
            yield Counted(owner // SERIES, owner % SERIES, waited, list(islice(counts, size)))


def ranges_of(counts: Counts) -> tuple[Range, ...]:
    """Counts as a record keeps them."""
    return tuple([(*_BOUNDS[bucket], count) for bucket, count in counts])
