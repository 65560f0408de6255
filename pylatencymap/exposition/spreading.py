"""Counts of ranges in the buckets of another grid: whole numbers that only grow, and of which none is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import NamedTuple

from ..record import Bound

Shares = list[tuple[int, float]]
"""Which buckets a range lies in, by their numbers in ascending order, and which part of it lies in each."""


class BucketGrid(NamedTuple):
    """``shares``: those of a range in seconds, whose upper end can be infinite. ``ends``: where a bucket begins and
    ends, in seconds.
    """

    shares: Callable[[float, float], Shares]
    ends: Callable[[int], tuple[float, float]]


class _SpreadRange:
    """A range with its buckets. ``due``: what each of them is behind its share; their sum is 0 but for fractions.
    ``ends``: what is known of its events in each. Those of an open range are in one bucket, whose bounds say nothing.
    """

    __slots__ = ("due", "ends", "parts", "places")

    def __init__(self, lower: float, upper: float, grid: BucketGrid) -> None:
        shares = grid.shares(lower, upper)
        self.places = [place for place, _ in shares]
        self.parts = [part for _, part in shares]
        self.due = [0.0] * len(shares)
        self.ends = [(lower, upper)] if upper == inf else [grid.ends(place) for place in self.places]

    def take(self, count: Bound) -> list[int]:
        """So many events more in each bucket."""
        if len(self.places) == 1 and isinstance(count, int):
            return [count]
        self.due = [due + count * part for due, part in zip(self.due, self.parts, strict=True)]
        taken = [max(int(due), 0) for due in self.due]
        left = int(sum(self.due) + 1e-6) - sum(taken)
        by_rest = sorted(range(len(taken)), key=lambda one: taken[one] - self.due[one])
        for one in by_rest[:left] if left > 0 else ():
            taken[one] += 1
        for one in reversed(by_rest):  # others are behind by more than one
            if left >= 0:
                break
            less = min(taken[one], -left)
            taken[one] -= less
            left += less
        self.due = [due - one for due, one in zip(self.due, taken, strict=True)]
        return taken

    def move(self, taken: list[int], source: int, target: int, count: int) -> None:
        """Give events of one bucket to another one."""
        taken[source] -= count
        taken[target] += count
        self.due[source] += count
        self.due[target] -= count


class SpreadCounts:
    """Counts by bucket. A range that lies in several buckets is spread over them in proportion, as in a map; what is
    left of whole numbers is carried on. Within that the buckets allow the time waited that was told with the ranges.
    """

    def __init__(self, grid: BucketGrid) -> None:
        self.counts: dict[int, int] = {}
        self._grid = grid
        self._ranges: dict[tuple[float, float], _SpreadRange] = {}

    def add(self, ranges: Iterable[tuple[float, float, Bound]], waited: float | None) -> None:
        """Add events of ranges in seconds, which waited so many seconds."""
        found: list[tuple[_SpreadRange, list[int]]] = []
        for lower, upper, count in ranges:
            one = self._ranges.get((lower, upper))
            if one is None:
                one = self._ranges[lower, upper] = _SpreadRange(lower, upper, self._grid)
            found.append((one, one.take(count)))
        if waited is not None:
            self._allow(found, waited)
        for one, taken in found:
            for place, count in zip(one.places, taken, strict=True):
                if count:
                    self.counts[place] = self.counts.get(place, 0) + count

    def _allow(self, found: list[tuple[_SpreadRange, list[int]]], waited: float) -> None:
        """Move events to the next bucket of their range until the time waited is possible."""
        least = most = 0.0
        for one, taken in found:
            for (begin, end), count in zip(one.ends, taken, strict=True):
                if count:
                    least, most = least + count * begin, most + count * end
        for one, taken in found:
            for place in range(len(taken) - 1, 0, -1) if waited < least else ():
                step = one.ends[place][0] - one.ends[place - 1][0]
                count = min(taken[place], _steps(least - waited, step))
                one.move(taken, place, place - 1, count)
                least -= count * step
            for place in range(len(taken) - 1) if waited > most else ():
                step = one.ends[place + 1][1] - one.ends[place][1]
                count = min(taken[place], _steps(waited - most, step))
                one.move(taken, place, place + 1, count)
                most += count * step


def _steps(distance: float, step: float) -> int:
    """How many steps cover a distance."""
    return max(int(distance / step) + 1, 0) if step > 0 and distance > 0 else 0


def shares_between(lower: float, upper: float, bounds: list[float], first: int) -> Shares:
    """The shares of a range in buckets with these upper bounds; bucket ``first`` ends at the first of them."""
    found: Shares = []
    begin = lower
    for number, bound in enumerate(bounds, first):
        end = min(bound, upper)
        if end > begin:
            found.append((number, (end - begin) / (upper - lower)))
            begin = end
    return found
