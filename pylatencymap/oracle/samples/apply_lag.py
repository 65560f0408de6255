"""Samples of how far a physical standby is behind, from V$STANDBY_EVENT_HISTOGRAM: it counts one lag every second."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from ...errors import SourceError
from ...record import Bound, Range, Record, Semantics, Stamp, tidy_ranges
from ...report import Report
from ...stream import ORACLE_SOURCE
from ...units import Unit
from .. import queries
from ..connection.driver import Connection
from ..queries import STANDBY_VIEW
from ..records import event_series, stream_label
from ..server_clock import StartTimes, micros_of_utc, utc_offset

MILLISECONDS = {"second": 1000, "minute": 60_000, "hour": 3_600_000, "day": 86_400_000}
"""The width of a bucket by the word in UNIT, which can have an s at its end."""
EMPTY = (
    f"{STANDBY_VIEW.upper()} is empty: it is filled on a physical standby while redo is applied. Connect to the "
    "standby; SELECT DATABASE_ROLE FROM V$DATABASE; says what a database is"
)


class _LagRow(NamedTuple):
    instance: int
    started: datetime | None
    here: datetime
    sampled: datetime
    name: str | None
    bucket: Bound | None
    unit: str | None
    waits: Bound | None


class ApplyLagSamples:
    """Takes samples of the lag. A bucket of 3 seconds is [3 s, 4 s), one of 2 minutes [2 min, 3 min)."""

    def __init__(
        self, instances_view: str | None, report: Report, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.read = tuple(view for view in (STANDBY_VIEW, instances_view) if view)
        """The views without which there is no sample."""
        self._statement = queries.standby_sample(instances_view)
        self._report = report
        self._clock = monotonic
        self._starts = StartTimes()
        self._samples = 0

    def check(self, connection: Connection) -> None:
        """Raise SourceError if there is no lag to show."""
        if all(_LagRow(*row).name is None for row in connection.rows(self._statement, {})):
            raise SourceError(EMPTY)

    def take(self, connection: Connection) -> list[Record]:
        """One sample. Raises Trouble."""
        rows = [_LagRow(*row) for row in connection.rows(self._statement, {})]
        self._samples += 1
        by_name: dict[str, list[Range]] = {}
        for row in rows:
            if row.name is not None and (found := self._range(row)) is not None:
                by_name.setdefault(row.name.lower(), []).append(found)
        return [self._record(name, tidy_ranges(ranges), rows[0]) for name, ranges in sorted(by_name.items())]

    def last_words(self) -> list[str]:
        """Nothing more is known."""
        return []

    def _range(self, row: _LagRow) -> Range | None:
        width = MILLISECONDS.get(str(row.unit).strip().lower().removesuffix("s"))
        if width is None or row.bucket is None or row.bucket < 0:
            self._report.bad(self._samples, f"a lag of {row.bucket} {row.unit} is no bucket")
            return None
        return row.bucket * width, (row.bucket + 1) * width, row.waits or 0

    def _record(self, name: str, ranges: tuple[Range, ...], row: _LagRow) -> Record:
        number = int(row.instance)
        series = event_series(name, number)
        return Record(
            series=series,
            unit=Unit.MS,
            ranges=ranges,
            semantics=Semantics.CUMULATIVE,
            stamp=Stamp(micros_of_utc(row.sampled)),
            start=self._starts.micros(number, row.started, utc_offset(row.here, row.sampled)),
            label=stream_label(series, STANDBY_VIEW),
            source=ORACLE_SOURCE,
            arrival=self._clock(),
            line=self._samples,
        )
