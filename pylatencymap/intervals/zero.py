"""Totals of a source that counts from zero since we started it: what each print added, the first one as well."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, Record, Semantics, counts_of
from ..units import Unit


def from_zero(events: Iterable[Event]) -> Iterator[Event]:
    """A decoder's events, their records turned from totals into counts per interval.

    The engine takes the first totals of a series for a baseline, for it cannot know since when they count. Here that
    is known: a series that appears late has counted since the print before.
    """
    last: dict[tuple[str, Unit], Record] = {}
    for event in events:
        if isinstance(event, Record):
            key = (event.series, event.unit)
            event, last[key] = _added(event, last.get(key)), event
        yield event


def _added(record: Record, last: Record | None) -> Record:
    before = {} if last is None else counts_of(last.ranges)
    ranges = [(lower, upper, count - before.get((lower, upper), 0)) for lower, upper, count in record.ranges]
    waited = record.waited
    if any(count < 0 for _, _, count in ranges):  # the counters began again
        ranges = list(record.ranges)
    elif waited is not None and last is not None:
        waited = None if last.waited is None or waited < last.waited else waited - last.waited
    kept = tuple(one for one in ranges if one[2])
    return replace(record, ranges=kept, waited=waited, semantics=Semantics.INTERVAL, start=None)
