"""A file's events, scanned in bulk: the same as the line decoder's, sooner."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..collector import Collector, Known
from ..intervals.options import TimeOptions
from ..intervals.sampled import Printer, bin_width
from ..record import Event, Sample
from ..report import Report
from ..text.lines import Line, line_of
from .counter import PackedBins
from .found import Found, Scan
from .reader import Unfit, scanned, tail
from .sums import Sums
from .text import Text


class BulkReader:
    """One file. ``told`` is given the bytes that have been read; reading ends early where ``stopped`` says so."""

    def __init__(
        self,
        descriptor: int,
        size: int,
        scan: Scan,
        options: TimeOptions,
        jobs: int,
        told: Callable[[int], object] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._descriptor, self._size, self._scan, self._jobs = descriptor, size, scan, jobs
        self._bins = PackedBins(bin_width(options), scan)
        self._options = options
        self._told, self._stopped = told, stopped
        self._known: set[int] = set()

    def events(self, collector: Collector, report: Report, known: Known) -> Iterator[Event]:
        """Ticks and records of all bins. Raises Unfit before the first of them, and what the decoder raises."""
        self.count(collector, report, known)
        yield from Printer(self._scan.clock, self._options, report, bins=self._bins).rest()

    def count(self, collector: Collector, report: Report, known: Known) -> tuple[int, int]:
        """Fill the bins; how many events there are, and the sum of their latencies in the unit of the scan."""
        for event in collector.decode(self._lines(), report, known):
            if not isinstance(event, Sample) or event.clock is not self._scan.clock:
                raise Unfit
            if event.line not in self._known:
                self._bins.add(event)
        return self._bins.totals

    def _lines(self) -> Iterator[Line]:
        """The lines that the decoder has to see."""
        number, last = 0, set[int]()
        for end, (found, counted) in scanned(self._descriptor, self._size, self._both, self._jobs):
            self._bins.take_in(counted)
            # A decoder may hold a line back until it sees another one, which the next piece has for it.
            self._known = {*last, *(known := {number + 1 + index for index in found.known})}
            for index in sorted(found.decoded):
                yield Line(number + 1 + index, line_of(found.decoded[index]))
            number, last = number + found.lines, known
            self._told(end)
            if self._stopped():
                return
        rest = tail(self._descriptor, self._size)
        if rest:
            yield Line(number + 1, line_of(rest))

    def _both(self, text: Text) -> tuple[Found, Sums]:
        found = self._scan.scan(text)
        return found, self._bins.counted(found)
