"""The first prints of a live source, which show whether a program prints them now, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ....record import Event, Record, Tick
from ....text import PAUSE_SECONDS
from ...nominal import low_median
from ...options import BURST_SECONDS, TimeOptions
from .groups import LONGEST_WAIT, EvenPace, PrintGroup, joined
from .later_prints import MOST_HELD, LaterPrints

LONGEST_BURST = 1.0
"""If the first prints follow each other without a pause for this many seconds, and none of them has waited to be read
meanwhile, no more of them are held."""
LEAST_WAIT = 0.5
"""A first print that arrives earlier than this after we started to read can have waited."""
MOST_UNEVEN = 12
"""If so many first prints do not show how often the source prints, no more of them are held."""


class FirstPrints:
    """The first prints of a live source, which show whether a program prints them now."""

    def __init__(self, options: TimeOptions) -> None:
        self._options = options
        self._groups: list[PrintGroup] = []
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
            self._groups.append(PrintGroup([], [], []))
            self._heard_since = None
        self._groups[-1].add(event, self._longest_wait(event))
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
        if sum(len(group.arrivals) for group in groups) < MOST_UNEVEN and self._is_late and self._pace is None:
            return False
        return len(groups) > 2 or not self._has_waited or last[0] - groups[0].arrivals[-1] >= LONGEST_WAIT

    @property
    def _has_waited(self) -> bool:
        """Whether the first prints can have been made some time before they were read."""
        return self._groups[0].waited[0]

    def _longest_wait(self, event: Event) -> float:
        """For how many seconds a print that begins with this event can have waited until it was read."""
        arrival, pauses = event.arrival if isinstance(event, Tick) else None, self._options.pauses
        if arrival is None:
            return 0.0
        wait = 0.0 if pauses is None else pauses.longest_wait(arrival)
        if wait >= BURST_SECONDS:
            self._heard_since = arrival
            return wait
        return LONGEST_WAIT if arrival - (self._options.started or 0.0) < LEAST_WAIT else wait

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

    def timed(self, later: LaterPrints) -> Iterator[Event]:
        """The events with their arrivals. ``later`` takes all but the first group: more can arrive with the last."""
        if not self._groups:
            return
        if self._is_late and (pace := self._pace) is not None:
            prints = [one for group in self._groups for one in group.prints()]
            arrivals = pace.arrivals(prints)
            for one, arrival in zip(prints, arrivals, strict=False):
                yield from one.moved([arrival])
            later.follow(arrivals[-1], pace.step)
            yield from self._followed(joined(prints[len(arrivals) :]), later)
            return
        groups = self._groups
        steps = [now.step_since(before.arrivals[-1]) for before, now in pairwise(groups)]
        if len(groups) > 2 and groups[-2].came_together(steps[-2]) and len(groups[-1].arrivals) == 1:
            steps[-1] /= len(groups[-2].arrivals)  # as many are likely to follow
        reliable = steps[1:] if self._has_waited else steps
        steps = reliable or steps or groups[0].heard_steps
        usual = low_median(steps) if steps else 0.0
        arrivals = groups[0].placed_before(groups[1].arrivals[0] if reliable else None, usual)
        yield from groups[0].moved(arrivals)
        later.follow(arrivals[-1], usual)
        yield from self._followed(groups[1:], later)

    def _followed(self, groups: list[PrintGroup], later: LaterPrints) -> Iterator[Event]:
        """``later`` takes these groups."""
        for group in groups:
            yield from later.released()
            later.hold(group)
        if self._pauses == len(self._groups):
            yield from later.released()

    @property
    def _is_whole(self) -> bool:
        """Whether no more prints are likely to come together with the last one."""
        if self._pauses == len(self._groups):
            return True
        return len(self._groups) < 2 or len(self._groups[-1].arrivals) >= len(self._groups[-2].arrivals)

    @property
    def _is_late(self) -> bool:
        """Whether any print can have been read late."""
        return any(any(group.waited) for group in self._groups)

    @property
    def _pace(self) -> EvenPace | None:
        """How often the source prints, as soon as two prints were read when they came: neither late nor together with
        the next one.
        """
        arrivals = [at for group in self._groups for at in group.arrivals]
        waited = [late for group in self._groups for late in group.waited]
        ends = arrivals[-1] + (PAUSE_SECONDS if self._is_whole else 0.0)
        alone = [now - before >= PAUSE_SECONDS for before, now in pairwise([*arrivals, ends])]
        exact = [place for place, late in enumerate(waited) if alone[place] and not late]
        steps = [(arrivals[now] - arrivals[before]) / (now - before) for before, now in pairwise(exact)]
        return EvenPace(exact[0], low_median(steps), alone) if steps else None
