"""Tracks what a source contained, to explain why nothing was drawn, and warns if interval lengths were guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...intervals import DEFAULT_INTERVAL, TimeOptions
from ...record import Clock, Event, Record, Semantics, Tick
from ...report import Report

NOTHING_IN_IT = "the source was read, but there was no interval in it"
ONE_READING = (
    "there was one reading of totals, and what happened is the difference of two; "
    "read them repeatedly: while COMMAND; do sleep 1; done | pylatencymap"
)


class EmptyInputDiagnosis:
    """Watches the resolved events of sources until an interval is certain, to explain an empty result. ``silent``: the
    names of sources that were stopped before they had sent any data. ``idle``: those that only printed times.
    ``elsewhere``: what is said if there are intervals, but none of the time that the user asked for.
    """

    def __init__(self) -> None:
        self.silent: list[str] = []
        self.elsewhere = ""
        self.idle: list[str] = []
        self._prints = 0
        self._totals = 0

    def watch(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events of one source; counts its snapshots and cumulative records."""
        known: set[tuple[str, str]] = set()
        rest = iter(events)
        for event in rest:
            if isinstance(event, Tick):
                self._prints += 1
            elif isinstance(event, Record):
                key = (event.series, event.unit.value)
                if event.semantics is not Semantics.CUMULATIVE or key in known:
                    yield event
                    break
                known.add(key)
                self._totals += 1
            yield event
        yield from rest

    @property
    def has_snapshots(self) -> bool:
        """Whether any snapshot was decoded."""
        return bool(self._prints)

    def why_empty(self) -> str:
        """Why the sources gave no interval, and what to do about it."""
        if self.elsewhere:
            return self.elsewhere
        if self._totals:
            return ONE_READING
        if self._prints:
            return f"{self._prints} {'print was' if self._prints == 1 else 'prints were'} read, without any event"
        if self.idle:
            return f"{' and '.join(self.idle)} printed no histogram: nothing was measured"
        if self.silent:
            return f"nothing has come from {' and '.join(self.silent)}"
        return NOTHING_IN_IT


# A warning if the interval length had to be guessed: rates depend on it.


UNDATED = f"no time stamps: each print is taken to be {DEFAULT_INTERVAL:g} s long"
LONE = f"one print, and no word on how long it took: it is taken to be {DEFAULT_INTERVAL:g} s"
OTHERWISE = "--interval S says otherwise"


class IntervalLengthWarning:
    """Warns if interval lengths were guessed. Watches the events of a source before they get their times
    (``watch_printed``) and after (``watch_resolved``).

    A warning about a single snapshot is also put into ``notices`` under the name of the source. For several snapshots
    the title says that there is no real clock.
    """

    def __init__(self, options: TimeOptions, report: Report, notices: dict[str, str]) -> None:
        self._notices = notices
        self._report = report
        self._given = options.interval is not None
        self._dated = False
        self._begun = False

    def watch_printed(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events of a decoder; notes whether the first snapshot has a stamp or a start. Totals in it have no
        start of their own.
        """
        rest = iter(events)
        has_records = False
        for event in rest:
            if isinstance(event, Tick) and has_records:
                yield event
                break
            if isinstance(event, Tick | Record):
                self._dated = self._dated or event.stamp is not None
                self._begun = self._begun or event.start is not None
            yield event
            has_records = has_records or isinstance(event, Record)
            if isinstance(event, Record) and event.semantics is not Semantics.CUMULATIVE:
                break
        yield from rest

    def watch_resolved(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events with their times; gives the warning."""
        first: Tick | None = None
        adds = False
        rest = iter(events)
        for event in rest:
            if isinstance(event, Tick):
                if first is not None:
                    self._warn_of_many(first)
                    yield event
                    break
                first = event
            elif isinstance(event, Record):
                adds = adds or event.semantics is not Semantics.CUMULATIVE
            yield event
        else:
            if first is not None and adds:
                self._warn_of_one(first)
        yield from rest

    def _warn_of_many(self, first: Tick) -> None:
        if not self._dated and not self._given and first.stamp is not None and first.stamp.clock is Clock.COUNTED:
            self._report.note(first.line, f"{UNDATED}; {OTHERWISE}")

    def _warn_of_one(self, only: Tick) -> None:
        if self._begun or self._given or only.stamp is None or only.start is None:
            return
        if only.stamp.micros - only.start == round(DEFAULT_INTERVAL * 1e6):
            self._notices[self._report.name] = LONE
            self._report.note(only.line, f"{LONE}; {OTHERWISE}")
