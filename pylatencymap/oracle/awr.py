"""Reads the history of wait events: makes records of AWR snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ..errors import SourceError, UsageError
from ..record import Bound, Range, Record, Semantics, Stamp, tidy_ranges
from ..report import Report
from ..stream import ORACLE_SOURCE, is_power_of_two, range_of
from ..units import Unit
from . import queries
from .connection.driver import Connection
from .records import event_series, stream_label
from .server_clock import StartTimes, micros_of_utc

ONE_DAY = timedelta(days=1)
MINUTES = "%Y-%m-%d %H:%M"
MICRO = 1024
"""19c stores the bound 2^k us as 2^k / 1024 ms: small bounds are fractions, large ones look like whole milliseconds."""
TOP = {Unit.US: 1 << 32, Unit.MS: 1 << 22}
"""The live views end here. Rows beyond it, up to 1.8e16 ms, are no latencies and become one open range."""


class SnapshotRow(NamedTuple):
    """A row of ``queries.history``. ``event`` None means that none of the events has waited since start-up."""

    dbid: int
    instance: int
    started: datetime
    ended: datetime
    event: str | None
    bound: Bound | None
    waits: Bound | None


class HistorySpan(NamedTuple):
    """A time span on the clock of the snapshots."""

    since: datetime
    until: datetime


def read_history(
    connection: Connection, events: Sequence[str], instances: Sequence[int], span: HistorySpan, dbid: int | None
) -> list[SnapshotRow]:
    """The snapshots in a span. Raises SourceError if there is none, UsageError if they are from several databases."""
    statement, binds = queries.history(events, instances, dbid)
    rows = connection.rows(statement, {**binds, "since": span.since, "until": span.until})
    found = [SnapshotRow(*row) for row in rows]
    databases = sorted({int(row.dbid) for row in found})
    if len(databases) > 1:
        raise UsageError(f"the history is of several databases; choose one: --dbid {' or '.join(map(str, databases))}")
    if not any(row.ended > span.since for row in found):  # the baseline alone is before the span
        raise SourceError(f"there is no snapshot from {span.since} to {span.until}; {_kept(connection)}")
    return found


def _kept(connection: Connection) -> str:
    """The time span for which snapshots are kept, in words."""
    ((first, last),) = connection.rows(queries.kept(), {})
    return f"they are kept from {first:{MINUTES}} to {last:{MINUTES}}" if first else "there is none at all"


def history_records(
    rows: Iterable[SnapshotRow], events: Sequence[str], offset: timedelta, report: Report
) -> Iterator[Record]:
    """A record for each snapshot, instance and event, by time. The snapshots' clock is ``offset`` ahead of UTC."""
    counts: dict[tuple[datetime, int, str], dict[Bound, Bound]] = {}
    starts: dict[tuple[datetime, int], datetime] = {}
    for row in rows:
        starts[row.ended, int(row.instance)] = row.started
        if row.event is not None and row.bound is not None:
            counters = counts.setdefault((row.ended, int(row.instance), row.event), {})
            counters[row.bound] = counters.get(row.bound, 0) + (row.waits or 0)
    fine = {event for (_, _, event), counters in counts.items() if _is_fine(counters)}
    known = StartTimes()
    for number, ((ended, instance), started) in enumerate(sorted(starts.items()), start=1):
        for event in events:
            series = event_series(event, instance)
            unit = Unit.US if event in fine else Unit.MS
            yield Record(
                series=series,
                unit=unit,
                ranges=_ranges(counts.get((ended, instance, event), {}), unit, report, number),
                semantics=Semantics.CUMULATIVE,
                stamp=Stamp(micros_of_utc(ended - offset)),
                start=known.micros(instance, started, offset),
                label=stream_label(series, queries.HISTORY_VIEW),
                source=ORACLE_SOURCE,
                line=number,
            )


def _is_fine(counters: Iterable[Bound]) -> bool:
    return any(0 < bound < 1 for bound in counters)


def _ranges(counters: dict[Bound, Bound], unit: Unit, report: Report, number: int) -> tuple[Range, ...]:
    found: list[Range] = []
    for bound, count in counters.items():
        label = round(bound * MICRO) if unit is Unit.US else bound
        if label > TOP[unit] and is_power_of_two(label):
            found.append((TOP[unit], None, count))
        elif (bounds := range_of(label, upper=True, unit=unit)) is not None:
            found.append((*bounds, count))
        else:
            report.bad(number, f"{bound} ms is no upper bound of a bucket")
    return tidy_ranges(found)


def span_of(since: datetime | None, until: datetime | None, here: datetime) -> HistorySpan:
    """The span that the user asked for, by default the day before now (``here``). If ``since`` lies in the future and
    ``until`` is missing, the span is the day after ``since``: the error then says that it has no snapshots. Raises
    UsageError if the span is empty.
    """
    end = until or here
    if since and until is None and since >= here:
        end = since + min(ONE_DAY, datetime.max - since)
    begin = since or end - min(ONE_DAY, end - datetime.min)
    if begin >= end:
        raise UsageError(f"--from {begin} is not before --to {end}")
    return HistorySpan(begin, end)
