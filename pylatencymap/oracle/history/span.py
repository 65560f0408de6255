"""Spans of time on the clock of the snapshots: what the user asked for, and the same so much earlier."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from ...errors import UsageError

ONE_DAY = timedelta(days=1)
PERIOD_FORM = "write FROM..TO, as in 2026-01-24T08:00..2026-01-24T18:00, or how much earlier: 1d, 7d, 4w"


class HistorySpan(NamedTuple):
    """A time span on the clock of the snapshots. ``last``: of each instance only so many of the newest intervals; then
    ``since`` follows from the snapshots.
    """

    since: datetime
    until: datetime
    last: int | None = None


Period = HistorySpan | timedelta
"""A span, or how much earlier than another one."""


def span_of(since: datetime | None, until: datetime | None, here: datetime, last: int | None = None) -> HistorySpan:
    """The span that the user asked for, by default the day before now (``here``). If ``since`` lies in the future and
    ``until`` is missing, the span is the day after ``since``: the error then says that it has no snapshots. Raises
    UsageError if the span is empty.
    """
    end = until or here
    if last is not None:
        return HistorySpan(datetime.min, end, last)
    if since and until is None and since >= here:
        end = since + min(ONE_DAY, datetime.max - since)
    begin = since or end - min(ONE_DAY, end - datetime.min)
    if begin >= end:
        raise UsageError(f"--from {begin} is not before --to {end}")
    return HistorySpan(begin, end)


def parse_period(text: str) -> HistorySpan:
    """``FROM..TO``. Raises ValueError for anything else."""
    first, dots, last = text.partition("..")
    try:
        since, until = datetime.fromisoformat(first.strip()), datetime.fromisoformat(last.strip())
    except ValueError:
        dots, since, until = "", datetime.min, datetime.min
    if not dots or since.tzinfo or until.tzinfo:
        raise ValueError(f"{text!r} is no period; {PERIOD_FORM}")
    if since >= until:
        raise ValueError(f"{text!r} ends before it begins")
    return HistorySpan(since, until)


def earlier(span: HistorySpan, period: Period) -> HistorySpan:
    """What a span is compared with. Raises UsageError for a time before the calendar."""
    if isinstance(period, HistorySpan):
        return period
    try:
        return HistorySpan(span.since - period, span.until - period)
    except OverflowError:
        raise UsageError("--against: there is no time so long ago") from None
