"""Counts of events per bin, series and bucket, in arrays that grow with the bins and not with the events."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice

import numpy as np

from ..intervals.bins import RESOLUTION, Bin, Bins, Cell
from .found import Found, Scan
from .sums import Ordered, Sums, summed
from .words import Places

_SERIES = 1 << 20
_BITS = RESOLUTION.bit_length()


class PackedBins(Bins):
    """Bins of a file, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: Scan) -> None:
        super().__init__(width)
        self._scan = scan
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()
        self._sums = Ordered()

    def counted(self, found: Found) -> Sums:
        """What was found in a piece; may be called by several threads at once."""
        numbers = np.array([self._number(name) for name in found.names] or [0], np.int64)
        bins = found.ends // self.width
        first, step = int(bins.min()) if bins.size else 0, int(numbers.max()) + 1
        sums = summed((bins - first) * step + numbers.take(found.series), buckets_of(found.latencies), found.latencies)
        return sums._replace(owners=(sums.owners // step + first) * _SERIES + sums.owners % step)

    @property
    def totals(self) -> tuple[int, int]:
        """Events, and the sum of their latencies."""
        cells = [cell for one in self._bins.values() for cell in one.cells.values()]
        events, waited = self._sums.total
        return events + sum(sum(cell.counts.values()) for cell in cells), waited + sum(cell.waited for cell in cells)

    def take_in(self, counted: Sums) -> None:
        """Add what was counted."""
        self._sums.add(counted)

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
        last: int | None = None
        found = Bin()
        for owner, waited, counts in _each(self._sums):
            number, series = divmod(owner, _SERIES)
            if number != last:
                if last is not None:
                    yield last, found
                last, found = number, Bin()
            found.cells[names[series], unit] = Cell(counts, waited, label, source)
        if last is not None:
            yield last, found

    def _number(self, name: str) -> int:
        with self._lock:
            return self._numbers.setdefault(name, len(self._numbers))


def buckets_of(latencies: Places) -> Places:
    """The buckets of latencies below 2^53, as ``buckets.bucket_of`` gives them."""
    exponents = (latencies.astype(np.float64).view(np.int64) >> 52) - 1022
    shifts = np.maximum(exponents - _BITS, 0)
    buckets: Places = shifts * RESOLUTION + (latencies >> shifts)
    return buckets


def _each(sums: Ordered) -> Iterator[tuple[int, int, dict[int, int]]]:
    """Every owner, its time waited, and its counts per bucket."""
    for block in sums.taken():
        pairs = zip(block.buckets.tolist(), block.counts.tolist(), strict=True)
        for owner, waited, size in zip(block.owners.tolist(), block.waited.tolist(), block.sizes.tolist(), strict=True):
            yield owner, waited, dict(islice(pairs, size))
