"""What changed, with times: the episodes of all series, those that happened together as one, each as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analysis import (
    Changes,
    Episode,
    EpisodeKind,
    Level,
    find_changes,
    likeliest_turn,
    rows_between,
)
from ..moment_text import TimeWords
from ..number_text import percent_text, waiting_words
from ..window import BoolArray, FloatArray
from .change_sentences import change_words
from .evidence import SeriesData

FEWEST = 24
"""With fewer columns nobody can tell that nothing changed: only episodes of 4 columns and more are found, and each
needs neighbours.
"""
TOGETHER = 0.1
"""Two episodes are one if both ends are closer than this part of their length, or than CLOSE columns."""
CLOSE = 3
REACH = 3
"""The ends of an incident are looked for within so many columns of where they were found."""
COSTLY = 0.01
"""The least share of all time waited that is told as a cost."""
PASSING = (EpisodeKind.INCIDENT, EpisodeKind.MOVE)
DENSER = 2.0
"""A mode that an incident makes is so many times as frequent in it as outside of all incidents."""
FAIR_PART = 0.05
"""It has at least so large a part of what each incident would have of the mode's events if all had as many."""
NEARLY_ALL = 0.9
"""The part of a mode's events that lie in the incidents that make it."""


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
    placed.sort(key=lambda one: (_rank(one.episode.kind), -abs(one.cost), one.begin))
    told = _changes_of(placed, len(found))
    order = {id(change): place for place, change in enumerate(told)}
    return tuple(sorted(told, key=lambda one: (_rank(one.kind), -abs(one.cost or 0.0), one.begin, order[id(one)])))


def _changes_of(placed: Sequence[_Placed], many: int) -> list[Change]:
    """The changes of so many series. Episodes that are one sentence are a group, which the first of them names."""
    times, groups = _Times(placed), dict[int, list[int]]()
    for place, one in enumerate(placed):
        first = next(
            (its for its in times.matching(place, place) if its in groups and _is_same(placed[its], one)), place
        )
        group = groups.setdefault(first, [])
        if all(one.data is not placed[its].data for its in group):
            group.append(place)
    told = []
    in_any = {place for group in groups.values() for place in group}
    for first, group in groups.items():
        others = [placed[its] for its in times.matching(first) if its in in_any]
        if not _is_echo(placed[first], others):
            alone = many > 1 and len(group) == 1 and _is_alone(placed[first], others)
            told.append(_change([placed[its] for its in group], alone))
    return told


class _Times:
    """When episodes are, as arrays: thousands of series have thousands of them."""

    def __init__(self, placed: Sequence[_Placed]) -> None:
        self._begins = np.array([one.begin for one in placed], np.int64)
        self._ends = np.array([one.end for one in placed], np.int64)
        self._near = np.array([one.near for one in placed])

    def matching(self, place: int, upto: int | None = None) -> list[int]:
        """The places, before ``upto``, of the episodes whose ends are those of the one at ``place``: the same moments,
        or close together.
        """
        part = slice(upto)
        near = np.maximum(self._near[part], self._near[place])
        begins, ends = (np.abs(all_[part] - all_[place]) <= near for all_ in (self._begins, self._ends))
        found: list[int] = np.flatnonzero(begins & ends).tolist()
        return found


