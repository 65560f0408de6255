"""One clock that never goes back: where each print begins and ends, and how many seconds it counts for."""

from dataclasses import replace

from ..record import Clock, Stamp, Tick
from ..report import Report
from .moments import Moment, Moments
from .nominal import GAP_FACTOR, Nominal
from .options import DEFAULT_INTERVAL, TimeOptions

GRID_SECONDS = 1.1
"""How far an arrival may be from a stamp in whole seconds and still belong to it."""
BURST_SECONDS = 0.05
"""Prints that arrive faster than this came out of a file or a buffer, not from a live probe."""
LEAST_DUMP_SECONDS = 0.5
"""A lone print that arrives sooner after our start was not measured since then."""


class SourceClock:
    """Gives raw ticks their stamp (Clock.EPOCH, or COUNTED), ``start`` and ``silent_since``."""

    def __init__(self, options: TimeOptions, report: Report) -> None:
        self._options = options
        self._report = report
        self._moments = Moments(options)
        self._nominal = Nominal(options.interval)
        self._ahead: Moment | None = None
        self._last: Tick | None = None
        self._end = 0
        self._shift = 0

    def first(self, tick: Tick, second: Tick | None = None) -> Tick:
        """The first print, as long as the step to the second one; alone, as long as the interval."""
        if second is not None and _arrived(tick, second) < BURST_SECONDS:
            self._moments.counting = True
        moment = self._moments.place(tick)
        seconds = self._nominal.seconds or DEFAULT_INTERVAL
        if second is not None:
            self._ahead = self._moments.place(second)
            step = (self._ahead.end - moment.end) / 1e6
            arrived = _arrived(tick, second)
            if self._agree(arrived, step, self._ahead.whole):
                step = arrived
            seconds = step if step > 0 else seconds
        return self._opened(tick, moment, moment.end, seconds)

    def lone(self, tick: Tick) -> Tick:
        """The only print of a source that has ended: of a live one, all that happened since we started it."""
        started, arrival = self._options.started, tick.arrival
        if started is None or arrival is None or arrival - started < LEAST_DUMP_SECONDS:
            self._moments.counting = True
            return self.first(tick)
        moment = self._moments.place(tick)
        return self._opened(tick, moment, moment.end, arrival - started)

    def next(self, tick: Tick) -> Tick:
        """Every later print."""
        moment, self._ahead = self._ahead or self._moments.place(tick), None
        end = moment.end + self._shift
        step = (end - self._end) / 1e6
        arrived = _arrived(self._last, tick) if self._options.live else -1.0
        usual = self._nominal.seconds or (step if step > 0 else DEFAULT_INTERVAL)
        if step <= 0:
            return self._after_standstill(tick, moment, -step, arrived if arrived >= usual / 2 else usual)
        seconds = step
        if self._agree(arrived, step, moment.whole):
            seconds = arrived
        elif step > GAP_FACTOR * usual and usual / 2 <= arrived <= GAP_FACTOR * usual:
            self._report.note(tick.line, f"the clock jumped ahead by {step - arrived:.0f} s")
            seconds = arrived
        silent_since = self._end if seconds > GAP_FACTOR * usual else None
        self._nominal.add(seconds)
        if silent_since is not None or (moment.whole and seconds == step):
            seconds = usual
        return self._opened(tick, moment, end, seconds, silent_since)

    def _agree(self, arrived: float, step: float, whole: bool) -> bool:
        """Whether the time between arrivals is better than the stamps: these are a grid, and the two agree."""
        usual = self._nominal.seconds or step
        return self._options.live and whole and arrived >= usual / 2 and abs(arrived - step) <= GRID_SECONDS

    def _after_standstill(self, tick: Tick, moment: Moment, back: float, seconds: float) -> Tick:
        """The clock stood still (two prints within one printed second) or went back: time goes on all the same."""
        if moment.whole and back < 1:
            return self._opened(tick, moment, self._end + round(min(0.5, seconds / 2) * 1e6), seconds)
        self._report.note(tick.line, f"the clock went back by {back:.0f} s; the time axis goes on")
        self._shift += round((back + seconds) * 1e6)
        return self._opened(tick, moment, moment.end + self._shift, seconds)

    def _opened(self, tick: Tick, moment: Moment, end: int, seconds: float, silent_since: int | None = None) -> Tick:
        self._end, self._last = end, tick
        stamp = Stamp(end, Clock.EPOCH if moment.clock else Clock.COUNTED, text=tick.stamp.text if tick.stamp else "")
        start = end - round(seconds * 1e6) if tick.start is None else tick.start
        return replace(tick, stamp=stamp, start=start, silent_since=silent_since)


def _arrived(first: Tick | None, second: Tick) -> float:
    """Seconds between two arrivals; negative where they are not known."""
    if first is None or first.arrival is None or second.arrival is None:
        return -1.0
    return second.arrival - first.arrival
