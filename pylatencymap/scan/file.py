"""Scans the events of a whole file: the same events as the line decoder's, faster."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from ..broken_texts import decode_lines
from ..collector import Collector, Known
from ..intervals import Batches, TimeOptions, bin_width, days_before, within_limits
from ..record import Clock, Sample
from ..report import SHOWN, Report
from ..stream import is_on_axis
from ..text.lines import Line, UnendedLine, line_of
from ..units import MICROS_PER_DAY
from .chunk import Chunk
from .contract import ChunkCounts, Fit, Scan
from .counts import PackedBins, count_chunk
from .reader import ChunkSource, NotScannable, SplitChunks, scan_chunks
from .time_check import StrayTimes, TimeCheck, divide

# Messages wait until the scan is known to succeed: otherwise the decoder reads the file again and repeats them.


class DeferredReport(Report):
    """Holds back messages to another report, and counts those that it would not show."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.name, strict=report.strict)
        self._report = report
        self._first: list[Callable[[], None]] = []
        self._more = 0

    def bad(self, line: int, what: str) -> None:
        """Count something unreadable at a line; raises BadInput when strict."""
        super().bad(line, what)
        if self.at_break:  # it is held back as a note
            return
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.bad, line, what))
        else:
            self._more += 1

    def note(self, line: int, what: str) -> None:
        """Hold back something worth knowing."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.note, line, what))

    def say(self, what: str) -> None:
        """Hold back a message of the program itself."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.say, what))

    def release(self) -> None:
        """Pass everything on to the report, and add to its count what it would not have shown."""
        for message in self._first:
            message()
        self._report.bad_count += self._more


MakeBins: TypeAlias = Callable[[int, Scan], PackedBins]
_LARGEST = 8 << 20
"""Bytes; no array made from a chunk is larger."""


class FileToScan(NamedTuple):
    """The chunks of a file, the scan that fits it, and how its times are meant.

    ``on_progress`` gets the number of bytes read so far, after each chunk; reading ends early when ``is_stopped``
    returns true.
    """

    chunks: ChunkSource
    fit: Fit
    options: TimeOptions
    on_progress: Callable[[int], object] = lambda _: None
    is_stopped: Callable[[], bool] = lambda: False


