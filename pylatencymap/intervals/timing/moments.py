"""When each snapshot was made: by its stamp, else by its arrival if a program prints it now, else counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import MAXYEAR, datetime
from itertools import pairwise
from typing import NamedTuple

from ...record import Clock, Event, Record, Stamp, Tick
from ...text import PAUSE_SECONDS, parse_date
from ..nominal import NominalInterval, low_median
from ..options import BURST_SECONDS, DEFAULT_INTERVAL, TimeOptions
from .dating import Calendar

# Stamps to moments: when a snapshot ended, judged by its stamp and its arrival.


EPOCH_YEAR = 1970


class Moment(NamedTuple):
    """When a snapshot ended, in epoch microseconds.

    ``clock``: on a real clock. ``whole``: in whole seconds only. ``heard``: the time of arrival. ``counted``: intervals
    counted by us, because there is no stamp. Counted moments have another zero than the others.
    """

    end: int
    clock: bool = True
    whole: bool = False
    heard: bool = False
    counted: bool = False


class MomentFinder:
    """Finds the moment of each snapshot. Order of trust: full stamp; time of day; arrival (live); counted intervals.

    ``counting`` places snapshots without stamps one interval apart, from epoch 0. If they turn out to be live after
    all, they are placed as they arrive, on the same axis.
    """

    def __init__(self, options: TimeOptions) -> None:
        self.counting = not options.live
        self._options = options
        self._calendar = Calendar(options)
        self._anchor: int | None = None
        self._pace = _CountedIntervals(round((options.interval or DEFAULT_INTERVAL) * 1e6))
        self._wall_offset: float | None = None

    def place(self, tick: Tick) -> Moment:
        """The moment of one snapshot; call once per snapshot, in order."""
        stamp = tick.stamp
        if stamp is None:
            return self._unstamped(tick.arrival)
        if stamp.clock is Clock.EPOCH:
            return Moment(stamp.micros, whole=stamp.whole)
        if stamp.clock is Clock.COUNTED:
            return Moment(stamp.micros, clock=False)
        if stamp.clock is Clock.DAY:
            return Moment(self._calendar.place(stamp.micros, self._printed(stamp)), whole=stamp.whole)
        return self._anchored(stamp)

    def _unstamped(self, arrival: float | None) -> Moment:
        if arrival is None or self.counting:
            return Moment(self._pace.next(arrival if self._options.live else None), clock=False, counted=True)
        if self._wall_offset is None:
            self._wall_offset = self._options.wall_offset()
        return Moment(round((self._wall_offset + arrival) * 1e6), heard=True)

    def _anchored(self, stamp: Stamp) -> Moment:
        """The moment on a clock with an unknown zero, which the first date printed next to a stamp sets."""
        if self._anchor is None:
            printed = self._printed(stamp)
            if printed is None:
                return Moment(stamp.micros, clock=False, whole=stamp.whole)
            self._anchor = round(printed.timestamp() * 1e6) - stamp.micros
        return Moment(self._anchor + stamp.micros, whole=stamp.whole)

    def _printed(self, stamp: Stamp) -> datetime | None:
        """The date printed next to a stamp, unless ``--date`` overrules it."""
        if not stamp.text or self._options.day is not None:
            return None
        printed = parse_date(stamp.text)
        if printed is None or not EPOCH_YEAR < printed.year < MAXYEAR:
            return None
        return printed.replace(tzinfo=self._options.tz) if printed.tzinfo is None else printed


class _CountedIntervals:
    """Counts intervals, in microseconds, and never falls behind the arrivals of a live source.

    Buffered output arrives in bursts, during which the count can be ahead of the arrivals. After two snapshots in a row
    that took at least half an interval, nothing is buffered any more, and the count follows the arrivals.
    """

    def __init__(self, interval: int) -> None:
        self._interval = interval
        self._count = 0
        self._ahead = 0
        self._last: float | None = None
        self._timely = False

    def next(self, arrival: float | None) -> int:
        """The end of the next snapshot, which came at ``arrival`` (monotonic seconds; None: not known)."""
        arrived = 0 if arrival is None or self._last is None else round((arrival - self._last) * 1e6)
        timely = arrived >= self._interval / 2
        if timely and self._timely:
            self._ahead = 0
            self._count += arrived
        else:
            step = max(self._interval, arrived - self._ahead)
            self._ahead += step - arrived if self._count else 0
            self._count += step
        self._last, self._timely = arrival, timely
        return self._count


# Arrivals of prints without stamps. Prints that arrive together were not made together: something held them up.


LONGEST_BURST = 1.0
"""If the first prints follow each other without a pause for this many seconds, no more of them are held."""
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
    they are counted. Later, a print that is late is held until the source pauses again or the next print comes, and
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
    """Prints that arrived without a pause between them: their arrivals, and their events."""

    arrivals: list[float]
    events: list[Event]

    def add(self, event: Event) -> None:
        """Add the tick of one more print, or an event of the last one."""
        self.events.append(event)
        if isinstance(event, Tick) and event.arrival is not None:
            self.arrivals.append(event.arrival)

    @property
    def steps(self) -> list[float]:
        """Seconds between the prints."""
        return [later - before for before, later in pairwise(self.arrivals)]

    @property
    def is_burst(self) -> bool:
        """Whether most prints arrived so close to each other that they were not made when they arrived."""
        steps = self.steps
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
            self._groups.append(_Group([], []))
        self._groups[-1].add(event)
        pauses = self._options.pauses
        # A pause that is still going on counts once the source has shown a whole print.
        goes_on = pauses is not None and pauses.pausing and isinstance(event, Record)
        self._pauses = len(self._groups) - 1 + goes_on
        return self._is_enough()

    def _is_apart(self, tick: Tick) -> bool:
        """Whether the source paused before a print, and was not only read late."""
        last, pauses = self._groups[-1].arrivals[-1], self._options.pauses
        apart = tick.arrival is not None and tick.arrival - last >= PAUSE_SECONDS
        return apart and (pauses is None or pauses.resumed > last)

    def _is_enough(self) -> bool:
        groups, last = self._groups, self._groups[-1].arrivals
        if self._number >= MOST_HELD or last[-1] - last[0] >= LONGEST_BURST:
            return True
        if len(groups) < 2 or (len(groups[0].arrivals) > 1 and self._pauses < 2):
            return False
        return len(groups) > 2 or not self._has_waited or last[0] - groups[0].arrivals[-1] >= LONGEST_WAIT

    @property
    def _has_waited(self) -> bool:
        """Whether the first prints can have been made some time before they were read."""
        first, pauses = self._groups[0].arrivals[0], self._options.pauses
        was_there = pauses is not None and pauses.has_waited(first)
        return was_there or first - (self._options.started or 0.0) < LEAST_WAIT

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
        usual = low_median(reliable or steps) if steps else 0.0
        arrivals = groups[0].placed(usual)
        if reliable and self._has_waited and steps[0] < usual <= LONGEST_WAIT:
            arrivals = [arrival - (usual - steps[0]) for arrival in arrivals]
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
            self.hold(_Group([arrival], [tick]))
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
