"""A file's events, scanned in bulk: the same as the line decoder's, faster."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from ..collector import Collector, Known
from ..intervals import DAY_MICROS, Batches, TimeOptions, bin_width, days_before
from ..record import Clock, Sample
from ..report import SHOWN, Report
from ..text.lines import Line, line_of
from .chunk import Chunk
from .contract import ChunkCounts, Scan
from .counts import PackedBins, count_chunk
from .reader import NotScannable, scan_chunks, tail

# What is wrong with a file that may have to be read once more: it is told when that is certain not to be.


class DeferredReport(Report):
    """Keeps what another report would tell, and how much more it would count."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.name, strict=report.strict)
        self._report = report
        self._first: list[Callable[[], None]] = []
        self._more = 0

    def bad(self, line: int, what: str) -> None:
        """Count something unreadable at a line; raises BadInput when strict."""
        super().bad(line, what)
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.bad, line, what))
        else:
            self._more += 1

    def note(self, line: int, what: str) -> None:
        """Keep something worth knowing."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.note, line, what))

    def say(self, what: str) -> None:
        """Keep something of the program."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.say, what))

    def tell(self) -> None:
        """Tell the report, and count there what it would not have shown."""
        for message in self._first:
            message()
        self._report.bad_count += self._more


_LARGEST = 8 << 20
"""Bytes; no array that is made of a piece is larger."""


class FileScanner:
    """One file. ``told`` is given the bytes that have been read; reading ends early where ``stopped`` says so. The
    decoder sees all of the ``leading`` lines, with which the file begins.
    """

    def __init__(
        self,
        descriptor: int,
        size: int,
        scan: Scan,
        options: TimeOptions,
        jobs: int,
        told: Callable[[int], object] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
        leading: Sequence[bytes] = (),
    ) -> None:
        self._descriptor, self._size, self._scan, self._jobs = descriptor, size, scan, jobs
        self._bins = PackedBins(bin_width(options), scan)
        self._options = options
        self._told, self._stopped = told, stopped
        self._leading = leading
        self._known: dict[int, int | None] = {}
        self._ends: tuple[int, int] | None = None

    def batches(self, collector: Collector, report: Report, known: Known) -> Iterator[Batches]:
        """The intervals of all series, one part of the time after the other. Reads all of the file at once: raises
        Unfit, before the report is told of anything, and what the decoder raises.
        """
        held = DeferredReport(report)
        try:
            self.count(collector, held, known)
            shift = self._shift()
        except NotScannable:
            raise
        except BaseException:
            held.tell()
            raise
        held.tell()
        return self._bins.batches(shift)

    def count(self, collector: Collector, report: Report, known: Known) -> tuple[int, int]:
        """Fill the bins; how many events there are, and the sum of their latencies in the unit of the scan."""
        # What numpy and the rest have made stays to the end: not even then has the collector to go through all of it,
        # for as long as the scan of 20 MB takes.
        gc.freeze()
        for event in collector.decode(self._lines(), report, known):
            if not isinstance(event, Sample) or event.clock is not self._scan.clock:
                raise NotScannable
            if event.line not in self._known:
                self._bins.add(event)
                self._within_half_a_day(event.micros, event.micros)
            elif self._known[event.line] not in (None, event.micros):
                raise NotScannable
        return self._bins.totals

    def _lines(self) -> Iterator[Line]:
        """The lines that the decoder has to see."""
        number, last = 0, dict[int, int | None]()
        # The C library gives blocks as large as the largest that was freed back to the system each time, which then has
        # to fill them with zeros; this one is never touched.
        np.empty(_LARGEST, np.uint8)
        for end, found in scan_chunks(self._descriptor, self._size, self._counted, self._jobs):
            self._bins.take_in(found)
            if found.ends is not None:
                self._within_half_a_day(*found.ends)
            decoded = found.decoded
            leading = range(min(len(self._leading) - number, found.lines))
            more = {index: self._leading[number + index] for index in leading if index not in decoded}
            seen = {**dict.fromkeys(more), **found.known}
            known = {number + 1 + index: micros for index, micros in seen.items()}
            # A decoder may hold a line back until it sees another one, which the next piece has for it; and all of the
            # leading ones.
            self._known = {**last, **known}
            for index, line in sorted({**decoded, **more}.items()):
                yield Line(number + 1 + index, line_of(line))
            last = known if found.lines and number >= len(self._leading) else self._known
            number += found.lines
            self._told(end)
            if self._stopped():
                return
        rest = tail(self._descriptor, self._size)
        if rest:
            yield Line(number + 1, line_of(rest))

    def _within_half_a_day(self, first: int, last: int) -> None:
        """Times of day are those of one day for sure where all of them lie so close together. Raises Unfit."""
        if self._scan.clock is not Clock.DAY:
            return
        earliest, latest = self._ends or (first, last)
        self._ends = min(earliest, first), max(latest, last)
        if self._ends[1] - self._ends[0] >= DAY_MICROS // 2:
            raise NotScannable

    def _shift(self) -> int:
        """Microseconds from the clock of the file to the axis of time. Raises Unfit where they are not always the
        same, as where times of day are those of a day on which clocks were changed.
        """
        if self._scan.clock is not Clock.DAY or self._ends is None:
            return 0
        first, last = (moment // self._bins.width * self._bins.width + self._bins.width for moment in self._ends)
        shift = days_before(first, last, self._options)
        if shift is None:
            raise NotScannable
        return shift

    def _counted(self, text: Chunk) -> ChunkCounts:
        return count_chunk(self._scan.scan(text), self._bins.width)
