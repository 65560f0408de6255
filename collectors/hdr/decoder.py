"""Turns lines of an interval log into records."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from ...collector import Known
from ...record import Clock, Decoded, Pause, Range, Record, Sample, Semantics, Stamp
from ...report import Report
from ...stream import is_on_axis
from ...text import CommonStamps, decimal_of, unit_named
from ...text.clean import printable
from ...text.lines import Line, Lines
from ...units import Unit
from .._given_unit import GivenUnit
from .._missing import Missing
from .._series import SeriesNames
from .encoding import decoded
from .signs import PERCENTILES

# The unit of a log's values. A log need not state it, but most logs contain hints.


_DIVISOR = re.compile(r"#\[MaxValueDivisor: *([0-9][0-9.eE+]*)")
_QUANTITY = re.compile(r"[0-9][0-9.]* *\w+")
"""For example in "every 1000 ms", which says nothing about the values."""
_BY_DIVISOR = {6: Unit.NS, 3: Unit.US, 0: Unit.MS}
"""By convention Interval_Max is written in milliseconds: the power of ten that divides the values
reveals their unit.
"""


class ValueUnit:
    """The unit of a log's values: the user's, a comment's, or the one for which Interval_Max is in milliseconds.

    ``unit`` is None until it is known; afterwards it does not change. ``usual`` is the unit that most programs log.
    """

    usual = Unit.NS

    def __init__(self, report: Report, given: Unit | None) -> None:
        self._report = report
        self.unit = given
        self._given = GivenUnit(report, given)
        self._commented: Unit | None = None
        self._power: int | None = None

    def comment(self, text: str) -> None:
        """Look for a unit in a comment line."""
        divisor = _DIVISOR.match(text)
        number = decimal_of(divisor[1]) if divisor else None
        if number is not None and number > 0:
            self._power = number.adjusted()
        elif not text.startswith("#["):
            self._commented = self._commented or unit_named(_QUANTITY.sub("", text.lstrip("# ")))

    def ycsb(self, line: int) -> None:
        """The log is one of YCSB, which measures in microseconds."""
        self.unit = self._given.against(Unit.US, line, "'Logging for', a line of YCSB,")

    def interval(self, line: int, ranges: tuple[Range, ...], longest: Decimal) -> None:
        """Decide the unit by an interval and its Interval_Max, if the interval has values."""
        if self.unit is not None or not ranges:
            return
        if self._commented:
            self.unit = self._commented
            return
        power = self._power
        largest = Decimal(ranges[-1][1] or 0)
        if power is None and longest > 0 and largest > 0:
            power = round((largest / longest).log10())
        if power is None:
            return
        self.unit = _BY_DIVISOR.get(power, self.usual)
        hint = f"Interval_Max is their largest divided by 10^{power}, as in milliseconds"
        why = hint if power in _BY_DIVISOR else "as usual"
        self._report.note(line, f"values are taken for {self.unit.value} ({why}); --unit says otherwise")


SERIES = "all"
YEAR = 365 * 86_400
"""Seconds. If an interval's time precedes the start time by more than this, it counts from the start time."""
REAL = 10**9
"""Seconds since 1970. Smaller times are not dates: the log does not say when it was written."""

_HEADER = re.compile(r"#\[(StartTime|BaseTime): *([0-9][0-9.]*)")
_YCSB = re.compile(r"#\[Logging for: *([^\]]{1,200})\]")
"""YCSB writes the kind of operation into the first line of each of its logs; it measures in microseconds."""
_YCSB_EVENT = re.compile(r"([A-Z][A-Z_-]{0,40}), ?([0-9]{1,16}), ?([0-9]{1,18})\s*$")
"""With measurementtype=raw, YCSB writes a line per operation: its kind, its end in ms, and how many us it took."""
_WHY_NOT = (
    "a percentile distribution of a whole run has no time axis; what would work is the interval log (.hlog) of the "
    "same histograms"
)


