"""A file's events, scanned in bulk: the same as the line decoder's, sooner."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..collector import Collector, Known
from ..intervals.bins import DAY_MICROS
from ..intervals.options import TimeOptions
from ..intervals.sampled import Printer, bin_width
from ..record import Clock, Event, Sample
from ..report import Report
from ..text.lines import Line, line_of
from .counter import PackedBins, counted
from .found import Counted, Scan
from .held import HeldReport
from .reader import Unfit, scanned, tail
from .text import Text

if TYPE_CHECKING:
    from .whole import Whole

Take: TypeAlias = "Callable[[Whole], object]"
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

    def events(self, collector: Collector, report: Report, known: Known, take: Take | None = None) -> Iterator[Event]:
        """Ticks and records of all bins; none where ``take`` could be given the whole. Raises Unfit before the first of
        them and before the report is told of anything, and what the decoder raises.
        """
        held = HeldReport(report)
        try:
            self.count(collector, held, known)
        except Unfit:
            raise
        except BaseException:
            held.tell()
            raise
        held.tell()
        whole = self._bins.whole() if take is not None else None
        if take is not None and whole is not None:
            take(whole)
            return
        yield from Printer(self._scan.clock, self._options, report, bins=self._bins).rest()

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

    def _counted(self, text: Text) -> Counted:
        return counted(self._scan.scan(text), self._bins.width)
