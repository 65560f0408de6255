"""A folder with an always-on recording, read as one history: only the segments that are needed are opened.

The segments of one run of the recorder are read one after the other, as one text. Between two runs nothing is known:
counts of one are never subtracted from those of another, and the time between them is a gap.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from ...errors import SourceError
from ...interval import Interval
from ...intervals import Batches, one_by_one
from ...recorder import Segment, runs_within, segments_in
from ...report import Report
from ...stream import is_end
from ...text import CUT_OFF, TORN, Broken, FileReader, decompress, file_chunks, said_in_turn
from ...text.clean import printable
from ...text.lines import MAX_LINE, Line, line_of, split_lines
from ...units import Unit
from .archived.parquet_source import parquet_source
from .pipeline import OnMark, ReadPlan, batches_from
from .rolled.log import open_rolled
from .several_files import by_unit, gap_before
from .source import USUAL_COMPRESSION, Source, StopRequest, open_source

RECORDS = "records"
"""The collector that reads segments."""
MOST_OF_LINE = 4 * MAX_LINE
"""Bytes of a line that are kept to see what it is."""
LEAST_GAP = 0.1
"""A dead time shorter than this part of the next interval is a matter of rounding."""


def open_path(path: str, stop: StopRequest) -> Source:
    """A file, a pipe, a recorded folder, a rolled log or Parquet as a source; ``-`` is standard input. Raises
    SourceError.
    """
    if (log := open_rolled(path, stop)) is not None:
        return log
    try:
        found = segments_in(path) if os.path.isdir(path) else []
        if found:
            return RecordedFolder(path, os.open(path, os.O_RDONLY), found, stop).own()
        tables = parquet_source(path, stop) if os.path.exists(path) else None
        if tables is not None:
            return tables
    except (OSError, ValueError):
        return open_source(path, stop)  # which says what is wrong
    if os.path.isdir(path):
        raise SourceError(f"{path} is a folder; name the files in it")
    return open_source(path, stop)


class RecordedFolder(Source):
    """The segments of a folder. ``descriptor`` is that of the folder."""

    def __init__(self, path: str, descriptor: int, segments: list[Segment], stop: StopRequest) -> None:
        super().__init__(printable(path), descriptor, live=False, modified=None, stop=stop)
        self._segments = segments

    def again(self, stop: StopRequest) -> Source:
        """The same segments once more."""
        return RecordedFolder(self.name, os.dup(self.descriptor), self._segments, stop).own()

    @property
    def size(self) -> int | None:
        """None: its bytes are not those of the folder."""
        return None

    def span(self) -> tuple[int, int]:
        """Epoch microseconds at which the recording begins, and up to which it was written."""
        ends = [self._segments[-1].named]
        with suppress(OSError):
            ends.append(self._segments[-1].path.stat().st_mtime)
        begins = (one.named * 1e6 if one.begin is None else one.begin for one in self._segments)
        return round(min(begins)), round(max(ends) * 1e6)

    def intervals(
        self, plan: ReadPlan, report: Report, on_mark: OnMark, bounds: tuple[int | None, int | None]
    ) -> Iterator[Interval | Batches]:
        """The intervals of all segments with anything between two moments (epoch microseconds), as one history; some
        one by one, others in batches.
        """
        runs = runs_within(self._segments, *bounds)
        total = sum(_size(one) for segments in runs for one in segments)
        history, done = self.history(report), 0
        for segments in runs:
            source = RunSource(self, segments, report, partial(self._progress, done, total))
            yield from history.run(self.run_intervals(source, plan, report, on_mark))
            done += sum(map(_size, segments))
        report.name = self.name

    def history(self, report: Report) -> OneHistory:
        """What puts the runs of this folder one after the other."""
        return OneHistory(self.name, report)

    def run_intervals(
        self, source: RunSource, plan: ReadPlan, report: Report, on_mark: OnMark
    ) -> Iterator[Interval | Batches]:
        """The intervals of one run, some one by one, others in batches."""
        return batches_from(source, replace(plan, format=RECORDS), report, on_mark)

    def _progress(self, before: int, total: int, done: int) -> None:
        self.progress(self.name, before + done, total)


class RunSource(Source):
    """The text of the segments of one run. Messages about it name the segment."""

    def __init__(
        self, folder: RecordedFolder, segments: list[Segment], report: Report, progress: Callable[[int], object]
    ) -> None:
        modified = segments[-1].named
        super().__init__(folder.name, folder.descriptor, live=False, modified=modified, stop=folder.stop)
        self._segments = segments
        self._report = report
        self._on_progress = progress

    @property
    def size(self) -> int | None:
        return None

    def lines(self, bad: Broken = lambda _line, _what: None) -> Iterator[Line | None]:
        """The lines of all segments; a segment that is damaged costs what follows in it."""
        for pieces in self.texts(bad):
            yield from split_lines(piece for piece in pieces if piece or piece is TORN)

    @property
    def text_bytes(self) -> int:
        return sum(map(_size, self._segments)) * USUAL_COMPRESSION

    def texts(self, bad: Broken) -> Iterator[Iterator[bytes]]:
        """The bytes of all segments, each a text of its own."""
        for descriptor, done in self._each_opened(bad):
            yield self._pieces_of(descriptor, done, bad)

    def _each_opened(self, bad: Broken) -> Iterator[tuple[int, int]]:
        """A descriptor of each segment, open until the next one is asked for, and the bytes of those before it.
        Messages then name that segment.
        """
        done = 0
        for segment in self._segments:
            self._report.name = printable(str(segment.path))
            descriptor = self._opened(segment, bad)
            if descriptor is None:
                continue
            try:
                yield descriptor, done
            finally:
                done += os.fstat(descriptor).st_size
                os.close(descriptor)

    def _pieces_of(self, descriptor: int, before: int, bad: Broken) -> Iterator[bytes]:
        """The bytes of one segment. One that ends after a whole record is being written, or its recorder was killed: it
        is complete as far as anyone knows.
        """
        reader, tail = FileReader(descriptor, lambda done: self._on_progress(before + done)), _Tail()

        def read(say: Broken) -> Iterator[bytes | None]:
            return decompress(file_chunks(reader), partial(self._breaks, tail, say, bad))

        try:
            for piece in said_in_turn(read, bad):
                if self.stop.is_set:
                    return
                tail.add(piece)
                yield piece
        except OSError as error:
            yield from (b"", TORN)
            bad(tail.lines + 1, f"{error.strerror or error}; what follows in this segment is lost")

    def _breaks(self, tail: _Tail, say: Broken, bad: Broken, line: int, why: str) -> None:
        """Say why a segment breaks off. The decoder counts a record that it breaks off in."""
        if not tail.is_within_record:
            if why is not CUT_OFF or tail.was_torn:
                say(line, str(why))
        elif bad == self._report.bad:
            self._report.note(line, why)

    def _opened(self, segment: Segment, bad: Broken) -> int | None:
        try:
            descriptor = os.open(segment.path, os.O_RDONLY | os.O_NONBLOCK)
        except FileNotFoundError:
            return None  # --keep has removed it meanwhile
        except OSError as error:
            bad(1, f"cannot be opened: {error.strerror}")
            return None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            return None
        return descriptor


class _Tail:
    """The last whole line of a text that comes in pieces, and the number of its whole lines. ``was_torn``: more than
    that was there, but it broke off within a line.
    """

    def __init__(self) -> None:
        self.lines = 0
        self.was_torn = False
        self._line = self._begun = b""

    def add(self, piece: bytes) -> None:
        """The next piece."""
        if piece is TORN:
            self.was_torn, self._begun = bool(self._begun), b""
            return
        whole, feed, begun = (self._begun + piece).rpartition(b"\n")
        if feed:
            self.lines += piece.count(b"\n")
            self._line = whole[whole.rfind(b"\n") + 1 :]
        self._begun = begun[:MOST_OF_LINE]

    @property
    def is_within_record(self) -> bool:
        """Whether the last whole line is one within a record."""
        last = line_of(self._line[:MOST_OF_LINE])
        return bool(last) and not is_end(last) and not last.startswith("#")


def _size(segment: Segment) -> int:
    with suppress(OSError):
        return segment.path.stat().st_size
    return 0


class OneHistory:
    """Puts runs of the recorder one after the other: the dead time between them is a gap in every series."""

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._last: dict[str, Interval] = {}
        self._units: dict[str, Unit] = {}
        self._end = 0

    def run(self, found: Iterator[Interval | Batches]) -> Iterator[Interval | Batches]:
        """The intervals of the next run, with the gaps before them."""
        begin = next(found, None)
        if begin is None:
            return
        first, *others = one_by_one([begin])
        before, shift = self._end, self._shift(first)
        yield from self._dead_time(self._placed(first, shift, before))
        going_on = set(self._last)
        for part in chain((first, *others), found):
            if isinstance(part, Batches) and not shift and self._goes_on(part, going_on, before):
                yield part
                continue
            for interval in one_by_one([part]):
                placed = self._placed(by_unit(interval, self._units), shift, before)
                if placed.series in going_on:
                    going_on.discard(placed.series)
                    yield from self._gap(placed.series, placed)
                self._last[placed.series] = placed
                self._end = max(self._end, placed.end)
                yield placed

    def _goes_on(self, batches: Batches, going_on: set[str], before: int) -> bool:
        """Whether intervals stay as they are: each series has had its first one in this run. Then they are noted."""
        if int(batches.starts.min()) < before:
            return False
        last = batches.last_of_each()
        if any(by_unit(one, self._units) is not one or one.series in going_on for one in last):
            return False
        self._last.update((one.series, one) for one in last)
        self._end = max(self._end, int(batches.ends.max()))
        return True

    def _dead_time(self, first: Interval) -> Iterator[Interval]:
        """The gap of every series up to the first interval of a run."""
        for series in list(self._last):
            yield from self._gap(series, first)

    def _gap(self, series: str, following: Interval) -> Iterator[Interval]:
        """The gap of a series up to an interval; none if that follows at once."""
        last = self._last[series]
        if following.start - last.end > LEAST_GAP * (following.end - following.start):
            gap = gap_before(replace(last, start=following.start), last.end)
            self._last[series] = gap
            yield gap

    def _shift(self, first: Interval) -> int:
        """How far a run is moved, in microseconds: not at all, unless the clock went back before it."""
        if first.end > self._end or not first.clock:
            return 0
        shift = self._end - first.start
        self._report.say(f"{self._name}: the clock went back by {shift / 1e6:.0f} s; the time axis goes on")
        return shift

    def _placed(self, interval: Interval, shift: int, before: int) -> Interval:
        """An interval moved by ``shift``. One that began before the end of the last run begins there."""
        start, end = interval.start + shift, interval.end + shift
        if start < before < end:
            start = before
        if (start, end) == (interval.start, interval.end):
            return interval
        return replace(interval, start=start, end=end)
