"""Series that a print left out: they had no events, or their counters kept their values."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..record import IDLE, Event, Record, Semantics, Tick

AT_ONCE = 32
"""So many idle series are told of in each print. A source may name new series for ever, so that most are idle."""

_Key = tuple[str, str]


def filled(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with empty records for known series that a print of the source left out.

    They are added when the next print begins: no events in this interval, or unchanged counters. Of more than AT_ONCE
    idle series those are told of that were told longest ago, each over all prints since then; what is left when a
    series comes again, its record tells by the flag IDLE, and at a silence and at the end all are told.
    """
    idle = _Idle()
    for event in events:
        if isinstance(event, Tick):
            yield from idle.closed(None if event.silent_since is not None else AT_ONCE)
            idle.open(event)
        elif isinstance(event, Record):
            event = idle.told(event)
        yield event
    yield from idle.closed(None)


@dataclass(slots=True)
class _Told:
    """A series' last record that the source printed, and the print in which it was last told of: number and end."""

    record: Record
    number: int
    end: int | None


class _Idle:
    """The series, those told of longest ago first, and the prints that list all series: those with headings."""

    def __init__(self) -> None:
        self._series: dict[_Key, _Told] = {}
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
        self._series[key] = _Told(record, self._number, self._end())
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

    def _empty(self, last: _Told, tick: Tick) -> Record:
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
