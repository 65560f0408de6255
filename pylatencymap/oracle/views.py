"""Finds out where we are connected to, and which views exist and can be read."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import SourceError
from ..text.clean import printable
from ..units import Unit
from . import queries
from .connection.driver import Connection, Trouble
from .connection.privileges import grant_statement
from .connection.troubles import is_missing_view
from .queries import NAMES_VIEW, Views, probe

NO_STARTS = "restarts are seen only where a counter falls"
NO_NAMES = "no ranking of events, and only those that have waited are known by name"
NO_SUMS = "times waited and averages are estimated"
NO_CONTAINER_NAMES = "containers are called by their numbers, and --container takes no name"
NO_FILE_NAMES = "files are called by their numbers"
CONTAINERS_VIEW = "v$containers"
ROOT = 1
"""The number of the root of a CDB. Containers have larger ones, a database without containers has 0."""
_NO_CONTEXT = "ORA-02003"
"""Releases before 12.1 know of no container."""
_INSTANCE_WIDE = (
    "these waits are of the whole instance, not of {pdb} alone (--container draws it, from 18c): {histogram} counts "
    "all containers. Times waited are estimated, because {sums} may be of {pdb} alone"
)


class SessionPlace(NamedTuple):
    """Where we are connected to. ``container`` is 0 in a database without containers."""

    instance: int
    container: int
    name: str

    @property
    def is_pdb(self) -> bool:
        return self.container > ROOT


def find_place(connection: Connection) -> SessionPlace:
    """Instance and container of the session."""
    try:
        ((instance, container, name),) = connection.rows(queries.place(), {})
    except Trouble as trouble:
        if _NO_CONTEXT not in trouble.codes:
            raise
        ((instance,),) = connection.rows(queries.own_instance(), {})
        container = name = None
    return SessionPlace(int(instance or 1), int(container or 0), str(name or ""))


def wanted_views(local: bool, by_container: bool = False) -> Views:
    """The views that we would like to read: V$ views for one instance (``local``), else GV$ views."""
    g, con = ("" if local else "g"), ("con_" if by_container else "")
    return Views(
        f"{g}v${con}event_histogram_micro",
        Unit.US,
        f"{g}v$instance",
        NAMES_VIEW,
        local,
        by_container=by_container,
        containers=CONTAINERS_VIEW if by_container else None,
    )


def sums_of(views: Views) -> str:
    """The view that adds up the times of the same waits."""
    return f"{'' if views.local else 'g'}v${'con_' if views.by_container else ''}system_event"


def missing_views_loss(views: Views) -> list[tuple[str, str]]:
    """The views that we can do without, and what is lost without each."""
    found = [(sums_of(views), NO_SUMS), (views.instances, NO_STARTS), (views.names, NO_NAMES)]
    return [(view, lost) for view, lost in [*found, (views.containers, NO_CONTAINER_NAMES)] if view]


def standby_views() -> tuple[list[str], list[tuple[str, str]]]:
    """The view of the apply lag, and what we can do without, as above."""
    return [queries.STANDBY_VIEW], [("v$instance", NO_STARTS)]


def file_views(local: bool) -> tuple[list[str], list[tuple[str, str]]]:
    """The view of the reads by data file, and what we can do without, as above."""
    g = "" if local else "g"
    return [f"{g}v$file_histogram"], [(f"{g}v$instance", NO_STARTS), (queries.FILE_NAMES_VIEW, NO_FILE_NAMES)]


def find_views(
    connection: Connection, local: bool, user: str, place: SessionPlace | None = None, *, by_container: bool = False
) -> tuple[Views, list[str]]:
    """The views that can be read, and messages about those that cannot. Raises SourceError if no histogram can be read,
    and Trouble for any other failure. With ``place``, where we are connected to, there is a view of the sums as well,
    unless in a container, where it need not be of the same waits. It is not tried: the first sample does.
    """
    views = wanted = wanted_views(local, by_container)
    notices: list[str] = []
    if not can_read(connection, wanted.histogram):
        views = _coarser(connection, wanted, user, notices)
    if not can_read(connection, str(wanted.instances)):
        views = views._replace(instances=None)
        notices.append(missing_starts(str(wanted.instances), user))
    if not can_read(connection, NAMES_VIEW):
        views = views._replace(names=None)
    if wanted.containers and not can_read(connection, wanted.containers):
        views = views._replace(containers=None)
        notices.append(f"{NO_CONTAINER_NAMES}. As SYS run: {grant_statement(wanted.containers, user)}")
    if place is None:
        return views, notices
    if place.is_pdb and not by_container:
        pdb, histogram, sums = printable(place.name), views.histogram.upper(), sums_of(views).upper()
        return views, [*notices, _INSTANCE_WIDE.format(pdb=pdb, histogram=histogram, sums=sums)]
    return views._replace(sums=sums_of(views)), notices


def _coarser(connection: Connection, wanted: Views, user: str, notices: list[str]) -> Views:
    """The views with milliseconds instead of microseconds; by container there are none."""
    cure = f"If only the privilege is missing, as SYS run: {grant_statement(wanted.histogram, user)}"
    if wanted.by_container:
        raise SourceError(
            f"{wanted.histogram.upper()}, which exists from 18c, cannot be read (ORA-00942). {cure} "
            "Without --container the waits of all containers together are drawn"
        )
    older = wanted.histogram.removesuffix("_micro")
    if not can_read(connection, older):
        raise SourceError(f"{wanted.histogram.upper()} and {older.upper()} cannot be read (ORA-00942). {cure}")
    notices.append(f"{wanted.histogram.upper()} cannot be read: milliseconds from {older.upper()}. {cure}")
    return wanted._replace(histogram=older, unit=Unit.MS)


def missing_starts(view: str, user: str) -> str:
    """What is lost without the start-up times, and what to do."""
    return f"{NO_STARTS}. As SYS run: {grant_statement(view, user)}"


def can_read(connection: Connection, view: str) -> bool:
    """Whether a view exists and the user has the privilege to read it. Raises Trouble for any other failure."""
    try:
        connection.rows(probe(view), {})
    except Trouble as trouble:
        if is_missing_view(trouble):
            return False
        raise
    return True
