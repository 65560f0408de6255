"""Makes records of the rows of a sample: cumulative counts, one series per event and instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from ..record import Bound, Record, Semantics, Stamp
from ..report import Report
from ..stream import ORACLE_SOURCE, range_of, ranges_of
from ..text.clean import printable
from ..units import Unit
from .connection.driver import DriverRow
from .server_clock import StartTimes, micros_of_utc, utc_offset

CountsByBound = dict[Bound, Bound]


class SampleRow(NamedTuple):
    """A row of ``queries.sample``. ``event`` None means that the instance is up but none of the events has waited."""

    instance: int | None
    started: datetime | None
    here: datetime
    sampled: datetime
    event: str | None
    bound: Bound | None
    waits: Bound | None


class RecordMaker:
    """Makes records of samples, and remembers when each instance started."""

    def __init__(self, events: Sequence[str], histogram: str, unit: Unit, report: Report) -> None:
        self._events = events
        self._histogram = histogram
        self._unit = unit
        self._report = report
        self._starts = StartTimes()
        self._samples = 0

    def records(self, rows: Iterable[DriverRow], arrival: float) -> list[Record]:
        """A record for each event and each instance that is up, all stamped with the server's time of the sample."""
        found = [SampleRow(*row) for row in rows]
        self._samples += 1
        if not found:
            return []
        first = found[0]
        stamp, offset = micros_of_utc(first.sampled), utc_offset(first.here, first.sampled)
        counters: dict[tuple[int, str], CountsByBound] = {}
        starts: dict[int, int | None] = {}
        for row in found:
            if row.instance is None:
                continue
            number = int(row.instance)
            starts[number] = self._starts.micros(number, row.started, offset)
            if row.event is not None and row.bound is not None:
                counts = counters.setdefault((number, row.event), {})
                counts[row.bound] = counts.get(row.bound, 0) + (row.waits or 0)
        return [
            self._record(event, number, counters.get((number, event), {}), stamp, started, arrival)
            for number, started in sorted(starts.items())
            for event in self._events
            if started is not None or (number, event) in counters
        ]

    def _record(
        self, event: str, number: int, counters: CountsByBound, stamp: int, started: int | None, arrival: float
    ) -> Record:
        series = event_series(event, number)
        return Record(
            series=series,
            unit=self._unit,
            ranges=ranges_of(readable_counts(counters, self._unit, self._report_bad), upper=True, unit=self._unit),
            semantics=Semantics.CUMULATIVE,
            stamp=Stamp(stamp),
            start=started,
            label=stream_label(series, self._histogram),
            source=ORACLE_SOURCE,
            arrival=arrival,
            line=self._samples,
        )

    def _report_bad(self, what: str) -> None:
        self._report.bad(self._samples, what)


def event_series(event: str, instance: int) -> str:
    """The name of a series, such as ``db file sequential read@1``, made safe for the terminal."""
    return f"{printable(event)}@{instance}"


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
