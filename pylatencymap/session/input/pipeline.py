"""From the bytes of a source to intervals: the one path that every command takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

from ... import registry
from ...broken_texts import decode_lines, decode_to_break
from ...collector import BulkModule, Collector, Columns, Known
from ...errors import NothingMeasured, SourceError
from ...interval import Interval
from ...intervals import (
    Batches,
    NextPulse,
    Pulse,
    RecordRun,
    StageContext,
    TakeBatch,
    TimeOptions,
    apart,
    as_wanted,
    batch_events,
    decoded,
    differences,
    divided,
    one_by_one,
    only_wanted,
    placed,
    survey_midnights,
)
from ...recognise import recognise
from ...record import Decoded, Event, Mark, Record, Sample, Semantics
from ...report import Report
from ...text.lines import Lines
from .common_axis import without_day
from .diagnosis import IntervalLengthWarning
from .large_files import bulk_decoder, scan_large_file
from .plan import ReadPlan as ReadPlan, RecognisedText, dividing, limit_events as limit_events
from .pulses import with_pulses
from .source import Source

TABLES = "columns"
"""The collector of tables."""

# Lookahead in files without dates: the first date depends on how many midnights the file spans.


MOST_KEPT = 10_000
"""At most this many decoded events of a file are kept, so that a short file is not decoded twice."""


class Lookahead:
    """Hands out the decoded events of a file (``read``) and can survey them to the end first.

    ``again`` decodes the file once more; it is needed for files with more than MOST_KEPT events, of which none is kept
    once it is handed out.
    """

    def __init__(self, again: Callable[[], Iterable[Event]]) -> None:
        self._rest: Iterator[Event] = iter(())
        self._again = again
        self._kept: list[Any] = []
        self._count = 0

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
            if self._count >= MOST_KEPT:  # a survey will decode the file again
                kept.clear()
                place = 0
            event = next(self._rest, None)
            if event is None:
                return
            if self._count < MOST_KEPT:
                self._keep(event)
                place += 1
            yield event

    def survey(self) -> tuple[int, int]:
        """Count the midnights to the end of the file; see ``dating.survey_midnights``."""
        while self._count < MOST_KEPT and (event := next(self._rest, None)) is not None:
            self._keep(event)
        return survey_midnights(apart(self._kept) if self._count < MOST_KEPT else self._again())

    def _keep(self, event: Event | RecordRun) -> None:
        self._kept.append(event)
        self._count += len(event) if isinstance(event, RecordRun) else 1


Tee = Callable[[Event], object]
OnMark = Callable[[Mark], object]
Noted = TypeVar("Noted")


def events_of(source: Source, plan: ReadPlan, report: Report) -> Iterator[Event]:
    """Records with times, ticks and marks of one source, until it ends or the limits of the plan are reached."""
    text = recognised(source, plan, report)
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
    text = recognised(source, plan, report)
    if text is None:
        return
    found, in_batches = _found(text, plan, report, on_mark, tee)
    yield from handed_over(found, take_batch if in_batches else None)


def batches_from(source: Source, plan: ReadPlan, report: Report, on_mark: OnMark) -> Iterator[Interval | Batches]:
    """The intervals of all wanted series of a source as they are found: some one by one, others in batches."""
    text = recognised(source, plan, report)
    if text is not None:
        yield from _found(text, plan, report, on_mark, None)[0]


def decoded_text(text: RecognisedText, plan: ReadPlan, report: Report, on_mark: OnMark) -> Iterator[Interval | Batches]:
    """The intervals of a source whose collector is known, decoded without a scan: one by one, or in batches."""
    bulk = bulk_decoder(text.source, text.collector, text.options)
    return _differences(_timed(text, None, plan, report, bulk), plan, on_mark, None, text.options, report)


def handed_over(found: Iterable[Interval | Batches], take_batch: TakeBatch | None) -> Iterator[Interval]:
    """The intervals, unless ``take_batch`` gets them."""
    if take_batch is None:
        yield from one_by_one(found)
        return
    for part in found:
        for one in part.by_series() if isinstance(part, Batches) else (part,):
            take_batch(one)


def _found(
    text: RecognisedText, plan: ReadPlan, report: Report, on_mark: OnMark, tee: Tee | None
) -> tuple[Iterator[Interval | Batches], bool]:
    """The intervals of a source, and whether most of them come in batches."""
    parts = _scanned(text, plan, report)
    if tee is not None or not plan.takes_all:
        return _differences(_events(text, parts, plan, report), plan, on_mark, tee, text.options, report), False
    if parts is not None:
        return only_wanted(parts, plan.wants_result), True
    bulk = bulk_decoder(text.source, text.collector, text.options)
    return decoded_text(text, plan, report, on_mark), bulk is not None


def recognised(source: Source, plan: ReadPlan, report: Report) -> RecognisedText | None:
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
    options = _options_of(source, plan)
    known = plan.known._replace(
        live=source.live, tz=plan.time.tz, wall_offset=options.wall_offset() if source.live else None
    )
    if plan.by:
        known = known_by_key(collector, known, plan)
    return RecognisedText(source, collector, lines_again, known, options, plan.division if known.keys else None)


def _options_of(source: Source, plan: ReadPlan) -> TimeOptions:
    """The time options of the plan, with what a source tells of its times."""
    options = plan.time._replace(modified=source.modified)
    if source.live:
        pulsed = options.pulsed or partial(with_pulses, monotonic=source.monotonic, pauses=source)
        options = options._replace(
            started=source.started, monotonic=source.monotonic, pauses=source, pulse=NextPulse(), pulsed=pulsed
        )
        options = options._replace(recorded=source.is_recording)
    return options


def known_by_key(collector: Collector, known: Known, plan: ReadPlan) -> Known:
    """What a decoder has to know to divide events by the key of the plan: its keys, unless a column of a table names
    the series, as it does with other options about columns. It does so if the user does not say how many are wanted.
    """
    if registry.is_collector(collector, TABLES) and plan.top is None:
        return known._replace(columns=(known.columns or Columns())._replace(by=(plan.by,)))
    return known._replace(keys=True, by=plan.by.lower())


def _scanned(text: RecognisedText, plan: ReadPlan, report: Report) -> Iterator[Batches] | None:
    """The batches that a scan finds in a large file; None if the source must be decoded line by line."""
    if text.source.live or text.options.semantics not in (None, Semantics.INTERVAL):
        return None
    return scan_large_file(text, plan, report)


def _events(
    text: RecognisedText, parts: Iterator[Batches] | None, plan: ReadPlan, report: Report
) -> Iterator[Event | Pulse]:
    """Events with times, scanned or decoded, within the limits of the plan, one by one."""
    bulk = bulk_decoder(text.source, text.collector, text.options) if parts is None else None
    return apart(_timed(text, parts, plan, report, bulk))


def _timed(
    text: RecognisedText, parts: Iterator[Batches] | None, plan: ReadPlan, report: Report, bulk: BulkModule | None
) -> Iterator[Event | Pulse]:
    """Events with times, scanned or decoded, within the limits of the plan. What is decoded in bulk comes in runs."""
    run = StageContext(
        text.options,
        report,
        seen=plan.diagnosis.watch,
        limited=lambda events: _within_limits(events, plan),
    )
    if parts is not None:
        return as_wanted(batch_events(parts), run)
    return as_wanted(_decoded(text, plan, run, bulk), run)


def _within_limits(events: Iterable[Event], plan: ReadPlan) -> Iterator[Event]:
    if plan.takes_all:
        return iter(events)
    return limit_events(apart(events), plan.count, plan.duration, plan.time.interval)


def _decoded(
    text: RecognisedText, plan: ReadPlan, run: StageContext, bulk: BulkModule | None
) -> Iterator[Event | Pulse]:
    """Events with times, decoded line by line or in bulk."""
    source, options = text.source, text.options
    run = run._replace(from_zero=plan.from_zero, expected=plan.probe_hints.with_hints)
    pulse, pulsed = options.pulse, options.pulsed
    if pulse is not None and pulsed is not None:
        run = run._replace(pulsed=lambda events: pulsed(events, pulse))
    if not source.live:
        again = partial(_decoded_again, text, plan, run)
        ahead = Lookahead(again)
        options = options._replace(survey=ahead.survey)
        run = run._replace(options=options, ahead=ahead.read, again=again)
        if options.day is None:
            run = run._replace(without_day=lambda events: without_day(events, source.name, plan.days_guessed))
    lengths = IntervalLengthWarning(options, run.report, plan.notices)
    if bulk is None:
        items = decoded_lines(text, text.lines, plan, run.report)
    else:
        texts = source.texts(run.report.bad)
        items = decode_to_break(
            lambda fed: bulk.decode(fed, run.report, lambda: source.arrived, lambda: source.in_runs),
            texts,
            run.report,
            live=source.live,
        )
    items = _first_noted(items, source, plan)
    events = decoded(items, run)
    return placed(events, run._replace(printed=lengths.watch_printed, resolved=lengths.watch_resolved))


def decoded_lines(text: RecognisedText, lines: Lines, plan: ReadPlan, report: Report) -> Iterable[Decoded]:
    """What the decoder yields, by key if the plan says so."""
    items, by = decode_lines(text.collector, lines, report, text.known), dividing(text, plan)
    return items if by is None else divided(items, by, report)


def _decoded_again(text: RecognisedText, plan: ReadPlan, run: StageContext) -> Iterator[Event]:
    """Events of a file, read once more from its beginning. Reports nothing."""
    report = Report(text.source.name)
    return decoded(decoded_lines(text, text.source.lines(), plan, report), run._replace(report=report))


def _first_noted(items: Iterable[Noted], source: Source, plan: ReadPlan) -> Iterator[Noted]:
    """The same items. The first one shows that the source has spoken in the format that the user named, and the first
    that counts whether it is a source of single events.
    """
    rest = iter(items)
    for first in rest:
        source.has_spoken = True
        if isinstance(first, Sample):
            plan.event_sources.add(source.name)
        yield first
        if isinstance(first, Sample | Record | RecordRun):
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
    return one_by_one(_differences(events, plan, on_mark, tee, options or plan.time, report or Report("")))


def _differences(
    events: Iterable[Event | Pulse],
    plan: ReadPlan,
    on_mark: OnMark,
    tee: Tee | None,
    options: TimeOptions,
    report: Report,
) -> Iterator[Interval | Batches]:
    """The intervals of all wanted series; those of runs of records in batches. See ``intervals_of``."""
    if options.live and options.pulse is None:  # nobody has made pulses yet
        pulse, pulsed = NextPulse(), options.pulsed or with_pulses
        events, options = pulsed(events, pulse), options._replace(pulse=pulse)
    return differences(events, StageContext(options, report, tee=tee, mark=on_mark, wants=plan.wants_result))
