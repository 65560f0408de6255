"""Ranks the events by time waited, from two samples of all events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from ..errors import SourceError
from ..record import Bound
from ..text.clean import printable
from ..units import Unit, format_latency
from . import queries
from .connection.driver import Connection, DriverRow, Trouble
from .connection.privileges import grant_statement
from .connection.troubles import NO_COLUMN, is_missing_view
from .queries import Views
from .records import CountsByBound, estimated_seconds


class BusyEvent(NamedTuple):
    """An event that is not idle. ``waits`` and ``waited`` (in seconds) are the current rates per second; ``total`` is
    the time waited since start-up, in seconds. ``foreground`` is the part of ``waited`` that foreground sessions
    waited; None if only the histogram is known, from which ``waited`` is estimated.
    """

    event: str
    wait_class: str
    waits: float
    waited: float
    total: float
    foreground: float | None = None


class _RankRow(NamedTuple):
    sampled: datetime
    event: str
    wait_class: str
    bound: Bound
    waits: Bound


class _SumRow(NamedTuple):
    sampled: datetime
    event: str
    wait_class: str
    waits: Bound
    micros: Bound
    foreground: Bound | None


CountersByEvent = dict[tuple[str, str], CountsByBound]


def rank_events(
    connection: Connection,
    views: Views,
    instances: Sequence[int],
    seconds: float,
    sleep: Callable[[float], object],
    user: str,
    containers: Sequence[str] = (),
) -> list[BusyEvent]:
    """All events that have waited and are not idle, sorted by the time waited in the next ``seconds``: by exact times
    if ``views.sums`` can be read. Raises SourceError if nothing says which events are idle.
    """
    if views.names is None:
        cure = grant_statement(queries.NAMES_VIEW, user)
        raise SourceError(
            f"V$EVENT_NAME, which says what is idle, cannot be read. As SYS run: {cure} Or name the event"
        )
    if views.sums is not None:
        statement = queries.exact_ranking(views, instances, containers)
        try:
            return _two_samples(connection, statement, seconds, sleep, exactly)
        except Trouble as trouble:
            if not is_missing_view(trouble) and NO_COLUMN not in trouble.codes:
                raise
    statement = queries.ranking(views, instances, containers)
    return _two_samples(connection, statement, seconds, sleep, lambda old, new: compared(old, new, views.unit))


def _two_samples(
    connection: Connection,
    statement: tuple[str, dict[str, object]],
    seconds: float,
    sleep: Callable[[float], object],
    ranked: Callable[[list[DriverRow], list[DriverRow]], list[BusyEvent]],
) -> list[BusyEvent]:
    before = connection.rows(*statement)
    sleep(seconds)
    return ranked(before, connection.rows(*statement))


def exactly(before: Iterable[DriverRow], after: Iterable[DriverRow]) -> list[BusyEvent]:
    """The ranking by the sums of two samples. A sum that fell was begun again and counts from zero."""
    old, new = list(map(_SumRow._make, before)), list(map(_SumRow._make, after))
    if not old or not new:
        return []
    seconds = max((new[0].sampled - old[0].sampled).total_seconds(), 1e-3)
    last = {row.event: row for row in old}
    found = []
    for row in new:
        was = last.get(row.event, row._replace(waits=0, micros=0, foreground=0))
        if row.waits < was.waits or row.micros < was.micros:
            was = row._replace(waits=0, micros=0, foreground=0)
        waited = float(row.micros - was.micros) / 1e6
        own = float((row.foreground or 0) - (was.foreground or 0)) / 1e6
        found.append(
            BusyEvent(
                row.event,
                row.wait_class,
                float(row.waits - was.waits) / seconds,
                waited / seconds,
                float(row.micros) / 1e6,
                min(max(own, 0.0), waited) / seconds,
            )
        )
    return _sorted(found)


def _sorted(found: Iterable[BusyEvent]) -> list[BusyEvent]:
    return sorted(found, key=lambda one: (-one.waited, -one.total, one.event))


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
                estimated_seconds(grown, unit) / seconds,
                estimated_seconds(counts, unit),
            )
        )
    return _sorted(found)


def ranking_table(busy: Sequence[BusyEvent]) -> str:
    """The ranking as a text table: the events that wait now, and the number of others."""
    now = [one for one in busy if one.waits]
    width = max([len("event"), *(len(printable(one.event)) for one in now)])
    across = max([len("class"), *(len(printable(one.wait_class)) for one in now)])
    last = "foreground" if any(one.foreground is not None for one in now) else "(estimated)"
    lines = [f"{'event':<{width}}  {'class':<{across}}  {'waits/s':>9}  {'time waited/s':>13}  {'average':>8}  {last}"]
    lines += [
        f"{printable(one.event):<{width}}  {printable(one.wait_class):<{across}}  {one.waits:>9.1f}"
        f"  {format_latency(one.waited):>13}  {format_latency(one.waited / one.waits):>8}{_share(one)}"
        for one in now
    ]
    others = len(busy) - len(now)
    if others:
        lines.append(f"{others} more waited since start-up, but not now")
    return "\n".join(lines) + "\n"


def _share(one: BusyEvent) -> str:
    """The part of the time that foreground sessions waited."""
    if one.foreground is None or not one.waited:
        return ""
    return f"  {100 * one.foreground / one.waited:>8.0f} %"


def _counters(rows: Iterable[DriverRow]) -> tuple[datetime | None, CountersByEvent]:
    sampled, found = None, CountersByEvent()
    for row in map(_RankRow._make, rows):
        sampled = sampled or row.sampled
        found.setdefault((row.event, row.wait_class), {})[row.bound] = row.waits
    return sampled, found


def _grown(before: Bound, now: Bound) -> Bound:
    return now - before if now >= before else now
