"""Which views are there and may be read."""

from __future__ import annotations

from ..errors import SourceError
from ..units import Unit
from .connection.driver import Connection, Trouble
from .connection.privileges import grant_statement
from .connection.troubles import is_missing_view
from .queries import NAMES_VIEW, Views, probe

NO_STARTS = "restarts are seen only where a counter falls"
NO_NAMES = "no ranking of events, and only those that have waited are known by name"


def wanted_views(local: bool) -> Views:
    """What is best to have; V$ views are those of one instance."""
    g = "" if local else "g"
    return Views(f"{g}v$event_histogram_micro", Unit.US, f"{g}v$instance", NAMES_VIEW, local)


def missing_views_loss(views: Views) -> list[tuple[str, str]]:
    """Views that can be missed, and what is lost without them."""
    return [(views.instances or "", NO_STARTS), (views.names or "", NO_NAMES)]


def find_views(connection: Connection, local: bool, user: str) -> tuple[Views, list[str]]:
    """What can be read, and what to tell of what cannot. Raises SourceError without a histogram, Trouble else."""
    wanted, told = wanted_views(local), []
    views = wanted
    if not _has(connection, wanted.histogram):
        older = wanted.histogram.removesuffix("_micro")
        cure = f"If only the privilege is missing, as SYS run: {grant_statement(wanted.histogram, user)}"
        if not _has(connection, older):
            raise SourceError(f"{wanted.histogram.upper()} and {older.upper()} cannot be read (ORA-00942). {cure}")
        views = views._replace(histogram=older, unit=Unit.MS)
        told.append(f"{wanted.histogram.upper()} cannot be read: milliseconds from {older.upper()}. {cure}")
    if not _has(connection, str(wanted.instances)):
        views = views._replace(instances=None)
        told.append(f"{NO_STARTS}. As SYS run: {grant_statement(str(wanted.instances), user)}")
    if not _has(connection, NAMES_VIEW):
        views = views._replace(names=None)
    return views, told


def _has(connection: Connection, view: str) -> bool:
    try:
        connection.rows(probe(view), {})
    except Trouble as trouble:
        if is_missing_view(trouble):
            return False
        raise
    return True
