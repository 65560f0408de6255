"""When enough was read: ``--count`` and ``--duration``."""

from collections.abc import Iterable, Iterator

from ..record import Event, Record, Semantics, Tick


def limited(
    events: Iterable[Event], count: int | None, duration: float | None, merged: float | None = None
) -> Iterator[Event]:
    """Resolved events of the first ``count`` intervals, or ``duration`` seconds of recorded time; None: all of them.

    A first print of cumulative counters is their baseline and no interval. Prints that will be ``merged`` into one
    interval of so many seconds (see ``intervals.merge``) count as one.
    """
    if count is None and duration is None:
        return iter(events)
    return _limited(events, count, duration, round((merged or 0.0) * 1e6))


def _limited(events: Iterable[Event], count: int | None, duration: float | None, width: int) -> Iterator[Event]:
    prints, done, begin = 0, 0, 0
    slot: int | None = None
    for event in events:
        if isinstance(event, Tick) and not event.joins and event.stamp is not None and event.start is not None:
            begin = event.start if prints == 0 else begin
            middle = (event.start + event.stamp.micros) // 2  # of the interval: stamps may be late by a little
            late = duration is not None and middle - begin > duration * 1e6
            last, slot = slot, -(-event.stamp.micros // width) if width else None
            begins = last is None or slot != last
            if prints and (late or (begins and count is not None and done >= count)):
                return
            prints += 1
            done += begins
        elif isinstance(event, Record) and prints == 1 and event.semantics is Semantics.CUMULATIVE:
            done, slot = 0, None
            begin = event.stamp.micros if event.stamp else begin
        yield event
