"""From the bytes of a source to intervals: the one path that every command takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .. import registry
from ..collector import NOTHING_KNOWN, Collector, Known
from ..errors import SourceError
from ..interval import Interval
from ..intervals.batch import TakeBatch
from ..intervals.difference import intervals
from ..intervals.merge import merged
from ..intervals.options import TimeOptions
from ..intervals.sampled import sampled
from ..intervals.timed import resolved
from ..intervals.zero import from_zero
from ..recognise import recognise
from ..record import Event, Mark
from ..report import Report
from ..text.lines import Lines
from .ahead import Ahead
from .bulk import first_of, scanned
from .expected import NOTHING_EXPECTED, Expected
from .lengths import Lengths
from .limits import limited
from .placing import without_day
from .seen import Seen
from .source import Source

if TYPE_CHECKING:
    from ..bulk.events import Take
    from ..bulk.whole import Whole

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
        """Whether all of a source is wanted, and what it says of time."""
        return self.count is None and self.duration is None and self.time.semantics is None

    def why_empty(self) -> str:
        """What to say where nothing came of a source that was read."""
        if not self.passed_over:
            return self.seen.why_empty()
        names = sorted(self.passed_over.copy())  # the thread that reads may still add to it
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        return f"no series is called {' or '.join(self.series)}; there are: {'; '.join(names[:NAMES_SHOWN])}{more}"


def events_of(source: Source, plan: Plan, report: Report, take: Take | None = None) -> Iterator[Event]:
    """Records with times, ticks and marks of one source, until it ends or enough was read; none of a large file that
    ``take`` was given as a whole.
    """
    text = _recognised(source, plan, report)
    if text is None:
        plan.seen.silent.append(source.name)
        return iter(())
    collector, lines_again = text

    known = plan.known._replace(live=source.live, tz=plan.time.tz)
    options = plan.time._replace(started=source.started if source.live else None)

    def events(lines: Lines, report: Report) -> Iterable[Event]:
        found = sampled(collector.decode(lines, report, known), options, report)
        return plan.expected.told(from_zero(found) if plan.from_zero else found)

    found = events(lines_again, report)
    if not source.live:
        scan = scanned(source, collector, known, options, report, plan.jobs, take)
        found = ahead = Ahead(first_of(scan, found), lambda: events(source.lines(), Report(source.name)))
        options = options._replace(modified=source.modified, survey=ahead.survey)
    lengths = Lengths(options, report, plan.remarks)
    if options.day is None and not source.live:
        found = without_day(found, source.name, plan.days_guessed)
    timed = lengths.resolved(resolved(lengths.printed(found), options, report))
    return limited(plan.seen.watched(timed), plan.count, plan.duration, plan.time.interval)


def _recognised(source: Source, plan: Plan, report: Report) -> tuple[Collector, Lines] | None:
    """The collector and the lines of a source; None of one that was told to stop before it has said anything."""
    if plan.format is not None:
        return registry.load(plan.format), source.lines(report.bad)
    try:
        return recognise(source.lines(report.bad), source.name, report.say)
    except SourceError:
        if source.live and source.stop.is_set and not source.begun:
            return None
        raise


def intervals_from(
    source: Source,
    plan: Plan,
    report: Report,
    on_mark: Callable[[Mark], object],
    tee: Tee | None = None,
    take_batch: TakeBatch | None = None,
) -> Iterator[Interval]:
    """What happened in each series of a source that is wanted; ``take_batch`` may be given a batch of each instead. See
    ``intervals_of``.
    """
    whole: list[Whole] = []
    as_it_is = tee is None and plan.takes_all
    yield from intervals_of(events_of(source, plan, report, whole.append if as_it_is else None), plan, on_mark, tee)
    for one in whole:
        if take_batch is None:
            yield from _wanted(one.intervals(), plan)
            continue
        for batch in one.batches():
            if plan.wants(batch.series):
                take_batch(batch)


def intervals_of(
    events: Iterable[Event], plan: Plan, on_mark: Callable[[Mark], object], tee: Tee | None = None
) -> Iterator[Interval]:
    """What happened in each series that is wanted. All events go to ``tee`` first, marks to ``on_mark``."""
    return merged(_wanted(intervals(_told(events, on_mark, tee)), plan), plan.time.interval)


def _told(events: Iterable[Event], on_mark: Callable[[Mark], object], tee: Tee | None) -> Iterator[Event]:
    for event in events:
        if tee is not None:
            tee(event)
        if isinstance(event, Mark):
            on_mark(event)
        else:
            yield event


def _wanted(found: Iterable[Interval], plan: Plan) -> Iterator[Interval]:
    return (interval for interval in found if plan.wants(interval.series))
