"""Places snapshots of a file that have no stamp, although others have, between their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...record import DOUBTFUL, Event, Record, Semantics, Tick
from ..runs.run import RecordRun
from .dating import earlier_stamp
from .steps import are_comparable, step_between

MOST_HELD = 50_000
"""The most events to hold; with more, the snapshots pass on without stamps."""
_SECOND = 1_000_000


class Snapshot:
    """A tick, and the events up to the next one."""

    def __init__(self, tick: Tick) -> None:
        self.tick = tick
        self.events: list[Event] = [tick]

    @property
    def micros(self) -> int | None:
        """The stamp, if there is one."""
        return None if self.tick.stamp is None else self.tick.stamp.micros


def between_neighbours(events: Iterable[Event]) -> Iterator[Event]:
    """The ticked events of a file. Snapshots without a stamp get one, evenly spaced from the stamp before them to the
    one after them, and the flag DOUBTFUL on their records. If there is no such pair, they pass on as they are.
    """
    last: Tick | None = None
    held: list[Event] = []
    try:
        for event in events:
            if isinstance(event, RecordRun):
                yield from _placed(last, held, event.first_tick)
                last, held = event.tick(-1), []
                yield event
            elif isinstance(event, Tick) and event.stamp is not None:
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


def is_needed(event: Event) -> bool:
    """Whether an event of a damaged snapshot is lost if it is dropped: totals are in the next snapshot, too."""
    return not isinstance(event, Record) or event.semantics is not Semantics.CUMULATIVE


def knows_its_start(event: Event) -> bool:
    """Whether an event is a record per interval that says when it began."""
    return isinstance(event, Record) and event.semantics is Semantics.INTERVAL and event.start is not None
