"""Prints of a source that is known to be live."""

from __future__ import annotations

from collections.abc import Iterator

from ....record import Event, Record, Tick
from ....text import PAUSE_SECONDS
from ...nominal import LEAST_EXPECTED, NominalInterval
from ...options import BURST_SECONDS, TimeOptions
from .groups import TOGETHER_FACTOR, PrintGroup

MOST_HELD = 50_000
"""The most events to hold."""
LATE_FACTOR = 1.5
"""A print that comes later than this many usual intervals after the last one can have others behind it."""


class LaterPrints:
    """Prints of a source that is known to be live. A late one is held until it is known what came with it."""

    def __init__(self, options: TimeOptions) -> None:
        self._pauses = options.pauses
        self._usual = NominalInterval()
        self._last = 0.0
        self._late: PrintGroup | None = None

    def follow(self, arrival: float, usual: float) -> None:
        """Note the arrival of the print before the first one, and the usual interval so far; 0 if it is not known."""
        self._last = arrival
        if usual >= BURST_SECONDS:
            self._usual.expect([usual] * LEAST_EXPECTED)

    def hold(self, group: PrintGroup) -> None:
        """Hold prints; nothing is held yet."""
        self._late = group

    def take(self, event: Event) -> Iterator[Event]:
        """The events that are now known: this one, or those held before."""
        if isinstance(event, Tick):
            yield from self._tick(event)
            return
        if self._late is None:
            yield event
            return
        self._late.add(event)
        pausing = self._pauses is not None and self._pauses.pausing
        if len(self._late.events) >= MOST_HELD or (pausing and isinstance(event, Record)):
            yield from self.released()

    def _tick(self, tick: Tick) -> Iterator[Event]:
        arrival = tick.arrival
        if self._late is not None and arrival is not None and arrival - self._late.arrivals[-1] < self._together:
            self._late.add(tick, 0.0 if self._pauses is None else self._pauses.longest_wait(arrival))
            return
        yield from self.released()
        if arrival is None or tick.stamp is not None:
            yield tick
            return
        step, usual = arrival - self._last, self._usual.seconds
        wait = 0.0 if self._pauses is None else self._pauses.longest_wait(arrival)
        if usual is None or step >= LATE_FACTOR * usual or (wait >= BURST_SECONDS and step > usual):
            self.hold(PrintGroup([arrival], [tick], [wait]))
            return
        self._note(step)
        self._last = arrival
        yield tick

    def released(self) -> Iterator[Event]:
        """What is held, with arrivals that share the time since the last print before it."""
        late, self._late = self._late, None
        if late is None:
            return
        step, usual = late.step_since(self._last), self._usual.seconds
        arrivals = None if usual is None else late.evenly(self._last, usual)
        if arrivals is None:
            arrivals = late.placed(step if usual is None or step < LATE_FACTOR * usual else usual)
        else:
            step = (arrivals[-1] - self._last) / len(arrivals)
        self._note(step)
        self._last = arrivals[-1]
        yield from late.moved(arrivals)

    def _note(self, step: float) -> None:
        if step >= BURST_SECONDS:
            self._usual.add(step)

    @property
    def _together(self) -> float:
        """Prints that arrive faster than this belong to one burst."""
        return max(BURST_SECONDS, min(PAUSE_SECONDS, (self._usual.seconds or 0.0) / TOGETHER_FACTOR))
