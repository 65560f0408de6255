"""Turns rows of a table into samples."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timezone
from decimal import Decimal
from typing import NamedTuple

from ...collector import Columns, Known
from ...errors import Refused
from ...record import Clock, Decoded, EventKey, Pause, Sample
from ...report import Report
from ...text import LONGEST_LATENCY, PER_SECOND, decimal_of, in_unit, seconds_of_unit
from ...text.clean import is_noise, printable
from ...text.lines import Line, Lines
from ...units import MICROS_PER_DAY
from .._series import OTHER, SeriesNames
from .decimal_commas import DecimalCommas, is_open
from .evidence import DeltaCheck, RisingTime, is_ambiguous
from .header import NO_TIME, TableColumn, TableLayout, is_rule, table_layout
from .names import is_utc
from .notices import (
    ALL,
    CHOOSE,
    UNTIMED,
    UNTIMED_LIVE,
    HeaderShortfall,
    choice_notices,
    not_a_latency,
    not_a_row,
    not_a_time,
    unit_word,
)
from .precision import LatencySteps
from .rows import object_of
from .values import ColumnMoment, TimeFormat, is_without_order, latency_in, time_format

SOURCE = "columns"
ENOUGH = 1_000
"""After this many lines without a header, none is expected any more."""


class TableEvent(NamedTuple):
    """An event: its time as printed, its latency in seconds, the unit in which that was printed, and its series."""

    moment: ColumnMoment
    seconds: Decimal
    unit: Decimal
    series: str
    line: Line
    keys: tuple[EventKey, ...] = ()


class TableDecoder:
    """Reads one text."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._known = known
        self._wanted = known.columns or Columns()
        self._series = SeriesNames(report)
        self._layout: TableLayout | None = None
        self._header = ""
        self._lacking = HeaderShortfall(self._wanted)
        self._decimals = DecimalCommas()
        self._why = ""
        self._meaning: TimeFormat | None = None
        self._label = ""
        self._steps = LatencySteps()
        self._shown = False
        self._rising = RisingTime(self._wanted)
        self._spent = Decimal(0)
        self._deltas: DeltaCheck | None = None
        self._held: list[TableEvent] = []
        self._names: dict[str, str] = {}
        self._rounded = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; raise Refused if columns or units cannot be determined."""
        last = 0
        for line in self._rising.read(lines):
            if self._rising.name and not self._wanted.time:
                self._take_rising()
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
                self._shown = self._shown or self._steps.shown_by(row.seconds, row.unit)
                if self._shown:
                    yield from self._settled()
        yield from self._settled(is_all=True)
        if self._meaning is None:
            raise self._refused(last, self._unread() if self._layout else str(self._lacking))

    def _take_rising(self) -> None:
        """Take a column for the time because it only rises and its heading names a unit of time."""
        name = self._rising.name
        self._wanted = self._wanted._replace(time=name)
        self._report.note(self._rising.line, f"column {name!r} only rises and names a unit: it is taken for the time")

    def _settled(self, *, is_all: bool = False) -> Iterator[Decoded]:
        """Yield the rows that were held back until it was known what their latencies are."""
        if self._deltas is not None and (is_all or self._deltas.is_settled):
            self._check_deltas()
        if self._deltas is not None:
            return
        held, self._held = self._held, []
        if held and (what := self._steps.settled(is_all=is_all)):
            self._report.note(held[0].line.number, what)
        for row in held:
            yield self._sample(row)

    def _check_deltas(self) -> None:
        """Raise Refused if the column holds the time since the row before."""
        deltas, self._deltas = self._deltas, None
        if deltas is not None and deltas.is_time_between and self._held:
            name = self._layout.latency.name if self._layout else ""
            why = f"{name!r} is the time since the row before, no latency: --latency {name!r} draws it all the same"
            raise self._refused(self._held[0].line.number, why)

    def _refused(self, line: int, why: str) -> Refused:
        return Refused(f"{self._report.where(line)}: {why}; {CHOOSE}")

    def _unread(self) -> str:
        return "no row has a time and a latency" + (f": {self._why}" if self._why else "")

    def _row(self, line: Line) -> TableEvent | None:
        """The event of a line; lines below the header without one are counted."""
        if is_rule(line.text):
            return None
        if self._layout is None:
            self._layout = table_layout(line.text, self._wanted)
            if self._layout is None:
                self._lacking.look(line.text)
            if self._layout is None and line.number >= ENOUGH:
                raise self._refused(line.number, str(self._lacking))
            if self._layout is None or self._layout.headed:
                self._header = line.text
                return None
        layout = self._layout
        if line.text == self._header or line.text.startswith("#"):
            return None
        fields = layout.row(line.text)
        found = self._event(layout, fields, line) if fields else not_a_row(line.text, layout)
        if isinstance(found, TableEvent):
            return found
        self._bad(line, found)
        return None

    def _event(self, layout: TableLayout, fields: list[str], line: Line) -> TableEvent | str:
        """The event of a row, or why it has none."""
        latency = fields[layout.latency.at]
        found = latency_in(self._plain(latency, line))
        if found is None:
            return not_a_latency(latency, layout.latency.name)
        if self._meaning is None:
            self._begin(layout, fields, found, line)
        time, moment = (self._layout or layout).time, None
        if time is not NO_TIME:
            text = self._time_of(time, fields, line)
            moment = self._meaning.read(text) if self._meaning else None
            if moment is None:
                return not_a_time(text, time)
        unit = found[1] or self._latency_unit(layout, line)
        seconds = found[0] * unit
        if not 0 <= seconds <= LONGEST_LATENCY:
            return not_a_latency(latency, layout.latency.name)
        if moment is None:
            self._spent += seconds
            moment = ColumnMoment(int(self._spent * 10**6), Clock.COUNTED)
        if self._deltas is not None:
            step = float(unit.scaleb(min(_exponent(found[0]), 0)))
            self._deltas.take(fields, moment.micros, float(seconds), step)
        keys = self._keys(layout, fields, line) if self._known.keys else ()
        return TableEvent(moment, seconds, unit, self._named(layout, fields, line), line, keys)

    def _keys(self, layout: TableLayout, fields: list[str], line: Line) -> tuple[EventKey, ...]:
        """All columns, or members of an object, but the time and the latency."""
        time = (self._layout or layout).time
        measured = {time.name, layout.latency.name, *([time.date.name] if time.date else [])}
        values = object_of(line.text) or dict(zip(layout.names, fields, strict=False))
        if layout.nameless:
            numbered = enumerate(fields, 1)
            times = {time.at, layout.latency.at, *([time.date.at] if time.date else [])}
            return tuple(EventKey(f"column {number}", value) for number, value in numbered if number - 1 not in times)
        return tuple(EventKey(name, value) for name, value in values.items() if name not in measured and value)

    def _plain(self, text: str, line: Line) -> str:
        """A number with a decimal point; the first number with a decimal comma is reported."""
        if "," not in text:
            return text
        known = self._decimals.shown_by
        plain = self._decimals.plain(text)
        if not known and self._decimals.shown_by:
            self._report.note(line.number, f"commas stand before decimals, as in {text!r}")
        return plain

    def _time_of(self, time: TableColumn, fields: list[str], line: Line) -> str:
        """The value of a time, preceded by its date if that is in another column."""
        return f"{fields[time.date.at]} {fields[time.at]}" if time.date else self._plain(fields[time.at], line)

    def _bad(self, line: Line, why: str) -> None:
        if is_noise(line.text):
            return
        if self._wanted.regex and self._layout and self._layout.split(line.text) is None:
            return
        self._why = self._why or why
        self._report.bad(line.number, why)

    def _named(self, layout: TableLayout, fields: list[str], line: Line) -> str:
        if not layout.by:
            return ALL
        name = ",".join(fields[place.at] for place in layout.by)
        found = self._names.get(name)
        if found is None:
            found = self._series.capped(printable(name) or ALL, line.number)
            if found != OTHER:
                self._names[name] = found
        return found

    def _latency_unit(self, layout: TableLayout, line: Line) -> Decimal:
        word = self._known.unit.value if self._known.unit else self._wanted.unit
        unit = layout.latency.unit or seconds_of_unit(word)
        if unit is None:
            remedy = f"--unit us, or --latency {layout.latency.at + 1}:us, tells it"
            why = f"the unit of {layout.latency.name!r} is open; {remedy}"
            raise self._refused(line.number, why)
        return unit

    def _begin(self, layout: TableLayout, fields: list[str], found: tuple[Decimal, Decimal | None], line: Line) -> None:
        """Start with the first row: it shows the format of the times. Report which columns were chosen."""
        unit = found[1] or self._latency_unit(layout, line)
        if layout.time is NO_TIME:
            self._begin_untimed(layout, line)
            return
        layout = self._layout = layout.dated_by(fields)
        time = layout.time
        text = self._time_of(time, fields, line)
        tz = timezone.utc if is_utc(time.name) else self._known.tz
        self._meaning = time_format(text, time.unit, tz, time.order)
        moment = self._meaning.read(text) if self._meaning else None
        if self._meaning is None or moment is None:
            self._meaning = None
            if is_without_order(text) or is_open(text):
                raise self._refused(line.number, not_a_time(text, time))
            if decimal_of(text) is None:
                return
            why = f"the unit of {text!r} in {time.name!r} is open; --time {time.at + 1}:ms tells it"
            raise self._refused(line.number, why)
        if not self._wanted.latency and is_ambiguous(layout.latency.name):
            self._deltas = DeltaCheck(layout.names)
        self._label = "latency" if layout.nameless else printable(layout.latency.name)
        given = seconds_of_unit(self._known.unit.value) if self._known.unit else None
        if given is not None and given != unit:
            what = f"{layout.latency.name!r} names its unit, {unit_word(unit)}: --unit is not used"
            self._report.note(line.number, what)
        for what in choice_notices(layout, self._meaning, moment, found[0], unit):
            self._report.note(line.number, what)

    def _begin_untimed(self, layout: TableLayout, line: Line) -> None:
        """Start with the first row of a table without times."""
        self._meaning = TimeFormat(UNTIMED, lambda _: None)
        self._label = "latency" if layout.nameless else printable(layout.latency.name)
        self._report.note(line.number, UNTIMED if line.arrival is None else UNTIMED_LIVE)

    def _sample(self, row: TableEvent) -> Sample:
        unit = self._steps.unit
        exact = in_unit(row.seconds, unit)
        latency = int(row.seconds * PER_SECOND[unit])
        if exact != latency and not self._rounded:
            self._rounded = True
            self._report.note(row.line.number, f"latencies are kept in whole {unit.value}; this one is finer")
        micros, clock = row.moment
        if self._layout and self._layout.starts:
            micros += int(row.seconds * 10**6)
            micros = micros % MICROS_PER_DAY if clock is Clock.DAY else micros
        line = row.line
        step = self._steps.length_of(latency)
        return Sample(
            row.series, unit, latency, micros, clock, "", self._label, SOURCE, line.number, line.arrival, step, row.keys
        )


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
