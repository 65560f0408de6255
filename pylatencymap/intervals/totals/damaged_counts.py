"""Decides what a record of totals means if its counts fall: damage, or counters that restarted.

A suspicious record is held until the next one of its series judges it:

- The next one is not below the totals from before: the record in the middle was damaged, and is dropped.
- The next one is below them, but not below the held record: the counters restarted.
- Neither: that record is suspicious too, and is held as well.

A total that is too high is found the same way: the next record falls below it, but not below the totals from before. In
a file, every record is held until the next one is read, and live those that come together. Else only a live record is
held that fell, or rose beyond belief, or in which one count grew unlike the others since the first one.
"""

from __future__ import annotations

from math import inf

from ...record import Bound, RangeCounts, Record, without_zeros
from ..nominal import low_median
from ..options import came_together
from .held_counts import (
    BEYOND_BELIEF,
    LARGE_PART,
    HeldCounts,
    damaged,
    is_beyond_belief,
    lies_further_off,
    seconds_between,
)
from .possible_sums import ROUNDING, shows_restart
from .running_totals import MANY_EVENTS, UNLIKE_OTHERS, Meaning, RunningTotals, SplitRanges, Verdict

MOST_HELD = 2
"""At most this many suspicious records in a row are held; with one more, the first counts as a restart."""
LACKED_A_DIGIT = 0.85
"""At least this part of a total has come since one that lacks a digit: that one was a tenth of itself."""
YOUNG = 2
"""Up to so many records after the baseline, a row that appears or leaps can have been damaged in all records before."""
FADING = 0.9
"""How much of the usual rate, which is that of the busiest recent record, is left after each record."""


