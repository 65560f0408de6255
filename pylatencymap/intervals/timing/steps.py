"""The steps between the stamps of snapshots, and the first ones of a file, which are known before it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from functools import lru_cache

from ...record import Clock, Event, Tick
from ...text import parse_date
from ...units import MICROS_PER_DAY
from ..nominal import STEPS_REMEMBERED, NominalInterval
from .dating import HALF_DAY

MOST_HELD = 50_000
"""The most events to read ahead."""
_SECOND = 1_000_000


def read_ahead(events: Iterable[Event], usual: NominalInterval) -> Iterator[Event]:
    """The ticked events of a file. Before the first one, ``usual`` gets the steps of the first snapshots.

    The first step alone is no measure: one of the first two stamps can be damaged, or a snapshot between them lost.
    """
    rest, held = iter(events), list[Event]()
    steps = _FirstSteps()
    try:
        for event in rest:
            held.append(event)
            if (isinstance(event, Tick) and steps.are_enough_with(event)) or len(held) >= MOST_HELD:
                break
    except Exception:
        usual.expect(steps.found)
        yield from held
        raise
    usual.expect(steps.found)
    yield from held
    yield from rest


def steps_of(ticks: Iterable[Tick]) -> list[float]:
    """The steps from round to round of some snapshots, in seconds, but those that go back or nowhere."""
    steps = _FirstSteps()
    for tick in ticks:
        steps.are_enough_with(tick)
    return steps.found


class _FirstSteps:
    """The steps from round to round, in seconds. Steps back, and from one clock to another, are left out."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self._last: Tick | None = None

    def are_enough_with(self, tick: Tick) -> bool:
        """Add a snapshot; returns whether there are as many as a nominal interval is made of."""
        if tick.joins or tick.stamp is None:
            return False
        if self._last is not None and are_comparable(self._last, tick) and tick.silent_since is None:
            step = step_between(self._last, tick)
            self.found += [step] if step > 0 else []
        self._last = tick
        return len(self.found) >= STEPS_REMEMBERED


def are_comparable(first: Tick, second: Tick) -> bool:
    """Whether both snapshots have stamps, of the same clock."""
    return first.stamp is not None and second.stamp is not None and first.stamp.clock is second.stamp.clock


def step_between(first: Tick, second: Tick) -> float:
    """Seconds between two stamps on the same clock; times of day without dates are at most half a day apart."""
    assert first.stamp is not None
    assert second.stamp is not None
    step = second.stamp.micros - first.stamp.micros
    if second.stamp.clock is Clock.DAY:
        near = (step + HALF_DAY) % MICROS_PER_DAY - HALF_DAY
        step = near + _days_between(first.stamp.text, second.stamp.text, near) * MICROS_PER_DAY
    return step / _SECOND


def _days_between(first: str, second: str, near: int) -> int:
    """How many days two dates, printed with times, are further apart than ``near`` microseconds; 0 without them."""
    dates = [_date_of(text) for text in (first, second) if text]
    if len(dates) < 2 or dates[0] is None or dates[1] is None or (dates[0].tzinfo is None) != (dates[1].tzinfo is None):
        return 0
    apart = (dates[1] - dates[0]) / timedelta(microseconds=1)
    return round((apart - near) / MICROS_PER_DAY)


@lru_cache(maxsize=64)
def _date_of(text: str) -> datetime | None:
    """A printed date that has a time."""
    printed = parse_date(text)
    return printed if printed is not None and printed.time() != time() else None
