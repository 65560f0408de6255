"""Writes intervals as CSV, one row per bucket, with the columns of the Parquet files (docs/aggregate.md)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone

from ...interval import Interval
from ...tables import COLUMNS
from . import DataOptions
from .rows import in_buckets

NAMES = tuple(name for name, _ in COLUMNS)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The heading, and the rows of one interval after another. Times are UTC; what is unknown is empty."""
    buffer = io.StringIO()
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(NAMES)
    for one in in_buckets(intervals, options.resolution):
        rows.writerows(rows_of(one))
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue().encode()


def rows_of(one: Interval) -> Iterator[list[object]]:
    """The rows of an interval: one per range, and one with the count 0 if it has none."""
    about = [
        _date(one.end - 1).date(),
        one.series,
        one.label,
        one.source,
        one.unit.value,
        _text_of(one.start),
        _text_of(one.end),
    ]
    flags = [str(flag).lower() for flag in (one.estimated, one.gap, one.reset, one.doubtful, one.clock)]
    for bucket, (lower, upper, count) in enumerate(one.ranges or ((None, None, 0),)):
        waited = one.waited if bucket == 0 else None
        yield [*about, one.seconds, bucket, lower, upper, count, waited, *flags, one.note or None]


def _date(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def _text_of(micros: int) -> str:
    """A moment in UTC, to the microsecond."""
    return _date(micros).isoformat(timespec="microseconds").replace("+00:00", "Z")
