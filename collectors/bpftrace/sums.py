"""Exact sums: maps of numbers that scripts print beside their histograms."""

from collections.abc import Sequence

from ...record import Range
from .maps import is_sum, words_of

MOST = 100_000
"""Numbers kept of one print."""


class Sums:
    """The numbers of one print.

    The sum of a histogram is the total of a stats() map with the same key and as many events, or the number of a map
    that is named as a sum, with the same key: ``@sum`` or, of several, the one named like the histogram, as ``@us_sum``
    or ``@read_sum`` is for ``@us`` and ``@read_us``. What cannot be the sum of these ranges is not taken for it.
    """

    def __init__(self) -> None:
        self._numbers: dict[str | None, list[tuple[str, int, int | None]]] = {}
        self._count = 0

    def clear(self) -> None:
        """Another print begins."""
        if self._count:
            self._numbers, self._count = {}, 0

    def add(self, name: str, key: str | None, total: int, events: int | None) -> None:
        """A number; ``events`` is known of stats() maps."""
        if self._count < MOST and (events is not None or is_sum(name)):
            self._numbers.setdefault(_bare(key), []).append((name, total, events))
            self._count += 1

    def of(self, name: str, key: str | None, rows: Sequence[Range]) -> int | None:
        """The sum of a histogram in the unit of its map, None where it is not known."""
        candidates = self._numbers.get(_bare(key)) if self._count else None
        if not candidates:
            return None
        count = sum(events for _, _, events in rows)
        fitting = [
            (_likeness(name, other), total)
            for other, total, events in candidates
            if (events is None or events == count) and _may_be(total, rows)
        ]
        return max(fitting)[1] if fitting else None


def _bare(key: str | None) -> str | None:
    """A key as text and JSON have it in common."""
    return None if key is None else key.replace(" ", "")


def _likeness(name: str, other: str) -> int:
    return len(set(words_of(name)).intersection(words_of(other)))


def _may_be(total: int, rows: Sequence[Range]) -> bool:
    least = sum(lower * count for lower, _, count in rows)
    if any(upper is None for _, upper, _ in rows):
        return total >= least
    return least <= total <= sum((upper or 0) * count for _, upper, count in rows)
