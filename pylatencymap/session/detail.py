"""A part of the time, read again: its intervals as they were, where memory holds several of them as one column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from typing import NamedTuple, Protocol

from ..errors import LatencyMapError
from ..interval import Interval
from ..intervals import TakeBatch
from ..window import Window

MORE = 1.2
"""A part that is longer than this many times what is on the screen has something beside it."""


class Detail(NamedTuple):
    """The intervals of all series that end after ``begin`` and not after ``end`` (epoch microseconds)."""

    begin: int
    end: int
    window: Window

    def kept_between(self, begin: int, end: int) -> Window | None:
        """The intervals, if all of them between two moments are here."""
        return self.window if self.begin <= begin and end <= self.end and len(self.window) else None


FINE = 16
"""Merged columns that are longer than this part of a column of the picture are read again."""


def merged_part(
    window: Window,
    detail: Detail | None,
    names: list[str],
    span: tuple[int, int],
    width: float,
    chosen: tuple[int, int] | None,
    *,
    fitted: bool,
) -> tuple[int, int] | None:
    """What is to be read again, epoch microseconds: the ``span`` on the screen, with columns of ``width`` seconds, or
    else the ``chosen`` one, if memory has merged intervals of it that are to be seen apart; None if it has not.
    """
    shown = window if detail is None else detail.kept_between(*span) or window
    if not fitted and shown.longest_merged(names, *span) > width / FINE:
        return span
    if chosen is None or (detail is not None and detail.kept_between(*chosen)):
        return None
    merged = window.longest_merged(names, *chosen)
    return chosen if merged > (chosen[1] - chosen[0]) / 1e6 / FINE else None


class PartReader(Protocol):
    """Reads the intervals between two moments once more, in another thread."""

    def intervals(self, take_batch: TakeBatch) -> Iterator[Interval]: ...

    def progress(self) -> str: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


OpenPart = Callable[[int, int], PartReader]
"""Opens what was read for reading the time between two moments (epoch microseconds). Raises SourceError."""


class DetailReader:
    """Reads one part after another; a part that is not wanted any more is given up. One may take so many megabytes;
    ``wake`` is called, in another thread, when it has been read.
    """

    def __init__(self, open_part: OpenPart, megabytes: float, wake: Callable[[], object]) -> None:
        self._open_part = open_part
        self._megabytes = megabytes
        self._wake = wake
        self._job: PartJob | None = None
        self._read: tuple[int, int] | None = None
        self._refused = False

    def want(self, span: tuple[int, int], extent: tuple[int, int]) -> None:
        """Begin to read what is on the screen, unless it is being read. ``extent``: when all data begin and end, in
        epoch microseconds. Raises SourceError, once, if it cannot be read again.
        """
        if self._refused or (self._job is not None and _holds(self._job.span, span)):
            return
        wanted = self._with_sides(span, extent)
        if wanted is None:
            return
        self.give_up()
        try:
            self._job = PartJob(wanted, self._open_part(*wanted), self._megabytes, self._wake)
        except LatencyMapError:
            self._refused = True
            raise

    def _with_sides(self, span: tuple[int, int], extent: tuple[int, int]) -> tuple[int, int] | None:
        """What to read for a span. If what was read last has it, but had to be merged, only the span itself; None if
        that was no more.
        """
        read, length = self._read, span[1] - span[0]
        if read is not None and _holds(read, span):
            return span if read[1] - read[0] > MORE * length else None
        return max(span[0] - length, extent[0]), min(span[1] + length, extent[1])

    def collect(self) -> Detail | None:
        """The part that has been read; None if none has. Raises what broke reading off."""
        job = self._job
        if job is None or not job.is_done:
            return None
        self._job, self._read = None, job.span
        if job.error is not None:
            self._refused = True
            raise job.error
        return Detail(*job.span, job.window)

    def progress(self) -> str:
        """What to say while a part is being read; empty if none is."""
        return self._job.part.progress() if self._job is not None else ""

    def give_up(self) -> None:
        """Stop reading."""
        if self._job is not None:
            self._job.part.stop()
            self._job = None


def _holds(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


class PartJob:
    """A thread that reads a part into a window of its own."""

    def __init__(self, span: tuple[int, int], part: PartReader, megabytes: float, wake: Callable[[], object]) -> None:
        self.span = span
        self.part = part
        self.window = Window(megabytes)
        self.error: BaseException | None = None
        self._wake = wake
        self.is_done = False
        Thread(target=self._run, name="detail", daemon=True).start()

    def _run(self) -> None:
        try:
            for interval in self.part.intervals(self.window.take):
                self.window.add(interval)
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self.error = error
        finally:
            self.part.close()
            self.is_done = True
            self._wake()
