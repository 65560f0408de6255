"""The inputs of a view, whose events are asked for again: several files on one axis, and filters of their events."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from math import ceil
from shlex import quote
from stat import S_ISDIR
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..errors import UsageError
from ..interval import Interval
from ..intervals import TakeBatch
from ..record import Sample
from ..report import Report
from ..session.input import (
    ReadPlan,
    ReadProgress,
    ReadSource,
    Source,
    Sources,
    StopRequest,
    ignore_progress,
    series_of_events,
    short_names,
)
from ..units import Unit
from .last_lines import KeptLines, LastLines
from .question import EventQuestion, FileIdentity, NoSingleEvents, identity_of

if TYPE_CHECKING:
    from .event_file import EventFile
    from .found import EventsFound
    from .tally import EventTally

Only = tuple[tuple[str, str], ...]
"""A filter: names of keys, and the values that all of them must have."""
ONLY_FORM = "write a key and its value, as in --only obj#=82015"


def parse_only(words: Sequence[str]) -> Only:
    """The filter that words like ``obj#=82015`` mean. Raises UsageError."""
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise UsageError(f"--only {word}: {ONLY_FORM}")
        found.append((name, value))
    return tuple(found)


def only_text(only: Only) -> str:
    """A filter in words."""
    return " and ".join(f"{name}={value}" for name, value in only)


MOST_PIECES = 20_000
ANY_TIME = "of the last {:,} lines of the pipe, whatever their time: they do not say it"


class InputFile(NamedTuple):
    """A file as it was when it was opened: its name, how to open it again, and what tells that it is the same. ``kept``
    is what there is of a pipe.
    """

    name: str
    origin: str | Source
    identity: FileIdentity
    is_folder: bool = False
    kept: KeptLines | None = None


class CellQuestion(NamedTuple):
    """Which events of a picture are asked for: those that ended in [first, last), epoch microseconds of its axis, and
    took [low, high) seconds, of these series; ``known`` are the names of all series, and ``only`` is the filter.
    ``ending``: the share of those which took less than ``high``, of all that took ``low`` or more.
    """

    first: int | None
    last: int | None
    low: float
    high: float | None
    series: Collection[str]
    known: Container[str]
    only: Only = ()
    ending: float = 1.0


class EventSupplier(Protocol):
    """What knows the single events of a view: ``are_files`` that can be read again as a whole, a pipe, or only a
    sample of the events.
    """

    @property
    def are_files(self) -> bool: ...

    @property
    def is_sample(self) -> bool: ...

    def read(
        self, asked: CellQuestion, stop: StopRequest, on_progress: Callable[[str, int, int], object], /
    ) -> Iterator[EventsFound]: ...

    def alone(self, only: Only, /) -> FilteredInputs: ...


class EventInputs:
    """The files or pipes of a view. ``paths`` are the names under which files can be opened, empty where there is none;
    ``starts`` are when files begin that the user has said so of. Of pipes the last lines are kept from now on.
    """

    is_sample = False

    def __init__(self, sources: Sources, paths: Sequence[str], starts: Callable[[], Mapping[str, int]]) -> None:
        self._sources = sources
        self._starts = starts
        self._rings: dict[str, LastLines] = {}
        self._files: list[InputFile] = []
        for source, path in zip(sources.sources, paths, strict=True):
            if source.live:
                ring = self._rings[source.name] = LastLines(source.name)
                source.remember = ring.add
            else:
                identity = identity_of(source.descriptor)
                self._files.append(InputFile(source.name, path or source, identity, _is_folder(source.descriptor)))

    @property
    def are_files(self) -> bool:
        """Whether all of them can be read again as a whole."""
        return not self._rings

    def read(
        self, asked: CellQuestion, stop: StopRequest, on_progress: Callable[[str, int, int], object]
    ) -> Iterator[EventsFound]:
        """What is found in all inputs, time and again, and at last the complete answer, unless ``stop`` ended the
        reading. Inputs without single events are passed over if another has some.

        Raises what EventFile raises; NoSingleEvents if none has single events.
        """
        from .tally import EventTally

        files = [*self._files, *(self._kept(name, ring, stop) for name, ring in self._rings.items())]
        short = short_names([file.name for file in files]) if len(files) > 1 else {}
        sums: EventTally | None = EventTally() if len(files) > 1 else None
        found, refused, done = None, None, 0
        size = sum(file.identity.size for file in files)
        for one in files:
            try:
                with self._opened(one, on_progress, stop) as file:
                    question = self._question(asked, one, short.get(one.name, ""), has_clock=file.has_clock)
                    for part in file.read(question, earlier=sums):
                        found = _of_pipe(part, one.kept)._replace(done=done + part.done, size=size)
                        yield found._replace(is_complete=part.is_complete and one is files[-1])
                    sums = None if sums is None else file.tally
            except NoSingleEvents as none:
                refused = none
            if stop.is_set:
                return
            done += one.identity.size
        if found is None and refused is not None:
            raise refused
        if found is not None and refused is not None:
            yield found._replace(done=size, is_complete=True)

    def _kept(self, name: str, ring: LastLines, stop: StopRequest) -> InputFile:
        kept = ring.kept(stop)
        return InputFile(name, kept.source, identity_of(kept.source.descriptor), kept=kept)

    def _opened(self, file: InputFile, on_progress: Callable[[str, int, int], object], stop: StopRequest) -> EventFile:
        from .by_line import NO_EVENTS
        from .event_file import EventFile

        if file.is_folder:
            raise NoSingleEvents(NO_EVENTS.format(name=file.name))
        plan = self._sources.plan.afresh()
        return EventFile(file.origin, plan, Report(file.name), file.identity, on_progress, stop)

    def _question(self, asked: CellQuestion, file: InputFile, short: str, *, has_clock: bool) -> EventQuestion:
        plan = self._sources.plan.afresh()
        division = plan.division

        def is_shown(series: str, unit: Unit) -> bool:
            return series_of_events(series, unit, short, asked.known) in asked.series

        def wants(series: str, unit: Unit) -> bool:
            return plan.wants(series) and (division is not None or is_shown(series, unit))

        def is_wanted(sample: Sample) -> bool:
            if division is None:
                return True
            pair, _ = division.asked.pair(sample.series, sample.keys)
            return is_shown(division.known_as(pair), sample.unit)

        shift = self._sources.shifts.get(file.name, 0)
        # What is timed by its arrival has lost it.
        first, last = (asked.first, asked.last) if file.kept is None or has_clock else (None, None)
        return EventQuestion(first, last, asked.low, asked.high, wants, (), shift, asked.only, is_wanted)

    def alone(self, only: Only) -> FilteredInputs:
        """The intervals of the events that a filter leaves, to be read once more. Raises SourceError."""
        others = self._sources.once_more()
        others.read_source = partial(read_alone, {file.name: file for file in self._files}, only)
        return FilteredInputs(others, self._starts(), f"{only_text(only)} alone" if only else "all events")


