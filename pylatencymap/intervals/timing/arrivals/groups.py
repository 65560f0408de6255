"""Prints that arrived one shortly after the other, and when they were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ....record import Event, Tick
from ....text import PAUSE_SECONDS
from ...options import BURST_SECONDS

LONGEST_WAIT = 3.0
"""Seconds that a first print can have waited in the pipe, at most, until this program read it."""
TOGETHER_FACTOR = 4
"""Prints that arrive more than this many times as fast as usual came together."""


class PrintGroup(NamedTuple):
    """Prints that arrived without a pause between them: their arrivals, their events, and how many seconds each of them
    can have waited in the pipe until it was read.
    """

    arrivals: list[float]
    events: list[Event]
    waits: list[float]

    def add(self, event: Event, wait: float = 0.0) -> None:
        """Add the tick of one more print, or an event of the last one."""
        self.events.append(event)
        if isinstance(event, Tick) and event.arrival is not None:
            self.arrivals.append(event.arrival)
            self.waits.append(wait)

    @property
    def waited(self) -> list[bool]:
        """Which prints can have waited."""
        return [wait >= BURST_SECONDS for wait in self.waits]

    def join(self, other: PrintGroup) -> None:
        """Add the prints of another group."""
        self.arrivals.extend(other.arrivals)
        self.events.extend(other.events)
        self.waits.extend(other.waits)

    def prints(self) -> list[PrintGroup]:
        """Each print as a group of its own."""
        found, rest = list[PrintGroup](), iter(zip(self.arrivals, self.waits, strict=True))
        for event in self.events:
            if isinstance(event, Tick):
                arrival, wait = next(rest)
                found.append(PrintGroup([arrival], [], [wait]))
            found[-1].events.append(event)
        return found

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

    def evenly(self, before: float, step: float) -> list[float] | None:
        """The arrivals of prints that were made every ``step`` seconds, and read late: the first one ``step`` seconds
        after the print ``before``; a single one later, if it cannot have waited so long. None if they were not read
        late, or came too early or too late for that.
        """
        waits, count = list(self.waits), len(self.arrivals)
        if count > 1 and self.came_together(step):  # what was held up here need not have been held up in the pipe
            waits = [max(wait, self.arrivals[-1] - before) for wait in waits[:-1]] + [max(waits[-1], step)]
        if max(waits) < BURST_SECONDS:
            return None
        due = [before + step * place for place in range(1, count + 1)]
        late = max(0.0, *(at - wait - one for at, wait, one in zip(self.arrivals, waits, due, strict=True)))
        if count > 1 and late >= BURST_SECONDS:
            return None
        is_early = any(one + late > at + BURST_SECONDS for at, one in zip(self.arrivals, due, strict=True))
        return None if is_early else [min(one + late, at) for at, one in zip(self.arrivals, due, strict=True)]

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


def joined(prints: list[PrintGroup]) -> list[PrintGroup]:
    """Prints in groups of those that arrived together."""
    groups = list[PrintGroup]()
    for one in prints:
        if groups and one.arrivals[0] - groups[-1].arrivals[-1] < PAUSE_SECONDS:
            groups[-1].join(one)
        else:
            groups.append(one)
    return groups


class EvenPace(NamedTuple):
    """First prints, one every ``step`` seconds; that at ``place`` is the first one that was read when it came.
    ``alone``: which of them did not come together with the next one.
    """

    place: int
    step: float
    alone: list[bool]

    def arrivals(self, prints: list[PrintGroup]) -> list[float]:
        """When the prints up to that place were made: a step apart, as far as they can have waited."""
        made = prints[self.place].arrivals[0]
        found = [made]
        for one, is_alone in zip(reversed(prints[: self.place]), reversed(self.alone[: self.place]), strict=True):
            arrival, earliest = one.arrivals[0], one.arrivals[0] - one.waits[0] if is_alone else -inf
            made = min(arrival, max(earliest, made - self.step))
            found.insert(0, made)
        return found
