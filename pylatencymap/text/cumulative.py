"""Keeps cumulative counts continuous while the source changes its bucket bounds."""

from collections.abc import Hashable, Iterable

from ..record import DOUBTFUL, Bound, Range, RangeCounts, counts_of, flaw_of_ranges, tidy_ranges, tidy_totals

_Key = tuple[Bound, Bound | None]
NO_FLAGS: frozenset[str] = frozenset()


class CumulativeCounts:
    """The cumulative counts of one series, which never jump when its bounds change.

    Counts from before a change keep their old bounds; only later counts get the new ones. After a change, the record is
    the frozen earlier counts plus the growth under the new bounds: the new counts minus the part of them that is
    already in the earlier counts (``_base``). A count that was there before and is 0 now has fallen, and is told: a
    range that a record leaves out would keep its count.

    ``is_guess``: of the last ranges the growth is known, but not where. Their bounds divide those from before in a
    place where there were events already, as after a line that was lost: a bound that a source leaves out had none.
    """

    def __init__(self) -> None:
        self._layout: Hashable = None
        self._last: RangeCounts | None = None
        self._earlier: RangeCounts = {}
        self._base: RangeCounts = {}
        self._seen: set[_Key] = set()
        self.is_guess = False

    @property
    def flags(self) -> frozenset[str]:
        """The flags of a record with the last ranges."""
        return frozenset({DOUBTFUL}) if self.is_guess else NO_FLAGS

    def without_jumps(self, layout: Hashable, ranges: Iterable[Range]) -> tuple[Range, ...]:
        """The ranges for a record. ``layout`` identifies the bounds; ``ranges`` are all the counts under them.

        What is impossible stays so, costs its record, and is not remembered.
        """
        tidy = tidy_ranges(list(ranges))
        if flaw_of_ranges(tidy):
            return tidy
        now, self.is_guess = counts_of(tidy), False
        if self._last is not None and layout != self._layout:
            self._change(now)
            self._seen.clear()
        elif self._base and any(now.get(key, 0) < count for key, count in self._base.items()):
            self._earlier, self._base = {}, {}
        self._layout, self._last = layout, now
        if not self._earlier:
            return self._with_fallen(tidy, now)
        grown = [(lower, upper, count - self._base.get((lower, upper), 0)) for lower, upper, count in tidy]
        return tidy_ranges([*((lower, upper, count) for (lower, upper), count in self._earlier.items()), *grown])

    def _with_fallen(self, tidy: tuple[Range, ...], now: RangeCounts) -> tuple[Range, ...]:
        """The ranges, and those that had counts under the same bounds and have none now."""
        fallen = [(lower, upper, 0) for lower, upper in self._seen if (lower, upper) not in now]
        self._seen.update(now)
        return tidy_totals([*tidy, *fallen]) if fallen else tidy

    def _change(self, now: RangeCounts) -> None:
        """Freeze the counts so far. If the new counts cannot contain them, the counters were lost in a restart."""
        last = self._last or {}
        earlier = dict(self._earlier)
        for key, count in last.items():
            earlier[key] = earlier.get(key, 0) + count - self._base.get(key, 0)
        base, is_divided = _among(last, now)
        self.is_guess = is_divided and base is not None and base != now
        self._earlier, self._base = ({}, {}) if base is None else (earlier, base)


def _among(last: RangeCounts, now: RangeCounts) -> tuple[RangeCounts | None, bool]:
    """The last counts, moved to the new bounds; None if the new counts are too small to contain them. And whether one
    of these counts had to be divided.

    If new bounds divide a range, its count goes to the uppermost parts: a bound that was missing had no events below
    it.
    """
    base: RangeCounts = dict.fromkeys(now, 0)
    is_divided = False
    parts = sorted(now, key=lambda key: key[0], reverse=True)
    for key, count in sorted(last.items(), key=lambda item: item[0][0], reverse=True):
        for part in parts:
            if not count:
                break
            if _overlap(part, key):
                taken = min(count, now[part] - base[part])
                base[part] += taken
                count -= taken
                is_divided |= bool(taken and count)
        if count:
            return None, is_divided
    return base, is_divided


def _overlap(one: _Key, other: _Key) -> bool:
    (low, high), (lower, upper) = one, other
    return (upper is None or low < upper) and (high is None or lower < high)
