"""Makes records of the rows of a sample: cumulative counts, one series per event and instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ..interval import midpoint_time
from ..record import Bound, Record, Semantics, Stamp
from ..report import Report
from ..stream import ORACLE_SOURCE, range_of, ranges_of
from ..text.clean import printable
from ..units import Unit
from .connection.driver import DriverRow
from .exact_sums import ServerSums, ToldSum
from .server_clock import StartTimes, micros_of_utc, utc_offset

CountsByBound = dict[Bound, Bound]

WHOLE = "CDB"
"""What is of no single container."""


class SampleRow(NamedTuple):
    """A row of ``queries.sample``. ``event`` None means that the instance is up but none of the events has waited;
    ``bound`` None, that ``waits``, ``micros`` and ``foreground`` are sums over all buckets.
    """

    instance: int | None
    started: datetime | None
    here: datetime
    sampled: datetime
    event: str | None
    bound: Bound | None
    waits: Bound | None
    micros: Bound | None = None
    foreground: Bound | None = None
    container: int | None = None
    container_name: str | None = None


class _SeriesKey(NamedTuple):
    """What a series is about; ``container`` is empty if containers are summed."""

    instance: int
    event: str
    container: str = ""


class _Rows(NamedTuple):
    """The rows of a sample, sorted."""

    starts: dict[int, int | None]
    counters: dict[_SeriesKey, CountsByBound]
    sums: dict[_SeriesKey, ToldSum]


class RecordMaker:
    """Makes records of samples, and remembers when each instance started. ``sums`` judges the times waited.
    ``containers``, if each has series of its own: the names of those that the rows do not name, by number.
    """

    def __init__(
        self,
        events: Sequence[str],
        histogram: str,
        unit: Unit,
        report: Report,
        sums: ServerSums | None = None,
        containers: Mapping[int, str] | None = None,
    ) -> None:
        self._events = events
        self._histogram = histogram
        self._unit = unit
        self._report = report
        self._sums = sums
        self._containers = containers
        self._starts = StartTimes()
        self._samples = 0

    def records(self, rows: Iterable[DriverRow], arrival: float) -> list[Record]:
        """A record for each event and each instance that is up, all stamped with the server's time of the sample. By
        containers, for each event and each container in which one of the events has waited.
        """
        found = [SampleRow(*row) for row in rows]
        self._samples += 1
        if not found:
            return []
        first = found[0]
        stamp, offset = micros_of_utc(first.sampled), utc_offset(first.here, first.sampled)
        rows_by = self._sorted(found, offset)
        return [self._record(key, rows_by, stamp, arrival) for key in self._keys(rows_by)]

    def _sorted(self, found: Iterable[SampleRow], offset: timedelta) -> _Rows:
        rows = _Rows({}, {}, {})
        for row in found:
            if row.instance is None:
                continue
            number = int(row.instance)
            rows.starts[number] = self._starts.micros(number, row.started, offset)
            if row.event is None:
                continue
            key = _SeriesKey(number, row.event, self._container_of(row))
            if row.bound is None:
                rows.sums[key] = ToldSum(row.waits or 0, row.micros or 0, row.foreground)
            else:
                counts = rows.counters.setdefault(key, {})
                counts[row.bound] = counts.get(row.bound, 0) + (row.waits or 0)
        return rows

    def _container_of(self, row: SampleRow) -> str:
        """The name of the container of a row; its number if nothing names it."""
        if row.container is None:
            return ""
        return container_called(int(row.container), row.container_name, self._containers or {})

    def _keys(self, rows: _Rows) -> list[_SeriesKey]:
        """The series that get a record."""
        pairs = {(key.instance, key.container) for key in rows.counters}
        if self._containers is None:
            pairs = {(number, "") for number in rows.starts}
        return [
            key
            for number, container in sorted(pairs)
            for event in self._events
            if (key := _SeriesKey(number, event, container)) in rows.counters
            or rows.starts[number] is not None
            or container
        ]

    def _record(self, key: _SeriesKey, rows: _Rows, stamp: int, arrival: float) -> Record:
        series = event_series(key.event, key.instance, key.container)
        started = rows.starts[key.instance]
        counts = readable_counts(rows.counters.get(key, {}), self._unit, self._report_bad)
        waited = None
        if self._sums is not None:
            waited = self._sums.seconds_waited(series, self._unit, counts, started, rows.sums.get(key))
        return Record(
            series=series,
            unit=self._unit,
            ranges=ranges_of(counts, upper=True, unit=self._unit),
            semantics=Semantics.CUMULATIVE,
            stamp=Stamp(stamp),
            start=started,
            waited=waited,
            label=stream_label(series, self._histogram),
            source=ORACLE_SOURCE,
            arrival=arrival,
            line=self._samples,
        )

    def _report_bad(self, what: str) -> None:
        self._report.bad(self._samples, what)


def container_called(number: int, name: str | None, known: Mapping[int, str]) -> str:
    """The name of a container; its number if nothing names it."""
    return name or known.get(number) or (WHOLE if number == 0 else str(number))


def event_series(event: str, instance: int, container: str = "") -> str:
    """The name of a series, such as ``db file sequential read@1`` or, by containers, ``log file sync@1/SALES``, made
    safe for the terminal.
    """
    return f"{printable(event)}@{instance}" + (f"/{printable(container)}" if container else "")


def stream_label(series: str, view: str) -> str:
    """The label in the record stream; it names the view."""
    return f"{series} latency data from {view}"


def readable_counts(counters: CountsByBound, unit: Unit, report_bad: Callable[[str], None]) -> CountsByBound:
    """The counters whose bound is a bucket's upper bound; ``report_bad`` is called for each of the others."""
    kept = {}
    for bound, count in counters.items():
        if range_of(bound, upper=True, unit=unit) is None:
            report_bad(f"{bound} {unit.value} is no upper bound of a bucket")
        else:
            kept[bound] = count
    return kept


def estimated_seconds(counts: CountsByBound, unit: Unit) -> float:
    """The time waited, from the middles of the buckets."""
    return midpoint_time(ranges_of(counts, upper=True, unit=unit), unit)
