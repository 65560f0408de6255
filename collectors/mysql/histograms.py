"""Converts rows of the two kinds of histograms to ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ...record import Bound, Range, Stamp
from ...text import decimal_of, in_unit, moment_of
from ...text.clean import printable
from ...units import Unit
from .rows import ResultRow

ENDLESS = (1 << 64) - 1
"""BUCKET_TIMER_HIGH of the last bucket."""
DIGEST = 16
"""A statement is named by this many characters of its digest."""
MOST_ROWS = 10_000
"""Rows of one histogram; servers have 450 at most."""
PICOSECOND = Decimal("1e-12")
MOST_OF_BOUND = 2
"""The queries of a row took less than this many times its bound, which servers print without its last digits."""

_RowBounds: TypeAlias = tuple[Bound, Bound | None]
_Rows: TypeAlias = dict[_RowBounds, tuple[Bound, Decimal]]
"""Queries and seconds of each row of a print."""

_COUNT = re.compile(r"[0-9]{1,20}")
_COUNTS = re.compile(r"(?:(\w+)_)?count")
_STATEMENT_COLUMNS = {
    *("bucket_number", "bucket_timer_low", "bucket_timer_high"),
    *("count_bucket", "count_bucket_and_lower", "bucket_quantile"),
}
_moment = lru_cache(maxsize=1024)(moment_of)


class Bucket(NamedTuple):
    """One row of one series. ``lower`` None: the bound of the row before; ``upper`` None: open.

    ``waited``: the seconds of its events, None if not printed. ``last``: no further row of its table follows.
    ``no_sum``: what was printed instead of such seconds.
    """

    series: str
    label: str
    unit: Unit
    lower: Bound | None
    upper: Bound | None
    events: int
    waited: Decimal | None
    last: bool
    no_sum: str = ""


def buckets_in_row(row: ResultRow) -> list[Bucket]:
    """The buckets in a row: one, or one per kind of query; raise ValueError if the row is invalid."""
    if "bucket_timer_low" in row.values:
        return [_of_statements(row.values)]
    return _of_response_times(row.values)


def stamp_in(row: ResultRow) -> Stamp | None:
    """The moment in a column of the query, such as ``now(6)``."""
    columns = _others(tuple(row.values))
    return next((found for column in columns if (found := _moment(row.values[column]))), None)


def is_bucket(row: ResultRow) -> bool:
    """Whether a row belongs to a histogram."""
    return "time" in row.values or "bucket_timer_low" in row.values


def _of_statements(values: dict[str, str]) -> Bucket:
    low, high = (_count(values.get(f"bucket_timer_{side}", "")) for side in ("low", "high"))
    keys = [value[:DIGEST] if column == "digest" else value for column, value in _keys(values)]
    last = high == ENDLESS
    upper = None if last else in_unit(high * PICOSECOND, Unit.NS)
    count = _count(values.get("count_bucket", ""))
    lower = in_unit(low * PICOSECOND, Unit.NS)
    return Bucket(_series(keys), "statements", Unit.NS, lower, upper, count, None, last)


def _keys(values: dict[str, str]) -> list[tuple[str, str]]:
    """Columns of the query, with their values, that are not moments."""
    found = [(column, values[column]) for column in _others(tuple(values))]
    return [(column, value) for column, value in found if value not in {"", "NULL"} and _moment(value) is None]


@lru_cache(maxsize=256)
def _others(columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(column for column in columns if not _is_own(column))


@lru_cache(maxsize=256)
def _kinds(columns: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """The kinds of queries, with their columns of counts and of sums: reads and writes, or all."""
    kinds = (found[1] for column in columns if (found := _COUNTS.fullmatch(column)))
    return tuple((kind or "", f"{kind}_count", f"{kind}_total") if kind else ("", "count", "total") for kind in kinds)


def _is_own(column: str) -> bool:
    """Whether a column belongs to the histogram and not to the query that reads it."""
    return column == "time" or column in _STATEMENT_COLUMNS or column.endswith(("count", "total"))


def _of_response_times(values: dict[str, str]) -> list[Bucket]:
    upper = None if values["time"].startswith("TOO LONG") else _micros(values["time"])
    keys = [value for _, value in _keys(values)]
    buckets = []
    for kind, counts, totals in _kinds(tuple(values)):
        names = [*keys, kind] if kind else keys
        count = _count(values[counts])
        waited, no_sum = _waited(values.get(totals, ""), count, upper)
        buckets.append(Bucket(_series(names), "queries", Unit.US, None, upper, count, waited, upper is None, no_sum))
    return buckets


def _waited(text: str, count: int, upper: Bound | None) -> tuple[Decimal | None, str]:
    """The seconds in a column of sums, and the text if it is there and cannot be such seconds.

    The open row has words there instead.
    """
    total = decimal_of(text)
    if total is not None and total >= 0 and (upper is None or float(total) <= MOST_OF_BOUND * count * upper / 1e6):
        return total, ""
    if upper is None and total is None:
        return (None if count else Decimal(0)), ""
    return None, text


@lru_cache(maxsize=1024)
def _named(name: str) -> str:
    return printable(name) or "all"


def _series(keys: list[str]) -> str:
    return _named(",".join(keys))


@lru_cache(maxsize=1024)
def _micros(text: str) -> Bound:
    seconds = decimal_of(text)
    if seconds is None or seconds <= 0:
        raise ValueError(f"not a time in seconds: {text[:40]}")
    return in_unit(seconds, Unit.US)


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise ValueError(f"not a count: {text[:40]}")
    return int(text)


@dataclass
class MysqlHistogram:
    """The rows of one series in one snapshot. ``ended``: its last row has come. ``chained``: rows begin at the bound of
    the one before, so that none may be missing.
    """

    label: str
    unit: Unit
    line: int
    arrival: float | None
    ranges: list[Range] = field(default_factory=list)
    sums: list[Decimal | None] = field(default_factory=list)
    waited: Decimal | None = Decimal(0)
    edge: Bound = 0
    ended: bool = False
    chained: bool = False

    def goes_on(self, bucket: Bucket) -> bool:
        """Whether a row can belong to this snapshot."""
        return not self.ended and len(self.ranges) < MOST_ROWS and (bucket.upper is None or bucket.upper > self.edge)

    def add(self, bucket: Bucket) -> None:
        """Add the next row."""
        self.chained = self.chained or bucket.lower is None
        lower = self.edge if bucket.lower is None else bucket.lower
        self.ranges.append((lower, bucket.upper, bucket.events))
        self.sums.append(bucket.waited)
        self.waited = None if self.waited is None or bucket.waited is None else self.waited + bucket.waited
        self.edge, self.ended = self.edge if bucket.upper is None else bucket.upper, bucket.last


class _SeriesRows(NamedTuple):
    """The last print of a series, and the one before it. ``doubted``: the row of the last print that did not go on from
    the one before, as ``_odd_row`` has it.
    """

    last: _Rows
    before: _Rows | None
    doubted: str | None


class RowSums:
    """Compares the seconds of each row with its queries and bounds, from one print of a series to the next.

    The server counts a query and adds its time one after the other: a print can come between. The caller limits how
    many series there are.
    """

    def __init__(self) -> None:
        self._series: dict[str, _SeriesRows] = {}

    def flaw(self, name: str, one: MysqlHistogram) -> str:
        """The bound of a row whose seconds grew by more or less than its queries can take; empty if there is none.

        Such a print, or the one before it, is damaged: the next one shows which. If that goes on from the one before
        both, it has the same flaw, because its time waited since the damaged print is not known.
        """
        now: _Rows = {
            (lower, upper): (events, waited)
            for (lower, upper, events), waited in zip(one.ranges, one.sums, strict=True)
            if waited is not None
        }
        known = self._series.get(name, _SeriesRows({}, None, None))
        odd = _odd_row(now, known.last)
        if known.doubted is None or known.before is None:
            self._series[name] = _SeriesRows(now, known.last, odd)
            return odd or ""
        if _odd_row(now, known.before) is None:
            self._series[name] = _SeriesRows(now, None, None)
            return known.doubted
        self._series[name] = _SeriesRows(now, known.last, odd)
        return odd or ""


_NOTHING = 0, Decimal(0)
COUNTED_LATE = 2
"""Queries of a row that a print can have counted without their time, or the other way round."""


def _odd_row(now: _Rows, before: _Rows) -> str | None:
    """The bound of the first row that does not go on from the print before; empty if queries fell, which others judge;
    None if all rows go on.
    """
    pairs = [(row, *found, *before.get(row, _NOTHING)) for row, found in now.items()]
    if any(events < events_before for _, events, _, events_before, _ in pairs):
        return ""
    return next((f"{pair[0][1]} us" for pair in pairs if not _fits(*pair)), None)


def _fits(row: _RowBounds, events: Bound, waited: Decimal, events_before: Bound, waited_before: Decimal) -> bool:
    """Whether a row's seconds grew by what as many queries take. Counts that fell are judged by others."""
    lower, upper = row
    grown, queries = float(waited - waited_before) * 1e6, float(events - events_before)
    if grown < (queries - COUNTED_LATE) * lower:
        return False
    return grown >= 0 and (upper is None or grown <= MOST_OF_BOUND * (queries + COUNTED_LATE) * upper)
