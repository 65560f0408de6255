"""Wait events of the past, from the snapshots of AWR or Statspack: drawn, or two periods compared."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from ...errors import Exit
from ...interval import Interval
from ...intervals import TakeBatch, TimeOptions, resolve_times
from ...oracle import NamedEvents, queries, utc_offset
from ...oracle.history import (
    HistoryReader,
    HistorySpan,
    HistoryViews,
    KeptHistory,
    awr_views,
    earlier,
    history_records,
    span_of,
    statspack_views,
)
from ...record import Record
from ...report import Report
from ...session import Picture, PictureOptions
from ...session.input import ReadPlan, StopRequest, intervals_of, limit_events
from ...text import zone_named
from ..acceptance import Acceptance
from ..recording import OwnRecording
from ..session import CommandSession
from ..setup import has_live_view
from ..standard_streams import print_notice
from .login import database_of

if TYPE_CHECKING:
    from ...api import Run

STATE = "HISTORY"


class PeriodRead(NamedTuple):
    """The records of one period, by time."""

    span: HistorySpan
    records: list[Record]


class HistoryRead(NamedTuple):
    """The periods that were asked for, the main one first, and the account of bad snapshots."""

    periods: list[PeriodRead]
    report: Report


def history_views(options: argparse.Namespace) -> HistoryViews:
    """The views that the options name."""
    return statspack_views(options.schema) if options.statspack else awr_views()


def _read_periods(options: argparse.Namespace) -> HistoryRead:
    """Log in, and read the period of the options, and what it is compared with, if anything."""
    database, views = database_of(options), history_views(options)
    action = f"history of {', '.join(options.events)}"
    with closing(database.session(action)) as connection, database.translate_errors(views.read):
        reader = HistoryReader(connection, views, database.login.user, options.instance, options.dbid)
        named = reader.events_named(options.events)
        ((here, utc),) = connection.rows(queries.clocks(), {})
        span = reader.chosen_span(span_of(options.since, options.until, here, options.last_snapshots))
        spans = [span] if options.against is None else [span, earlier(span, options.against)]
        found = [reader.read(named.names, one) for one in spans]
    events = _drawn(named, found)
    for notice in (*reader.notices, *named.remarks):
        print_notice(notice)
    report = Report(database.name, say=print_notice)
    records = [list(history_records(one, events, utc_offset(here, utc), report)) for one in found]
    return HistoryRead([PeriodRead(*one) for one in zip(spans, records, strict=True)], report)


def _drawn(named: NamedEvents, found: Sequence[KeptHistory]) -> list[str]:
    """The events to draw: of those that a pattern means, the ones that have waited."""
    waited = frozenset[str]().union(*(one.events for one in found))
    return [name for name in named.names if name in waited] or named.names if named.open else named.names


def _plan(options: argparse.Namespace) -> ReadPlan:
    """How the snapshots are read."""
    return ReadPlan(time=TimeOptions(), series=tuple(options.series))


def show_history(options: argparse.Namespace, acceptance: Acceptance) -> int:
    """Draw the snapshots of a span of time; the exit status."""
    read = _read_periods(options)
    ((_, found),) = read.periods
    plan, report = _plan(options), read.report
    live = has_live_view(options)
    recording = OwnRecording(options, live=live)

    def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
        timed = limit_events(resolve_times(found, plan.time, report), options.count, options.duration)
        intervals = intervals_of(timed, plan, picture.mark, recording.tee, report=report)
        return recording.marked(intervals, picture.marks)

    session = CommandSession(
        options,
        produce,
        StopRequest(),
        plan.why_empty,
        state=STATE,
        bad_count=lambda: report.bad_count,
        current_notice=recording.current_notice,
        keep=recording.keep,
        close=recording.close,
        flags=recording.flags,
    )
    return acceptance.of(session).run(live)


def show_comparison_of_periods(options: argparse.Namespace, acceptance: Acceptance) -> int:
    """Print in what the period of the options differs from that of --against, on the page of ``pylatencymap compare``;
    the exit status.
    """
    from ...api import compare
    from ..commands.compare import show_comparison

    read = _read_periods(options)
    runs = [_run(options, period, read.report) for period in read.periods]
    for period, run in zip(read.periods, runs, strict=True):
        if not run.series:
            print_notice(f"{_period_words(period)}: there is no interval: each takes two snapshots of an instance")
            return Exit.NO_INTERVAL
    after, before = runs
    words = [[_period_words(period)] for period in read.periods]
    return show_comparison(compare([before], [after], files=(words[1], words[0])), options, acceptance)


def _period_words(period: PeriodRead) -> str:
    """A period as a side of the comparison is named."""
    since, until = (f"{one:%Y-%m-%d %H:%M}" for one in (period.span.since, period.span.until))
    return f"{since} to {until if until[:10] != since[:10] else until[11:]}"


def _run(options: argparse.Namespace, period: PeriodRead, report: Report) -> Run:
    from ...api import Run

    plan = _plan(options)
    picture = Picture(PictureOptions(history_mb=options.history_mb))
    timed = limit_events(resolve_times(period.records, plan.time, report), options.count, options.duration)
    picture.extend(list(intervals_of(timed, plan, picture.mark, report=report)))
    return Run(picture.window, picture.marks, report.bad_count, (), zone_named(options.tz))
