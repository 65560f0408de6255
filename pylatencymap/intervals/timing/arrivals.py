"""Arrivals of prints without stamps. Prints that arrive together were not made together: something held them up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ...record import Event, Record, Tick
from ...text import PAUSE_SECONDS
from ..nominal import NominalInterval, low_median
from ..options import BURST_SECONDS, TimeOptions

LONGEST_BURST = 1.0
"""If the first prints follow each other without a pause for this many seconds, and none of them has waited to be read
meanwhile, no more of them are held."""
MOST_HELD = 50_000
"""The most events to hold."""
LONGEST_WAIT = 3.0
"""Seconds that a first print can have waited in the pipe, at most, until this program read it."""
LEAST_WAIT = 0.5
"""A first print that arrives earlier than this after we started to read can have waited."""
TOGETHER_FACTOR = 4
"""Prints that arrive more than this many times as fast as usual came together."""
LATE_FACTOR = 1.5
"""A print that comes later than this many usual intervals after the last one can have others behind it."""


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
    first = _FirstPrints(options)
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


def _live(first: _FirstPrints, rest: Iterator[Event], options: TimeOptions) -> Iterator[Event]:
    """The prints of a program, as they would have arrived without delays."""
    later = _LaterPrints(options)
    yield from first.timed(later)
    try:
        for event in rest:
            yield from later.take(event)
    except Exception:
        yield from later.released()
        raise
    yield from later.released()


class _Group(NamedTuple):
    """Prints that arrived without a pause between them: their arrivals, their events, and which of them can have
    waited in the pipe until they were read.
    """

    arrivals: list[float]
    events: list[Event]
    waited: list[bool]

    def add(self, event: Event, has_waited: bool = False) -> None:
        """Add the tick of one more print, or an event of the last one."""
        self.events.append(event)
        if isinstance(event, Tick) and event.arrival is not None:
            self.arrivals.append(event.arrival)
            self.waited.append(has_waited)

    @property
    def steps(self) -> list[float]:
        """Seconds between the prints."""
        return [later - before for before, later in pairwise(self.arrivals)]

    @property
    def heard_steps(self) -> list[float]:
        """Those of them that end with a print that was waited for: the others say when the prints were read."""
        return [step for step, waited in zip(self.steps, self.waited[1:], strict=True) if not waited]

    @property
    def is_burst(self) -> bool:
        """Whether most prints arrived so close to each other that they were not made when they arrived."""
        steps = self.heard_steps or self.steps
        return 2 * sum(step < BURST_SECONDS for step in steps) > len(steps)

    def came_together(self, step: float) -> bool:
        """Whether the prints followed each other much faster than one every ``step`` seconds."""
        apart = self.arrivals[-1] - self.arrivals[0]
        return self.is_burst or 0 < TOGETHER_FACTOR * apart < step * (len(self.arrivals) - 1)

    def step_since(self, before: float) -> float:
        """Seconds that each print covers if the print before them arrived at ``before``."""
        shared = (self.arrivals[-1] - before) / len(self.arrivals)
        return shared if self.came_together(shared) else self.arrivals[0] - before

    def placed(self, step: float) -> list[float]:
        """The arrivals of prints that are ``step`` seconds apart if they came together; the last one came in time."""
        if not self.came_together(step):
            return self.arrivals
        return [self.arrivals[-1] - step * place for place in reversed(range(len(self.arrivals)))]

    def placed_before(self, following: float | None, step: float) -> list[float]:
        """The arrivals of the first prints, made about ``step`` seconds apart, if they were read as they came, and if
        the print after them arrived at ``following``: one that waited was made that long before the next one.
        """
        together, placed = self.came_together(step), list(self.arrivals)
        last = len(placed) - 1
        for place in reversed(range(len(placed))):
            later = following if place == last else placed[place + 1]
            can_move = together or self.waited[place] if place < last else self.waited[place] and step <= LONGEST_WAIT
            if later is not None and can_move and later - placed[place] < step:
                placed[place] = later - step
        return placed

    def moved(self, arrivals: list[float] | None) -> Iterator[Event]:
        """The events. Their ticks get these arrivals, or lose their own."""
        rest = iter(arrivals or ())
        for event in self.events:
            yield replace(event, arrival=next(rest, None)) if isinstance(event, Tick) else event


class _FirstPrints:
    """The first prints of a live source, which show whether a program prints them now."""

    def __init__(self, options: TimeOptions) -> None:
        self._options = options
        self._groups: list[_Group] = []
        self._heard_since: float | None = None
        self._number = 0
        self._pauses = 0

    @property
    def has_begun(self) -> bool:
        """Whether any print has come."""
        return bool(self._groups)

    @property
    def held(self) -> list[Event]:
        """The events so far."""
        return [event for group in self._groups for event in group.events]

    def take(self, event: Event) -> bool:
        """Hold an event; returns whether enough is known."""
        self._number += 1
        if isinstance(event, Tick) and (not self._groups or self._is_apart(event)):
            self._groups.append(_Group([], [], []))
            self._heard_since = None
        self._groups[-1].add(event, self._can_have_waited(event))
        pauses = self._options.pauses
        # A pause that is still going on counts once the source has shown a whole print.
        goes_on = pauses is not None and pauses.pausing and isinstance(event, Record)
        self._pauses = len(self._groups) - 1 + goes_on
        return self._is_enough()

    def _is_apart(self, tick: Tick) -> bool:
        """Whether the source paused before a print, which was not only read late."""
        last, pauses = self._groups[-1].arrivals[-1], self._options.pauses
        apart = tick.arrival is not None and tick.arrival - last >= PAUSE_SECONDS
        return apart and (pauses is None or (pauses.resumed > last and not pauses.has_waited(tick.arrival or 0.0)))

    def _is_enough(self) -> bool:
        groups, last = self._groups, self._groups[-1].arrivals
        if self._number >= MOST_HELD or last[-1] - (self._heard_since or last[0]) >= LONGEST_BURST:
            return True
        if len(groups) < 2 or (len(groups[0].arrivals) > 1 and self._pauses < 2):
            return False
        return len(groups) > 2 or not self._has_waited or last[0] - groups[0].arrivals[-1] >= LONGEST_WAIT

    @property
    def _has_waited(self) -> bool:
        """Whether the first prints can have been made some time before they were read."""
        return self._groups[0].waited[0]

    def _can_have_waited(self, event: Event) -> bool:
        """Whether an event begins a print that can have been made some time before it was read."""
        arrival, pauses = event.arrival if isinstance(event, Tick) else None, self._options.pauses
        if arrival is None:
            return False
        if pauses is not None and pauses.has_waited(arrival):
            self._heard_since = arrival
            return True
        return arrival - (self._options.started or 0.0) < LEAST_WAIT

    @property
    def are_live(self) -> bool:
        """Whether a program prints now."""
        if not self._groups or not self._groups[0].is_burst:
            return True
        return len(self._groups) > 1 and (self._pauses > 1 or not self._groups[-1].is_burst)

    def without_arrivals(self) -> Iterator[Event]:
        """The events of a file that came through a pipe."""
        for group in self._groups:
            yield from group.moved(None)

    def timed(self, later: _LaterPrints) -> Iterator[Event]:
        """The events with their arrivals. ``later`` takes all but the first group: more can arrive with the last."""
        groups = self._groups
        if not groups:
            return
        steps = [now.step_since(before.arrivals[-1]) for before, now in pairwise(groups)]
        if len(groups) > 2 and groups[-2].came_together(steps[-2]) and len(groups[-1].arrivals) == 1:
            steps[-1] /= len(groups[-2].arrivals)  # as many are likely to follow
        reliable = steps[1:] if self._has_waited else steps
        steps = reliable or steps or groups[0].heard_steps
        usual = low_median(steps) if steps else 0.0
        arrivals = groups[0].placed_before(groups[1].arrivals[0] if reliable else None, usual)
        yield from groups[0].moved(arrivals)
        later.follow(arrivals[-1])
        for group in groups[1:]:
            yield from later.released()
            later.hold(group)
        if self._pauses == len(groups):
            yield from later.released()


class _LaterPrints:
    """Prints of a source that is known to be live. A late one is held until it is known what came with it."""

    def __init__(self, options: TimeOptions) -> None:
        self._pauses = options.pauses
        self._usual = NominalInterval()
        self._last = 0.0
        self._late: _Group | None = None

    def follow(self, arrival: float) -> None:
        """Note the arrival of the print before the first one."""
        self._last = arrival

    def hold(self, group: _Group) -> None:
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
            self._late.add(tick)
            return
        yield from self.released()
        if arrival is None or tick.stamp is not None:
            yield tick
            return
        step, usual = arrival - self._last, self._usual.seconds
        if usual is None or step >= LATE_FACTOR * usual:
            self.hold(_Group([arrival], [tick], [False]))
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
        self._note(step)
        self._last = late.arrivals[-1]
        yield from late.moved(late.placed(step if usual is None or step < LATE_FACTOR * usual else usual))

    def _note(self, step: float) -> None:
        if step >= BURST_SECONDS:
            self._usual.add(step)

    @property
    def _together(self) -> float:
        """Prints that arrive faster than this belong to one burst."""
        return max(BURST_SECONDS, min(PAUSE_SECONDS, (self._usual.seconds or 0.0) / TOGETHER_FACTOR))
