"""Turns traces of single events into snapshots: one per bin, with a record for each series."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from ..buckets import bounds_of, bucket_of
from ..record import (
    DOUBTFUL,
    ESTIMATED,
    KEPT,
    Clock,
    Decoded,
    Event,
    Pause,
    Range,
    Record,
    Sample,
    Semantics,
    Stamp,
    Tick,
)
from ..report import Report
from ..units import MICROS_PER_DAY, Unit
from .nominal import GAP_FACTOR
from .options import DEFAULT_INTERVAL, TimeOptions
from .timing.event_times import Counted, EventJudge
from .timing.live_axis import LiveAxis

# Bins of equal length that count single events per series and bucket.


EVENT_RESOLUTION = 16
"""Buckets per octave in which single events are counted."""

BinKey = tuple[str, Unit]


@dataclass(slots=True)
class BinCounts:
    """The events of one series in one bin: counts per bucket, and the sum of their latencies in the unit.

    ``steps`` is the sum of the printed precisions of the latencies: each event counts as in the middle of its step.
    ``doubtful``: the time of one of them is.
    """

    counts: dict[int, int] = field(default_factory=dict)
    waited: int = 0
    label: str = ""
    source: str = ""
    steps: int = 0
    doubtful: bool = False

    def add(self, latency: int, step: int = 0) -> None:
        """Count one event."""
        bucket = bucket_of(latency + step // 2, EVENT_RESOLUTION)
        self.counts[bucket] = self.counts.get(bucket, 0) + 1
        self.waited += latency
        self.steps += step

    def seconds(self, unit: Unit) -> float:
        """Seconds waited: exact, or an estimate if there are ``steps``."""
        return (self.waited + self.steps / 2 if self.steps else self.waited) * unit.seconds

    def ranges(self) -> tuple[Range, ...]:
        """The counts in the form that a Record has."""
        return tuple((*_bounds(bucket), count) for bucket, count in sorted(self.counts.items()))


@cache
def _bounds(bucket: int) -> tuple[int, int]:
    return bounds_of(bucket, EVENT_RESOLUTION)


@dataclass(slots=True)
class EventBin:
    """The events of one bin. ``text`` is the first date printed in it; ``line`` and ``arrival`` are the last."""

    cells: dict[BinKey, BinCounts] = field(default_factory=dict)
    text: str = ""
    line: int = 0
    arrival: float | None = None

    def add(self, sample: Sample, doubtful: bool = False) -> None:
        """Count one event."""
        cell = self.cells.get((sample.series, sample.unit))
        if cell is None:
            cell = self.cells[sample.series, sample.unit] = BinCounts(label=sample.label, source=sample.source)
        cell.add(sample.latency, sample.step)
        cell.doubtful |= doubtful
        self.text = self.text or sample.text
        self.line, self.arrival = sample.line, sample.arrival


class EventBins:
    """Bins of ``width`` microseconds by their numbers: bin n holds the events that ended in [n, n + 1) * width.

    Times of day go on over midnight, so that numbers only grow. ``taken`` is the number below which all bins have been
    taken: an older event goes into the first bin that is left, and ``late`` counts it.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.late = 0
        self._recent: list[int] = []
        self.taken: int | None = None
        self._bins: dict[int, EventBin] = {}

    def add(self, sample: Sample, end: int, doubtful: bool = False) -> None:
        """Count one event, which ended at ``end``."""
        number = end // self.width
        if self.taken is not None and number < self.taken:
            number = self.taken
            self.late += 1
        found = self._bins.get(number)
        if found is None:
            found = self._bins[number] = EventBin()
        found.add(sample, doubtful)

    def take(self, before: int | None = None) -> Iterator[tuple[int, EventBin]]:
        """Take out the bins with numbers below ``before``, or all bins, in order."""
        for number in sorted(number for number in self._bins if before is None or number < before):
            self.taken = number + 1
            yield number, self._bins.pop(number)

    def end_of(self, sample: Sample) -> int:
        """The end of an event on a time axis that does not wrap at midnight.

        The median of the last three decides on the day, so that one damaged time does not move those after it.
        """
        if sample.clock is not Clock.DAY:
            return sample.micros
        recent = self._recent
        usual = sorted(recent)[(len(recent) - 1) // 2] if recent else sample.micros
        end = sample.micros + round((usual - sample.micros) / MICROS_PER_DAY) * MICROS_PER_DAY
        self._recent = [*recent[-2:], end]
        return end


HELD_BINS = 1
"""This many bins before the newest one stay open for a live source, because its events are often out of order."""
MOST_ZEROS = 10
"""Up to this many bins in a row without events are snapshots of their own. More become one long interval: otherwise a
day without events would be 86,400 records per series.
"""
_FLAGS = {
    (is_rough, is_doubtful): frozenset({KEPT, *[ESTIMATED] * is_rough, *[DOUBTFUL] * is_doubtful})
    for is_rough in (False, True)
    for is_doubtful in (False, True)
}
"""By whether the latencies are rounded, and whether a time is doubtful.

KEPT: a silent trace had no events, so the interval is no gap, however long it is."""


def bin_events(
    events: Iterable[Decoded],
    options: TimeOptions,
    report: Report,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[Event]:
    """The events, with samples counted into bins as long as the interval (default 1 s).

    Bins are aligned to the zero of their clock. A file is counted as a whole before its first snapshot, so that its
    order does not matter; a bin of a live source becomes a snapshot when the next but one begins. Bins without events
    between others are zeros: the trace was on. A sample of a live source without a time ended when it arrived.
    """
    printer: BinPrinter | None = None
    offset: float | None = None
    for event in on_one_clock(events, report):
        if isinstance(event, Sample):
            if event.clock is Clock.COUNTED and options.live and event.arrival is not None:
                offset = options.wall_offset() if offset is None else offset
                event = event._replace(micros=round((offset + event.arrival) * 1e6), clock=Clock.EPOCH)
            if printer is None or printer.clock is not event.clock:
                yield from printer.rest() if printer else ()
                printer = BinPrinter(event.clock, options, report, monotonic)
            yield from printer.event(event)
        elif isinstance(event, Pause):
            yield from printer.paused() if printer and options.live else ()
        else:
            yield event
    yield from printer.rest() if printer else ()


def on_one_clock(events: Iterable[Decoded], report: Report) -> Iterator[Decoded]:
    """The events without single samples whose times are of another clock than those before and after: damage can look
    like that.
    """
    clock: Clock | None = None
    odd: Sample | None = None
    for event in events:
        if not isinstance(event, Sample):
            yield event
        elif clock is None or event.clock is clock:
            if odd is not None:
                report.bad(odd.line, "the time does not fit those before and after; the event is dropped")
                odd = None
            clock = event.clock
            yield event
        elif odd is None:
            odd = event
        else:
            yield odd
            yield event
            clock, odd = event.clock, None
    if odd is not None:
        yield odd


def bin_width(options: TimeOptions) -> int:
    """The width of a bin in microseconds."""
    return round((options.interval or DEFAULT_INTERVAL) * 1e6)


def idle_parts(first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Which bins without events share a snapshot: for each snapshot its first bin, and the bin after its last."""
    if stop - first > MOST_ZEROS:
        yield first, stop
    else:
        for number in range(first, stop):
            yield number, number + 1


class BinPrinter:
    """Bins of one clock, and the snapshots made of them so far."""

    def __init__(
        self,
        clock: Clock,
        options: TimeOptions,
        report: Report,
        monotonic: Callable[[], float],
    ) -> None:

        self.clock = clock
        self.bins = EventBins(bin_width(options))
        self._live = options.live
        self._judge = EventJudge(clock, self.bins.width, report, live=options.live)
        self._axis = LiveAxis(self.bins.width, report)
        self._report = report
        self._monotonic = monotonic
        self._heard: float | None = None
        self._last: int | None = None
        self._has_warned = False

    def event(self, sample: Sample) -> Iterator[Event]:
        """An event: it counts now, unless its time is suspicious. Yields the bins of a live source that are over."""
        counted = self._judge.take(sample)
        if not self._live:
            for one in counted:
                self._count(one)
            return
        before, self._heard = self._heard, self._monotonic()
        for one in counted:
            self._count(one, 0.0 if before is None else self._heard - before)
        if self._axis.newest is not None:
            yield from self._snapshots_before(self._axis.newest // self.bins.width - HELD_BINS)

    def paused(self) -> Iterator[Event]:
        """The bins that are over, judged by how long no event has come. After a while, what is held counts."""
        silent = self._monotonic() - (self._heard or 0.0)
        if silent * 1e6 >= GAP_FACTOR * self.bins.width:
            for one in self._judge.rest():
                self._count(one)
            self._axis.confirm()
        if self._axis.newest is not None:
            newest = self._axis.newest + round(silent * 1e6)
            yield from self._snapshots_before(newest // self.bins.width - HELD_BINS)

    def rest(self) -> Iterator[Event]:
        """All bins that are left."""
        for one in (*self._judge.rest(), *map(Counted, self._judge.settled())):
            self._count(one)
        yield from self._snapshots_before(None)

    def _count(self, one: Counted, elapsed: float = 0.0) -> None:
        sample, end, late = one.sample, self.bins.end_of(one.sample), self.bins.late
        if self._live:
            end = self._axis.moved(end, sample.line)
        self.bins.add(sample, end, one.doubtful)
        if self._live:
            self._axis.heard(end, sample.line, elapsed)
        if self.bins.late > late and not self._has_warned:
            self._has_warned = True
            self._report.note(sample.line, self._axis.told_late(end, (self.bins.taken or 0) * self.bins.width))

    def _snapshots_before(self, before: int | None) -> Iterator[Event]:
        for number, one in self.bins.take(before):
            if self._last is not None:
                for first, stop in idle_parts(self._last + 1, number):
                    yield self._tick(stop - 1, one, stop - first)
            self._last = number
            yield from self._snapshot(number, one)

    def _tick(self, number: int, one: EventBin, bins: int = 1) -> Tick:
        """The tick of a snapshot of ``bins`` bins, of which ``number`` is the last."""
        width = self.bins.width
        stamp = Stamp(self._on_clock((number + 1) * width), self.clock, text=one.text)
        return Tick(stamp, one.arrival, one.line, start=stamp.micros - bins * width, kept=True)

    def _on_clock(self, micros: int) -> int:

        return micros % MICROS_PER_DAY if self.clock is Clock.DAY else micros

    def _snapshot(self, number: int, one: EventBin) -> Iterator[Event]:
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
                flags=_FLAGS[bool(cell.steps), cell.doubtful],
                arrival=one.arrival,
                line=one.line,
            )
