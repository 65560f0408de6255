"""The first and the last lines that came through a pipe, in bounded memory: who they are can be asked later."""

from __future__ import annotations

import os
from collections import deque
from threading import Lock
from typing import NamedTuple

from ..session.input import Source, StopRequest, source_of

HEAD_BYTES = 64 * 1024
"""What stands at the beginning, such as the names of columns, holds for all lines."""
TAIL_BYTES = 4 * 1024 * 1024


class KeptLines(NamedTuple):
    """What is kept of a pipe, as a source. ``dropped``: so many lines after the first ``head`` are gone, 0 if none is;
    ``lines`` are kept.
    """

    source: Source
    head: int
    dropped: int
    lines: int

    def number_of(self, line: int) -> int:
        """The number of a line in the pipe, by its number among those that are kept."""
        return line + self.dropped if line > self.head else line

    @property
    def words(self) -> str:
        """What an answer covers."""
        if not self.dropped:
            return ""
        return f"of the last {self.lines - self.head:,} lines of the pipe: earlier ones are not kept"


class LastLines:
    """Takes what comes, piece by piece; ``kept`` can be called in any thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._bytes = self._dropped = 0
        self._has_dropped = False

    def add(self, piece: bytes) -> None:
        """Keep a piece; the oldest ones after the beginning go."""
        with self._lock:
            room = HEAD_BYTES - len(self._head)
            if room > 0:
                self._head += piece[:room]
                piece = piece[room:]
            if not piece:
                return
            self._tail.append(piece)
            self._bytes += len(piece)
            while self._bytes - len(self._tail[0]) > TAIL_BYTES:
                gone = self._tail.popleft()
                self._bytes -= len(gone)
                self._dropped += gone.count(b"\n")
                self._has_dropped = True

    def kept(self, stop: StopRequest) -> KeptLines:
        """What is kept now. Whoever asks closes the source."""
        with self._lock:
            head, tail = bytes(self._head), b"".join(self._tail)
            dropped, has_dropped = self._dropped, self._has_dropped
        if not has_dropped:
            text = head + tail
            return KeptLines(self._source(text, stop), 0, 0, text.count(b"\n"))
        head = head[: head.rfind(b"\n") + 1]
        tail = tail[tail.find(b"\n") + 1 :]  # the line that is cut off at its beginning is gone as well
        first = head.count(b"\n")
        return KeptLines(self._source(head + tail, stop), first, dropped + 1, first + tail.count(b"\n"))

    def _source(self, text: bytes, stop: StopRequest) -> Source:
        import tempfile

        with tempfile.TemporaryFile() as file:
            file.write(text)
            file.flush()
            descriptor = os.dup(file.fileno())
        return source_of(self._name, descriptor, stop).own()
