"""Stamps to moments: when a print ended, as far as its stamp and its arrival tell."""

from typing import NamedTuple

from ..record import Clock, Stamp, Tick
from ..text.dates import parse_date
from .dating import DAY, HALF_DAY, Calendar
from .options import DEFAULT_INTERVAL, TimeOptions


class Moment(NamedTuple):
    """When a print ended: epoch microseconds, whether that is a real clock, and whether it is only a 1 s grid."""

    end: int
    clock: bool = True
    whole: bool = False


class Moments:
    """Finds the moment of each print. Order of trust: full stamp; time of day; arrival (live); counted intervals.

    ``counting`` makes prints without stamps follow each other at the given interval, from epoch 0.
    """

    def __init__(self, options: TimeOptions) -> None:
        self.counting = not options.live
        self._options = options
        self._calendar = Calendar(options)
        self._anchor: int | None = None
        self._last_raw = 0
        self._days = 0
        self._counted = 0
        self._wall_offset: float | None = None

    def place(self, tick: Tick) -> Moment:
        """The moment of one print; call once per print, in order."""
        stamp = tick.stamp
        if stamp is None:
            return self._unstamped(tick.arrival)
        if stamp.clock is Clock.EPOCH:
            return Moment(stamp.micros, whole=stamp.whole)
        if stamp.clock is Clock.COUNTED:
            return Moment(stamp.micros, clock=False)
        anchored = self._anchored(stamp)
        if anchored is not None:
            return Moment(anchored, whole=stamp.whole)
        if stamp.clock is Clock.FREE:
            return Moment(stamp.micros, clock=False, whole=stamp.whole)
        return Moment(self._calendar.place(stamp.micros), whole=stamp.whole)

    def _unstamped(self, arrival: float | None) -> Moment:
        if arrival is None or self.counting:
            self._counted += round((self._options.interval or DEFAULT_INTERVAL) * 1e6)
            return Moment(self._counted, clock=False)
        if self._wall_offset is None:
            self._wall_offset = self._options.now() - arrival
        return Moment(round((self._wall_offset + arrival) * 1e6))

    def _anchored(self, stamp: Stamp) -> int | None:
        """A clock with an unknown zero or without dates, set by the date that is printed beside the first stamp."""
        if self._anchor is None:
            printed = parse_date(stamp.text) if stamp.text and self._options.day is None else None
            if printed is None:
                return None
            if printed.tzinfo is None and self._options.tz is not None:
                printed = printed.replace(tzinfo=self._options.tz)
            self._anchor = round(printed.timestamp() * 1e6) - stamp.micros
            self._last_raw = stamp.micros
        if stamp.clock is Clock.DAY and self._last_raw - stamp.micros > HALF_DAY:
            self._days += 1
        self._last_raw = stamp.micros
        return self._anchor + stamp.micros + self._days * DAY
