"""Counts of events per bin, series and bucket, in arrays that grow with the bins and not with the events."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..intervals.batch import Batches
from ..intervals.bins import RESOLUTION, Cell
from ..record import Clock, Sample
from .batches import Axis, Key, batches
from .found import Counted, Found, Scan
from .reader import Unfit
from .sums import LARGEST, SERIES, Ordered, Sums, summed
from .words import Places

_BITS = RESOLUTION.bit_length()


class PackedBins:
    """Bins of ``width`` microseconds by their numbers, of a file, for events that come in arrays or one by one."""

    def __init__(self, width: int, scan: Scan) -> None:
        self.width = width
        self._scan = scan
        self._numbers: dict[Key, int] = {}
        self._sums = Ordered()
        self._singles: dict[int, Cell] = {}

    @property
    def totals(self) -> tuple[int, int]:
        """Events, and the sum of their latencies."""
        events, waited = self._sums.total
        events += sum(sum(cell.counts.values()) for cell in self._singles.values())
        return events, waited + sum(cell.waited for cell in self._singles.values())

    def add(self, sample: Sample) -> None:
        """Count one event. Raises Unfit where it has another label than those that are scanned, or a date, or is beyond
        what arrays hold.
        """
        same = (sample.label, sample.source) == (self._scan.label, self._scan.source)
        if not same or (sample.text and sample.clock is not Clock.EPOCH):
            raise Unfit
        owner = sample.micros // self.width * SERIES + self._number((sample.series, sample.unit))
        cell = self._singles.setdefault(owner, Cell())
        cell.add(sample.latency, sample.step)
        if cell.waited >= LARGEST:
            raise Unfit

    def take_in(self, counted: Counted) -> None:
        """Add what was counted of a piece."""
        numbers = [self._number((name, self._scan.unit)) for name in counted.names]
        self._sums.add(counted.sums.renumbered(np.array(numbers, np.int64)))

    def batches(self, shift: int) -> Iterator[Batches]:
        """All that was counted, which is not kept. ``shift``: see ``Axis``."""
        self._sums.add_scattered(_sums_of(self._singles))
        steps = {owner: cell.steps for owner, cell in self._singles.items() if cell.steps}
        self._singles = {}
        keys = {number: key for key, number in self._numbers.items()}
        axis = Axis(self.width, shift, self._scan.clock in (Clock.EPOCH, Clock.DAY))
        return batches(self._sums.taken(), keys, steps, axis, self._scan)

    def _number(self, key: Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


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
