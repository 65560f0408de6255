"""Arrivals of prints without stamps. Prints that arrive together were not made together: something held them up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....record import Event, Tick
from ...options import TimeOptions
from .first_prints import FirstPrints
from .later_prints import LaterPrints


def time_by_arrival(events: Iterable[Event], options: TimeOptions) -> Iterator[Event]:
    """The events. Ticks of a live source without stamps get the arrival that they would have had without delays.

    The first print is held until the second one arrives. If they arrive together, it is not known yet whether a program
    printed them or whether a whole file came through the pipe. It is a program if the source pauses and prints
    again, and then either a single print or, after another pause, more. The prints that arrived together are then one
    interval apart, and the last of them has its own arrival. If it is a file, its ticks lose their arrivals, so that
    they are counted. While this program starts, or is kept from reading, the prints of a program wait in the pipe as
    the text of a file does. Such prints decide nothing: they are held until others come that were waited for, and are
    placed before those. Later, a print that is late is held until the source pauses again or the next print comes, and
    the prints that arrived with it share the time since the last one.
    """
    return _by_arrival(iter(events), options) if options.live else iter(events)


def _by_arrival(rest: Iterator[Event], options: TimeOptions) -> Iterator[Event]:
    first = FirstPrints(options)
    stamped: Tick | None = None
    try:
        for event in rest:
            if isinstance(event, Tick) and (event.stamp is not None or event.arrival is None):
                stamped = event
                break
            if not first.has_begun and not isinstance(event, Tick):
                yield event
            elif first.take(event):
                break
    except Exception:
        yield from first.held
        raise
    if stamped is not None:  # stamps need no arrivals, and a tick without an arrival spoils all
        yield from (*first.held, stamped)
        yield from rest
    elif first.are_live:
        yield from _live(first, rest, options)
    else:
        yield from first.without_arrivals()
        yield from rest


def _live(first: FirstPrints, rest: Iterator[Event], options: TimeOptions) -> Iterator[Event]:
    """The prints of a program, as they would have arrived without delays."""
    later = LaterPrints(options)
    yield from first.timed(later)
    try:
        for event in rest:
            yield from later.take(event)
    except Exception:
        yield from later.released()
        raise
    yield from later.released()
