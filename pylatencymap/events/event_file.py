"""Opens a file to look at its single events, and reads it again for each question."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from .. import registry
from ..collector import Collector
from ..errors import NothingMeasured, SourceError
from ..interval import Interval
from ..intervals import Division, bin_width, days_before
from ..recognise import recognise
from ..record import Clock, Record, Sample, Tick
from ..report import Report
from ..session.input import ReadPlan, Source, StopRequest, fit_of, known_by_key, open_rolled, open_source
from ..tables import is_parquet
from .alone import EventsAlone, ValuesAlone
from .by_line import NO_EVENTS, LinePass
from .found import EventsFound
from .job import EventSink, ReadJob, WrongAxis
from .question import EventQuestion, FileIdentity, NoSingleEvents, check_same, identity_of
from .tally import EventTally, together

FIRST_EVENTS = 9
"""So many events show the clock of the file, and when it begins."""
FAR_BEFORE = 8
"""An event is no beginning, but has a damaged time, if it is so many times as far before the middle one of these as
that is before the one at three quarters.
"""
SHOWN_SECONDS = 0.25
"""What was found is shown no more often than this."""
SHARE_SHOWN = 10
"""Making what is shown takes at most one tenth of the time."""
MOST_PASSES = 4
"""A file is read again if its end shows that its times are others than its begin shows; not more often than this."""


_Sink = TypeVar("_Sink", bound=EventSink)


class _Pass(Protocol):
    """One pass through a file; both kinds of it."""

    @property
    def span(self) -> tuple[int, int] | None: ...

    def steps(self) -> Iterator[None]: ...


class EventFile:
    """A file of single events, by its name, or as a source that has it open. Close it after use, or use it in a with
    statement.

    ``identity`` is what the file was when it was read before: if it is another one now, FileChanged is raised. ``stop``
    ends a reading from any thread; a request that is given is not closed here. ``report`` gets what is wrong with the
    text, once. ``tally`` is what the last complete answer was made from.

    Raises SourceError, Refused and PluginError; NoSingleEvents if the text holds counts only.
    """

    def __init__(
        self,
        path: str | Source,
        plan: ReadPlan,
        report: Report | None = None,
        identity: FileIdentity | None = None,
        on_progress: Callable[[str, int, int], object] = lambda _name, _done, _size: None,
        stop: StopRequest | None = None,
    ) -> None:
        self.stop, self._owns_stop = stop or StopRequest(), stop is None
        self.tally = EventTally()
        try:
            self._source = _opened(path, self.stop)
        except BaseException:
            if self._owns_stop:
                self.stop.close()
            raise
        self._plan, self._on_progress = plan, on_progress
        self.report = report or Report(self._source.name)
        self.identity = identity_of(self._source.descriptor)
        try:
            check_same(self._source.name, identity or self.identity, self.identity)
            self._options = plan.time._replace(modified=self._source.modified)
            self._collector = self._recognised()
            self._known = plan.known._replace(tz=plan.time.tz)
            if plan.by:
                self._known = known_by_key(self._collector, self._known, plan)
            self._first = self._first_events()
        except BaseException:
            self.close()
            raise
        self._day_shift = self._assumed_shift()
        self._has_reported = False
        self._done = 0
        self._source.progress = self._note

    @property
    def begin(self) -> int | None:
        """When the picture of the file begins, as its first events tell, in epoch microseconds; None without events."""
        moments = sorted(sample.micros for sample in self._first)
        if not moments:
            return None
        middle, later = moments[len(moments) // 2], moments[len(moments) * 3 // 4]
        far = FAR_BEFORE * max(later - middle, self.width)
        earliest = next(moment for moment in moments if middle - moment <= far)
        return (earliest + self._day_shift) // self.width * self.width

    @property
    def has_clock(self) -> bool:
        """Whether its times are real ones."""
        return not self._first or self._first[0].clock in (Clock.EPOCH, Clock.DAY)

    @property
    def day_is_guessed(self) -> bool:
        """Whether it has times of day, and no date."""
        return bool(self._first) and self._first[0].clock is Clock.DAY and not self._first[0].text

    @property
    def width(self) -> int:
        """The length of the bins in which a picture counts its events, in microseconds."""
        return bin_width(self._options)

    def read(
        self,
        question: EventQuestion,
        monotonic: Callable[[], float] = time.monotonic,
        earlier: EventTally | None = None,
    ) -> Iterator[EventsFound]:
        """What is found, time and again while the file is read, and at last the complete answer.

        Each answer replaces the one before. The last one is complete, unless ``stop`` ended the reading. ``earlier``:
        the events of other files, which count as well. Raises what the class raises, and FileChanged if the file
        changes meanwhile. Closing the iterator ends the reading.
        """
        due = 0.0
        name = "" if earlier is None else self._source.name
        for one, tally, is_complete in self._passes(question, lambda: EventTally(question.by, name)):
            if is_complete:
                yield self._complete(one, tally, earlier)
                return
            begun = monotonic()
            if begun >= due:
                found = self._so_far(one, tally if earlier is None else together(earlier, tally))
                ended = monotonic()
                due = ended + max(SHOWN_SECONDS, SHARE_SHOWN * (ended - begun))
                yield found

    def intervals(self, question: EventQuestion) -> Iterator[Interval | None]:
        """The events that are asked for as intervals, as if the file had no others; their axis is that of all events.

        None comes time and again while the file is read, so that a caller can leave; then all intervals come in order,
        but none if ``stop`` ended the reading.
        """
        by: Division | None = None
        if self._plan.by and self._known.keys:
            for _, chosen, is_complete in self._passes(question, lambda: ValuesAlone(self._plan.divided_by)):
                by = chosen.division() if is_complete else None
                yield None
        for one, alone, is_complete in self._passes(question, lambda: EventsAlone(self._options, by)):
            if is_complete:
                check_same(self._source.name, self.identity, identity_of(self._source.descriptor))
                yield from alone.intervals(self._plan, one.span, self.has_clock)
                return
            yield None

    def _passes(self, question: EventQuestion, sink_of: Callable[[], _Sink]) -> Iterator[tuple[_Pass, _Sink, bool]]:
        """The pass that goes on, what it counts, and at its end True. Where the whole file shows that its times are
        others than was assumed, another pass begins.
        """
        check_same(self._source.name, self.identity, identity_of(self._source.descriptor))
        shift, strays, bins, scans = self._day_shift, frozenset[int](), None, True
        for _ in range(MOST_PASSES):
            sink = sink_of()
            found = self._scan_pass(question, shift, strays, sink) if scans else None
            one = found or LinePass(self._job(question), shift, sink, bins)
            try:
                for _ in one.steps():
                    yield one, sink, False
            except WrongAxis as other:
                shift, strays, bins = other.shift, other.strays, other.bins
                self._has_reported = self._has_reported or not strays
                continue
            except _not_scannable():
                scans = False
                continue
            self._has_reported = True
            if not self.stop.is_set:
                yield one, sink, True
            return
        raise SourceError(f"{self._source.name}: its times cannot be told")

    def close(self) -> None:
        """Close the file, after the last reading."""
        self._source.close()
        if self._owns_stop:
            self.stop.close()

    def __enter__(self) -> EventFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, _name: str, done: int, size: int) -> None:
        self._done = done
        self._on_progress(self._source.name, done, size)

    def _job(self, question: EventQuestion) -> ReadJob:
        report = Report(self._source.name) if self._has_reported else self.report
        return ReadJob(self._source, self._collector, self._known, self._options, report, question, self._plan.jobs)

    def _so_far(self, one: _Pass, tally: EventTally) -> EventsFound:
        return tally.found()._replace(span=one.span, has_clock=self.has_clock, done=self._done, size=self.identity.size)

    def _complete(self, one: _Pass, tally: EventTally, earlier: EventTally | None) -> EventsFound:
        missing = tally.lines_without_text()
        if missing:
            tally.give_texts(self._texts_of(missing))
        check_same(self._source.name, self.identity, identity_of(self._source.descriptor))
        self.tally = tally if earlier is None else together(earlier, tally)
        return self._so_far(one, self.tally)._replace(done=self.identity.size, is_complete=True)

    def _texts_of(self, numbers: set[int]) -> dict[int, str]:
        """The texts of lines that are no longer remembered."""
        texts: dict[int, str] = {}
        for line in self._source.lines():
            if self.stop.is_set or len(texts) == len(numbers):
                break
            if line is not None and line.number in numbers:
                texts[line.number] = line.text
        return texts

    def _recognised(self) -> Collector:
        source = self._source
        if is_parquet(os.pread(source.descriptor, 4, 0)):
            raise NoSingleEvents(NO_EVENTS.format(name=source.name))
        if self._plan.format is not None:
            return registry.load_collector(self._plan.format)
        try:
            found, _ = recognise(source.lines(), source.name, self.report.say, source.lines)
        except NothingMeasured as nothing:
            raise NoSingleEvents(NO_EVENTS.format(name=nothing.name)) from nothing
        return found

    def _first_events(self) -> list[Sample]:
        """The first events. Raises NoSingleEvents if the text holds counts."""
        lines = self._source.lines()
        decoded = self._collector.decode(lines, Report(self._source.name), self._known)
        return list(islice(_samples(decoded, self._source.name), FIRST_EVENTS))

    def _assumed_shift(self) -> int:
        """What leads from times of day to the epoch if the file passes no midnight; 0 for other times."""
        first = self._first[0] if self._first else None
        if first is None or first.clock is not Clock.DAY:
            return 0
        return days_before(first.micros, first.micros, self._options) or 0

    def _scan_pass(self, question: EventQuestion, shift: int, strays: frozenset[int], sink: EventSink) -> _Pass | None:
        """A pass with the scan of the format; None if there is none for this file."""
        fit = fit_of(self._source, self._collector, self._known)
        if fit is None:
            return None
        from .by_scan import ScanPass

        return ScanPass(self._job(question), fit, shift, sink, strays)


def _not_scannable() -> type[Exception]:
    """The error of a scan that does not fit; asked for only after an error, because numpy comes with it."""
    from ..scan import NotScannable

    return NotScannable


def _opened(path: str | Source, stop: StopRequest) -> Source:
    source = (open_rolled(path, stop) or open_source(path, stop)) if isinstance(path, str) else path.again(stop)
    if source.live:
        source.close()
        raise SourceError(f"{source.name} is no file: events are read again for each question; save them to a file")
    return source


def _samples(decoded: Iterable[object], name: str) -> Iterator[Sample]:
    for event in decoded:
        if isinstance(event, Record | Tick):
            raise NoSingleEvents(NO_EVENTS.format(name=name))
        if isinstance(event, Sample):
            yield event