def _of_pipe(found: EventsFound, kept: KeptLines | None) -> EventsFound:
    """An answer with the line numbers of the pipe, and what it covers."""
    if kept is None:
        return found
    lines = tuple(line._replace(number=kept.number_of(line.number)) for line in found.lines)
    note = kept.words if found.has_clock else ANY_TIME.format(kept.lines)
    return found._replace(lines=lines, note=note)


def _is_folder(descriptor: int) -> bool:
    return S_ISDIR(os.fstat(descriptor).st_mode)


def read_alone(
    files: Mapping[str, InputFile], only: Only, source: Source, plan: ReadPlan, report: Report
) -> Iterator[Interval]:
    """The events of a source that a filter leaves, as intervals; see ReadSource. ``files``: those that have been opened
    before, by name. Raises what EventFile raises.
    """
    from .event_file import EventFile

    known = files.get(source.name)
    origin, identity = (source, None) if known is None else (known.origin, known.identity)
    with EventFile(origin, plan, report, identity, source.progress, source.stop) as file:
        if file.day_is_guessed:
            plan.days_guessed.add(source.name)
        question = EventQuestion(wants=lambda series, _: plan.wants(series), only=only)
        is_empty = True
        for one in even(filter(None, _stoppable(file.intervals(question), source.stop)), file.width):
            is_empty = False
            yield one
    if is_empty and not plan.diagnosis.elsewhere:
        which = f"pylatencymap events {quote(source.name)} shows keys and values"
        plan.diagnosis.elsewhere = f"{source.name} has no event with {only_text(only)}: {which}"


def _stoppable(found: Iterator[Interval | None], stop: StopRequest) -> Iterator[Interval | None]:
    """What is found until a stop is asked for."""
    for one in found:
        if stop.is_set:
            return
        yield one


def even(intervals: Iterable[Interval], width: int) -> Iterator[Interval]:
    """The intervals; where nothing happened in any series for long, in pieces of ``width`` microseconds, or multiples
    of it where that would be too many. So columns are as long as those of all events.
    """
    for (start, end), group in groupby(intervals, lambda one: (one.start, one.end)):
        together = list(group)
        step = width * max(1, ceil((end - start) / (width * MOST_PIECES)))
        if end - start <= step or any(one.ranges or one.gap for one in together):
            yield from together
            continue
        for begin in range(start, end, step):
            last = min(begin + step, end)
            yield from (replace(one, start=begin, end=last, seconds=(last - begin) / 1e6) for one in together)


def reading_alone(only: Only) -> ReadSource:
    """How to read sources of which a filter leaves some events."""
    return partial(read_alone, {}, only)


class FilteredInputs:
    """Reads the inputs again, of which a filter leaves some events, and says how far it is."""

    def __init__(self, sources: Sources, starts: Mapping[str, int], what: str) -> None:
        self._sources = sources
        self._starts = starts
        self._what = what
        self._progress = ReadProgress(ignore_progress)
        for source in sources.sources:
            source.progress = self._note

    def intervals(self, take_batch: TakeBatch) -> Iterator[Interval]:
        """The intervals; none of them come as batches."""
        return self._sources.read(lambda _: None, take_batch, starts=self._starts)

    def _note(self, name: str, done: int, size: int) -> None:
        self._progress.read(os.path.basename(name), done, size)

    def progress(self) -> str:
        """What to say meanwhile."""
        return f"reading {self._what}: {self._progress.message() or 'the file is read again'}"

    def stop(self) -> None:
        """Read no further."""
        self._sources.stop.set()

    def close(self) -> None:
        """Close the files, after the last read; another thread can still ask it to stop."""
        for source in self._sources.sources:
            source.close()
