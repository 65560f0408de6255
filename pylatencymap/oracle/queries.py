"""All statements that we send to the database: only SELECTs, with bind variables for every value.

The comment in each statement makes it easy to find in V$SQL. Source of views, columns and meanings: Oracle Database
Reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..units import Unit

NAMES_VIEW = "v$event_name"
SNAPSHOTS_VIEW, HISTORY_VIEW = "dba_hist_snapshot", "dba_hist_event_histogram"

SELECT = "select /* pylatencymap */"
CLOCKS = "sysdate as here, sys_extract_utc(systimestamp) as sampled"
"""Two columns: the server's time in the zone of its start-up times, in whole seconds, and UTC with microseconds."""


class Views(NamedTuple):
    """The names of the views to read.

    ``histogram`` counts waits by upper bounds in ``unit``. ``instances`` and ``names`` are None if the user lacks the
    privilege to read them. ``local``: the views show only the instance to which we are connected.
    """

    histogram: str
    unit: Unit
    instances: str | None
    names: str | None
    local: bool

    @property
    def bound(self) -> str:
        """The name of the column with the upper bounds."""
        return "wait_time_micro" if self.unit is Unit.US else "wait_time_milli"

    @property
    def read(self) -> tuple[str, ...]:
        """The names of all views that are read."""
        return tuple(view for view in (self.histogram, self.instances, self.names) if view)


def probe(view: str) -> str:
    """Selects no row; fails if the view does not exist or the user lacks the privilege to read it."""
    return f"{SELECT} 1 from {view} where 1 = 0"


def sample(views: Views, events: Sequence[str], instances: Sequence[int]) -> tuple[str, dict[str, object]]:
    """Selects instance, start-up time, two clocks, event, upper bound and count: all buckets of the events, summed over
    containers.

    An instance in which none of the events has waited gets one row without an event, which shows that it is up.
    """
    events_in, binds = _listed("event", "e", events)
    number = "h.inst_id" if not views.local else "to_number(sys_context('USERENV', 'INSTANCE'))"
    started, left, on, where = "null", "dual", "1 = 1", ""
    own = "" if views.local else "inst_id, "
    if views.instances:
        left, started = f"{views.instances} i", "i.startup_time"
        number = "i.instance_number" if views.local else "i.inst_id"
        on = "1 = 1" if views.local else "h.inst_id = i.inst_id"
    if instances:
        filtered, more = _listed(number, "i", instances)
        where, binds = f" where {filtered}", binds | more
    counts = (
        f"select {own}event, {views.bound} as bound, sum(wait_count) as waits from {views.histogram}"
        f" where {events_in} group by {own}event, {views.bound}"
    )
    columns = f"{number} as inst, {started} as started, {CLOCKS}, h.event, h.bound, h.waits"
    return f"{SELECT} {columns} from {left} left outer join ({counts}) h on {on}{where}", binds


def instance_numbers_up(views: Views) -> str:
    """Selects the number of each instance that is up."""
    return f"{SELECT} inst_id from {views.instances}"


def event_names(views: Views) -> str:
    """Selects the names of all events, or without V$EVENT_NAME of those that have waited."""
    return f"{SELECT} name from {views.names}" if views.names else f"{SELECT} distinct event from {views.histogram}"


def ranking(views: Views, instances: Sequence[int]) -> tuple[str, dict[str, object]]:
    """Selects UTC, event, wait class, upper bound and the count over all instances, for events that are not idle."""
    where = ""
    binds: dict[str, object] = {}
    if instances:
        filtered, binds = _listed("h.inst_id", "i", instances)
        where = f" and {filtered}"
    statement = (
        f"{SELECT} c.sampled, e.* from (select sys_extract_utc(systimestamp) as sampled from dual) c cross join"
        f" (select h.event, n.wait_class, h.{views.bound} as bound, sum(h.wait_count) as waits"
        f" from {views.histogram} h join {views.names} n on n.name = h.event where n.wait_class <> 'Idle'{where}"
        f" group by h.event, n.wait_class, h.{views.bound}) e"
    )
    return statement, binds


def history(events: Sequence[str], instances: Sequence[int], dbid: int | None) -> tuple[str, dict[str, object]]:
    """Selects database, instance, start-up time and end of each snapshot, then event, upper bound in milliseconds and
    count.

    The binds ``since`` and ``until`` are on the clock of the snapshots. The last snapshot before ``since`` is selected
    too, as the baseline. A snapshot in which none of the events has waited gets one row without an event.
    """
    events_in, binds = _listed("event_name", "e", events)
    where = ""
    if instances:
        filtered, more = _listed("s.instance_number", "i", instances)
        where, binds = f" and {filtered}", binds | more
    if dbid is not None:
        where, binds = f"{where} and s.dbid = :dbid", binds | {"dbid": dbid}
    statement = (
        f"{SELECT} s.dbid, s.instance_number, s.startup_time, s.end_interval_time, h.event_name, h.bound, h.waits"
        f" from {SNAPSHOTS_VIEW} s left outer join"
        " (select dbid, instance_number, snap_id, event_name, wait_time_milli as bound, sum(wait_count) as waits"
        f" from {HISTORY_VIEW} where {events_in}"
        " group by dbid, instance_number, snap_id, event_name, wait_time_milli) h"
        " on h.dbid = s.dbid and h.instance_number = s.instance_number and h.snap_id = s.snap_id"
        f" where s.end_interval_time >= nvl((select max(b.end_interval_time) from {SNAPSHOTS_VIEW} b"
        " where b.dbid = s.dbid and b.instance_number = s.instance_number and b.end_interval_time <= :since), :since)"
        f" and s.end_interval_time <= :until{where}"
    )
    return statement, binds


def kept() -> str:
    """Selects the times of the oldest and the newest snapshot."""
    return f"{SELECT} min(end_interval_time), max(end_interval_time) from {SNAPSHOTS_VIEW}"


def clocks() -> str:
    """Selects the server's own time and UTC."""
    return f"{SELECT} {CLOCKS} from dual"


def _listed(column: str, prefix: str, values: Iterable[object]) -> tuple[str, dict[str, object]]:
    """The condition ``column in (:e0, :e1)`` and its binds."""
    binds = {f"{prefix}{number}": value for number, value in enumerate(values)}
    return f"{column} in ({', '.join(f':{name}' for name in binds)})", binds
