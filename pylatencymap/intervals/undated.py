"""First prints without a stamp of a source that goes on with stamps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import time, timedelta

from ..record import Clock, Event, Stamp, Tick
from ..text.dates import parse_date
from ..units import DAY
from .options import BURST_SECONDS, DEFAULT_INTERVAL, TimeOptions

MOST_UNDATED = 8
"""First prints of a file that may be without a stamp; where more are, stamps are not what gives the source its time."""


def dated(events: Iterable[Event], options: TimeOptions) -> Iterator[Event]:
    """The events; first prints without a stamp are dated back from the first one that has one, an interval each.

    The interval is the step to the next print; of a live source, which is not looked ahead in, the time between the
    arrivals of its first two prints.
    """
    rest = iter(events)
    held: list[Event] = []
    ticks: list[Tick] = []
    try:
        for event in rest:
            held.append(event)
            if isinstance(event, Tick):
                ticks.append(event)
                if _is_enough(ticks, options.live):
                    break
    except Exception:
        yield from _back(held, ticks, options)
        raise
    yield from _back(held, ticks, options)
    yield from rest


def _is_enough(ticks: list[Tick], live: bool) -> bool:
    """Whether the first prints show all that they will."""
    if ticks[0].stamp is not None or len(ticks) == 1:
        return ticks[0].stamp is not None
    too_many = ticks[-1].stamp is None and len(ticks) > MOST_UNDATED
    return live or too_many or ticks[-2].stamp is not None


def _back(events: list[Event], ticks: list[Tick], options: TimeOptions) -> Iterator[Event]:
    """The first events, their ticks dated back."""
    undated = next((number for number, tick in enumerate(ticks) if tick.stamp is not None), 0)
    stamp = ticks[undated].stamp if ticks else None
    step = round(_step(ticks, undated, options) * 1e6) if undated else 0
    for event in events:
        if undated and stamp is not None and isinstance(event, Tick):
            event = replace(event, stamp=_earlier(stamp, undated * step))
            undated -= 1
        yield event


def _step(ticks: list[Tick], first: int, options: TimeOptions) -> float:
    """Seconds from one print to the next, as far as the first that has a stamp and the one after it tell."""
    usual = options.interval or DEFAULT_INTERVAL
    if options.live:
        before, after = ticks[first - 1].arrival, ticks[first].arrival
        arrived = 0.0 if before is None or after is None else after - before
        return arrived if arrived >= BURST_SECONDS else usual
    stamp, later = ticks[first].stamp, ticks[first + 1].stamp if first + 1 < len(ticks) else None
    if stamp is None or later is None or stamp.clock is not later.clock:
        return usual
    step = later.micros - stamp.micros
    return (step % (DAY * 1_000_000) if stamp.clock is Clock.DAY else step) / 1e6 or usual


def _earlier(stamp: Stamp, micros: int) -> Stamp:
    """A stamp so many microseconds earlier, and so the date beside it. Of a time of day it may be less than 0."""
    printed = parse_date(stamp.text) if stamp.text else None
    text = stamp.text
    if printed is not None and printed.time() != time():
        text = (printed - timedelta(microseconds=micros)).isoformat(" ")
    return replace(stamp, micros=stamp.micros - micros, text=text)
