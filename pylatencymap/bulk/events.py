"""A file's events, scanned in bulk: the same as the line decoder's, faster."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..collector import Collector, Known
from ..intervals.batch import Batches
from ..intervals.bins import DAY_MICROS
from ..intervals.dating import days_before
from ..intervals.options import TimeOptions
from ..intervals.sampled import bin_width
from ..record import Clock, Sample
from ..report import Report
from ..text.lines import Line, line_of
from .counter import PackedBins, counted
from .found import Counted, Scan
from .held import HeldReport
from .reader import Unfit, scanned, tail
from .text import Text

_LARGEST = 8 << 20
"""Bytes; no array that is made of a piece is larger."""


class BulkReader:
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
        held = HeldReport(report)
        try:
            self.count(collector, held, known)
            shift = self._shift()
        except Unfit:
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
                raise Unfit
            if event.line not in self._known:
                self._bins.add(event)
                self._within_half_a_day(event.micros, event.micros)
            elif self._known[event.line] not in (None, event.micros):
                raise Unfit
        return self._bins.totals

    def _lines(self) -> Iterator[Line]:
        """The lines that the decoder has to see."""
        number, last = 0, dict[int, int | None]()
        # The C library gives blocks as large as the largest that was freed back to the system each time, which then has
        # to fill them with zeros; this one is never touched.
        np.empty(_LARGEST, np.uint8)
        for end, found in scanned(self._descriptor, self._size, self._counted, self._jobs):
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
            raise Unfit

    def _shift(self) -> int:
        """Microseconds from the clock of the file to the axis of time. Raises Unfit where they are not always the
        same, as where times of day are those of a day on which clocks were changed.
        """
        if self._scan.clock is not Clock.DAY or self._ends is None:
            return 0
        first, last = (moment // self._bins.width * self._bins.width + self._bins.width for moment in self._ends)
        shift = days_before(first, last, self._options)
        if shift is None:
            raise Unfit
        return shift

    def _counted(self, text: Text) -> Counted:
        return counted(self._scan.scan(text), self._bins.width)
