"""Traces of single events made into prints: one per bin, with a record for each series."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from ..buckets import bounds_of, bucket_of
from ..record import ESTIMATED, KEPT, Clock, Decoded, Event, Pause, Range, Record, Sample, Semantics, Stamp, Tick
from ..report import Report
from ..units import DAY, Unit
from .options import DEFAULT_INTERVAL, TimeOptions

# Single events counted into bins of equal length, per series and bucket.


EVENT_RESOLUTION = 16
"""Buckets per octave in which single events are kept."""
DAY_MICROS = DAY * 1_000_000

BinKey = tuple[str, Unit]


@dataclass(slots=True)
class BinCounts:
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
        bucket = bucket_of(latency + step // 2, EVENT_RESOLUTION)
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
    return bounds_of(bucket, EVENT_RESOLUTION)


@dataclass(slots=True)
class EventBin:
    """What happened in one bin. ``text`` is the first date printed in it; ``line`` and ``arrival`` are the last."""

    cells: dict[BinKey, BinCounts] = field(default_factory=dict)
    text: str = ""
    line: int = 0
    arrival: float | None = None

    def add(self, sample: Sample) -> None:
        """Count one event."""
        cell = self.cells.get((sample.series, sample.unit))
        if cell is None:
            cell = self.cells[sample.series, sample.unit] = BinCounts(label=sample.label, source=sample.source)
        cell.add(sample.latency, sample.step)
        self.text = self.text or sample.text
        self.line, self.arrival = sample.line, sample.arrival


class EventBins:
    """Bins of ``width`` microseconds by their numbers: bin n holds what ended in [n, n + 1) * width.

    Times of day are counted on over midnight, so that numbers only grow. ``taken`` is the number before which bins have
    been taken: an event that is older is counted into the first one that is left, and ``late`` counts it.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.late = 0
        self.newest: int | None = None
        self.taken: int | None = None
        self._bins: dict[int, EventBin] = {}

    def add(self, sample: Sample) -> None:
        """Count one event."""
        end = self._unwrapped(sample)
        number = end // self.width
        if self.taken is not None and number < self.taken:
            number = self.taken
            self.late += 1
        found = self._bins.get(number)
        if found is None:
            found = self._bins[number] = EventBin()
        found.add(sample)
        if self.newest is None or end > self.newest:
            self.newest = end

    def take(self, before: int | None = None) -> Iterator[tuple[int, EventBin]]:
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


HELD_BINS = 1
"""Of a live source so many bins stay open behind the newest one: events are often told out of order."""
MOST_ZEROS = 10
"""So many bins in a row without events are told one by one; more are one long interval, or a day of silence would be
86,400 records of each series.
"""
ROUGHLY = frozenset({KEPT, ESTIMATED})
AS_THEY_ARE = frozenset({KEPT})
"""A trace that is silent had no events: however long that was, it is no gap."""


def bin_events(
    events: Iterable[Decoded],
    options: TimeOptions,
    report: Report,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[Event]:
    """The events, with single ones counted into bins as long as the interval (1 s where none is given), which are
    aligned to the zero of their clock.

    Of a file all is counted before the first print, so that its order does not matter; of a live source a bin is
    printed when the next but one has begun. Bins without events between others are zeros: the trace was on.
    What a live source tells without a time ended when it arrived.
    """
    printer: BinPrinter | None = None
    offset: float | None = None
    for event in events:
        if isinstance(event, Sample):
            if event.clock is Clock.COUNTED and options.live and event.arrival is not None:
                offset = options.now() - event.arrival if offset is None else offset
                event = event._replace(micros=round((offset + event.arrival) * 1e6), clock=Clock.EPOCH)
            if printer is None or printer.clock is not event.clock:
                yield from printer.rest() if printer else ()
                printer = BinPrinter(event.clock, options, report, monotonic)
            printer.bins.add(event)
            if options.live:
                yield from printer.complete(event)
        elif isinstance(event, Pause):
            yield from printer.paused() if printer and options.live else ()
        else:
            yield event
    yield from printer.rest() if printer else ()


def bin_width(options: TimeOptions) -> int:
    """Microseconds that a bin lasts."""
    return round((options.interval or DEFAULT_INTERVAL) * 1e6)


def idle_parts(first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Which bins without events are printed together: the first of each part, and the one behind its last."""
    if stop - first > MOST_ZEROS:
        yield first, stop
    else:
        for number in range(first, stop):
            yield number, number + 1


class BinPrinter:
    """Bins of one clock, and what has been printed of them."""

    def __init__(
        self,
        clock: Clock,
        options: TimeOptions,
        report: Report,
        monotonic: Callable[[], float],
    ) -> None:

        self.clock = clock
        self.bins = EventBins(bin_width(options))
        self._report = report
        self._monotonic = monotonic
        self._heard = 0.0
        self._last: int | None = None
        self._told = False

    def complete(self, sample: Sample) -> Iterator[Event]:
        """The bins that a new event shows to be over."""
        self._heard = self._monotonic()
        if self.bins.late and not self._told:
            self._told = True
            what = "an event ended before the interval that is drawn; such events count as if they had ended in it"
            self._report.note(sample.line, what)
        if self.bins.newest is not None:
            yield from self._printed(self.bins.newest // self.bins.width - HELD_BINS)

    def paused(self) -> Iterator[Event]:
        """The bins that are over because nothing has come for as long as a bin."""
        if self.bins.newest is not None:
            silent = round((self._monotonic() - self._heard) * 1e6)
            yield from self._printed((self.bins.newest + silent) // self.bins.width - HELD_BINS)

    def rest(self) -> Iterator[Event]:
        """All that is left."""
        yield from self._printed(None)

    def _printed(self, before: int | None) -> Iterator[Event]:
        for number, one in self.bins.take(before):
            if self._last is not None:
                for first, stop in idle_parts(self._last + 1, number):
                    yield self._tick(stop - 1, one, stop - first)
            self._last = number
            yield from self._print(number, one)

    def _tick(self, number: int, one: EventBin, bins: int = 1) -> Tick:
        """The print that ends with a bin, and is over so many."""
        width = self.bins.width
        stamp = Stamp(self._on_clock((number + 1) * width), self.clock, text=one.text)
        return Tick(stamp, one.arrival, one.line, start=stamp.micros - bins * width, kept=True)

    def _on_clock(self, micros: int) -> int:

        return micros % DAY_MICROS if self.clock is Clock.DAY else micros

    def _print(self, number: int, one: EventBin) -> Iterator[Event]:
        tick = self._tick(number, one)
        yield tick
        for (series, unit), cell in sorted(one.cells.items(), key=lambda item: (item[0][0], item[0][1].value)):
            yield Record(
                series,
                unit,
                cell.ranges(),
                Semantics.INTERVAL,
                tick.stamp,
                start=tick.start,
                waited=cell.seconds(unit),
                label=cell.label,
                source=cell.source,
                flags=ROUGHLY if cell.steps else AS_THEY_ARE,
                arrival=one.arrival,
                line=one.line,
            )
