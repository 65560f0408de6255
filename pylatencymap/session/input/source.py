"""Sources: files, standard input and named pipes, with the report and the progress of reading them."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from ...errors import SourceError
from ...intervals import BURST_SECONDS
from ...report import Report
from ...text import Broken, FileReader, divide_answers, file_chunks, is_plain, pipe_chunks, readable_text, said_in_turn
from ...text.clean import printable
from ...text.lines import Line, split_lines

STDIN = "-"
CHUNKS_REMEMBERED = 256
"""Of so many chunks of a pipe it is known whether they were there before we looked."""
USUAL_COMPRESSION = 8
"""How many times as long as its compressed form a recording usually is."""


def queued_seconds() -> float:
    """How long this thread has ever been ready to run without a CPU, in seconds; always 0 where no system tells."""
    try:
        descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(descriptor, 100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
    finally:
        os.close(descriptor)


def _readable(descriptors: list[int], timeout: float | None) -> list[int]:
    """Those that can be read, as soon as there is one. Not by select, which takes no descriptor beyond 1,023."""
    poll = select.poll()
    for one in descriptors:
        poll.register(one, select.POLLIN)
    return [one for one, _ in poll.poll(None if timeout is None else max(timeout, 0.0) * 1000)]


class StopRequest:
    """A request to stop reading. It wakes waiting readers at once. Its descriptors are closed with it."""

    def __init__(self) -> None:
        self.is_set = False
        self._read_end, self._write_end = os.pipe()
        self._closing = [weakref.finalize(self, os.close, end) for end in (self._read_end, self._write_end)]

    @property
    def read_end(self) -> int:
        """A descriptor that is readable as soon as a stop was requested."""
        return self._read_end

    def set(self) -> None:
        """Ask every reader to stop. Any thread can call this, more than once."""
        if not self.is_set:
            self.is_set = True
            os.write(self._write_end, b"x")

    def wait_for(self, descriptor: int, timeout: float | None) -> bool:
        """Wait until a descriptor is readable, time is over, or a stop is requested. Returns whether it is readable."""
        return descriptor in _readable([descriptor, self._read_end], timeout) and not self.is_set

    def pause(self, seconds: float) -> None:
        """Sleep, unless stopped."""
        if seconds > 0:
            _readable([self._read_end], seconds)

    def close(self) -> None:
        """Close its descriptors, after the last read."""
        for closing in self._closing:
            closing()


@dataclass
class Source:
    """One input. ``live`` sources are pipes and terminals: they can pause, and their lines have arrival times.

    ``name`` is printable. ``heard`` is the monotonic time at which data last arrived, or at which the source was
    opened; ``resumed`` is that of the data that ended its last pause, and ``pausing`` says whether it pauses now.
    ``at_hand`` is about how many lines have come and are not read yet. ``arrived`` is the time at which what was read
    last of a file that grows came, None of others; ``in_runs``: it may come in runs of records, because it is no news.
    ``is_recording``: a live source whose text was recorded at other times than it arrives.
    ``has_spoken``: a collector has recognised something of the text as its own; a banner is not enough.
    ``queued`` returns the seconds that the thread that reads has ever waited for a CPU. ``wait_for`` waits until a
    descriptor is readable, or time is over; by default that of ``stop``.
    ``progress`` gets the name of a file, the bytes read, and its size; ``remember`` the text of a live source.
    """

    name: str
    descriptor: int
    live: bool
    modified: float | None
    stop: StopRequest
    monotonic: Callable[[], float] = time.monotonic
    started: float = field(default_factory=time.monotonic)
    progress: Callable[[str, int, int], object] = lambda _name, _done, _size: None
    queued: Callable[[], float] = queued_seconds
    has_spoken: bool = False
    remember: Callable[[bytes], object] | None = None
    wait_for: Callable[[int, float | None], bool] | None = None

    def __post_init__(self) -> None:
        self._wait_for = self.wait_for or self.stop.wait_for
        self.heard = self.resumed = self.started
        self.pausing = False
        self.at_hand = 0
        self.arrived: float | None = None
        self.in_runs = True
        self.is_recording = False
        self._was_there = False
        self._empty_at = -inf
        self._queued_before = 0.0
        self._heard_chunks: deque[tuple[float, float]] = deque(maxlen=CHUNKS_REMEMBERED)
        self._closing: Callable[[], object] = lambda: None
        self._bytes_read = 0

    def own(self) -> Source:
        """Close the descriptor with this source: when nothing reads it any longer, or with ``close``."""
        self._closing = weakref.finalize(self, os.close, self.descriptor)
        return self

    def close(self) -> None:
        """Close the descriptor if it is our own, after the last read."""
        self._closing()

    def again(self, stop: StopRequest) -> Source:
        """The same file once more, as far as it goes now. Raises SourceError if it has changed since it was opened."""
        if not self.live and os.fstat(self.descriptor).st_mtime != self.modified:
            raise SourceError(f"{self.name} has changed since it was read; open it again")
        return Source(self.name, os.dup(self.descriptor), live=False, modified=self.modified, stop=stop).own()

    def lines(self, bad: Broken = lambda _line, _what: None) -> Iterator[Line | None]:
        """All lines. Those of a file can be read more than once. ``bad`` receives the number of a line at which
        compressed data break off, and a Break. Raises SourceError.
        """
        try:
            lines = self._lines(bad)
            if not self.live:
                yield from lines
                return
            for line in lines:
                self.at_hand -= 1
                yield line
        except OSError as error:
            raise self._unreadable(error) from error

    def _lines(self, bad: Broken) -> Iterator[Line | None]:
        if self.live:
            chunks = pipe_chunks(self._read, self._ready, self._ended)
            return split_lines(self._counted(divide_answers(readable_text(chunks, bad))), lambda: self.heard)
        return split_lines(divide_answers(self._text(self.report_progress, bad)))

    def _text(self, on_progress: Callable[[int], object], bad: Broken) -> Iterator[bytes | None]:
        """The text of a file, decompressed. ``on_progress`` gets the number of bytes read, ``bad`` the line at which
        the text breaks off, and why. Raises OSError.
        """
        return readable_text(file_chunks(FileReader(self.descriptor, on_progress)), bad)

    @property
    def text_bytes(self) -> int:
        """About how many bytes of text there are: of a compressed file, what is usual. 0 for a live source."""
        size = 0 if self.live else self.size
        if not size:
            return 0
        return size if is_plain(os.pread(self.descriptor, 4, 0)) else size * USUAL_COMPRESSION

    def head(self, size: int) -> bytes:
        """The first bytes of the text of a file, decompressed. Raises SourceError."""
        found = b""
        try:
            for piece in self.chunks(lambda _line, _why: None):
                found += piece or b""
                if len(found) >= size:
                    break
        except OSError as error:
            raise self._unreadable(error) from error
        return found[:size]

    def chunks(self, bad: Broken) -> Iterator[bytes | None]:
        """The text of a file, decompressed; ``bad`` gets the line at which it breaks off, and why. Raises OSError."""
        self._bytes_read = 0
        return self._text(self._note_read, bad)

    def bytes_read(self) -> int:
        """How many bytes of the file have been read for ``chunks``."""
        return self._bytes_read

    def _note_read(self, done: int) -> None:
        self._bytes_read = done

    def texts(self, bad: Broken) -> Iterator[Iterable[bytes]]:
        """The bytes of a file as one text, decompressed; ``bad`` and what is raised are as in ``lines``. Before that,
        there is an empty piece: see ``said_in_turn``.
        """
        yield self._pieces(bad)

    def _pieces(self, bad: Broken) -> Iterator[bytes]:
        try:
            for piece in said_in_turn(lambda say: self._text(self.report_progress, say), bad):
                if self.stop.is_set:
                    return
                yield piece
        except OSError as error:
            yield b""
            raise self._unreadable(error) from error

    def _unreadable(self, error: OSError) -> SourceError:
        return SourceError(f"{self.name}: cannot be read further: {error.strerror or error}")

    def _counted(self, chunks: Iterable[bytes | None]) -> Iterator[bytes | None]:
        """The chunks. Notes how many lines of each are still to be read."""
        for chunk in chunks:
            if chunk and self.remember is not None:
                self.remember(chunk)
            self.at_hand = 0 if chunk is None else chunk.count(b"\n")
            yield chunk

    @property
    def begun(self) -> bool:
        """Whether a live source has sent any data."""
        return self.heard > self.started

    @property
    def size(self) -> int | None:
        """The size of a file in bytes; None for a live source."""
        return None if self.live else os.fstat(self.descriptor).st_size

    def report_progress(self, done: int) -> None:
        """Report that ``done`` bytes of the file have been read."""
        self.progress(self.name, done, self.size or 0)

    def has_waited(self, arrival: float) -> bool:
        """Whether what arrived at a moment can have been in the pipe for a while: nobody was waiting for it."""
        return self.longest_wait(arrival) >= BURST_SECONDS

    def longest_wait(self, arrival: float) -> float:
        """How many seconds what arrived at a moment can have been in the pipe. None, if we waited for it and got a CPU
        as soon as it came; else since the pipe was last seen empty, or as long as we waited for the CPU.
        """
        return next((waited for heard, waited in reversed(self._heard_chunks) if heard <= arrival), 0.0)

    def _ready(self, timeout: float | None) -> bool:
        self._was_there = ready = self._wait_for(self.descriptor, 0.0)
        if not ready:
            begun, self._queued_before = self.monotonic(), self.queued()
            ready = self._wait_for(self.descriptor, timeout)
            self._empty_at = self.monotonic()
            if not ready and timeout is not None:  # we can be told so later
                self._empty_at = min(self._empty_at, begun + timeout)
        self.pausing = self.pausing or not ready
        return ready

    def _read(self, size: int) -> bytes:
        chunk, self.heard, waited = self._received(size)
        self._heard_chunks.append((self.heard, waited))
        if len(chunk) < size:
            self._empty_at = self.heard
        if self.pausing:
            self.pausing, self.resumed = False, self.heard
        return chunk

    def _received(self, size: int) -> tuple[bytes, float, float]:
        """A chunk, when it was read, and how many seconds it can have been in the pipe."""
        chunk, heard = os.read(self.descriptor, size), self.monotonic()  # since the last piece, if it comes in pieces
        return chunk, heard, heard - self._empty_at if self._was_there else self.queued() - self._queued_before

    def _ended(self) -> bool:
        return self.stop.is_set


def open_source(path: str, stop: StopRequest) -> Source:
    """Open a file as a source; ``-`` is standard input. Raises SourceError."""
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
        return source_of(path, descriptor, stop).own()
    except SourceError:
        os.close(descriptor)
        raise


def source_of(name: str, descriptor: int, stop: StopRequest) -> Source:
    """A source for an open descriptor."""
    about = os.fstat(descriptor)
    if stat.S_ISDIR(about.st_mode):
        raise SourceError(f"{name} is a folder; name the files in it")
    modified = about.st_mtime if stat.S_ISREG(about.st_mode) else None
    return Source(printable(name), descriptor, live=modified is None, modified=modified, stop=stop)


def neighbour(path: str) -> str:
    """A hint with the most similar file name in the folder; empty if none is similar."""
    from difflib import get_close_matches

    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return ""
    close = get_close_matches(name, names, n=1)
    return f"; did you mean {os.path.join(folder, close[0])}?" if close else ""


# The report of a source that can be stopped.


class StoppableReport(Report):
    """A report that counts nothing after the source was stopped: a record cut off by our stop is not bad input."""

    def __init__(
        self, name: str, stop: StopRequest, *, strict: bool = False, say: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(name, strict=strict, say=say)
        self._stop = stop

    def bad(self, line: int, what: str) -> None:
        """As Report.bad, until a stop is requested."""
        if not self._stop.is_set:
            super().bad(line, what)


# Progress of reading, for the user who waits for the first picture of a large file.


LEAST_SECONDS = 1.0
"""Progress of a file is shown after this time; shorter reading shows none."""
TOLD_SECONDS = 0.25
_MEGA = 1_000_000


def ignore_progress(_: str) -> None:
    """Show nothing: a live view asks for the message itself."""


class ReadProgress:
    """Makes texts about the progress of reading files. ``show`` receives one every TOLD_SECONDS, and an empty one
    at the end.
    """

    def __init__(self, show: Callable[[str], object], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._show = show
        self._monotonic = monotonic
        self._begun: float | None = None
        self._told: float | None = None
        self._now: tuple[str, int, int] | None = None

    def read(self, name: str, done: int, size: int) -> None:
        """Note that ``done`` of ``size`` bytes of a file have been read."""
        now = self._monotonic()
        if self._now is None or self._now[0] != name:
            self._begun = now
        self._now = name, done, size
        if self._told is None or now - self._told >= TOLD_SECONDS:
            text = self.message()
            if text:
                self._told = now
                self._show(text)

    def over(self) -> None:
        """End the progress: there is something to see now."""
        if self._told is not None:
            self._show("")
        self._now = self._told = None

    def message(self, _: float = 0.0) -> str:
        """``trace.trc: 34 % of 412 MB, 310 MB/s, 1 s left``; empty in the first LEAST_SECONDS."""
        if (now := self._now) is None or self._begun is None:  # another thread can end the progress at any moment
            return ""
        name, done, size = now
        seconds = self._monotonic() - self._begun
        if seconds < LEAST_SECONDS or not 0 < done < size:
            return ""
        left = seconds * (size - done) / done
        rate = done / seconds / _MEGA
        return f"{name}: {100 * done / size:.0f} % of {size / _MEGA:.0f} MB, {rate:.3g} MB/s, {left:.0f} s left"
