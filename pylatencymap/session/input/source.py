"""Inputs: files, standard input, named pipes."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...errors import SourceError
from ...report import Report
from ...text import file_chunks, gunzip, pipe_chunks
from ...text.clean import printable
from ...text.lines import Line, split_lines

STDIN = "-"
CUT_OFF = "the gzip data break off here: the file was cut off, or is still being written; what followed is missing"


class StopRequest:
    """A request to stop reading, which a waiting reader notices at once."""

    def __init__(self) -> None:
        self.is_set = False
        self._read_end, self._write_end = os.pipe()

    def set(self) -> None:
        """Ask every reader to stop; may be called from any thread, and more than once."""
        if not self.is_set:
            self.is_set = True
            os.write(self._write_end, b"x")

    def wait_for(self, descriptor: int, timeout: float | None) -> bool:
        """Whether bytes can be read from a descriptor; waits until they can, the time is over, or stop is asked for."""
        ready, _, _ = select.select([descriptor, self._read_end], [], [], timeout)
        return descriptor in ready and not self.is_set

    def pause(self, seconds: float) -> None:
        """Sleep, unless stopped."""
        if seconds > 0:
            select.select([self._read_end], [], [], seconds)

    def close(self) -> None:
        """Close its descriptors, after the last read."""
        os.close(self._read_end)
        os.close(self._write_end)


@dataclass
class Source:
    """One input. ``live`` ones are pipes and terminals: they can pause, and their lines have arrival times.

    ``name`` is printable. ``heard`` is the monotonic time at which the last bytes came, or reading could begin.
    ``progress`` is told the name of a file, and how many bytes of how many have been read.
    """

    name: str
    descriptor: int
    live: bool
    modified: float | None
    stop: StopRequest
    monotonic: Callable[[], float] = time.monotonic
    started: float = field(default_factory=time.monotonic)
    progress: Callable[[str, int, int], object] = lambda _name, _done, _size: None

    def __post_init__(self) -> None:
        self.heard = self.started

    def lines(self, bad: Callable[[int, str], object] = lambda _line, _what: None) -> Iterator[Line | None]:
        """All lines; of a file they can be asked for more than once. ``bad`` is told of a line, by its number, at which
        compressed data break off. Raises SourceError.
        """
        try:
            yield from self._lines(lambda line: bad(line, CUT_OFF))
        except OSError as error:
            raise SourceError(f"{self.name}: cannot be read further: {error.strerror or error}") from error

    def _lines(self, cut: Callable[[int], object]) -> Iterator[Line | None]:
        if self.live:
            chunks = pipe_chunks(self._read, lambda timeout: self.stop.wait_for(self.descriptor, timeout), self._ended)
            return split_lines(gunzip(chunks, cut), self.monotonic)
        return split_lines(gunzip(file_chunks(_FileReader(self.descriptor, self.told)), cut))

    @property
    def begun(self) -> bool:
        """Whether anything has been heard of a live source."""
        return self.heard > self.started

    @property
    def size(self) -> int | None:
        """Bytes of a file."""
        return None if self.live else os.fstat(self.descriptor).st_size

    def told(self, done: int) -> None:
        """So many bytes of a file have been read."""
        self.progress(self.name, done, self.size or 0)

    def _read(self, size: int) -> bytes:
        chunk = os.read(self.descriptor, size)
        self.heard = self.monotonic()
        return chunk

    def _ended(self) -> bool:
        return self.stop.is_set


class _FileReader:
    """Reads a regular file from its beginning, whatever else reads the same descriptor."""

    def __init__(self, descriptor: int, told: Callable[[int], object]) -> None:
        self._descriptor = descriptor
        self._offset = 0
        self._told = told

    def read(self, size: int, /) -> bytes:
        chunk = os.pread(self._descriptor, size, self._offset)
        self._offset += len(chunk)
        self._told(self._offset)
        return chunk


def open_source(path: str, stop: StopRequest) -> Source:
    """A source for a file name, or for standard input where it is ``-``; raises SourceError."""
    if path == STDIN:
        return source_of("<stdin>", sys.stdin.fileno(), stop)
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError as error:
        raise SourceError(f"{path}: no such file{neighbour(path)}") from error
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened: {error.strerror}") from error
    except ValueError as error:
        raise SourceError(f"{printable(path)}: cannot be opened: {error}") from error
    try:
        return source_of(path, descriptor, stop)
    except SourceError:
        os.close(descriptor)
        raise


def source_of(name: str, descriptor: int, stop: StopRequest) -> Source:
    """A source for an open descriptor."""
    about = os.fstat(descriptor)
    if stat.S_ISDIR(about.st_mode):
        raise SourceError(f"{name} is a folder; name the files in it")
    is_file = stat.S_ISREG(about.st_mode)
    modified = about.st_mtime if is_file else None
    return Source(printable(name), descriptor, live=not is_file, modified=modified, stop=stop)


def neighbour(path: str) -> str:
    """A hint for a name that was mistyped."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return ""
    close = get_close_matches(name, names, n=1)
    return f"; did you mean {os.path.join(folder, close[0])}?" if close else ""


# The account of a source that may be stopped.


class StoppableReport(Report):
    """A report that is closed when the source is told to stop: what is unfinished then was cut off by us, and is not
    bad.
    """

    def __init__(
        self, name: str, stop: StopRequest, *, strict: bool = False, say: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(name, strict=strict, say=say)
        self._stop = stop

    def bad(self, line: int, what: str) -> None:
        """As Report.bad, until the source is told to stop."""
        if not self._stop.is_set:
            super().bad(line, what)


# How far files have been read, for whoever waits for the first picture of a large one.


LEAST_SECONDS = 1.0
"""Reading that is sooner over is not told of."""
TOLD_SECONDS = 0.25
_MEGA = 1_000_000


def ignore_progress(_: str) -> None:
    """Where nothing is told: a live view asks for the message."""


class ReadProgress:
    """Told the bytes that have been read of each file; ``tell`` is given a text now and then, empty when it is over."""

    def __init__(self, tell: Callable[[str], object], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._monotonic = monotonic
        self._begun: float | None = None
        self._told: float | None = None
        self._now: tuple[str, int, int] | None = None

    def read(self, name: str, done: int, size: int) -> None:
        """So many bytes of a file have been read."""
        now = self._monotonic()
        if self._now is None or self._now[0] != name:
            self._begun = now
        self._now = name, done, size
        if self._told is None or now - self._told >= TOLD_SECONDS:
            text = self.message()
            if text:
                self._told = now
                self._tell(text)

    def over(self) -> None:
        """There is something to see."""
        if self._told is not None:
            self._tell("")
        self._now = self._told = None

    def message(self, _: float = 0.0) -> str:
        """``trace.trc: 34 % of 412 MB, 310 MB/s, 1 s left``; empty while reading has taken no time worth telling."""
        if self._now is None or self._begun is None:
            return ""
        name, done, size = self._now
        seconds = self._monotonic() - self._begun
        if seconds < LEAST_SECONDS or not 0 < done < size:
            return ""
        left = seconds * (size - done) / done
        rate = done / seconds / _MEGA
        return f"{name}: {100 * done / size:.0f} % of {size / _MEGA:.0f} MB, {rate:.3g} MB/s, {left:.0f} s left"
