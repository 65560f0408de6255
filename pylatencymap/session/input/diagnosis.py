"""What a source held, as far as it matters where no interval came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...intervals import DEFAULT_INTERVAL, TimeOptions
from ...record import Clock, Event, Record, Semantics, Tick
from ...report import Report

NOTHING_IN_IT = "the source was read, but there was no interval in it"
ONE_READING = (
    "there was one reading of totals, and what happened is the difference of two: "
    "read them again and again, as in (while sleep 1; do COMMAND; done) | pylatencymap"
)


class EmptyInputDiagnosis:
    """Looks at the resolved events of sources until one of them makes an interval. ``silent``: the names of sources
    that have said nothing until they were told to stop.
    """

    def __init__(self) -> None:
        self.silent: list[str] = []
        self._prints = 0
        self._totals = 0

    def watched(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events of one source."""
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
    def any(self) -> bool:
        """Whether a source has printed something that was understood."""
        return bool(self._prints)

    def why_empty(self) -> str:
        """Why no interval came of it, and what to do."""
        if self._totals:
            return ONE_READING
        if self._prints:
            return f"{self._prints} {'print was' if self._prints == 1 else 'prints were'} read, without any event"
        if self.silent:
            return f"nothing has come from {' and '.join(self.silent)}"
        return NOTHING_IN_IT


# Tells where a text does not say how long its intervals are, so that their rates are only right if the guess is.


UNDATED = f"no time stamps: each print is taken to be {DEFAULT_INTERVAL:g} s long"
LONE = f"one print, and no word on how long it took: it is taken to be {DEFAULT_INTERVAL:g} s"
OTHERWISE = "--interval S says otherwise"


class IntervalLengthWarning:
    """Looks at the events of a source before they have their times (``printed``) and after (``resolved``).

    What it tells of a single print is kept in ``remarks`` under the name of the source; that many have no real clock is
    said by the title.
    """

    def __init__(self, options: TimeOptions, report: Report, remarks: dict[str, str]) -> None:
        self._remarks = remarks
        self._report = report
        self._given = options.interval is not None
        self._dated = False
        self._begun = False

    def printed(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events of a decoder: whether the first print says when it was, or since when."""
        rest = iter(events)
        for event in rest:
            if isinstance(event, Tick | Record):
                self._dated = self._dated or event.stamp is not None
                self._begun = self._begun or event.start is not None
            yield event
            if isinstance(event, Record):
                break
        yield from rest

    def resolved(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events with their times."""
        first: Tick | None = None
        adds = False
        rest = iter(events)
        for event in rest:
            if isinstance(event, Tick):
                if first is not None:
                    self._tell_of_many(first)
                    yield event
                    break
                first = event
            elif isinstance(event, Record):
                adds = adds or event.semantics is not Semantics.CUMULATIVE
            yield event
        else:
            if first is not None and adds:
                self._tell_of_one(first)
        yield from rest

    def _tell_of_many(self, first: Tick) -> None:
        if not self._dated and not self._given and first.stamp is not None and first.stamp.clock is Clock.COUNTED:
            self._report.note(first.line, f"{UNDATED}; {OTHERWISE}")

    def _tell_of_one(self, only: Tick) -> None:
        if self._begun or self._given or only.stamp is None or only.start is None:
            return
        if only.stamp.micros - only.start == round(DEFAULT_INTERVAL * 1e6):
            self._remarks[self._report.name] = LONE
            self._report.note(only.line, f"{LONE}; {OTHERWISE}")
