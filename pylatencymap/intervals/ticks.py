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


def filled(events: Iterable[Event]) -> Iterator[Event]:
    """The events, with an empty record for each known series that a print of the source left out.

    It is added when the next print begins: no events in this interval, or unchanged counters.
    """
    known: dict[tuple[str, str], Record] = {}
    missing: dict[tuple[str, str], Record] = {}
    tick: Tick | None = None
    for event in events:
        if isinstance(event, Tick):
            yield from _idle(missing, tick)
            tick, missing = event, {} if event.implied else dict(known)
        elif isinstance(event, Record):
            key = (event.series, event.unit.value)
            known[key] = event
            missing.pop(key, None)
        yield event
    yield from _idle(missing, tick)


def _idle(missing: dict[tuple[str, str], Record], tick: Tick | None) -> Iterator[Record]:
    if tick is None:
        return
    for last in missing.values():
        per_interval = last.semantics is Semantics.INTERVAL
        yield Record(  # written out: of a source with many series most records are these
            series=last.series,
            unit=last.unit,
            ranges=(),
            semantics=last.semantics,
            stamp=tick.stamp,
            start=tick.start if per_interval else last.start,
            seconds=None if per_interval or tick.silent_since is not None else _length(tick),
            waited=0.0 if per_interval and last.waited is not None else last.waited,
            label=last.label,
            source=last.source,
            flags=last.flags,
            arrival=tick.arrival,
            line=tick.line,
        )


def _length(tick: Tick) -> float | None:
    """Seconds that a print counts for."""
    return None if tick.stamp is None or tick.start is None else (tick.stamp.micros - tick.start) / 1e6
