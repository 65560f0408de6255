"""Chosen events of a file as intervals: what a picture is drawn from, as if the file had no other events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic

from ..interval import Interval
from ..intervals import (
    BinPrinter,
    ChosenValues,
    DividedBy,
    Division,
    Summing,
    TimeOptions,
    ValueSums,
    half_nanos,
    resolve_times,
)
from ..record import KEPT, Clock, Event, Record, Sample, Stamp, Tick
from ..report import Report
from ..session.input import ReadPlan, intervals_of


class EventsAlone:
    """Counts events into bins, in the series of a ``division`` if there is one. Memory depends on the number of bins
    with events, not of events.
    """

    def __init__(self, options: TimeOptions, division: Division | None = None) -> None:
        self._division = division
        self._options = options._replace(survey=None, day=None)
        self._printer = BinPrinter(Clock.EPOCH, self._options, Report(""), monotonic)

    def add(self, sample: Sample, end: int, _: str | None, doubtful: bool = False) -> None:
        """Count an event that ended at ``end``."""
        if self._division is not None:
            pair, _ = self._division.asked.pair(sample.series, sample.keys)
            sample = sample._replace(series=self._division.known_as(pair))
        self._printer.bins.add(sample._replace(text=""), end, doubtful)

    def intervals(self, plan: ReadPlan, span: tuple[int, int] | None, has_clock: bool) -> Iterator[Interval]:
        """The intervals of all series, idle ones included, over the whole ``span`` of time: that of all events."""
        clock = Clock.EPOCH if has_clock else Clock.COUNTED
        events = [_on_clock(event, clock) for event in self._printer.rest()]
        if span is not None and events:
            width = self._printer.bins.width
            events = _over(events, span[0] // width * width, (span[1] // width + 1) * width)
        timed = resolve_times(events, self._options, Report(""))
        yield from intervals_of(timed, replace(plan, series=()), lambda _: None, options=self._options)


class ValuesAlone:
    """Adds up what the values of a key waited, in chosen events."""

    def __init__(self, asked: DividedBy) -> None:
        self._by = Summing(ValueSums(), asked, lambda _: True)

    def add(self, sample: Sample, _end: int, _text: str | None, _doubtful: bool = False) -> None:
        """Add an event."""
        pair, note = self._by.asked.pair(sample.series, sample.keys)
        self._by.add(pair, half_nanos(sample), note)

    def division(self) -> Division:
        """The values that waited most."""
        return ChosenValues(self._by.asked, self._by.sums)


def _on_clock(event: Event, clock: Clock) -> Event:
    if clock is Clock.EPOCH or not isinstance(event, Record | Tick) or event.stamp is None:
        return event
    return replace(event, stamp=replace(event.stamp, clock=clock))


def _over(events: list[Event], begin: int, end: int) -> list[Event]:
    """The same snapshots, and idle ones of all series before and after them, up to these ends of the time axis."""
    first: dict[tuple[str, str], Record] = {}
    for event in events:
        if isinstance(event, Record):
            first.setdefault((event.series, event.unit.value), event)
    ticks = [event for event in events if isinstance(event, Tick)]
    earliest, latest = ticks[0], ticks[-1]
    before, after = list[Event](), list[Event]()
    if earliest.start is not None and earliest.start > begin:
        before = _idle(earliest, list(first.values()), begin, earliest.start)
    if latest.stamp is not None and latest.stamp.micros < end:
        after = _idle(latest, list(first.values()), latest.stamp.micros, end)
    return [*before, *events, *after]


def _idle(tick: Tick, records: list[Record], start: int, end: int) -> list[Event]:
    """A snapshot without events."""
    clock = tick.stamp.clock if tick.stamp is not None else Clock.EPOCH
    stamp = Stamp(end, clock)
    empty = (replace(one, ranges=(), waited=0.0, stamp=stamp, start=start, flags=frozenset({KEPT})) for one in records)
    return [replace(tick, stamp=stamp, start=start, kept=True), *empty]
