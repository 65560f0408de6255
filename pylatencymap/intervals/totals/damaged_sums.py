"""Decides which totals of times waited can be relied on. A damaged one costs itself; the counts beside it stay.

True totals never fall, and grow as fast as the events allow. Where one does not, or leaps beyond belief, it is held
until later ones judge it: if the total comes back, the one between was damaged; if it stays, it was true. In a file,
every total is held until the next one is read; live, only a suspicious one.
"""

from __future__ import annotations

from math import isinf
from typing import NamedTuple

from ...record import Range, Record
from ...units import Unit
from .damaged_counts import FADING
from .held_counts import BEYOND_BELIEF, LARGE_PART
from .possible_sums import is_between, sum_limits
from .running_totals import Meaning, Verdict


class _Allowed(NamedTuple):
    """How many events there were, and the least and the largest sum of their latencies in seconds."""

    events: float = 0.0
    least: float = 0.0
    most: float = 0.0

    @classmethod
    def by(cls, ranges: tuple[Range, ...], unit: Unit) -> _Allowed:
        least, most = sum_limits(ranges)
        return cls(float(sum(count for _, _, count in ranges)), least * unit.seconds, most * unit.seconds)

    def and_also(self, other: _Allowed) -> _Allowed:
        return _Allowed(self.events + other.events, self.least + other.least, self.most + other.most)


class _HeldSum(NamedTuple):
    """A total that waits for later ones. ``own``: the events since the record before it."""

    verdict: Verdict
    waited: float
    own: _Allowed


