"""Reads the record stream: splits it into records, extension lines and marks."""

from collections.abc import Iterator

from ..record import Event, Mark, Record, Semantics, Tick
from ..report import Report
from ..text.lines import Line, Lines
from .assembler import RecordAssembler
from .extension import NO_EXTENSION, EmptySnapshot, Extension, parse_extension
from .record_text import read_record_text
from .rounds import Rounds
from .running_sums import RunningKey
from .syntax import REPEATED, extension_of, is_begin, is_end


def read_stream(lines: Lines, report: Report) -> Iterator[Event]:
    """The records and marks of a record stream, each as soon as its last line is read; where a recording says that its
    times are final, also the ticks of its snapshots.

    Text between records is ignored. Bad lines and unfinished records are reported and skipped; nothing else is lost.
    """
    reader = StreamReader(report)
    yield from reader.events(filter(None, lines))
    reader.end()


class StreamReader:
    """Reads a record stream, in one piece or in several.

    ``is_within``: a record has begun, so that the next line is asked for to find its end. ``running`` and ``snapshots``
    are its accounts of running sums and of snapshots with final times.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._assembler = RecordAssembler(report)
        self.running = self._assembler.running
        self.snapshots = FinalSnapshots()
        self._between = _Between(report, self.snapshots)
        self._said: dict[str, tuple[str, str]] = {}
        self._had: set[RunningKey] = set()
        self.is_within = False

    @property
    def is_clear(self) -> bool:
        """Whether nothing that was read says anything about the record that follows."""
        return not (self.is_within or self._between.is_pending)

    def events(self, stream: Iterator[Line]) -> Iterator[Event]:
        """The records, marks and ticks of these lines. If they end within a record, that is reported."""
        again: Line | None = None
        while (line := again or next(stream, None)) is not None:
            again = None
            event: Event | None
            if is_begin(line.text):
                extension, self.is_within = self._between.extension(), True
                block, again = read_record_text(stream, line, self._report, self._said)
                self.is_within = False
                event = self._assembler.record(block, extension) if block else None
                self.snapshots.said(extension)
                if event is not None and _is_repetition(event, self._had):
                    continue
                if event is not None and (tick := self.snapshots.tick(event, extension)) is not None:
                    yield tick
            else:
                event = self._between.line(line)
            if event is not None:
                yield event

    def end(self) -> None:
        """The text is over."""
        self._between.end()


def _is_repetition(record: Record, had: set[RunningKey]) -> bool:
    """Whether a record repeats one that this stream had already. ``had``: the series so far; this one is added."""
    key = (record.series, record.unit)
    if key in had:
        return REPEATED in record.flags
    had.add(key)
    return False


class FinalSnapshots:
    """The snapshots of a recording whose times are final: when each ended, and how long the source was silent before.

    The first of them can follow another text, or a time in which nothing could be recorded. What lies before it is not
    known, so that it is judged like one of any other text.
    """

    def __init__(self) -> None:
        self._rounds: Rounds | None = None
        self._is_first = False

    def said(self, extension: Extension) -> None:
        """The extension of a record, whether or not it comes to a record."""
        if extension.final:
            self._rounds, self._is_first = self._rounds or Rounds(), True

    @property
    def rounds(self) -> Rounds | None:
        """The rounds of a text whose times are final, once its first snapshot has begun; else None."""
        return None if self._is_first else self._rounds

    @property
    def are_final(self) -> bool:
        """Whether the text has said that its times are final."""
        return self._rounds is not None

    def tick(self, record: Record, extension: Extension) -> Tick | None:
        """The tick of a snapshot that begins with this record."""
        rounds, stamp = self._rounds, record.stamp
        if rounds is None or stamp is None:
            return None
        made, key = None, (record.series, record.unit)
        if not rounds.is_within(stamp):
            part = rounds.seems_part(key) if extension.part is None else extension.part
            rounds.begin(stamp, part)
            since, until = extension.silent or (None, None)
            made = Tick(
                stamp,
                record.arrival,
                record.line,
                start=record.start if record.semantics is Semantics.INTERVAL else None,
                silent_since=since,
                silent_until=until,
                implied=True,
                joins=part,
                kept=not self._is_first or since is not None,
            )
        self._is_first = False
        rounds.add(key)
        return made

    def empty(self, snapshot: EmptySnapshot, line: int) -> Tick | None:
        """The tick of a snapshot without records; None in a text whose times are not known to be final."""
        if self._rounds is None:
            return None
        self._rounds.begin(snapshot.stamp, snapshot.part)
        since, until = snapshot.silent or (None, None)
        return Tick(
            snapshot.stamp,
            line=line,
            start=snapshot.start,
            silent_since=since,
            silent_until=until,
            implied=True,
            joins=snapshot.part,
            kept=True,
        )


class _Between:
    """Reads the lines between records: extension lines, and those that stand alone; ignores everything else."""

    def __init__(self, report: Report, snapshots: FinalSnapshots) -> None:
        self._report = report
        self._snapshots = snapshots
        self._pending: Extension | None = None
        self._pending_line = 0

    @property
    def is_pending(self) -> bool:
        """Whether an extension line waits for its record."""
        return self._pending is not None

    def line(self, line: Line) -> Event | None:
        json_text = extension_of(line.text)
        if json_text is not None:
            return self._extension_line(line.number, json_text)
        if is_end(line.text):
            self._report.bad(line.number, "<end record> without <begin record>; what was before it is lost")
        return None

    def extension(self) -> Extension:
        """The extension for the record that begins now."""
        pending, self._pending = self._pending, None
        return pending or NO_EXTENSION

    def end(self) -> None:
        """No record follows: report an extension line that still waits for one."""
        if self._pending is not None:
            self._report.bad(self._pending_line, "an #lmap line without its record")
            self._pending = None

    def _extension_line(self, number: int, text: str) -> Event | None:
        try:
            parsed = parse_extension(text)
        except ValueError as error:
            self._report.bad(number, f"{error}; the line is skipped")
            return None
        if isinstance(parsed, Mark):
            return parsed
        if isinstance(parsed, EmptySnapshot):
            return self._snapshots.empty(parsed, number)
        self.end()
        self._pending, self._pending_line = parsed, number
        return None
