"""Turns the output of both tools into ticks and records."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from ...record import Bound, Event, Range, Record, Semantics, Stamp, Tick, lost_record, tidy_ranges
from ...report import Report
from ...text import moment_of
from ...text.clean import is_noise
from ...text.lines import Line, Lines
from ...units import Unit
from .signs import IOLATENCY, LATENCY

# Rows of ``perf ftrace latency`` and their units.
#
# perf counts in microseconds, or with -n in nanoseconds. Rows beyond 1024 of these are printed in the next unit, 1024
# times as large, as whole numbers: ``1 - 2 ms`` is [1024, 2048) us. With --bucket-range the factor is 1000, with two
# decimals.


OPEN = "..."
_UNITS = ("ns", "us", "ms", "s")
_ROW = re.compile(
    r"\s*([0-9]{1,10}(?:\.[0-9][0-9])?) - +([0-9]{1,10}(?:\.[0-9][0-9])?|\.\.\.) +(ns|us|ms|s) *\| +"
    r"([0-9]{1,12}) \|[# ]*\|\s*"
)


class PerfRow(NamedTuple):
    """A row as printed; ``upper`` is OPEN in the last one."""

    lower: str
    upper: str
    unit: str
    events: int


def perf_row(text: str) -> PerfRow | None:
    """A row; None for any other line."""
    found = _ROW.fullmatch(text)
    return PerfRow(found[1], found[2], found[3], int(found[4])) if found else None


def base_of(rows: list[PerfRow]) -> Unit:
    """The unit in which perf counted, if the statistics do not show it: nanoseconds if rows are in nanoseconds."""
    return Unit.NS if any(row.unit == "ns" for row in rows) else Unit.US


def perf_ranges(rows: list[PerfRow], base: Unit) -> list[Range]:
    """The ranges of rows in the unit in which perf counted."""
    return [
        (_bound(row.lower, row, base), None if row.upper == OPEN else _bound(row.upper, row, base), row.events)
        for row in rows
        if row.events
    ]


def _bound(text: str, row: PerfRow, base: Unit) -> Bound:
    steps = _UNITS.index(row.unit) - _UNITS.index(base.value)
    if (row.lower, row.upper) == ("0", "1"):
        steps = 0  # early releases printed the first row in us even with -n
    if "." not in row.lower + row.upper.removesuffix(OPEN):
        return int(text) << 10 * max(steps, 0)
    number = Decimal(text).scaleb(3 * max(steps, 0))
    return int(number) if number == int(number) else float(number)


MAX_LINE = 400
MAX_ROWS = 10_000

_BLOCK_ROW = re.compile(r"\s*([0-9]{1,12}) -> ([0-9]{1,12})\s*: ([0-9]{1,12})\s*\|[# ]*\|\s*")
_STATISTICS = re.compile(r"# statistics +\(in (nsec|usec)\)\s*")
_STATISTIC = re.compile(r"\s*(total time|avg time|max time|min time|count): +([0-9]{1,20})\s*")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]{0,100}")
_NO_DATA = "No data found"


@dataclass
class PerfHistogram:
    """One histogram of perf: its rows so far, and the statistics below them."""

    heading: Line
    series: str
    rows: list[PerfRow] = field(default_factory=list)
    base: Unit | None = None
    total: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether no row is missing: the last one is open. If empty rows are hidden it can be absent; then statistics
        follow.
        """
        return self.base is not None or (bool(self.rows) and self.rows[-1].upper == OPEN)


@dataclass
class IolatencyHistogram:
    """One histogram of iolatency: the part that has not been yielded yet."""

    heading: Line
    unit: Unit
    ranges: list[Range] = field(default_factory=list)
    reported: bool = False


