"""Decides what the time of a single event means that jumps: damage, or a silence, or a clock that was set.

An event whose time jumps is held until those after it judge it:

- They agree with the events before it: its time was damaged. It is dropped and reported.
- They agree with it: the source was silent, or its clock was set. It counts.
- Nothing follows, or a live source says nothing for a while: it counts, and is doubtful.

Up to MOST_HELD damaged events in a row are found. Events are often somewhat out of order, so small jumps mean nothing;
in a text without any order, no jump does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...record import Clock, Sample
from ...report import Report
from ...units import MICROS_PER_DAY
from ..nominal import GAP_FACTOR
from .clock import GRID_SECONDS

MOST_HELD = 3
"""At most this many events in a row are damage: if more of them agree with each other, their times count."""
CONTEXT = 2
"""This many events before, and this many after, have to agree with each other."""
LONG_AWAY = 60_000_000
"""Microseconds. Events are often out of order by less than this, as there can be a buffer for each CPU."""
TIMES_AS_FAR = 4
"""A damaged time is at least this many times as far away as the events around it are from each other."""
MOST_ASTRAY = 1000
"""A text in which more times than this go back has no order."""
REACH = CONTEXT + MOST_HELD
"""An event is judged by fewer events than this before it, and fewer after it."""

_DAMAGED = "the time does not fit those before and after; the event is dropped"
_LEAST_CONTEXT = 3


class Counted(NamedTuple):
    """An event that counts. ``doubtful``: no other event confirms its time."""

    sample: Sample
    doubtful: bool = False


def long_away(width: int) -> int:
    """From how many microseconds on a jump is suspicious, in bins of ``width``."""
    return max(LONG_AWAY, round(GAP_FACTOR * width))


class EventJudge:
    """Judges the times of the events of one clock, in the order in which the source tells of them.

    ``went_back`` counts the times that went back. Damaged events of a file are kept until its end: only then is it
    known whether the text has an order. ``_seen`` are the last events, damaged ones too; ``_held`` says which of them
    are held.
    """

    def __init__(self, clock: Clock, width: int, report: Report, *, live: bool) -> None:
        self.went_back = 0
        self._wraps = clock is Clock.DAY
        self._is_counted = clock is Clock.COUNTED  # never damaged: such a time is no time of the text
        self._far = long_away(width)
        self._report = report
        self._live = live
        self._seen: list[Sample] = []
        self._held: list[bool] = []
        self._at_start = True
        self._since_jump = 0
        self._dropped = 0
        self._astray: list[Sample] = []

    @property
    def holds(self) -> bool:
        """Whether an event is held."""
        return True in self._held

    def take(self, sample: Sample) -> Sequence[Counted]:
        """The events that count, now that this one has come."""
        if self._is_counted:
            return (Counted(sample),)
        if self._live and self._is_after_silence(sample):
            found = self.rest()
            self.apart()
            self._put(sample, held=False)
            return [*found, Counted(sample)]
        if self._seen:
            step = self._step(self._seen[-1].micros, sample.micros)
            self.went_back += step < -self._far
            self._since_jump = 0 if abs(step) > self._far else self._since_jump + 1
        if self._since_jump >= MOST_HELD and not self._at_start and True not in self._held:
            self._seen = [*self._seen[-1:], sample]
            self._held = [False] * len(self._seen)
            return (Counted(sample),)
        return self._judged(sample)

    def apart(self) -> list[Counted]:
        """The next event is not the one after the last, and those between them are in order. What is held counts."""
        held = [Counted(one) for one, is_held in zip(self._seen, self._held, strict=True) if is_held]
        self._seen, self._held, self._since_jump, self._at_start = [], [], MOST_HELD, False
        return held

    def rest(self) -> list[Counted]:
        """All that is held: no other event will judge it."""
        held, last = [place for place, is_held in enumerate(self._held) if is_held], len(self._seen) - 1
        damaged = {place for place in held if self._is_damaged(place, ended=True)}
        lone = last in held and last > 0 and last not in damaged and self._jumps_at(last)
        self._held = [False] * len(self._seen)
        return [
            Counted(self._seen[place], doubtful=lone and place == last)
            for place in held
            if place not in damaged or not self._drop(self._seen[place])
        ]

    def settled(self) -> list[Sample]:
        """At the end of a file: reports what is damaged. Returns it instead if the text has no order."""
        astray, self._astray = self._astray, []
        if self.went_back > MOST_ASTRAY or self.went_back > 2 * len(astray) + 2:
            return astray
        for sample in astray:
            self._report.bad(sample.line, _DAMAGED)
        return []

    def _put(self, sample: Sample, held: bool) -> None:
        self._seen.append(sample)
        self._held.append(held)

    def _judged(self, sample: Sample) -> list[Counted]:
        """What counts, now that this event has come, if some may be held."""
        self._put(sample, held=False)
        found = list[Counted]()
        for place, one in enumerate(self._seen):
            if self._held[place] and self._is_damaged(place, ended=False):
                self._held[place] = False
                found += [] if self._drop(one) else [Counted(one)]
            elif self._held[place] and self._is_judged(place):
                self._held[place] = False
                found.append(Counted(one))
        self._held[-1] = self._is_suspicious(len(self._seen) - 1)
        if not self._held[-1]:
            found.append(Counted(sample))
        if len(self._seen) > 2 * REACH:
            del self._seen[0], self._held[0]
            self._at_start = False
        return found

    def _drop(self, sample: Sample) -> bool:
        """Take an event as damaged. Returns whether it is dropped."""
        if not self._live:
            self._astray.append(sample)
            return True
        if self.went_back > 2 * self._dropped + 3:
            return False
        self._dropped += 1
        self._report.bad(sample.line, _DAMAGED)
        return True

    # How times compare. Each of these depends on the events at less than REACH from a place, and on no others.

    def _step(self, before: int, after: int) -> int:
        """Microseconds between two times; of times of day, the shorter way round."""
        step = after - before
        return (step + MICROS_PER_DAY // 2) % MICROS_PER_DAY - MICROS_PER_DAY // 2 if self._wraps else step

    def _jumps_at(self, place: int) -> bool:
        return abs(self._step(self._seen[place - 1].micros, self._seen[place].micros)) > self._far

    def _is_suspicious(self, place: int) -> bool:
        """Whether an event may be one of those that jumped; the first of all is, until the next one comes."""
        if self._at_start and place == 0:
            return True
        firsts = (first for first in range(max(place - MOST_HELD + 1, 1), place + 1) if self._jumps_at(first))
        return any(self._are_beyond([place], self._seen[max(first - CONTEXT, 0) : first]) for first in firsts)

    def _is_judged(self, place: int) -> bool:
        """Whether all events have come that can show that a held one is damaged."""
        if place == 0 and self._at_start and len(self._seen) > 1:
            ahead = self._step(self._seen[1].micros, self._seen[0].micros) > self._far
            return not ahead or len(self._seen) > _LEAST_CONTEXT
        return len(self._seen) - place >= REACH

    def _is_damaged(self, place: int, *, ended: bool) -> bool:
        """Whether a held event lies between others that agree. ``ended``: no more events will come."""
        if self.went_back > MOST_ASTRAY and not self._live:
            return False
        if place == 0 and self._at_start:
            return self._is_first_damaged()
        return any(
            self._is_excursion(first, place, last, ended)
            for first in range(max(place - MOST_HELD + 1, 1), place + 1)
            for last in range(place, first + MOST_HELD)
        )

    def _is_first_damaged(self) -> bool:
        """Whether the first event of all is later than those after it: if it is earlier, a silence followed."""
        after = self._seen[1 : 1 + _LEAST_CONTEXT]
        if len(after) < _LEAST_CONTEXT or self._step(after[0].micros, self._seen[0].micros) <= self._far:
            return False
        return self._are_beyond([0], after)

    def _is_excursion(self, first: int, place: int, last: int, ended: bool) -> bool:
        """Whether the events from ``first`` to ``last`` lie between others that agree, and the one at ``place`` does
        not agree with those.
        """
        before, after = self._seen[max(first - CONTEXT, 0) : first], self._seen[last + 1 : last + 1 + CONTEXT]
        if len(after) < CONTEXT and not (ended and after):
            return False
        if len(before) + len(after) < _LEAST_CONTEXT or (first < last and len(before) < CONTEXT):
            return False
        return self._are_beyond([first, place, last], [*before, *after])

    def _are_beyond(self, places: list[int], others: list[Sample]) -> bool:
        """Whether these events are far from all the others. A long one is not if it began among them."""
        origin = others[0].micros
        ends = [self._step(origin, one.micros) for one in others]
        low, high = min(ends), max(ends)
        limit = max(self._far, TIMES_AS_FAR * (high - low))
        for place in places:
            sample = self._seen[place]
            end = self._step(origin, sample.micros)
            begin = end - round(sample.latency * sample.unit.seconds * 1e6)
            if low - end <= limit and begin - high <= limit:
                return False
        return True

    def _is_after_silence(self, sample: Sample) -> bool:
        """Whether a live event came as much later than the last one as its time says."""
        last = self._seen[-1] if self._seen else None
        if last is None or last.arrival is None or sample.arrival is None:
            return False
        step, arrived = self._step(last.micros, sample.micros), (sample.arrival - last.arrival) * 1e6
        return step > self._far and abs(step - arrived) <= max(GRID_SECONDS * 1e6, step / 10)
