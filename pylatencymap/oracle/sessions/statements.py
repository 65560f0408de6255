"""The statement that samples sessions, and what its rows say. Source: Oracle Database Reference, V$SESSION.

WAIT_TIME_MICRO is the time so far of the wait that a session is in, else the length of its last one. A session that
does not wait is on the CPU, and shows its last wait. SEQ# is another number for each wait of a session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from ...record import EventKey
from ..connection.driver import DriverRow
from ..queries import OWN_INSTANCE, SELECT, condition_of

SESSIONS_LOSS = "w does not say who waits"
MOST_ROWS = 1_000
"""Sessions of one sample: as many arrive in one round trip."""
JUST = 10_000
"""Microseconds since a last wait that counts. A session shows it until it waits again: with a longer time, those that
compute for long would be seen more often than others.
"""
WAITING = "WAITING"
LAST_WAITS = ("WAITED SHORT TIME", "WAITED KNOWN TIME")
"""States of a session whose last wait has a known length."""
HAS_ROW = frozenset({"User I/O", "Cluster", "Application", "Concurrency"})
"""Classes of waits for a block or a row. Where a session waits for something else, ROW_WAIT_OBJ# is that of before."""
_COLUMNS = (
    "s.sid, s.serial#, s.seq#, s.event, s.state, s.wait_time_micro, s.time_since_last_wait_micro, s.wait_class,"
    " s.sql_id, s.row_wait_obj#, s.row_wait_block#, s.p1text, s.p1, s.p2text, s.p2, s.p3text, s.p3, s.module, s.action,"
    " s.username, s.client_identifier, s.program, s.machine, s.blocking_session_status, s.blocking_session,"
    " s.blocking_instance"
)


def sessions_view(local: bool) -> str:
    """The view of sessions: of this instance (``local``), else of all."""
    return "v$session" if local else "gv$session"


class WaitsWatched(NamedTuple):
    """The waits whose sessions are sampled: of these events, on these instances, from this ``view``. ``by_container``,
    if each container has series of its own: the names that ``containers``, a view, does not have, by number.
    ``here``: the container that we are connected to, 0 if there are none. ``texts``: the view with the texts of
    statements.
    """

    view: str
    events: Sequence[str]
    instances: Sequence[int] = ()
    containers: str | None = None
    by_container: Mapping[int, str] | None = None
    here: int = 0
    texts: str = "gv$sqlstats"


def condition_of_watched(
    event: str, events: Sequence[str], instance: str, instances: Sequence[int]
) -> tuple[str, dict[str, object]]:
    """Tells rows of these events, and of these instances if there are any, by their columns."""
    where, binds = condition_of(event, "e", events)
    if instances:
        filtered, more = condition_of(instance, "i", instances)
        where, binds = f"{where} and {filtered}", binds | more
    return where, binds


def sessions_sample(watched: WaitsWatched, *, has_containers: bool) -> tuple[str, dict[str, object]]:
    """Selects the columns of ``SessionRow``: sessions that wait for the events, or have just done so; not the one that
    asks. ``has_containers``: CON_ID is there (12.1 and later).
    """
    view, names = watched.view, watched.containers if watched.by_container is not None else None
    own = "to_number(sys_context('USERENV', 'SID'))"
    number = OWN_INSTANCE if view.startswith("v$") else "s.inst_id"
    wanted, binds = condition_of_watched("s.event", watched.events, number, watched.instances)
    over = ", ".join(f"'{state}'" for state in LAST_WAITS)
    statement = (
        f"{SELECT} r.* from (select sys_extract_utc(systimestamp) as sampled, {number} as inst, {_COLUMNS},"
        f" {'s.con_id' if has_containers else '0'} as con, {'c.name' if names else 'null'} as con_name,"
        f" row_number() over (order by s.seq#) as place from {view} s"
        f"{f' left outer join {names} c on c.con_id = s.con_id' if names else ''}"
        f" where {wanted} and (s.state = '{WAITING}' or s.state in ({over}) and s.time_since_last_wait_micro < :recent)"
        f" and not ({number} = {OWN_INSTANCE} and s.sid = {own})) r where r.place <= :most"
    )
    return statement, binds | {"recent": JUST, "most": MOST_ROWS}


class SessionRow(NamedTuple):
    """A row of ``sessions_sample``, or one of the history: see ``sessions_of_history``."""

    sampled: datetime
    instance: int
    sid: int
    serial: int
    seq: int
    event: str
    state: str
    micros: int | None
    since: int | None
    wait_class: str | None
    sql_id: str | None
    object: int | None
    block: int | None
    p1text: str | None
    p1: int | None
    p2text: str | None
    p2: int | None
    p3text: str | None
    p3: int | None
    module: str | None
    action: str | None
    user: str | None
    client: str | None
    program: str | None
    machine: str | None
    is_blocked: str | None
    blocker: int | None
    blocking_instance: int | None
    container: int | None
    container_name: str | None
    place: int

    @property
    def is_waiting(self) -> bool:
        """Whether it is in the wait, and not on the CPU after it."""
        return self.state == WAITING

    @property
    def session(self) -> str:
        """As ALTER SYSTEM KILL SESSION takes it: ``104,25037,@1``."""
        return f"{self.sid},{self.serial},@{self.instance}"


def session_rows(rows: Sequence[DriverRow]) -> Iterator[SessionRow]:
    """The rows of a sample that tell the length of a wait, so far or at its end."""
    for row in map(SessionRow._make, rows):
        if row.micros is not None and row.event:
            yield row


def keys_of(row: SessionRow) -> tuple[EventKey, ...]:
    """What a row says of its wait, named as in a SQL trace where that says it too."""
    parameters = [(row.p1text, row.p1), (row.p2text, row.p2), (row.p3text, row.p3)]
    blocker = row.blocker if row.is_blocked == "VALID" else None
    said = [
        ("sql_id", row.sql_id),
        ("obj#", object_of(row)),
        ("module", row.module),
        ("session", row.session),
        ("user", row.user),
        ("blocker", None if blocker is None else f"{blocker}@{row.blocking_instance or row.instance}"),
        ("client_id", row.client),
        ("machine", row.machine),
        *parameters,
        ("program", None if row.module else row.program),
    ]
    return _said(said)


def more_of(row: SessionRow) -> tuple[EventKey, ...]:
    """What else a row says, that is shown with a single wait only."""
    return _said([("action", row.action), ("program", row.program if row.module else None)])


def _said(said: Sequence[tuple[str | None, object]]) -> tuple[EventKey, ...]:
    first: dict[str, object] = {}
    for name, value in said:
        if name and value not in (None, ""):
            first.setdefault(name, value)
    return tuple(EventKey(name, str(value)) for name, value in first.items())


def object_of(row: SessionRow) -> str | None:
    """The object that a session waits for; None where that is not known. If the wait names its block and another one
    belongs to the object, the object is that of an earlier wait.
    """
    if row.object is None or row.object < 0 or row.wait_class not in HAS_ROW:
        return None
    parameters = {row.p1text: row.p1, row.p2text: row.p2, row.p3text: row.p3}
    first, blocks = parameters.get("block#"), parameters.get("blocks")
    if first is not None and not first <= (row.block or 0) < first + (blocks or 1):
        return None
    return f"{row.object} in container {row.container}" if row.container else str(row.object)
