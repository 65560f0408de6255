"""Gives every record its place in time."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, Mark, Range, Record, Semantics, Tick
from ..report import Report
from .clock import SourceClock, moved_start
from .growth import watched
from .idle import filled
from .options import TimeOptions
from .settle import settled
from .shared import spread
from .ticks import ticked
from .undated import dated


def resolved(events: Iterable[Event], options: TimeOptions, report: Report) -> Iterator[Event]:
    """A decoder's events made ready for recording and for the engine.

    Each print opens with a Tick. Stamps are ENDs on one clock (Clock.EPOCH, or Clock.COUNTED without a real clock),
    records per interval have a ``start``, rates have become counts, cumulative records have ``seconds`` where stamps
    are coarser than the interval, and series that a print left out have an empty record.
    """
    meant = _overridden(events, options.semantics)
    prints = watched(settled(ticked(meant), report), report)
    stamped = dated(prints if options.live else spread(prints), options)
    return filled(timed(stamped, options, report))


def _overridden(events: Iterable[Event], semantics: Semantics | None) -> Iterator[Event]:
    """With other semantics ``start`` would mean something else: interval or start-up."""
    for event in events:
        if semantics is not None and isinstance(event, Record) and event.semantics is not semantics:
            event = replace(event, semantics=semantics, start=None)
        yield event


def timed(events: Iterable[Event], options: TimeOptions, report: Report) -> Iterator[Event]:
    """Ticked events with times. The first print is held until its length is known."""
    clock = SourceClock(options, report)
    placer = _Placer()
    first: Tick | None = None
    held: list[Event] = []
    started = False
    for event in events:
        if isinstance(event, Tick):
            if first is not None:
                yield from placer.place(clock.first(first, event), held)
            elif not started:
                first, started = event, True
                continue
            first, held = None, []
            yield from placer.place(clock.next(event), [])
        elif first is None or isinstance(event, Mark):
            yield placer.timed(event)
        else:
            held.append(event)
            if isinstance(event, Record) and _knows_its_time(event):
                yield from placer.place(clock.first(first), held)
                first, held = None, []
    if first is not None:
        yield from placer.place(clock.lone(first), held)


def _knows_its_time(record: Record) -> bool:
    if record.semantics is Semantics.INTERVAL:
        return record.start is not None
    return record.semantics is Semantics.CUMULATIVE and record.stamp is not None


class _Placer:
    """Puts the times of the current print on its records."""

    def __init__(self) -> None:
        self._tick: Tick | None = None
        self._previous_end: int | None = None
        self._ends: dict[tuple[str, str], int] = {}

    def place(self, tick: Tick, events: list[Event]) -> Iterator[Event]:
        """Open a print, with the events that were held for it."""
        if self._tick is not None and self._tick.stamp is not None:
            self._previous_end = self._tick.stamp.micros
        self._tick = tick
        yield tick
        for event in events:
            yield self.timed(event)

    def timed(self, event: Event) -> Event:
        """A record with the times of its print."""
        tick = self._tick
        if not isinstance(event, Record) or tick is None or tick.stamp is None or tick.start is None:
            return event
        key = (event.series, event.unit.value)
        last, self._ends[key] = self._ends.get(key), tick.stamp.micros
        if event.semantics is Semantics.CUMULATIVE:
            seconds = event.seconds or self._corrected(last, tick)
            unchanged = event.stamp is tick.stamp and event.seconds == seconds
            return event if unchanged else replace(event, stamp=tick.stamp, seconds=seconds)
        moved = moved_start(event.start, event.stamp, tick.stamp.micros)
        start = tick.start if moved is None else moved
        record = replace(event, stamp=tick.stamp, start=start)
        if record.semantics is Semantics.RATE:
            return _counted(record, record.seconds or (tick.stamp.micros - start) / 1e6)
        return record

    def _corrected(self, last: int | None, tick: Tick) -> float | None:
        """The divisor of a cumulative record where the stamps do not give it: they are coarse, or the clock jumped.

        A series that the last print left out is in it all the same, unchanged, if the source printed the heading.
        """
        if last is None or (tick.implied and last != self._previous_end) or tick.silent_since is not None:
            return None
        if tick.start is None or tick.stamp is None or tick.start == last:
            return None
        return (tick.stamp.micros - tick.start) / 1e6


def _counted(record: Record, seconds: float) -> Record:
    ranges: tuple[Range, ...] = tuple((lower, upper, rate * seconds) for lower, upper, rate in record.ranges)
    waited = None if record.waited is None else record.waited * seconds
    return replace(record, ranges=ranges, waited=waited, semantics=Semantics.INTERVAL)
