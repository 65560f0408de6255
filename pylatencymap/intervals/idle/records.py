"""Adds the series that a snapshot left out: they had no events, or their counters did not change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...record import DOUBTFUL, GAP, IDLE, LOST, Event, Record, Semantics, Tick
from ..runs.run import RecordRun

MOST_AT_ONCE = 32
"""At most this many idle series get a record per snapshot: a source can name ever new series, so that most are idle."""
_DOUBT = frozenset({DOUBTFUL})

_Key = tuple[str, str]


def fill_idle(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with empty records for known series that a snapshot of the source left out.

    An empty record means no events in its interval, or unchanged counters; it comes when the next snapshot begins. If
    more than MOST_AT_ONCE series are idle, those go first whose last record is the oldest, and each record covers all
    snapshots since that one. If a series comes back before its turn, its record has the flag IDLE. Before a silence,
    and at the end, all idle series get a record, also if reading breaks off. A series with a LOST record was not idle:
    totals are in its next record too, and counts per interval are missing, which makes a gap.
    """
    idle = _KnownSeries()
    try:
        for event in events:
            if isinstance(event, RecordRun):
                yield from idle.run(event)
                continue
            if isinstance(event, Tick):
                yield from idle.closed(None if event.silent_since is not None else MOST_AT_ONCE)
                idle.open(event)
            elif isinstance(event, Record):
                noted = idle.lost(event) if LOST in event.flags else idle.noted(event)
                if noted is None:
                    continue
                event = noted
            yield event
    except Exception:
        yield from idle.closed(None)
        raise
    yield from idle.closed(None)


@dataclass(slots=True)
class _LastSeen:
    """A series' last record from the source, and the snapshot of its last record of any kind: number and end."""

    record: Record
    number: int
    end: int | None


class _KnownSeries:
    """The known series, the one with the oldest last record first.

    Only snapshots with headings are counted: they list all series that had events.
    """

    def __init__(self) -> None:
        self._series: dict[_Key, _LastSeen] = {}
        self._tick: Tick | None = None
        self._lists_all = False
        self._number = 0

    def open(self, tick: Tick) -> None:
        """A snapshot begins."""
        self._tick, self._lists_all = tick, not tick.implied
        self._number += self._lists_all

    def noted(self, record: Record) -> Record:
        """Note a record of this snapshot. It gets the flag IDLE if earlier snapshots have no record of its series."""
        key = (record.series, record.unit.value)
        last = self._series.pop(key, None)
        self._series[key] = _LastSeen(record, self._number, self._end())
        if last is None or last.number >= self._number - self._lists_all:
            return record
        seconds = record.seconds
        if record.semantics is Semantics.CUMULATIVE and self._tick is not None:
            seconds = seconds or _length(self._tick)
        return replace(record, seconds=seconds, flags=record.flags | {IDLE})

    def run(self, run: RecordRun) -> Iterator[Event | RecordRun]:
        """A run of snapshots, none of which says which series are idle."""
        if self._number:
            for event in run.events():
                if isinstance(event, Tick):
                    yield from self.closed(MOST_AT_ONCE)
                    self.open(event)
                yield self.noted(event) if isinstance(event, Record) else event
            return
        self.open(run.tick(-1))
        for kind, end in run.last_stamps():
            key = (kind.series, kind.unit.value)
            self._series.pop(key, None)
            self._series[key] = _LastSeen(kind, 0, end)
        yield run

    def lost(self, record: Record) -> Record | None:
        """What stands for a record that could not be read: a gap; None if the next record covers its time."""
        same = (key for key in self._series if key[0] == record.series)
        key = (record.series, record.unit.value)
        key = key if key in self._series else next(same, key)  # its unit may be lost, too
        last = self._series.get(key)
        if last is None:
            return None
        start = record.start  # of totals: when the counters started
        if record.semantics is not Semantics.INTERVAL:
            start = None if self._tick is None else self._tick.start
        record = replace(record, unit=last.record.unit, semantics=last.record.semantics)
        if record.semantics is not Semantics.INTERVAL or start is None:
            self._series.pop(key)
            self._series[key] = _LastSeen(last.record, self._number, self._end())
            return None
        flags = record.flags - {LOST} | {GAP}
        record = replace(record, ranges=(), start=start, waited=None, seconds=None, flags=flags)
        noted = self.noted(record)
        self._series[key].record = last.record
        return noted

    def closed(self, most: int | None) -> Iterator[Record]:
        """The snapshot is over: empty records for at most ``most`` series that are not in it; None: for all of them."""
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
        """No events, or unchanged counters, since the last record of a series."""
        record, start, seconds = last.record, tick.start, None
        per_interval = record.semantics is Semantics.INTERVAL
        if last.number < self._number - 1 and last.end is not None:
            start = last.end
        elif not per_interval and tick.silent_since is None:
            seconds = _length(tick)
        return Record(  # faster than replace(): most records of a source with many series are made here
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
            flags=record.flags - _DOUBT,
            arrival=tick.arrival,
            line=tick.line,
        )

    def _end(self) -> int | None:
        """When the snapshot ended, in epoch microseconds."""
        return None if self._tick is None or self._tick.stamp is None else self._tick.stamp.micros


def _length(tick: Tick) -> float | None:
    """The seconds that a snapshot covers."""
    return None if tick.stamp is None or tick.start is None else (tick.stamp.micros - tick.start) / 1e6
