"""What a live run draws: events, reads of data files, or the lag of a standby; found before anything is drawn."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ...errors import UsageError
from ...number_text import others_words
from ...oracle import (
    SWITCHED_OFF,
    WHO_ALLOWS,
    SessionPlace,
    Views,
    can_read,
    find_place,
    find_views,
    is_switched_off,
    missing_starts,
    queries,
)
from ...oracle.connection import Connection, grant_statement
from ...oracle.samples import ApplyLagSamples, EventSamples, FileReadSamples, files_read
from ...oracle.sessions import NO_HISTORY, WaitsWatched, history_view, sessions_view, texts_view
from ...record import Record
from ...report import Report
from ...text.clean import printable
from ...units import Unit
from ..setup import has_live_view
from ..standard_streams import print_notice
from .choice import ChosenContainers, Start, choose_containers, choose_events
from .options import DEFAULT_SECONDS

MOST_FILES = 10
"""Data files that are drawn if none is named."""


class Samples(Protocol):
    """What takes the samples of a run. ``last_words`` are told at its end."""

    read: tuple[str, ...]

    def take(self, connection: Connection) -> list[Record]: ...

    def last_words(self) -> list[str]: ...


class Plan(NamedTuple):
    """What a run draws. ``action`` is shown in V$SESSION. ``make`` makes the samples; it is given the report, and what
    is told if something is not as expected. ``pair``: series to stack if nothing else is asked for. ``sessions``: the
    waits whose sessions can be sampled; ``reads_history``: the active session history is asked about them, too.
    """

    action: str
    make: Callable[[Report, Callable[[str], None]], Samples]
    remarks: list[str]
    pair: tuple[str, ...] = ()
    sessions: WaitsWatched | None = None
    reads_history: bool = False


def make_plan(options: argparse.Namespace, start: Start) -> Plan:
    """The plan of the command line. Raises UsageError and SourceError for what is not there."""
    if options.standby:
        return _plan_of_standby(start)
    if options.datafiles is not None:
        return _plan_of_files(options, start)
    views, place, remarks = find_readable(options, start)
    with start.database.translate_errors(views.read):
        containers = choose_containers(options, start, views, place)
        choice = choose_events(options, start, views, containers.names)
        _check_instances(options, start.connection, views)
    remarks += [choice.remark] if choice.remark else []

    def make(report: Report, say: Callable[[str], None]) -> EventSamples:
        return EventSamples(
            views,
            choice.events,
            options.instance,
            containers.names,
            report,
            say,
            interval=options.interval or DEFAULT_SECONDS,
            user=start.database.login.user,
            known=containers.known,
        )

    pair = _series_of(choice.pair, choice.events, options, place, containers)
    watched = _watched(options, choice.events, views, containers, place)
    return Plan(", ".join(choice.events), make, remarks, pair, watched, _reads_history(options, start, remarks))


def _watched(
    options: argparse.Namespace,
    events: Sequence[str],
    views: Views,
    containers: ChosenContainers,
    place: SessionPlace,
) -> WaitsWatched:
    by_container = containers.known if options.container is not None else None
    return WaitsWatched(
        sessions_view(options.local),
        events,
        options.instance,
        views.containers,
        by_container,
        place.container,
        texts_view(options.local),
    )


def _reads_history(options: argparse.Namespace, start: Start, remarks: list[str]) -> bool:
    """Whether the active session history may and can be read for ``w``: only with a licence, which the user states, and
    where the site has not switched the pack off. Adds and prints a remark if it is not, although it was asked for.
    """
    if options.licensed is None or not has_live_view(options):
        return False
    view = history_view(options.local)
    with start.database.translate_errors():
        if is_switched_off(start.connection):
            remark = f"{SWITCHED_OFF}, so that {view.upper()} is not read; {WHO_ALLOWS}"
        elif not can_read(start.connection, view):
            cure = grant_statement(view, start.database.login.user)
            remark = f"{view.upper()} cannot be read, so that {NO_HISTORY}. As SYS run: {cure}"
        else:
            return True
    remarks.append(remark)
    print_notice(remark)
    return False


def find_readable(options: argparse.Namespace, start: Start) -> tuple[Views, SessionPlace, list[str]]:
    """The views that can be read, where we are, and remarks on what is missing; prints the remarks."""
    user, by_container = start.database.login.user, options.container is not None
    with start.database.translate_errors():
        place = find_place(start.connection)
        views, remarks = find_views(start.connection, options.local, user, place, by_container=by_container)
    for remark in remarks:
        print_notice(remark)
    return views, place, remarks


def _series_of(
    pair: tuple[str, str] | None,
    events: Sequence[str],
    options: argparse.Namespace,
    place: SessionPlace,
    containers: ChosenContainers,
) -> tuple[str, ...]:
    """The two series of a pair of events, of one instance and container."""
    by_name = {event.lower(): event for event in events}
    if pair is None or not all(event.lower() in by_name for event in pair):
        return ()
    where = f"@{options.instance[0] if options.instance else place.instance}"
    if options.container is not None:
        if len(containers.names) != 1 and not place.is_pdb:
            return ()
        where += f"/{printable(containers.names[0] if containers.names else place.name)}"
    return tuple(printable(by_name[event.lower()]) + where for event in pair)


def _plan_of_standby(start: Start) -> Plan:
    with start.database.translate_errors((queries.STANDBY_VIEW,)):
        instances, remarks = _starts("v$instance", start)
        ApplyLagSamples(instances, Report("")).check(start.connection)
    return Plan("apply lag", lambda report, _: ApplyLagSamples(instances, report), remarks)


def _plan_of_files(options: argparse.Namespace, start: Start) -> Plan:
    g = "" if options.local else "g"
    views = Views(f"{g}v$file_histogram", Unit.MS, f"{g}v$instance", None, options.local)
    with start.database.translate_errors((views.histogram,)):
        instances, remarks = _starts(str(views.instances), start)
        views = views._replace(instances=instances)
        most, user = options.top or MOST_FILES, start.database.login.user
        found = files_read(start.connection, views, options.datafiles, most, user, print_notice)
        _check_instances(options, start.connection, views)
    if found.others and not options.datafiles:
        remarks.append(f"drawn are the {len(found.names)} files with the most time, not {others_words(found.others)}")
        print_notice(remarks[-1])

    def make(report: Report, _: Callable[[str], None]) -> FileReadSamples:
        return FileReadSamples(views, found.names, options.instance, report)

    return Plan("reads by data file", make, remarks)


def _starts(view: str, start: Start) -> tuple[str | None, list[str]]:
    """The view of the start-up times, None if it cannot be read, and the remark on that."""
    if can_read(start.connection, view):
        return view, []
    remark = missing_starts(view, start.database.login.user)
    print_notice(remark)
    return None, [remark]


def _check_instances(options: argparse.Namespace, connection: Connection, views: Views) -> None:
    """Raise UsageError for an instance that is not up, because its data would never arrive."""
    if not options.instance or not views.instances:
        return
    up = {int(number) for (number,) in connection.rows(queries.instance_numbers_up(views), {})}
    missing = [str(number) for number in options.instance if number not in up]
    if missing:
        raise UsageError(f"no instance {' or '.join(missing)} is up; there are {', '.join(map(str, sorted(up)))}")
