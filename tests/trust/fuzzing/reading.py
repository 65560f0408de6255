"""Reads one input in-process, along the path that every command takes, and keeps all that came of it.

Nothing depends on the wall clock: a live source is a list of chunks and pauses, and its clock moves with them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timezone
from typing import Any, NamedTuple
from unittest.mock import patch

from pylatencymap.collector import Collector
from pylatencymap.errors import LatencyMapError
from pylatencymap.interval import Interval
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import Event
from pylatencymap.report import Report
from pylatencymap.scan import reader
from pylatencymap.session.input import large_files, pipeline
from pylatencymap.session.input.pipeline import ReadPlan, intervals_from
from pylatencymap.session.input.source import Source, StopRequest
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.text import Broken, readable_text
from pylatencymap.text.lines import Line, split_lines

MODIFIED = 1_790_000_000.0
"""When the files are said to have been written, and the time of day for live sources."""
WHOLE = 1 << 30
CHUNK_SECONDS = 0.9
STOP = StopRequest()


class Way(NamedTuple):
    """How an input is read: with a collector that the user named or not, as a file or a pipe that pauses after each
    chunk, and in chunks of so many bytes. ``piece``: scanned like a large file, in pieces of so many bytes.
    """

    format: str | None = None
    live: bool = False
    chunk: int = WHOLE
    piece: int = 0


USUAL = Way()


class Reading(NamedTuple):
    """What came of an input. ``collector`` is empty if nothing recognised it, ``ended`` if it was read to its end."""

    collector: str
    events: list[Event]
    intervals: list[Interval]
    ended: str
    bad: int
    said: list[str]
    picture: Picture

    def told(self) -> tuple[object, ...]:
        """All that a user is told: equal for two readings of the same text."""
        return self.intervals, self.ended, self.bad, self.said


class _Fed(Source):
    """A source of bytes in memory. Its clock moves on by CHUNK_SECONDS with each chunk."""

    def __init__(self, data: bytes, way: Way) -> None:
        self._now = 0.0
        super().__init__("input", -1, way.live, None if way.live else MODIFIED, STOP, lambda: self._now, 0.0)
        self._data, self._way = data, way

    def _lines(self, bad: Broken) -> Iterator[Line | None]:
        return split_lines(self._counted(readable_text(self._chunks(), bad)), self.monotonic if self.live else None)

    def _chunks(self) -> Iterator[bytes | None]:
        for begin in range(0, len(self._data), self._way.chunk):
            self._now += CHUNK_SECONDS
            self.heard = self._now
            yield self._data[begin : begin + self._way.chunk]
            if self.live:
                yield None

    @property
    def size(self) -> int | None:
        """None: it is not scanned."""
        return None


def read(data: bytes, way: Way = USUAL) -> Reading:
    """Read an input to its end, or to the error that ends it; other exceptions are raised."""
    with ExitStack() as stack:
        source = _on_disk(data, way, stack) if way.piece else _Fed(data, way)
        said: list[str] = []
        report = Report("input", say=said.append)
        picture, events, intervals = (
            Picture(PictureOptions(tz=timezone.utc), lambda: report.bad_count),
            list[Event](),
            list[Interval](),
        )
        found = stack.enter_context(_recognised())
        ended = ""
        plan = ReadPlan(way.format, time=TimeOptions(tz=timezone.utc, now=lambda: MODIFIED), jobs=1)
        tee = None if way.piece else events.append
        try:
            for interval in intervals_from(source, plan, report, picture.mark, tee):
                intervals.append(interval)
                picture.extend([interval])
        except LatencyMapError as error:
            ended = f"{type(error).__name__}: {error}"
        return Reading(way.format or found.get("name", ""), events, intervals, ended, report.bad_count, said, picture)


@contextmanager
def _recognised() -> Iterator[dict[str, str]]:
    """Notes the name of the collector that recognition finds."""
    found: dict[str, str] = {}
    real = pipeline.recognise

    def noting(*arguments: Any) -> tuple[Collector, Any]:
        collector, lines = real(*arguments)
        found["name"] = str(getattr(collector, "__name__", "")).rpartition(".")[2]
        return collector, lines

    with patch.object(pipeline, "recognise", noting):
        yield found


def _on_disk(data: bytes, way: Way, stack: ExitStack) -> Source:
    """A file that is scanned, or read in bulk, however small it is."""
    descriptor = os.memfd_create("input")
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    stack.enter_context(patch.object(large_files, "LEAST_BYTES", 1))
    stack.enter_context(patch.object(large_files, "LEAST_RECORDED", 1))
    stack.enter_context(patch.object(reader, "PIECE", way.piece))
    return Source("input", descriptor, False, MODIFIED, STOP)
