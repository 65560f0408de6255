"""Prints of a source: every record behind the tick that it belongs to."""

from collections.abc import Iterable, Iterator

from ..record import KEPT, Event, Record, Semantics, Tick


def ticked(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with a tick (``implied``) put before each print that the source did not head itself.

    Records with one stamp are one print; without stamps a print ends where a series comes again. Where series have
    stamps of their own, a round of prints ends where a series comes again.
    """
    tick: Tick | None = None
    members: set[tuple[str, str]] = set()
    for event in events:
        if isinstance(event, Tick):
            tick, members = event, set()
        elif isinstance(event, Record):
            key = (event.series, event.unit.value)
            if tick is None or _is_elsewhere(event, tick, key in members):
                joins = tick is not None and tick.implied and key not in members
                tick, members = _tick_of(event, joins), members if joins else set()
                yield tick
            members.add(key)
        yield event


def _is_elsewhere(record: Record, tick: Tick, seen: bool) -> bool:
    if record.stamp is None:
        return tick.implied and seen
    return record.stamp != tick.stamp


def _tick_of(record: Record, joins: bool) -> Tick:
    start = record.start if record.semantics is Semantics.INTERVAL else None
    kept = start is not None and KEPT in record.flags
    return Tick(record.stamp, record.arrival, record.line, start=start, implied=True, joins=joins, kept=kept)
