"""All statements that we send to the database: only SELECTs, with bind variables for every value.

The comment in each statement makes it easy to find in V$SQL. Source of views, columns and meanings: Oracle Database
Reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..units import Unit

NAMES_VIEW = "v$event_name"
PARAMETERS_VIEW, PACK_PARAMETER = "v$parameter", "control_management_pack_access"
STANDBY_VIEW, FILE_NAMES_VIEW = "v$standby_event_histogram", "v$datafile"
NO_ACCESS = "that the site has switched the pack off is not noticed"
"""What is lost if the parameter cannot be read."""

SELECT = "select /* pylatencymap */"
CLOCKS = "sysdate as here, sys_extract_utc(systimestamp) as sampled"
"""Two columns: the server's time in the zone of its start-up times, in whole seconds, and UTC with microseconds."""
OWN_INSTANCE = "to_number(sys_context('USERENV', 'INSTANCE'))"
"""The number of the instance to which we are connected."""


class Views(NamedTuple):
    """The names of the views to read.

    ``histogram`` counts waits by upper bounds in ``unit``. ``instances`` and ``names`` are None if the user lacks the
    privilege to read them. ``local``: the views show only the instance to which we are connected. ``sums`` adds up the
    times of the same waits; None: they are estimated. ``by_container``: both have a row for each container;
    ``containers`` has their names, if it can be read.
    """

    histogram: str
    unit: Unit
    instances: str | None
    names: str | None
    local: bool
    sums: str | None = None
    by_container: bool = False
    containers: str | None = None

    @property
    def bound(self) -> str:
        """The name of the column with the upper bounds."""
        return "wait_time_micro" if self.unit is Unit.US else "wait_time_milli"

    @property
    def read(self) -> tuple[str, ...]:
        """The names of all views that are read."""
        return tuple(view for view in (self.histogram, self.instances, self.names, self.containers) if view)


def probe(view: str) -> str:
    """Selects no row; fails if the view does not exist or the user lacks the privilege to read it."""
    return f"{SELECT} 1 from {view} where 1 = 0"


def sample(
    views: Views,
    events: Sequence[str],
    instances: Sequence[int],
    containers: Sequence[str] = (),
    *,
    foreground: bool = True,
) -> tuple[str, dict[str, object]]:
    """Selects instance, start-up time, two clocks, event, upper bound and count: all buckets of the events, summed over
    containers. With ``views.sums`` there are microseconds, and those of foreground sessions (from 11.1), in rows
    without a bound; ``views.by_container`` adds number and name of the container. ``containers``: only those of these
    names.

    An instance in which none of the events has waited gets one row without an event, which shows that it is up.
    """
    counts, binds = _counters(views, events, containers, foreground)
    columns = "h.event, h.bound, h.waits"
    if views.sums or views.by_container:
        columns += ", h.micros, h.foreground"
    if views.by_container:
        columns += ", h.con_id, c.name" if views.containers else ", h.con_id, null"
    joined = f" left outer join {views.containers} c on c.con_id = h.con_id" if views.containers else ""
    statement, more = _by_instance(views, columns, counts, joined, instances)
    return statement, binds | more


def _counters(
    views: Views, events: Sequence[str], containers: Sequence[str], foreground: bool
) -> tuple[str, dict[str, object]]:
    """Selects the counts of all buckets and, in rows without a bound, the sums. Both have the same columns."""
    where, binds = condition_of("event", "e", events)
    only, more = _only(views, "", (), containers)
    where, binds = where + only, binds | more
    own = "event" if views.local else "inst_id, event"
    own += ", con_id" if views.by_container else ""
    beside = ", to_number(null) as micros, to_number(null) as foreground" if views.sums or views.by_container else ""
    found = (
        f"select {own}, {views.bound} as bound, sum(wait_count) as waits{beside} from {views.histogram}"
        f" where {where} group by {own}, {views.bound}"
    )
    if views.sums:
        share = "sum(time_waited_micro_fg)" if foreground else "to_number(null)"
        found += (
            f" union all select {own}, to_number(null), sum(total_waits), sum(time_waited_micro), {share}"
            f" from {views.sums} where {where} group by {own}"
        )
    return found, binds


def place() -> str:
    """Selects the number of the instance, and number and name of the container, to which we are connected."""
    context = "sys_context('USERENV', '{}')"
    return f"{SELECT} {', '.join(map(context.format, ('INSTANCE', 'CON_ID', 'CON_NAME')))} from dual"


def own_instance() -> str:
    """Selects the number of the instance to which we are connected."""
    return f"{SELECT} sys_context('USERENV', 'INSTANCE') from dual"


def pack_access() -> tuple[str, dict[str, object]]:
    """Selects which packs the site allows to use."""
    return f"{SELECT} value from {PARAMETERS_VIEW} where name = :name", {"name": PACK_PARAMETER}


def container_names(views: Views) -> str:
    """Selects the names of the containers that the session may see."""
    return f"{SELECT} name from {views.containers} order by con_id"


def instance_numbers_up(views: Views) -> str:
    """Selects the number of each instance that is up."""
    return f"{SELECT} inst_id from {views.instances}"


def event_names(views: Views) -> str:
    """Selects the names of all events and their classes, or without V$EVENT_NAME those that have waited."""
    return (
        f"{SELECT} name, wait_class from {views.names}"
        if views.names
        else f"{SELECT} distinct event, null from {views.histogram}"
    )


def events_waited(views: Views) -> str:
    """Selects the names of the events that have waited since start-up."""
    return f"{SELECT} distinct event from {views.histogram}"


