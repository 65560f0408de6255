"""How the user wants sources to be read, and where reading stops; a source whose collector is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from ...collector import NOTHING_KNOWN, Collector, Known
from ...intervals import DEFAULT_TOP, DividedBy, Dividing, Division, TimeOptions
from ...record import Event, Record, Semantics, Tick
from ...text.lines import Lines
from ...units import Unit
from .diagnosis import EmptyInputDiagnosis
from .excerpt import Excerpt
from .source import Source

# Facts about a probe we started that are not in its output.


class ProbeHints(NamedTuple):
    """What we know about a probe.

    ``label``: the label of all records; if empty, that of the text stays. ``watched_series``: one group of series for
    each thing that the probe watches; it may print nothing about a thing that is idle. Their records are per interval,
    in ``unit``.
    """

    label: str = ""
    watched_series: tuple[tuple[str, ...], ...] = ()
    unit: Unit = Unit.US
    source: str = ""

    def with_hints(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events with the label, and with idle records at the end of the first snapshot for each group that is not
        in it. From then on a watched series that is missing from a snapshot counts as idle.
        """
        found = self._with_idle(iter(events)) if self.watched_series else iter(events)
        return self._labelled(found) if self.label else found

    def _labelled(self, events: Iterator[Event]) -> Iterator[Event]:
        return (replace(event, label=self.label) if isinstance(event, Record) else event for event in events)

    def _with_idle(self, rest: Iterator[Event]) -> Iterator[Event]:
        seen: set[str] = set()
        first: Tick | None = None
        for event in rest:
            if isinstance(event, Tick) and first is not None:
                yield from self._idle(seen, first)
                yield event
                break
            first = event if isinstance(event, Tick) else first
            if isinstance(event, Record):
                seen.add(event.series)
            yield event
        else:
            if first is not None:
                yield from self._idle(seen, first)
        yield from rest

    def _idle(self, seen: set[str], tick: Tick) -> Iterator[Record]:
        for group in self.watched_series:
            for series in group if seen.isdisjoint(group) else ():
                yield Record(
                    series,
                    self.unit,
                    (),
                    Semantics.INTERVAL,
                    tick.stamp,
                    waited=0.0,
                    source=self.source,
                    arrival=tick.arrival,
                    line=tick.line,
                )


NO_PROBE_HINTS = ProbeHints()


# The plan.


NO_WILDCARD = "sql*net"
"""Names of Oracle's events have an asterisk here, and are those of one event all the same."""
NAMES_SHOWN = 10
NAMES_KEPT = 1000
"""Limit on remembered names of unwanted series, because a source can produce new names for ever."""


@dataclass(frozen=True)
class ReadPlan:
    """How the user wants sources to be read: the collector's name, facts that the text does not contain, time options,
    which series, and how much: the first ``count`` intervals or ``duration`` seconds, of the ``excerpt``, or the
    ``last`` seconds.

    ``by``: the key that divides single events into series, of which the ``top`` ones have a name of their own.
    ``across``: a value is the same in all series. ``division``: how it does that, found out by reading.

    ``from_zero``: we started the source, and its counters started at zero. ``probe_hints``: facts about a probe that
    are not in its output. Reading fills in the rest: ``skipped_series`` are names of series that were not wanted,
    ``diagnosis`` explains an empty result, ``notices`` are what the picture should say, by source, and
    ``days_guessed`` are the sources whose times of day have no date, ``event_sources`` those of single events that
    were decoded.
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
    last: float | None = None
    by: str = ""
    top: int | None = None
    across: bool = False
    division: Division | None = None
    skipped_series: set[str] = field(default_factory=set, compare=False)
    diagnosis: EmptyInputDiagnosis = field(default_factory=EmptyInputDiagnosis, compare=False)
    notices: dict[str, str] = field(default_factory=dict, compare=False)
    days_guessed: set[str] = field(default_factory=set, compare=False)
    event_sources: set[str] = field(default_factory=set, compare=False)

    def wants(self, series: str) -> bool:
        """Whether a series is drawn or converted. Remembers the names of unwanted series."""
        if not self.series or any(fnmatchcase(series.lower(), glob.lower()) for glob in self.series):
            return True
        if len(self.skipped_series) < NAMES_KEPT:
            self.skipped_series.add(series)
        return False

    def wants_result(self, series: str) -> bool:
        """Whether a series is wanted that reading has made, perhaps by dividing another one."""
        return (self.division is not None and self.division.has(series)) or self.wants(series)

    @property
    def divided_by(self) -> DividedBy:
        """How events are divided, if they are. Where the user chose one series, its name need not be said."""
        chosen = self.series[0].lower().replace(NO_WILDCARD, "") if len(self.series) == 1 else "*"
        return DividedBy(self.by, self.top or DEFAULT_TOP, not any(sign in chosen for sign in "*?["), self.across)

    def without_limits(self) -> ReadPlan:
        """The same plan for reading everything; what is found out goes to this one as well."""
        return replace(self, count=None, duration=None, excerpt=None, last=None)

    def for_part(self, excerpt: Excerpt) -> ReadPlan:
        """A plan for reading a part of the same once more; what is found out does not go to this one."""
        return replace(self.without_limits(), excerpt=excerpt).afresh()

    def afresh(self) -> ReadPlan:
        """The same plan for reading once more; what is found out does not go to this one."""
        return replace(
            self,
            skipped_series=set(),
            diagnosis=EmptyInputDiagnosis(),
            notices={},
            days_guessed=set(),
            event_sources=set(),
        )

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


class RecognisedText(NamedTuple):
    """A source whose collector is known, with all its lines, and facts that are not in the text. ``division``: how its
    events are divided by a key.
    """

    source: Source
    collector: Collector
    lines: Lines
    known: Known
    options: TimeOptions
    division: Division | None = None


def dividing(text: RecognisedText, plan: ReadPlan) -> Dividing | None:
    """How the events of a text are divided; None if they are not."""
    return None if text.division is None else Dividing(text.division, plan.wants)
