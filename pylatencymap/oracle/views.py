"""Finds out which views exist and can be read."""

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
    """The views that we would like to read: V$ views for one instance (``local``), else GV$ views."""
    g = "" if local else "g"
    return Views(f"{g}v$event_histogram_micro", Unit.US, f"{g}v$instance", NAMES_VIEW, local)


def missing_views_loss(views: Views) -> list[tuple[str, str]]:
    """The views that we can do without, and what is lost without each."""
    return [(views.instances or "", NO_STARTS), (views.names or "", NO_NAMES)]


def find_views(connection: Connection, local: bool, user: str) -> tuple[Views, list[str]]:
    """The views that can be read, and messages about those that cannot. Raises SourceError if no histogram can be read,
    and Trouble for any other failure.
    """
    wanted, notices = wanted_views(local), []
    views = wanted
    if not _has(connection, wanted.histogram):
        older = wanted.histogram.removesuffix("_micro")
        cure = f"If only the privilege is missing, as SYS run: {grant_statement(wanted.histogram, user)}"
        if not _has(connection, older):
            raise SourceError(f"{wanted.histogram.upper()} and {older.upper()} cannot be read (ORA-00942). {cure}")
        views = views._replace(histogram=older, unit=Unit.MS)
        notices.append(f"{wanted.histogram.upper()} cannot be read: milliseconds from {older.upper()}. {cure}")
    if not _has(connection, str(wanted.instances)):
        views = views._replace(instances=None)
        notices.append(f"{NO_STARTS}. As SYS run: {grant_statement(str(wanted.instances), user)}")
    if not _has(connection, NAMES_VIEW):
        views = views._replace(names=None)
    return views, notices


def _has(connection: Connection, view: str) -> bool:
    try:
        connection.rows(probe(view), {})
    except Trouble as trouble:
        if is_missing_view(trouble):
            return False
        raise
    return True
