"""When each snapshot was made: by its stamp, else by its arrival if a program prints it now, else counted."""

from __future__ import annotations

from datetime import MAXYEAR, datetime
from typing import NamedTuple

from ...record import Clock, Stamp, Tick
from ...text import parse_date
from ..options import DEFAULT_INTERVAL, TimeOptions
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
        self.counting = options.recorded or not options.live
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
