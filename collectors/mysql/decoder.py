"""Groups rows into snapshots, and turns snapshots into ticks and records."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ...collector import Known
from ...record import ESTIMATED, Bound, Event, Record, Semantics, Stamp, Tick, lost_record
from ...report import Report
from ...text import CumulativeCounts, moment_of
from ...text.clean import printable
from ...text.lines import Line, Lines
from .._missing import Missing
from .._series import MAX_SERIES
from .._undated import UndatedPrints
from .._usual_bounds import UsualBounds
from .histograms import Bucket, MysqlHistogram, RowSums, buckets_in_row, is_bucket, stamp_in
from .rows import ResultRow, ResultRows

_KNOWN = frozenset(("count", "read_count", "bucket_timer_low", "sum_timer_wait"))
"""Columns by which a header is recognised."""
_SUMS = (
    "sums per event, no distribution; what would work is information_schema.QUERY_RESPONSE_TIME (MariaDB, Percona) or "
    "performance_schema.events_statements_histogram_global (MySQL 8), printed again and again"
)


class MysqlDecoder:
    """Reads snapshots of a table. One ends at its last row, at a header or a moment, or when its rows start again."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._open: dict[str, MysqlHistogram] = {}
        self._reported: set[str] = set()
        self._sumless: set[str] = set()
        self._row_sums = RowSums()
        self._stamp: Stamp | None = None
        self._ticked: Stamp | None = None
        self._any = False
        self._endless = False
        self._counters: dict[str, CumulativeCounts] = {}
        self._damaged = False
        self._bounds = UsualBounds()
        self._stamps = Counter[Stamp]()
        self._lines: dict[Stamp, int] = {}
        self._uppers: dict[str, frozenset[Bound | None]] = {}
        self._undated = UndatedPrints(report, known.live)
        self._odd: tuple[int, str] | None = None

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield a tick and a record per snapshot and series."""
        for item in ResultRows(_KNOWN).read(lines):
            if isinstance(item, Line):
                yield from self._text(item.text.strip(), item.number)
            elif item is not None and is_bucket(item):
                yield from self._row(item)
            elif item is not None:
                yield from self._other(item)
        yield from self._flush(cut=not self._endless)
        yield from self._undated.end()
        if not self._any:
            self._missing.refuse()

    def _other(self, row: ResultRow) -> Iterator[Event]:
        """Process a row of another table: the server's clock, or sums."""
        if "sum_timer_wait" in row.values and not self._any:
            self._missing.add(row.line, _SUMS)
        if len(row.values) == 1:
            yield from self._moment(moment_of(next(iter(row.values.values()))))

    def _text(self, text: str, line: int) -> Iterator[Event]:
        """Process a line that is no row: a moment, or what is left of one."""
        stamp = moment_of(text.lstrip("# "))
        if stamp is None and any(char.isdigit() for char in text):
            self._odd = line, text
        yield from self._moment(stamp)

    def _moment(self, stamp: Stamp | None) -> Iterator[Event]:
        if stamp is not None and stamp != self._stamp:
            yield from self._flush()
            self._stamp = stamp

    def _row(self, row: ResultRow) -> Iterator[Event]:
        if row.fresh:
            yield from self._flush()
        stamp = stamp_in(row)
        try:
            buckets = buckets_in_row(row)
        except ValueError as error:
            yield from self._moment(stamp)
            if "bucket_timer_low" in row.values:
                self._report.bad(row.line, f"{error}; this row is left out")
            else:  # the next row would begin at a wrong bound
                self._report.bad(row.line, f"{error}; the histogram with this row is dropped")
                self._damaged = True
            return
        if stamp is not None:
            yield from self._row_moment(row.line, stamp, buckets)
        for bucket in buckets:
            yield from self._bucket(row, bucket)

    def _row_moment(self, line: int, stamp: Stamp, buckets: list[Bucket]) -> Iterator[Event]:
        """The moment in a row. If the row is a further one of its snapshot, that does not end: the moment that most
        rows of a snapshot have is its own, and another one is damaged.
        """
        if not all(map(self._is_further, buckets)):
            yield from self._moment(stamp)
        self._stamps[stamp] += 1
        self._lines.setdefault(stamp, line)
        if self._stamps[stamp] > self._stamps[self._stamp or stamp]:
            self._stamp = stamp

    def _is_further(self, bucket: Bucket) -> bool:
        """Whether a row goes on in an open histogram, and was in the last one, behind its first: rows of totals do not
        vanish, so a snapshot cannot begin with it.
        """
        known = self._open.get(bucket.series)
        return known is not None and known.goes_on(bucket) and bucket.upper in self._uppers.get(bucket.series, ())

    def _bucket(self, row: ResultRow, bucket: Bucket) -> Iterator[Event]:
        name = bucket.series
        known = self._open.get(name)
        if known is not None and not known.goes_on(bucket):
            yield from self._flush()
        if name not in self._open and len(self._open) >= MAX_SERIES:
            self._report.bad(row.line, f"more than {MAX_SERIES} series: {name} is left out")
            return
        if name not in self._open:
            self._open[name] = MysqlHistogram(bucket.label, bucket.unit, row.line, row.arrival)
        self._open[name].add(bucket)
        if bucket.no_sum:
            self._doubt_sum(name, row.line, f"a sum of {printable(bucket.no_sum, 40)!r} is impossible")
        if bucket.last:
            yield from self._yield_record(name, self._open.pop(name))
            self._damaged = self._damaged and bool(self._open)

    def _doubt_sum(self, name: str, line: int, what: str) -> None:
        """Say once of each series that a sum is not used."""
        if name not in self._sumless and len(self._sumless) < MAX_SERIES:
            self._sumless.add(name)
            self._report.note(line, f"{name}: {what}: such times are replaced by estimates")

    def _flush(self, *, cut: bool = False) -> Iterator[Event]:
        """Complete the open histograms. At the end of the text, a table whose last row is missing was ``cut``."""
        histograms, self._open = self._open, {}
        for name, one in histograms.items():
            if cut:
                self._report.bad(one.line, f"{name}: the text ends within a histogram; it is left out")
            else:
                self._endless = True
                yield from self._yield_record(name, one)
        self._damaged = False
        self._forget_moments()

    def _forget_moments(self) -> None:
        """The snapshot is over: tell which rows had another moment than most."""
        for stamp, line in self._lines.items():
            if stamp != self._stamp:
                self._report.note(line, "the time in this row is not that of its snapshot: most rows decide")
        self._stamps.clear()
        self._lines.clear()

    def _yield_record(self, name: str, one: MysqlHistogram) -> Iterator[Event]:
        if name not in self._counters and len(self._counters) >= MAX_SERIES:
            self._report.bad(one.line, f"more than {MAX_SERIES} series: {name} is left out")
            return
        if not self._any or name in self._reported or self._stamp != self._ticked:
            yield from self._tick(one)
            self._ticked, self._reported, self._any = self._stamp, set(), True
        self._reported.add(name)
        yield from self._undated.passed([self._record(name, one)])

    def _record(self, name: str, one: MysqlHistogram) -> Record:
        record = Record(
            series=name,
            unit=one.unit,
            ranges=(),
            semantics=Semantics.CUMULATIVE,
            stamp=self._stamp,
            waited=None if one.waited is None else float(one.waited),
            label=one.label,
            source="mysql",
            arrival=one.arrival,
            line=one.line,
        )
        if self._damaged or self._has_other_bounds(name, one):
            return lost_record(record)
        edges = tuple(upper for _, upper, _ in one.ranges)
        self._uppers[name] = frozenset(edges[1:])
        counters = self._counters.setdefault(name, CumulativeCounts())
        ranges = counters.without_jumps(edges, one.ranges)
        flags = counters.flags
        if bound := self._row_sums.flaw(name, one):
            self._doubt_sum(name, one.line, f"the sum of its row up to {bound} does not fit the queries")
            flags |= {ESTIMATED}
        return replace(record, ranges=ranges, flags=flags)

    def _tick(self, one: MysqlHistogram) -> Iterator[Event]:
        """The tick of a snapshot. One with the moment of the one before, where there are moments, has lost its own."""
        odd, self._odd = self._odd, None
        if self._stamp is not None and self._stamp == self._ticked:
            self._undated.begin(*(odd or (one.line,)))
        else:
            yield from self._undated.moment()
        yield from self._undated.passed([Tick(self._stamp, one.arrival, one.line)])

    def _has_other_bounds(self, name: str, one: MysqlHistogram) -> bool:
        """Whether rows are missing, or have other bounds than those of the last histogram of a series. The second time
        in a row that is no damage, but another table.
        """
        flaw = self._bounds.flaw(name, (upper for _, upper, _ in one.ranges), "rows") if one.chained else ""
        if flaw:
            self._report.bad(one.line, f"{name}: {flaw}; the histogram is dropped")
        return bool(flaw)
