"""From the bytes of a source to intervals: the one path that every command takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import NamedTuple

from .. import registry
from ..collector import NOTHING_KNOWN, Collector, Known
from ..errors import SourceError
from ..interval import Interval
from ..intervals import batch
from ..intervals.batch import Batches, TakeBatch
from ..intervals.options import TimeOptions
from ..intervals.timed import Run, as_wanted, decoded, differences, placed
from ..recognise import recognise
from ..record import Event, Mark, Semantics
from ..report import Report
from ..text.lines import Lines
from .ahead import Ahead
from .bulk import scanned
from .expected import NOTHING_EXPECTED, Expected
from .lengths import Lengths
from .limits import limited
from .placing import without_day
from .seen import Seen
from .source import Source

Tee = Callable[[Event], object]

NAMES_SHOWN = 10
NAMES_KEPT = 1000
"""Of series that are not wanted; a source may invent new ones for ever."""


@dataclass(frozen=True)
class Plan:
    """What the user asked of the data: the collector by name, what text does not tell, the time options, which series,
    and how much. ``from_zero``: the source counts totals, from zero since we started it. ``expected``: what is known of
    it besides. ``passed_over`` and ``seen`` are what was found, and ``remarks`` what the picture should say, by source;
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
    expected: Expected = NOTHING_EXPECTED
    passed_over: set[str] = field(default_factory=set, compare=False)
    seen: Seen = field(default_factory=Seen, compare=False)
    remarks: dict[str, str] = field(default_factory=dict, compare=False)
    days_guessed: set[str] = field(default_factory=set, compare=False)

    def wants(self, series: str) -> bool:
        """Whether a series is drawn or converted; remembers the names of those that are not."""
        if not self.series or any(fnmatchcase(series.lower(), glob.lower()) for glob in self.series):
            return True
        if len(self.passed_over) < NAMES_KEPT:
            self.passed_over.add(series)
        return False

    @property
    def takes_all(self) -> bool:
        """Whether all of a source is wanted."""
        return self.count is None and self.duration is None

    def why_empty(self) -> str:
        """What to say where nothing came of a source that was read."""
        if not self.passed_over:
            return self.seen.why_empty()
        names = sorted(self.passed_over.copy())  # the thread that reads may still add to it
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        return f"no series is called {' or '.join(self.series)}; there are: {'; '.join(names[:NAMES_SHOWN])}{more}"


class _Text(NamedTuple):
    """A source whose collector is known, its lines from the first one on, and what is known of it beside them."""

    source: Source
    collector: Collector
    lines: Lines
    known: Known
    options: TimeOptions


def events_of(source: Source, plan: Plan, report: Report) -> Iterator[Event]:
    """Records with times, ticks and marks of one source, until it ends or enough was read."""
    text = _recognised(source, plan, report)
    if text is None:
        return iter(())
    return _events(text, _scanned(text, plan, report), plan, report)


def intervals_from(
    source: Source,
    plan: Plan,
    report: Report,
    on_mark: Callable[[Mark], object],
    tee: Tee | None = None,
    take_batch: TakeBatch | None = None,
) -> Iterator[Interval]:
    """What happened in each series of a source that is wanted; of a large file ``take_batch`` may be given batches
    instead. See ``intervals_of``.
    """
    text = _recognised(source, plan, report)
    if text is None:
        return
    parts = _scanned(text, plan, report)
    if parts is None or tee is not None or not plan.takes_all:
        yield from intervals_of(_events(text, parts, plan, report), plan, on_mark, tee)
        return
    for part in parts:
        if take_batch is None:
            yield from (interval for interval in part.intervals() if plan.wants(interval.series))
            continue
        for one in part.by_series():
            if plan.wants(one.series):
                take_batch(one)


def _recognised(source: Source, plan: Plan, report: Report) -> _Text | None:
    """A source with its collector; None of one that was told to stop before it has said anything."""
    lines = source.lines(report.bad)
    try:
        collector, lines_again = (
            recognise(lines, source.name, report.say) if plan.format is None else (registry.load(plan.format), lines)
        )
    except SourceError:
        if plan.format is None and source.live and source.stop.is_set and not source.begun:
            plan.seen.silent.append(source.name)
            return None
        raise
    known = plan.known._replace(live=source.live, tz=plan.time.tz)
    options = plan.time._replace(started=source.started if source.live else None, modified=source.modified)
    return _Text(source, collector, lines_again, known, options)


def _scanned(text: _Text, plan: Plan, report: Report) -> Iterator[Batches] | None:
    """What is scanned of a large file; None where it is to be decoded."""
    if text.source.live or text.options.semantics not in (None, Semantics.INTERVAL):
        return None
    return scanned(text.source, text.collector, text.known, text.options, report, plan.jobs, plan.days_guessed)


def _events(text: _Text, parts: Iterator[Batches] | None, plan: Plan, report: Report) -> Iterator[Event]:
    """Timed events, of what was scanned or decoded, as far as they are wanted."""
    run = Run(
        text.options,
        report,
        seen=plan.seen.watched,
        limited=lambda events: limited(events, plan.count, plan.duration, plan.time.interval),
    )
    return as_wanted(_decoded(text, plan, run) if parts is None else batch.events_of(parts), run)


def _decoded(text: _Text, plan: Plan, run: Run) -> Iterator[Event]:
    """Timed events, line by line."""
    source, options = text.source, text.options

    def events(lines: Lines, run: Run) -> Iterator[Event]:
        return decoded(text.collector.decode(lines, run.report, text.known), run)

    run = run._replace(from_zero=plan.from_zero, expected=plan.expected.told)
    if not source.live:
        ahead = Ahead(lambda: events(source.lines(), run._replace(report=Report(source.name))))
        options = options._replace(survey=ahead.survey)
        run = run._replace(options=options, ahead=ahead.read)
        if options.day is None:
            run = run._replace(without_day=lambda events: without_day(events, source.name, plan.days_guessed))
    lengths = Lengths(options, run.report, plan.remarks)
    return placed(events(text.lines, run), run._replace(printed=lengths.printed, resolved=lengths.resolved))


def intervals_of(
    events: Iterable[Event], plan: Plan, on_mark: Callable[[Mark], object], tee: Tee | None = None
) -> Iterator[Interval]:
    """What happened in each series that is wanted. All events go to ``tee`` first, marks to ``on_mark``."""
    return differences(events, Run(plan.time, Report(""), tee=tee, mark=on_mark, wants=plan.wants))
