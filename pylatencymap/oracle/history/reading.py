"""Reads snapshots: finds the views that can be read, chooses the snapshots of a span, and reads what they count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from ...errors import SourceError, UsageError
from ...record import Bound
from ..connection.driver import Connection
from ..connection.privileges import grant_statement
from ..event_names import EventNames, NamedEvents
from ..packs import SWITCHED_OFF, WHO_ALLOWS, is_switched_off
from ..records import CountsByBound
from ..views import can_read
from . import sources
from .sources import HistoryViews, SnapshotRange
from .span import HistorySpan

MINUTES = "%Y-%m-%d %H:%M"
NO_PACK = f"{SWITCHED_OFF}, so that its views are not read. --statspack needs no pack; {WHO_ALLOWS}"
NO_STATSPACK = (
    "Statspack is not installed in this schema (spcreate.sql does that; --schema names another one), or the privilege "
    "is missing"
)


class KeptSnapshot(NamedTuple):
    """A snapshot of one instance. Its times are on the clock of the snapshots."""

    dbid: int
    instance: int
    number: int
    started: datetime
    ended: datetime


CounterKey = tuple[int, int, str]
"""Instance, number of the snapshot, event."""


class KeptHistory(NamedTuple):
    """What was read: snapshots, in the order of their numbers on each instance; counts by upper bound in milliseconds;
    waits and microseconds waited, both since start-up. ``view`` is where the counts are from.
    """

    snapshots: list[KeptSnapshot]
    counts: dict[CounterKey, CountsByBound]
    sums: dict[CounterKey, tuple[Bound, Bound]]
    view: str

    @property
    def events(self) -> frozenset[str]:
        """The events that have waited."""
        return frozenset(event for _, _, event in self.counts)


class HistoryReader:
    """Reads the history over a connection, of some instances, and of one database if there are several. Raises
    SourceError if the views cannot be read, and Trouble for any other failure.

    ``notices`` say what cannot be read and what is lost by that.
    """

    def __init__(
        self,
        connection: Connection,
        views: HistoryViews,
        user: str,
        instances: Sequence[int] = (),
        dbid: int | None = None,
    ) -> None:
        self._connection = connection
        self._user = user
        self._instances = instances
        self._dbid = dbid
        self.notices: list[str] = []
        self._views = self._readable(views)

    def _readable(self, views: HistoryViews) -> HistoryViews:
        """The views that can be read. The parameter is asked first: what it forbids is not touched."""
        if views is sources.AWR and is_switched_off(self._connection):
            raise SourceError(NO_PACK)
        for view in views.needed:
            if not can_read(self._connection, view):
                grants = " ".join(grant_statement(one, self._user) for one in views.needed)
                why = "" if views is sources.AWR else f" {NO_STATSPACK}."
                raise SourceError(f"{view.upper()} cannot be read (ORA-00942).{why} As SYS run: {grants}")
        if views.sums and not can_read(self._connection, views.sums):
            self._missed(views.sums, sources.NO_SUMS)
            views = views._replace(sums=None)
        if views.names and not can_read(self._connection, views.names):
            if not views.sums and not views.has_names:
                grant = grant_statement(views.names, self._user)
                raise SourceError(f"{views.histogram.upper()} has no names of events. As SYS run: {grant}")
            self._missed(views.names, sources.NO_NAMES)
            views = views._replace(names=None)
        return views

    def _missed(self, view: str, lost: str) -> None:
        grant = grant_statement(view, self._user)
        self.notices.append(f"{view.upper()} cannot be read: {lost}. As SYS run: {grant}")

    def events_named(self, words: Sequence[str]) -> NamedEvents:
        """The events that the words mean. Raises UsageError with similar names."""
        rows = self._connection.rows(sources.event_names_kept(self._views), {})
        return EventNames(str(name) for (name,) in rows).named(words)

    def chosen_span(self, span: HistorySpan) -> HistorySpan:
        """The span with its ends, which follow from the snapshots of the instance that took the newest one, if the last
        so many are asked for. Raises SourceError if there are no two snapshots.
        """
        if span.last is None or span.since > datetime.min:
            return span
        found = self._until(span.until)
        if not found:
            raise SourceError(f"there is no snapshot until {span.until:{MINUTES}}; {self._kept()}")
        newest = max(found, key=lambda one: one.ended)
        ends = sorted(one.ended for one in found if one.instance == newest.instance and one.dbid == newest.dbid)
        if len(ends) < 2:
            raise SourceError(f"there is only one snapshot, and an interval needs two; {self._kept()}")
        return HistorySpan(ends[max(len(ends) - 1 - span.last, 0)], newest.ended, span.last)

    def read(self, events: Sequence[str], span: HistorySpan) -> KeptHistory:
        """The snapshots in a span, each instance's with the last one before as a baseline. Raises SourceError if there
        is none, UsageError if they are from several databases.
        """
        span = self.chosen_span(span)
        found = [one for own in _by_instance(self._until(span.until)) for one in _chosen(own, span)]
        databases = sorted({one.dbid for one in found})
        if len(databases) > 1:
            several = " or ".join(map(str, databases))
            raise UsageError(f"the history is of several databases; choose one: --dbid {several}")
        if not any(one.ended > span.since for one in found):  # the baseline alone is before the span
            raise SourceError(f"there is no snapshot from {span.since} to {span.until}; {self._kept()}")
        which = SnapshotRange(databases[0], min(one.number for one in found), max(one.number for one in found))
        return KeptHistory(found, *self._counted(events, which), self._views.histogram)

    def _counted(
        self, events: Sequence[str], which: SnapshotRange
    ) -> tuple[dict[CounterKey, CountsByBound], dict[CounterKey, tuple[Bound, Bound]]]:
        counts: dict[CounterKey, CountsByBound] = {}
        for instance, number, event, bound, waits in self._connection.rows(
            *sources.counts_in(self._views, events, which)
        ):
            buckets = counts.setdefault((int(instance), int(number), event), {})
            buckets[bound] = buckets.get(bound, 0) + (waits or 0)
        if self._views.sums is None:
            return counts, {}
        rows = self._connection.rows(*sources.sums_in(self._views, events, which))
        return counts, {
            (int(instance), int(number), event): (waits, micros)
            for instance, number, event, waits, micros in rows
            if waits is not None and micros is not None
        }

    def _until(self, until: datetime) -> list[KeptSnapshot]:
        rows = self._connection.rows(*sources.snapshots_until(self._views, self._instances, self._dbid, until))
        return [
            KeptSnapshot(int(dbid), int(instance), int(number), started, ended)
            for dbid, instance, number, started, ended in rows
        ]

    def _kept(self) -> str:
        """The time span for which snapshots are kept, in words."""
        ((first, last),) = self._connection.rows(sources.kept(self._views), {})
        if first:
            return f"they are kept from {first:{MINUTES}} to {last:{MINUTES}}"
        return f"there is none at all of {self._views.name}"


def _by_instance(snapshots: Iterable[KeptSnapshot]) -> list[list[KeptSnapshot]]:
    """The snapshots of each instance of each database, in the order in which they were taken: that of their numbers."""
    found: dict[tuple[int, int], list[KeptSnapshot]] = {}
    for one in sorted(snapshots, key=lambda one: (one.dbid, one.instance, one.number)):
        found.setdefault((one.dbid, one.instance), []).append(one)
    return list(found.values())


def _chosen(own: Sequence[KeptSnapshot], span: HistorySpan) -> list[KeptSnapshot]:
    """The snapshots of an instance that end in a span, and the last one before."""
    first = next((place for place, one in enumerate(own) if one.ended > span.since), len(own))
    kept = list(own[max(first - 1, 0) :])
    return kept if span.last is None else kept[-span.last - 1 :]
