"""One clock that never goes back: where each print begins and ends, and how many seconds it counts for."""

from __future__ import annotations

from dataclasses import replace
from datetime import MAXYEAR, datetime
from typing import NamedTuple

from ..record import Clock, Stamp, Tick
from ..report import Report
from ..text import parse_date
from .dating import Calendar
from .nominal import GAP_FACTOR, NominalInterval
from .options import BURST_SECONDS, DEFAULT_INTERVAL, TimeOptions

# Stamps to moments: when a print ended, as far as its stamp and its arrival tell.


EPOCH_YEAR = 1970


class Moment(NamedTuple):
    """When a print ended, in epoch microseconds.

    ``clock``: that is a real clock. ``whole``: it is only a 1 s grid. ``heard``: it is the time of arrival.
    ``counted``: by us, for want of a stamp. Moments that are counted and others have no zero in common.
    """

    end: int
    clock: bool = True
    whole: bool = False
    heard: bool = False
    counted: bool = False


class MomentFinder:
    """Finds the moment of each print. Order of trust: full stamp; time of day; arrival (live); counted intervals.

    ``counting`` makes prints without stamps follow each other at the given interval, from epoch 0. Where they turn out
    to be live after all, they follow each other as they arrive, on the same axis.
    """

    def __init__(self, options: TimeOptions) -> None:
        self.counting = not options.live
        self._options = options
        self._calendar = Calendar(options)
        self._anchor: int | None = None
        self._pace = _CountedIntervals(round((options.interval or DEFAULT_INTERVAL) * 1e6))
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
        if stamp.clock is Clock.DAY:
            return Moment(self._calendar.place(stamp.micros, self._printed(stamp)), whole=stamp.whole)
        return self._anchored(stamp)

    def _unstamped(self, arrival: float | None) -> Moment:
        if arrival is None or self.counting:
            return Moment(self._pace.next(arrival if self._options.live else None), clock=False, counted=True)
        if self._wall_offset is None:
            self._wall_offset = self._options.now() - arrival
        return Moment(round((self._wall_offset + arrival) * 1e6), heard=True)

    def _anchored(self, stamp: Stamp) -> Moment:
        """A clock with an unknown zero, set by the first date that is printed beside a stamp."""
        if self._anchor is None:
            printed = self._printed(stamp)
            if printed is None:
                return Moment(stamp.micros, clock=False, whole=stamp.whole)
            self._anchor = round(printed.timestamp() * 1e6) - stamp.micros
        return Moment(self._anchor + stamp.micros, whole=stamp.whole)

    def _printed(self, stamp: Stamp) -> datetime | None:
        """The date beside a stamp, unless ``--date`` overrules it."""
        if not stamp.text or self._options.day is not None:
            return None
        printed = parse_date(stamp.text)
        if printed is None or not EPOCH_YEAR < printed.year < MAXYEAR:
            return None
        return printed.replace(tzinfo=self._options.tz) if printed.tzinfo is None else printed


class _CountedIntervals:
    """Counts intervals, in microseconds, and never falls behind the arrivals of a live source.

    What was buffered arrives in bursts: while it does, the count may be ahead of the arrivals. After two prints in a
    row that took their time nothing is buffered any more, and the count follows the arrivals.
    """

    def __init__(self, interval: int) -> None:
        self._interval = interval
        self._count = 0
        self._ahead = 0
        self._last: float | None = None
        self._timely = False

    def next(self, arrival: float | None) -> int:
        """The end of the next print, which arrived then (monotonic seconds; None: not known)."""
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


GRID_SECONDS = 1.1
"""How far an arrival may be from a stamp in whole seconds and still belong to it."""
FAST_SECONDS = 0.8
"""Prints that come faster than this do so more than once in many of the seconds that stamps in whole seconds tell."""
LEAST_DUMP_SECONDS = 0.5
"""A lone print that arrives sooner after our start was not measured since then."""

_SECOND = 1_000_000


