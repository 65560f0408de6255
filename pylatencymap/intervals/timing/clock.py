"""Puts snapshots on one clock that never goes back: when each begins and ends, and how many seconds it covers."""

from __future__ import annotations

from dataclasses import replace

from ...record import Clock, Stamp, Tick
from ...report import Report
from ...stream import flaw_on_axis, is_on_axis
from ..nominal import GAP_FACTOR, NominalInterval, low_median
from ..options import BURST_SECONDS, DEFAULT_INTERVAL, TimeOptions
from ..runs.run import RecordRun, begun
from ..runs.steady import steps_to, usual_steps
from .moments import Moment, MomentFinder
from .steps import begins_real_times

GRID_SECONDS = 1.1
"""How far the steps of arrivals and of stamps in whole seconds can differ and still mean the same."""
FAST_SECONDS = 0.8
"""Of snapshots that come faster than this, two or more often share a stamp in whole seconds."""
LEAST_DUMP_SECONDS = 0.5
"""If a lone snapshot arrives earlier than this after we started the source, its counts began before that."""

MICROSECOND = 1e-6
"""In seconds; steps between moments are rounded to it."""
_SECOND = 1_000_000


class SourceClock:
    """Gives raw ticks their stamp (Clock.EPOCH, or COUNTED), ``start`` and ``silent_since``.

    ``nominal`` is the usual interval so far, or, of a file, that of the snapshots that were read ahead.
    """

    def __init__(self, options: TimeOptions, report: Report) -> None:
        self._options = options
        self._report = report
        self._moments = MomentFinder(options)
        self.nominal = NominalInterval()
        self._expected: float | None = None
        self._ahead: Moment | None = None
        self._last: Tick | None = None
        self._end = 0
        self._shift = 0
        self._axis = (True, False)
        self._carried: int | None = None

    def expect(self, steps: list[float]) -> None:
        """Say what the first steps are of a live source, in seconds, that was held until they were known."""
        self.nominal.expect(steps)
        self._expected = low_median(steps) if steps else None

    def first(self, tick: Tick, second: Tick | None = None) -> Tick | None:
        """The first snapshot. It lasts as long as the step to the second one, or, if that is known to be unusual, as
        long as is usual; without a second one, an interval. None, which is reported, if it is not on the time axis:
        then the next one is the first.
        """
        if second is not None:
            # Without arrivals only counting is left. See ``arrivals.time_by_arrival``.
            self._moments.counting |= _arrived(tick, second) is None
        moment = self._begun(tick)
        end, seconds = moment.end, self._options.interval or DEFAULT_INTERVAL
        if second is not None:
            self._ahead = self._moments.place(second)
            step = (self._ahead.end - moment.end) / 1e6
            arrived = self.arrived_since(tick, second, step)
            if not second.joins:
                usual = self._expected or _first_usual(step, arrived, self._ahead)
                timed = self._by_arrival(self._ahead, step, arrived, usual)
                measured = timed or self._first_seconds(moment, step)
                if not moment.clock or measured * 1e6 <= end:  # else it would begin before 1970
                    seconds = measured
                if timed is not None and moment.whole and self._ahead.whole:  # as late in its second as the next says
                    end = min(max(end, self._ahead.end - round(timed * 1e6)), end + _SECOND - 1)
        return self._unless_off_axis(tick, end) and self._opened(tick, moment, end, seconds)

    def _first_seconds(self, moment: Moment, step: float) -> float:
        """How long the first snapshot lasted, if the second one came ``step`` seconds later."""
        usual = self.nominal.seconds or self._expected
        return step if usual is None or (_is_usual(step, usual) and not moment.whole) else usual

    def lone(self, tick: Tick) -> Tick | None:
        """The only snapshot of a source that has ended; of a live one, everything since we started it."""
        started, arrival = self._options.started, tick.arrival
        if started is None or arrival is None or arrival - started < LEAST_DUMP_SECONDS:
            self._moments.counting = True
            return self.first(tick)
        moment = self._begun(tick)
        return self._unless_off_axis(tick, moment.end) and self._opened(tick, moment, moment.end, arrival - started)

    def _begun(self, tick: Tick) -> Moment:
        """The moment of the first snapshot, which decides on the axis."""
        moment, self._ahead = self._ahead or self._moments.place(tick), None
        self._axis = moment.clock, moment.counted
        return moment

    def next(self, tick: Tick) -> Tick | None:
        """Every later snapshot; None, which is reported, if it would be where calendars end or before 1970."""
        moment, self._ahead = self._ahead or self._moments.place(tick), None
        if self._last is not None and begins_real_times(self._last, tick):
            self._axis = moment.clock, moment.counted
        moment = self._on_axis(moment)
        before = self._shift, self._end, self._last
        self._take_shift_back(moment)
        placed = self._unless_off_axis(tick, moment.end + self._shift) and self._placed(tick, moment)
        if placed is None or self._unless_off_axis(tick, self._end) is None:
            self._shift, self._end, self._last = before
            return None
        return placed

    def go_on(self, run: RecordRun) -> RecordRun | None:
        """As many of the first snapshots of a run as only go on, with their starts; None if the first one does not.
        Live, they were read at once with the last one, so that arrivals say nothing.
        """
        if self._last is None or self._ahead is not None or self._axis != (run.clock is Clock.EPOCH, False):
            return None
        if self._options.live and (run.arrival is None or self._last.arrival != run.arrival):
            return None
        assert run.snapshots is not None
        moved, kept = run.moved(self._shift), run.snapshots.kept
        if self._expected is not None and not kept.all():
            return None
        if not all(is_on_axis(int(moved.ends[place])) for place in (0, -1)):
            return None
        steps = steps_to([self._end], moved)
        # A clock that was set back is watched: a longer step can lead to where it was before.
        number = usual_steps(steps, kept if not self._shift else kept & False, self.nominal)
        if not number:
            return None
        passed = begun(moved.part(0, number), self._end)
        self.nominal.extend(steps[:number].tolist())
        self._end, self._last, self._carried = int(passed.ends[-1]), run.tick(number - 1), None
        return passed

    def _unless_off_axis(self, tick: Tick, end: int) -> Tick | None:
        """The snapshot; None, which is reported, if its end is before 1970 or where calendars end."""
        flaw = flaw_on_axis(end)
        if not flaw:
            return tick
        self._report.bad(tick.line, f"{flaw}; the print is dropped")
        return None

    def _placed(self, tick: Tick, moment: Moment) -> Tick:
        step = (moment.end + self._shift - self._end) / 1e6
        if tick.kept and step > 0:
            if tick.silent_since is None:
                self.nominal.add(step, tick.joins)
            return self._opened(tick, moment, moment.end + self._shift, step)
        arrived = self.arrived_since(self._last, tick, step)
        usual = self.nominal.seconds or self._expected or _first_usual(step, arrived, moment)
        if moment.heard:
            usual = self.nominal.of_arrivals(arrived) or DEFAULT_INTERVAL
        if moment.whole and step <= 0 and BURST_SECONDS <= arrived < FAST_SECONDS:
            usual = min(usual, arrived)  # two snapshots in one second: the interval is no longer than that
        better = self._by_arrival(moment, step, arrived, usual)
        seconds = better or step
        silent_since = self._end if seconds > GAP_FACTOR * usual else None
        end = self._in_its_second(tick, moment, better or usual)
        if end is None:
            end = self._moved(tick, moment, step, seconds)
        expected, self._expected = self._expected, None
        is_rounded = expected is not None and moment.whole and better is None and abs(step - usual) <= GRID_SECONDS
        self.nominal.add(usual if is_rounded else seconds, tick.joins)
        if silent_since is not None:
            # The first snapshot after a silence covers everything since the last one: its counts are no spike.
            tick = replace(tick, silent_since=silent_since, silent_until=end - round(usual * 1e6))
        elif tick.joins or (moment.whole and better is None):
            seconds = usual
        return self._opened(tick, moment, end, seconds)

    def _take_shift_back(self, moment: Moment) -> None:
        """Forget the shift of a clock that was set back, if it now agrees with what it was before."""
        usual = self.nominal.seconds
        if not self._shift or usual is None:
            return
        shifted, plain = (moment.end + shift - self._end for shift in (self._shift, 0))
        limit = GAP_FACTOR * usual * 1e6
        if 0 < plain <= limit and not 0 < shifted <= limit:
            self._shift = 0

    def _on_axis(self, moment: Moment) -> Moment:
        """A moment on the axis of the first snapshot. One on another axis goes one interval after the last snapshot."""
        if (moment.clock, moment.counted) == self._axis:
            self._carried = None
            return moment
        if self._carried is None:
            usual = self.nominal.seconds or self._options.interval or DEFAULT_INTERVAL
            self._carried = self._end + round(usual * 1e6) - moment.end
        return moment._replace(end=moment.end + self._carried - self._shift, clock=self._axis[0])

    def _by_arrival(self, moment: Moment, step: float, arrived: float, usual: float) -> float | None:
        """Seconds between two snapshots if their arrivals are more reliable than the stamps' ``step``, else None."""
        if moment.heard:
            return arrived if arrived >= BURST_SECONDS else usual
        timely = arrived >= usual / 2
        if step <= 0:
            return arrived if timely else usual
        if moment.whole and timely and abs(arrived - step) <= GRID_SECONDS:
            return arrived
        return arrived if not _is_usual(step, usual) and timely and arrived <= GAP_FACTOR * usual else None

    def _in_its_second(self, tick: Tick, moment: Moment, seconds: float) -> int | None:
        """The end of a live snapshot ``seconds`` after the last one, but in the second that its stamp names; None if
        arrivals say nothing, or if its stamp jumps.
        """
        begin = moment.end + self._shift
        rest, arrived = begin + _SECOND - self._end, _arrived(self._last, tick)
        if not (self._options.live and moment.whole) or arrived is None or tick.joins:
            return None
        if arrived < BURST_SECONDS and self._end % _SECOND == 0:
            return None  # out of a file or a buffer: nothing has been placed by its arrival
        if rest <= 1 or begin - self._end - seconds * 1e6 > GRID_SECONDS * 1e6:
            return None
        # Others can follow in the same second.
        return max(self._end + max(min(round(seconds * 1e6), rest * 7 // 8), 1), begin)

    def _moved(self, tick: Tick, moment: Moment, step: float, seconds: float) -> int:
        """The end of a snapshot. Time advances even if the clock stands still (two in one second) or goes back."""
        end = moment.end + self._shift
        if step > 0:
            if step - seconds > GRID_SECONDS:
                self._report.note(tick.line, f"the clock jumped ahead by {step - seconds:.0f} s")
            return end
        if moment.heard or (tick.joins and step > -(self.nominal.seconds or 0.0)):
            return self._end + 1  # the parts of a round each have a clock of their own
        if moment.whole and self._end - end < _SECOND:
            return self._end + max((end + _SECOND - self._end) // 2, 1)
        if step < 0:
            self._report.note(tick.line, f"the clock went back by {-step:.0f} s; the time axis goes on")
        end = self._end + round(seconds * 1e6)
        self._shift = end - moment.end
        return end

    def arrived_since(self, last: Tick | None, tick: Tick, step: float) -> float:
        """Seconds between two arrivals; 0, as in a burst, if they say nothing.

        They say nothing in a file, and if one of the two waited in the pipe until we read it, as when we start.
        """
        started, arrived = self._options.started, _arrived(last, tick)
        if started is None or last is None or arrived is None:
            return 0.0
        pauses, arrivals = self._options.pauses, (last.arrival or 0.0, tick.arrival or 0.0)
        if pauses is not None and tick.stamp is not None and any(map(pauses.has_waited, arrivals)):
            return 0.0
        waited = arrivals[0] - started < LEAST_DUMP_SECONDS
        return 0.0 if waited and arrived < step - MICROSECOND else arrived

    def _opened(self, tick: Tick, moment: Moment, end: int, seconds: float) -> Tick:
        since = self._end if self._last is not None and self._options.live and moment.whole and not tick.joins else None
        self._end, self._last = end, tick
        stamp, clock = tick.stamp, Clock.EPOCH if moment.clock else Clock.COUNTED
        if stamp is None or stamp.whole or (stamp.micros, stamp.clock) != (end, clock):
            stamp = Stamp(end, clock, text=stamp.text if stamp else "")
        start = moved_start(tick.start, tick.stamp, end)
        if start is None:
            start = end - max(round(seconds * 1e6), 1)
            if since is not None and start < since < end:
                start = since
        # The same as replace(), but faster: this runs for each snapshot.
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
    """The printed start of an interval, moved as far as its stamp was moved to ``end``; None if that is not before."""
    if start is None or stamp is None:
        return None
    start += end - stamp.micros
    return start if start < end else None


def _arrived(first: Tick | None, second: Tick) -> float | None:
    """Seconds between two arrivals; None if they are not known."""
    if first is None or first.arrival is None or second.arrival is None:
        return None
    return second.arrival - first.arrival


def _is_usual(step: float, usual: float) -> bool:
    """Whether a step between stamps can be that of a source whose usual one is ``usual``."""
    return usual / 2 <= step <= GAP_FACTOR * usual


def _first_usual(step: float, arrived: float, moment: Moment) -> float:
    """The interval of a source, judged by a single step; one between whole seconds can be up to a second off."""
    if step > 0 and not (moment.whole and arrived >= BURST_SECONDS and abs(arrived - step) <= GRID_SECONDS):
        return step
    return arrived if arrived >= BURST_SECONDS else DEFAULT_INTERVAL
