"""The inputs of a command: opens, reads and records them, and reports on them."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..errors import UsageError
from ..interval import Interval, record_of
from ..intervals import Batches, TakeBatch
from ..record import Event, Mark
from ..session import (
    NoticeQueue,
    SilenceTimer,
)
from ..session.input import (
    LOG_FORMAT,
    RECORDS,
    STDIN,
    Followed,
    FollowedLog,
    ReadPlan,
    ReadProgress,
    Source,
    Sources,
    events_of,
    ignore_progress,
    open_followed,
    open_path,
    source_of,
)
from ..text import parse_date
from ..text.clean import printable
from .option_values import FileRange, file_range
from .recording import begin_recording, flags_of, marks_of
from .standard_streams import print_notice, show_progress

if TYPE_CHECKING:
    from ..events import EventSupplier
    from ..recorder import Recorder
    from ..session import MarkFile, MarkList, PartReader
    from ..session.input import Excerpt
    from ..session.two_sides import Baseline


# ``--start FILE=TIME``: the beginning of files whose own times are missing or wrong.


EXAMPLE = "--start fio_lat.1.log='2026-01-31 10:00:00', or =1769853600"


def starts_of(words: Sequence[str], names: Sequence[str], tz: tzinfo | None) -> dict[str, int]:
    """Epoch microseconds by the names of the files, given as FILE=TIME; raises UsageError."""
    found: dict[str, int] = {}
    for word in words:
        file, equals, time = word.rpartition("=")
        meant = [name for name in names if file in (name, os.path.basename(name))]
        if not equals or len(meant) != 1:
            raise UsageError(f"--start {word}: write one of the files and a time, as in {EXAMPLE}")
        found[meant[0]] = _micros(word, time, tz)
    return found


def _micros(word: str, text: str, tz: tzinfo | None) -> int:
    try:
        moment = parse_date(text)
        seconds = (
            float(text) if moment is None else (moment if moment.tzinfo else moment.replace(tzinfo=tz)).timestamp()
        )
        return round(seconds * 1e6)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"--start {word}: {text!r} is no time; write a date or seconds of the epoch: {EXAMPLE}"
        ) from error


Produced = TypeVar("Produced")
ONE_BY_ONE = (
    "the record stream of several files at once cannot be told apart; {does} them one by one, or write one recording "
    "of all: pylatencymap export FILE... -o all.lmap"
)
PARTS = (
    "--record is for whole sources; pylatencymap convert writes the record stream of a folder, or of a part of the time"
)
WATCHES = (
    "--alert watches what comes: from a pipe, with --follow, or in a replay on a terminal; "
    "for files that are whole there is --once --fail-if"
)
NOTHING_APPENDED = "nothing is appended; the recorder has ended, or waits"
ONLY_FILES = "--only reads files of single events; save what comes through a pipe to a file first"
OWN_TIMES = "--start moves what is drawn or written as JSON lines; the record stream keeps the times of the text"


class Inputs(Sources):
    """The sources of one command. Messages are printed at once; while a live view has the terminal, it shows them as
    ``current_notice``, and ``close`` prints them.
    """

    def __init__(self, options: argparse.Namespace, plan: ReadPlan, *, hold_messages: bool = False) -> None:
        self._held = NoticeQueue()
        super().__init__(plan, self._held.add if hold_messages else print_notice, strict=bool(options.strict))
        self._until_shown = hold_messages and getattr(options, "plays", True)
        self.progress = ReadProgress(ignore_progress if hold_messages else show_progress)
        self.ask_to_end: Callable[[], object] = lambda: None
        self._start: list[str] = getattr(options, "start", [])
        self._options = options
        self._recording: Recorder | None = None
        self._mark_file: MarkFile | None = None
        self._followed: Followed | None = None
        self._paths: list[str] = []

    def open(self, paths: list[str], stdin: int = 0) -> None:
        """Open files; ``-`` is standard input, whose data are at the descriptor ``stdin``. The recording is opened
        last, so that a mistyped file name does not replace an older recording; the older one can also be an input.
        """
        records = getattr(self._options, "record", None)
        if records and len(paths) > 1:
            raise UsageError(ONE_BY_ONE.format(does="record"))
        if records and self._start:
            raise UsageError(OWN_TIMES)
        for path in paths or [STDIN]:
            self.add(self._opened(path, stdin))
            self._paths.append("" if path == STDIN else path)
        only = getattr(self._options, "only", [])
        if records and (self.takes_parts or only):
            raise UsageError(PARTS)
        if only:
            self._filter(only)
        if getattr(self._options, "alert", None) and not (self.live or self._followed or self._until_shown):
            raise UsageError(WATCHES)
        self.read_marks()
        self._recording = begin_recording(self._options, self._say)

    def _filter(self, only: list[str]) -> None:
        """Read only events with these values. Raises UsageError."""
        from ..events import parse_only, reading_alone

        if self.live or self._followed is not None:
            raise UsageError(ONLY_FILES)
        self.read_source = reading_alone(parse_only(only))

    def _opened(self, path: str, stdin: int) -> Source:
        if getattr(self._options, "follow", False):
            self._followed = open_followed(path, self.stop, self._say)
            usual = LOG_FORMAT if isinstance(self._followed, FollowedLog) else RECORDS
            self.plan = replace(self.plan, format=self.plan.format or usual)
            return self._followed
        return source_of("<stdin>", stdin, self.stop) if path == STDIN else open_path(path, self.stop)

    @property
    def live(self) -> bool:
        """Whether any source is a program: a followed recording is a file."""
        return self._followed is None and super().live

    def caught_up(self) -> bool:
        """Whether all that a followed recording had at first has been read."""
        return self._followed is not None and self._followed.caught_up

    def read_marks(self) -> None:
        """Read the file of ``--marks``, if there is this option. Call it before a program is started."""
        self._mark_file = marks_of(self._options, self._say)

    def hand_marks_to(self, marks: MarkList) -> None:
        """Add the marks of ``--marks`` to those of a picture."""
        if self._mark_file is not None:
            self._mark_file.hand_to(marks)

    def attach(self, name: str, descriptor: int, ask_to_end: Callable[[], object]) -> None:
        """Read the output of a program that we started; ``ask_to_end`` asks it to end at the first Ctrl-C."""
        self.ask_to_end = ask_to_end
        self.add(source_of(name, descriptor, self.stop))
        self._recording = begin_recording(self._options, self._say)

    def add(self, source: Source) -> None:
        """As Sources.add, with reports of the progress."""
        source.progress = self.progress.read
        super().add(source)

    @property
    def takes_all(self) -> bool:
        """Whether all of the sources is read, and not a part of the time."""
        return self.plan.takes_all and not self.takes_parts

    def heard(self) -> float:
        """Monotonic time at which data last arrived from a program, or were appended to a followed recording."""
        return max(source.heard for source in self.sources if source.live or source is self._followed)

    def begun(self) -> bool:
        """Whether any data have arrived from a program."""
        return any(source.begun for source in self.sources if source.live)

    def has_spoken(self) -> bool:
        """Whether every program has printed something that a collector recognises as its own; a followed recording
        need not.
        """
        return self._followed is not None or all(source.has_spoken for source in self.sources if source.live)

    def closing_notice(self) -> str:
        """The notice about the data in the final picture."""
        return next(iter([*self.plan.notices.values()]), "")  # the thread that reads may still add to them

    def silence_notice(self, usual_seconds: float) -> str:
        """The notice in a live view of files: the progress, or that nothing is appended to a followed recording, else
        the notice about the data.
        """
        if self.caught_up() and (silent := self._silence.silence_notice(usual_seconds)):
            return silent
        return self.progress.message(usual_seconds) or self.closing_notice()

    def stalled(self, usual_seconds: float) -> float:
        """For how many seconds a followed recording has not grown; 0 unless that is longer than usual."""
        return self._silence.stalled(usual_seconds) if self.caught_up() else 0.0

    @property
    def _silence(self) -> SilenceTimer:
        return SilenceTimer(self.heard, lambda: NOTHING_APPENDED)

    def waiting_notices(self) -> list[str]:
        """The messages that have come so far, to print them before the live view has the terminal."""
        return self._held.release()

    def current_notice(self) -> str:
        """The message that a live view shows now, with the file name without its folder."""
        message = self._held.current_notice()
        paths = (source.name for source in self.sources if message.startswith(f"{source.name}:"))
        path = next(paths, "")
        return os.path.basename(path) + message[len(path) :]

    def events(self) -> Iterator[Event]:
        """Resolved events of the only source; they are recorded as they pass."""
        if len(self.sources) > 1:
            raise UsageError(ONE_BY_ONE.format(does="convert"))
        if self._start:
            raise UsageError(OWN_TIMES)
        self.divide()
        if self.takes_parts or self.read_source is not None:
            yield from self._kept_events()
            return
        for event in self._with_progress(events_of(self.sources[0], self.plan, self.reports[0])):
            self._record(event)
            yield event

    def _kept_events(self) -> Iterator[Event]:
        """The intervals of the parts that are read as records, and the marks."""

        marks: list[Mark] = []
        for interval in self.intervals(marks.append):
            yield from marks
            marks.clear()
            yield record_of(interval)
        yield from marks

    def intervals(self, on_mark: Callable[[Mark], object], take_batch: TakeBatch | None = None) -> Iterator[Interval]:
        """As Sources.read; events are recorded as they pass."""
        tee, file = None if self._recording is None else self._record, self._mark_file
        if file is not None and take_batch is not None:
            take_batch = file.watching(take_batch)
        found = self._with_progress(self.read(on_mark, take_batch, starts=self._starts(), tee=tee))
        yield from found if file is None else file.watched(found)

    def part_again(self, begin: int, end: int) -> PartOfInputs:
        """The intervals of the same files between two moments (epoch microseconds), to be read once more. Raises
        SourceError.
        """
        return PartOfInputs(self.part(begin, end), self._starts())

    def event_inputs(self) -> EventSupplier:
        """What knows the single events of the inputs. Of pipes, the last lines are kept from now on; recordings have
        the waits that samples have seen.
        """
        from ..events import EventInputs
        from ..events.sampled import RecordedWaits, is_recording

        paths = self._paths or [""] * len(self.sources)
        if self._followed is not None or all(map(is_recording, paths)):
            return RecordedWaits(paths, self.plan.time.tz, lambda: self.shifts)
        return EventInputs(self, paths, self._starts)

    def intervals_by_excerpt(
        self, excerpts: Sequence[Excerpt | None], on_mark: Callable[[int, Mark], object]
    ) -> Iterator[tuple[int, Interval | Batches]]:
        """As Sources.read_excerpts, with reports of the progress."""
        return self._with_progress(self.read_excerpts(excerpts, on_mark, starts=self._starts()))

    def _starts(self) -> dict[str, int]:
        """The beginnings of files that ``--start`` gives, by file name."""
        if not self._start:
            return {}

        return starts_of(self._start, [source.name for source in self.sources], self.plan.time.tz)

    def keep(self, mark: Mark) -> None:
        """Record a mark that the user has made."""
        self._record(mark)

    def close(self) -> None:
        """Finish the recording, and print the messages that waited."""
        if self._recording is not None:
            self._recording.close()
        for message in self._held.release():
            print_notice(message)

    def _with_progress(self, found: Iterator[Produced]) -> Iterator[Produced]:
        """Report the progress of reading until all is read; if it is played, until there is something to show."""
        try:
            for one in found:
                if self._until_shown:
                    self.progress.over()
                yield one
        finally:
            self.progress.over()

    def recording_flags(self) -> tuple[str, ...]:
        """What the title says about the recording: nothing while all is recorded."""
        return flags_of(self._recording)

    def _record(self, event: Event) -> None:
        if self._recording is not None:
            self._recording.event(event)


MERGED = "memory holds it merged"


class PartOfInputs:
    """Reads a part of the inputs again, or other inputs, beside the view, and says how far it is."""

    def __init__(
        self, sources: Sources, starts: dict[str, int], what: str = "reading this part again", idle: str = MERGED
    ) -> None:
        self._sources = sources
        self._what = what
        self._idle = idle
        self._starts = starts
        self._progress = ReadProgress(ignore_progress)
        for source in sources.sources:
            source.progress = self._read

    def _read(self, name: str, done: int, size: int) -> None:
        self._progress.read(os.path.basename(name), done, size)

    def intervals(self, take_batch: TakeBatch) -> Iterator[Interval]:
        """The intervals; batches can go to ``take_batch`` instead."""
        return self._sources.read(lambda _: None, take_batch, starts=self._starts)

    def progress(self) -> str:
        """What to say meanwhile."""
        message = self._progress.message() or self._idle
        return f"{self._what}: {message}" if message else self._what

    def stop(self) -> None:
        """Read no further."""
        self._sources.stop.set()

    def close(self) -> None:
        """Close the files, after the last read; another thread can still ask it to stop."""
        for source in self._sources.sources:
            source.close()


# ``--baseline FILE``: another recording, with which the view compares what it shows.


def baseline_of(options: argparse.Namespace, tz: tzinfo) -> Baseline | None:
    """The baseline that the options name; None if they name none. It is recognised by itself: options about how the
    other input is read do not apply. Its times are in the zone ``tz``. Raises SourceError if it cannot be opened.
    """
    word = getattr(options, "baseline", None)
    if word is None:
        return None
    from ..session.two_sides import SHARE, Baseline

    which = file_range(word)
    name = printable(os.path.basename(which.path) or which.path, 40)
    return Baseline(word, name, partial(_opened, which, tz), SHARE * options.history_mb)


def _opened(which: FileRange, tz: tzinfo) -> PartReader:
    """What reads it. Of what is wrong with its records nothing is said but how many there are."""
    from ..session.input import Excerpt

    plan = ReadPlan()
    plan = replace(plan, time=plan.time._replace(tz=tz))
    if which.since is not None or which.until is not None:
        plan = replace(plan, excerpt=Excerpt(which.since, which.until, tz, time.time()))
    sources = Sources(plan, lambda _: None)
    sources.add(open_path(which.path, sources.stop))
    return PartOfInputs(sources, {}, f"B: reading {printable(which.word, 60)}", idle="")
