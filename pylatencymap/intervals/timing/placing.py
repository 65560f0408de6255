"""Gives every record its time: that of its snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...record import Event, Range, Record, Semantics, Tick
from ...report import Report
from ..holding import Pace, through
from ..nominal import STEPS_REMEMBERED
from ..options import BURST_SECONDS, Pulse, TimeOptions
from ..runs.passing import passed_on
from ..runs.run import RecordRun, with_known_times
from .clock import GRID_SECONDS, SourceClock, moved_start
from .steps import MOST_HELD, are_comparable, read_ahead, step_between, steps_of

LONGEST_ROUGH = 4.5
"""A step between whole seconds that is shorter than this can be far from the usual one."""


def place_in_time(events: Iterable[Event | Pulse], options: TimeOptions, report: Report) -> Iterator[Event | Pulse]:
    """Ticked events with times. The first snapshot is held until its length is known; if reading breaks off, it comes
    before the error.
    """
    clock = SourceClock(options, report)
    source = _TimedSource(clock, options)
    return through(events if options.live else read_ahead(events, clock.nominal), source, options.pulse)


class _TimedSource:
    """Puts a source in time: the first snapshot that has a place on the time axis, and those after it. The records of
    others are dropped with them.

    The first one is held until the second comes; live, until more are there if these two leave open how long it was.
    """

    def __init__(self, clock: SourceClock, options: TimeOptions) -> None:
        self._clock = clock
        self._live = options.live
        self._pace = Pace()
        self._placer = _Placer()
        self._first: list[Tick] = []
        self._held: list[Event] = []
        self._has_begun = self._is_lost = False

    @property
    def waits_until(self) -> float | None:
        """How long more than one snapshot is held: the length of a single one cannot be known."""
        if len(self._first) < 2:
            return None
        return self._pace.waits_until

    def take(self, event: Event) -> Iterable[Event]:
        """The events with times that are known now."""
        if isinstance(event, Tick):
            return self._tick(event)
        if isinstance(event, RecordRun):
            return passed_on(event, self._go_on, self.take)
        if self._is_lost and isinstance(event, Record):
            return ()
        if not self._first or not isinstance(event, Record):
            return (self._placer.timed(event),)
        self._held.append(event)
        return self._begin() if _knows_its_time(event) or len(self._held) >= MOST_HELD else ()

    def _go_on(self, run: RecordRun) -> tuple[int, list[RecordRun]]:
        """Pass on the snapshots of a run that only go on."""
        known = with_known_times(run) if self._has_begun and not (self._first or self._is_lost) else None
        passed = self._clock.go_on(known) if known is not None else None
        if passed is None:
            return 0, []
        self._pace.note(run.arrival)
        self._placer.go_on(passed)
        return len(passed), [passed]

    def rest(self) -> Iterator[Event]:
        """No other snapshot follows."""
        if len(self._first) == 1:
            yield from self._opened(self._clock.lone(self._first[0]))
        elif self._first:
            yield from self._begin()

    def _tick(self, tick: Tick) -> Iterator[Event]:
        """A snapshot begins."""
        self._pace.note(tick.arrival)
        if self._has_begun:
            placed = self._clock.next(tick)
            self._is_lost = placed is None
            yield from self._placer.place(placed) if placed is not None else ()
            return
        self._is_lost = False
        self._held += [tick] if self._first else []
        self._first.append(tick)
        if len(self._first) > 1 and self._is_enough():
            yield from self._begin()

    def _is_enough(self) -> bool:
        """Whether the first snapshots show how long the first one was."""
        first, second, *others = self._first
        if not self._live or second.joins or not are_comparable(first, second):
            return True
        if self._pace.together:
            return len(self._first) > STEPS_REMEMBERED
        if others or first.stamp is None or not first.stamp.whole:
            return True
        step = step_between(first, second)
        return step == 1 or step > LONGEST_ROUGH or self._clock.arrived_since(first, second, step) >= BURST_SECONDS

    def _begin(self) -> Iterator[Event]:
        """The first snapshot, with what is known, and those held with it."""
        first = self._first
        if self._live and len(first) > 2:
            self._clock.expect(self._steps())
        yield from self._opened(self._clock.first(*first[:2]))

    def _steps(self) -> list[float]:
        """The first steps: as they arrived, if the last one did as its stamp says, else from stamp to stamp."""
        before, last = self._first[-2:]
        steps = steps_of(self._first)
        if steps and are_comparable(before, last):
            step = step_between(before, last)
            arrived = self._clock.arrived_since(before, last, step)
            if arrived >= BURST_SECONDS and abs(arrived - step) <= GRID_SECONDS:
                return [arrived]
        return steps

    def _opened(self, first: Tick | None) -> Iterator[Event]:
        held, self._held, self._first = self._held, [], []
        self._has_begun, self._is_lost = first is not None, first is None
        yield from self._placer.place(first) if first is not None else ()
        for event in held:
            yield from self.take(event)


def _knows_its_time(record: Record) -> bool:
    if record.semantics is Semantics.INTERVAL:
        return record.start is not None
    return record.semantics is Semantics.CUMULATIVE and record.stamp is not None


class _Placer:
    """Puts the times of the current snapshot on its records."""

    def __init__(self) -> None:
        self._tick: Tick | None = None
        self._previous_end: int | None = None
        self._ends: dict[tuple[str, str], int] = {}

    def place(self, tick: Tick) -> Iterator[Event]:
        """Open a snapshot."""
        if self._tick is not None and self._tick.stamp is not None:
            self._previous_end = self._tick.stamp.micros
        self._tick = tick
        yield tick

    def go_on(self, run: RecordRun) -> None:
        """Snapshots that are in time have passed."""
        before = self._tick if len(run) == 1 else run.tick(-2)
        self._tick, self._previous_end = run.tick(-1), before.stamp.micros if before and before.stamp else None
        for kind, end in run.last_stamps():
            self._ends[kind.series, kind.unit.value] = end

    def timed(self, event: Event) -> Event:
        """A record with the times of its snapshot."""
        tick = self._tick
        if not isinstance(event, Record) or tick is None or tick.stamp is None or tick.start is None:
            return event
        key = (event.series, event.unit.value)
        last, self._ends[key] = self._ends.get(key), tick.stamp.micros
        if event.semantics is Semantics.CUMULATIVE:
            seconds = event.seconds or self._corrected(last, tick)
            unchanged = event.stamp is tick.stamp and event.seconds == seconds
            return event if unchanged else replace(event, stamp=tick.stamp, seconds=seconds)
        moved = moved_start(event.start, event.stamp, tick.stamp.micros)
        start = tick.start if moved is None else moved
        if event.stamp is tick.stamp and event.start == start and event.semantics is Semantics.INTERVAL:
            return event
        record = replace(event, stamp=tick.stamp, start=start)
        if record.semantics is Semantics.RATE:
            return _counted(record, record.seconds or (tick.stamp.micros - start) / 1e6)
        return record

    def _corrected(self, last: int | None, tick: Tick) -> float | None:
        """The divisor of a cumulative record if the stamps do not give it: they are coarse, or the clock jumped.

        A series that the last snapshot left out counts as part of it, unchanged, if the source printed the heading.
        """
        if last is None or tick.kept or tick.silent_since is not None:
            return None
        if tick.implied and last != self._previous_end:
            return None
        if tick.start is None or tick.stamp is None or tick.start == last:
            return None
        return (tick.stamp.micros - tick.start) / 1e6


def _counted(record: Record, seconds: float) -> Record:
    ranges: tuple[Range, ...] = tuple((lower, upper, rate * seconds) for lower, upper, rate in record.ranges)
    waited = None if record.waited is None else record.waited * seconds
    return replace(record, ranges=ranges, waited=waited, semantics=Semantics.INTERVAL)