class PerfFtraceDecoder:
    """Reads one text. A snapshot has the moment printed on the line above it, or else its time of arrival."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._run: PerfHistogram | None = None
        self._interval: IolatencyHistogram | None = None
        self._moment: Stamp | None = None
        self._stamp: Stamp | None = None
        self._series = "all"
        self._stray = False

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield ticks and records, each as soon as it is complete."""
        for line in lines:
            if line is None:
                yield from self._pause()
            elif not self._row(line.text):
                yield from self._other(line)
        yield from self._complete()

    def _row(self, text: str) -> bool:
        """Take a row of the current histogram."""
        if len(text) > MAX_LINE:
            return False
        if self._run is not None and (row := perf_row(text)):
            if len(self._run.rows) < MAX_ROWS:
                self._run.rows.append(row)
            return True
        found = _BLOCK_ROW.fullmatch(text) if self._interval is not None else None
        if found and self._interval is not None and len(self._interval.ranges) < MAX_ROWS:
            lower, upper, count = map(int, found.groups())
            if count and lower < upper:
                self._interval.ranges.append((lower, upper, count))
        return bool(found)

    def _pause(self) -> Iterator[Record]:
        if self._run is not None and self._run.rows and self._run.rows[-1].upper == OPEN:
            yield from self._complete()
        yield from self._new_rows()

    def _other(self, line: Line) -> Iterator[Event]:
        """Process any line that is not a row; a Ctrl-C that the terminal echoed can precede it."""
        text = line.text[:MAX_LINE].strip()
        while text.startswith("^C"):
            text = text[2:].lstrip()
        if LATENCY.match(text):
            series, self._series = self._series, "all"
            yield from self._begin(line)
            self._run = PerfHistogram(line, series)
        elif heading := IOLATENCY.match(text):
            yield from self._begin(line)
            self._interval = IolatencyHistogram(line, Unit(heading[1]))
        elif text == _NO_DATA:
            yield from self._begin(line)
        elif self._run is not None and self._statistic(text):
            if text.startswith("count"):
                yield from self._complete()
        elif stamp := moment_of(text):
            self._moment = stamp
        elif perf_row(text) or _BLOCK_ROW.fullmatch(text):
            self._stray_row(line)
        elif _FUNCTION.fullmatch(text):
            self._series = text
        elif text and self._run is not None and not self._run.is_whole and not is_noise(text):
            self._report.bad(line.number, f"neither a row nor a heading: {text}")

    def _stray_row(self, line: Line) -> None:
        if not self._stray:
            self._report.bad(line.number, "rows without the heading of a histogram")
        self._stray = True

    def _begin(self, line: Line) -> Iterator[Event]:
        """Start a snapshot."""
        yield from self._complete()
        self._stray = False
        self._stamp, self._moment = self._moment, None
        yield Tick(self._stamp, line.arrival, line.number)

    def _statistic(self, text: str) -> bool:
        """Take a line of the statistics below the rows."""
        run = self._run
        if run is None:
            return False
        if heading := _STATISTICS.fullmatch(text):
            run.base = Unit.NS if heading[1] == "nsec" else Unit.US
            return True
        found = _STATISTIC.fullmatch(text)
        if found is None or run.base is None:
            return False
        if found[1] == "total time":
            run.total = int(found[2])
        elif found[1] == "count" and int(found[2]) != sum(row.events for row in run.rows):
            run.total = None  # the sum covers other events
        return True

    def _complete(self) -> Iterator[Record]:
        """Yield the current histogram, which is complete or was cut off."""
        yield from self._new_rows()
        self._interval = None
        run, self._run = self._run, None
        if run is None:
            return
        if not run.is_whole:
            self._report.bad(run.heading.number, "a histogram that is cut off; it is dropped")
            yield lost_record(self._record(run.heading, run.series, run.base or Unit.US, [], "perf ftrace latency"))
            return
        unit = run.base or base_of(run.rows)
        ranges = perf_ranges(run.rows, unit)
        record = self._record(run.heading, run.series, unit, ranges, "perf ftrace latency")
        yield replace(record, waited=_waited(run.total, ranges, unit))

    def _new_rows(self) -> Iterator[Record]:
        """Yield the rows that iolatency printed since the last time."""
        interval = self._interval
        if interval is None or (interval.reported and not interval.ranges):
            return
        ranges, interval.ranges, interval.reported = interval.ranges, [], True
        yield self._record(interval.heading, "all", interval.unit, ranges, "iolatency")

    def _record(self, heading: Line, series: str, unit: Unit, ranges: list[Range], label: str) -> Record:
        return Record(
            series=series,
            unit=unit,
            ranges=tidy_ranges(ranges),
            semantics=Semantics.INTERVAL,
            stamp=self._stamp,
            label=label,
            source="perf_ftrace",
            arrival=heading.arrival,
            line=heading.number,
        )


def _waited(total: int | None, ranges: list[Range], unit: Unit) -> float | None:
    """The printed total in seconds if it is possible for these events: early releases lost everything below 1 us."""
    if total is None:
        return None
    least = sum(lower * count for lower, _, count in ranges)
    most = sum((float("inf") if upper is None else upper) * count for _, upper, count in ranges)
    return total * unit.seconds if least - 1 <= total <= most + 1 else None  # the total is rounded
