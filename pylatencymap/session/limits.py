"""When enough was read: ``--count`` and ``--duration``."""

from collections.abc import Iterable, Iterator

from ..record import Event, Record, Semantics, Tick


def limited(events: Iterable[Event], count: int | None, duration: float | None) -> Iterator[Event]:
    """Resolved events of the first ``count`` intervals, or ``duration`` seconds of recorded time; None: all of them.

    A first print of cumulative counters is their baseline and no interval.
    """
    if count is None and duration is None:
        return iter(events)
    return _limited(events, count, duration)


def _limited(events: Iterable[Event], count: int | None, duration: float | None) -> Iterator[Event]:
    prints, begin = 0, 0
    baseline = False
    for event in events:
        if isinstance(event, Tick) and not event.joins and event.stamp is not None and event.start is not None:
            begin = event.start if prints == 0 else begin
            done = prints - baseline
            late = duration is not None and event.stamp.micros - begin > duration * 1e6
            if prints and (late or (count is not None and done >= count)):
                return
            prints += 1
        elif isinstance(event, Record) and prints == 1 and event.semantics is Semantics.CUMULATIVE:
            baseline = True
            begin = event.stamp.micros if event.stamp else begin
        yield event
