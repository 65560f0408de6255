"""All stages from decoder to window in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from ..interval import Interval
from ..record import KEPT, Decoded, Event, Mark, Record, Semantics, Tick
from ..report import Report
from ..units import Unit
from .batch import Batches, only_wanted
from .difference import intervals_from_zero, to_intervals
from .event_bins import bin_events
from .idle.records import fill_idle
from .merge import merge_intervals
from .options import Pulse, TimeOptions
from .possible import within_limits
from .runs.run import Passing, RecordRun, in_snapshots
from .semantics import settle_semantics, warn_of_growth
from .timing.arrivals import time_by_arrival
from .timing.damaged_stamps import without_damaged_stamps
from .timing.dating import date_first_prints
from .timing.placing import place_in_time
from .timing.subsecond import spread_within_seconds

# Snapshots of a source: every record comes after the tick of its snapshot.


def with_ticks(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with an implied tick before each snapshot for which the source printed no heading.

    Records with the same stamp are one snapshot; without stamps, a snapshot ends when a series comes again. If each
    series has a stamp of its own, the ticks of one round join each other, and a round ends when a series comes again.
    """
    round_ = _Round()
    for event in events:
        if isinstance(event, RecordRun) and event.snapshots is None:
            yield from round_.run(event)
            continue
        if (tick := round_.tick_before(event)) is not None:
            yield tick
        yield event


class _Round:
    """The snapshot that has begun, and the series of its round."""

    def __init__(self) -> None:
        self._tick: Tick | None = None
        self._members: set[tuple[str, Unit]] = set()

    def tick_before(self, event: Passing) -> Tick | None:
        """The implied tick of the snapshot that begins with an event."""
        if isinstance(event, Tick):
            self._tick, self._members = event, set()
        elif isinstance(event, RecordRun):
            self._tick, self._members = event.tick(-1), event.members_of_last()
        elif isinstance(event, Record):
            key, tick = (event.series, event.unit), self._tick
            if tick is None or _is_elsewhere(event, tick, key in self._members):
                joins = tick is not None and tick.implied and key not in self._members
                self._tick, self._members = _tick_of(event, joins), self._members if joins else set()
                self._members.add(key)
                return self._tick
            self._members.add(key)
        return None

    def run(self, run: RecordRun) -> Iterator[Passing]:
        """A run in its snapshots, and in single records where these have to be looked at one by one."""
        stamp = self._tick.stamp if self._tick is not None else None
        for part in in_snapshots(run, stamp, self._members, final=False):
            for event in (part,) if part.snapshots is not None else part.events():
                if (tick := self.tick_before(event)) is not None:
                    yield tick
                yield event


def _is_elsewhere(record: Record, tick: Tick, seen: bool) -> bool:
    if record.stamp is None:
        return tick.implied and seen
    return record.stamp is not tick.stamp and record.stamp != tick.stamp


def _tick_of(record: Record, joins: bool) -> Tick:
    start = record.start if record.semantics is Semantics.INTERVAL else None
    kept = start is not None and KEPT in record.flags
    return Tick(record.stamp, record.arrival, record.line, start=start, implied=True, joins=joins, kept=kept)


Pass: TypeAlias = Callable[[Iterable[Event]], Iterable[Event]]


def _as_they_are(events: Iterable[Event]) -> Iterable[Event]:
    return events


class StageContext(NamedTuple):
    """What the stages need to know about one source, and the stages that its reader adds.

    ``from_zero``: the source counts totals, from zero since we started it. ``again`` decodes a file once more, without
    reports. The fields of type ``Pass`` are stages of the reader; by default they pass all events on. ``tee`` gets all
    events that reach it, ``mark`` the marks that are taken out after that; ``wants`` says which series are wanted.
    ``pulsed`` adds a Pulse whenever ``options.pulse`` is due; every stage after it passes pulses on.
    """

    options: TimeOptions
    report: Report
    from_zero: bool = False
    again: Callable[[], Iterable[Event]] | None = None
    expected: Pass = _as_they_are
    ahead: Pass = _as_they_are
    without_day: Pass = _as_they_are
    printed: Pass = _as_they_are
    resolved: Pass = _as_they_are
    seen: Pass = _as_they_are
    limited: Pass = _as_they_are
    tee: Callable[[Event], object] | None = None
    mark: Callable[[Mark], object] = lambda _: None
    wants: Callable[[str], bool] = lambda _: True
    pulsed: Callable[[Iterable[Event]], Iterable[Event | Pulse]] = _as_they_are


class Stage(NamedTuple):
    """One step: ``run`` takes the output of the stage before it and makes the input of the next one."""

    name: str
    what: str
    run: Callable[[Iterable[Any], StageContext], Iterable[Any]]


