"""Counts of events per bin, series and bucket, in arrays that grow with the bins and not with the events."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from ..intervals.bins import RESOLUTION, Bin, Bins, Cell
from .found import Found, Scan
from .sums import Ordered, Sums, in_order, summed
from .words import Places

_BUCKETS = 1 << 10
"""More than there are at the resolution of bins."""
_SERIES = 1 << 20
_BITS = RESOLUTION.bit_length()


class Counted(NamedTuple):
    """Of a piece: events per bin, series and bucket; latencies per bin and series."""

    events: Sums
    waited: Sums


class PackedBins(Bins):
    """Bins of a file, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: Scan) -> None:
        super().__init__(width)
        self._scan = scan
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()
        self._events, self._waited = Ordered(), Ordered()

    def counted(self, found: Found) -> Counted:
        """What was found in a piece; may be called by several threads at once."""
        bins = found.ends // self.width
        first, count = int(bins.min()) if bins.size else 0, max(len(found.names), 1)
        owners = (bins - first) * count + found.series
        numbers = np.array([self._number(name) for name in found.names] or [0], np.int64)
        events = summed(owners * _BUCKETS + buckets_of(found.latencies))
        waited = summed(owners, found.latencies)

        def everywhere(local: Places) -> Places:
            return (local // count + first) * _SERIES + numbers[local % count]

        keys = everywhere(events.keys // _BUCKETS) * _BUCKETS + events.keys % _BUCKETS
        return Counted(in_order(keys, events.values), in_order(everywhere(waited.keys), waited.values))

    @property
    def totals(self) -> tuple[int, int]:
        """Events, and the sum of their latencies."""
        singles = [cell for one in self._bins.values() for cell in one.cells.values()]
        events = self._events.total + sum(sum(cell.counts.values()) for cell in singles)
        return events, self._waited.total + sum(cell.waited for cell in singles)

    def take_in(self, counted: Counted) -> None:
        """Add what was counted."""
        self._events.add(counted.events)
        self._waited.add(counted.waited)

    def take(self, before: int | None = None) -> Iterator[tuple[int, Bin]]:
        """All bins in order; they are not kept. ``before`` is for live sources, which are not scanned."""
        singles = dict(super().take(before))
        for number, found in self._packed():
            for earlier in [single for single in singles if single < number]:
                yield earlier, singles.pop(earlier)
            if number in singles:
                found.join(singles.pop(number))
            yield number, found
        yield from singles.items()

    def _packed(self) -> Iterator[tuple[int, Bin]]:
        names = {number: name for name, number in self._numbers.items()}
        unit, label, source = self._scan.unit, self._scan.label, self._scan.source
        cells = zip(_each(self._waited), _owned(self._events), strict=True)
        for number, owned in groupby(cells, lambda cell: cell[0][0] // _SERIES):
            found = Bin()
            for (owner, waited), (_, counts) in owned:
                found.cells[names[owner % _SERIES], unit] = Cell(counts, waited, label, source)
            yield number, found

    def _number(self, name: str) -> int:
        with self._lock:
            return self._numbers.setdefault(name, len(self._numbers))


def buckets_of(latencies: Places) -> Places:
    """The buckets of latencies below 2^53, as ``buckets.bucket_of`` gives them."""
    exponents = (latencies.astype(np.float64).view(np.int64) >> 52) - 1022
    shifts = np.maximum(exponents - _BITS, 0)
    buckets: Places = shifts * RESOLUTION + (latencies >> shifts)
    return buckets


def _each(sums: Ordered) -> Iterator[tuple[int, int]]:
    for block in sums.taken():
        yield from zip(block.keys.tolist(), block.values.tolist(), strict=True)


def _owned(events: Ordered) -> Iterator[tuple[int, dict[int, int]]]:
    """The counts per bucket of each bin and series, which may lie in several blocks."""
    last: int | None = None
    counts: dict[int, int] = {}
    for block in events.taken():
        owners, buckets = block.keys // _BUCKETS, (block.keys % _BUCKETS).tolist()
        values = block.values.tolist()
        edges = [0, *((owners[1:] != owners[:-1]).nonzero()[0] + 1).tolist(), len(values)]
        for begin, end in pairwise(edges):
            owner = int(owners[begin])
            if last is not None and owner != last:
                yield last, counts
                counts = {}
            last = owner
            counts.update(zip(buckets[begin:end], values[begin:end], strict=True))
    if last is not None:
        yield last, counts
