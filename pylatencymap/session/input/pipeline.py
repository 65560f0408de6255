"""From the bytes of a source to intervals: the one path that every command takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeVar

from ... import registry
from ...collector import NOTHING_KNOWN, Collector, Known
from ...errors import NothingMeasured, SourceError
from ...interval import Interval
from ...intervals import (
    Batches,
    NextPulse,
    Pulse,
    StageContext,
    TakeBatch,
    TimeOptions,
    as_wanted,
    batch_events,
    decoded,
    differences,
    placed,
    survey_midnights,
)
from ...recognise import recognise
from ...record import Event, Mark, Record, Semantics, Tick
from ...report import Report
from ...text.lines import Lines
from .common_axis import without_day
from .diagnosis import EmptyInputDiagnosis, IntervalLengthWarning
from .excerpt import Excerpt
from .large_files import scan_large_file
from .probe_hints import NO_PROBE_HINTS, ProbeHints
from .pulses import with_pulses
from .source import Source

# Lookahead in files without dates: the first date depends on how many midnights the file spans.


MOST_KEPT = 10_000
"""At most this many decoded events of a file are kept, so that a short file is not decoded twice."""


class Lookahead:
    """Hands out the decoded events of a file (``read``) and can survey them to the end first.

    ``again`` decodes the file once more; it is needed for files with more than MOST_KEPT events.
    """

    def __init__(self, again: Callable[[], Iterable[Event]]) -> None:
        self._rest: Iterator[Event] = iter(())
        self._again = again
        self._kept: list[Event] = []

    def read(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events."""
        self._rest = iter(events)
        return self._handed_out()

    def _handed_out(self) -> Iterator[Event]:
        kept, place = self._kept, 0
        while True:
            if place < len(kept):  # a survey has read on
                yield kept[place]
                place += 1
                continue
            event = next(self._rest, None)
            if event is None:
                return
            if place < MOST_KEPT:
                kept.append(event)
                place += 1
            yield event

    def survey(self) -> tuple[int, int]:
        """Count the midnights to the end of the file; see ``dating.survey_midnights``."""
        self._kept.extend(islice(self._rest, MOST_KEPT - len(self._kept)))
        return survey_midnights(self._kept if len(self._kept) < MOST_KEPT else self._again())


# Where reading stops: ``--count`` and ``--duration``.


def limit_events(
    events: Iterable[Event], count: int | None, duration: float | None, merged: float | None = None
) -> Iterator[Event]:
    """Resolved events of the first ``count`` intervals, or of the first ``duration`` seconds of recorded time. None
    means no limit.

    The first snapshot of cumulative counters is their baseline and does not count as an interval. Snapshots that will
    be merged into one interval of ``merged`` seconds (see ``intervals.merge``) count as one.
    """
    if count is None and duration is None:
        return iter(events)
    return _limited(events, count, duration, round((merged or 0.0) * 1e6))


