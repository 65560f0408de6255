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
FEW_TO_FALL = 3
"""With fewer counts than this, damage and counts per interval look alike: only one live snapshot that fell can be
damaged, if at least GROWN_AROUND, and all others, grew.
"""
GROWN_AROUND = 4
OVERWHELMING = 8
"""So many snapshots for one meaning, and so many times as many as against it, leave no doubt."""

GROWN_FOR_PEAK = 2 * ENOUGH
"""Counts that grew, for each snapshot that was higher than those before and after it, that show it was damaged."""

PATIENCE = 2
"""Snapshots after one that fell which tell damage from a restart and from counts per interval."""

SeriesKey = tuple[str, Unit]


def fell(before: RangeCounts, now: RangeCounts) -> bool:
    """Whether a bucket has lost events or is missing."""
    return any(now.get(key, 0) < count for key, count in before.items())


class Evidence:
    """The snapshots of one label, each compared with the one before it.

    A snapshot fell if a bucket lost events, or if it has fewer series than the one before, as after clearing a map.
    ``growths``, ``slight`` and ``clear`` count the snapshots that only grew, that fell in a few counts, and that fell
    in many; ``_peaks`` of these came after one too high. ``snapshots`` counts all, and ``run`` those that grew since
    the last one that fell. With fewer counts than ``fewest`` a snapshot that fell is no damage, even if the next one
    continues from the one before it.

    Of a live source one fall that damage can explain decides nothing, before ENOUGH counts that did not fall.
    """

    def __init__(self, fewest: int = MANY) -> None:
        self.snapshots = self.growths = self.slight = self.clear = self.run = 0
        self._fewest = fewest
        self._lowered = self._most = 0
        self._since_fall = PATIENCE
        self._is_like_damage = self._is_first_too_high = False
        self._compared = 0
        self._counts_grown = self._counts_fallen = 0
        self._peaks = 0
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
        self._most = max(self._most, sum(map(len, self._now.values())))
        self._lost += lost
        self._lowered += fallen - missing
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
    def is_unsettled(self) -> bool:
        """Whether the snapshot that fell last can be damaged, which the next ones show."""
        if self._lost:
            return self._looks_damaged
        return self._is_like_damage and not self._is_judged

    @property
    def is_overdue(self) -> bool:
        """Whether the snapshots after one that fell were enough to judge it, even if that leaves a doubt."""
        return bool(self.clear or self.slight) and self._is_judged

    @property
    def _is_judged(self) -> bool:
        is_early = self._compared < ENOUGH or (self.is_few and self.growths < GROWN_AROUND)
        return self._since_fall >= PATIENCE and not (self._is_one_damaged and is_early)

    @property
    def _is_one_damaged(self) -> bool:
        """Whether a single damaged snapshot explains all that fell."""
        return self.clear + self.slight == 1 and self._is_like_damage

    @property
    def _looks_damaged(self) -> bool:
        """Whether the current snapshot differs from totals by no more than one damaged line or missing ones, or the
        one before it does.
        """
        known = sum(map(len, self._last.values()))
        if known < self._fewest or not any(self._now.values()):
            return False
        if self._is_in_one_line:
            return not self.is_restless
        return not self.is_few and bool(self._previous) and self._continues_from(self._previous)

    @property
    def _is_in_one_line(self) -> bool:
        """Whether one damaged line, or missing ones, explain all that this snapshot has lost."""
        return self._lowered == 0 or (self._lowered == 1 and self._lost == 1)

    @property
    def is_restless(self) -> bool:
        """Whether counts have fallen in more snapshots than damage explains."""
        return self.clear > 1 or (self.is_few and self.clear + self.slight > (not self._lost))

    @property
    def _has_clearly_fallen(self) -> bool:
        return bool(self.clear or (self.is_few and self.slight > 1))

    @property
    def is_few(self) -> bool:
        """Whether no snapshot had more than one or two counts."""
        return self._most < FEW_TO_FALL

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
        self._note_fall(clear or self._lost > 0)
        if clear and sum(map(len, self._previous.values())) >= self._fewest and self._continues_from(self._previous):
            self.clear -= self._falls  # the snapshot in the middle was damaged
            self._falls, self._before_falls = 0, {}
            self.slight += 1
            self.growths += any(self._now.get(key, {}) != counts for key, counts in self._previous.items())
        elif clear:
            self.clear += 1
            self._peaks += bool(self._previous) and self._continues_from(self._previous)
            self._before_falls = self._before_falls or dict(self._last)
            self._falls += 1
        elif self._lost:
            self._forgive()
            self.slight += 1
        else:
            self._is_like_damage &= self._forgive() or self._is_first_too_high
            grew = any(sum(now.values()) > sum(before.values()) for before, now in again)
            self.growths += grew
            self.run += grew
        self.snapshots += 1
        self._series = len(self._now)
        self._previous, self._last = self._last, {**self._last, **self._now}
        self._now, self._lost, self._lowered = {}, 0, 0

    def _note_fall(self, has_fallen: bool) -> None:
        """Count the snapshots since one that fell."""
        self._since_fall += 1
        if has_fallen:
            self._is_like_damage = self._looks_damaged
            self._is_first_too_high = self.snapshots == 1
            self._since_fall = self.run = 0

    def _forgive(self) -> bool:
        """Take clear falls for damage if this snapshot, which did not fall, continues from the one before them. Returns
        whether nothing speaks against that.
        """
        before, self._before_falls = self._before_falls, {}
        falls, self._falls = self._falls, 0
        if not falls:
            return True
        if not self._continues_from(before):
            return False
        self.clear -= falls
        self.slight += 1
        return True

    def _continues_from(self, before: dict[SeriesKey, RangeCounts]) -> bool:
        """Whether no count of this snapshot is below that of an earlier one."""
        return not any(fell(counts, self._now.get(key, {})) for key, counts in before.items())

    def allows(self, settled: Semantics) -> bool:
        """Whether what was settled is no guess: counts per interval have fallen in a snapshot that is not damaged."""
        if settled is Semantics.CUMULATIVE or not (self.clear or self.slight):
            return True
        return self._has_clearly_fallen and not self.is_unsettled

    def sure(self) -> Semantics | None:
        """The semantics if the first snapshots are clear, else None."""
        if self._has_clearly_fallen and not self._is_one_damaged:
            return Semantics.INTERVAL
        grew = self.snapshots >= FEWEST_SNAPSHOTS and self.growths >= FEWEST_SNAPSHOTS - 1
        enough = self._compared >= ENOUGH and self.growths >= GROWTHS_FOR_SLIGHT * self.slight
        if self.is_few and (self.clear or self.slight):
            enough = enough and self._has_grown_around
        return Semantics.CUMULATIVE if grew and enough else None

    def by_first(self) -> Semantics:
        """The semantics by the first snapshots of a live source, even if they are not clear."""
        if not self.is_unsettled and (found := self.sure()):
            return found
        if self.is_few and (self.clear or self.slight):
            return Semantics.CUMULATIVE if self._is_one_damaged and self._has_grown_around else Semantics.INTERVAL
        return self.likely()

    @property
    def _has_grown_around(self) -> bool:
        """Whether all snapshots but one grew, and these are enough."""
        return self.growths >= max(GROWN_AROUND, self.snapshots - 2)

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
            peaks = min(self._peaks, self.clear) if self._counts_grown >= GROWN_FOR_PEAK * self._peaks else 0
            falls = self._growths_for_clear * (self.clear - peaks)
            total = self.growths >= falls + GROWTHS_FOR_SLIGHT * (self.slight + peaks)
        elif self.growths:
            total = self.snapshots >= FEWEST_SNAPSHOTS or self._compared >= FEW
        else:
            total = steps > 0 and self._compared >= FEW * steps
        return Semantics.CUMULATIVE if total else Semantics.INTERVAL
