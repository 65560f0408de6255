"""Counts per bucket and time waited per owner, in arrays. An owner is a number: a series in a bin, see SERIES."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .byte_words import Places, run_starts

SERIES = 1 << 20
"""The number of an owner is this times the number of the bin, plus the number of the series."""
LARGEST = 1 << 60
"""The limit for sums of latencies of single events, which are later added to those of the arrays."""
BUCKET_BITS = 10
"""Bits for the number of a bucket: enough for all buckets at the resolution of bins."""
_MOST_OWNERS = 1 << 20
"""Owners up to this number index a table, which takes some MB; larger ones are renumbered first."""
_SPARSE = 16
"""Keys are counted in a table unless it would have at least this many places per key."""


CountArray: TypeAlias = NDArray[np.int32 | np.int64]


class OwnerSums(NamedTuple):
    """The sums of some owners.

    owners   [n], ascending, each once
    waited   [n], the sum of their latencies
    sizes    [n], in how many buckets each has events
    buckets  [sum of sizes], one owner after another, ascending for each
    counts   [sum of sizes], the events in each of these buckets
    """

    owners: Places
    waited: Places
    sizes: Places
    buckets: NDArray[np.int16]
    counts: CountArray

    def between(self, begin: int, end: int) -> OwnerSums:
        """The sums of the owners at places ``begin`` to ``end - 1``."""
        first = int(self.sizes[:begin].sum()) if begin else 0
        last = first + int(self.sizes[begin:end].sum()) if end < self.owners.size else self.buckets.size
        some = slice(begin, end)
        return OwnerSums(
            self.owners[some], self.waited[some], self.sizes[some], self.buckets[first:last], self.counts[first:last]
        )

    def reordered(self, order: Places) -> OwnerSums:
        """The owners in another order, with their counts."""
        sizes = self.sizes[order]
        moves = (np.cumsum(self.sizes) - self.sizes)[order] - (np.cumsum(sizes) - sizes)
        places = np.repeat(moves, sizes) + np.arange(self.buckets.size)
        return OwnerSums(self.owners[order], self.waited[order], sizes, self.buckets[places], self.counts[places])

    def renumbered(self, numbers: Places) -> OwnerSums:
        """The same sums with new numbers of series: series n becomes ``numbers[n]``."""
        owners = self.owners // SERIES * SERIES + numbers[self.owners % SERIES] if self.owners.size else self.owners
        renumbered = self._replace(owners=owners)
        return renumbered if bool((owners[1:] > owners[:-1]).all()) else renumbered.reordered(owners.argsort())

    def divided(self, low: int, high: int) -> tuple[OwnerSums, OwnerSums, OwnerSums]:
        """The sums of owners below ``low``, from ``low`` to ``high``, and above ``high``."""
        begin, end = int(self.owners.searchsorted(low)), int(self.owners.searchsorted(high, "right"))
        return self.between(0, begin), self.between(begin, end), self.between(end, self.owners.size)


_NONE = np.zeros(0, np.int64)
NO_SUMS = OwnerSums(_NONE, _NONE, _NONE, np.zeros(0, np.int16), np.zeros(0, np.int32))


def sum_events(owners: Places, buckets: Places, latencies: Places) -> OwnerSums:
    """The sums of single events. Small numbers of owners are faster; sums of latencies are exact below 2^53."""
    if not owners.size:
        return OwnerSums(owners, owners, owners, owners.astype(np.int16), _small(owners))
    numbers: Places | None = None
    if int(owners.max()) >= _MOST_OWNERS:
        numbers, owners = np.unique(owners, return_inverse=True)
    width = int(buckets.max()) + 1
    keys, counts = _counted(owners * width + buckets)
    found = keys // width
    firsts = run_starts(found)
    present = found[firsts]
    waited = np.bincount(owners, latencies)[present].astype(np.int64)
    sizes = np.diff(firsts, append=found.size)
    if numbers is not None:
        present = numbers[present]
    return OwnerSums(present, waited, sizes, (keys - found * width).astype(np.int16), _small(counts))


def _counted(keys: Places) -> tuple[Places, Places]:
    """The distinct keys in ascending order, and how often each occurs."""
    if int(keys.max()) >= _SPARSE * keys.size:
        return np.unique(keys, return_counts=True)
    table = np.bincount(keys)
    places = (table != 0).nonzero()[0]
    return places, table[places]


def _small(counts: Places) -> CountArray:
    """The counts in 32 bits if they fit, as they nearly always do: half the memory."""
    return counts.astype(np.int32) if not counts.size or int(counts.max()) < 1 << 31 else counts


def concatenated(parts: Sequence[OwnerSums]) -> OwnerSums:
    """One or more parts, one after another; a single part is not copied."""
    return parts[0] if len(parts) == 1 else OwnerSums(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _added(one: OwnerSums, other: OwnerSums) -> OwnerSums:
    """The sums of all owners in either of the two, added up."""
    both = concatenated((one, other))
    keys = np.repeat(both.owners, both.sizes) << BUCKET_BITS | both.buckets
    places = keys.argsort(kind="stable")
    keys = keys[places]
    firsts = run_starts(keys)
    counts, keys = np.add.reduceat(both.counts[places], firsts, dtype=np.int64), keys[firsts]
    sizes = np.diff(run_starts(keys >> BUCKET_BITS), append=keys.size)
    buckets = (keys & (1 << BUCKET_BITS) - 1).astype(np.int16)
    places = both.owners.argsort(kind="stable")
    owners = both.owners[places]
    firsts = run_starts(owners)
    return OwnerSums(owners[firsts], np.add.reduceat(both.waited[places], firsts), sizes, buckets, _small(counts))


class SortedSums:
    """Sums that grow. Adding copies only what overlaps, such as the owners of a bin that two chunks share."""

    def __init__(self) -> None:
        self._blocks: list[OwnerSums] = []

    def add(self, new: OwnerSums) -> None:
        """Add the sums of these owners."""
        if not new.owners.size:
            return
        begin = bisect_left(self._blocks, new.owners[0], key=lambda block: block.owners[-1])
        end = bisect_right(self._blocks, new.owners[-1], lo=begin, key=lambda block: block.owners[0])
        parts = [new]
        if begin < end:
            old = concatenated(self._blocks[begin:end])
            low, high = max(old.owners[0], new.owners[0]), min(old.owners[-1], new.owners[-1])
            before, among, behind = zip(old.divided(low, high), new.divided(low, high), strict=True)
            parts = [*before, _added(*among), *behind]  # at most one of the two has owners before, and one after
        self._blocks[begin:end] = [part for part in parts if part.owners.size]

    def add_scattered(self, new: OwnerSums) -> None:
        """Add the sums of owners that lie far apart: a block is copied only for owners that lie within it."""
        cuts = new.owners.searchsorted([block.owners[0] for block in self._blocks]).tolist()
        for begin, end in pairwise([0, *cuts, new.owners.size]):
            self.add(new.between(begin, end))

    @property
    def total(self) -> tuple[int, int]:
        """The number of events, and the sum of their latencies."""
        events = sum(int(block.counts.sum()) for block in self._blocks)
        return events, sum(int(block.waited.sum()) for block in self._blocks)

    def drain(self) -> Iterator[OwnerSums]:
        """Take out all sums, in ascending blocks."""
        blocks, self._blocks = self._blocks[::-1], []
        while blocks:
            yield blocks.pop()
