"""Puts the intervals of all hosts in the order of their times, as a recording needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from threading import Lock

from ..interval import Interval, record_of
from ..record import Record

HOLD_SECONDS = 10.0
"""So much earlier than the newest interval of all one of another host can end and still be recorded."""


class TimeOrder:
    """Holds intervals until those of other hosts have come that ended before. What comes later than that is left out;
    the first time, ``say`` gets a message.
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


class RecordingInOrder:
    """Gives intervals to a recording in the order of time. They come in one thread; any other one can close it."""

    def __init__(self, record: Callable[[Record], object], say: Callable[[str], object]) -> None:
        self._record = record
        self._order = TimeOrder(say)
        self._lock = Lock()
        self._is_closed = False

    def taken(self, found: Iterable[Interval]) -> Iterator[Interval]:
        """The intervals as they come. Each also goes to the recording when its turn is, at the latest at the end."""
        for one in found:
            with self._lock:
                if not self._is_closed:
                    self._write(self._order.add(one))
            yield one

    def close(self) -> None:
        """Record what is still held, and nothing that comes later."""
        with self._lock:
            self._is_closed = True
            self._write(self._order.rest())

    def _write(self, due: Iterable[Interval]) -> None:
        for one in due:
            self._record(record_of(one))
