"""Wait events of the past, from the snapshots of AWR."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing

from ...interval import Interval
from ...intervals import TakeBatch, TimeOptions, resolve_times
from ...oracle import awr, find_views, queries, utc_offset
from ...report import Report
from ...session import Picture
from ...session.input import ReadPlan, StopRequest, intervals_of, limit_events
from ..acceptance import Acceptance
from ..recording import OwnRecording
from ..session import CommandSession
from ..setup import has_live_view
from ..standard_streams import print_notice
from .live import events_named
from .login import database_of

STATE = "HISTORY"
VIEWS = (queries.SNAPSHOTS_VIEW, queries.HISTORY_VIEW)


def show_history(options: argparse.Namespace, acceptance: Acceptance) -> int:
    """Draw the snapshots of a span of time; the exit status."""
    database = database_of(options)
    action = f"history of {', '.join(options.events)}"
    with closing(database.session(action)) as connection, database.translate_errors(VIEWS):
        views, _ = find_views(connection, options.local, database.login.user)
        events = events_named(options.events, connection, views)
        ((here, utc),) = connection.rows(queries.clocks(), {})
        span = awr.span_of(options.since, options.until, here)
        rows = awr.read_history(connection, events, options.instance, span, options.dbid)
    report = Report(database.name, say=print_notice)
    found = list(awr.history_records(rows, events, utc_offset(here, utc), report))
    plan = ReadPlan(time=TimeOptions(), series=tuple(options.series))
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
