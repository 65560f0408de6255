"""The steps between the stamps of snapshots, and the first ones of a file, which are known before it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from functools import lru_cache

from ...record import Clock, Event, Tick
from ...text import parse_date
from ...units import MICROS_PER_DAY
from ..holding import Pace, through
from ..nominal import LEAST_EXPECTED, STEPS_REMEMBERED, NominalInterval
from ..options import Pulse, TimeOptions
from ..runs.passing import passed_on
from ..runs.run import RecordRun
from .dating import HALF_DAY

MOST_HELD = 50_000
"""The most events to read ahead."""
_SECOND = 1_000_000
_OF_FILE = TimeOptions()


def read_ahead(
    events: Iterable[Event | Pulse], usual: NominalInterval, options: TimeOptions = _OF_FILE
) -> Iterator[Event | Pulse]:
    """The ticked events of a source. Before the first one, ``usual`` gets the steps of the first snapshots: of a live
    source those that come together, and, if the first one was read late, so many that the usual step is known.

    The first step alone is no measure: one of the first two stamps can be damaged, or a snapshot between them lost.
    """
    return through(events, _First(usual, options), options.pulse)


class _First:
    """Holds the first snapshots until their steps are known."""

    def __init__(self, usual: NominalInterval, options: TimeOptions) -> None:
        self._usual = usual
        self._options = options
        self._pace = Pace()
        self._steps = _FirstSteps()
        self._held: list[Event] | None = []
        self._is_starved = False

    @property
    def waits_until(self) -> float | None:
        if not self._held or not self._options.live:
            return None
        return self._pace.late_at(None) if self._is_starved else self._pace.pauses_at

    def take(self, event: Event) -> Iterable[Event]:
        """The event, or all that were held."""
        return (event,) if self._held is None else self._first(event, self._held)

    def _first(self, event: Event, held: list[Event]) -> Iterator[Event]:
        if isinstance(event, RecordRun):
            yield from passed_on(event, lambda run: (len(run), [run]) if self._held is None else (0, []), self.take)
            return
        held.append(event)
        if isinstance(event, Tick):
            is_next = self._pace.is_begun
            self._pace.note(event.arrival)
            self._is_starved = self._is_starved or self._was_read_late(event, is_next)
            is_alone = self._options.live and (event.arrival is None or (is_next and not self._pace.together))
            is_full = self._steps.are_enough_with(event)
            if self._is_starved and event.arrival is not None and event.stamp is not None:
                is_alone = len(self._steps.found) >= LEAST_EXPECTED
            if is_alone or is_full or len(held) >= MOST_HELD:
                yield from self.rest()
        elif len(held) >= MOST_HELD:
            yield from self.rest()

    def _was_read_late(self, tick: Tick, is_next: bool) -> bool:
        """Whether the first snapshots were read late, so that their arrivals do not judge their stamps."""
        pauses = self._options.pauses
        return pauses is not None and tick.arrival is not None and not is_next and pauses.has_waited(tick.arrival)

    def rest(self) -> Iterator[Event]:
        """All that is held. What comes later passes on."""
        held, self._held = self._held, None
        if held is not None:
            self._usual.expect(self._steps.found)
            yield from held


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
        self._before = 0.0

    def are_enough_with(self, tick: Tick) -> bool:
        """Add a snapshot; returns whether there are as many as a nominal interval is made of."""
        if tick.joins or tick.stamp is None:
            return False
        if self._last is not None and are_comparable(self._last, tick) and tick.silent_since is None:
            self._add(step_between(self._last, tick))
        self._last = tick
        return len(self.found) >= STEPS_REMEMBERED

    def _add(self, step: float) -> None:
        """Add a step. One ahead and one back that nearly cancel out lead to a damaged stamp and away from it: together
        they count as one.
        """
        before, self._before = self._before, step
        if step * before < 0 and abs(step + before) < max(step, before) / 2:
            if self.found and self.found[-1] == before:
                self.found.pop()
            step += before
        if step > 0:
            self.found.append(step)


def are_comparable(first: Tick, second: Tick) -> bool:
    """Whether both snapshots have stamps, of the same clock."""
    return first.stamp is not None and second.stamp is not None and first.stamp.clock is second.stamp.clock


def begins_real_times(first: Tick, second: Tick) -> bool:
    """Whether real times begin with the second snapshot, in a recording whose first series have no real clock: they
    count from 1970, and come before all others.
    """
    clocks = [one.stamp.clock for one in (first, second) if one.stamp is not None]
    return second.kept and clocks == [Clock.COUNTED, Clock.EPOCH]


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
