"""Asks the active session history who waited in a cell: also before our first sample, and each second.

It belongs to the Diagnostics Pack: whoever makes this has asked whether there is a licence. Source: Oracle Database
Reference, V$ACTIVE_SESSION_HISTORY. TIME_WAITED of a wait is in the last row that saw it, once it is over; it is 0 in
all others. A wait of less than a second is seen with a probability of its length in seconds. So a row stands for a
second of waiting, or for its wait if that took longer ("ASH Architecture and Advanced Usage", Wood, Shaft and
Beresniewicz, which count max(1, 1 s / TIME_WAITED) waits for it).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import SourceError
from ...events import CellQuestion, EventQuestion, EventsFound
from ...events.sampled import ENOUGH, NOT_ALONE, SeenWait, WaitsShown, answer_of
from ...number_text import count_words, waiting_words
from ...session.input import StopRequest
from ...text.clean import printable
from ...units import Unit
from ..connection.driver import Connection, DriverRow, Trouble
from ..connection.troubles import NO_COLUMN, in_short, is_final
from ..queries import OWN_INSTANCE, SELECT, clocks
from ..sampling_loop import SLOW_SECONDS
from ..server_clock import EPOCH, utc_offset
from .names import NamesOfWaits
from .sampled_waits import SampledWaits, seen_wait
from .statements import LAST_WAITS, SessionRow, WaitsWatched, condition_of_watched

if TYPE_CHECKING:
    from ...events import FilteredInputs, Only

SAMPLED_MICROS = 1_000_000
"""From sample to sample."""
MOST_HISTORY_ROWS = 10_000
AROUND = 300_000_000
"""Microseconds before and after a cell that are looked at too, if few waits of it were seen."""
NO_HISTORY = "w knows nothing of before the first sample"
_COLUMNS = (
    "a.session_id, a.session_serial#, a.event, a.time_waited, a.wait_class, a.sql_id, a.current_obj#,"
    " a.current_block#, a.p1text, a.p1, a.p2text, a.p2, a.p3text, a.p3, a.module, a.action, a.client_id, a.program"
)
_LATER_COLUMNS = ("machine", "blocking_session_status", "blocking_session", "blocking_inst_id", "con_id")
"""Not every release has them."""
_NOT_SELECTED: dict[str, Any] = {"seq": 0, "state": LAST_WAITS[-1], "since": 0, "user": None}
"""What a session has and the history has not."""
_SELECTED = tuple(name for name in SessionRow._fields if name not in _NOT_SELECTED)


def history_view(local: bool) -> str:
    """The active session history: of this instance (``local``), else of all."""
    return "v$active_session_history" if local else "gv$active_session_history"


class HistorySpanAsked(NamedTuple):
    """The rows that are asked for: sampled from ``first`` to ``last``, on the clock of the database, of waits that took
    [``low``, ``high``) microseconds.
    """

    first: datetime
    last: datetime
    low: int
    high: float


def history_sample(
    watched: WaitsWatched, span: HistorySpanAsked, events: Sequence[str], missing: frozenset[str] = frozenset()
) -> tuple[str, dict[str, object]]:
    """Selects the columns of ``SessionRow`` that the history has, the latest rows first. ``missing``: columns that the
    release has not.
    """
    view = history_view(watched.view.startswith("v$"))
    number = OWN_INSTANCE if view.startswith("v$") else "a.inst_id"
    where, binds = condition_of_watched("a.event", events, number, watched.instances)
    if span.high < inf:
        where, binds = f"{where} and a.time_waited < :high", binds | {"high": int(span.high)}
    names = watched.containers if watched.by_container is not None and "con_id" not in missing else None
    later = ", ".join("null" if name in missing else f"a.{name}" for name in _LATER_COLUMNS)
    statement = (
        f"{SELECT} r.* from (select a.sample_time, {number} as inst, {_COLUMNS}, {later},"
        f" {'c.name' if names else 'null'} as con_name, row_number() over (order by a.sample_time desc) as place"
        f" from {view} a{f' left outer join {names} c on c.con_id = a.con_id' if names else ''}"
        f" where a.session_state = 'WAITING' and {where} and a.time_waited >= :low"
        " and a.sample_time >= :first and a.sample_time <= :last) r where r.place <= :most"
    )
    about = {"low": max(span.low, 1), "first": span.first, "last": span.last, "most": MOST_HISTORY_ROWS}
    return statement, binds | about


def sessions_of_history(rows: Iterable[DriverRow], offset: timedelta) -> list[SessionRow]:
    """The rows of ``history_sample`` as sessions whose wait is over. When that was is not known: at the moment of the
    sample, and half of what can be left of the wait later. ``offset``: how far the clock of the samples is ahead of
    UTC.
    """
    found = []
    for values in rows:
        row = SessionRow(**dict(zip(_SELECTED, values, strict=True)), **_NOT_SELECTED)
        left = timedelta(microseconds=min(int(row.micros or 0), SAMPLED_MICROS) // 2)
        found.append(row._replace(sampled=row.sampled - offset + left))
    return found


class ActiveSessionHistory:
    """Answers from the active session history, over a connection of its own for each question, so that no sample
    waits for it. ``sampled`` are the sessions that were sampled, which answer first, and alone if this cannot.
    ``connect`` raises Trouble.
    """

    are_files = False
    is_sample = True

    def __init__(
        self,
        watched: WaitsWatched,
        connect: Callable[[], Connection],
        sampled: SampledWaits | None,
        tz: tzinfo | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watched, self._connect, self._sampled = watched, connect, sampled
        self._names = NamesOfWaits(watched.texts, watched.here, SLOW_SECONDS, monotonic)
        self._shown = WaitsShown(tz, self._names.noted)
        self._missing: frozenset[str] = frozenset()
        self._ended: Trouble | None = None

    @property
    def name(self) -> str:
        """The view that is asked."""
        return history_view(self._watched.view.startswith("v$")).upper()

    def read(
        self, asked: CellQuestion, stop: StopRequest, on_progress: Callable[[str, int, int], object]
    ) -> Iterator[EventsFound]:
        """What sampled sessions say, and then what the history says. Raises SourceError if there is neither."""
        sampled = None
        if self._sampled is not None and not self._sampled.refusal:
            for sampled in self._sampled.read(asked, stop, on_progress):
                yield sampled._replace(is_complete=False)
        try:
            found = self._answer(asked, stop)
        except Trouble as trouble:
            why = f"{self.name} does not answer: {in_short(trouble)}"
            if sampled is None:
                raise SourceError(why) from None
            yield _with_note(sampled, why)
            return
        if found.total.events or sampled is None or not sampled.total.events:
            yield found
        else:
            yield _with_note(sampled, f"{self.name} has seen none as long")

    def alone(self, _only: Only) -> FilteredInputs:
        """A picture of some waits alone would be one of a sample."""
        raise SourceError(NOT_ALONE)

    def _answer(self, asked: CellQuestion, stop: StopRequest) -> EventsFound:
        """Raises Trouble. After one that does not pass by itself nobody logs in again: more attempts with a password
        that is wrong by now would lock the account.
        """
        if self._ended is not None:
            raise self._ended
        try:
            connection = self._connect()
        except Trouble as trouble:
            self._ended = trouble if is_final(trouble) else None
            raise
        try:
            ((here, utc),) = connection.rows(clocks(), {})
            offset = utc_offset(here, utc)
            rows = self._rows(connection, asked, offset, 0)
            waits = [_wait(row, self._watched) for row in rows]
            found = answer_of(waits, asked, self._shown)
            if (found.seen or 0) < ENOUGH and not stop.is_set:
                rows = self._rows(connection, asked, offset, AROUND)
                waits = [_wait(row, self._watched) for row in rows]
            if not stop.is_set:
                self._names.look_up(connection, _heaviest(rows))
            return answer_of(waits, asked, self._shown, lambda shown: self._about(shown, is_full=_is_full(rows)))
        finally:
            connection.close()

    def _about(self, shown: Sequence[SeenWait], *, is_full: bool) -> Iterator[str]:
        """What there is to say of the waits that are shown."""
        number = sum(max(1.0, SAMPLED_MICROS / wait.micros) for wait in shown)
        waited = sum(wait.stands_for for wait in shown) / 1e6
        so_many = f": these stand for about {count_words(number)} waits and {waiting_words(waited)}" if shown else ""
        yield f"{self.name} looks once a second{so_many}"
        if is_full:
            yield f"the latest {MOST_HISTORY_ROWS:,} rows"

    def _rows(self, connection: Connection, asked: CellQuestion, offset: timedelta, around: int) -> list[SessionRow]:
        """The rows of a cell and of the time ``around`` it."""
        low, high = EventQuestion(low=asked.low, high=asked.high).latencies_in(Unit.US)
        first, last = (EPOCH + timedelta(microseconds=one) + offset for one in _limits(asked, around))
        span = HistorySpanAsked(first, last, low, high)
        wanted = [one for one in self._watched.events if _has_event(asked, one)]
        while True:
            try:
                found = connection.rows(*history_sample(self._watched, span, wanted, self._missing))
                return sessions_of_history(found, offset)
            except Trouble as trouble:
                missing = {name for name in _LATER_COLUMNS if name in str(trouble).lower()} - self._missing
                if NO_COLUMN not in trouble.codes or not missing:
                    raise
                self._missing |= missing


def _limits(asked: CellQuestion, around: int) -> tuple[int, int]:
    """When the rows were sampled, in epoch microseconds; a wait ends in the second after its sample. The driver cuts
    fractions of a second off.
    """
    first, last = asked.first or 0, asked.last or 0
    return max(first - around - 2 * SAMPLED_MICROS, 0), last + around + SAMPLED_MICROS


def _has_event(asked: CellQuestion, event: str) -> bool:
    return any(series.startswith(f"{printable(event)}@") for series in asked.series)


def _wait(row: SessionRow, watched: WaitsWatched) -> SeenWait:
    wait = seen_wait(row, watched.by_container)
    return wait._replace(stands_for=max(wait.micros, SAMPLED_MICROS))


def _heaviest(rows: Sequence[SessionRow]) -> list[SessionRow]:
    """The rows by how often their statement comes, so that those get a name that have most time."""
    counts: dict[str | None, int] = {}
    for row in rows:
        counts[row.sql_id] = counts.get(row.sql_id, 0) + 1
    return sorted(rows, key=lambda row: -counts[row.sql_id])


def _is_full(rows: Sequence[SessionRow]) -> bool:
    return len(rows) >= MOST_HISTORY_ROWS


def _with_note(found: EventsFound, note: str) -> EventsFound:
    return found._replace(note="; ".join(filter(None, [found.note, note])))
