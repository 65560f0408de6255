"""Scans a file for the events of a time and a range of latencies, one by one instead of added up.

All events are judged as for a picture, by the same lines in the same order, so that exactly the same ones count. Only
what is asked for leaves the processes that scan.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ..broken_texts import decode_lines
from ..collector import Collector, Known
from ..intervals import within_limits
from ..record import Clock, Sample
from ..report import Report
from ..stream import is_on_axis
from ..text.lines import Line, line_of
from .byte_words import Flags
from .chunk import Chunk
from .contract import ChunkCounts, ChunkEvents, ChunkSelection, HasKeyContext, KeyContext, Scan
from .file import DeferredReport, FileScanner, FileToScan
from .reader import NotScannable
from .sums import sum_events
from .time_check import Divided, TimeCheck, divide

CHUNKS_OPEN = 2
"""Chunks before the last one that is handed out: the decoder can still find events in them."""
CHUNKS_REMEMBERED = CHUNKS_OPEN + 2
"""Of so many chunks the lines that the decoder sees are remembered: it holds some back."""


class WantedEvents(NamedTuple):
    """The events from ``first``, included, to ``last`` on the clock of the file, in microseconds, with latencies from
    ``low``, included, to ``high`` in the unit of the scan, of the series that ``wants`` returns true for. None is no
    limit.
    """

    first: int | None
    last: int | None
    low: int
    high: int | None
    wants: Callable[[str], bool]

    def is_of(self, event: Sample) -> bool:
        """Whether an event, in the unit of the scan, is asked for."""
        below = self.high is None or event.latency < self.high
        since = self.first is None or event.micros >= self.first
        until = self.last is None or event.micros < self.last
        return event.latency >= self.low and below and since and until and self.wants(event.series)

    def among(self, found: ChunkEvents) -> Flags:
        """Which events of a chunk are asked for."""
        wanted: Flags = found.latencies >= self.low
        if self.high is not None:
            wanted &= found.latencies < self.high
        if self.first is not None:
            wanted &= found.ends >= self.first
        if self.last is not None:
            wanted &= found.ends < self.last
        series = np.array([*map(self.wants, found.names), False], np.bool_)
        if not series[:-1].all():
            wanted &= series[found.series]
        return wanted


class EventsOfChunk:
    """What a chunk of the file has told. Lines have their numbers in the file, from 1.

    before   the number of lines before the chunk
    sure     events that count
    judged   events that count as well, and whether they are doubtful: the decoder found them, or they were judged by
             their times at the end of the file. They need not be among those that are asked for
    lines    the texts of the lines whose keys are wanted
    held     those of the lines whose events are judged at the end of the file
    context  see ``KeyContext``: the number of the first line, the subject and the lines, in the order of the file
    """

    def __init__(self, before: int) -> None:
        self.before = before
        self.sure: list[Sample] = []
        self.judged: list[tuple[Sample, bool]] = []
        self.lines: dict[int, str] = {}
        self.held: set[int] = set()
        self.context: list[tuple[int, bytes, list[bytes]]] = []


class EventScanner(FileScanner):
    """Scans one file for single events.

    ``seen`` are the first and the last time in the file, of all events, on its clock; None if there is none so far.
    """

    def __init__(self, file: FileToScan, wanted: WantedEvents) -> None:
        super().__init__(file)
        self._wanted = wanted
        self._parts: deque[EventsOfChunk] = deque()
        self._shown: deque[dict[int, str]] = deque([{}], CHUNKS_REMEMBERED)
        self.seen: tuple[int, int] | None = None

    def beside(self, ends: set[int]) -> None:
        """Show the judge the events around these times, too: see ``StrayTimes``."""
        self._beside_strays = frozenset(ends)

    def events(self, collector: Collector, report: Report, known: Known) -> Iterator[EventsOfChunk]:
        """The events as the file is read, chunk by chunk, and in the end those that had to wait for its end.

        Raises NotScannable, StrayTimes included, before anything reaches the report, and whatever the decoder raises.
        """
        held = DeferredReport(report)
        times = TimeCheck(self._scan, self._bins.width, held)
        try:
            for event in within_limits(decode_lines(collector, self._lines(times), held, known), held):
                if not isinstance(event, Sample) or not self._is_on_clock(event):
                    raise NotScannable
                self._take(event, times)
                while len(self._parts) > CHUNKS_OPEN:
                    yield self._parts.popleft()
            last = EventsOfChunk(0)
            last.judged = [(one.sample, one.doubtful) for one in times.settled()]
        except (NotScannable, GeneratorExit):
            raise
        except BaseException:
            held.release()
            raise
        for sample, _ in last.judged:
            self._see(sample.micros, sample.micros)
        self.shift()
        held.release()
        yield from self._parts
        yield last

    def shift(self) -> int:
        """At the end: microseconds to add to the clock of the file. Raises NotScannable; see ``FileScanner``."""
        return self._shift()

    def text_of(self, line: int) -> str | None:
        """The text of a line that the decoder saw lately; None if it is no longer known."""
        return next((shown[line] for shown in self._shown if line in shown), None)

    def _is_on_clock(self, event: Sample) -> bool:
        """Whether the time of an event is on the clock of the scan, and no date of its own stands beside it."""
        clock = self._scan.clock
        return event.clock is clock and is_on_axis(event.micros) and not (event.text and clock is not Clock.EPOCH)

    def _take(self, event: Sample, times: TimeCheck) -> None:
        """An event of the decoder: it is known, or counts now, or has to be judged."""
        if event.line in self._known:
            times.passes(event.line)
            if self._known[event.line] not in (None, event.micros):
                raise NotScannable
            return
        is_held = times.takes(event)
        part = self._part_of(event.line)
        if not is_held:
            self._see(event.micros, event.micros)
            part.judged.append((event, False))
        if event.unit is not self._scan.unit or self._wanted.is_of(event):
            text = self.text_of(event.line)
            if text is not None and part.before < event.line:  # else what holds for its keys is known no longer
                part.lines[event.line] = text
                part.held.update([event.line] if is_held else [])

    def _part_of(self, line: int) -> EventsOfChunk:
        """The part of the file in which a line is, or the first one that is still at hand."""
        if not self._parts:
            self._parts.append(EventsOfChunk(0))
        return next((part for part in reversed(self._parts) if part.before < line), self._parts[0])

    def _lines(self, times: TimeCheck) -> Iterator[Line]:
        for line in super()._lines(times):
            self._shown[-1][line.number] = line.text
            yield line

    def _see(self, first: int, last: int) -> None:
        self._within_half_a_day(first, last)
        self.seen = (first, last) if self.seen is None else (min(first, self.seen[0]), max(last, self.seen[1]))

    def _take_in(self, found: ChunkCounts, before: int) -> None:
        """The events of a chunk that were asked for."""
        self._shown.append({})
        if found.ends is not None:
            self._see(*found.ends)
        part = EventsOfChunk(before)
        self._parts.append(part)
        if (chosen := found.selected) is None:
            return
        scan, number = self._scan, before + 1
        part.sure = [
            Sample(found.names[series], scan.unit, latency, end, scan.clock, "", scan.label, scan.source, number + line)
            for line, series, latency, end in chosen.events
        ]
        part.lines = {number + line: line_of(text) for line, text in chosen.lines.items()}
        part.held = {number + line for line in chosen.held}
        part.context = [(number + one.first, one.subject, one.lines) for one in chosen.context]

    def _counted(self, text: Chunk) -> ChunkCounts:
        found = self._scan.scan(text)
        divided = divide(found, self._scan.clock, self._bins.width, self._beside_strays)
        ends = found.ends[divided.others]
        limits = (int(ends.min()), int(ends.max())) if ends.size else None
        nothing = sum_events(found.ends[:0], found.ends[:0], found.ends[:0])
        rest = found.lines, found.decoded, found.known, divided.windows, divided.beside, divided.went_back
        return ChunkCounts(found.names, nothing, limits, *rest, self._selected_in(text, found, divided))

    def _selected_in(self, text: Chunk, found: ChunkEvents, divided: Divided) -> ChunkSelection:
        wanted = self._wanted.among(found)
        others = np.zeros(wanted.size, np.bool_)
        others[divided.others] = True
        lines, held = (sorted(set(found.places[which].tolist())) for which in (wanted, wanted & ~others))
        wanted &= others
        columns = (column[wanted].tolist() for column in (found.places, found.series, found.latencies, found.ends))
        decoded = found.decoded.keys() - found.known.keys()
        context = list(_last_of_each(self._scan, text, sorted({*lines, *decoded})))
        return ChunkSelection(
            list(zip(*columns, strict=True)), {line: text.line(line) for line in lines}, set(held), context
        )


def _last_of_each(scan: Scan, text: Chunk, lines: list[int]) -> Iterator[KeyContext]:
    """The context of the lines: of each subject, only what was said last before one of them, or before the end."""
    if not isinstance(scan, HasKeyContext):
        return
    last: dict[tuple[int, bytes], KeyContext] = {}
    for one in scan.key_context(text):
        last[bisect_left(lines, one.first), one.subject] = one
    yield from sorted(last.values(), key=lambda one: one.first)
