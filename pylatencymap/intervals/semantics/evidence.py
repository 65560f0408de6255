"""Weighs snapshots whose text does not say what the counts are: totals only grow, counts per interval also fall."""

from ...record import RangeCounts, Record, Semantics, counts_of
from ...units import Unit

FEWEST_SNAPSHOTS = 3
"""With at least this many snapshots in which counts grew and none fell, they are totals."""
ENOUGH = 8
"""Counts that did not fall, enough to rule out chance; a source with one bucket needs more snapshots for that."""
FEW = 4
"""Counts that did not fall, enough if the text ends after two snapshots."""
SLIGHT_PART = 8
"""If no more than one in so many counts fell from one snapshot to the next, it can be a damaged digit."""
GROWTHS_FOR_SLIGHT = 2
"""Snapshots that only grew, for each one that fell slightly, that speak for totals."""
GROWTHS_FOR_CLEAR = 6
"""The same for each one that fell clearly, as after a restart. Counts per interval fall about as often as they grow."""
MANY = 4
"""If at least so many counts were there, at least half of them are there now, and none of these fell, then the others
are more likely missing from the text, as in a print that was cut off, than zero.
"""
OVERWHELMING = 8
"""So many snapshots for one meaning, and so many times as many as against it, leave no doubt."""

SeriesKey = tuple[str, Unit]


def fell(before: RangeCounts, now: RangeCounts) -> bool:
    """Whether a bucket has lost events or is missing."""
    return any(now.get(key, 0) < count for key, count in before.items())


class Evidence:
    """The snapshots of one label, each compared with the one before it.

    A snapshot fell if a bucket lost events, or if it has fewer series than the one before, as after clearing a map.
    ``growths``, ``slight`` and ``clear`` count the snapshots that only grew, that fell in a few counts, and that fell
    in many. ``snapshots`` counts all.
    """

    def __init__(self) -> None:
        self.snapshots = self.growths = self.slight = self.clear = 0
        self._compared = 0
        self._counts_grown = self._counts_fallen = 0
        self._lost = 0
        self._falls = 0
        self._before_falls: dict[SeriesKey, RangeCounts] = {}
        self._series = 0
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._previous: dict[SeriesKey, RangeCounts] = {}
        self._now: dict[SeriesKey, RangeCounts] = {}

    def take(self, record: Record) -> None:
        """A record of the current snapshot."""
        key = (record.series, record.unit)
        now = self._now[key] = counts_of(record.ranges)
        before = self._last.get(key, {})
        fallen = sum(now.get(bucket, 0) < count for bucket, count in before.items())
        missing = len(before.keys() - now.keys())
        is_cut = fallen == missing and MANY <= len(before) <= 2 * len(now)
        lost = min(fallen, 1) if is_cut else fallen
        self._lost += lost
        self._counts_fallen += lost
        if key in self._last:
            self._counts_grown += sum(count > before.get(bucket, 0) for bucket, count in now.items())

    @property
    def has_fallen(self) -> bool:
        """Whether any snapshot fell clearly, the current one included."""
        return bool(self.clear) or self._is_clear

    @property
    def _is_clear(self) -> bool:
        """Whether the current snapshot has lost so many counts that it cannot be a damaged digit."""
        return self._lost * SLIGHT_PART > sum(map(len, self._last.values()))

    @property
    def is_up_to_date(self) -> bool:
        """Whether the current snapshot has as many series as the last one, so that it can be complete."""
        return len(self._now) >= self._series

    def close(self) -> None:
        """The snapshot is over. One without this label says nothing."""
        if not self._now:
            return
        again = [(self._last[key], counts) for key, counts in self._now.items() if key in self._last]
        self._compared += sum(len(before) for before, _ in again)
        if len(self._now) < self._series:
            self._counts_fallen += sum(len(counts) for key, counts in self._last.items() if key not in self._now)
        clear = self._is_clear or len(self._now) < self._series
        if clear and sum(map(len, self._previous.values())) >= MANY and self._continues_from(self._previous):
            self.clear -= self._falls  # the snapshot in the middle was damaged
            self._falls, self._before_falls = 0, {}
            self.slight += 1
            self.growths += any(self._now[key] != counts for key, counts in self._previous.items())
        elif clear:
            self.clear += 1
            self._before_falls = self._before_falls or dict(self._last)
            self._falls += 1
        elif self._lost:
            self._forgive()
            self.slight += 1
        else:
            self._forgive()
            self.growths += any(sum(now.values()) > sum(before.values()) for before, now in again)
        self.snapshots += 1
        self._series = len(self._now)
        self._previous, self._last = self._last, {**self._last, **self._now}
        self._now, self._lost = {}, 0

    def _forgive(self) -> None:
        """Take clear falls for damage if this snapshot, which did not fall, continues from the one before them."""
        before, self._before_falls = self._before_falls, {}
        if self._falls and self._continues_from(before):
            self.clear -= self._falls
            self.slight += 1
        self._falls = 0

    def _continues_from(self, before: dict[SeriesKey, RangeCounts]) -> bool:
        """Whether no count of this snapshot is below that of an earlier one."""
        return not any(fell(counts, self._now.get(key, {})) for key, counts in before.items())

    def sure(self) -> Semantics | None:
        """The semantics if the first snapshots are clear, else None."""
        if self.clear:
            return Semantics.INTERVAL
        grew = self.snapshots >= FEWEST_SNAPSHOTS and self.growths >= FEWEST_SNAPSHOTS - 1
        enough = self._compared >= ENOUGH and self.growths >= GROWTHS_FOR_SLIGHT * self.slight
        return Semantics.CUMULATIVE if grew and enough else None

    @property
    def is_overwhelming(self) -> bool:
        """Whether so many snapshots speak for one meaning that the rest of the text cannot change it."""
        falls = self.clear + self.slight
        grow = self.growths >= OVERWHELMING * max(falls, 1) and self._compared >= ENOUGH * self.growths
        return grow or (self.clear >= OVERWHELMING and self.clear >= self.growths)

    @property
    def is_guess(self) -> bool:
        """Whether the counts can be either: nothing fell in two or more snapshots, or seldom."""
        falls = self.clear + self.slight
        return self.snapshots > 1 and (not falls or self.growths >= GROWTHS_FOR_SLIGHT * falls)

    @property
    def _growths_for_clear(self) -> int:
        """How many snapshots that grew outweigh one that fell clearly. In a source with few counts a single damaged
        one is a clear fall, so what fell altogether is compared with what grew.
        """
        few = self._counts_fallen * SLIGHT_PART <= self._counts_grown
        return GROWTHS_FOR_SLIGHT if few else GROWTHS_FOR_CLEAR

    def likely(self) -> Semantics:
        """The more likely semantics, by all snapshots.

        A single snapshot covers the whole run of a program that prints at its end. Snapshots that are all equal are
        totals of an idle source, unless they are so small that single events in each would look the same. Snapshots
        that fall now and then, among many that only grow, are totals with a restart or with damage.
        """
        steps = max(self.snapshots - 1, 0)
        if self.clear or self.slight:
            total = self.growths >= self._growths_for_clear * self.clear + GROWTHS_FOR_SLIGHT * self.slight
        elif self.growths:
            total = self.snapshots >= FEWEST_SNAPSHOTS or self._compared >= FEW
        else:
            total = steps > 0 and self._compared >= FEW * steps
        return Semantics.CUMULATIVE if total else Semantics.INTERVAL
