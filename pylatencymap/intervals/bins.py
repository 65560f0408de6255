"""Single events counted into bins of equal length, per series and bucket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from ..buckets import bounds_of, bucket_of
from ..record import Clock, Range, Sample
from ..units import DAY, Unit

RESOLUTION = 16
"""Buckets per octave in which single events are kept."""
DAY_MICROS = DAY * 1_000_000

Key = tuple[str, Unit]


@dataclass(slots=True)
class Cell:
    """The events of one series in one bin: counts per bucket, and the sum of their latencies in the unit.

    ``steps`` is the sum of the steps in which the latencies were printed: each event is taken to lie in the middle.
    """

    counts: dict[int, int] = field(default_factory=dict)
    waited: int = 0
    label: str = ""
    source: str = ""
    steps: int = 0

    def add(self, latency: int, step: int = 0) -> None:
        """Count one event."""
        bucket = bucket_of(latency + step // 2, RESOLUTION)
        self.counts[bucket] = self.counts.get(bucket, 0) + 1
        self.waited += latency
        self.steps += step

    def seconds(self, unit: Unit) -> float:
        """Seconds waited: exact, or an estimate where there are ``steps``."""
        return (self.waited + self.steps / 2 if self.steps else self.waited) * unit.seconds

    def ranges(self) -> tuple[Range, ...]:
        """Counts as a Record keeps them."""
        return tuple((*_bounds(bucket), count) for bucket, count in sorted(self.counts.items()))


@cache
def _bounds(bucket: int) -> tuple[int, int]:
    return bounds_of(bucket, RESOLUTION)


@dataclass(slots=True)
class Bin:
    """What happened in one bin. ``text`` is the first date printed in it; ``line`` and ``arrival`` are the last."""

    cells: dict[Key, Cell] = field(default_factory=dict)
    text: str = ""
    line: int = 0
    arrival: float | None = None

    def add(self, sample: Sample) -> None:
        """Count one event."""
        cell = self.cells.get((sample.series, sample.unit))
        if cell is None:
            cell = self.cells[sample.series, sample.unit] = Cell(label=sample.label, source=sample.source)
        cell.add(sample.latency, sample.step)
        self.text = self.text or sample.text
        self.line, self.arrival = sample.line, sample.arrival


class Bins:
    """Bins of ``width`` microseconds by their numbers: bin n holds what ended in [n, n + 1) * width.

    Times of day are counted on over midnight, so that numbers only grow. ``taken`` is the number before which bins have
    been taken: an event that is older is counted into the first one that is left, and ``late`` counts it.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.late = 0
        self.newest: int | None = None
        self.taken: int | None = None
        self._bins: dict[int, Bin] = {}

    def add(self, sample: Sample) -> None:
        """Count one event."""
        end = self._unwrapped(sample)
        number = end // self.width
        if self.taken is not None and number < self.taken:
            number = self.taken
            self.late += 1
        found = self._bins.get(number)
        if found is None:
            found = self._bins[number] = Bin()
        found.add(sample)
        if self.newest is None or end > self.newest:
            self.newest = end

    def take(self, before: int | None = None) -> Iterator[tuple[int, Bin]]:
        """The bins with lower numbers than ``before``, or all of them, in order; they are not kept."""
        for number in sorted(number for number in self._bins if before is None or number < before):
            self.taken = number + 1
            yield number, self._bins.pop(number)

    def _unwrapped(self, sample: Sample) -> int:
        """The end of an event on a time axis that goes on at midnight."""
        if sample.clock is not Clock.DAY or self.newest is None:
            return sample.micros
        days = round((self.newest - sample.micros) / DAY_MICROS)
        return sample.micros + days * DAY_MICROS
