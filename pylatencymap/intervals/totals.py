"""Totals of one series, and by how much they have grown."""

from __future__ import annotations

from operator import sub
from typing import NamedTuple

from ..record import Bound, Range, RangeCounts


class Counts(NamedTuple):
    """The ranges of a record, by what they are made of."""

    lowers: tuple[Bound, ...]
    uppers: tuple[Bound | None, ...]
    counts: tuple[Bound, ...]

    @classmethod
    def of(cls, ranges: tuple[Range, ...]) -> Counts:
        """No two of the ranges are alike."""
        return cls(*zip(*ranges, strict=True)) if ranges else _NOTHING

    def by_range(self) -> RangeCounts:
        """The counts."""
        return dict(zip(zip(self.lowers, self.uppers, strict=True), self.counts, strict=True))

    def ranges(self, counts: list[Bound]) -> tuple[Range, ...]:
        """The ranges with other counts; those without any are left out."""
        found = zip(self.lowers, self.uppers, counts, strict=True)
        return tuple(found) if all(counts) else tuple([one for one in found if one[2]])


_NOTHING = Counts((), (), ())


class Totals:
    """The last total of each range; one that a record leaves out keeps its value."""

    def __init__(self, first: Counts) -> None:
        self._last = first
        self._left_out: RangeCounts = {}

    def growth(self, now: Counts) -> list[Bound]:
        """By how much each count is more than the last one; less than 0 where it fell."""
        if self._has_ranges_of(now):  # mostly
            return list(map(sub, now.counts, self._last.counts))
        before = {**self._left_out, **self._last.by_range()}
        return [count - before.get(key, 0) for key, count in now.by_range().items()]

    def keep(self, now: Counts) -> None:
        """The counts are the last totals from now on."""
        if not self._has_ranges_of(now):
            present = now.by_range()
            before = {**self._left_out, **self._last.by_range()}
            self._left_out = {key: count for key, count in before.items() if key not in present}
        self._last = now

    def _has_ranges_of(self, now: Counts) -> bool:
        return now.lowers == self._last.lowers and now.uppers == self._last.uppers