class CountsJudge:
    """Judges the totals of one series, record by record.

    ``ahead``: the source is a file, so that every record can wait for the next one.
    """

    __slots__ = (
        *("_age", "_arrival", "_before", "_end", "_first", "_held", "_is_doubted", "_sparse"),
        *("_started", "_sums", "_together", "_totals", "_usual", "ahead"),
    )

    def __init__(self, ahead: bool) -> None:
        self.ahead = ahead
        self._arrival: float | None = None
        self._together = self._is_doubted = self._sparse = False
        self._totals: RunningTotals | None = None
        self._before: RunningTotals | None = None
        self._first: Record | None = None
        self._started: int | None = None
        self._age = 0
        self._end = 0
        self._usual = 0.0
        self._held: list[HeldCounts] = []
        self._sums: tuple[float | None, float | None] = (None, None)

    @property
    def is_ahead(self) -> bool:
        """Whether the next record is at hand: that of a file, or of one that comes through a pipe."""
        return self.ahead or self._together

    @property
    def waits_for_pause(self) -> bool:
        """Whether what is held is only waiting for records that come together with it: nothing speaks against it."""
        return self.is_ahead and not self._is_doubted and len(self._held) < 2

    @property
    def has_begun(self) -> bool:
        """Whether there has been a baseline."""
        return self._totals is not None

    def forget(self) -> None:
        """Begin again with a baseline. Nothing may be held."""
        self._totals = self._before = self._first = self._started = None
        self._usual = 0.0
        self._age = 0
        self._sums = None, None

    @property
    def held(self) -> Record | None:
        """The record that is held, the first of several; None if there is none."""
        return self._held[0].record if self._held else None

    def take(self, record: Record) -> list[Verdict]:
        """The verdicts that are possible with the next record of the series."""
        now = SplitRanges.of(record.ranges)
        self._together = came_together(self._arrival, record.arrival)
        self._arrival = record.arrival
        if self._totals is None:
            self._totals, self._first = RunningTotals(now), record
            self._note(record)
            return [Verdict(record, Meaning.BASELINE)]
        if record.start is not None and self._started is not None and record.start != self._started:
            return [*self.rest(), self._restarted(record, now)]
        if not self._held:
            return self._fresh(record, now, self._totals.growth(now))
        if self._shows_lost_rows(now):
            held = self._held.pop()
            later = held.totals.growth(now)
            return [self._grown(held, doubtful=True), *self._fresh(record, now, later, doubtful=True)]
        if self._confirms_restart(record, now):
            return [*self._held_restart(), *self.take(record)]
        return self._judge_fall(record, now) if self._held[0].fell else self._judge_rise(record, now)

    def _may_restart(self, held: HeldCounts) -> bool:
        """Whether the time waited, which fell, shows a restart that the counts do not show: if it stays down.

        It fell below two totals, of which not both can be damaged. Right after the baseline there is only one: then the
        counts have to allow it.
        """
        waited, (last, before) = held.record.waited, self._sums
        if waited is None or last is None or held.fell or waited >= min(last, last if before is None else before):
            return False
        if before is not None:
            return waited < min(last, before) * (1 - ROUNDING)
        known = self._known().ranges
        return shows_restart((last, known), (waited, held.record.ranges), held.record.unit)

    def _confirms_restart(self, record: Record, now: SplitRanges) -> bool:
        """Whether the only record that is held restarted by its time waited, as that of the next one stays down."""
        held, last = self._held[0], self._sums[0]
        waited = held.record.waited
        if len(self._held) > 1 or waited is None or record.waited is None or last is None:
            return False
        growth = held.totals.growth(now)
        if not waited <= record.waited < last or min(growth, default=0) < 0 or not self._may_restart(held):
            return False
        later = float(sum(growth)) / seconds_between(held.record, record)
        return held.rate_from_zero <= BEYOND_BELIEF * (max(self._usual, later) or inf)

    def _shows_lost_rows(self, now: SplitRanges) -> bool:
        """Whether the only record that is held lacked ranges that this next one has, and that have grown meanwhile, no
        one knows in which of the two times.

        A source that leaves ranges out again and again prints only those that have grown.
        """
        held, known = self._held[0], self._known()
        lacking = known.lacking(held.now) if len(self._held) == 1 and not held.fell and not self._sparse else None
        if not lacking or min(known.growth(now), default=0) < 0:
            return False
        shown = now.by_range()
        self._sparse = bool(held.totals.lacking(now)) or any(key not in shown for key in lacking)
        return not self._sparse and any(shown[key] > count for key, count in lacking.items())

    def _held_restart(self) -> list[Verdict]:
        held, self._held = self._held[0], []
        return [self._restarted(held.record, held.now)]

    def rest(self) -> list[Verdict]:
        """The verdicts on all that is held, if no other record can judge it."""
        held, self._held = self._held, []
        if len(held) == MOST_HELD and not held[0].fell and self._was_too_high(*held):
            return [damaged(held[0]), self._grown(held[1], doubtful=True)]
        found: list[Verdict] = []
        for one in held:
            growth = one.growth if one is held[0] else self._known().growth(one.now)
            if min(growth, default=0) < 0:
                found.append(self._fallen(one, doubtful=True))
            else:
                one = one._replace(growth=growth, totals=self._known().then(one.now))
                odd = self._is_odd_growth(one, LACKED_A_DIGIT) or is_beyond_belief(one, self._usual)
                found.append(self._grown(one, doubtful=odd))
        return found

    def _known(self) -> RunningTotals:
        assert self._totals is not None
        return self._totals

    def _fresh(self, record: Record, now: SplitRanges, growth: list[Bound], *, doubtful: bool = False) -> list[Verdict]:
        """A record while nothing is held."""
        held = self._as_held(record, now, growth, doubtful)
        self._is_doubted = self._is_suspicious(held) or self._is_odd_growth(held) or self._has_odd_rows(held)
        if self.is_ahead or self._is_doubted:
            self._held = [held]
            return []
        return [self._grown(held)]

    def _is_suspicious(self, held: HeldCounts) -> bool:
        if held.fell or self._may_restart(held) or is_beyond_belief(held, self._usual):
            return True
        return not self._sparse and bool(self._known().lacking(held.now))

    def _as_held(self, record: Record, now: SplitRanges, growth: list[Bound], doubtful: bool = False) -> HeldCounts:
        assert record.stamp is not None
        fell = min(growth, default=0) < 0
        totals = RunningTotals(now) if fell else self._known().then(now)
        seconds = max(record.stamp.micros - self._end, 1) / 1e6
        return HeldCounts(record, now, growth, totals, seconds, doubtful)

    def _judge_rise(self, record: Record, now: SplitRanges) -> list[Verdict]:
        """The first held record has grown; this is the next one, or the one after a second that fell below it."""
        first, *others = self._held
        growth = first.totals.growth(now)
        if min(growth, default=0) >= 0:
            self._held = []
            later = others[0].totals.growth(now) if others else growth
            if others and min(later, default=0) >= 0 and lies_further_off(first, others[0], record, now):
                return [damaged(first), self._grown(others[0]), *self._fresh(record, now, later)]
            grows_on = dict(zip(now.by_range(), growth, strict=True))
            grown = self._grown(first, doubtful=not others and self._is_odd_start(first, grows_on, record))
            return [grown, *map(damaged, others), *self._fresh(record, now, growth)]
        if others:
            return self._judge_both(first, others[0], record, now)
        since = self._known().growth(now)
        if min(since) >= 0:
            self._held.append(self._as_held(record, now, since))
            return []
        self._held = []
        return [self._grown(first), *self._fresh(record, now, growth)]

    def _judge_both(self, first: HeldCounts, second: HeldCounts, record: Record, now: SplitRanges) -> list[Verdict]:
        """Of two held records the second is below the first, but not below the totals before. This one is below the
        first, too.
        """
        self._held = []
        growth = second.totals.growth(now)
        if min(growth, default=0) < 0:  # this one is suspicious as well
            found = [self._grown(first), *self._fresh(second.record, second.now, first.totals.growth(second.now))]
            return [*found, *self.take(record)]
        if self._was_too_high(first, second):
            is_odd = self._is_odd_start(second, dict(zip(now.by_range(), growth, strict=True)), record)
            return [damaged(first), self._grown(second, doubtful=is_odd), *self._fresh(record, now, growth)]
        found = [self._grown(first), self._restarted(second.record, second.now)]
        return [*found, *self._fresh(record, now, self._known().growth(now))]

    def _judge_fall(self, record: Record, now: SplitRanges) -> list[Verdict]:
        """The held records fell; this is the next one."""
        if not now.counts:
            return []  # without totals it cannot judge, and the next interval covers its time
        growth = self._known().growth(now)
        if min(growth) >= 0:
            dropped, self._held = [damaged(one) for one in self._held], []
            return [*dropped, *self._fresh(record, now, growth)]
        for place, one in enumerate(self._held):
            since = one.totals.growth(now)
            if min(since) >= 0 and not (place == 0 and self._is_no_restart(one)):
                return self._restart_at(place, record, since)
        self._held.append(HeldCounts(record, now, growth, RunningTotals(now), self._held[0].seconds))
        if len(self._held) <= MOST_HELD:
            return []
        held, self._held = self._held, []
        found = [self._fallen(held[0], doubtful=True)]
        for one in held[1:]:
            found += self.take(one.record)
        return found

    def _is_no_restart(self, held: HeldCounts) -> bool:
        """Whether the next record could still show that a fall was damage, as a restart would be beyond belief."""
        usual = BEYOND_BELIEF * self._usual
        return len(self._held) < MOST_HELD and 0 < usual < held.rate_from_zero

    def _restart_at(self, place: int, record: Record, since: list[Bound]) -> list[Verdict]:
        """The verdicts if the counters restarted in a held record; ``since`` is the growth from there to ``record``."""
        held, self._held = self._held, []
        one = held[place]
        found = [*map(damaged, held[:place]), *self._baseline_or_restart(one, float(sum(since)), record)]
        for other in held[place + 1 :]:
            found += self.take(other.record)
        return [*found, *self.take(record)]

    def _baseline_or_restart(self, one: HeldCounts, growth: float, record: Record) -> list[Verdict]:
        """A fall as a restart; right after the baseline, the baseline can have been too high instead."""
        if self._first is None or not self._was_first_too_high(one, growth / seconds_between(one.record, record)):
            return [self._fallen(one)]
        found = [Verdict(self._first, Meaning.DAMAGED), Verdict(one.record, Meaning.BASELINE)]
        self._totals, self._first = one.totals, one.record
        self._note(one.record)
        return found

    def _was_first_too_high(self, held: HeldCounts, rate: float) -> bool:
        """Whether the baseline was too high, by the record after it and the rate of the one after that."""
        if any(grown >= 0 and count > 0 for grown, count in zip(held.growth, held.now.counts, strict=True)):
            return True  # in a restart all totals fall
        return held.rate_from_zero > BEYOND_BELIEF * rate > 0

    def _grown(self, held: HeldCounts, doubtful: bool = False) -> Verdict:
        self._before, self._totals, self._first = self._totals, held.totals, None
        self._age += 1
        self._note(held.record)
        self._usual = max(held.rate, self._usual * FADING)
        return Verdict(held.record, Meaning.GROWN, held.now.ranges(held.growth), doubtful or held.doubtful)

    def _fallen(self, held: HeldCounts, doubtful: bool = False) -> Verdict:
        """A record that fell: a restart, unless the record before it had been too high and was counted."""
        if self._before is not None:
            since = self._before.growth(held.now)
            if min(since, default=0) >= 0 and held.rate_from_zero > BEYOND_BELIEF * self._usual:
                growth = [max(one, 0) for one in self._known().growth(held.now)]
                self._totals, self._before = self._before.then(held.now), None
                self._note(held.record)
                return Verdict(held.record, Meaning.CORRECTED, held.now.ranges(growth), True)
        if self._age == 1 and self._has_mostly_grown(held):
            growth = [max(one, 0) for one in held.growth]
            self._totals = self._known().then(held.now)
            self._note(held.record)
            return Verdict(held.record, Meaning.CORRECTED, held.now.ranges(growth), True)
        return self._restarted(held.record, held.now, doubtful)

    @staticmethod
    def _has_mostly_grown(held: HeldCounts) -> bool:
        """Whether more totals went on than fell: in a restart all fall."""
        fallen = sum(grown < 0 for grown in held.growth)
        return sum(grown >= 0 and count > 0 for grown, count in zip(held.growth, held.now.counts, strict=True)) > fallen

    def _restarted(self, record: Record, now: SplitRanges, doubtful: bool = False) -> Verdict:
        self._totals, self._before, self._first = RunningTotals(now), None, None
        self._age = YOUNG
        self._sums = None, None
        self._note(record)
        return Verdict(record, Meaning.RESTARTED, without_zeros(record.ranges), doubtful)

    def _note(self, record: Record) -> None:
        if record.stamp is not None:
            self._end = record.stamp.micros
        self._sums = record.waited, self._sums[0]
        if record.start is not None:
            self._started = record.start

    def _is_odd_growth(self, held: HeldCounts, part: float = 1 / LARGE_PART) -> bool:
        """Whether one count has grown so much more than the others since the live baseline, by a ``part`` of itself or
        more, that it can have lacked a digit there.
        """
        if self.ahead or self._first is None or self._usual or max(held.growth, default=0) < MANY_EVENTS:
            return False
        shares = [growth / count for growth, count in zip(held.growth, held.now.counts, strict=True) if count > growth]
        most = max(shares, default=0)
        return most >= part and (len(shares) == 1 or most > UNLIKE_OTHERS * low_median(shares))

    def _is_odd_start(self, held: HeldCounts, later: RangeCounts, record: Record) -> bool:
        """Whether the growth since the baseline, or since the record after it, is beyond belief, by that of the next
        record: one digit or one row less before looks like that.
        """
        if self._age >= YOUNG:
            return False
        rate = float(sum(later.values())) / seconds_between(held.record, record)
        return is_beyond_belief(held, max(rate, self._usual)) or self._known().seems_to_lack_a_row(held.now, later)

    def _has_odd_rows(self, held: HeldCounts) -> bool:
        """Whether live ranges appear that the first record or the second one can have lacked."""
        return not self.ahead and self._age < YOUNG and bool(self._known().odd_rows(held.now))

    def _was_too_high(self, held: HeldCounts, later: HeldCounts) -> bool:
        """Whether a record was too high, given a later one below it that is not below the totals before it.

        A restart lets all totals fall. So it was, if a total that had existed before has not fallen, or if either the
        record or a restart is beyond belief.
        """
        raised, fallen = held.now.by_range(), later.now.by_range()
        grown = dict(zip(raised, held.growth, strict=True))
        if any(fallen.get(key, 0) >= count > grown[key] for key, count in raised.items()):
            return True
        usual = BEYOND_BELIEF * max(self._usual, later.rate)
        return held.rate > usual or later.rate_from_zero > usual
