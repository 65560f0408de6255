"""Ranks the events by time waited, from two samples of all events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from ..errors import SourceError
from ..interval import midpoint_time
from ..record import Bound
from ..stream import ranges_of
from ..text.clean import printable
from ..units import Unit, format_latency
from . import queries
from .connection.driver import Connection, DriverRow
from .connection.privileges import grant_statement
from .queries import Views


class BusyEvent(NamedTuple):
    """An event that is not idle. ``waits`` and ``waited`` (in seconds) are the current rates per second; ``total`` is
    the time waited since start-up, in seconds.
    """

    event: str
    wait_class: str
    waits: float
    waited: float
    total: float


class _RankRow(NamedTuple):
    sampled: datetime
    event: str
    wait_class: str
    bound: Bound
    waits: Bound


CountersByEvent = dict[tuple[str, str], dict[Bound, Bound]]


def rank_events(
    connection: Connection,
    views: Views,
    instances: Sequence[int],
    seconds: float,
    sleep: Callable[[float], object],
    user: str,
) -> list[BusyEvent]:
    """All events that have waited and are not idle, sorted by the time waited in the next ``seconds``. Raises
    SourceError if nothing says which events are idle.
    """
    if views.names is None:
        cure = grant_statement(queries.NAMES_VIEW, user)
        raise SourceError(
            f"V$EVENT_NAME, which says what is idle, cannot be read. As SYS run: {cure} Or name the event"
        )
    statement, binds = queries.ranking(views, instances)
    before = connection.rows(statement, binds)
    sleep(seconds)
    return compared(before, connection.rows(statement, binds), views.unit)


def compared(before: Iterable[DriverRow], after: Iterable[DriverRow], unit: Unit) -> list[BusyEvent]:
    """The ranking from the rows of two samples. A counter that fell was restarted and counts from zero."""
    began, old = _counters(before)
    ended, new = _counters(after)
    if began is None or ended is None:
        return []
    seconds = max((ended - began).total_seconds(), 1e-3)
    found = []
    for (event, wait_class), counts in new.items():
        last = old.get((event, wait_class), {})
        grown = {bound: _grown(last.get(bound, 0), count) for bound, count in counts.items()}
        found.append(
            BusyEvent(
                event,
                wait_class,
                float(sum(grown.values())) / seconds,
                _waited(grown, unit) / seconds,
                _waited(counts, unit),
            )
        )
    return sorted(found, key=lambda one: (-one.waited, -one.total, one.event))


def ranking_table(busy: Sequence[BusyEvent]) -> str:
    """The ranking as a text table: the events that wait now, and the number of others."""
    now = [one for one in busy if one.waits]
    width = max([len("event"), *(len(printable(one.event)) for one in now)])
    across = max([len("class"), *(len(printable(one.wait_class)) for one in now)])
    lines = [f"{'event':<{width}}  {'class':<{across}}  {'waits/s':>9}  {'time waited/s':>13}  {'average':>8}"]
    lines += [
        f"{printable(one.event):<{width}}  {printable(one.wait_class):<{across}}  {one.waits:>9.1f}"
        f"  {format_latency(one.waited):>13}  {format_latency(one.waited / one.waits):>8}"
        for one in now
    ]
    others = len(busy) - len(now)
    if others:
        lines.append(f"{others} more waited since start-up, but not now")
    return "\n".join(lines) + "\n"


def _counters(rows: Iterable[DriverRow]) -> tuple[datetime | None, CountersByEvent]:
    sampled, found = None, CountersByEvent()
    for row in map(_RankRow._make, rows):
        sampled = sampled or row.sampled
        found.setdefault((row.event, row.wait_class), {})[row.bound] = row.waits
    return sampled, found


def _grown(before: Bound, now: Bound) -> Bound:
    return now - before if now >= before else now


def _waited(counts: dict[Bound, Bound], unit: Unit) -> float:
    return midpoint_time(ranges_of(counts, upper=True, unit=unit), unit)