class FileScanner:
    """Scans one file. ``make_bins`` makes what the events are counted in."""

    def __init__(self, file: FileToScan, make_bins: MakeBins = PackedBins) -> None:
        self._file, self._make_bins = file, make_bins
        self._scan: Scan = file.fit.scan
        self._bins = make_bins(bin_width(file.options), self._scan)
        self._report = Report("")
        self._known: dict[int, int | None] = {}
        self._ends: tuple[int, int] | None = None
        self._beside_strays: frozenset[int] = frozenset()

    def batches(self, collector: Collector, report: Report, known: Known) -> Iterator[Batches]:
        """The intervals of all series, one period after another. The call itself reads the whole file. See
        ``counted``.
        """
        bins, shift = self.counted(collector, report, known)
        return bins.batches(shift)

    def counted(self, collector: Collector, report: Report, known: Known) -> tuple[PackedBins, int]:
        """The counts of the whole file, and the microseconds from its clock to the time axis.

        Raises NotScannable, before anything reaches the report, and whatever the decoder raises.
        """
        held = DeferredReport(report)
        try:
            self.count(collector, held, known)
            shift = self._shift()
        except StrayTimes as strays:
            if self._beside_strays:
                raise
            return self._again(strays.ends).counted(collector, report, known)
        except NotScannable:
            raise
        except BaseException:
            held.release()
            raise
        held.release()
        return self._bins, shift

    def _again(self, ends: set[int]) -> FileScanner:
        """A scan of the same file that shows the judge the events around these times, too."""
        again = FileScanner(self._file, self._make_bins)
        again._beside_strays = frozenset(ends)
        return again

    def count(self, collector: Collector, report: Report, known: Known) -> tuple[int, int]:
        """Fill the bins. Returns the number of events, and the sum of their latencies in the unit of the scan."""
        self._report = report
        times = TimeCheck(self._scan, self._bins.width, report)
        for event in within_limits(decode_lines(collector, self._lines(times), report, known), report):
            if not isinstance(event, Sample) or event.clock is not self._scan.clock or not is_on_axis(event.micros):
                raise NotScannable
            if event.line in self._known:
                times.passes(event.line)
                if self._known[event.line] not in (None, event.micros):
                    raise NotScannable
            else:
                event = self._as_counted(event)
                if not times.takes(event):
                    self._add(event)
        for one in times.settled():
            self._add(one.sample, one.doubtful)
        return self._bins.totals

    def _as_counted(self, event: Sample) -> Sample:
        """An event of the decoder in the series in which it counts."""
        return event

    def _add(self, event: Sample, doubtful: bool = False) -> None:
        self._bins.add(event, doubtful)
        self._within_half_a_day(event.micros, event.micros)

    def _lines(self, times: TimeCheck) -> Iterator[Line]:
        """The lines that the decoder has to see; counts the events of the others on the way."""
        chunks, leading = self._file.chunks, len(self._file.fit.leading)
        number, last = 0, dict[int, int | None]()
        # glibc returns a freed block to the system if it is larger than every block freed before, and the system fills
        # the next one with zeros. Freeing this untouched block raises that limit, so later arrays reuse memory.
        np.empty(_LARGEST, np.uint8)
        for end, found in chunks.counts(self._counted):
            self._take_in(found, number)
            times.take_in(found, number)
            if found.ends is not None:
                if not (is_on_axis(found.ends[0]) and is_on_axis(found.ends[1])):
                    raise NotScannable  # the decoder reports each line that is beyond
                self._within_half_a_day(*found.ends)
            shown, known = self._shown_of(found, number)
            # A decoder can hold back a line, or all leading lines, until it sees another one, which can be in the next
            # chunk: so the known lines of the last chunk are still known.
            self._known = {**last, **known}
            yield from shown
            last = known if found.lines and number >= leading else self._known
            number += found.lines
            self._file.on_progress(end)
            if self._file.is_stopped():
                return
        if chunks.broken is not None:
            self._report.bad(*chunks.broken)
        rest = chunks.tail()
        if rest:
            yield UnendedLine(number + 1, line_of(rest))

    def _shown_of(self, found: ChunkCounts, before: int) -> tuple[list[Line], dict[int, int | None]]:
        """The lines of a chunk, which follows ``before`` lines, that the decoder sees; and by their numbers those whose
        events are counted already, with their times: None where that does not matter.
        """
        leading = self._file.fit.leading
        among = range(min(len(leading) - before, found.lines))
        more = {index: leading[before + index] for index in among if index not in found.decoded}
        shown = sorted({**found.decoded, **more}.items())
        known = {**dict.fromkeys(more), **found.known}
        return (
            [Line(before + 1 + index, line_of(line)) for index, line in shown],
            {before + 1 + index: micros for index, micros in known.items()},
        )

    def _take_in(self, found: ChunkCounts, before: int) -> None:  # noqa: ARG002
        """Add the counts of a chunk, which follows ``before`` lines."""
        self._bins.take_in(found)

    def _within_half_a_day(self, first: int, last: int) -> None:
        """Check that all times of day lie within 12 h: then they belong to one day. Raises NotScannable otherwise."""
        if self._scan.clock is not Clock.DAY:
            return
        earliest, latest = self._ends or (first, last)
        self._ends = min(earliest, first), max(latest, last)
        if self._ends[1] - self._ends[0] >= MICROS_PER_DAY // 2:
            raise NotScannable

    def _shift(self) -> int:
        """Microseconds to add to the clock of the file to get to the time axis.

        Raises NotScannable if that is not the same for all events, as on a day on which clocks were changed.
        """
        if self._scan.clock is not Clock.DAY or self._ends is None:
            return 0
        first, last = (moment // self._bins.width * self._bins.width + self._bins.width for moment in self._ends)
        shift = days_before(first, last, self._file.options)
        if shift is None:
            raise NotScannable
        return shift

    def _counted(self, text: Chunk) -> ChunkCounts:
        return counted_in(text, self._scan, self._bins.width, self._beside_strays)


def counted_in(text: Chunk, scan: Scan, width: int, beside: Collection[int] = ()) -> ChunkCounts:
    """What is kept of a chunk: the same wherever it is counted. ``beside``: see ``StrayTimes``."""
    found = scan.scan(text)
    return count_chunk(found, divide(found, scan.clock, width, beside), width)


def count_split(
    descriptor: int, size: int, scan: Scan, width: int, split: tuple[int, int]
) -> Iterator[tuple[int, ChunkCounts]]:
    """The chunks of the lines that begin between two places of a file, each with its end. Raises NotScannable."""
    return scan_chunks(descriptor, size, lambda text: counted_in(text, scan, width), 1, split)


def count_pieces(chunks: SplitChunks, scan: Scan, width: int) -> Iterator[tuple[int, ChunkCounts]]:
    """The same of a split that comes in pieces, without its seam. Raises NotScannable."""
    return chunks.counts(lambda text: counted_in(text, scan, width))