class SumsJudge:
    """Judges the totals of times waited of one series, after its counts have been judged.

    ``ahead``: the source is a file, so that every total can wait for the next one.
    """

    __slots__ = ("_ahead", "_held", "_is_first", "_is_unsure", "_last", "_since", "_usual")

    def __init__(self, ahead: bool) -> None:
        self._ahead = ahead
        self._last: float | None = None
        self._since = _Allowed()
        self._usual = 0.0
        self._is_first = self._is_unsure = False
        self._held: list[_HeldSum] = []

    @property
    def held(self) -> Verdict | None:
        """The verdict that is held, the first of several; None if there is none."""
        return self._held[0].verdict if self._held else None

    def take(self, verdict: Verdict) -> list[Verdict]:
        """The verdicts that are possible with the next one of the series, with the meaning of their sums."""
        record = verdict.record
        if verdict.meaning is Meaning.DAMAGED:
            return [verdict]
        if verdict.meaning in {Meaning.BASELINE, Meaning.CORRECTED} or record.waited is None:
            return [*self.rest(), self._passed(verdict)]
        if verdict.meaning is Meaning.RESTARTED:
            found = self.rest()
            self._last, self._since = 0.0, _Allowed()
            self._is_first = self._is_unsure = False
            return [*found, *self._fresh(verdict)]
        if not self._held:
            return self._fresh(verdict)
        if len(self._held) > 1:
            return self._judge_both(self._held[0], self._held[1], verdict)
        return self._judge(self._held[0], verdict, record.waited)

    def rest(self) -> list[Verdict]:
        """The verdicts on all that is held, if no other total can judge it."""
        held, self._held = self._held, []
        if len(held) == 1:
            return [self._settled(held[0])]
        if not held:
            return []
        first, second = held
        if self._last is not None and first.waited < self._last:
            return [self._accepted(first, anew=True), self._settled(second)]
        if self._is_suspicious(first):
            return [self._rejected(first), self._settled(second)]
        return [self._accepted(first), self._rejected(second)]

    def _passed(self, verdict: Verdict) -> Verdict:
        """A verdict whose sum, if it has one, is not compared with the one before."""
        record = verdict.record
        if record.waited is None and verdict.meaning is Meaning.GROWN:
            self._since = self._since.and_also(_Allowed.by(verdict.ranges, record.unit))
            return verdict
        self._last, self._since = record.waited, _Allowed()
        self._is_first, self._is_unsure = verdict.meaning is Meaning.BASELINE, False
        if self._is_first:
            self._begin(record)
        return verdict._replace(sum_anew=verdict.meaning is Meaning.CORRECTED and record.waited is not None)

    def _begin(self, record: Record) -> None:
        """Take the mean latency of all that was ever counted as the usual one, if the counts allow this first total."""
        if record.waited is None:
            return
        allowed = _Allowed.by(record.ranges, record.unit)
        self._is_unsure = not is_between(record.waited, allowed.least, allowed.most)
        self._usual = record.waited / allowed.events if allowed.events and not self._is_unsure else 0.0

    def _fresh(self, verdict: Verdict) -> list[Verdict]:
        """A total while nothing is held."""
        assert verdict.record.waited is not None
        if self._last is None:
            self._last, self._since = verdict.record.waited, _Allowed()
            return [verdict]
        held = _HeldSum(verdict, verdict.record.waited, _Allowed.by(verdict.ranges, verdict.record.unit))
        if self._ahead or self._is_unsure or self._is_suspicious(held):
            self._held = [held]
            return []
        return [self._accepted(held)]

    def _judge(self, held: _HeldSum, verdict: Verdict, waited: float) -> list[Verdict]:
        """One total is held; this is the next one."""
        assert self._last is not None
        own = _Allowed.by(verdict.ranges, verdict.record.unit)
        both = held.own.and_also(own)
        self._held = []
        if held.waited < self._last:
            if held.waited <= waited < self._last:
                self._held = [held, _HeldSum(verdict, waited, own)]
                return []
            return [self._rejected(held), *self._fresh(verdict)]
        comes_back = self._last <= waited < held.waited
        unlikely = comes_back or not self._is_possible(held.waited, held.own)
        if unlikely and self._is_suspicious(held) and not self._is_odd(waited, both):
            return [self._rejected(held), *self._fresh(verdict)]
        if comes_back:
            self._held = [held, _HeldSum(verdict, waited, own)]
            return []
        if waited < self._last:
            return [self._settled(held), *self._fresh(verdict)]
        return [self._accepted(held, anew=self._is_odd_start(held, waited, own)), *self._fresh(verdict)]

    def _judge_both(self, first: _HeldSum, second: _HeldSum, verdict: Verdict) -> list[Verdict]:
        """Of two held totals the second is between the first and the one before. This one shows which were damaged."""
        assert self._last is not None
        assert verdict.record.waited is not None
        self._held = []
        if first.waited < self._last:
            if verdict.record.waited >= self._last:
                return [self._rejected(first), self._rejected(second), *self._fresh(verdict)]
            return [self._accepted(first, anew=True), *self._fresh(second.verdict), *self.take(verdict)]
        if verdict.record.waited >= first.waited and not self._lies_further_off(first, second, verdict):
            return [self._accepted(first), self._rejected(second), *self._fresh(verdict)]
        return [self._rejected(first), *self._fresh(second.verdict), *self.take(verdict)]

    def _lies_further_off(self, first: _HeldSum, second: _HeldSum, third: Verdict) -> bool:
        """Whether the first of two totals, not the second, is off the line from the total before to the third one."""
        assert self._last is not None
        assert third.record.waited is not None
        events_first = self._since.events + first.own.events
        events_second = events_first + second.own.events
        events = events_second + _Allowed.by(third.ranges, third.record.unit).events
        slope = (third.record.waited - self._last) / events if events else 0.0
        off_first = abs(first.waited - self._last - slope * events_first)
        return off_first > abs(second.waited - self._last - slope * events_second)

    def _settled(self, held: _HeldSum) -> Verdict:
        """The verdict on a total that no later one judges. What the counts do not allow is told with them."""
        assert self._last is not None
        anything_goes = isinf(self._since.most + held.own.most)
        unsure = self._is_unsure and anything_goes  # else a wrong total before would have made an impossible difference
        unlikely = unsure or held.waited < self._last or self._is_beyond_belief(held.waited, held.own)
        possible = held.waited < self._last or self._is_possible(held.waited, held.own)
        return self._rejected(held) if unlikely and possible else self._accepted(held)

    def _accepted(self, held: _HeldSum, anew: bool = False) -> Verdict:
        """The total is true. ``anew``: but the one before was not, so that it says nothing of the time between."""
        assert self._last is not None
        events = self._since.events + held.own.events
        if not anew and events and self._is_possible(held.waited, held.own):
            self._usual = max((held.waited - self._last) / events, self._usual * FADING)
        elif anew:
            self._usual = 0.0
        self._last, self._since = held.waited, _Allowed()
        self._is_first = self._is_unsure = False
        return held.verdict._replace(sum_anew=anew)

    def _rejected(self, held: _HeldSum) -> Verdict:
        self._since = self._since.and_also(held.own)
        return held.verdict._replace(sum_damaged=True)

    def _is_suspicious(self, held: _HeldSum) -> bool:
        return self._is_odd(held.waited, held.own)

    def _is_odd(self, waited: float, own: _Allowed) -> bool:
        """Whether a total fell, or grew more or less than the events since the last true one allow."""
        fell = self._last is not None and waited < self._last
        return fell or not self._is_possible(waited, own) or self._is_beyond_belief(waited, own)

    def _is_possible(self, waited: float, own: _Allowed) -> bool:
        assert self._last is not None
        allowed = self._since.and_also(own)
        return is_between(waited - self._last, allowed.least, allowed.most)

    def _is_beyond_belief(self, waited: float, own: _Allowed) -> bool:
        """Whether a total grew by a large part, at many times the usual mean latency (0: not known)."""
        assert self._last is not None
        grown, events = waited - self._last, self._since.events + own.events
        return LARGE_PART * grown >= waited and grown > BEYOND_BELIEF * self._usual * events > 0

    def _is_odd_start(self, held: _HeldSum, waited: float, own: _Allowed) -> bool:
        """Whether the growth since the first total is beyond belief, by that to the next: one digit less in the first
        one looks like that.
        """
        assert self._last is not None
        if not self._is_first or not own.events or not held.own.events:
            return False
        usual, grown = (waited - held.waited) / own.events, held.waited - self._last
        return LARGE_PART * grown >= held.waited and grown > BEYOND_BELIEF * usual * held.own.events > 0
