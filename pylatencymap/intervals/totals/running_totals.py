"""The totals of a series by range, and how much they grew from one record to the next."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from operator import sub
from typing import Any, NamedTuple

from ...record import Bound, Range, RangeCounts, Record

MANY_EVENTS = 100
"""Fewer events than these are no sign of damage, whatever part of a total they are."""
UNLIKE_OTHERS = 4
"""A count that grew by a part so many times that of others is unlike them."""


class SplitRanges(NamedTuple):
    """The ranges of a record as three tuples."""

    lowers: tuple[Bound, ...]
    uppers: tuple[Bound | None, ...]
    counts: tuple[Bound, ...]

    @classmethod
    def of(cls, ranges: tuple[Range, ...]) -> SplitRanges:
        """From the ranges of a record, no two of which are the same."""
        if not ranges:
            return _NOTHING
        lowers, uppers, counts = zip(*ranges, strict=True)
        if float in map(type, (*lowers, *uppers)):  # 64.0 is 64, and would be shown as the one that was kept
            return cls(lowers, uppers, counts)
        return cls(_shared(lowers), _shared(uppers), counts)

    def by_range(self) -> RangeCounts:
        """The counts by range."""
        return dict(zip(zip(self.lowers, self.uppers, strict=True), self.counts, strict=True))

    def ranges(self, counts: list[Bound]) -> tuple[Range, ...]:
        """The ranges with other counts; ranges with a count of 0 are left out."""
        found = zip(self.lowers, self.uppers, counts, strict=True)
        return tuple(found) if all(counts) else tuple([one for one in found if one[2]])


@lru_cache(maxsize=4096)
def _shared(bounds: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same tuple for equal bounds: 100,000 series with the same ranges keep them once."""
    return bounds


_NOTHING = SplitRanges((), (), ())
_NO_COUNTS: RangeCounts = {}


class RunningTotals:
    """The last total of each range; a range that a record leaves out keeps its total."""

    __slots__ = ("_last", "_left_out")

    def __init__(self, first: SplitRanges, left_out: RangeCounts | None = None) -> None:
        self._last = first
        self._left_out: RangeCounts = _NO_COUNTS if left_out is None else left_out

    def growth(self, now: SplitRanges) -> list[Bound]:
        """The growth of each count since the last one; negative if it fell."""
        if self._has_ranges_of(now):  # the usual case
            return list(map(sub, now.counts, self._last.counts))
        before = {**self._left_out, **self._last.by_range()}
        return [count - before.get(key, 0) for key, count in now.by_range().items()]

    def lacking(self, now: SplitRanges) -> RangeCounts:
        """The totals of the ranges that a record leaves out, although the last record had them and others."""
        if self._has_ranges_of(now) or not now.counts:
            return _NO_COUNTS
        present = now.by_range()
        return {key: count for key, count in self._last.by_range().items() if count and key not in present}

    def seems_to_lack_a_row(self, now: SplitRanges, later: RangeCounts) -> bool:
        """Whether a range appears with many more events than it then grows by, while the others grow on as they did.
        ``later`` is the growth of each range after ``now``.
        """
        new = self.odd_rows(now)
        grown = sum(grew for one, grew in zip(now.by_range(), self.growth(now), strict=True) if not self._is_new(one))
        grows = sum(grew for one, grew in later.items() if not self._is_new(one))
        if not new or grown > UNLIKE_OTHERS * grows:
            return False
        if not any(self._is_between(one) for one in new) and grows > UNLIKE_OTHERS * grown:
            return False  # the others stood still, as in a stall
        return any(count > UNLIKE_OTHERS * later.get(one, 0) for one, count in new.items())

    def odd_rows(self, now: SplitRanges) -> RangeCounts:
        """The ranges that the last record can have lacked: they were not there, and have many events now. Above or
        below all others they have many more than these together grew by, because latencies beyond all others do appear.
        """
        if self._has_ranges_of(now) or sum(map(bool, self._last.counts)) < 2:
            return _NO_COUNTS
        found = {one: count for one, count in now.by_range().items() if count >= MANY_EVENTS and self._is_new(one)}
        if not found:
            return _NO_COUNTS
        grown = sum(grew for one, grew in zip(now.by_range(), self.growth(now), strict=True) if not self._is_new(one))
        return {one: count for one, count in found.items() if self._is_between(one) or count > UNLIKE_OTHERS * grown}

    def _is_new(self, one: tuple[Bound, Bound | None]) -> bool:
        return one not in self._left_out and not self._last.by_range().get(one)

    def _is_between(self, one: tuple[Bound, Bound | None]) -> bool:
        """Whether a range lies between those that were there."""
        known = [lower for lower, count in zip(self._last.lowers, self._last.counts, strict=True) if count]
        return min(known) <= one[0] < max(known)

    @property
    def ranges(self) -> tuple[Range, ...]:
        """The totals by range."""
        totals = {**self._left_out, **self._last.by_range()}
        return tuple((lower, upper, count) for (lower, upper), count in totals.items())

    def then(self, now: SplitRanges) -> RunningTotals:
        """The totals after a record with these counts."""
        if self._has_ranges_of(now):
            return RunningTotals(now, self._left_out)
        present = now.by_range()
        before = {**self._left_out, **self._last.by_range()}
        return RunningTotals(now, {key: count for key, count in before.items() if key not in present})

    def _has_ranges_of(self, now: SplitRanges) -> bool:
        return now.lowers == self._last.lowers and now.uppers == self._last.uppers


# What the judges of totals find.


class Meaning(Enum):
    """What a record of totals says."""

    BASELINE = "the first totals of a series"
    GROWN = "the totals grew"
    RESTARTED = "the counters started again from zero"
    DAMAGED = "the record is damaged: it counts for nothing"
    CORRECTED = "the record before it was too high, and has already been counted"


class Verdict(NamedTuple):
    """What a record means, with the growth of each of its ranges. ``doubtful``: no later record confirmed it.

    ``sum_damaged``: its time waited counts for nothing. ``sum_anew``: it is true, but the one before
    was not, so that their difference counts for nothing.
    """

    record: Record
    meaning: Meaning
    ranges: tuple[Range, ...] = ()
    doubtful: bool = False
    sum_damaged: bool = False
    sum_anew: bool = False
