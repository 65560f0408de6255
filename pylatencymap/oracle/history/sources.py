"""Where snapshots are kept, AWR or Statspack, and the statements that read them: only SELECTs, binds for every value.

Sources: Oracle Database Reference (DBA_HIST views), and spctab.sql of the database's own software (STATS$ tables).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...errors import UsageError
from ..queries import NAMES_VIEW, NO_ACCESS, PARAMETERS_VIEW, SELECT, condition_of

PERFSTAT = "PERFSTAT"
"""The schema that spcreate.sql makes."""
NO_SUMS = "the time waited is estimated from the buckets"
NO_NAMES = "only events that have waited are known by name"
_SCHEMA = re.compile(r"[A-Za-z][\w$#]{0,127}", re.ASCII)


class HistoryViews(NamedTuple):
    """The names of views or tables with snapshots, and of the columns in which they differ.

    ``ended``: the column of ``snapshots`` with the end of an interval. ``histogram`` counts waits by upper bounds in
    milliseconds. ``sums`` has the exact time waited, and ``names`` all events; each is None where it cannot be read.
    ``event``: the column with an event's name in ``sums``. The histogram of Statspack has only EVENT_ID,
    ``has_names`` is False then.
    """

    name: str
    snapshots: str
    ended: str
    histogram: str
    sums: str | None
    event: str
    has_names: bool
    names: str | None = NAMES_VIEW

    @property
    def needed(self) -> tuple[str, ...]:
        """What nothing can be drawn without."""
        return self.snapshots, self.histogram

    @property
    def read(self) -> tuple[str, ...]:
        """The names of all views that are read."""
        return tuple(view for view in (*self.needed, self.sums, self.names) if view)


AWR = HistoryViews(
    "AWR",
    "dba_hist_snapshot",
    "end_interval_time",
    "dba_hist_event_histogram",
    "dba_hist_system_event",
    "event_name",
    has_names=True,
)


def awr_views() -> HistoryViews:
    """The views of AWR, which need a licence of the Diagnostics Pack."""
    return AWR


def statspack_views(schema: str) -> HistoryViews:
    """The tables of Statspack, which needs no licence. Raises UsageError for what is no name of a schema."""
    if not _SCHEMA.fullmatch(schema):
        raise UsageError(f"--schema {schema}: this is no name of a schema; Statspack makes its own as {PERFSTAT}")
    owner = schema.lower()
    return HistoryViews(
        "Statspack",
        f"{owner}.stats$snapshot",
        "snap_time",
        f"{owner}.stats$event_histogram",
        f"{owner}.stats$system_event",
        "event",
        has_names=False,
    )


def missing_history_loss(views: HistoryViews) -> list[tuple[str, str]]:
    """The views that we can do without, and what is lost without each."""
    asked = [(PARAMETERS_VIEW, NO_ACCESS)] if views is AWR else []
    return [(views.sums or "", NO_SUMS), (views.names or "", NO_NAMES), *asked]


def event_names_kept(views: HistoryViews) -> str:
    """Selects the names of all events, or without V$EVENT_NAME of those in the snapshots."""
    if views.names:
        return f"{SELECT} name from {views.names}"
    return f"{SELECT} distinct {views.event} from {views.sums or views.histogram}"


def snapshots_until(
    views: HistoryViews, instances: Sequence[int], dbid: int | None, until: object
) -> tuple[str, dict[str, object]]:
    """Selects database, instance, number, start-up time and end of each snapshot that ended until then, on the clock
    of the snapshots.
    """
    where, binds = f"s.{views.ended} <= :until", dict[str, object](until=until)
    if instances:
        filtered, more = condition_of("s.instance_number", "i", instances)
        where, binds = f"{where} and {filtered}", binds | more
    if dbid is not None:
        where, binds = f"{where} and s.dbid = :dbid", binds | {"dbid": dbid}
    columns = f"s.dbid, s.instance_number, s.snap_id, s.startup_time, s.{views.ended}"
    return f"{SELECT} {columns} from {views.snapshots} s where {where}", binds


class SnapshotRange(NamedTuple):
    """Snapshots of one database, by the least and the largest of their numbers: the key of all tables begins with it,
    so that nothing older is read.
    """

    dbid: int
    first: int
    last: int


def counts_in(views: HistoryViews, events: Sequence[str], which: SnapshotRange) -> tuple[str, dict[str, object]]:
    """Selects instance, snapshot, event, upper bound in milliseconds and count, summed over containers."""
    source, event = f"{views.histogram} x", "x.event_name"
    if not views.has_names:
        known = f"select event_id, name from {views.names}"
        if not views.names:
            known = f"select distinct event_id, event as name from {views.sums}"
        source, event = f"{source} join ({known}) n on n.event_id = x.event_id", "n.name"
    wanted, binds = condition_of(event, "e", events)
    columns = f"x.instance_number, x.snap_id, {event}, x.wait_time_milli"
    return (
        f"{SELECT} {columns}, sum(x.wait_count) as waits from {source}"
        f" where {_in_range('x')} and {wanted} group by {columns}"
    ), binds | which._asdict()


def sums_in(views: HistoryViews, events: Sequence[str], which: SnapshotRange) -> tuple[str, dict[str, object]]:
    """Selects instance, snapshot, event, number of waits and microseconds waited, summed over containers."""
    wanted, binds = condition_of(f"x.{views.event}", "e", events)
    columns = f"x.instance_number, x.snap_id, x.{views.event}"
    return (
        f"{SELECT} {columns}, sum(x.total_waits) as waits, sum(x.time_waited_micro) as micros from {views.sums} x"
        f" where {_in_range('x')} and {wanted} group by {columns}"
    ), binds | which._asdict()


def _in_range(name: str) -> str:
    return f"{name}.snap_id between :first and :last and {name}.dbid = :dbid"


def kept(views: HistoryViews) -> str:
    """Selects the times of the oldest and the newest snapshot."""
    return f"{SELECT} min({views.ended}), max({views.ended}) from {views.snapshots}"
