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
from ...recorder import Segment, runs_within, segments_in
from ...report import Report
from ...stream import is_end
from ...text import file_chunks, gunzip
from ...text.clean import printable
from ...text.lines import Line, split_lines
from ...units import Unit
from .pipeline import OnMark, ReadPlan, intervals_from
from .several_files import by_unit, gap_before
from .source import CUT_OFF, DAMAGED, FileReader, Source, StopRequest, open_source

RECORDS = "records"
"""The collector that reads segments."""
LEAST_GAP = 0.1
"""A dead time shorter than this part of the next interval is a matter of rounding."""


def open_path(path: str, stop: StopRequest) -> Source:
    """A file, a pipe or a recorded folder as a source; ``-`` is standard input. Raises SourceError."""
    if not os.path.isdir(path):
        return open_source(path, stop)
    try:
        found = segments_in(path)
        if not found:
            raise SourceError(f"{path} is a folder; name the files in it")
        return RecordedFolder(path, os.open(path, os.O_RDONLY), found, stop).own()
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened: {error.strerror}") from error


class RecordedFolder(Source):
    """The segments of a folder. ``descriptor`` is that of the folder."""

    def __init__(self, path: str, descriptor: int, segments: list[Segment], stop: StopRequest) -> None:
        super().__init__(printable(path), descriptor, live=False, modified=None, stop=stop)
        self._segments = segments

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
    ) -> Iterator[Interval]:
        """The intervals of all segments with anything between two moments (epoch microseconds), as one history."""
        runs = runs_within(self._segments, *bounds)
        plan = replace(plan, format=RECORDS)
        total = sum(_size(one) for segments in runs for one in segments)
        history, done = _OneHistory(self.name, report), 0
        for segments in runs:
            source = _RunSource(self, segments, report, partial(self._progress, done, total))
            yield from history.run(intervals_from(source, plan, report, on_mark))
            done += sum(map(_size, segments))
        report.name = self.name

    def _progress(self, before: int, total: int, done: int) -> None:
        self.progress(self.name, before + done, total)


class _RunSource(Source):
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

    def lines(self, bad: Callable[[int, str], object] = lambda _line, _what: None) -> Iterator[Line | None]:
        """The lines of all segments; a segment that is damaged costs what follows in it."""
        done = 0
        for segment in self._segments:
            self._report.name = printable(str(segment.path))
            descriptor = self._opened(segment, bad)
            if descriptor is None:
                continue
            last = Line(0, "")
            try:
                for line in self._lines_of(descriptor, done, bad, lambda: last.text):  # noqa: B023
                    last = line
                    yield line
            except OSError as error:
                bad(last.number + 1, f"{error.strerror or error}; what follows in this segment is lost")
            finally:
                done += os.fstat(descriptor).st_size
                os.close(descriptor)

    def _opened(self, segment: Segment, bad: Callable[[int, str], object]) -> int | None:
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

    def _lines_of(
        self, descriptor: int, before: int, bad: Callable[[int, str], object], last_text: Callable[[], str]
    ) -> Iterator[Line]:
        """The lines of one segment. One that ends after a whole record is being written, or its recorder was killed:
        it is complete as far as anyone knows.
        """
        broken: list[int] = []
        reader = FileReader(descriptor, lambda done: self._on_progress(before + done))
        for line in split_lines(gunzip(file_chunks(reader), broken.append, lambda line: bad(line, DAMAGED))):
            if self.stop.is_set:
                return
            if line is not None:
                yield line
        if broken and last_text() and not is_end(last_text()) and not last_text().startswith("#"):
            bad(broken[0], CUT_OFF)


def _size(segment: Segment) -> int:
    with suppress(OSError):
        return segment.path.stat().st_size
    return 0


class _OneHistory:
    """Puts runs of the recorder one after the other: the dead time between them is a gap in every series."""

    def __init__(self, name: str, report: Report) -> None:
        self._name = name
        self._report = report
        self._last: dict[str, Interval] = {}
        self._units: dict[str, Unit] = {}
        self._end = 0

    def run(self, intervals: Iterator[Interval]) -> Iterator[Interval]:
        """The intervals of the next run, with the gaps before them."""
        first = next(intervals, None)
        if first is None:
            return
        before, shift = self._end, self._shift(first)
        yield from self._dead_time(self._placed(first, shift, before))
        going_on = set(self._last)
        for interval in chain((first,), intervals):
            placed = self._placed(by_unit(interval, self._units), shift, before)
            if placed.series in going_on:
                going_on.discard(placed.series)
                yield from self._gap(placed.series, placed)
            self._last[placed.series] = placed
            self._end = max(self._end, placed.end)
            yield placed

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
