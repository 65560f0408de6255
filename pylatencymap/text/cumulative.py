"""Cumulative counts under bounds that change while the source runs."""

from collections.abc import Hashable, Iterable

from ..record import Bound, Range, RangeCounts, counts_of, tidy_ranges

_Key = tuple[Bound, Bound | None]


class CumulativeCounts:
    """The cumulative counts of one series, told so that they never jump when its bounds change.

    What was counted under earlier bounds stays told under them; what comes is told under the new ones.
    """

    def __init__(self) -> None:
        self._layout: Hashable = None
        self._last: RangeCounts | None = None
        self._earlier: RangeCounts = {}
        self._base: RangeCounts = {}

    def told(self, layout: Hashable, ranges: Iterable[Range]) -> tuple[Range, ...]:
        """The ranges of a record. ``layout`` tells bounds from others; ``ranges`` are all the counts under them."""
        tidy = tidy_ranges(list(ranges))
        now = counts_of(tidy)
        if self._last is not None and layout != self._layout:
            self._change(now)
        elif self._base and any(now.get(key, 0) < count for key, count in self._base.items()):
            self._earlier, self._base = {}, {}
        self._layout, self._last = layout, now
        if not self._earlier:
            return tidy
        grown = [(lower, upper, count - self._base.get((lower, upper), 0)) for lower, upper, count in tidy]
        return tidy_ranges([*((lower, upper, count) for (lower, upper), count in self._earlier.items()), *grown])

    def _change(self, now: RangeCounts) -> None:
        """Freeze what was counted so far. Counts that cannot be among the new ones were lost in a restart."""
        last = self._last or {}
        earlier = dict(self._earlier)
        for key, count in last.items():
            earlier[key] = earlier.get(key, 0) + count - self._base.get(key, 0)
        base = _among(last, now)
        self._earlier, self._base = ({}, {}) if base is None else (earlier, base)


def _among(last: RangeCounts, now: RangeCounts) -> RangeCounts | None:
    """The last counts under new bounds, None where they do not fit.

    A count that the new bounds divide goes to the uppermost parts: a bound that was missing had no events below it.
    """
    base: RangeCounts = dict.fromkeys(now, 0)
    parts = sorted(now, key=lambda key: key[0], reverse=True)
    for key, count in sorted(last.items(), key=lambda item: item[0][0], reverse=True):
        for part in parts:
            if not count:
                break
            if _overlap(part, key):
                taken = min(count, now[part] - base[part])
                base[part] += taken
                count -= taken
        if count:
            return None
    return base


def _overlap(one: _Key, other: _Key) -> bool:
    (low, high), (lower, upper) = one, other
    return (upper is None or low < upper) and (high is None or lower < high)