def changes_by_series(changes: Sequence[Change]) -> dict[str, list[Change]]:
    """The changes of each series that has any, in their order."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        for name in change.series:
            found.setdefault(name, []).append(change)
    return found


def _placed(data: SeriesData, found: Changes) -> Iterator[_Placed]:
    for episode in found.episodes:
        if episode.kind is EpisodeKind.RESET and data.seconds[episode.first] <= 0:
            continue  # the source was away: that is told as a gap
        if data.measured < FEWEST and not _rank(episode.kind):
            continue
        begin = int(data.starts[min(episode.first, len(data.starts) - 1)])
        end = int(data.ends[episode.last - 1]) if episode.last > episode.first else begin
        yield _Placed(data, episode, begin, max(begin, end))


def _rank(kind: EpisodeKind) -> int:
    """Where in the order: what changed comes first, at 0, then gaps, then resets."""
    return {EpisodeKind.GAP: 1, EpisodeKind.RESET: 2}.get(kind, 0)


def _is_same(one: _Placed, other: _Placed) -> bool:
    """Whether two episodes of different series at the same time are one sentence."""
    mine, its = one.episode, other.episode
    if one.data is other.data:
        return False
    same_kind = mine.kind is its.kind and (mine.low is None) == (its.low is None)
    return same_kind and (mine.size < 0) == (its.size < 0)


def _is_echo(first: _Placed, others: Sequence[_Placed]) -> bool:
    """Whether the sentence about another episode, a change of latencies at the same time, tells this change of the rate
    as well. ``others``: the episodes at that time.
    """
    if first.episode.low is not None or first.episode.kind not in (EpisodeKind.INCIDENT, EpisodeKind.STEP):
        return False
    kind = first.episode.kind
    return any(one.data is first.data and one.episode.low is not None and one.episode.kind is kind for one in others)


def _is_alone(first: _Placed, others: Sequence[_Placed]) -> bool:
    """Whether no other series changed then, in whatever way. ``others`` are the episodes at that time."""
    return not _rank(first.episode.kind) and all(one.data is first.data or _rank(one.episode.kind) for one in others)


def _change(group: Sequence[_Placed], alone: bool) -> Change:
    first = group[0]
    episode = first.episode
    return Change(
        episode.kind,
        first.begin,
        first.end,
        tuple(one.data.name for one in group),
        alone,
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


def with_exact_ends(change: Change, near: Callable[[int, int], SeriesData], width: float) -> Change:
    """An incident that was found in merged columns, with ends as exact as the data are. ``near`` returns the columns
    between two moments as they were recorded; ``width``, seconds: that of the merged ones.
    """
    if change.kind is not EpisodeKind.INCIDENT or change.low is None or change.high is None:
        return change
    reach = min(round(REACH * width * 1e6), (change.end - change.begin) // 2)
    around = [(end, near(end - reach, end + reach)) for end in (change.begin, change.end)]
    if any(2 * data.width > width for _, data in around):  # as recorded: all of the data said more than a few columns
        return change
    begin, end = (_exact_end(data, change.low, change.high, end) for end, data in around)
    return replace(change, begin=begin, end=end) if begin < end else change


def _exact_end(data: SeriesData, low: float, high: float, otherwise: int) -> int:
    """The moment at which the share of the events between two latencies turns."""
    size = len(data.starts)
    if size < 3:
        return otherwise
    rows = rows_between(data.edges, low, high)
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
    change from which on they are there is one up to the end. They are by time.
    """
    rows = rows_between(data.edges, lower, upper)
    each = data.counts[rows].sum(axis=0)
    slack = CLOSE * data.width * 1e6
    during = []
    for change in sorted(changes, key=lambda one: one.begin):
        if data.name not in change.series or change.low is None or change.kind is EpisodeKind.DRIFT:
            continue
        end = change.end if change.kind in PASSING else int(data.ends[-1])
        during.append((change, (data.ends > change.begin - slack) & (data.starts < end + slack)))
    made = [one for one in during if _makes(one[1], each, data.seconds, [other for _, other in during])]
    inside = np.zeros(len(each), dtype=bool)
    for _, within in made:
        inside |= within
    short = float(data.seconds[inside].sum()) < data.span / 2
    some = tuple(change for change, _ in made)
    return some if short and each.sum() and each[inside].sum() >= NEARLY_ALL * each.sum() else ()


def _makes(within: BoolArray, each: FloatArray, seconds: FloatArray, all_within: Sequence[BoolArray]) -> bool:
    """Whether events are more frequent in these columns than outside of all incidents: a band that many incidents have
    is rare beside each of them only if the others do not count.
    """
    many, lasted = float(each[within].sum()), float(seconds[within].sum())
    outside = ~np.logical_or.reduce(all_within)
    beside, rest = float(each[outside].sum()), float(seconds[outside].sum())
    fair = FAIR_PART * float(each.sum()) / len(all_within)
    return many > fair and many * rest > DENSER * beside * lasted
