"""Decides what a stamp means that jumps: damage, or a clock that was set, or a silence.

A snapshot whose stamp jumps is held until the next one judges it:

- The next stamp continues from the one before the jump: the stamp in the middle was damaged. Its totals are dropped,
  because the next ones include them. Its counts per interval are nowhere else: they stay, one interval later than the
  snapshot before.
- The next stamp continues from the one that jumped: the clock was set, or the source was silent.
- Neither: that snapshot is held as well.

A file is read one snapshot ahead, so that a stamp can be found too late by the one after it. Its usual interval is
known before its first snapshot is judged: see ``steps.read_ahead``. Live, a snapshot that arrived when one was due is
placed by its arrival: see ``live_stamps``. The first one is held until the second comes, and the second one if its
stamp does not fit its arrival. Live snapshots that arrive together are judged like those of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from ...record import DOUBTFUL, Event, Mark, Record, Stamp, Tick
from ...report import Report
from ..holding import Pace, through
from ..nominal import GAP_FACTOR, NominalInterval
from ..options import DEFAULT_INTERVAL, Pulse, TimeOptions
from ..runs.passing import fewest_of, passed_on
from ..runs.run import Passing, RecordRun
from ..runs.steady import steps_to, usual_of_run
from .between import Snapshot, between_neighbours, is_needed, knows_its_start, parted
from .dating import earlier_stamp
from .live_stamps import DAMAGED, LiveStamps, arrived_after_silence, heard_step
from .steps import are_comparable, begins_real_times, read_ahead, step_between

MOST_HELD = 3
"""At most this many snapshots in a row are held; with one more, their stamps count as they are."""
MOST_EVENTS = 50_000
"""The most events to hold; with more, stamps count as they are."""

_SECOND = 1_000_000


def without_damaged_stamps(
    events: Iterable[Event | Pulse], report: Report, options: TimeOptions
) -> Iterator[Event | Pulse]:
    """Ticked events without snapshots whose stamps are damaged, or with better stamps; those of a file that have none
    get one between their neighbours.

    Stamps that were replaced have the flag DOUBTFUL on their records.
    """
    judge = _StampJudge(report, options)
    judged = through(read_ahead(events, judge.usual, options), judge, options.pulse)
    return judged if options.live else between_neighbours(cast("Iterator[Event]", judged))  # a file has no pulses


class _StampJudge:
    """Judges the stamps of a source, snapshot by snapshot.

    ``_last`` is the last tick that was passed on, ``_due`` a live snapshot that is placed by its arrival, held until
    the next one says whether the clock was set, and ``_open`` corrects the events of the current snapshot.
    """

    def __init__(self, report: Report, options: TimeOptions) -> None:
        self._report = report
        self._options = options
        self._pace = Pace()
        self.usual = NominalInterval()
        self._last: Tick | None = None
        self._live = LiveStamps(report, options, self.usual)
        self._due: tuple[Snapshot, Stamp] | None = None
        self._held: list[Snapshot] = []
        self._events_held = 0
        self._open: _Passed = _Passed({})

    @property
    def waits_until(self) -> float | None:
        if not (self._held or self._due) or not self._options.live:
            return None
        if self._held and (
            len(self._held) > 1 if self._last is None else self._is_jump(self._last, self._held[0].tick)
        ):
            return self._pace.late_at(self.usual.seconds)  # the next one judges it, also if the last ones came together
        return self._pace.waits_until

    def take(self, event: Event) -> Iterable[Event]:
        """The events that are judged now."""
        if isinstance(event, Tick):
            self._pace.note(event.arrival)
            return self._tick(event)
        if isinstance(event, RecordRun):
            return passed_on(event, self._steady, self.take)
        return self._event(event)

    def _steady(self, run: RecordRun) -> tuple[int, list[Passing]]:
        """Pass on the snapshots whose stamps only go on. The last of them is held, as it would be."""
        held, last = self._held, self._last
        is_sure = last is not None and len(held) == 1 and not run.begins_at(self._open.moved)
        if self._options.live:
            is_sure = is_sure and self._due is None and self._pace.comes_together(run.arrival)
        number = usual_of_run(run, last, held[0].tick, self.usual) if is_sure and last is not None else 0
        if number < fewest_of(run):
            return 0, []
        self._pace.note(run.arrival)
        found: list[Passing] = list(self._pass(self._taken(1)[0]))
        passed = run.part(0, number - 1)
        self.usual.extend(steps_to([held[0].micros or 0], passed).tolist())
        self._last, self._open = passed.tick(-1), _Passed(passed.not_ended(self._open.moved), doubtful=False)
        for event in run.events(number - 1, number):
            self._hold(event) if isinstance(event, Tick) else self._held[-1].events.append(event)
        self._events_held = len(self._held[-1].events)
        return number, [*found, passed]

    @property
    def _ahead(self) -> bool:
        """Whether the next snapshot is at hand: that of a file, or of one that comes through a pipe."""
        return not self._options.live or self._pace.together

    def _tick(self, tick: Tick) -> Iterator[Event]:
        """A snapshot begins."""
        yield from self._settle_due(tick)
        if tick.stamp is None and self._held and not self._options.live:
            self._held[-1].events.append(tick)  # no stamp to judge: it goes where the one before it goes
        elif tick.stamp is None:
            yield from self.rest()
            self._open = _Passed({})
            yield tick
        elif not self._held:
            yield from self._fresh(tick)
        elif self._is_jump(self._last, self._held[0].tick):
            yield from self._judge_jump(tick)
        else:
            yield from self._judge_step(tick)

    def _event(self, event: Event) -> Iterable[Event]:
        """A record or mark of the current snapshot."""
        if self._due is not None:
            self._due[0].events.append(event)
            return self._settle_due(None) if len(self._due[0].events) > MOST_EVENTS else ()
        if not self._held:
            return (self._open.event(event),)
        self._held[-1].events.append(event)
        self._events_held += 1
        is_enough = self._events_held > MOST_EVENTS or (self._is_first and knows_its_start(event))
        return self.rest() if is_enough else ()

    def rest(self) -> Iterator[Event]:
        """All that is held, with its stamps as they are; those that jump are doubtful."""
        yield from self._settle_due(None)
        held = self._taken(len(self._held))
        for place, one in enumerate(held, 1):
            confirmed = place < len(held) and self._continues(one.tick, held[place].tick)
            yield from self._pass(one, doubtful=not confirmed and self._is_jump(self._last, one.tick))

    def _taken(self, number: int) -> list[Snapshot]:
        """The first held snapshots, which are no longer held."""
        taken, self._held = self._held[:number], self._held[number:]
        self._events_held = sum(len(one.events) for one in self._held)
        return taken

    def _hold(self, tick: Tick) -> None:
        self._held.append(Snapshot(tick))
        self._events_held += 1

    @property
    def _is_first(self) -> bool:
        """Whether the first live snapshot is held, alone."""
        return self._last is None and len(self._held) == 1 and not self._ahead

    def _fresh(self, tick: Tick) -> Iterator[Event]:
        """A snapshot while nothing is held."""
        if self._ahead or (self._last is None and tick.arrival is not None):
            self._hold(tick)
            return
        jumps = self._is_jump(self._last, tick) or self._live.is_off(self._last, tick)
        seconds = self._live.arrived(self._last, tick) if jumps else None
        if seconds is not None:
            yield from self._by_arrival(tick, seconds)
            return
        if not jumps:
            self._live.fits(tick)
        if jumps and not arrived_after_silence(self._last, tick):
            self._hold(tick)
        else:
            yield from self._pass(Snapshot(tick))

    def _by_arrival(self, tick: Tick, seconds: float) -> Iterator[Event]:
        """A live snapshot whose stamp jumps, and that arrived ``seconds`` after the last one, when it was due."""
        assert self._last is not None
        jumped = self._live.last_jumped
        agrees = jumped is not None and self._continues(jumped, tick)
        if self._live.jumps(tick, agrees):
            yield from self._pass(Snapshot(tick))
            return
        stamp = self._live.placed(self._last, seconds)
        if agrees:
            yield from self._pass_moved(Snapshot(tick), stamp, doubtful=False)
        else:
            self._due = Snapshot(tick), stamp

    def _settle_due(self, following: Tick | None) -> Iterator[Event]:
        """Pass on the snapshot that is placed by its arrival; doubtful, unless the following one continues from it."""
        due, self._due = self._due, None
        if due is None:
            return
        tick = due[0].tick
        is_set = following is not None and following.stamp is not None and self._continues(tick, following)
        self._live.tell(tick.line, is_set)
        yield from self._pass_moved(*due, doubtful=not is_set)

    def _judge_step(self, tick: Tick) -> Iterator[Event]:
        """The first held stamp continues from the last one; this is the next one, or the one after a second that went
        back.
        """
        first, *others = self._held
        if others:
            yield from self._judge_both(first, others[0], tick)
        elif self._is_later(first.tick, tick) or not (self._last is None or self._continues(self._last, tick, 2)):
            yield from self._pass(self._taken(1)[0])
            yield from self._tick(tick)
        else:
            self._hold(tick)

    def _judge_both(self, first: Snapshot, second: Snapshot, tick: Tick) -> Iterator[Event]:
        """Of two held stamps the second is before the first, and both continue from the last one."""
        if self._continues(first.tick, tick, 2):
            yield from self._pass(self._taken(1)[0])
            yield from self._drop(self._taken(1), tick)
        elif self._continues(second.tick, tick) and self._fits_better(second.tick, first.tick, tick):
            yield from self._drop(self._taken(1), second.tick)
        else:
            yield from self._pass(self._taken(1)[0])
        yield from self._tick(tick)

    def _fits_better(self, second: Tick, first: Tick, third: Tick) -> bool:
        """Whether the second stamp is a better next one than the first, which comes after it."""
        if self._last is None:
            return True
        usual = self.usual.seconds or step_between(second, third)
        return abs(step_between(self._last, second) - usual) <= abs(step_between(self._last, first) - usual) + usual / 2

    def _judge_jump(self, tick: Tick) -> Iterator[Event]:
        """The first held stamp jumped; this is the next one."""
        held = [one.tick for one in self._held]
        if self._contradicts(tick, held):
            yield from self._sort_out(len(held), tick)
            yield from self._tick(tick)
            return
        for place, one in enumerate(held):
            if self._continues(one, tick, len(held) - place) and not self._can_come_back(held):
                yield from self._sort_out(place, one)
                yield from self._pass(self._taken(1)[0])
                yield from self._sort_out(len(held) - place - 1, tick)
                yield from self._tick(tick)
                return
        self._hold(tick)
        if len(self._held) > MOST_HELD:
            first = self._taken(1)[0]
            yield from self._pass(first, doubtful=not self._is_later(self._last, first.tick))
            rest = self._taken(len(self._held))
            for snapshot in rest:
                yield from self._tick(snapshot.tick)
                for event in snapshot.events[1:]:
                    yield from self._event(event)

    def _can_come_back(self, held: list[Tick]) -> bool:
        """Whether a clock that jumped ahead in a file is watched a little longer: several stamps can be damaged."""
        return self._ahead and len(held) < MOST_HELD and self._is_later(self._last, held[0])

    def _contradicts(self, tick: Tick, held: list[Tick]) -> bool:
        """Whether a stamp continues from the one before those that jumped. One that jumped ahead is contradicted only
        by an earlier one.
        """
        if self._last is None or not self._continues(self._last, tick, len(held) + 1):
            return False
        ahead = (one for one in held if self._is_later(self._last, one))
        return not any(self._is_later(one, tick) for one in ahead)

    # What happens to a snapshot.

    def _pass(self, snapshot: Snapshot, doubtful: bool = False) -> Iterator[Event]:
        """Pass a snapshot on. If its stamp is that of the last one, it is a part of that one, and needs no tick."""
        tick = snapshot.tick
        moved = {begin: to for begin, to in self._open.moved.items() if begin != snapshot.micros}
        self._open = _Passed(moved, doubtful=doubtful)
        if self._last is not None and are_comparable(self._last, tick):
            step = step_between(self._last, tick)
            if step > 0:
                self.usual.add(step, tick.joins)
        known = self._last is not None and tick.joins and self._last.stamp == tick.stamp
        self._last = tick if tick.stamp is not None else self._last
        for event in snapshot.events[known:]:
            yield self._open.event(event)

    def _pass_moved(self, snapshot: Snapshot, stamp: Stamp, doubtful: bool) -> Iterator[Event]:
        """Pass a live snapshot on with another stamp."""
        self._last = replace(snapshot.tick, stamp=stamp, start=None)
        self._open = _Passed({}, stamp, doubtful)
        yield self._last
        for event in snapshot.events[1:]:
            yield self._open.event(event)

    def _sort_out(self, number: int, following: Tick) -> Iterator[Event]:
        """Pass the first held snapshots on that are in order up to the following one, and drop the others."""
        damaged: list[Snapshot] = []
        for one in self._taken(number):
            if self._is_later(self._last, one.tick) and self._is_later(one.tick, following):
                yield from self._drop(damaged, one.tick)
                yield from self._pass(one)
                damaged = []
            else:
                damaged.append(one)
        yield from self._drop(damaged, following)

    def _drop(self, damaged: list[Snapshot], following: Tick) -> Iterator[Event]:
        """Drop the totals of snapshots with damaged stamps, and pass on their counts per interval, evenly spaced up to
        the following snapshot.
        """
        for number, one in enumerate(damaged, 1):
            own, unstamped = parted(one.events)
            kept = [event for event in own if is_needed(event)]
            what = "the record is damaged and is dropped" if not kept else "it is placed between those"
            self._report.bad(one.tick.line, DAMAGED.format(what))
            stamp = self._between(following, number, len(damaged))
            self._open = _Passed({**self._open.moved, one.micros: stamp.micros}, stamp)
            # With several dropped in a row, their ticks show that the source was not silent.
            is_heard = bool(kept) or (len(damaged) > 1 and one.tick.implied and self._last is not None)
            if is_heard and (self._last is None or self._last.stamp != stamp or not following.joins):
                self._last = replace(one.tick, stamp=stamp, start=None)
                yield self._last
            yield from map(self._open.event, kept)
            yield from unstamped

    def _between(self, following: Tick, number: int, of: int) -> Stamp:
        """The stamp of a damaged snapshot, one of several between the last one and the following one."""
        assert following.stamp is not None
        if self._last is None or self._last.stamp is None:
            step = (self.usual.seconds or DEFAULT_INTERVAL) * (of + 1 - number)
        else:
            step = step_between(self._last, following) * (of + 1 - number) / (of + 2 - number)
        return earlier_stamp(following.stamp, round(step * _SECOND))

    # How stamps compare.

    def _is_jump(self, last: Tick | None, tick: Tick) -> bool:
        """Whether a stamp goes back, or ahead by more than a gap."""
        if last is None:
            return False
        if not are_comparable(last, tick):
            return not begins_real_times(last, tick)
        usual, step = self.usual.seconds or heard_step(last, tick), step_between(last, tick)
        if step < 0:
            return not self._is_later(last, tick)
        # In a recording every silence has a record of its own.
        return not tick.kept and usual is not None and step > GAP_FACTOR * usual

    def _is_later(self, first: Tick | None, second: Tick) -> bool:
        """Whether a stamp is later, or in the same second if it is in whole seconds.

        The parts of a round can be earlier by a little: each has a clock of its own.
        """
        if first is None:
            return True
        if not are_comparable(first, second):
            return False
        step = step_between(first, second)
        if second.joins:
            return step >= -(self.usual.seconds or 0.0) / 2
        return step > 0 or (step == 0 and second.stamp is not None and second.stamp.whole)

    def _continues(self, first: Tick, second: Tick, steps: int = 1) -> bool:
        """Whether a stamp is a usual next one, at most ``steps`` usual intervals later."""
        usual = self.usual.seconds
        return self._is_later(first, second) and (
            usual is None or step_between(first, second) <= GAP_FACTOR * usual * steps
        )


class _Passed:
    """Corrects the events of a snapshot that is passed on: ``stamp`` replaces theirs, and ``moved`` the moments at
    which they begin.
    """

    def __init__(self, moved: dict[int | None, int], stamp: Stamp | None = None, doubtful: bool | None = None) -> None:
        self.moved = moved
        self._stamp = stamp
        self._doubtful = stamp is not None if doubtful is None else doubtful

    def event(self, event: Event) -> Event:
        """The event, corrected."""
        if isinstance(event, Mark):
            return event
        if event.start is not None and event.start in self.moved:
            event = replace(event, start=self.moved[event.start])
        if isinstance(event, Record):
            if self._stamp is not None:
                event = replace(event, stamp=self._stamp)
            if self._doubtful:
                event = replace(event, flags=event.flags | {DOUBTFUL})
        return event
