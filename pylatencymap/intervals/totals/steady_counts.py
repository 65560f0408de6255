"""Totals that only go on: what a judge holds of them, and how it goes on behind many records that it need not see."""

from __future__ import annotations

from typing import NamedTuple

from ...record import Range, RangeCounts, Record, counts_of
from ..options import came_together
from .damaged_counts import FADING, YOUNG, CountsJudge
from .running_totals import SplitRanges


class HeldTotals(NamedTuple):
    """The record that a judge holds: the ``grown`` counts of its interval, and the ``totals`` after it."""

    record: Record
    grown: tuple[Range, ...]
    totals: RangeCounts


class TotalsJudge(CountsJudge):
    """A CountsJudge that can be told of many records at once."""

    __slots__ = ()

    def steady(self, arrival: float | None) -> HeldTotals | None:
        """What is held, if nothing but the next record's counts decides what that means: it is confirmed if none of
        them fell and none is missing. Live, the next record, of this ``arrival``, has to come together with it.
        """
        if len(self._held) != 1 or self._first is not None or self._started is not None:
            return None
        if not (self.ahead or came_together(self._arrival, arrival)):
            return None
        held = self._held[0]
        times = held.record.start, held.record.waited, *self._sums
        if held.fell or held.doubtful or any(one is not None for one in times):
            return None
        if self._age < YOUNG or self._known().lacking(held.now):
            return None
        return HeldTotals(held.record, held.now.ranges(held.growth), counts_of(held.totals.ranges))

    def go_on(self, records: list[Record], rates: list[float]) -> None:
        """Hold the last of many records; the others are confirmed. ``records`` are the last three of them, ``rates``
        the events per second of all but the last.
        """
        one, before, last = (SplitRanges.of(record.ranges) for record in records)
        held = self._held[0]
        self._arrival = records[2].arrival
        self._together = came_together(records[1].arrival, self._arrival)
        self._usual = faded(max(held.rate, self._usual * FADING), rates)
        self._age += len(rates) + 1
        self._before = held.totals.then(one)
        self._totals = self._before.then(before)
        self._note(records[0])
        self._note(records[1])
        self._held = []
        self._fresh(records[2], last, self._totals.growth(last))


def faded(usual: float, rates: list[float]) -> float:
    """The usual rate, which is that of the busiest recent record, after these."""
    for rate in rates:
        usual *= FADING
        if rate > usual:
            usual = rate
    return usual
