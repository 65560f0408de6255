"""Files that grow while they are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ....text import CUT_OFF, Broken, decompress, said_in_turn
from ....text.lines import Line, split_lines
from ..source import Source

CHUNK = 1 << 16
MANY = 1_000_000
"""More lines than anybody waits for: the end of the file is not near."""
POLL_SECONDS = 0.25
"""How often it is looked whether anything has been appended."""


class GrowingSource(Source):
    """A source whose files grow."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.is_recording = True

    def has_grown(self) -> None:
        """Note that something more was found in a file. All that is found up to the next ``is_quiet`` came together."""
        self.heard = self.monotonic()
        if self.pausing or self.arrived is None:
            self.arrived = self.heard
            self._heard_chunks.append((self.heard, self.heard - self._empty_at))
        if self.pausing:
            self.pausing, self.resumed = False, self.heard

    def is_quiet(self) -> None:
        """Note that there is nothing more at the end of a file. What comes later is news."""
        self._empty_at = self.monotonic()
        self.pausing, self.in_runs = True, False


class OpenedFile(NamedTuple):
    """A file that may grow. Both callbacks get the number of bytes that have been read: ``is_over`` returns whether
    nothing more will be read from the file, and ``on_read`` notes the progress.
    """

    descriptor: int
    is_over: Callable[[int], bool]
    on_read: Callable[[int], object]


class FileGrowth:
    """Reads files that grow. ``caught_up``: once all that was there has been read.

    ``pieces`` is the twin of ``lines`` for the bulk decoder of recordings. Both read by ``_chunks``. When nothing is
    left to read, ``pieces`` says so at once, because whole lines wait in the bulk decoder; ``lines`` waits for a pause.
    """

    def __init__(self) -> None:
        self.caught_up = False
        self._has_more = False

    def lines(self, source: GrowingSource, file: OpenedFile, bad: Broken) -> Iterator[Line | None]:
        """The lines of a file, plain or gzip, and of what is appended; see ``_chunks``. They arrive when they are read,
        as those of a pipe.
        """
        chunks = decompress(self._chunks(source, file), _unless_written(bad))
        for line in split_lines(self._counted(source, chunks), lambda: source.arrived or source.heard):
            source.at_hand -= 1
            yield line

    def pieces(self, source: GrowingSource, file: OpenedFile, bad: Broken) -> Iterator[bytes]:
        """The same as bytes. An empty piece asks for all whole lines so far: there is nothing more at the moment, or
        there is something to say.
        """

        def read(say: Broken) -> Iterator[bytes | None]:
            return decompress(self._chunks(source, file), _unless_written(say))

        for piece in said_in_turn(read, bad):
            source.at_hand = MANY if self._has_more else 0
            yield piece
            if piece and not self._has_more:
                yield b""

    def _counted(self, source: GrowingSource, chunks: Iterable[bytes | None]) -> Iterator[bytes | None]:
        """The chunks. Notes about how many lines are still to be read: many, unless this is the last chunk."""
        for chunk in chunks:
            source.at_hand = 0 if chunk is None else chunk.count(b"\n") + (MANY if self._has_more else 0)
            yield chunk

    def _chunks(self, source: GrowingSource, file: OpenedFile) -> Iterator[bytes | None]:
        """The bytes of a file, and of what is appended, until it is over. One None each time nothing has come for a
        moment.
        """
        offset, idle, over = 0, 0, False
        while not source.stop.is_set:
            if chunk := os.pread(file.descriptor, CHUNK, offset):
                offset, idle = offset + len(chunk), 0
                self._has_more = offset < os.fstat(file.descriptor).st_size
                source.has_grown()
                file.on_read(offset)
                yield chunk
                continue
            if over:
                return
            # What was appended before it was over is read first.
            if over := file.is_over(offset):
                continue
            source.is_quiet()
            idle += 1
            if idle == 2:
                yield None
            self.caught_up = True
            source.stop.pause(POLL_SECONDS)


def _unless_written(bad: Broken) -> Broken:
    """The same for a file that is damaged, but not for one that ends early: it is being written."""
    return lambda line, why: None if why is CUT_OFF else bad(line, why)


class FollowedSource(GrowingSource):
    """A source that grows in one file at a time. ``opened``: the file with which it begins."""

    def __init__(self, name: str, opened: Source) -> None:
        super().__init__(name, opened.descriptor, live=True, modified=opened.modified, stop=opened.stop)
        self._opened = opened
        self._growth = FileGrowth()

    @property
    def caught_up(self) -> bool:
        """Whether all that was there has been read."""
        return self._growth.caught_up

    def close(self) -> None:
        """Close the file, after the last read."""
        self._opened.close()

    @property
    def size(self) -> int | None:
        """None: it is not known yet."""
        return None
