"""Exact sums: maps of numbers that scripts print next to their histograms."""

from collections.abc import Sequence
from typing import TypeAlias

from ...record import Range
from .maps import is_sum, words_in_name

MOST = 100_000
"""Most numbers kept of one snapshot."""


_Numbers: TypeAlias = dict[str | None, dict[str, tuple[int, int | None]]]
"""By key and by map: a number and, for stats() maps, its number of events."""


class ExactSums:
    """The numbers of one snapshot.

    The sum of a histogram is the total of a stats() map with the same key and the same number of events, or the number
    of a map whose name says that it is a sum, with the same key: ``@sum``, or if there are several, the one whose name
    resembles the histogram's, such as ``@us_sum`` or ``@read_sum`` for ``@us`` and ``@read_us``. A number that cannot
    be the sum of these ranges is not used. Sums can be printed before or after their histograms.
    """

    def __init__(self) -> None:
        self._numbers: _Numbers = {}
        self._next: _Numbers = {}
        self._count = 0

    def go_on(self) -> None:
        """Begin another snapshot, unless a number that came for the second time has begun it already."""
        self._numbers, self._next, self._count = self._next, {}, 0

    def add(self, name: str, key: str | None, total: int, events: int | None) -> None:
        """Add a number; ``events`` is known for stats() maps. A repeated number belongs to the next snapshot."""
        if self._count < MOST and (events is not None or is_sum(name)):
            place = _bare(key)
            numbers = self._next if name in self._numbers.get(place, ()) else self._numbers
            numbers.setdefault(place, {})[name] = total, events
            self._count += 1

    def of(self, name: str, key: str | None, rows: Sequence[Range]) -> int | None:
        """The sum of a histogram in the unit of its map; None if it is not known."""
        candidates = self._numbers.get(_bare(key))
        if not candidates:
            return None
        count = sum(events for _, _, events in rows)
        fitting = [
            (_likeness(name, other), total)
            for other, (total, events) in candidates.items()
            if (events is None or events == count) and _may_be(total, rows)
        ]
        return max(fitting)[1] if fitting else None

    def unfit(self, name: str, key: str | None) -> str:
        """The map whose number is called the sum of this histogram, though ``of`` says that it cannot be; else empty.

        That is the only sum with this key, or one whose name has a word of the histogram's.
        """
        candidates = list(self._numbers.get(_bare(key), ()))
        alike = [other for other in candidates if _likeness(name, other)]
        return (alike or [""])[0] if len(candidates) != 1 else candidates[0]


def _bare(key: str | None) -> str | None:
    """A key in the form that text and JSON share."""
    return None if key is None else key.replace(" ", "")


def _likeness(name: str, other: str) -> int:
    return len(set(words_in_name(name)).intersection(words_in_name(other)))


def _may_be(total: int, rows: Sequence[Range]) -> bool:
    least = sum(lower * count for lower, _, count in rows)
    if any(upper is None for _, upper, _ in rows):
        return total >= least
    return least <= total <= sum((upper or 0) * count for _, upper, count in rows)
