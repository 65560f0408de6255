"""The live view of wait events, and their ranking."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import NamedTuple

from ...errors import Exit, SourceError, UsageError
from ...interval import Interval
from ...intervals import TakeBatch, TimeOptions, resolve_times
from ...oracle import (
    BusyEvent,
    ConnectionStatus,
    EventNames,
    RecordMaker,
    SamplingLoop,
    Views,
    find_views,
    queries,
    rank_events,
    ranking_table,
)
from ...oracle.connection import Connection, Database
from ...report import Report
from ...session import Picture
from ...session.input import ReadPlan, StopRequest, intervals_of
from ...text import zone_named
from ...text.clean import printable
from ...units import format_latency
from ..acceptance import Acceptance
from ..alerts import Alerts
from ..recording import OwnRecording
from ..session import CommandSession
from ..setup import has_live_view
from ..standard_streams import print_notice, print_text
from .login import database_of
from .options import DEFAULT_SECONDS

SETTING_UP = "setting up"
"""V$SESSION.ACTION until the events are chosen."""
RANKING_SECONDS = 3.0
"""Maximum time to find the busiest event before anything is drawn."""
LOGOFF_SECONDS = 1.0
"""Maximum time to wait for the log-off at the end."""


NO_LIMIT = "client libraries before 18c cannot limit a call: a database that hangs is not noticed"


class ChosenEvents(NamedTuple):
    """The events to draw, and a remark if the program chose them."""

    events: list[str]
    remark: str = ""


def list_events(options: argparse.Namespace) -> int:
    """Print the events that wait now."""
    database = database_of(options)
    with closing(database.session(SETTING_UP)) as connection:
        views, _ = _readable(options, database, connection)
        with database.translate_errors(views.read):
            busy = _ranked(options, database, connection, views, options.interval or DEFAULT_SECONDS)
        print_text(ranking_table(busy))
    return Exit.OK


def watch_events(options: argparse.Namespace, acceptance: Acceptance, alerts: Alerts) -> int:
    """Draw events live, or one picture of them."""
    live = has_live_view(options)
    database = database_of(options)
    with ExitStack() as unless_it_runs:
        connection = unless_it_runs.enter_context(closing(database.session(SETTING_UP)))
        views, remarks = _readable(options, database, connection)
        with database.translate_errors(views.read):
            choice = _chosen(options, database, connection, views)
            _check_instances(options, connection, views)
            connection.tag(", ".join(choice.events), database.timeout)
        remarks += [choice.remark] if choice.remark else []
        remarks += [NO_LIMIT] if connection.can_hang else []
        run = _LiveRun(options, database, views, choice.events, remarks, live)
        unless_it_runs.pop_all()
    return run.run(connection, live, acceptance, alerts)


class _LiveRun:
    """One run of the live view."""

    def __init__(
        self,
        options: argparse.Namespace,
        database: Database,
        views: Views,
        events: list[str],
        remarks: list[str],
        live: bool,
    ) -> None:
        self._options = options
        self._stop = StopRequest()
        self._held: list[str] = []
        self._report = Report(database.name, say=self._held.append)
        self._watch = ConnectionStatus(zone_named(options.tz) if options.tz else None)
        if remarks:
            self._watch.set_notice("; ".join(remarks))
        self._recording = OwnRecording(options, live=live)
        self._plan = ReadPlan(series=tuple(options.series))
        action = ", ".join(events)
        self._interval = options.interval or DEFAULT_SECONDS
        maker = RecordMaker(events, views.histogram, views.unit, self._report)
        statement, binds = queries.sample(views, events, options.instance)
        self._endurance = SamplingLoop(
            connect=lambda: database.connect(action),
            take=lambda connection: maker.records(connection.rows(statement, binds), time.monotonic()),
            explain=lambda trouble: database.explained(trouble, views.read),
            interval=self._interval,
            stop=self._stop,
            watch=self._watch,
            count=options.count,
        )

    def run(self, connection: Connection, live: bool, acceptance: Acceptance, alerts: Alerts) -> int:
        """Run to the end; the exit status."""

        def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
            options = TimeOptions(interval=self._interval, started=time.monotonic())
            events = resolve_times(self._endurance.events(connection), options, self._report)
            found = intervals_of(events, self._plan, picture.mark, self._recording.tee, options, self._report)
            return self._recording.marked(found, picture.marks)

        session = CommandSession(
            self._options,
            produce,
            self._stop,
            self._why_empty,
            silence=self._watch,
            bad_count=lambda: self._report.bad_count,
            current_notice=self._recording.current_notice,
            keep=self._recording.keep,
            flags=self._recording.flags,
            close=self._close,
            seconds=self._options.duration,
            alerts=alerts,
        )
        return acceptance.of(session).run(live)

    def _why_empty(self) -> str:
        return self._watch.silence_notice(self._interval) or self._plan.why_empty()

    def _close(self) -> None:
        """Log off, finish the recording, and print the messages that waited."""
        self._endurance.ended.wait(LOGOFF_SECONDS)
        self._recording.close()
        for message in self._held:
            print_notice(message)


def _readable(options: argparse.Namespace, database: Database, connection: Connection) -> tuple[Views, list[str]]:
    """The views that can be read, and remarks on those that cannot; prints the remarks."""
    with database.translate_errors():
        views, remarks = find_views(connection, options.local, database.login.user)
    for remark in remarks:
        print_notice(remark)
    return views, remarks


def _chosen(options: argparse.Namespace, database: Database, connection: Connection, views: Views) -> ChosenEvents:
    """The events of the command line, else the busiest one."""
    if options.events:
        return ChosenEvents(events_named(options.events, connection, views))
    seconds = min(options.interval or DEFAULT_SECONDS, RANKING_SECONDS)
    print_notice(f"no event is named: looking for the busiest one for {seconds:g} s")
    busy = _ranked(options, database, connection, views, seconds)
    if not busy:
        raise SourceError("no event that is not idle has waited. Is TIMED_STATISTICS set to TRUE?")
    first = busy[0]
    rate = f"{format_latency(first.waited)} waited per second" if first.waits else "since start-up, for none waits now"
    remark = f"the busiest event: {printable(first.event)} ({rate})"
    print_notice(remark)
    return ChosenEvents([first.event], remark)


def events_named(words: list[str], connection: Connection, views: Views) -> list[str]:
    """The events that match the words. Raises UsageError with similar names."""
    return EventNames(str(name) for (name,) in connection.rows(queries.event_names(views), {})).chosen(words)


def _ranked(
    options: argparse.Namespace, database: Database, connection: Connection, views: Views, seconds: float
) -> list[BusyEvent]:
    return rank_events(connection, views, options.instance, seconds, time.sleep, database.login.user)


def _check_instances(options: argparse.Namespace, connection: Connection, views: Views) -> None:
    """Raise UsageError for an instance that is not up, because its data would never arrive."""
    if not options.instance or not views.instances:
        return
    up = {int(number) for (number,) in connection.rows(queries.instance_numbers_up(views), {})}
    missing = [str(number) for number in options.instance if number not in up]
    if missing:
        raise UsageError(f"no instance {' or '.join(missing)} is up; there are {', '.join(map(str, sorted(up)))}")
