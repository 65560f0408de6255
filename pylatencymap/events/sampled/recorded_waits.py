"""Who was in a cell of a recording: the waits that samples had seen while it was written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from ...errors import SourceError
from ...recorder import runs_within, segments_in
from ...session.input import StopRequest, series_of_events, short_names
from ...stream import BEGIN_RECORD
from ...text import FileReader, decompress, file_chunks
from ...text.clean import printable
from ...units import Unit
from ..by_line import NO_EVENTS
from ..inputs import CellQuestion
from ..question import EventQuestion, NoSingleEvents
from ..tally import EventTally
from .seen_waits import NOT_ALONE, SeenWait, WaitsShown, answer_of
from .wait_lines import WaitLine, read_wait_line, wait_lines

if TYPE_CHECKING:
    from ..found import EventsFound
    from ..inputs import FilteredInputs, Only

AROUND = 3_600_000_000
"""Microseconds before and after a cell of which waits are looked at if there are few: as many as are kept live."""
MOST_WAITS = 20_000
HEAD = 1 << 16


def is_recording(path: str) -> bool:
    """Whether a file, or a folder, can hold recorded waits: it begins as a recording."""
    try:
        if os.path.isdir(path):
            return bool(segments_in(path))
        if not os.path.isfile(path):
            return False
        head = next((piece for piece in _pieces(path, lambda *_: None) if piece), b"")
    except OSError:
        return False
    return BEGIN_RECORD.encode() in head[:HEAD]


class RecordedWaits:
    """The waits in recordings, files or folders, which are looked through anew for each question. ``shifts``: what was
    added to the times of a file to get to the axis of the picture.
    """

    are_files = False
    is_sample = True

    def __init__(
        self,
        paths: Sequence[str],
        tz: tzinfo | None = None,
        shifts: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        self._paths, self._shown, self._shifts = paths, WaitsShown(tz), shifts

    def read(
        self, asked: CellQuestion, stop: StopRequest, on_progress: Callable[[str, int, int], object]
    ) -> Iterator[EventsFound]:
        """The waits that are asked for, as one answer. Raises SourceError; NoSingleEvents if there are none around."""
        short = short_names(list(self._paths)) if len(self._paths) > 1 else {}
        waits: list[SeenWait] = []
        kept, of, damaged = 0, 0, 0
        for path in self._paths:
            shift = self._shifts().get(printable(path), 0)
            limits = _limit(asked.first, -shift - AROUND), _limit(asked.last, AROUND - shift)
            for line in self._lines(path, limits, stop, on_progress):
                if line is None:
                    damaged += 1
                    continue
                kept, of = kept + len(line.waits), of + line.of
                named = short.get(path, "")
                waits += [_on_axis(wait, shift, named, asked) for wait in line.waits]
                del waits[: -MOST_WAITS or None]
            if stop.is_set:
                return
        if not of and not damaged:
            raise NoSingleEvents(NO_EVENTS.format(name=printable(self._paths[-1])))
        about = f"{kept:,} of {of:,} waits seen are recorded" if kept < of else ""
        yield answer_of(waits, asked, self._shown, lambda _: (about, _damage_words(damaged)))

    def first_end(self, stop: StopRequest) -> int | None:
        """When the first wait ended, in epoch microseconds; None if there are none."""
        for path in self._paths:
            for line in self._lines(path, (None, None), stop, lambda *_: None):
                if line is not None and line.waits:
                    return min(wait.end for wait in line.waits)
        return None

    def all_of(
        self, question: EventQuestion, stop: StopRequest, on_progress: Callable[[str, int, int], object]
    ) -> EventsFound:
        """The waits that a question is about, and no others. If it is about latencies, those whose length is known."""
        tally, damaged = EventTally(question.by), 0
        span: tuple[int, int] | None = None
        is_about_latencies = question.low > 0 or question.high is not None
        for path in self._paths:
            for line in self._lines(path, (None, None), stop, on_progress):
                damaged += line is None
                for wait in () if line is None else line.waits:
                    sample = wait.as_sample()
                    span = (wait.end, wait.end) if span is None else (min(span[0], wait.end), max(span[1], wait.end))
                    if is_about_latencies and not wait.is_over:
                        continue
                    if question.is_of(sample) and question.is_at(wait.end) and question.fits(sample):
                        tally.add(sample, wait.end, wait.text(self._shown.tz))
        found = tally.found()
        return found._replace(seen=found.total.events, span=span, is_complete=True, note=_damage_words(damaged))

    def alone(self, _only: Only) -> FilteredInputs:
        """A picture of some waits alone would be one of a sample."""
        raise SourceError(NOT_ALONE)

    def _lines(
        self,
        path: str,
        limits: tuple[int | None, int | None],
        stop: StopRequest,
        on_progress: Callable[[str, int, int], object],
    ) -> Iterator[WaitLine | None]:
        """The lines about a time, in epoch microseconds of the file; None for a damaged one. Raises SourceError."""
        first, last = limits
        try:
            for text in _lines_of(path, limits, partial(on_progress, printable(path))):
                if stop.is_set:
                    return
                try:
                    line = read_wait_line(text)
                except ValueError:
                    yield None
                    continue
                if last is not None and line.until > last + AROUND:
                    return
                if first is None or line.until >= first:
                    yield line
        except OSError as error:
            raise SourceError(f"{printable(path)}: cannot be read again: {error.strerror or error}") from error


def _damage_words(damaged: int) -> str:
    return f"{damaged} damaged line{'s' * (damaged > 1)} of waits left out" if damaged else ""


def _limit(moment: int | None, more: int) -> int | None:
    return None if moment is None else moment + more


def _on_axis(wait: SeenWait, shift: int, file: str, asked: CellQuestion) -> SeenWait:
    series = series_of_events(wait.series, Unit.US, file, asked.known)
    return wait._replace(series=series, end=wait.end + shift)


def _lines_of(
    path: str, limits: tuple[int | None, int | None], on_progress: Callable[[int, int], object]
) -> Iterator[bytes]:
    """The lines with waits of a file, or of the segments with what happened between two moments. Raises OSError."""
    if not os.path.isdir(path):
        yield from wait_lines(_pieces(path, on_progress))
        return
    for run in runs_within(segments_in(path), *limits):
        for segment in run:
            with suppress(FileNotFoundError):  # --keep has removed it meanwhile
                yield from wait_lines(_pieces(str(segment.path), on_progress))


def _pieces(path: str, on_progress: Callable[[int, int], object]) -> Iterator[bytes | None]:
    """The text of a file, decompressed, as far as it goes. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(descriptor).st_size
        reader = FileReader(descriptor, lambda done: on_progress(done, size))
        yield from decompress(file_chunks(reader))
    finally:
        os.close(descriptor)