STAGES = (
    Stage("possible", "drops what cannot be", lambda one, run: within_limits(one, run.report)),
    Stage("sampled", "counts single events into bins", lambda one, run: bin_events(one, run.options, run.report)),
    Stage(
        "from_zero",
        "turns totals of a program that we started into counts per interval",
        lambda one, run: _from_zero(one, run),
    ),
    Stage("expected", "adds the label, and series that are known to be idle", lambda one, run: run.expected(one)),
    Stage("ahead", "holds the first events of a file, to read ahead for its date", lambda one, run: run.ahead(one)),
    Stage("without_day", "checks whether times of day have a date", lambda one, run: run.without_day(one)),
    Stage("printed", "checks whether the first snapshot says when it was", lambda one, run: run.printed(one)),
    Stage("overridden", "applies --semantics", lambda one, run: _overridden(one, run.options.semantics)),
    Stage("ticked", "starts each snapshot with a tick", lambda one, _: with_ticks(one)),
    Stage(
        "heard",
        "corrects the arrivals of live snapshots that were held up",
        lambda one, run: time_by_arrival(one, run.options),
    ),
    Stage("pulsed", "adds a pulse while a live source is silent", lambda one, run: run.pulsed(one)),
    Stage("settled", "decides between totals and counts per interval", lambda one, run: _settled(one, run)),
    Stage("watched", "checks whether counts per interval only grow", lambda one, run: warn_of_growth(one, run.report)),
    Stage("spread", "spreads snapshots of a file over the second that they share", lambda one, run: _spread(one, run)),
    Stage("dated", "dates first snapshots without a stamp", lambda one, run: date_first_prints(one, run.options)),
    Stage(
        "judged",
        "replaces damaged stamps, or drops their snapshots",
        lambda one, run: without_damaged_stamps(one, run.report, run.options),
    ),
    Stage(
        "timed", "puts snapshots and records on one clock", lambda one, run: place_in_time(one, run.options, run.report)
    ),
    Stage("filled", "adds the series that a snapshot left out", lambda one, _: fill_idle(one)),
    Stage("resolved", "checks whether lengths of intervals were guessed", lambda one, run: run.resolved(one)),
    Stage("seen", "tracks what the source contained, in case no interval results", lambda one, run: run.seen(one)),
    Stage("limited", "ends at --count or --duration", lambda one, run: run.limited(one)),
    Stage("tee", "records every event", lambda one, run: _teed(one, run.tee)),
    Stage("marks", "takes marks out", lambda one, run: _without_marks(one, run.mark)),
    Stage(
        "intervals",
        "records to intervals: differences, resets, gaps; drops damaged totals",
        lambda one, run: to_intervals(one, run.report, ahead=not run.options.live, pulse=run.options.pulse),
    ),
    Stage("wanted", "drops series that are not wanted", lambda one, run: _wanted(one, run.wants)),
    Stage("merged", "merges intervals up to --interval", lambda one, run: merge_intervals(one, run.options.interval)),
)
"""The way from a decoder to the window. Each stage is a generator around the one before it. Records of a scanned file
enter at ``seen``, and records that the program itself makes at ``tee``.
"""
_PLACES = {stage.name: place for place, stage in enumerate(STAGES)}


def _through(found: Iterable[Any], run: StageContext, first: str, last: str) -> Iterator[Any]:
    """The output of the stages from ``first`` to ``last``, with ``found`` as input."""
    for stage in STAGES[_PLACES[first] : _PLACES[last] + 1]:
        found = stage.run(found, run)
    return iter(found)


def decoded(events: Iterable[Decoded], run: StageContext) -> Iterator[Event]:
    """A decoder's output as events, which can still lack times."""
    return _through(events, run, "possible", "expected")


def placed(events: Iterable[Event], run: StageContext) -> Iterator[Event | Pulse]:
    """Decoded events with their times."""
    return _through(events, run, "ahead", "resolved")


def as_wanted(events: Iterable[Event | Pulse], run: StageContext) -> Iterator[Event | Pulse]:
    """Timed events, up to the limits that the user set."""
    return _through(events, run, "seen", "limited")


def differences(events: Iterable[Event | Pulse], run: StageContext) -> Iterator[Interval | Batches]:
    """Timed events as intervals; runs of records as batches of intervals."""
    return _through(events, run, "tee", "merged")


def resolve_times(events: Iterable[Event], options: TimeOptions, report: Report) -> Iterator[Event]:
    """A decoder's events, ready for recording and for the engine.

    Each snapshot starts with a Tick. Stamps are ends on one clock (Clock.EPOCH, or Clock.COUNTED without a real clock),
    records per interval have a ``start``, rates have become counts, cumulative records have ``seconds`` if stamps are
    coarser than the interval, and series that a snapshot left out have an empty record.
    """
    return _through(events, StageContext(options, report), "overridden", "filled")


def _from_zero(events: Iterable[Event], run: StageContext) -> Iterable[Event]:
    return intervals_from_zero(events) if run.from_zero else events


def _settled(events: Iterable[Event | Pulse], run: StageContext) -> Iterable[Event | Pulse]:
    again = run.again
    ticked = None if again is None else lambda: with_ticks(again())
    return settle_semantics(events, run.report, ticked, run.options.pulse)


def _spread(events: Iterable[Event], run: StageContext) -> Iterable[Event]:
    return events if run.options.live else spread_within_seconds(events)


def _teed(events: Iterable[Event | Pulse], tee: Callable[[Event], object] | None) -> Iterable[Event | Pulse]:
    return events if tee is None else _each_to(tee, events)


def _each_to(tee: Callable[[Event], object], events: Iterable[Event | Pulse]) -> Iterator[Event | Pulse]:
    for event in events:
        if not isinstance(event, Pulse):
            tee(event)
        yield event


def _without_marks(events: Iterable[Event], mark: Callable[[Mark], object]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Mark):
            mark(event)
        else:
            yield event


def _wanted(found: Iterable[Interval | Batches], wants: Callable[[str], bool]) -> Iterator[Interval | Batches]:
    return only_wanted(found, wants)


def _overridden(events: Iterable[Event], semantics: Semantics | None) -> Iterable[Event]:
    return events if semantics is None else _meant_as(events, semantics)


def _meant_as(events: Iterable[Event], semantics: Semantics) -> Iterator[Event]:
    """With other semantics ``start`` would mean something else: interval or start-up."""
    for event in events:
        if isinstance(event, Record) and event.semantics is not semantics:
            event = replace(event, semantics=semantics, start=None)
        yield event
