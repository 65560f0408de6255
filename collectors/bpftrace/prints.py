"""Histograms to prints of the whole source: which belong together, and when a new print begins."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...collector import Known
from ...errors import Refused
from ...record import Event, Range, Record, Semantics, Stamp, Tick, tidy_ranges
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line
from .headings import Headings
from .maps import Meaning, Names, meaning_of
from .rows import scaled
from .sums import Sums

BURST_SECONDS = 0.1
"""What arrives later than this after the last histogram was not printed together with it."""
MOST_MAPS = 1_000
MOST_HELD = 10_000
"""Histograms of one print that are held to be told together."""
MOST_TOLD = 100_000
LONGEST = 1_000
"""Characters of a key that count."""

_Place = tuple[str, str | None]


@dataclass
class Histogram:
    """The rows of one key of a map, in the map's unit. ``key`` is None where the map has none."""

    name: str
    key: str | None
    line: Line
    rows: list[Range] = field(default_factory=list)

    @property
    def events(self) -> float:
        return sum(count for _, _, count in self.rows)


class Prints:
    """Collects the histograms of one print at a time.

    Each moment that was printed is a new print. Without one a print ends where a map comes again, or a key of it.
    bpftrace 0.17 may print one key several times in one print: then the counts are added.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._given = known.unit
        self._names = Names(report, known.live)
        self._headings = Headings()
        self._sums = Sums()
        self._reasons: dict[str, tuple[int, str, str | None]] = {}
        self._drawn = False
        self._stamp: Stamp | None = None
        self._unstamped = 0
        self._begun = False
        self._print: dict[_Place, Histogram] = {}
        self._told: set[_Place] = set()
        self._over: set[str] = set()
        self._last: Histogram | None = None

    def text(self, text: str, line: Line) -> Iterator[Event]:
        """Anything that a script printed besides maps; it may be the moment of a print."""
        stamp = self._headings.read(text, line.number)
        if stamp is not None:
            yield from self._moment(stamp, line)

    def _moment(self, stamp: Stamp, line: Line) -> Iterator[Event]:
        """A print of this moment follows. The same moment once more is a second part of it."""
        self._unstamped = 0
        if self._begun and stamp == self._stamp:
            return
        yield from self._new_print(stamp, line)

    def add(self, histogram: Histogram) -> Iterator[Event]:
        """A histogram is complete."""
        histogram.key = histogram.key and histogram.key[:LONGEST]
        if len(self._print) >= MOST_HELD:
            yield from self.pause()
        meaning = meaning_of(histogram.name, self._given)
        if meaning.unit is None:
            self._pass_over(histogram, meaning)
            return
        self._drawn = True
        heading = self._headings.above_histogram()
        if heading is not None:
            yield from self._moment(heading[0], histogram.line._replace(number=heading[1]))
        if not self._begun or self._is_again(histogram):
            # What comes once more is in the same second, as at the end of a program; what comes on has no moments.
            self._unstamped += 1
            yield from self._new_print(self._stamp if self._unstamped == 1 else None, histogram.line)
        if self._last is not None and self._last.name != histogram.name:
            self._over.add(self._last.name)
        place = histogram.name, histogram.key
        if place in self._print:
            self._print[place].rows += histogram.rows
        else:
            self._print[place] = histogram
        self._last = histogram

    def number(self, name: str, key: str | None, total: int, events: int | None = None) -> None:
        """A number in another map, which may be the sum of a histogram: see ``Sums``."""
        self._sums.add(name, key, total, events)

    def pause(self) -> Iterator[Event]:
        """Nothing more comes for now: tell what is there."""
        groups: dict[tuple[str, str], list[Histogram]] = {}
        for place, histogram in self._print.items():
            series = self._names.of(*place, histogram.line.number)
            groups.setdefault((series, histogram.name), []).append(histogram)
            if len(self._told) < MOST_TOLD:
                self._told.add(place)
        self._print = {}
        for (series, _), histograms in groups.items():
            yield self._record(series, histograms)

    def end(self, nothing: str) -> Iterator[Event]:
        """The text is over. Raises Refused, with ``nothing`` for a reason where there was no other."""
        yield from self.pause()
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

    def _pass_over(self, histogram: Histogram, meaning: Meaning) -> None:
        """A map of no latencies; the text is refused when the map comes again and there was no other."""
        if not histogram.rows:
            return
        first = self._reasons.get(histogram.name)
        if first and not self._drawn and first[2] == histogram.key:
            raise Refused(f"{self._report.name}:{first[0]}: {first[1]}")
        self.refuse(histogram.name, histogram.line.number, meaning.reason, histogram.key)

    def _new_print(self, stamp: Stamp | None, line: Line) -> Iterator[Event]:
        yield from self.pause()
        if self._begun:
            self._sums.go_on()
        self._stamp, self._begun = stamp, True
        self._told.clear()
        self._over.clear()
        self._last = None
        yield Tick(stamp, line.arrival, line.number)

    def _is_again(self, histogram: Histogram) -> bool:
        """Whether a histogram belongs to a later print than the last one."""
        last = self._last
        if last is None:
            return False
        if histogram.name in self._over:
            return True
        place = histogram.name, histogram.key
        if place not in self._print and place not in self._told:
            return False
        return not self._may_be_double(histogram, last)

    def _may_be_double(self, histogram: Histogram, last: Histogram) -> bool:
        """Whether a key that comes again may be of the same print: its strings are equal only as they are printed.

        One print is ordered by the number of events.
        """
        if self._stamp is None or not histogram.key or histogram.key.replace(",", "").replace(" ", "").isdigit():
            return False
        arrivals = histogram.line.arrival, last.line.arrival
        if arrivals[0] is not None and arrivals[1] is not None and arrivals[0] - arrivals[1] > BURST_SECONDS:
            return False
        return histogram.events >= last.events

    def _record(self, series: str, histograms: list[Histogram]) -> Record:
        first = histograms[0]
        unit, factor, _ = meaning_of(first.name, self._given)
        assert unit is not None
        totals = [self._sums.of(one.name, one.key, one.rows) for one in histograms]
        known = [total for total in totals if total is not None]
        return Record(
            series=series,
            unit=unit,
            ranges=tidy_ranges([scaled(entry, factor) for one in histograms for entry in one.rows]),
            semantics=Semantics.OPEN,
            stamp=self._stamp,
            waited=sum(known) * factor * unit.seconds if len(known) == len(totals) else None,
            label=printable(f"bpftrace @{first.name}"),
            source="bpftrace",
            arrival=first.line.arrival,
            line=first.line.number,
        )
