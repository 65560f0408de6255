"""Series that a print left out: they had no events, or their counters kept their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..record import IDLE, Event, Record, Semantics, Tick
from .event_bins import idle_parts

MOST_AT_ONCE = 32
"""So many idle series are told of in each print. A source may name new series for ever, so that most are idle."""

_Key = tuple[str, str]


def fill_idle(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with empty records for known series that a print of the source left out.

    They are added when the next print begins: no events in this interval, or unchanged counters. Of more than AT_ONCE
    idle series those are told of that were told longest ago, each over all prints since then; what is left when a
    series comes again, its record tells by the flag IDLE, and at a silence and at the end all are told.
    """
    idle = _KnownSeries()
    for event in events:
        if isinstance(event, Tick):
            yield from idle.closed(None if event.silent_since is not None else MOST_AT_ONCE)
            idle.open(event)
        elif isinstance(event, Record):
            event = idle.told(event)
        yield event
    yield from idle.closed(None)


@dataclass(slots=True)
class _LastSeen:
    """A series' last record that the source printed, and the print in which it was last told of: number and end."""

    record: Record
    number: int
    end: int | None


class _KnownSeries:
    """The series, those told of longest ago first, and the prints that list all series: those with headings."""

    def __init__(self) -> None:
        self._series: dict[_Key, _LastSeen] = {}
        self._tick: Tick | None = None
        self._lists_all = False
        self._number = 0

    def open(self, tick: Tick) -> None:
        """A print begins."""
        self._tick, self._lists_all = tick, not tick.implied
        self._number += self._lists_all

    def told(self, record: Record) -> Record:
        """A record of this print; with the flag IDLE where prints before it were not told of."""
        key = (record.series, record.unit.value)
        last = self._series.pop(key, None)
        self._series[key] = _LastSeen(record, self._number, self._end())
        if last is None or last.number >= self._number - self._lists_all:
            return record
        seconds = record.seconds
        if record.semantics is Semantics.CUMULATIVE and self._tick is not None:
            seconds = seconds or _length(self._tick)
        return replace(record, seconds=seconds, flags=record.flags | {IDLE})

    def closed(self, most: int | None) -> Iterator[Record]:
        """The print is over: empty records of so many series that are not in it; None: of all that are behind."""
        if self._tick is None or not (self._lists_all or most is None):
            return
        behind: list[_Key] = []
        for key, last in self._series.items():
            if last.number == self._number or len(behind) == most:
                break
            behind.append(key)
        end = self._end()
        for key in behind:
            last = self._series.pop(key)
            yield self._empty(last, self._tick)
            last.number, last.end = self._number, end
            self._series[key] = last

    def _empty(self, last: _LastSeen, tick: Tick) -> Record:
        """No events, or unchanged counters, since a series was told of."""
        record, start, seconds = last.record, tick.start, None
        per_interval = record.semantics is Semantics.INTERVAL
        if last.number < self._number - 1 and last.end is not None:
            start = last.end
        elif not per_interval and tick.silent_since is None:
            seconds = _length(tick)
        return Record(  # written out: of a source with many series most records are these
            series=record.series,
            unit=record.unit,
            ranges=(),
            semantics=record.semantics,
            stamp=tick.stamp,
            start=start if per_interval else record.start,
            seconds=seconds,
            waited=0.0 if per_interval and record.waited is not None else record.waited,
            label=record.label,
            source=record.source,
            flags=record.flags,
            arrival=tick.arrival,
            line=tick.line,
        )

    def _end(self) -> int | None:
        """Epoch microseconds at which the print ended."""
        return None if self._tick is None or self._tick.stamp is None else self._tick.stamp.micros


def _length(tick: Tick) -> float | None:
    """Seconds that a print counts for."""
    return None if tick.stamp is None or tick.start is None else (tick.stamp.micros - tick.start) / 1e6


# Which prints of a trace tell of which series: what ``idle.filled`` makes of records, where there are none.


class IdleOrBusy(NamedTuple):
    """An interval of a series: with the events of a bin, or idle over the prints since it was told of last. ``start``
    and ``end`` are on the clock of the bins. ``late``: idle, and told of in the print after its end, before its events.
    """

    series: int
    start: int
    end: int
    busy: bool
    late: bool = False


class IdleSchedule:
    """The prints of bins of ``width``, and the series that have come up in them, by their numbers.

    Each print tells of those with events and of AT_ONCE idle ones, that were told of longest ago; the last one of all.
    A series that comes again has been idle until then.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._bin: int | None = None
        self._end = 0
        # The moment until which a series was told of; what was told of longest ago comes first.
        self._last: dict[int, int] = {}

    def bin(self, number: int, busy: Sequence[int]) -> Iterator[IdleOrBusy]:
        """What the prints up to a bin with events tell, as soon as this is known."""
        if self._bin is not None:
            for first, stop in idle_parts(self._bin + 1, number):
                yield from self._print(first, stop, ())
        self._bin = number
        yield from self._print(number, number + 1, busy)

    def rest(self) -> Iterator[IdleOrBusy]:
        """What the last print tells besides."""
        yield from self._idle(len(self._last))

    def _print(self, first: int, stop: int, busy: Sequence[int]) -> Iterator[IdleOrBusy]:
        yield from self._idle(MOST_AT_ONCE)  # in the print before
        start, self._end = first * self._width, stop * self._width
        for one in busy:
            told = self._last.pop(one, start)
            if told < start:
                yield IdleOrBusy(one, told, start, False, True)
            yield IdleOrBusy(one, start, self._end, True)
            self._last[one] = self._end

    def _idle(self, most: int) -> list[IdleOrBusy]:
        found: list[IdleOrBusy] = []
        for one, told in self._last.items():
            if told == self._end or len(found) == most:
                break
            found.append(IdleOrBusy(one, told, self._end, False))
        for idle in found:
            del self._last[idle.series]
            self._last[idle.series] = self._end
        return found
