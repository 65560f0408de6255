"""Places snapshots of a file that have no stamp, although others have, between their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...record import DOUBTFUL, Event, Record, Tick
from .dating import earlier_stamp
from .steps import are_comparable, step_between

MOST_HELD = 50_000
"""The most events to hold; with more, the snapshots pass on without stamps."""
_SECOND = 1_000_000


def between_neighbours(events: Iterable[Event]) -> Iterator[Event]:
    """The ticked events of a file. Snapshots without a stamp get one, evenly spaced from the stamp before them to the
    one after them, and the flag DOUBTFUL on their records. If there is no such pair, they pass on as they are.
    """
    last: Tick | None = None
    held: list[Event] = []
    try:
        for event in events:
            if isinstance(event, Tick) and event.stamp is not None:
                yield from _placed(last, held, event)
                last, held = event, []
                yield event
            elif held or (isinstance(event, Tick) and last is not None):
                held.append(event)
                if len(held) >= MOST_HELD:
                    yield from held
                    last, held = None, []
            else:
                yield event
    except Exception:
        yield from held
        raise
    yield from held


def parted(events: list[Event]) -> tuple[list[Event], list[Event]]:
    """The events of a snapshot behind its tick, and those of the snapshots without a stamp behind it."""
    ends = (place for place, event in enumerate(events) if place and isinstance(event, Tick))
    end = next(ends, len(events))
    return events[1:end], events[end:]


def _placed(last: Tick | None, held: list[Event], following: Tick) -> Iterator[Event]:
    """The held events, with stamps between two ticks."""
    if last is None or not held or not are_comparable(last, following) or step_between(last, following) <= 0:
        yield from held
        return
    left = sum(isinstance(event, Tick) for event in held)
    step, stamp = step_between(last, following) / (left + 1), following.stamp
    assert stamp is not None
    for event in held:
        if isinstance(event, Tick):
            stamp = earlier_stamp(following.stamp or stamp, round(step * left * _SECOND))
            left -= 1
            event = replace(event, stamp=stamp)
        elif isinstance(event, Record):
            event = replace(event, stamp=stamp, flags=event.flags | {DOUBTFUL})
        yield event
