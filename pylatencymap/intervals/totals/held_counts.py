"""A record of totals that waits for the next one, and how it compares with others."""

from __future__ import annotations

from typing import NamedTuple

from ...record import Bound, Record
from .running_totals import Meaning, RunningTotals, SplitRanges, Verdict

BEYOND_BELIEF = 10
"""A record is suspicious if a total grew by a large part, at more than this many times the usual rate of the series."""
LARGE_PART = 16
"""One part in so many is a large one: a wrong digit among the first two changes more."""


class HeldCounts(NamedTuple):
    """A record that waits for the next one. ``totals`` are those after it, if it is true; ``seconds`` is the time since
    the last record that counts. ``doubtful``: it counts events of the time before, too.
    """

    record: Record
    now: SplitRanges
    growth: list[Bound]
    totals: RunningTotals
    seconds: float
    doubtful: bool = False

    @property
    def fell(self) -> bool:
        return min(self.growth, default=0) < 0

    @property
    def rate(self) -> float:
        """Events per second."""
        return float(sum(self.growth)) / self.seconds

    @property
    def rate_from_zero(self) -> float:
        """Events per second, if the counters started again after the last record."""
        return float(sum(self.now.counts)) / self.seconds


def is_beyond_belief(held: HeldCounts, usual: float) -> bool:
    """Whether a total grew by a large part, at many times the usual rate (events per second; 0: not known)."""
    if not usual or held.rate <= BEYOND_BELIEF * usual:
        return False
    return any(
        LARGE_PART * growth >= count > growth for growth, count in zip(held.growth, held.now.counts, strict=True)
    )


def lies_further_off(first: HeldCounts, second: HeldCounts, third: Record, now: SplitRanges) -> bool:
    """Whether the first of two records, not the second, is off the line from the totals before to the third one.

    The second fell below the first in some ranges, and only those are compared.
    """
    seconds = first.seconds + seconds_between(first.record, third)
    before = {
        key: count - grown for (key, count), grown in zip(first.now.by_range().items(), first.growth, strict=True)
    }
    one, other, last = first.now.by_range(), second.now.by_range(), now.by_range()
    off_first = off_second = 0.0
    for key, count in one.items():
        if key in last and other.get(key, count) < count:
            slope = float(last[key] - before[key]) / seconds
            off_first += abs(float(count - before[key]) - slope * first.seconds)
            off_second += abs(float(other[key] - before[key]) - slope * second.seconds)
    return off_first > off_second


def seconds_between(first: Record, second: Record) -> float:
    assert first.stamp is not None
    assert second.stamp is not None
    return max(second.stamp.micros - first.stamp.micros, 1) / 1e6


def damaged(held: HeldCounts) -> Verdict:
    return Verdict(held.record, Meaning.DAMAGED)
