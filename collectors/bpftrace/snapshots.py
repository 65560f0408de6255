"""Histograms to prints of the whole source: which belong together, and when a new print begins."""

from collections.abc import Iterator
from dataclasses import replace

from ...collector import Known
from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp, Tick, tidy_ranges
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line
from .current import BURST_SECONDS, CurrentSnapshot, MapHistogram, seconds_between
from .exact_sums import ExactSums
from .headings import Headings
from .maps import MapMeaning, MapSeriesNames, map_meaning
from .rows import scaled_range

MOST_MAPS = 1_000
MOST_HELD = 10_000
"""Histograms of one print that are held to be told together."""
LONGEST = 1_000
"""Characters of a key that count."""


class MapSnapshots:
    """Collects the histograms of one print at a time.

    Each moment that was printed is a new print. Without one a print ends where a map comes again, or a key of it.
    Where the first print has no moment above it, and one below it, moments stand below what they belong to. ``_often``:
    prints come more often than moments.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._given = known.unit
        self._names = MapSeriesNames(report, known.live)
        self._headings = Headings()
        self._sums = ExactSums()
        self._reasons: dict[str, tuple[int, str, str | None]] = {}
        self._drawn = False
        self._current = CurrentSnapshot()
        self._tick: Tick | None = None
        self._stamp: Stamp | None = None
        self._unstamped = 0
        self._begun = self._open = self._dated = False
        self._below = False
        self._often = False
        self._may_be_below = True

    def text(self, text: str, line: Line) -> Iterator[Event]:
        """Anything that a script printed besides maps; it may be the moment of a print."""
        stamp = self._headings.read(text, line.number)
        if stamp is not None:
            yield from self._moment(stamp, line)

    def stray(self) -> None:
        """A row without a map above it: a text that begins so has lost the moment of its first print."""
        self._may_be_below = self._begun and self._may_be_below

    def _moment(self, stamp: Stamp, line: Line) -> Iterator[Event]:
        """A print of this moment follows; the same moment once more may be a second part of it. Or it is over."""
        self._below = self._below or self._is_below(line)
        self._dated, self._unstamped = True, 0
        if self._below:
            yield from self._ended(stamp, line)
        elif self._open and stamp == self._stamp:
            self._current.headed()
        else:
            yield from self._new_print(stamp, line)

    def _is_below(self, line: Line) -> bool:
        """Whether the first moment stands below the first print."""
        last = self._current.last
        if self._dated or last is None or not self._may_be_below or self._unstamped > 1:
            return False
        arrived = seconds_between(last.line, line)
        return arrived is None or arrived <= BURST_SECONDS

    def _ended(self, stamp: Stamp, line: Line) -> Iterator[Event]:
        """The open print was of this moment; without one nothing happened."""
        self._stamp = stamp
        if not self._open:
            self._tick = Tick(stamp, line.arrival, line.number)
        elif self._tick is not None:
            self._tick = replace(self._tick, stamp=stamp)
        yield from self._told()
        self._sums.go_on()
        self._open = False

    def add(self, histogram: MapHistogram) -> Iterator[Event]:
        """A histogram is complete."""
        histogram.key = histogram.key and histogram.key[:LONGEST]
        if len(self._current.held) >= MOST_HELD:
            yield from self._told()
        meaning = map_meaning(histogram.name, self._given)
        if meaning.unit is None:
            self._pass_over(histogram, meaning)
            return
        self._drawn = True
        heading = self._headings.above_histogram()
        if heading is not None:
            yield from self._moment(heading[0], histogram.line._replace(number=heading[1]))
        is_over = self._open and self._current.is_over(histogram, stamped=self._stamp is not None and not self._often)
        self._often = self._often or is_over
        if not self._open or is_over:
            # What comes once more is in the same second, as at the end of a program; what comes on has no moments.
            self._unstamped += 1
            yield from self._new_print(self._stamp if self._unstamped == 1 else None, histogram.line)
        self._current.add(histogram)

    def number(self, name: str, key: str | None, total: int, events: int | None = None) -> None:
        """A number in another map, which may be the sum of a histogram: see ``ExactSums``."""
        self._sums.add(name, key, total, events)

    def pause(self) -> Iterator[Event]:
        """Nothing more comes for now: tell what is there, unless its moment is still to come."""
        if not (self._below and self._open):
            yield from self._told()

    def _told(self) -> Iterator[Event]:
        """The tick of the print, and its histograms as far as they have come."""
        if self._tick is not None:
            yield self._tick
            self._tick = None
        groups: dict[tuple[str, str], list[MapHistogram]] = {}
        for place, histogram in self._current.taken().items():
            series = self._names.of(*place, histogram.line.number)
            groups.setdefault((series, histogram.name), []).append(histogram)
        for (series, _), histograms in groups.items():
            yield self._record(series, histograms)

    def end(self, nothing: str) -> Iterator[Event]:
        """The text is over. Raises Refused, with ``nothing`` for a reason where there was no other."""
        yield from self._told()
        if not self._drawn and (self._reasons or not self._begun):
            line, reason, _ = next(iter(self._reasons.values()), (1, nothing, None))
            raise Refused(f"{self._report.name}:{line}: {reason}")

    def refuse(self, name: str, line: int, reason: str, key: str | None = None) -> None:
        """A map cannot be read; the text is refused where no other can."""
        if name in self._reasons or len(self._reasons) >= MOST_MAPS:
            return
        if self._drawn:
            self._report.note(line, reason)
        self._reasons[name] = line, reason, key

    def _pass_over(self, histogram: MapHistogram, meaning: MapMeaning) -> None:
        """A map of no latencies; the text is refused when the map comes again and there was no other."""
        if not histogram.rows:
            return
        first = self._reasons.get(histogram.name)
        if first and not self._drawn and first[2] == histogram.key:
            raise Refused(f"{self._report.name}:{first[0]}: {first[1]}")
        self.refuse(histogram.name, histogram.line.number, meaning.reason, histogram.key)

    def _new_print(self, stamp: Stamp | None, line: Line) -> Iterator[Event]:
        yield from self._told()
        if self._open:
            self._sums.go_on()
        self._stamp, self._begun, self._open = stamp, True, True
        self._current.begin()
        self._tick = Tick(stamp, line.arrival, line.number)
        if not self._below and (self._dated or self._unstamped > 1):
            yield from self._told()

    def _record(self, series: str, histograms: list[MapHistogram]) -> Record:
        first = histograms[0]
        unit, factor, _ = map_meaning(first.name, self._given)
        assert unit is not None
        totals = [self._sums.of(one.name, one.key, one.rows) for one in histograms]
        known = [total for total in totals if total is not None]
        return Record(
            series=series,
            unit=unit,
            ranges=tidy_ranges([scaled_range(entry, factor) for one in histograms for entry in one.rows]),
            semantics=Semantics.OPEN,
            stamp=self._stamp,
            waited=sum(known) * factor * unit.seconds if len(known) == len(totals) else None,
            label=printable(f"bpftrace @{first.name}"),
            source="bpftrace",
            arrival=first.line.arrival,
            line=first.line.number,
        )