class SourceClock:
    """Gives raw ticks their stamp (Clock.EPOCH, or COUNTED), ``start`` and ``silent_since``."""

    def __init__(self, options: TimeOptions, report: Report) -> None:
        self._options = options
        self._report = report
        self._moments = MomentFinder(options)
        self._nominal = NominalInterval()
        self._ahead: Moment | None = None
        self._last: Tick | None = None
        self._end = 0
        self._shift = 0
        self._axis = (True, False)
        self._carried: int | None = None

    def first(self, tick: Tick, second: Tick | None = None) -> Tick:
        """The first print, as long as the step to the second one; alone, as long as the interval."""
        if second is not None:
            arrived = _arrived(tick, second)  # without it there is nothing to go by either
            self._moments.counting |= arrived is None or arrived < BURST_SECONDS
        moment = self._begun(tick)
        seconds = self._options.interval or DEFAULT_INTERVAL
        if second is not None:
            self._ahead = self._moments.place(second)
            step = (self._ahead.end - moment.end) / 1e6
            arrived = self._arrived_since(tick, second, step)
            if not second.joins:
                usual = _first_usual(step, arrived)
                seconds = self._by_arrival(self._ahead, step, arrived, usual) or step
        return self._opened(tick, moment, moment.end, seconds)

    def lone(self, tick: Tick) -> Tick:
        """The only print of a source that has ended: of a live one, all that happened since we started it."""
        started, arrival = self._options.started, tick.arrival
        if started is None or arrival is None or arrival - started < LEAST_DUMP_SECONDS:
            self._moments.counting = True
            return self.first(tick)
        moment = self._begun(tick)
        return self._opened(tick, moment, moment.end, arrival - started)

    def _begun(self, tick: Tick) -> Moment:
        """The moment of the first print, which decides on the axis."""
        moment = self._moments.place(tick)
        self._axis = moment.clock, moment.counted
        return moment

    def next(self, tick: Tick) -> Tick:
        """Every later print."""
        moment, self._ahead = self._ahead or self._moments.place(tick), None
        moment = self._on_axis(moment)
        step = (moment.end + self._shift - self._end) / 1e6
        if tick.kept and step > 0:
            return self._opened(tick, moment, moment.end + self._shift, step)
        arrived = self._arrived_since(self._last, tick, step)
        usual = self._nominal.seconds or _first_usual(step, arrived)
        if moment.whole and step <= 0 and BURST_SECONDS <= arrived < FAST_SECONDS:
            usual = min(usual, arrived)  # it did print twice in a second, so that its interval is not longer
        better = self._by_arrival(moment, step, arrived, usual)
        seconds = better or step
        silent_since = self._end if seconds > GAP_FACTOR * usual else None
        end = self._moved(tick, moment, step, seconds, arrives=better is not None)
        self._nominal.add(seconds, tick.joins)
        if silent_since is not None:
            # What a source prints after a silence is all that happened since its last print: it is no spike.
            tick = replace(tick, silent_since=silent_since, silent_until=end - round(usual * 1e6))
        elif tick.joins or (moment.whole and better is None):
            seconds = usual
        return self._opened(tick, moment, end, seconds)

    def _on_axis(self, moment: Moment) -> Moment:
        """A moment on the axis of the first print. Those of another kind follow one interval after the last print."""
        if (moment.clock, moment.counted) == self._axis:
            self._carried = None
            return moment
        if self._carried is None:
            usual = self._nominal.seconds or self._options.interval or DEFAULT_INTERVAL
            self._carried = self._end + round(usual * 1e6) - moment.end
        return moment._replace(end=moment.end + self._carried - self._shift, clock=self._axis[0])

    def _by_arrival(self, moment: Moment, step: float, arrived: float, usual: float) -> float | None:
        """Seconds between two prints where their arrivals say it better than the ``step`` of the stamps, else None."""
        if moment.heard:
            return arrived if arrived >= BURST_SECONDS else usual
        timely = arrived >= usual / 2
        if step <= 0:
            return arrived if timely else usual
        if moment.whole and timely and abs(arrived - step) <= GRID_SECONDS:
            return arrived
        jumped = not usual / 2 <= step <= GAP_FACTOR * usual
        return arrived if jumped and timely and arrived <= GAP_FACTOR * usual else None

    def _moved(self, tick: Tick, moment: Moment, step: float, seconds: float, *, arrives: bool) -> int:
        """The end of a print. Time goes on where the clock stands still (two prints in one second) or goes back."""
        end = moment.end + self._shift
        if moment.whole and arrives and seconds < FAST_SECONDS and self._end < end + _SECOND - 1:
            return min(max(self._end + round(seconds * 1e6), end), end + _SECOND - 1)
        if step > 0:
            if step - seconds > GRID_SECONDS:
                self._report.note(tick.line, f"the clock jumped ahead by {step - seconds:.0f} s")
            return end
        if moment.heard:
            return self._end + 1
        if moment.whole and self._end - end < _SECOND:
            return self._end + max((end + _SECOND - self._end) // 2, 1)
        if step < 0:
            self._report.note(tick.line, f"the clock went back by {-step:.0f} s; the time axis goes on")
        end = self._end + round(seconds * 1e6)
        self._shift = end - moment.end
        return end

    def _arrived_since(self, last: Tick | None, tick: Tick, step: float) -> float:
        """Seconds between two arrivals; 0, as in a burst, where they say nothing: in a file, or where they are too
        close because the last print had waited in the pipe until we were there.
        """
        started, arrived = self._options.started, _arrived(last, tick)
        if started is None or last is None or arrived is None:
            return 0.0
        waited = (last.arrival or 0.0) - started < LEAST_DUMP_SECONDS
        return 0.0 if waited and arrived < step else arrived

    def _opened(self, tick: Tick, moment: Moment, end: int, seconds: float) -> Tick:
        self._end, self._last = end, tick
        stamp, clock = tick.stamp, Clock.EPOCH if moment.clock else Clock.COUNTED
        if stamp is None or stamp.whole or (stamp.micros, stamp.clock) != (end, clock):
            stamp = Stamp(end, clock, text=stamp.text if stamp else "")
        start = moved_start(tick.start, tick.stamp, end)
        if start is None:
            start = end - max(round(seconds * 1e6), 1)
        # What replace() would make, sooner: this is done for each print.
        return Tick(
            stamp,
            tick.arrival,
            tick.line,
            start,
            tick.silent_since,
            tick.silent_until,
            tick.implied,
            tick.joins,
            tick.kept,
        )


def moved_start(start: int | None, stamp: Stamp | None, end: int) -> int | None:
    """The printed start of an interval, moved as its stamp was moved to ``end``; None where it makes no interval."""
    if start is None or stamp is None:
        return None
    start += end - stamp.micros
    return start if start < end else None


def _arrived(first: Tick | None, second: Tick) -> float | None:
    """Seconds between two arrivals; None where they are not known."""
    if first is None or first.arrival is None or second.arrival is None:
        return None
    return second.arrival - first.arrival


def _first_usual(step: float, arrived: float) -> float:
    """The interval of a source of which one step is known."""
    if step > 0:
        return step
    return arrived if arrived >= BURST_SECONDS else DEFAULT_INTERVAL
