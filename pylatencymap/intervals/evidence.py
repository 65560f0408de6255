"""What the first prints of a source show of its counts: totals only grow, counts per interval also fall."""

from ..record import RangeCounts, Record, Semantics, counts_of
from ..units import Unit

FEWEST_PRINTS = 3
"""So many prints in which nothing fell are totals, if they grew."""
ENOUGH = 8
"""Counts that did not fall, so that it was hardly by chance: of a source with one bucket more prints are needed."""
FEW = 4
"""Counts that did not fall, enough where the text ends after two prints."""

SeriesKey = tuple[str, Unit]


def fell(before: RangeCounts, now: RangeCounts) -> bool:
    """Whether a bucket has lost events or is missing."""
    return any(now.get(key, 0) < count for key, count in before.items())


class Evidence:
    """The prints of what was measured under one label, compared print by print.

    ``fallen``: a bucket lost events, or there were fewer series than in the print before, as of a map that was cleared.
    """

    def __init__(self) -> None:
        self.fallen = False
        self._prints = 0
        self._growths = 0
        self._compared = 0
        self._series = 0
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._now: dict[SeriesKey, RangeCounts] = {}

    def take(self, record: Record) -> None:
        """A record of the print that is going on."""
        key = (record.series, record.unit)
        self._now[key] = counts_of(record.ranges)
        self.fallen = self.fallen or fell(self._last.get(key, {}), self._now[key])

    @property
    def is_up_to_date(self) -> bool:
        """Whether the print that is going on has as many series as the last one, so that nothing more need come."""
        return len(self._now) >= self._series

    def close(self) -> None:
        """The print is over. One in which nothing of this label was printed says nothing."""
        if not self._now:
            return
        self.fallen = self.fallen or len(self._now) < self._series
        again = [(self._last[key], counts) for key, counts in self._now.items() if key in self._last]
        self._compared += sum(len(before) for before, _ in again)
        self._growths += any(sum(now.values()) > sum(before.values()) for before, now in again)
        self._prints += 1
        self._series = len(self._now)
        self._last.update(self._now)
        self._now = {}

    def sure(self) -> Semantics | None:
        """The semantics, once they are clear."""
        if self.fallen:
            return Semantics.INTERVAL
        grew = self._prints >= FEWEST_PRINTS and self._growths >= FEWEST_PRINTS - 1
        return Semantics.CUMULATIVE if grew and self._compared >= ENOUGH else None

    @property
    def is_guess(self) -> bool:
        """Whether nothing fell in two prints or more, so that the counts may be either."""
        return not self.fallen and self._prints > 1

    def likely(self) -> Semantics:
        """The semantics as far as they are known, where nothing more can be waited for.

        A single print is one of all that happened, at the end of a program. Prints that are all alike are totals of a
        source that is idle, unless they are so small that one event after the other would look the same.
        """
        steps = max(self._prints - 1, 0)
        if self.fallen or not steps:
            return Semantics.INTERVAL
        if self._growths:
            total = self._prints >= FEWEST_PRINTS or self._compared >= FEW
        else:
            total = self._compared >= FEW * steps
        return Semantics.CUMULATIVE if total else Semantics.INTERVAL
