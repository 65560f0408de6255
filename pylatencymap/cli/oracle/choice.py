"""What oralatencymap is to draw: events by name, set, pattern, class or rank; containers; data files."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import SourceError, UsageError
from ...oracle import BusyEvent, EventNames, NamedEvents, SessionPlace, Views, queries, rank_events
from ...oracle.connection import Connection, Database, Trouble, grant_statement
from ...text.clean import printable
from ...units import format_latency
from ..standard_streams import print_notice
from .options import DEFAULT_SECONDS

SETTING_UP = "setting up"
"""V$SESSION.ACTION until the events are chosen."""
RANKING_SECONDS = 3.0
"""Maximum time to find the busiest events before anything is drawn."""
MOST_EVENTS = 100
"""More events than this are not drawn at once."""
ALL = "all"
_NO_CLASSES = "V$EVENT_NAME, which says what class an event is of, cannot be read. As SYS run: {}"


class Start:
    """The session in which everything is set up. If a call is not answered, another session takes its place."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.connection = database.session(SETTING_UP)

    def again(self) -> None:
        """Log in anew."""
        self.connection.close()
        self.connection = self.database.session(SETTING_UP)

    def close(self) -> None:
        self.connection.close()


class ChosenContainers(NamedTuple):
    """``names``: of those that are drawn; none: all that the session sees. ``known``: names by number."""

    names: tuple[str, ...] = ()
    known: dict[int, str] = {}  # noqa: RUF012 - nobody changes it


class ChosenEvents(NamedTuple):
    """The events to draw, what to stack of them, and a remark if the program chose them."""

    events: list[str]
    pair: tuple[str, str] | None = None
    remark: str = ""


def choose_containers(options: argparse.Namespace, start: Start, views: Views, place: SessionPlace) -> ChosenContainers:
    """The containers of ``--container``. Raises UsageError for one that is not there."""
    wanted = options.container
    if wanted is None:
        return ChosenContainers()
    if not place.container:
        raise UsageError("this database has no containers; leave out --container")
    known = {place.container: place.name}
    if wanted.lower() in ("", ALL):
        if place.is_pdb and wanted:
            print_notice(
                f"from {printable(place.name)} only its own waits are seen; connect to the root for all of them"
            )
        return ChosenContainers((), known)
    words = [word.strip() for word in wanted.split(",") if word.strip()]
    if views.containers is None:
        if [word.upper() for word in words] == [place.name.upper()] and place.is_pdb:
            return ChosenContainers((), known)
        cure = grant_statement("v$containers", start.database.login.user)
        raise SourceError(f"--container {printable(wanted)} needs V$CONTAINERS. As SYS run: {cure}")
    names = [str(name) for (name,) in start.connection.rows(queries.container_names(views), {})]
    by_name = {name.upper(): name for name in names}
    for word in words:
        if word.upper() not in by_name:
            raise UsageError(_no_container(word, names, place))
    return ChosenContainers(tuple(by_name[word.upper()] for word in words), known)


def _no_container(word: str, names: Iterable[str], place: SessionPlace) -> str:
    seen = ", ".join(map(printable, names))
    where = f"from {printable(place.name)}, which sees {seen}" if place.is_pdb else f"among {seen}"
    cure = "connect to the root, or to that container" if place.is_pdb else "--container=all draws all"
    return f"there is no container {word!r} {where}; {cure}. An event after --container: --container=all EVENT"


def choose_events(
    options: argparse.Namespace, start: Start, views: Views, containers: Sequence[str] = ()
) -> ChosenEvents:
    """The events of the command line: named ones, those of sets, patterns and classes, of them the ``--top`` busiest;
    without all that the busiest one.
    """
    named = _named(options, start, views) if options.events or options.classes else None
    if named is None:
        return _busiest(options, start, views, containers)
    for remark in named.remarks:
        print_notice(remark)
    if options.top:
        if not (named.open or named.sets):
            raise UsageError("--top draws the busiest of a set, a pattern, a class or all events; leave out the names")
        return _busiest(options, start, views, containers, named.names)
    names = _that_waited(named.names, start.connection, views) if named.open else named.names
    if len(names) > MOST_EVENTS:
        raise UsageError(f"these are {len(names)} events, too many to draw; --top 10 draws the busiest of them")
    if named.sets:
        print_notice(f"drawn are {', '.join(map(printable, names))}")
    return ChosenEvents(names, _pair_of(named, options))


