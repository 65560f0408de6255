"""The live view of wait events, and their ranking."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import tzinfo

from ...errors import Exit
from ...interval import Interval
from ...intervals import TakeBatch, TimeOptions, resolve_times
from ...oracle import ConnectionStatus, SamplingLoop, ranking_table
from ...oracle.connection import Connection, Database
from ...oracle.sessions import ActiveSessionHistory, SampledWaits, SessionSampler, WaitsRecorder
from ...report import Report
from ...session import Picture
from ...session.input import ReadPlan, StopRequest, intervals_of
from ...text import zone_named
from ...view.style import FALLBACK_SIZE
from ..acceptance import Acceptance
from ..alerts import Alerts
from ..recording import OwnRecording
from ..session import CommandSession
from ..setup import has_live_view, text_size
from ..standard_streams import print_notice, print_text
from .choice import Start, choose_containers, class_named, ranked
from .login import database_of
from .options import DEFAULT_SECONDS
from .plans import Plan, find_readable, make_plan

WHO = "who waits"
"""V$SESSION.ACTION while the active session history is asked."""
LOGOFF_SECONDS = 1.0
"""Maximum time to wait for the log-off at the end."""
NO_LIMIT = "client libraries before 18c cannot limit a call: a database that hangs is not noticed"
LEAST_LINES = 30
"""Lines of a terminal on which a pair is stacked without being asked for."""


def list_events(options: argparse.Namespace) -> int:
    """Print the events that wait now."""
    with closing(Start(database_of(options))) as start:
        views, place, _ = find_readable(options, start)
        with start.database.translate_errors(views.read):
            containers = choose_containers(options, start, views, place).names
            busy = ranked(options, start, views, containers, options.interval or DEFAULT_SECONDS)
        known = sorted({one.wait_class for one in busy})
        classes = {class_named(word, known) for word in options.classes} or set(known)
        shown = [one for one in busy if one.wait_class in classes]
        print_text(ranking_table(shown[: options.top]))
    return Exit.OK


def watch_events(options: argparse.Namespace, acceptance: Acceptance, alerts: Alerts) -> int:
    """Draw events live, or one picture of them; or the reads of data files, or the lag of a standby."""
    live = has_live_view(options)
    database = database_of(options)
    with ExitStack() as unless_it_runs:
        start = unless_it_runs.enter_context(closing(Start(database)))
        plan = make_plan(options, start)
        with database.translate_errors():
            start.connection.tag(plan.action, database.timeout)
        if start.connection.can_hang:
            plan.remarks.append(NO_LIMIT)
        if plan.pair and not (options.stack or options.series or options.summed) and _has_room():
            options.stack = list(plan.pair)
        run = _LiveRun(options, database, plan, live)
        unless_it_runs.pop_all()
    return run.run(start.connection, live, acceptance, alerts)


def _has_room() -> bool:
    """Whether two series fit above each other."""
    return text_size(FALLBACK_SIZE, sys.stdout, os.environ)[1] >= LEAST_LINES


class _LiveRun:
    """One run of the live view."""

    def __init__(self, options: argparse.Namespace, database: Database, plan: Plan, live: bool) -> None:
        self._options = options
        self._live = live
        self._stop = StopRequest()
        self._held: list[str] = []
        self._report = Report(database.name, say=self._held.append)
        tz = zone_named(options.tz) if options.tz else None
        self._watch = ConnectionStatus(tz)
        if plan.remarks:
            self._watch.set_notice("; ".join(plan.remarks))
        self._recording = OwnRecording(options, live=live)
        self._plan = ReadPlan(series=tuple(options.series))
        self._interval = options.interval or DEFAULT_SECONDS
        self._samples = plan.make(self._report, self._say)
        self._sessions: SessionSampler | None = None
        self._waits_recorder: WaitsRecorder | None = None
        if plan.sessions is not None and options.sessions and (live or self._recording.aside is not None):
            self._sessions = SessionSampler(plan.sessions, self._interval, database.login.user, self._say, tz)
            if self._recording.aside is not None:
                self._waits_recorder = WaitsRecorder(self._sessions.waits, plan.sessions.view, self._recording.aside)
        self._events = self._who_waits(database, plan, tz)
        self._endurance = SamplingLoop(
            connect=lambda: database.connect(plan.action),
            take=self._samples.take,
            explain=lambda trouble: database.explained(trouble, self._samples.read),
            interval=self._interval,
            stop=self._stop,
            watch=self._watch,
            count=options.count,
            look=self._look,
        )

    def _look(self, connection: Connection) -> bool:
        """Sample the sessions. Returns whether the connection can be used again."""
        is_good = self._sessions is None or self._sessions.take(connection)
        if self._waits_recorder is not None:
            self._waits_recorder.after_sample()
        return is_good

    def _who_waits(
        self, database: Database, plan: Plan, tz: tzinfo | None
    ) -> SampledWaits | ActiveSessionHistory | None:
        """What is asked who waits; None if nothing may be."""
        sampled = None if self._sessions is None else self._sessions.waits
        if plan.sessions is None or not plan.reads_history:
            return sampled
        return ActiveSessionHistory(plan.sessions, lambda: database.connect(WHO), sampled, tz)

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
            events=self._events,
        )
        return acceptance.of(session).run(live)

    def _say(self, what: str) -> None:
        """Show a message now, and print it at the end."""
        self._watch.set_notice(what)
        self._held.append(what)

    def _why_empty(self) -> str:
        return self._watch.silence_notice(self._interval) or self._plan.why_empty()

    def _close(self) -> None:
        """Log off, finish the recording, and print the messages that waited."""
        self._endurance.ended.wait(LOGOFF_SECONDS)
        if self._waits_recorder is not None:
            self._waits_recorder.end()
        self._recording.close()
        for message in [*self._held, *(self._samples.last_words() if self._live else [])]:
            print_notice(message)
