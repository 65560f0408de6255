"""Groups histograms into snapshots of the whole source: decides when a new snapshot begins."""

from collections.abc import Iterator
from dataclasses import replace

from ...collector import Known
from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp, Tick, tidy_ranges
from ...report import Report
from ...text import unit_named
from ...text.clean import printable
from ...text.lines import Line
from ...units import Unit
from .._given_unit import ABOVE, GivenUnit
from .._missing import Missing
from .._undated import UndatedPrints
from .current import BURST_SECONDS, CurrentSnapshot, MapHistogram, seconds_between
from .exact_sums import ExactSums
from .headings import Headings
from .maps import MapMeaning, MapSeriesNames, map_meaning
from .rows import scaled_range

MOST_MAPS = 1_000
MOST_HELD = 10_000
"""Most histograms of one snapshot that are held back to be yielded together."""
LONGEST = 1_000
"""Characters of a key that are significant."""


class MapSnapshots:
    """Collects the histograms of one snapshot at a time.

    Each printed moment begins a new snapshot. Without moments a snapshot ends when a map or one of its keys comes
    again. If the first snapshot has no moment above it and one below it, moments follow the snapshots they belong to.
    ``_often``: snapshots come more often than moments.
    ``_is_headed``: a moment came since the open snapshot began, the same as its own. ``_odd`` is a text behind it.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._given = GivenUnit(report, known.unit)
        self._mentioned: Unit | None = None
        self._meanings: dict[str, MapMeaning] = {}
        self._names = MapSeriesNames(report, known.live)
        self._headings = Headings()
        self._sums = ExactSums()
        self._reasons: dict[str, tuple[int, str, str | None]] = {}
        self._drawn = self._doubled = False
        self._unfit: set[str] = set()
        self._current = CurrentSnapshot()
        self._tick: Tick | None = None
        self._stamp: Stamp | None = None
        self._unstamped = 0
        self._begun = self._open = self._dated = False
        self._below = False
        self._undated = UndatedPrints(report, known.live)
        self._often = self._is_headed = False
        self._odd: tuple[int, str] | None = None
        self._may_be_below = True

    def text(self, text: str, line: Line) -> Iterator[Event]:
        """Process any text that a script printed besides maps; it can be the moment of a snapshot."""
        self._mentioned = unit_named(text) or self._mentioned
        stamp = self._headings.read(text, line.number)
        if stamp is not None:
            yield from self._moment(stamp, line)
        else:
            self._current.text()
            if any(char.isdigit() for char in text):
                self._odd = line.number, text.strip()

    def stray(self) -> None:
        """A row without a map above it: the text has lost the moment of its first snapshot."""
        self._may_be_below = self._begun and self._may_be_below

    def _moment(self, stamp: Stamp, line: Line) -> Iterator[Event]:
        """A moment was printed. A snapshot follows; if the moment is the same as before, it can be a second part.

        If moments are printed below their snapshots, this one ends its snapshot.
        """
        self._below = self._below or self._is_below(line)
        self._dated, self._unstamped = True, 0
        if self._below:
            yield from self._ended(stamp, line)
        elif self._open and stamp == self._stamp:
            self._is_headed = True
            self._current.headed()
            yield from self._undated.end()
        else:
            yield from self._release()
            yield from self._undated.moment()
            yield from self._new_snapshot(stamp, line)

    def _is_below(self, line: Line) -> bool:
        """Whether the first moment comes below the first snapshot."""
        last = self._current.last
        if self._dated or last is None or not self._may_be_below or self._unstamped > 1:
            return False
        arrived = seconds_between(last.line, line)
        return arrived is None or arrived <= BURST_SECONDS

    def _ended(self, stamp: Stamp, line: Line) -> Iterator[Event]:
        """The open snapshot was of this moment; if none is open, nothing happened."""
        self._stamp = stamp
        if not self._open:
            self._tick = Tick(stamp, line.arrival, line.number)
        elif self._tick is not None:
            self._tick = replace(self._tick, stamp=stamp)
        yield from self._release()
        self._sums.go_on()
        self._open = False

    def add(self, histogram: MapHistogram) -> Iterator[Event]:
        """Add a complete histogram."""
        histogram.key = histogram.key and histogram.key[:LONGEST]
        if len(self._current.held) >= MOST_HELD:
            yield from self._release()
        meaning = self._meaning(histogram.name, histogram.line.number)
        if meaning.unit is None:
            self._pass_over(histogram, meaning)
            return
        self._drawn = True
        heading = self._headings.above_histogram()
        if heading is not None:
            yield from self._moment(heading[0], histogram.line._replace(number=heading[1]))
        stamped = self._stamp is not None and not (self._often or self._undated.is_usual)
        if not self._open or self._current.is_over(histogram, stamped=stamped, doubled=self._doubled):
            yield from self._repeated(histogram)
        if not self._doubled and (histogram.name, histogram.key) in self._current.held:
            self._doubled = True
            title = printable(f"@{histogram.name}[{histogram.key}]", 60)
            self._report.note(
                histogram.line.number, f"{title} comes more than once in one print: such counts are added"
            )
        self._current.add(histogram)

    def _repeated(self, histogram: MapHistogram) -> Iterator[Event]:
        """A snapshot begins without a moment. A repeated map is in the same second, as at the end of a program; maps
        after that have no moments.
        """
        self._unstamped += 1
        yield from self._release()
        if self._dated and not self._below and not self._is_headed:
            self._undated.begin(*(self._odd or (histogram.line.number,)))
        else:
            self._often = self._often or self._open
        yield from self._new_snapshot(self._stamp if self._unstamped == 1 else None, histogram.line)

    def _meaning(self, name: str, line: int) -> MapMeaning:
        """What a map measures: by its own name, else by a line that the script printed, else by the user's unit."""
        found = self._meanings.get(name)
        if found is None:
            found = map_meaning(name, None)
            if found.unit is not None:
                self._given.against(found.unit, line, printable(f"@{name}", 60))
            else:
                given = self._given.against(self._mentioned, line, ABOVE) if found.is_open else self._given.unit
                found = map_meaning(name, given)
            if found.unit is not None and len(self._meanings) < MOST_MAPS:
                self._meanings[name] = found
        return found

    def number(self, name: str, key: str | None, total: int, events: int | None = None) -> None:
        """Add a number of another map, which can be the sum of a histogram: see ``ExactSums``."""
        self._sums.add(name, key, total, events)

    def pause(self) -> Iterator[Event]:
        """The source pauses: yield what there is, unless its moment is still to come."""
        if not (self._below and self._open):
            yield from self._release()

    def _release(self) -> Iterator[Event]:
        """Yield the tick of the snapshot, and the histograms that have come so far, unless they have to wait."""
        return self._undated.passed(list(self._complete()))

    def _complete(self) -> Iterator[Event]:
        """The tick of the snapshot, and the histograms that have come so far."""
        if self._tick is not None:
            yield self._tick
            self._tick = None
        groups: dict[tuple[str, str], list[MapHistogram]] = {}
        for place, histogram in self._current.take().items():
            series = self._names.of(*place, histogram.line.number)
            groups.setdefault((series, histogram.name), []).append(histogram)
        for (series, _), histograms in groups.items():
            yield self._record(series, histograms)

    def end(self, nothing: str) -> Iterator[Event]:
        """End the text. Raise Refused if it had no records; ``nothing`` is the reason if no other is known."""
        yield from self._release()
        yield from self._undated.end()
        if not self._drawn and (self._reasons or not self._begun):
            line, reason, _ = next(iter(self._reasons.values()), (1, nothing, None))
            raise Refused(f"{self._report.where(line)}: {reason}")

    def refuse(self, name: str, line: int, reason: str, key: str | None = None) -> None:
        """A map cannot be read: report it. If no other map can be read either, the text is refused."""
        if name in self._reasons or len(self._reasons) >= MOST_MAPS:
            return
        if self._drawn:
            self._report.note(line, reason)
        self._reasons[name] = line, reason, key

    def _pass_over(self, histogram: MapHistogram, meaning: MapMeaning) -> None:
        """Skip a map that contains no latencies. If it comes again and there was no other, say what is awaited."""
        if not histogram.rows:
            return
        first = self._reasons.get(histogram.name)
        if first and not self._drawn and first[2] == histogram.key:
            self._missing.add(first[0], first[1])
        self.refuse(histogram.name, histogram.line.number, meaning.reason, histogram.key)

    def _new_snapshot(self, stamp: Stamp | None, line: Line) -> Iterator[Event]:
        yield from self._release()
        if self._open:
            self._sums.go_on()
        self._stamp, self._begun, self._open = stamp, True, True
        self._is_headed, self._odd = False, None
        self._current.begin()
        self._tick = Tick(stamp, line.arrival, line.number)
        if not self._below and (self._dated or self._unstamped > 1):
            yield from self._release()

    def _doubt_sum(self, histogram: MapHistogram) -> None:
        """Say once for each map that the number called its sum is not used."""
        other = self._sums.unfit(histogram.name, histogram.key)
        if histogram.rows and other and histogram.name not in self._unfit and len(self._unfit) < MOST_MAPS:
            self._unfit.add(histogram.name)
            what = f"@{other} cannot be the sum of @{histogram.name}: its time waited is estimated"
            self._report.note(histogram.line.number, what)

    def _record(self, series: str, histograms: list[MapHistogram]) -> Record:
        first = histograms[0]
        meaning = self._meaning(first.name, first.line.number)
        unit, factor = meaning.unit, meaning.factor
        assert unit is not None
        totals = [self._sums.of(one.name, one.key, one.rows) for one in histograms]
        if None in totals:
            self._doubt_sum(first)
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
