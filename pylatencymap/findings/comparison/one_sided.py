"""What happened on one side of a comparison alone: an incident that the other side has not, with its time and cost.

What a side begins with has nothing before it, so that in a report it is a change for the better where it ends. Beside
another run it is what it was: an incident.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from math import inf
from typing import NamedTuple

from ...analysis import EpisodeKind, row_means, rows_between
from ...moment_text import TimeWords
from ...number_text import length_words, percent_text, waiting_words
from ..change_sentences import LASTING
from ..changes import COSTLY, FEWEST, Change, find_all_changes, when_words
from ..evidence import SeriesData

NAMES = {
    EpisodeKind.INCIDENT: "an incident",
    EpisodeKind.MOVE: "a move of a band",
    EpisodeKind.STEP: "a change",
    EpisodeKind.DRIFT: "a drift",
    EpisodeKind.STALL: "a stall",
}


class SideNames(NamedTuple):
    """What both sides are called; ``there``: of the figures of the first one, behind those of the second."""

    before: str = "BEFORE"
    after: str = "AFTER"
    there: str = "before"

    @classmethod
    def of(cls, before: str, after: str) -> SideNames:
        """Sides that are none of a change, as ``A`` and ``B``."""
        return cls(before, after, f"in {before}")


BEFORE_AND_AFTER = SideNames()


@dataclass(frozen=True, slots=True)
class OneSided:
    """What happened on ``side``, 0 for BEFORE and 1 for AFTER, and not on the other.

    ``change``: what cost most; ``others``: how many more there are; ``when``: its time in words; ``share``: its part of
    the time waited on its side; ``times``: those of its run.
    """

    side: int
    change: Change
    others: int
    when: str
    share: float
    times: TimeWords


@dataclass(frozen=True)
class _OtherSide:
    """The runs beside which something is one-sided, and what changed in them."""

    runs: Sequence[SeriesData]
    changes: Sequence[tuple[Change, SeriesData]]

    def has(self, change: Change, span: float) -> bool:
        """Whether something like a change, in so many seconds, happened here, or is as usual here as it was there for a
        while, or takes as much time.
        """
        runs = [data for data in self.runs if data.name in change.series or len(self.runs) == 1]
        return any(_is_like(change, other) for other, _ in self.changes) or any(
            _is_usual(change, data) or _takes_as_much(change, span, data) for data in runs
        )


def one_sided_changes(
    runs: tuple[Sequence[SeriesData], Sequence[SeriesData]], waited: tuple[float, float], tz: tzinfo
) -> tuple[OneSided, ...]:
    """What AFTER has alone, then what BEFORE has alone; ``runs`` of each side, and seconds ``waited`` in them."""
    if any(data.measured < FEWEST for side in runs for data in side):
        return ()
    found = [[(change, data) for data in side for change in _changes(data)] for side in runs]
    return tuple(
        one
        for side in (1, 0)
        if (one := _of_side(side, found[side], _OtherSide(runs[1 - side], found[1 - side]), waited[side], tz))
        is not None
    )


def _changes(data: SeriesData) -> list[Change]:
    """What changed in a run; what it began with, in less than half of its time, is an incident up to where it ended."""
    found = find_all_changes([data])
    first = min((one for one in found if one.kind in LASTING), key=lambda one: one.begin, default=None)
    begun = None if first is None else _beginning(data, first, found)
    return list(found) if begun is None else [*(one for one in found if one is not first), begun]


def changes_at_once(runs: Sequence[SeriesData]) -> bool:
    """Whether latencies in these runs changed from one column to the next, and never little by little."""
    kinds = {change.kind for data in runs for change in find_all_changes([data]) if change.low is not None}
    return bool(kinds) and EpisodeKind.DRIFT not in kinds


def _beginning(data: SeriesData, first: Change, found: Sequence[Change]) -> Change | None:
    """What a run was like up to its first lasting change, if that was a stall, or cost something, and was short."""
    if 2 * float(data.seconds[data.ends <= first.end].sum()) >= data.span:
        return None
    begin = int(data.starts[0])
    if first.kind is EpisodeKind.STEP and first.before is not None and not first.before.events:
        text = f"stall: no {data.noun} for {length_words((first.end - begin) / 1e6)}"
        return replace(first, kind=EpisodeKind.STALL, begin=begin, low=None, high=None, cost=0.0, text=text)
    until = min(
        (one.begin for one in found if one.begin > first.end and one.kind in LASTING), default=int(data.ends[-1])
    )
    cost = _cost_of_beginning(data, first.end, until)
    if cost <= 0:
        return None
    kind = EpisodeKind.INCIDENT if first.kind is EpisodeKind.STEP else first.kind
    return replace(first, kind=kind, begin=begin, cost=cost)


def _cost_of_beginning(data: SeriesData, end: int, until: int) -> float:
    """Seconds waited up to ``end`` more than at the rate from then to ``until``, epoch microseconds."""
    waits = row_means(data.total, data.edges, data.tick) @ data.counts if data.waited is None else data.waited
    begun, usual = data.ends <= end, (data.starts >= end) & (data.ends <= until)
    seconds = float(data.seconds[usual].sum())
    if seconds <= 0:
        return 0.0
    return float(waits[begun].sum() - waits[usual].sum() / seconds * data.seconds[begun].sum())


def _of_side(
    side: int, own: list[tuple[Change, SeriesData]], other: _OtherSide, waited: float, tz: tzinfo
) -> OneSided | None:
    """What happened on one side alone and is worth telling; None if nothing did."""
    alone = [(change, data) for change, data in own if _matters(change, waited) and not other.has(change, data.span)]
    if not alone:
        return None
    change, data = max(alone, key=lambda one: _cost(one[0]))
    times = TimeWords(int(data.starts.min()), int(data.ends.max()), tz, data.width, data.clock)
    share = min(max(_cost(change), 0.0) / waited, 1.0) if waited > 0 else 0.0
    return OneSided(side, change, len(alone) - 1, when_words(change, times), share, times)


def _cost(change: Change) -> float:
    return change.cost or 0.0


def _matters(change: Change, waited: float) -> bool:
    """Whether it cost a part of the time waited that is worth telling, or nothing happened at all."""
    return change.kind is EpisodeKind.STALL or (not change.is_about_source and 0 < COSTLY * waited <= _cost(change))


def _is_like(change: Change, other: Change) -> bool:
    """Whether something like it, large or small, happened on the other side: at the same latencies, and as a cost."""
    if EpisodeKind.STALL in (change.kind, other.kind):
        return change.kind is other.kind
    if other.is_about_source or _cost(other) <= 0 or (change.low is None) != (other.low is None):
        return False
    (low, high), (its_low, its_high) = (
        (one.low or 0.0, inf if one.high is None else one.high) for one in (change, other)
    )
    return low < its_high and its_low < high


def _is_usual(change: Change, data: SeriesData) -> bool:
    """Whether a run as a whole is nearer to the worse level of a change, of its latencies or of its rate."""
    levels = [level for level in (change.before, change.inside, change.after) if level is not None]
    if change.kind is EpisodeKind.STALL or len(levels) < 2:
        return False
    worse, better = (pick(levels, key=lambda level: level.waited) for pick in (max, min))
    events = float(data.total.sum())
    if change.low is None or change.high is None:
        here, ends = events / max(data.span, 1e-300), (worse.rate, better.rate)
    else:
        chosen = rows_between(data.edges, change.low, change.high)
        here, ends = float(data.total[chosen].sum()) / max(events, 1.0), (worse.share, better.share)
    return abs(here - ends[0]) < abs(here - ends[1])


def _takes_as_much(change: Change, span: float, data: SeriesData) -> bool:
    """Whether a run waits as much longer at the latencies of a change than without it, per second, as the change costs
    in each second of the ``span`` of its own run: a band that is there all the time need not be as high.
    """
    levels = [level for level in (change.before, change.inside, change.after) if level is not None]
    if change.kind is EpisodeKind.STALL or len(levels) < 2 or _cost(change) <= 0:
        return False
    low, high = (0.0, inf) if change.low is None or change.high is None else (change.low, change.high)
    times = row_means(data.total, data.edges, data.tick) * data.total
    here = float(times[rows_between(data.edges, low, high)].sum()) / max(data.span, 1e-300)
    without = min(level.waited * level.time_share for level in levels)
    return here - without >= _cost(change) / max(span, 1e-300)


def one_sided_words(one: OneSided, names: SideNames = BEFORE_AND_AFTER) -> tuple[str, str]:
    """``AFTER has an incident 00:05:00-00:05:45 that BEFORE has not:`` and ``175 s of waiting, 21 % of its wait.``"""
    change = one.change
    when = f"from {one.when} on" if change.kind is EpisodeKind.STEP else one.when
    verb = "begins with" if change.begin <= one.times.begin else "has"
    head = f"{names[one.side]} {verb} {NAMES[change.kind]} {when} that {names[1 - one.side]} has not:"
    if change.kind is EpisodeKind.STALL:
        rest = change.text.partition(": ")[2]
    else:
        rest = f"{waiting_words(_cost(change))} of waiting, {percent_text(one.share)} of its wait"
    return head, f"{rest}{f', and {one.others} more' if one.others else ''}."
