"""Rows to samples."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from ...collector import Columns, Known
from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from ...text.scaled import LONGEST, PER_SECOND, decimal_of, in_unit, seconds_of
from .._series import OTHER, SeriesNames
from .header import Layout, is_rule, layout_of
from .steps import Steps
from .told import ALL, told
from .values import Meaning, Moment, latency_in, meaning_of

SOURCE = "columns"
ENOUGH = 1_000
"""Lines without a header after which none is to be expected."""
_DAY = 86_400 * 10**6
_CHOOSE = "--time NAME, --latency NAME (or their numbers from 1, as in 2:us) and --by NAME say which columns are meant"


class Row(NamedTuple):
    """An event: when it is told to have been, its latency in seconds, the unit that it was told in, and its series."""

    moment: Moment
    seconds: Decimal
    unit: Decimal
    series: str
    line: Line


class Decoder:
    """Reads one text."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._known = known
        self._wanted = known.columns or Columns()
        self._series = SeriesNames(report)
        self._layout: Layout | None = None
        self._header = self._first = ""
        self._meaning: Meaning | None = None
        self._label = ""
        self._steps = Steps()
        self._held: list[Row] = []
        self._names: dict[str, str] = {}
        self._rounded = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Samples in the order of the lines; raises Refused where columns or units are not to be told."""
        last = 0
        for line in lines:
            if line is None:
                yield from self._settled()
                yield Pause()
                continue
            last = line.number
            row = self._row(line)
            if row is not None and self._steps.is_settled:
                yield self._sample(row)
            elif row is not None:
                self._held.append(row)
                if self._steps.shown_by(row.seconds, row.unit):
                    yield from self._settled()
        yield from self._settled(is_all=True)
        if self._meaning is None:
            raise self._refused(last, "no row has a time and a latency" if self._layout else self._unnamed())

    def _settled(self, *, is_all: bool = False) -> Iterator[Decoded]:
        """The rows that were held until the unit of their latencies was found."""
        held, self._held = self._held, []
        if held and (what := self._steps.settled(is_all=is_all)):
            self._report.note(held[0].line.number, what)
        for row in held:
            yield self._sample(row)

    def _refused(self, line: int, why: str) -> Refused:
        return Refused(f"{self._report.name}:{line}: {why}; {_CHOOSE}")

    def _unnamed(self) -> str:
        named = " or ".join(repr(name) for name in (self._wanted.time, self._wanted.latency, *self._wanted.by) if name)
        missing = f"no line has {named}, with a time and a latency" if named else "no line names a time and a latency"
        return f"{missing}; the first one is {printable(self._first, 60)!r}"

    def _row(self, line: Line) -> Row | None:
        """The event of a line; what has none below the header is counted."""
        if is_rule(line.text):
            return None
        if self._layout is None:
            self._first = self._first or line.text
            self._layout = layout_of(line.text, self._wanted)
            if self._layout is None and line.number >= ENOUGH:
                raise self._refused(line.number, self._unnamed())
            if self._layout is None or self._layout.headed:
                self._header = line.text
                return None
        layout = self._layout
        if line.text == self._header or line.text.startswith("#"):
            return None
        fields = layout.row(line.text)
        found = latency_in(fields[layout.latency.at]) if fields else None
        if fields is None or found is None:
            self._bad(line)
            return None
        if self._meaning is None:
            self._begin(layout, fields, found, line)
        moment = self._meaning.read(_time_of(self._layout or layout, fields)) if self._meaning else None
        unit = found[1] or self._latency_unit(layout, line)
        seconds = found[0] * unit
        if moment is None or not 0 <= seconds <= LONGEST:
            self._bad(line)
            return None
        return Row(moment, seconds, unit, self._named(layout, fields, line), line)

    def _bad(self, line: Line) -> None:
        if not (self._wanted.regex and self._layout and self._layout.split(line.text) is None):
            self._report.bad(line.number, f"not a row with a time and a latency: {line.text}")

    def _named(self, layout: Layout, fields: list[str], line: Line) -> str:
        if not layout.by:
            return ALL
        name = ",".join(fields[place.at] for place in layout.by)
        found = self._names.get(name)
        if found is None:
            found = self._series.capped(printable(name) or ALL, line.number)
            if found != OTHER:
                self._names[name] = found
        return found

    def _latency_unit(self, layout: Layout, line: Line) -> Decimal:
        unit = layout.latency.unit or (seconds_of(self._known.unit.value) if self._known.unit else None)
        if unit is None:
            told_by = f"--unit us, or --latency {layout.latency.at + 1}:us, tells it"
            why = f"the unit of {layout.latency.name!r} is open; {told_by}"
            raise self._refused(line.number, why)
        return unit

    def _begin(self, layout: Layout, fields: list[str], found: tuple[Decimal, Decimal | None], line: Line) -> None:
        """The first row shows what times are; what was taken for what is told."""
        unit = found[1] or self._latency_unit(layout, line)
        layout = self._layout = layout.dated_by(fields)
        time, text = layout.time, _time_of(layout, fields)
        self._meaning = meaning_of(text, time.unit, self._known.tz)
        moment = self._meaning.read(text) if self._meaning else None
        if self._meaning is None or moment is None:
            self._meaning = None
            if decimal_of(text) is None:
                return
            why = f"the unit of {text!r} in {time.name!r} is open; --time {time.at + 1}:ms tells it"
            raise self._refused(line.number, why)
        self._label = "latency" if layout.nameless else printable(layout.latency.name)
        for what in told(layout, self._meaning, moment, found[0], unit):
            self._report.note(line.number, what)

    def _sample(self, row: Row) -> Sample:
        unit = self._steps.unit
        exact = in_unit(row.seconds, unit)
        latency = int(row.seconds * PER_SECOND[unit])
        if exact != latency and not self._rounded:
            self._rounded = True
            self._report.note(row.line.number, f"latencies are kept in whole {unit.value}; this one is finer")
        micros, clock = row.moment
        if self._layout and self._layout.starts:
            micros += int(row.seconds * 10**6)
            micros = micros % _DAY if clock is Clock.DAY else micros
        line = row.line
        step = self._steps.length_of(latency)
        return Sample(
            row.series, unit, latency, micros, clock, "", self._label, SOURCE, line.number, line.arrival, step
        )


def _time_of(layout: Layout, fields: list[str]) -> str:
    """The value of a time, behind its date where that is in another column."""
    time = layout.time
    return f"{fields[time.date.at]} {fields[time.at]}" if time.date else fields[time.at]