def ranking(views: Views, instances: Sequence[int], containers: Sequence[str] = ()) -> tuple[str, dict[str, object]]:
    """Selects UTC, event, wait class, upper bound and the count over all instances, for events that are not idle."""
    where, binds = _only(views, "h.", instances, containers)
    statement = (
        f"{SELECT} c.sampled, e.* from (select sys_extract_utc(systimestamp) as sampled from dual) c cross join"
        f" (select h.event, n.wait_class, h.{views.bound} as bound, sum(h.wait_count) as waits"
        f" from {views.histogram} h join {views.names} n on n.name = h.event where n.wait_class <> 'Idle'{where}"
        f" group by h.event, n.wait_class, h.{views.bound}) e"
    )
    return statement, binds


def exact_ranking(
    views: Views, instances: Sequence[int], containers: Sequence[str] = ()
) -> tuple[str, dict[str, object]]:
    """Selects UTC, event, wait class, waits, and microseconds of all and of foreground sessions (11.1 and later), for
    events that are not idle. ``views.sums`` is read.
    """
    where, binds = _only(views, "", instances, containers)
    statement = (
        f"{SELECT} c.sampled, e.* from (select sys_extract_utc(systimestamp) as sampled from dual) c cross join"
        " (select event, wait_class, sum(total_waits) as waits, sum(time_waited_micro) as micros,"
        f" sum(time_waited_micro_fg) as foreground from {views.sums} where wait_class <> 'Idle'{where}"
        " group by event, wait_class) e"
    )
    return statement, binds


def _only(views: Views, own: str, instances: Sequence[int], containers: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Conditions that follow others: these instances, containers of these names."""
    where = ""
    binds: dict[str, object] = {}
    if instances:
        filtered, binds = condition_of(f"{own}inst_id", "i", instances)
        where = f" and {filtered}"
    if containers:
        names, more = condition_of("name", "c", containers)
        where += f" and {own}con_id in (select con_id from {views.containers} where {names})"
        binds = binds | more
    return where, binds


def files_since_startup(views: Views) -> str:
    """Selects file, upper bound in milliseconds and reads since start-up, over all instances."""
    return (
        f"{SELECT} file#, singleblkrdtim_milli, sum(singleblkrds) from {views.histogram}"
        " group by file#, singleblkrdtim_milli"
    )


def file_names() -> str:
    """Selects number and name of each data file."""
    return f"{SELECT} file#, name from {FILE_NAMES_VIEW}"


def file_sample(views: Views, files: Sequence[int], instances: Sequence[int]) -> tuple[str, dict[str, object]]:
    """As ``sample``, with the number of a file in the place of an event: the reads of these files, summed over
    containers.
    """
    own = "file#" if views.local else "inst_id, file#"
    where, binds = condition_of("file#", "f", files)
    counts = (
        f"select {own}, singleblkrdtim_milli as bound, sum(singleblkrds) as waits from {views.histogram}"
        f" where {where} group by {own}, singleblkrdtim_milli"
    )
    statement, more = _by_instance(views, "h.file#, h.bound, h.waits", counts, "", instances)
    return statement, binds | more


def standby_sample(instances_view: str | None) -> str:
    """Selects instance, start-up time, two clocks, and name, time, unit and count of each bucket of the lag; one row
    without a name if there is none.
    """
    left, started = (f"{instances_view} i", "i.startup_time") if instances_view else ("dual", "null")
    # count is a function's name too, and time and unit are words of SQL: all are taken with the name of the view
    buckets = f"select s.name, s.time as bucket, s.unit as unit_name, s.count as waits from {STANDBY_VIEW} s"
    columns = f"{OWN_INSTANCE} as inst, {started} as started, {CLOCKS}, h.name, h.bucket, h.unit_name, h.waits"
    return f"{SELECT} {columns} from {left} left outer join ({buckets}) h on 1 = 1"


def _by_instance(
    views: Views, columns: str, counts: str, joined: str, instances: Sequence[int]
) -> tuple[str, dict[str, object]]:
    """Selects instance, start-up time, two clocks and ``columns`` of the counts ``h``, and of what is ``joined`` to
    them.
    """
    number, started, left, on = _instances(views)
    where = ""
    binds: dict[str, object] = {}
    if instances:
        filtered, binds = condition_of(number, "i", instances)
        where = f" where {filtered}"
    selected = f"{number} as inst, {started} as started, {CLOCKS}, {columns}"
    return f"{SELECT} {selected} from {left} left outer join ({counts}) h on {on}{joined}{where}", binds


def _instances(views: Views) -> tuple[str, str, str, str]:
    """What stands for the number of the instance and its start-up time, the view of the instances, and how the counts
    ``h`` are joined to it.
    """
    if views.instances is None:
        return OWN_INSTANCE if views.local else "h.inst_id", "null", "dual", "1 = 1"
    if views.local:
        return "i.instance_number", "i.startup_time", f"{views.instances} i", "1 = 1"
    return "i.inst_id", "i.startup_time", f"{views.instances} i", "h.inst_id = i.inst_id"


def clocks() -> str:
    """Selects the server's own time and UTC."""
    return f"{SELECT} {CLOCKS} from dual"


def condition_of(column: str, prefix: str, values: Iterable[object]) -> tuple[str, dict[str, object]]:
    """The condition ``column in (:e0, :e1)`` and its binds."""
    binds = {f"{prefix}{number}": value for number, value in enumerate(values)}
    return f"{column} in ({', '.join(f':{name}' for name in binds)})", binds
