"""Counts of events per bin, series and bucket, in arrays that grow with the bins and not with the events."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from ..intervals.bins import RESOLUTION, Bin, Bins, Cell
from ..record import Clock, Range
from .cells import cells, ranges_of
from .found import Counted, Found, Scan
from .sums import LARGEST, SERIES, Ordered, Sums, summed
from .words import Places

if TYPE_CHECKING:
    from .whole import Whole

_BITS = RESOLUTION.bit_length()


class _Complete(Cell):
    """A cell to which nothing is added."""

    def __init__(self, ranges: tuple[Range, ...], waited: int, label: str, source: str) -> None:
        super().__init__({}, waited, label, source)
        self._ranges = ranges

    def ranges(self) -> tuple[Range, ...]:
        return self._ranges


class PackedBins(Bins):
    """Bins of a file, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: Scan) -> None:
        super().__init__(width)
        self._scan = scan
        self._numbers: dict[str, int] = {}
        self._sums = Ordered()

    @property
    def totals(self) -> tuple[int, int]:
        """Events, and the sum of their latencies."""
        singles = [cell for one in self._bins.values() for cell in one.cells.values()]
        events, waited = self._sums.total
        events += sum(sum(cell.counts.values()) for cell in singles)
        return events, waited + sum(cell.waited for cell in singles)

    def take_in(self, counted: Counted) -> None:
        """Add what was counted of a piece."""
        numbers = [self._number(name) for name in counted.names]
        self._sums.add(counted.sums.renumbered(np.array(numbers, np.int64)))

    def take(self, before: int | None = None) -> Iterator[tuple[int, Bin]]:
        """All bins in order; they are not kept. ``before`` is for live sources, which are not scanned."""
        singles = deque(super().take(before))
        for number, counted in groupby(self._cells({number for number, _ in singles}), itemgetter(0)):
            while singles and singles[0][0] < number:
                yield singles.popleft()
            found = Bin({(series, self._scan.unit): cell for _, series, cell in counted})
            if singles and singles[0][0] == number:
                found.join(singles.popleft()[1])
            yield number, found
        yield from singles

    def whole(self) -> Whole | None:
        """All bins, which are not kept; None, and nothing is lost, where times are no epochs or what came one by
        one has other units or steps, or is beyond what the arrays hold.
        """
        if self._scan.clock is not Clock.EPOCH:
            return None
        singles = [(number, key, cell) for number, one in self._bins.items() for key, cell in one.cells.items()]
        if not all(key[1] is self._scan.unit and self._is_like_all(cell) for _, key, cell in singles):
            return None
        owned = {number * SERIES + self._number(key[0]): cell for number, key, cell in singles}
        self._sums.add_scattered(_sums_of(owned))
        self._bins.clear()
        names = {number: name for name, number in self._numbers.items()}
        from .whole import whole_of  # which a scan alone has no use for

        return whole_of(self._sums.taken(), names, self.width, self._scan)

    def _is_like_all(self, cell: Cell) -> bool:
        same = (cell.label, cell.source) == (self._scan.label, self._scan.source)
        return same and not cell.steps and cell.waited < LARGEST

    def _cells(self, shared: Set[int]) -> Iterator[tuple[int, str, Cell]]:
        """The number of a bin, a series, and what was counted of it; to bins that are shared, more will be added."""
        names = {number: name for name, number in self._numbers.items()}
        label, source = self._scan.label, self._scan.source
        for number, series, waited, counts in cells(self._sums.taken()):
            if number in shared:
                yield number, names[series], Cell(dict(counts), waited, label, source)
            else:
                yield number, names[series], _Complete(ranges_of(counts), waited, label, source)

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))


def counted(found: Found, width: int) -> Counted:
    """What was found in a piece, in bins of so many microseconds."""
    places: dict[str, int] = {}
    numbers = np.array([places.setdefault(name, len(places)) for name in found.names] or [0], np.int64)
    bins = found.ends // width
    first, step = int(bins.min()) if bins.size else 0, max(len(places), 1)
    sums = summed((bins - first) * step + numbers.take(found.series), buckets_of(found.latencies), found.latencies)
    sums = sums._replace(owners=(sums.owners // step + first) * SERIES + sums.owners % step)
    ends = (int(found.ends.min()), int(found.ends.max())) if found.ends.size else None
    return Counted(list(places), sums, ends, found.lines, found.decoded, found.known)


def _sums_of(cells: dict[int, Cell]) -> Sums:
    """The cells of owners."""
    owners = sorted(cells)
    counted = [sorted(cells[owner].counts.items()) for owner in owners]
    return Sums(
        np.array(owners, np.int64),
        np.array([cells[owner].waited for owner in owners], np.int64),
        np.array([len(counts) for counts in counted], np.int64),
        np.array([bucket for counts in counted for bucket, _ in counts], np.int16),
        np.array([count for counts in counted for _, count in counts], np.int64),
    )


_SHORT = 1 << 14
"""Latencies below it are looked up."""


def buckets_of(latencies: Places) -> Places:
    """The buckets of latencies below 2^53, as ``buckets.bucket_of`` gives them."""
    buckets: Places = _OF_SHORT.take(latencies, mode="clip")
    longer = (latencies >= _SHORT).nonzero()[0]
    if longer.size:
        buckets[longer] = _computed(latencies[longer])
    return buckets


def _computed(latencies: Places) -> Places:
    exponents = (latencies.astype(np.float64).view(np.int64) >> 52) - 1022
    shifts = np.maximum(exponents - _BITS, 0)
    buckets: Places = shifts * RESOLUTION + (latencies >> shifts)
    return buckets


_OF_SHORT = _computed(np.arange(_SHORT))
