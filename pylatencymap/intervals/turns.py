"""Which prints of a trace tell of which series: what ``idle.filled`` makes of records, where there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .events import idle_parts
from .idle import AT_ONCE


class Told(NamedTuple):
    """An interval of a series: with the events of a bin, or idle over the prints since it was told of last. ``start``
    and ``end`` are on the clock of the bins. ``late``: idle, and told of in the print after its end, before its events.
    """

    series: int
    start: int
    end: int
    busy: bool
    late: bool = False


class Turns:
    """The prints of bins of ``width``, and the series that have come up in them, by their numbers.

    Each print tells of those with events and of AT_ONCE idle ones, that were told of longest ago; the last one of all.
    A series that comes again has been idle until then.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._bin: int | None = None
        self._end = 0
        # The moment until which a series was told of; what was told of longest ago comes first.
        self._last: dict[int, int] = {}

    def bin(self, number: int, busy: Sequence[int]) -> Iterator[Told]:
        """What the prints up to a bin with events tell, as soon as this is known."""
        if self._bin is not None:
            for first, stop in idle_parts(self._bin + 1, number):
                yield from self._print(first, stop, ())
        self._bin = number
        yield from self._print(number, number + 1, busy)

    def rest(self) -> Iterator[Told]:
        """What the last print tells besides."""
        yield from self._idle(len(self._last))

    def _print(self, first: int, stop: int, busy: Sequence[int]) -> Iterator[Told]:
        yield from self._idle(AT_ONCE)  # in the print before
        start, self._end = first * self._width, stop * self._width
        for one in busy:
            told = self._last.pop(one, start)
            if told < start:
                yield Told(one, told, start, False, True)
            yield Told(one, start, self._end, True)
            self._last[one] = self._end

    def _idle(self, most: int) -> list[Told]:
        found: list[Told] = []
        for one, told in self._last.items():
            if told == self._end or len(found) == most:
                break
            found.append(Told(one, told, self._end, False))
        for idle in found:
            del self._last[idle.series]
            self._last[idle.series] = self._end
        return found
