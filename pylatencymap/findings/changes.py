"""What changed, with times: the episodes of all series, those that happened together as one, each as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analysis import (
    BandChange,
    BandChangeKind,
    BandShift,
    Changes,
    Episode,
    EpisodeKind,
    Level,
    find_changes,
    likeliest_turn,
)
from ..number_text import TimeWords, count_words, length_words, percent_text, range_words, waiting_words
from .evidence import SeriesData

FEWEST = 24
"""Columns with data from which on it can be told that nothing changed: shorter episodes than 4 columns are not found,
and each needs neighbours.
"""
TOGETHER = 0.1
"""Two episodes are one if both ends are closer than this part of their length, or than CLOSE columns."""
CLOSE = 3
RATE_FACTOR = 1.5
"""From this factor on, a change of the rate is told with a change of latencies."""
MORE_LOAD = 2.0
"""From this factor of the rate on, a band is not told as one that was there before."""
COSTLY = 0.01
"""The least share of all time waited that is told as a cost."""
LASTING = (EpisodeKind.STEP, EpisodeKind.DRIFT)
PASSING = (EpisodeKind.INCIDENT, EpisodeKind.MOVE)
DENSER = 2.0
"""A mode that an incident makes is so many times as frequent in it as in the rest of the time."""
SPILL, SPILL_PART = 0.001, 0.1
"""Less than both, as a share of all events and as a part of a band, is what another band spills over an edge."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happened from ``begin`` to ``end``, epoch microseconds; a step has both at the same moment.

    ``series``: those in which it happened, the one with the greatest cost first; ``alone``: it has neighbours, and none
    of them changed. ``low`` to ``high``, seconds: the latencies whose share changed, None where the rate did.
    ``before``, ``inside``, ``after``: see Level, of the first series. ``cost``: seconds waited more than the time
    around it would have had, of all its series; None where nobody knows, or where it may be nothing. ``text``: the
    sentence, without time and names.
    """

    kind: EpisodeKind
    begin: int
    end: int
    series: tuple[str, ...]
    alone: bool
    low: float | None
    high: float | None
    before: Level | None
    inside: Level | None
    after: Level | None
    cost: float | None
    text: str

    @property
    def is_about_source(self) -> bool:
        """Whether it is a gap or a reset, and no change of what is measured."""
        return self.kind in (EpisodeKind.GAP, EpisodeKind.RESET)


@dataclass(frozen=True)
class _Placed:
    """An episode of one series, in time."""

    data: SeriesData
    episode: Episode
    begin: int
    end: int

    @property
    def near(self) -> float:
        """Microseconds between two moments that are one."""
        return max(CLOSE * self.data.width * 1e6, TOGETHER * (self.end - self.begin))

    def matches(self, other: _Placed) -> bool:
        near = max(self.near, other.near)
        return abs(self.begin - other.begin) <= near and abs(self.end - other.end) <= near

    @property
    def cost(self) -> float:
        return self.episode.cost or 0.0


def find_all_changes(series: Sequence[SeriesData]) -> tuple[Change, ...]:
    """What changed in any series: what cost or saved most first, then gaps, then resets."""
    found = [
        (data, find_changes(data.counts, data.edges, data.seconds, resets=data.resets, waited=data.waited))
        for data in series
    ]
    return told_changes(found)


def told_changes(found: Sequence[tuple[SeriesData, Changes]]) -> tuple[Change, ...]:
    """The changes that the analysis ``found`` in each series, as sentences, in the order of ``find_all_changes``."""
    placed = [one for data, its in found for one in _placed(data, its)]
    placed.sort(key=lambda one: (_class(one.episode), -abs(one.cost), one.begin))
    groups: list[list[_Placed]] = []
    for one in placed:
        group = next((group for group in groups if _is_same(group[0], one)), None)
        if group is None:
            groups.append([one])
        elif all(one.data is not other.data for other in group):
            group.append(one)
    told = [_change(group, len(found)) for group in groups if not _is_echo(group, groups)]
    order = {id(change): place for place, change in enumerate(told)}
    return tuple(sorted(told, key=lambda one: (_rank(one), -abs(one.cost or 0.0), one.begin, order[id(one)])))


def _placed(data: SeriesData, found: Changes) -> Iterator[_Placed]:
    for episode in found.episodes:
        if episode.kind is EpisodeKind.RESET and data.seconds[episode.first] <= 0:
            continue  # the source was away: that is told as a gap
        begin = int(data.starts[min(episode.first, len(data.starts) - 1)])
        end = int(data.ends[episode.last - 1]) if episode.last > episode.first else begin
        yield _Placed(data, episode, begin, max(begin, end))


def _class(episode: Episode) -> int:
    return {EpisodeKind.GAP: 1, EpisodeKind.RESET: 2}.get(episode.kind, 0)


def _rank(change: Change) -> int:
    return {EpisodeKind.GAP: 1, EpisodeKind.RESET: 2}.get(change.kind, 0)


def _is_same(one: _Placed, other: _Placed) -> bool:
    """Whether two episodes of different series, or a change of latencies and of the rate, are one sentence."""
    mine, its = one.episode, other.episode
    if one.data is other.data:
        return False
    same_kind = mine.kind is its.kind and (mine.low is None) == (its.low is None)
    return same_kind and (mine.size < 0) == (its.size < 0) and one.matches(other)


def _is_echo(group: list[_Placed], groups: list[list[_Placed]]) -> bool:
    """Whether the rate changed while latencies did: it is told there."""
    first = group[0]
    if first.episode.low is not None or first.episode.kind not in (EpisodeKind.INCIDENT, EpisodeKind.STEP):
        return False
    return any(
        one.data is first.data and one.episode.low is not None and one.episode.kind is first.episode.kind
        for other in groups
        for one in other
        if one.matches(first)
    )


def _change(group: list[_Placed], many: int) -> Change:
    first = group[0]
    episode = first.episode
    source = episode.kind in (EpisodeKind.GAP, EpisodeKind.RESET)
    return Change(
        episode.kind,
        first.begin,
        first.end,
        tuple(one.data.name for one in group),
        many > 1 and len(group) == 1 and not source,
        episode.low,
        episode.high,
        episode.before,
        episode.inside,
        episode.after,
        _known_cost([one.episode for one in group]),
        change_words(episode, first.data.noun, (first.end - first.begin) / 1e6),
    )


def _known_cost(episodes: Sequence[Episode]) -> float | None:
    """What they cost or saved together; None where it can be either, or nothing."""
    if all(one.kind is EpisodeKind.RESET for one in episodes):
        return 0.0
    bands = [one.cost_band for one in episodes]
    if any(band is None for band in bands):
        return None
    low, high = (sum(band[end] for band in bands if band is not None) for end in (0, 1))
    cost = sum(one.cost or 0.0 for one in episodes)
    return cost if (low > 0 and cost > 0) or (high < 0 and cost < 0) else None


RESET_WORDS = "reset: the source's counters began anew"


def gap_words(seconds: float) -> str:
    """The sentence about a silence of the source."""
    return f"gap: no data for {length_words(seconds)} (no data is not zero)"


def change_words(episode: Episode, noun: str, seconds: float) -> str:
    """The sentence about an episode that lasted so long."""
    if episode.kind is EpisodeKind.GAP:
        return gap_words(seconds)
    if episode.kind is EpisodeKind.RESET:
        return RESET_WORDS
    if episode.kind is EpisodeKind.STALL:
        before = episode.before or episode.after
        side = "around" if episode.before and episode.after else "before" if episode.before else "after"
        usual = f", {count_words(before.rate)}/s {side} it" if before else ""
        return f"stall: no {noun} for {length_words(seconds)}{usual}"
    if episode.low is None or episode.high is None:
        return _rate_words(episode, noun)
    if episode.shift:
        return _shift_words(episode.shift, episode, noun) + _rate_clause(episode)
    if episode.band and not _has_more_load(episode):
        return band_change_words(episode.band, episode) + _rate_clause(episode)
    return _band_words(episode, noun) + _rate_clause(episode)


def _shift_words(shift: BandShift, episode: Episode, noun: str) -> str:
    """The sentence about a band whose events only became faster or slower: no share of anything fell."""
    where, there = range_words(shift.from_low, shift.from_high), range_words(shift.to_low, shift.to_high)
    if episode.kind in LASTING:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "moved"
        what = f"the band at {where} {verb} to {there}"
    else:
        what = f"the band at {where} moves to {there} and returns"
    shares = f"{percent_text(shift.to_shares[1])} of {noun} there, {_some(shift.to_shares[0])} before"
    return f"{what}: {shares}"


def _rate_words(episode: Episode, noun: str) -> str:
    """The sentence about a change of the rate."""
    before, inside, after = episode.before, episode.inside, episode.after
    if episode.kind in LASTING:
        verb = "drifted" if episode.kind is EpisodeKind.DRIFT else "went"
        if before and after:
            return f"the rate {verb} from {count_words(before.rate)} to {count_words(after.rate)} {noun} per second"
    if inside is None:
        return "the rate changed"
    others = [f"{count_words(level.rate)} {side}" for level, side in ((before, "before"), (after, "after")) if level]
    verb = "rises" if episode.size > 0 else "falls"
    return f"the rate {verb} to {count_words(inside.rate)} {noun} per second; {', '.join(others)}".rstrip("; ")


def _band_words(episode: Episode, noun: str) -> str:
    """The sentence about latencies whose share changed."""
    before, inside, after = episode.before, episode.inside, episode.after
    band = range_words(episode.low or 0.0, episode.high or 0.0)
    if episode.kind in LASTING:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "goes"
        if before and after:
            if (new := _is_spill(before, after)) or _is_spill(after, before):
                verb, level, other = ("appears", after, "before") if new else ("is gone", before, "after")
                some = _hardly(before if new else after, other)
                return f"a band at {band} {verb}: {_shares(level, noun)}{'' if new else ' before'}; {some}"
            moved = " to ".join(_different(before.share, after.share))
            return f"the share of {noun} at {band} {verb} from {moved}"
        return f"the share of {noun} at {band} changes"
    if inside is None:
        return f"{noun} at {band} change"
    around = [level for level in (before, after) if level is not None]
    if inside.events and around and all(_is_spill(level, inside) for level in around):
        sides = "before or after" if len(around) == 2 else "before" if before else "after"
        return f"a band appears at {band}: {_shares(inside, noun)}; {_hardly(max(around, key=_share), sides)}"
    verb = "rise" if episode.size > 0 else "fall"
    if episode.kind is EpisodeKind.MOVE:
        what = f"the band moves within {band} and returns: {_shares(inside, noun)}"
    else:
        what = f"{noun} at {band} {verb} to {percent_text(inside.share)}, {percent_text(inside.time_share)} of the wait"
    others = [f"{_some(level.share)} {side}" for level, side in ((before, "before"), (after, "after")) if level]
    return f"{what}; {', '.join(others)}".rstrip("; ")


def _some(share: float) -> str:
    return percent_text(share) if share else "none"


def _share(level: Level) -> float:
    return level.share


def _is_spill(level: Level, whole: Level) -> bool:
    """Whether a time has nothing of a band, or only the outermost events of another."""
    return whole.share > 0 and level.share < SPILL and level.share <= whole.share * SPILL_PART


def _hardly(level: Level, sides: str) -> str:
    return f"hardly any {sides}" if level.events else f"none {sides}"


def _different(before: float, after: float) -> tuple[str, str]:
    """Two shares that differ, with as many digits as it takes to see that."""
    texts = percent_text(before), percent_text(after)
    if texts[0] != texts[1] or before == after:
        return texts
    digits = next((one for one in range(1, 6) if f"{before:.{one + 2}f}" != f"{after:.{one + 2}f}"), 6)
    return f"{100 * before:.{digits}f} %", f"{100 * after:.{digits}f} %"


def _has_more_load(episode: Episode) -> bool:
    """Whether there is so much more that it is not what was there before, only slower."""
    level = episode.after if episode.kind in LASTING else episode.inside
    return bool(level and episode.before and level.rate > MORE_LOAD * episode.before.rate)


def band_change_words(change: BandChange, episode: Episode) -> str:
    """What became of a band; if it returned, that it did."""
    where = f"the band at {range_words(*change.where)}"
    there = " and ".join(range_words(*part) for part in change.to)
    back = "" if episode.kind in LASTING else " and returns"
    if change.kind is BandChangeKind.MOVED:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "moves" if back else "moved"
        return f"{where} {verb} to {there}{back}"
    if change.kind is BandChangeKind.WIDENED:
        return f"{where} {'widens' if back else 'widened'} to {there}{back}"
    return f"{where} {'splits' if back else 'split'} into two, at {there}{back}"


def _shares(level: Level, noun: str) -> str:
    return f"{percent_text(level.share)} of {noun}, {percent_text(level.time_share)} of the wait"


def _rate_clause(episode: Episode) -> str:
    """How the rate changed with the latencies; empty where it did not."""
    level = episode.after if episode.kind in LASTING else episode.inside
    if level is None or episode.before is None or min(level.rate, episode.before.rate) <= 0:
        return ""
    factor = level.rate / episode.before.rate
    if 1 / RATE_FACTOR < factor < RATE_FACTOR:
        return ""
    return f"; rate {count_words(episode.before.rate)} -> {count_words(level.rate)}/s"


def with_exact_ends(change: Change, near: Callable[[int, int], SeriesData], reach: int) -> Change:
    """An incident that was found in long columns, with ends as exact as the data are. ``near`` returns the columns
    between two moments as they were recorded; ``reach``, microseconds, is how far an end can be off.
    """
    if change.kind is not EpisodeKind.INCIDENT or change.low is None or change.high is None:
        return change
    reach = min(reach, (change.end - change.begin) // 2)
    begin, end = (
        _exact_end(near(end - reach, end + reach), change.low, change.high, end) for end in (change.begin, change.end)
    )
    return replace(change, begin=begin, end=end) if begin < end else change


def _exact_end(data: SeriesData, low: float, high: float, otherwise: int) -> int:
    """The moment at which the share of the events between two latencies turns."""
    size = len(data.starts)
    if size < 3:
        return otherwise
    rows = (data.edges[:-1] >= low) & (data.edges[1:] <= high)
    place = min(int(np.searchsorted(data.starts, otherwise)), size - 1)
    turn = likeliest_turn(data.counts[rows].sum(axis=0), data.counts.sum(axis=0), 0, size, place)
    return int(data.starts[turn]) if 0 < turn < size else otherwise


def cost_words(change: Change, waited: float, whole: str = "this series' wait") -> str:
    """What a change cost, and its share of the time ``waited``, which is that of the ``whole``; empty where that is
    nothing to speak of.
    """
    if change.cost is None or waited <= 0 or change.cost < COSTLY * waited:
        return ""
    share = min(change.cost / waited, 1.0)
    return f"cost: {waiting_words(change.cost)} of waiting, {percent_text(share)} of {whole}"


def when_words(change: Change, times: TimeWords) -> str:
    """When it was: a span, or a moment."""
    if change.kind is EpisodeKind.RESET:
        return times.moment(change.begin)
    return times.span(change.begin, change.end) if change.end > change.begin else times.moment(change.begin)


def mode_only_during(data: SeriesData, lower: float, upper: float, changes: Sequence[Change]) -> tuple[Change, ...]:
    """The incidents in which nearly all events between two latencies lie, if they cover less than half of the time; a
    change from which on they are there is one up to the end.
    """
    rows = (data.edges[:-1] >= lower) & (data.edges[1:] <= upper)
    each = data.counts[rows].sum(axis=0)
    inside = np.zeros(len(each), dtype=bool)
    slack = CLOSE * data.width * 1e6
    some = []
    for change in sorted(changes, key=lambda one: one.begin):
        if data.name not in change.series or change.low is None or change.kind is EpisodeKind.DRIFT:
            continue
        end = change.end if change.kind in PASSING else int(data.ends[-1])
        within = (data.ends > change.begin - slack) & (data.starts < end + slack)
        many, lasted = float(each[within].sum()), float(data.seconds[within].sum())
        if many * (data.span - lasted) > DENSER * (float(each.sum()) - many) * lasted:
            some.append(change)
            inside |= within
    short = float(data.seconds[inside].sum()) < data.span / 2
    return tuple(some) if short and each.sum() and each[inside].sum() >= 0.9 * each.sum() else ()
