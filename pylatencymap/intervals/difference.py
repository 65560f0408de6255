"""Turns timed records into intervals: differences of counters, resets, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count, takewhile

from ..interval import Interval
from ..record import ESTIMATED, LOST, Event, Record, Semantics, Tick, counts_of
from ..report import Report
from ..units import Unit
from .batch import Batches
from .options import NextPulse, Pulse
from .runs.passing import passed_on
from .runs.run import RecordRun
from .series_intervals import SeriesIntervals
from .totals import TotalsJudge

MOST_SNAPSHOTS = 4
"""In a file, a record that is held counts if its series is missing from more snapshots than this."""

_SeriesKey = tuple[str, Unit]


def to_intervals(
    events: Iterable[Event | Pulse], report: Report | None = None, *, ahead: bool = True, pulse: NextPulse | None = None
) -> Iterator[Interval]:
    """What happened between the records of each series. Takes the output of ``stages.resolve_times``.

    The first cumulative record of a series is its baseline. No count is ever negative. Damaged records are reported and
    dropped. ``ahead``: the source is a file, so that each record can wait for the one that confirms it. Live, only
    suspicious records wait; ``pulse`` is told until when. If reading breaks off, what is held comes before the error.
    """
    differences = _Differences(report or Report(""), ahead)
    if pulse is not None:
        pulse.add(lambda: differences.due)
    return _of_all(events, differences)


def _of_all(events: Iterable[Event | Pulse], differences: _Differences) -> Iterator[Interval]:
    try:
        for event in events:
            yield from differences.event(event)
    except Exception:
        yield from differences.rest()
        raise
    yield from differences.rest()


class _Differences:
    """All series of a source. Those that hold a record are known by the number of the snapshot that it belongs to."""

    def __init__(self, report: Report, ahead: bool) -> None:
        self._report = report
        self._ahead = ahead
        self._series: dict[_SeriesKey, SeriesIntervals] = {}
        self._names: set[str] = set()
        self._holding: dict[_SeriesKey, int] = {}
        self._number = 0
        self._other_units: dict[str, tuple[Unit, int]] = {}

    @property
    def due(self) -> float | None:
        """The first moment at which a held record has waited long enough, in monotonic seconds."""
        if self._ahead:
            return None
        waits = (self._series[key].waits_until for key in self._holding)
        return min((until for until in waits if until is not None), default=None)

    def event(self, event: Event | Pulse) -> Iterator[Interval]:
        if isinstance(event, Tick):
            yield from self.tick(event)
        elif isinstance(event, RecordRun):
            yield from passed_on(event, self._run, self.event)
        elif isinstance(event, Pulse):
            yield from self.pulse(event.now)
        elif isinstance(event, Record) and event.stamp is not None:
            yield from self.record(event)

    def _run(self, run: RecordRun) -> tuple[int, list[Batches]]:
        """The intervals of the first snapshots of a run; of none if they are not as those of most records."""
        from .run_differences import intervals_of_run

        keys = {number: (kind.series, kind.unit) for number, kind in run.key_names.items()}
        if self._other_units or not all(key in self._series for key in keys.values()):
            return 0, []
        numbers = {key: number for number, key in keys.items()}
        if not all(key in numbers for key in self._holding):
            return 0, []
        holding = {numbers[key]: self._number - number for key, number in self._holding.items()}
        found = intervals_of_run(run, {number: self._series[key] for number, key in keys.items()}, holding)
        for number, snapshot in found.last.items():
            if self._holding.pop(keys[number], None) is not None:
                self._holding[self._series[keys[number]].key] = self._number + 1 + snapshot
        self._number += found.snapshots
        return found.snapshots, [] if found.batches is None else [found.batches]

    def record(self, record: Record) -> Iterator[Interval]:
        key = (record.series, record.unit)
        one = self._series.get(key)
        if one is None:
            name = new_name(*key, self._names)
            one = self._series[key] = SeriesIntervals(key, name, TotalsJudge(self._ahead), self._report)
            self._note_other_unit(record)
        elif self._other_units:
            self._judge_other_unit(record)
        yield from one.take(record)
        self._holding.pop(key, None)
        if one.held is not None:
            self._holding[one.key] = self._number  # not another tuple, of which there can be 100,000

    def _note_other_unit(self, record: Record) -> None:
        """Remember the first totals of a series under another unit: if they remain the only ones, they are damaged."""
        others = ((record.series, unit) for unit in Unit if unit is not record.unit)
        if record.semantics is Semantics.CUMULATIVE and any(key in self._series for key in others):
            self._tell_other_unit(record.series)
            self._other_units[record.series] = record.unit, record.line

    def _judge_other_unit(self, record: Record) -> None:
        if record.series in self._other_units:
            if record.unit is self._other_units[record.series][0]:
                del self._other_units[record.series]
            else:
                self._tell_other_unit(record.series)

    def _tell_other_unit(self, series: str) -> None:
        if series in self._other_units:
            unit, line = self._other_units.pop(series)
            what = f"{series!r} is in {unit.value} only here, and in another unit elsewhere"
            self._report.bad(line, f"{what}; the record is damaged and is dropped")

    def tick(self, tick: Tick) -> Iterator[Interval]:
        """A snapshot begins, perhaps after a gap, in which nothing was known of any series."""
        self._number += not tick.joins
        if self._holding and tick.stamp is not None:
            end = tick.stamp.micros
            if self._ahead:
                yield from self._released(takewhile(self._is_left_alone, self._holding))
            else:
                yield from self._released(key for key in self._holding if end > self._series[key].holds_until)
        if tick.silent_since is not None and tick.silent_until is not None:
            for one in self._series.values():
                yield from one.silence(tick.silent_since, tick.silent_until)

    def _is_left_alone(self, key: _SeriesKey) -> bool:
        return self._number - self._holding[key] > MOST_SNAPSHOTS

    def pulse(self, now: float) -> Iterator[Interval]:
        """Time has passed: what was held for too long."""
        due = ((key, self._series[key].waits_until) for key in self._holding)
        yield from self._released(key for key, until in due if until is not None and until <= now)

    def rest(self) -> Iterator[Interval]:
        """All that is held, the oldest first."""
        for series in list(self._other_units):
            self._tell_other_unit(series)
        yield from sorted(self._released(self._holding), key=lambda interval: interval.end)

    def _released(self, keys: Iterable[_SeriesKey]) -> Iterator[Interval]:
        for key in list(keys):
            del self._holding[key]
            yield from self._series[key].rest()


def new_name(series: str, unit: Unit, names: set[str]) -> str:
    """A name that no other series has; since units never mix, a second unit makes a second series."""
    with_unit = f"{series} ({unit.value})"
    numbered = (f"{with_unit} {number}" for number in count(2))
    name = next(name for name in chain((series, with_unit), numbered) if name not in names)
    names.add(name)
    return name


# Totals of a source that counts from zero since we started it: every snapshot, even the first, becomes an interval.


def intervals_from_zero(events: Iterable[Event]) -> Iterator[Event]:
    """A decoder's events, with totals turned into counts per interval.

    The engine uses the first totals of a series as a baseline, because it cannot know since when they count. Here that
    is known: a series that appears late has counted since the snapshot before.
    """
    last: dict[tuple[str, Unit], Record] = {}
    for event in events:
        if isinstance(event, Record) and LOST not in event.flags:
            key = (event.series, event.unit)
            event, last[key] = _added(event, last.get(key)), event
        yield event


def _added(record: Record, last: Record | None) -> Record:
    before = {} if last is None else counts_of(last.ranges)
    ranges = [(lower, upper, count - before.get((lower, upper), 0)) for lower, upper, count in record.ranges]
    waited = record.waited
    if any(count < 0 for _, _, count in ranges):  # the counters restarted
        ranges = list(record.ranges)
    elif waited is not None and last is not None:
        unknown = last.waited is None or ESTIMATED in record.flags or waited < last.waited
        waited = None if last.waited is None or unknown else waited - last.waited
    kept = tuple(one for one in ranges if one[2])
    return replace(record, ranges=kept, waited=waited, semantics=Semantics.INTERVAL, start=None)