def _pair_of(named: NamedEvents, options: argparse.Namespace) -> tuple[str, str] | None:
    """The pair of a set that was named alone."""
    if len(named.sets) != 1 or len(options.events) != 1 or options.classes:
        return None
    one = named.sets[0]
    return one.pair if options.container is None or one.in_one_container else None


def _named(options: argparse.Namespace, start: Start, views: Views) -> NamedEvents:
    """The events of names, sets, patterns and classes."""
    rows = [(str(name), kind) for name, kind in start.connection.rows(queries.event_names(views), {})]
    found = EventNames(name for name, _ in rows).named(options.events) if options.events else NamedEvents([])
    if not options.classes:
        return found
    if views.names is None:
        raise SourceError(_NO_CLASSES.format(grant_statement(queries.NAMES_VIEW, start.database.login.user)))
    classes = sorted({str(kind) for _, kind in rows})
    wanted = [class_named(word, classes) for word in options.classes]
    of_class = sorted(name for name, kind in rows if kind in wanted)
    return found._replace(names=list(dict.fromkeys([*found.names, *of_class])), open=True)


def class_named(word: str, classes: Sequence[str]) -> str:
    """The wait class that a word means, whatever its case, blanks and signs."""
    letters = {_letters(kind): kind for kind in classes}
    begin = [kind for text, kind in letters.items() if _letters(word) and text.startswith(_letters(word))]
    if _letters(word) in letters:
        return letters[_letters(word)]
    if len(begin) == 1:
        return begin[0]
    raise UsageError(f"no wait class is called {word!r}; there are {', '.join(map(repr, classes))}")


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _that_waited(names: list[str], connection: Connection, views: Views) -> list[str]:
    """Of many events those that have waited since start-up; all if none has."""
    waited = {str(name) for (name,) in connection.rows(queries.events_waited(views), {})}
    return [name for name in names if name in waited] or names


def _busiest(
    options: argparse.Namespace,
    start: Start,
    views: Views,
    containers: Sequence[str],
    among: list[str] | None = None,
) -> ChosenEvents:
    """The ``--top`` busiest events, or the busiest one; ``among`` these only."""
    most, seconds = options.top or 1, min(options.interval or DEFAULT_SECONDS, RANKING_SECONDS)
    what = f"the {most} busiest events" if options.top else "the busiest one"
    print_notice(f"{'' if options.top else 'no event is named: '}looking for {what} for {seconds:g} s")
    busy = [one for one in ranked(options, start, views, containers, seconds) if among is None or one.event in among]
    if not busy:
        raise SourceError("no event that is not idle has waited. Is TIMED_STATISTICS set to TRUE?")
    found = ([one for one in busy if one.waits] or busy)[:most]
    first = found[0]
    rate = f"{format_latency(first.waited)} waited per second" if first.waits else "since start-up, for none waits now"
    if len(found) == 1:
        remark = f"the busiest event: {printable(first.event)} ({rate})"
    else:
        remark = f"the busiest events: {', '.join(printable(one.event) for one in found)}"
    print_notice(remark)
    return ChosenEvents([one.event for one in found], remark=remark)


def ranked(
    options: argparse.Namespace, start: Start, views: Views, containers: Sequence[str], seconds: float
) -> list[BusyEvent]:
    """The ranking of all events that are not idle; by the histogram if the view of the sums gives no answer in time."""
    user = start.database.login.user
    try:
        return rank_events(start.connection, views, options.instance, seconds, time.sleep, user, containers)
    except Trouble as trouble:
        if not trouble.late or views.sums is None:
            raise
    print_notice(f"{views.sums.upper()} gives no answer in time: times are estimated")
    start.again()
    plain = views._replace(sums=None)
    return rank_events(start.connection, plain, options.instance, seconds, time.sleep, user, containers)
