"""Counts of single events per bin, series and bucket: what a part of a file yields, and how parts are added.

Everything in them is a whole number, so that sums do not depend on how the input was divided, or on the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_around, bounds_of, bucket_of
from ..intervals import EVENT_RESOLUTION
from ..scan import NO_SUMS, SERIES, OwnerSums

BLOCK_BINS = 512
"""Bins that are kept and added together: what is in memory at once."""
_BUCKET_BITS = 10
_HEAD = 2
"""Numbers in front of the arrays: owners, and buckets."""


class EventCounts(NamedTuple):
    """Sums by owner, an owner being a series in a bin: its number is that of the bin times SERIES, plus the series.

    steps     int64 [n], the sum of the printed precisions of the latencies; 0 where they are exact
    doubtful  bool [n], whether the time of one of the events is
    """

    sums: OwnerSums
    steps: NDArray[np.int64]
    doubtful: NDArray[np.bool_]

    def between(self, begin: int, end: int) -> EventCounts:
        """The counts of the owners at places ``begin`` to ``end - 1``."""
        return EventCounts(self.sums.between(begin, end), self.steps[begin:end], self.doubtful[begin:end])

    def by_block(self) -> Iterator[tuple[int, EventCounts]]:
        """The counts of each block of bins that has any, with its number."""
        blocks = self.sums.owners // (SERIES * BLOCK_BINS)
        cuts = np.flatnonzero(np.diff(blocks, prepend=-1, append=-1)).tolist() if blocks.size else []
        for begin, end in pairwise(cuts):
            yield int(blocks[begin]), self.between(begin, end)

    def coarser(self, resolution: int | None) -> EventCounts:
        """The counts of all buckets that lie in one at this resolution added up, as those of the first of them."""
        if resolution is None or resolution >= EVENT_RESOLUTION or not self.sums.buckets.size:
            return self
        buckets = _first_buckets(resolution).take(self.sums.buckets)
        stops = np.cumsum(self.sums.sizes)
        begins_new = np.empty(buckets.size, np.bool_)
        begins_new[1:] = buckets[1:] != buckets[:-1]
        begins_new[(stops - self.sums.sizes)[self.sums.sizes > 0]] = True
        firsts = begins_new.nonzero()[0]
        sizes = np.diff(firsts.searchsorted(stops), prepend=0)
        counts = np.add.reduceat(self.sums.counts, firsts)
        return self._replace(sums=self.sums._replace(sizes=sizes, buckets=buckets[firsts], counts=counts))

    def numbered(self, numbers: Sequence[int]) -> EventCounts:
        """The same with other numbers of the series; without the series whose new number is negative."""
        if [*numbers] == [*range(len(numbers))]:
            return self
        new = np.array(numbers, np.int64)[self.sums.owners % SERIES]
        kept = new >= 0
        some = self if bool(kept.all()) else self._only(kept)
        owners = some.sums.owners // SERIES * SERIES + new[kept]
        moved = some._replace(sums=some.sums._replace(owners=owners))
        left = [one for one in numbers if one >= 0]
        if len(set(left)) < len(left):
            return added([moved])  # two series can have become one
        return moved if _is_ascending(owners) else moved._reordered(owners.argsort())

    def _reordered(self, order: NDArray[np.int64]) -> EventCounts:
        return EventCounts(self.sums.reordered(order), self.steps[order], self.doubtful[order])

    def _only(self, kept: NDArray[np.bool_]) -> EventCounts:
        entries = np.repeat(kept, self.sums.sizes)
        owners, waited, sizes = (one[kept] for one in self.sums[:3])
        sums = OwnerSums(owners, waited, sizes, self.sums.buckets[entries], self.sums.counts[entries])
        return EventCounts(sums, self.steps[kept], self.doubtful[kept])

    def to_bytes(self) -> bytes:
        """All of it as bytes, the same for the same counts."""
        head = np.array([self.sums.owners.size, self.sums.buckets.size], np.int64)
        return b"".join(
            np.ascontiguousarray(one, kind).tobytes()
            for one, (_, kind) in zip((head, *self._arrays()), _TYPES, strict=True)
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> EventCounts:
        """What ``to_bytes`` made bytes of."""
        arrays: list[NDArray[Any]] = []
        place, sizes = 0, {"head": _HEAD}
        for which, kind in _TYPES:
            arrays.append(np.frombuffer(data, kind, sizes[which], place))
            place += arrays[-1].nbytes
            if which == "head":
                sizes.update(zip(("owner", "bucket"), arrays[0].tolist(), strict=True))
        _, owners, waited, sizes_, steps, doubtful, buckets, counts = arrays
        return cls(OwnerSums(owners, waited, sizes_, buckets, counts), steps, doubtful)

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        sums = self.sums
        return sums.owners, sums.waited, sums.sizes, self.steps, self.doubtful, sums.buckets, sums.counts


_TYPES: tuple[tuple[str, Any], ...] = (
    ("head", np.int64),
    ("owner", np.int64),
    ("owner", np.int64),
    ("owner", np.int64),
    ("owner", np.int64),
    ("owner", np.bool_),
    ("bucket", np.int16),
    ("bucket", np.int64),
)
"""The arrays of ``to_bytes``."""

NO_COUNTS = EventCounts(NO_SUMS, np.zeros(0, np.int64), np.zeros(0, np.bool_))


def exact(sums: OwnerSums) -> EventCounts:
    """Sums of latencies without steps, whose times are certain."""
    return EventCounts(sums, np.zeros(sums.owners.size, np.int64), np.zeros(sums.owners.size, np.bool_))


def added(parts: Iterable[EventCounts]) -> EventCounts:
    """The counts of all parts, which can have owners in common and in any order."""
    parts = [part for part in parts if part.sums.owners.size]
    if not parts:
        return NO_COUNTS
    parts.sort(key=lambda part: int(part.sums.owners[0]))
    return _concatenated([*_without_seams(parts)]) if _nearly_follow_each_other(parts) else _added(parts)


_SEAMS = 0.25
"""The share of owners that parts have in common, from which on all of them are sorted together."""


def _nearly_follow_each_other(parts: Iterable[EventCounts]) -> bool:
    shared, total, reach = 0, 0, -1
    for owners in (part.sums.owners for part in parts):
        if not _is_ascending(owners):
            return False
        shared += int(owners.searchsorted(reach, "right"))
        total, reach = total + owners.size, max(reach, int(owners[-1]))
    return shared <= _SEAMS * total


def _without_seams(parts: Iterable[EventCounts]) -> Iterator[EventCounts]:
    """The same counts in parts that follow each other. Most parts do nearly: they have one bin in common."""
    held = NO_COUNTS
    for part in parts:
        begin = int(held.sums.owners.searchsorted(part.sums.owners[0]))
        end = int(part.sums.owners.searchsorted(held.sums.owners[-1:], "right")[0]) if held.sums.owners.size else 0
        yield held.between(0, begin)
        among = [held.between(begin, held.sums.owners.size), part.between(0, end)]
        rest = part.between(end, part.sums.owners.size)
        held = _concatenated([_added(among), rest]) if end else rest
    yield held


def _concatenated(parts: Sequence[EventCounts]) -> EventCounts:
    parts = [part for part in parts if part.sums.owners.size]
    if len(parts) == 1:
        return parts[0]
    owners, waited, sizes, steps, doubtful, buckets, counts = (
        np.concatenate(arrays) for arrays in zip(*(part._arrays() for part in parts), strict=True)
    )
    sums = OwnerSums(owners, waited, sizes, buckets.astype(np.int16), counts.astype(np.int64))
    return EventCounts(sums, steps, doubtful)


def _added(parts: Sequence[EventCounts]) -> EventCounts:
    """The counts of one or more parts, owner by owner and bucket by bucket."""
    owners, waited, sizes, steps, doubtful, buckets, counts = _concatenated(parts)._arrays()
    order = owners.argsort(kind="stable")
    firsts = _begins(owners[order])
    own = owners[order][firsts]
    keys = np.repeat(own.searchsorted(owners), sizes) << _BUCKET_BITS | buckets
    by_key = keys.argsort(kind="stable")
    begins = _begins(keys[by_key])
    found = keys[by_key][begins]
    sums = OwnerSums(
        own,
        np.add.reduceat(waited[order], firsts),
        np.bincount(found >> _BUCKET_BITS, minlength=own.size).astype(np.int64),
        (found & (1 << _BUCKET_BITS) - 1).astype(np.int16),
        np.add.reduceat(counts[by_key], begins, dtype=np.int64),
    )
    return EventCounts(sums, np.add.reduceat(steps[order], firsts), np.logical_or.reduceat(doubtful[order], firsts))


@cache
def _first_buckets(resolution: int) -> NDArray[np.int16]:
    """For each bucket of events the first that lies in the same bucket at a coarser resolution."""
    lowers = (bounds_of(bucket, EVENT_RESOLUTION)[0] for bucket in range(1 << _BUCKET_BITS))
    within = (bounds_around(lower, resolution)[0] for lower in lowers)
    return np.array([bucket_of(lower, EVENT_RESOLUTION) for lower in within], np.int16)


def _is_ascending(values: NDArray[np.int64]) -> bool:
    """Whether each value is larger than the one before."""
    return bool((values[1:] > values[:-1]).all())


def _begins(ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places where a new value begins."""
    return np.flatnonzero(np.diff(ascending, prepend=ascending[:1] - 1))
