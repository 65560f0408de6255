"""Splits bytes into decoded, numbered lines of limited length, and passes on the pauses of a live source."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count, repeat
from typing import NamedTuple, TypeAlias

from .compressed.breaks import TORN

MAX_LINE = 1 << 20
"""Longest line that is kept, in characters; the rest of a longer line is cut off."""

BLANK_RUN = 64
"""Line feeds in a row that are kept; of more, only so many: a small compressed file can expand to thousands of
millions.
"""
_LONG_RUN = b"\n" * BLANK_RUN
_RUN = re.compile(rb"\n+")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and other strings
    r"|[ -/]*[0-~])"  # character sets, keypad, reset
)


class Line(NamedTuple):
    """One line without its end. ``arrival`` is the monotonic time at which it was read, None from a file."""

    number: int
    text: str
    arrival: float | None = None

    @property
    def ended(self) -> bool:
        """Whether a line feed ended it. Only the last line of an input can lack it, and may then be cut off."""
        return not isinstance(self, UnendedLine)


class UnendedLine(Line):
    """The last line of an input, if no line feed ended it."""

    __slots__ = ()


_made: Callable[[tuple[int, str, float | None]], Line] = partial(tuple.__new__, Line)
"""Makes a Line of its fields without calling Python code, because inputs have millions of lines."""

Lines: TypeAlias = Iterable[Line | None]
"""What decoders read. None means that a live source has paused at the end of a line: whatever looks complete is
complete.
"""


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a string, for trying a decoder on it. Only a line feed ends a line, and nothing is cleaned."""
    lines = text.split("\n")
    for number, line in enumerate(lines if lines[-1] else lines[:-1], 1):
        yield (Line if number < len(lines) else UnendedLine)(number, line.rstrip("\r"))


def split_lines(chunks: Iterable[bytes | None], monotonic: Callable[[], float] | None = None) -> Iterator[Line | None]:
    """Lines of a byte stream: UTF-8, or UTF-16 with a byte order mark; undecodable bytes are replaced.

    ``monotonic`` gives each line its arrival time. A chunk None (nothing arrived for a moment) is passed on as a pause,
    but only at the end of a line: in the middle of a line, the rest of it is still to come. Of more than BLANK_RUN line
    feeds in a row only the first ones count as lines; the lines after them keep their numbers. A line that is TORN is
    left out.
    """
    splitter, number = _Splitter(), 0
    for chunk in chunks:
        if chunk is None:
            if number and splitter.between_lines:
                yield None
            continue
        if chunk is TORN:
            splitter.forget()
            continue
        arrival = monotonic() if monotonic else None
        for part, left_out in splitter.parts(chunk):
            texts = splitter.feed(part)
            yield from map(_made, zip(count(number + 1), texts, repeat(arrival), strict=False))
            number += len(texts) + left_out
    for text in splitter.end():
        number += 1
        yield UnendedLine(number, text, monotonic() if monotonic else None)


def line_of(raw: bytes) -> str:
    """The text of one whole line of UTF-8, given without its line end."""
    return _plain(raw.decode(errors="replace"))


class _Splitter:
    """Splits bytes into lines; the lines do not depend on how the bytes are divided into chunks."""

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = None
        self._head = b""
        self._rest = ""
        self._overlong = False
        self._is_utf16 = False
        self._run = 0

    @property
    def between_lines(self) -> bool:
        return not self._rest and not self._overlong

    def parts(self, chunk: bytes) -> Iterator[tuple[bytes, int]]:
        """The parts of a chunk between long runs of line feeds, each with the number of lines left out after it."""
        if self._is_utf16 or (self._decoder is None and (self._head + chunk).startswith(_UTF16_MARKS)):
            yield chunk, 0
            return
        start = 0
        if self._run and (found := _RUN.match(chunk)):  # the chunk goes on with the run at the end of the last one
            kept = min(found.end(), BLANK_RUN - self._run)
            yield chunk[:kept], found.end() - kept
            start = found.end()
        run = chunk.find(_LONG_RUN, start)
        while run >= 0:
            found = _RUN.match(chunk, run)
            stop = found.end() if found else run + BLANK_RUN
            yield chunk[start : run + BLANK_RUN], stop - run - BLANK_RUN
            start, run = stop, chunk.find(_LONG_RUN, stop)
        yield chunk[start:], 0
        self._note_run(chunk)

    def _note_run(self, chunk: bytes) -> None:
        """Count the line feeds at the end of a chunk, and of the chunks before it if it has nothing else."""
        last = len(chunk[-BLANK_RUN:]) - len(chunk[-BLANK_RUN:].rstrip(b"\n"))
        self._run = min(last + (self._run if last == len(chunk) else 0), BLANK_RUN)

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that a chunk completes; a line that is too long counts as complete when it is cut."""
        return self._split(self._decoded(chunk))

    def end(self) -> list[str]:
        """The last line, if no line feed ends it."""
        lines = self._split(self._decoded(b"", final=True))
        return [*lines, _plain(self._rest)] if self._rest and not self._overlong else lines

    def forget(self) -> None:
        """Forget the line that has begun."""
        self._decoded(b"", final=True)
        self._rest, self._overlong = "", False

    def _split(self, text: str) -> list[str]:
        text = self._rest + text
        *complete, self._rest = text.split("\n")
        if complete and self._overlong:
            del complete[0]
            self._overlong = False
        is_plain = len(text) <= MAX_LINE and "\r" not in text and "\x1b" not in text
        lines = complete if is_plain else [_plain(line) for line in complete]
        if len(self._rest) > MAX_LINE:
            if not self._overlong:
                lines.append(_plain(self._rest))
            self._rest, self._overlong = "", True
        return lines

    def _decoded(self, chunk: bytes, final: bool = False) -> str:
        """Decode a chunk. The first bytes are held back until there are two, because a byte order mark can be split
        between chunks.
        """
        if self._decoder is None:
            self._head += chunk
            if len(self._head) < len(codecs.BOM_UTF16_LE) and not final:
                return ""
            chunk, self._is_utf16 = self._head, self._head.startswith(_UTF16_MARKS)
            self._decoder = codecs.getincrementaldecoder("utf-16" if self._is_utf16 else "utf-8-sig")(errors="replace")
        return self._decoder.decode(chunk, final)


def _plain(text: str) -> str:
    """The line without its carriage return and without the escape sequences of a captured terminal."""
    text = text[:MAX_LINE].rstrip("\r")
    return _ESCAPE_SEQUENCE.sub("", text) if "\x1b" in text else text
