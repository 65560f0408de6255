"""Puts the intervals of all hosts in the order of their times, as a recording needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count

from ..interval import Interval, record_of
from ..record import Record

HOLD_SECONDS = 10.0
"""So much earlier than the newest interval of all one of another host can end and still be recorded."""


class TimeOrder:
    """Holds intervals until those of other hosts have come that ended before. What comes later than that is left out,
    and ``say`` is told when it happens for the first time.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._held: list[tuple[int, int, Interval]] = []
        self._order = count()
        self._newest = self._passed = -(1 << 62)
        self.left_out = 0

    def add(self, interval: Interval) -> Iterator[Interval]:
        """Take an interval; the ones before which nothing can come any more."""
        if interval.end < self._passed:
            self.left_out += 1
            if self.left_out == 1:
                what = f"{interval.series}: an interval came more than {HOLD_SECONDS:g} s after those of other hosts"
                self._say(f"{what}: it is drawn, but not recorded")
            return
        heappush(self._held, (interval.end, next(self._order), interval))
        self._newest = max(self._newest, interval.end)
        yield from self._before(self._newest - round(HOLD_SECONDS * 1e6))

    def rest(self) -> Iterator[Interval]:
        """All that is still held."""
        yield from self._before(self._newest)

    def _before(self, moment: int) -> Iterator[Interval]:
        while self._held and self._held[0][0] <= moment:
            self._passed, _, one = heappop(self._held)
            yield one


def recorded_in_order(
    found: Iterable[Interval], record: Callable[[Record], object], say: Callable[[str], object]
) -> Iterator[Interval]:
    """The intervals as they come. Each also goes to a recording when its turn is, at the latest at the end."""
    order = TimeOrder(say)
    try:
        for one in found:
            for due in order.add(one):
                record(record_of(due))
            yield one
    finally:
        for due in order.rest():
            record(record_of(due))
