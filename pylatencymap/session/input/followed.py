"""Recordings, and logs of Spark, that are being written: what is there is read, and then what is appended, as it comes.

Times are those of the recording. A folder of the always-on recorder is followed from segment to segment, and from one
run of the recorder to the next.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TypeAlias

from ...errors import SourceError, UsageError
from ...interval import Interval
from ...intervals import Batches
from ...recorder import Segment, runs_within, segments_in
from ...report import Report
from ...text import Broken, decompress, is_plain
from ...text.clean import printable
from ...text.lines import Line, split_lines
from .pipeline import OnMark, ReadPlan
from .recorded_folder import RecordedFolder, RunSource
from .rolled.followed_log import IN_PROGRESS, FollowedLog
from .rolled.growth import CHUNK, POLL_SECONDS, FileGrowth, FollowedSource, GrowingSource, OpenedFile
from .rolled.log import rolled_files
from .source import STDIN, USUAL_COMPRESSION, Source, StopRequest, open_source

RECORDINGS = ("#lmap", "#segment", "<begin record>")
"""How the first line of a recording begins."""
LOG = '{"Event":"SparkListener'
"""How a line of an event log of Spark begins."""
Followed: TypeAlias = "FollowedFile | FollowedFolder | FollowedLog"
_LOST = "{}; what follows in this segment is lost"


class FollowedFile(FollowedSource):
    """A recording in one file, plain or gzip. A file that is truncated, or replaced by another one of its name, is read
    from its beginning, and ``say`` is told.
    """

    def __init__(self, path: str, opened: Source, say: Callable[[str], object]) -> None:
        super().__init__(opened.name, opened)
        self._path = path
        self._say = say
        self._gone = False

    def lines(self, bad: Broken = lambda _line, _what: None) -> Iterator[Line | None]:
        """All lines, and those that will be appended, until a stop is requested. Raises SourceError."""
        try:
            for file in self._each_opened():
                yield from self._growth.lines(self, file, bad)
        except OSError as error:
            raise self._unreadable(error) from error

    @property
    def text_bytes(self) -> int:
        """About how many bytes of text there are now."""
        descriptor = self._opened.descriptor
        size = os.fstat(descriptor).st_size
        return size if is_plain(os.pread(descriptor, 4, 0)) else size * USUAL_COMPRESSION

    def texts(self, bad: Broken) -> Iterator[Iterable[bytes]]:
        """As ``lines``, the bytes: those of each file of this name are a text of its own."""
        for file in self._each_opened():
            yield self._pieces_of(file, bad)

    def _pieces_of(self, file: OpenedFile, bad: Broken) -> Iterator[bytes]:
        try:
            yield from self._growth.pieces(self, file, bad)
        except OSError as error:
            yield b""
            raise self._unreadable(error) from error

    def _each_opened(self) -> Iterator[OpenedFile]:
        """Each file that gets this name. It is over when the name is no longer its own."""
        while not self.stop.is_set:
            descriptor = self._opened.descriptor
            yield OpenedFile(descriptor, partial(self._is_other, descriptor), self._on_read)
            self._open_again()

    def _on_read(self, done: int) -> None:
        if not self.caught_up:
            self.progress(self.name, done, os.fstat(self._opened.descriptor).st_size)

    def _is_other(self, descriptor: int, read: int) -> bool:
        """Whether the file is no longer the one that has been read."""
        here = os.fstat(descriptor)
        if here.st_size < read:
            self._say(f"{self.name} was truncated: what is written from now on is read")
            return True
        try:
            named = os.stat(self._path)
        except OSError:
            if not self._gone:
                self._gone = True
                self._say(f"{self.name} was removed: a new file of this name will be read")
            return False
        if (named.st_dev, named.st_ino) == (here.st_dev, here.st_ino):
            return False
        self._say(f"{self.name} was replaced: the new file is read")
        return True

    def _open_again(self) -> None:
        """Open the file that has this name now, as soon as there is one."""
        while not self.stop.is_set:
            try:
                following = open_source(self._path, self.stop)
            except SourceError:
                self.stop.pause(POLL_SECONDS)
                continue
            self._opened.close()
            self._opened, self._gone = following, False
            return


class FollowedFolder(RecordedFolder):
    """A folder into which a recorder writes."""

    def __init__(self, path: str, descriptor: int, segments: list[Segment], stop: StopRequest) -> None:
        super().__init__(path, descriptor, segments, stop)
        self._path = path
        self._growth = FileGrowth()

    @property
    def caught_up(self) -> bool:
        """Whether all that was there has been read."""
        return self._growth.caught_up

    def intervals(
        self, plan: ReadPlan, report: Report, on_mark: OnMark, bounds: tuple[int | None, int | None]
    ) -> Iterator[Interval | Batches]:
        """The intervals of all runs of the recorder, and of those that will begin; see RecordedFolder."""
        history, read = self.history(report), set[str]()
        while not self.stop.is_set:
            segments = self._next_run(bounds, read)
            if not segments:
                self._growth.caught_up = True
                self.stop.pause(POLL_SECONDS)
                continue
            read.add(segments[0].run)
            source = _FollowedRun(self, segments, report, self._growth, self._newer)
            yield from history.run(self.run_intervals(source, plan, report, on_mark))

    def again(self, stop: StopRequest) -> Source:
        """The segments that there are now."""
        return RecordedFolder(self.name, os.dup(self.descriptor), self._found(), stop).own()

    def _next_run(self, bounds: tuple[int | None, int | None], read: set[str]) -> list[Segment]:
        """The segments of the first run that has not been read; empty if there is none."""
        return next((run for run in runs_within(self._found(), *bounds) if run[0].run not in read), [])

    def _found(self) -> list[Segment]:
        with suppress(OSError):
            return segments_in(self._path)
        return []

    def _newer(self, than: Segment) -> list[Segment]:
        """The segments that were begun after another one."""
        with suppress(OSError):
            if max(os.listdir(self._path)) <= than.path.name:
                return []
        return [one for one in self._found() if one.path.name > than.path.name]


class _FollowedRun(GrowingSource, RunSource):
    """The text of a run that may go on."""

    def __init__(
        self,
        folder: FollowedFolder,
        segments: list[Segment],
        report: Report,
        growth: FileGrowth,
        newer: Callable[[Segment], list[Segment]],
    ) -> None:
        super().__init__(folder, segments, report, lambda _: None)
        self.live, self.monotonic, self.in_runs = True, folder.monotonic, not growth.caught_up
        self._folder = folder
        self._waiting = segments
        self._growth = growth
        self._newer = newer

    def lines(self, bad: Broken = lambda _line, _what: None) -> Iterator[Line | None]:
        """The lines of all segments, and of those that follow, until another run begins."""
        for file in self._each_growing(bad):
            try:
                yield from self._growth.lines(self, file, bad)
            except OSError as error:
                bad(1, _LOST.format(error.strerror or error))

    def texts(self, bad: Broken) -> Iterator[Iterator[bytes]]:
        """As ``lines``, the bytes: those of each segment are a text of its own."""
        for file in self._each_growing(bad):
            yield self._pieces_of_file(file, bad)

    def _pieces_of_file(self, file: OpenedFile, bad: Broken) -> Iterator[bytes]:
        try:
            yield from self._growth.pieces(self, file, bad)
        except OSError as error:
            yield b""
            bad(1, _LOST.format(error.strerror or error))

    def _each_growing(self, bad: Broken) -> Iterator[OpenedFile]:
        """Each segment, open until the next one is asked for. It is over when another follows it. Messages name the
        segment that is open.
        """
        while self._waiting and not self.stop.is_set:
            segment = self._waiting.pop(0)
            self._report.name = printable(str(segment.path))
            descriptor = self._opened(segment, bad)
            if descriptor is None:
                continue
            try:
                yield OpenedFile(descriptor, partial(self._is_over, segment), self._on_read)
            finally:
                os.close(descriptor)

    def _on_read(self, _: int) -> None:
        self._folder.heard = self.heard

    def _is_over(self, segment: Segment, _: int) -> bool:
        """Whether a segment is followed by another one, of its run or of the next."""
        if self._waiting:
            return True
        newer = self._newer(segment)
        self._waiting = [one for one in newer if one.run == segment.run]
        return bool(newer)


def open_followed(path: str, stop: StopRequest, say: Callable[[str], object]) -> Followed:
    """A file or a folder that is being recorded into, or the log of an application of Spark. Raises SourceError, or
    UsageError for what cannot be followed.
    """
    if path == STDIN:
        raise UsageError("--follow -: a pipe is read as it comes anyway; leave out --follow")
    if os.path.isdir(path):
        return _followed_folder(path, stop)
    opened = open_source(path, stop)
    if not stat.S_ISREG(os.fstat(opened.descriptor).st_mode):
        opened.close()
        raise UsageError(f"--follow {path}: what is no file is read as it comes anyway; leave out --follow")
    first = _first_line(opened)
    if first.startswith(LOG) or (path.endswith(IN_PROGRESS) and not first):
        return FollowedLog(path, opened)
    if not first or first.startswith(RECORDINGS):
        return FollowedFile(path, opened, say)
    opened.close()
    name = opened.name
    raise UsageError(f"--follow {name}: it is no recording; for other text: tail -n +1 -f {name} | pylatencymap")


def _followed_folder(path: str, stop: StopRequest) -> FollowedFolder | FollowedLog:
    try:
        if log := rolled_files(path):
            return FollowedLog(path, open_source(log[-1], stop))
        found = segments_in(path)
        if not found:
            raise SourceError(f"{path} is a folder without a recording; --follow takes a file, or a folder of --record")
        folder = FollowedFolder(path, os.open(path, os.O_RDONLY), found, stop)
        folder.own()
        return folder
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened: {error.strerror}") from error


def _first_line(opened: Source) -> str:
    """The first line of a file that is not empty, if it is complete; else nothing."""
    head = decompress([os.pread(opened.descriptor, CHUNK, 0)])
    first = next((line for line in split_lines(chain(head)) if line is not None and line.text.strip()), None)
    return first.text if first is not None and first.ended else ""