class HdrDecoder:
    """Reads one log. Its times are seconds, since 1970 or since the start or base time of the log."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._values = ValueUnit(report, known.unit)
        self._common_stamps = CommonStamps()
        self._names = SeriesNames(report)
        self._start: Decimal | None = None
        self._base: Decimal | None = None
        self._held: list[Record] = []
        self._logged = ""
        self._any = self._traced = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield a record for each interval and tag, or a sample for each operation.

        Intervals without values wait until the unit is known.
        """
        for line in lines:
            if line is None:
                yield from self._release()
                if self._traced:
                    yield Pause()
            elif self._logged and (event := _YCSB_EVENT.match(line.text)):
                yield self._event(line, *event.groups())
            elif line.text.startswith("#"):
                self._comment(line)
            elif line.text and not line.text.startswith('"Start'):
                yield from self._interval(line)
        yield from self._release()
        if not self._any:
            self._missing.refuse()

    def _comment(self, line: Line) -> None:
        if logged := _YCSB.match(line.text):
            self._logged = printable(logged[1].strip())
            self._values.ycsb(line.number)
            return
        found = _HEADER.match(line.text)
        if found is None:
            self._watch_percentiles(line)
            self._values.comment(line.text)
            return
        seconds = decimal_of(found[2])
        if seconds is None or not is_on_axis(round(seconds * 1_000_000)):
            self._report.bad(line.number, f"not a time in seconds: {line.text}")
        elif found[1] == "StartTime":
            self._start = seconds
        else:
            self._base = seconds

    def _watch_percentiles(self, line: Line) -> None:
        if not self._any and PERCENTILES.search(line.text):
            self._missing.add(line.number, _WHY_NOT)

    def _interval(self, line: Line) -> Iterator[Decoded]:
        fields = [field.strip(' "\r') for field in line.text.split(",")]
        tag = fields.pop(0).removeprefix("Tag=") if fields[0].startswith("Tag=") else ""
        numbers = [decimal_of(field) for field in fields[:3]]
        if len(fields) < 4 or None in numbers:
            self._other(line)
            return
        begins, length, longest = (number or Decimal(0) for number in numbers)
        try:
            ranges = decoded(fields[3])
        except ValueError as error:
            self._report.bad(line.number, f"{error}; this interval is left out")
            return
        self._any = True
        self._values.interval(line.number, ranges, longest)
        self._held.append(replace(self._record(line, tag, begins, length), ranges=ranges))
        if self._values.unit:
            yield from self._release()

    def _event(self, line: Line, kind: str, millis: str, micros: str) -> Sample:
        """An operation of YCSB. Its time is since 1970, or since the start of the run."""
        self._any = self._traced = True
        end = int(millis) * 1000
        clock = Clock.EPOCH if end >= REAL * 1_000_000 else Clock.FREE
        series = self._names.capped(printable(kind), line.number)
        return Sample(series, Unit.US, int(micros), end, clock, "", "YCSB", "hdr", line.number, line.arrival)

    def _other(self, line: Line) -> None:
        self._watch_percentiles(line)
        if "HIST" in line.text or line.text.startswith("Tag=") or self._logged:
            self._report.bad(line.number, f"not an interval of the log: {line.text[:60]}")

    def _record(self, line: Line, tag: str, begins: Decimal, length: Decimal) -> Record:
        """A record without unit and ranges, which are filled in later."""
        begins += self._base_of(begins)
        start, end = round(begins * 1_000_000), round((begins + length) * 1_000_000)
        return Record(
            series=self._names.capped(printable(tag) or self._logged or SERIES, line.number),
            unit=self._values.usual,
            ranges=(),
            semantics=Semantics.INTERVAL,
            stamp=Stamp(end, Clock.EPOCH if end >= REAL * 1_000_000 else Clock.FREE),
            start=start,
            label="HdrHistogram",
            source="hdr",
            arrival=line.arrival,
            line=line.number,
        )

    def _base_of(self, begins: Decimal) -> Decimal:
        """The zero of the times of interval lines, decided at the first line."""
        if self._start is None:
            self._start = begins
        if self._base is None:
            self._base = self._start if begins < self._start - YEAR else Decimal(0)
        return self._base

    def _release(self) -> Iterator[Decoded]:
        held, self._held = self._held, []
        unit = self._values.unit or self._values.usual
        for record in held:
            yield self._common_stamps.placed(replace(record, unit=unit))