def _limited(events: Iterable[Event], count: int | None, duration: float | None, width: int) -> Iterator[Event]:
    prints, done, begin = 0, 0, 0
    slot: int | None = None
    for event in events:
        if isinstance(event, Tick) and not event.joins and event.stamp is not None and event.start is not None:
            begin = event.start if prints == 0 else begin
            middle = (event.start + event.stamp.micros) // 2  # of the interval: stamps may be late by a little
            late = duration is not None and middle - begin > duration * 1e6
            last, slot = slot, -(-event.stamp.micros // width) if width else None
            begins = last is None or slot != last
            if prints and (late or (begins and count is not None and done >= count)):
                return
            prints += 1
            done += begins
        elif isinstance(event, Record) and prints == 1 and event.semantics is Semantics.CUMULATIVE:
            done, slot = 0, None
            begin = event.stamp.micros if event.stamp else begin
        yield event


Tee = Callable[[Event], object]
OnMark = Callable[[Mark], object]
Decoded = TypeVar("Decoded")
Awaited = TypeVar("Awaited")

NAMES_SHOWN = 10
NAMES_KEPT = 1000
"""Limit on remembered names of unwanted series, because a source can produce new names for ever."""


@dataclass(frozen=True)
class ReadPlan:
    """How the user wants sources to be read: the collector's name, facts that the text does not contain, time options,
    which series, and how much: the first ``count`` intervals or ``duration`` seconds, of the ``excerpt``.

    ``from_zero``: we started the source, and its counters started at zero. ``probe_hints``: facts about a probe that
    are not in its output. Reading fills in the rest: ``skipped_series`` are names of series that were not wanted,
    ``diagnosis`` explains an empty result, ``notices`` are what the picture should say, by source, and
    ``days_guessed`` are the sources whose times of day have no date.
    """

    format: str | None = None
    known: Known = NOTHING_KNOWN
    time: TimeOptions = field(default_factory=TimeOptions)
    series: tuple[str, ...] = ()
    count: int | None = None
    duration: float | None = None
    jobs: int = 2
    from_zero: bool = False
    probe_hints: ProbeHints = NO_PROBE_HINTS
    excerpt: Excerpt | None = None
    skipped_series: set[str] = field(default_factory=set, compare=False)
    diagnosis: EmptyInputDiagnosis = field(default_factory=EmptyInputDiagnosis, compare=False)
    notices: dict[str, str] = field(default_factory=dict, compare=False)
    days_guessed: set[str] = field(default_factory=set, compare=False)

    def wants(self, series: str) -> bool:
        """Whether a series is drawn or converted. Remembers the names of unwanted series."""
        if not self.series or any(fnmatchcase(series.lower(), glob.lower()) for glob in self.series):
            return True
        if len(self.skipped_series) < NAMES_KEPT:
            self.skipped_series.add(series)
        return False

    def without_limits(self) -> ReadPlan:
        """The same plan for reading everything; what is found out goes to this one as well."""
        return replace(self, count=None, duration=None, excerpt=None)

    @property
    def takes_all(self) -> bool:
        """Whether neither ``count`` nor ``duration`` limits the reading."""
        return self.count is None and self.duration is None

    def why_empty(self) -> str:
        """The message if a source was read and no interval came of it."""
        if not self.skipped_series:
            return self.diagnosis.why_empty()
        names = sorted(self.skipped_series.copy())  # the thread that reads may still add to it
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        return f"no series is called {' or '.join(self.series)}; there are: {'; '.join(names[:NAMES_SHOWN])}{more}"


class _Text(NamedTuple):
    """A source whose collector is known, with all its lines, and facts that are not in the text."""

    source: Source
    collector: Collector
    lines: Lines
    known: Known
    options: TimeOptions


def events_of(source: Source, plan: ReadPlan, report: Report) -> Iterator[Event]:
    """Records with times, ticks and marks of one source, until it ends or the limits of the plan are reached."""
    text = _recognised(source, plan, report)
    if text is None:
        return iter(())
    events = _events(text, _scanned(text, plan, report), plan, report)
    return (event for event in events if not isinstance(event, Pulse))


def intervals_from(
    source: Source,
    plan: ReadPlan,
    report: Report,
    on_mark: Callable[[Mark], object],
    tee: Tee | None = None,
    take_batch: TakeBatch | None = None,
) -> Iterator[Interval]:
    """The intervals of all wanted series of a source. For a large file, ``take_batch`` can receive batches instead.
    See ``intervals_of``.
    """
    text = _recognised(source, plan, report)
    if text is None:
        return
    parts = _scanned(text, plan, report)
    if parts is None or tee is not None or not plan.takes_all:
        yield from intervals_of(_events(text, parts, plan, report), plan, on_mark, tee, text.options, report)
        return
    for part in parts:
        if take_batch is None:
            yield from (interval for interval in part.intervals() if plan.wants(interval.series))
            continue
        for one in part.by_series():
            if plan.wants(one.series):
                take_batch(one)


def _recognised(source: Source, plan: ReadPlan, report: Report) -> _Text | None:
    """A source with its collector; None if the source was stopped before any data arrived, or measured nothing."""
    lines = source.lines(report.bad)
    try:
        collector, lines_again = (
            recognise(lines, source.name, report.say, None if source.live else lambda: source.lines(report.bad))
            if plan.format is None
            else (registry.load_collector(plan.format), lines)
        )
    except NothingMeasured as nothing:
        plan.diagnosis.idle.append(nothing.name)
        return None
    except SourceError:
        if plan.format is None and source.live and source.stop.is_set and not source.begun:
            plan.diagnosis.silent.append(source.name)
            return None
        raise
    source.has_spoken = plan.format is None
    known = plan.known._replace(live=source.live, tz=plan.time.tz)
    options = plan.time._replace(modified=source.modified)
    if source.live:
        pulsed = options.pulsed or partial(with_pulses, monotonic=source.monotonic, pauses=source)
        options = options._replace(
            started=source.started, monotonic=source.monotonic, pauses=source, pulse=NextPulse(), pulsed=pulsed
        )
    return _Text(source, collector, lines_again, known, options)


def _scanned(text: _Text, plan: ReadPlan, report: Report) -> Iterator[Batches] | None:
    """The batches that a scan finds in a large file; None if the source must be decoded line by line."""
    if text.source.live or text.options.semantics not in (None, Semantics.INTERVAL):
        return None
    return scan_large_file(text.source, text.collector, text.known, text.options, report, plan.jobs, plan.days_guessed)


def _events(text: _Text, parts: Iterator[Batches] | None, plan: ReadPlan, report: Report) -> Iterator[Event | Pulse]:
    """Events with times, scanned or decoded, within the limits of the plan."""
    run = StageContext(
        text.options,
        report,
        seen=plan.diagnosis.watch,
        limited=lambda events: limit_events(events, plan.count, plan.duration, plan.time.interval),
    )
    return as_wanted(_decoded(text, plan, run) if parts is None else batch_events(parts), run)


def _decoded(text: _Text, plan: ReadPlan, run: StageContext) -> Iterator[Event | Pulse]:
    """Events with times, decoded line by line."""
    source, options = text.source, text.options

    run = run._replace(from_zero=plan.from_zero, expected=plan.probe_hints.with_hints)
    pulse, pulsed = options.pulse, options.pulsed
    if pulse is not None and pulsed is not None:
        run = run._replace(pulsed=lambda events: pulsed(events, pulse))
    if not source.live:
        again = partial(_decoded_again, text, run)
        ahead = Lookahead(again)
        options = options._replace(survey=ahead.survey)
        run = run._replace(options=options, ahead=ahead.read, again=again)
        if options.day is None:
            run = run._replace(without_day=lambda events: without_day(events, source.name, plan.days_guessed))
    lengths = IntervalLengthWarning(options, run.report, plan.notices)
    items = _first_noted(text.collector.decode(text.lines, run.report, text.known), source)
    events = decoded(items, run)
    return placed(events, run._replace(printed=lengths.watch_printed, resolved=lengths.watch_resolved))


def _decoded_again(text: _Text, run: StageContext) -> Iterator[Event]:
    """Events of a file, read once more from its beginning. Reports nothing."""
    report = Report(text.source.name)
    return decoded(text.collector.decode(text.source.lines(), report, text.known), run._replace(report=report))


def _first_noted(items: Iterable[Decoded], source: Source) -> Iterator[Decoded]:
    """The same items. The first one shows that the source has spoken in the format that the user named."""
    rest = iter(items)
    for first in rest:
        source.has_spoken = True
        yield first
        break
    yield from rest


def intervals_of(
    events: Iterable[Event | Pulse],
    plan: ReadPlan,
    on_mark: Callable[[Mark], object],
    tee: Tee | None = None,
    options: TimeOptions | None = None,
    report: Report | None = None,
) -> Iterator[Interval]:
    """The intervals of all wanted series. All events go to ``tee`` first; marks go to ``on_mark``.

    ``options``, by default those of the plan, say whether the source is live. Damaged totals go to ``report``.
    """
    options = options or plan.time
    if options.live and options.pulse is None:  # nobody has made pulses yet
        pulse, pulsed = NextPulse(), options.pulsed or with_pulses
        events, options = pulsed(events, pulse), options._replace(pulse=pulse)
    return differences(events, StageContext(options, report or Report(""), tee=tee, mark=on_mark, wants=plan.wants))
