"""Compares the series of two sides: the differences that the analysis finds, with the figures that texts need."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import Enum
from itertools import groupby
from math import inf, log, log10

import numpy as np

from ...analysis import (
    Comparison,
    LatencyVerdict,
    ModeChange,
    PlainDifference,
    QuantileChange,
    RateChange,
    ShareAbove,
    ShareChange,
    TimedCounts,
    compare_in_steps,
    mode_changes,
    plain_difference,
    ranks_of,
    rate_change,
    share_above_threshold,
)
from ..figures import RANKS, SeriesFigures, figures_of
from .change_words import is_ratio_readable, is_readable, is_wait_readable
from .one_sided import BEFORE_AND_AFTER, OneSided, SideNames, one_sided_changes
from .pairs import SeriesPair

LEAST_COLUMNS = 30
"""A side: with fewer nothing is told but what is plain."""
SURE_COLUMNS = 60
"""A side: with fewer nothing is sure."""
SURE_TIMES = 2
"""A sure difference is so many times what either side differs from itself."""
STRONG = 0.5
"""The part of the strongest evidence that a difference must have to be told before a smaller one."""
HIDES = 5
"""Where no share is well known to differ, as if one part of a side differs from all else, a change that is so many
times the one with the best evidence is told.
"""
LIKE = 0.1
"""Bounds belong together whose shares differ by the same, within this part."""


Beyond = tuple[ShareAbove, ShareAbove]
"""What lies above a latency in BEFORE, and in AFTER."""


class Direction(Enum):
    """What became of the latencies."""

    SLOWER = "slower"
    FASTER = "faster"
    WIDER = "wider"
    """More of the fast and more of the slow."""
    NARROWER = "narrower"
    """Less of the fast and less of the slow."""
    MIXED = "mixed"
    """Neither: the share above a latency rose and fell by turns."""


DIRECTIONS = {
    (True,): Direction.SLOWER,
    (False,): Direction.FASTER,
    (False, True): Direction.WIDER,
    (True, False): Direction.NARROWER,
}
"""By whether the share above a latency rose, from the lowest latency on."""


@dataclass(frozen=True)
class SeriesComparison:
    """One series on both sides.

    ``found``: what differs, see ``Comparison``. ``before``, ``after``: the figures of each side, in its own ranges.
    ``stated``: the change of the share above a latency that is told first, and ``beyond``, the shares of events and of
    time above it on both sides; None where nothing can be told. ``modes``: what became of each mode; none where a side
    has no events. ``waited``: seconds waited per second; None with few columns. ``rate_is_sure``: the rates differ by
    more than the halves of either side. ``one_sided``: what happened on one side alone. ``names``: what both sides are
    called. ``plain``: what is plain where there are too few columns to compare.
    """

    pair: SeriesPair
    found: Comparison
    before: SeriesFigures
    after: SeriesFigures
    stated: ShareChange | None
    beyond: Beyond | None
    modes: tuple[ModeChange, ...]
    rate_is_sure: bool
    waited: RateChange | None = None
    one_sided: tuple[OneSided, ...] = ()
    names: SideNames = BEFORE_AND_AFTER
    plain: PlainDifference | None = None

    @property
    def name(self) -> str:
        """The name of the series in AFTER."""
        return self.pair.name

    @property
    def noun(self) -> str:
        """What its events are."""
        return self.after.noun

    @property
    def differs(self) -> bool:
        """Whether latencies differ, sure or not."""
        return self.found.verdict in (LatencyVerdict.SURE, LatencyVerdict.DIFFERENT, LatencyVerdict.DRIFT)

    @property
    def ends(self) -> tuple[ShareChange, ...]:
        """The changes of shares above latencies that may be said and can be read, from the lowest latency on; if there
        are none, the stated one.
        """
        told = tuple(one for one in self.found.shares if one.high == inf and one.stated and is_readable(one))
        return told or (() if self.stated is None else (self.stated,))

    @property
    def direction(self) -> Direction:
        """What became of the latencies where both sides differ."""
        turns = tuple(rose for rose, _ in groupby(self.ends, key=lambda one: one.difference.value > 0))
        return DIRECTIONS.get(turns, Direction.MIXED)

    @property
    def missing(self) -> tuple[str, str]:
        """What each side lacks, so that nothing can be compared: ``data``, its ``noun``, or nothing."""
        before, after = (
            "data" if not columns else "" if side.events else self.noun
            for columns, side in zip(self.found.columns, (self.before, self.after), strict=True)
        )
        return before, after

    @property
    def quantiles(self) -> tuple[QuantileChange, ...]:
        """p50, p90 and p99; where both sides count in different ranges, each as its own ranges say, without a ratio."""
        if not self.pair.lost_bounds and self.found.quantiles:
            return self.found.quantiles
        first, second = self.before.percentiles, self.after.percentiles
        return tuple(
            QuantileChange(rank, first[key], second[key], None)
            for key, rank in RANKS.items()
            if key in first and key in second
        )

    @property
    def timed(self) -> bool:
        """Whether rates mean anything on both sides."""
        return self.before.timed and self.after.timed


def compare_series(pair: SeriesPair, tz: tzinfo) -> SeriesComparison:
    """Compare one series; ``tz``: the zone of the times in sentences."""
    steps = compare_series_in_steps(pair, tz)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: SeriesComparison = end.value
            return found


def compare_series_in_steps(
    pair: SeriesPair, tz: tzinfo, names: SideNames = BEFORE_AND_AFTER
) -> Generator[SeriesComparison, None, SeriesComparison]:
    """As ``compare_series``, for a view that must not wait: yields the comparison as far as it is known at once, the
    figures of both sides and how they changed, without a verdict; then all of it. ``names``: of both sides, in words.
    """
    before, after = pair.timed
    first, second = (figures_of(side) for side in pair.own)
    ranks = tuple(ranks_of(side.total, side.edges, side.exact, side.tick) for side in pair.own)
    steps = compare_in_steps(before, after, pair.common.edges, ranks=(ranks[0], ranks[1]))
    while True:
        try:
            yield _figures_compared(pair, next(steps), first, second, names)
        except StopIteration as end:
            found: Comparison = end.value
            break
    stated, beyond = _stated(pair, found)
    known = found.verdict is not LatencyVerdict.TOO_FEW
    return replace(
        _figures_compared(pair, found, first, second, names),
        stated=stated,
        beyond=beyond,
        rate_is_sure=_is_rate_sure(found, before, after),
        one_sided=one_sided_changes(pair.apart, (first.waited.value, second.waited.value), tz) if known else (),
        plain=plain_difference(before, after, pair.common.edges) if min(found.columns) < LEAST_COLUMNS else None,
    )


def _figures_compared(
    pair: SeriesPair, found: Comparison, first: SeriesFigures, second: SeriesFigures, names: SideNames
) -> SeriesComparison:
    """What a comparison has before there is a verdict."""
    totals, edges = (pair.own[0].total, pair.own[1].total), (pair.own[0].edges, pair.own[1].edges)
    both = first.events and second.events
    return SeriesComparison(
        pair,
        found,
        first,
        second,
        None,
        None,
        mode_changes(first.modes.modes, second.modes.modes, totals, edges) if both else (),
        rate_is_sure=False,
        waited=rate_change(*pair.waits, known=(first.waited, second.waited)),
        names=names,
    )


def _stated(pair: SeriesPair, found: Comparison) -> tuple[ShareChange | None, Beyond | None]:
    """The change of the share above a bound that is told, and what lies above it; None if there is no bound.

    Where no share of the events reads differently, it is the bound above which the time waited changed most.
    """
    above = [one for one in found.shares if one.high == inf]
    told = [one for one in above if one.stated]
    if not above:
        return None, None
    if told and not any(map(is_readable, told)):
        waits = [(one, beyond) for one in told if (beyond := _beyond(pair, one.low)) and is_wait_readable(beyond)]
        if waits:
            return max(waits, key=lambda one: abs(one[1][1].waited.value - one[1][0].waited.value))
    one = _best_known(above)
    return one, _beyond(pair, one.low)


def _best_known(above: Sequence[ShareChange]) -> ShareChange:
    """The largest change of those that can be read and whose evidence is not much weaker than the strongest. Of
    neighbours that say the same, it is that nearest to a power of ten, because people think in these.
    """
    stated = [one for one in above if one.stated]
    told = [one for one in stated if is_readable(one)] or stated or above
    strong = max(map(_evidence, told)) * STRONG
    largest = max((one for one in told if _evidence(one) >= strong), key=_size)
    if not any(map(is_known, told)) and _size(most := max(above, key=_size)) >= HIDES * _size(largest):
        told, largest = [one for one in above if is_readable(one)], most
    place = above.index(largest)
    alike = [largest]
    for way in (above[place + 1 :], above[:place][::-1]):
        for one in way:
            if one not in told or one.stated != largest.stated or not _says_the_same(one, largest):
                break
            alike.append(one)
    return min(alike, key=lambda one: abs(log10(one.low) - round(log10(one.low))) if one.low > 0 else inf)


def _size(one: ShareChange) -> float:
    return abs(one.difference.value)


def is_known(change: ShareChange) -> bool:
    """Whether the interval of a change excludes none."""
    return change.difference.low * change.difference.high > 0


def _evidence(one: ShareChange) -> float:
    """How many times its interval a difference is."""
    half = (one.difference.high - one.difference.low) / 2
    if half <= 0:
        return inf if one.difference.value else 0.0
    return abs(one.difference.value) / half


def _says_the_same(one: ShareChange, other: ShareChange) -> bool:
    return abs(one.difference.value - other.difference.value) <= LIKE * abs(other.difference.value)


def _beyond(pair: SeriesPair, bound: float) -> Beyond | None:
    """The shares of events and of time above a latency on both sides."""
    shares = [share_above_threshold(one.total, one.edges, bound, exact=one.exact, tick=one.tick) for one in pair.own]
    first, second = shares
    return None if first is None or second is None else (first, second)


def _is_rate_sure(found: Comparison, before: Sequence[TimedCounts], after: Sequence[TimedCounts]) -> bool:
    """Whether the rates differ beyond doubt: by SURE_TIMES as much as those of the halves of either side, and by more
    than a drift through both of them.
    """
    rate = found.rate
    if rate is None or not (rate.different and rate.beyond_drift) or min(found.columns) < SURE_COLUMNS:
        return False
    if min(rate.before, rate.after) <= 0:
        return True
    if not is_ratio_readable(rate.ratio):
        return False
    return abs(log(rate.ratio.value)) >= SURE_TIMES * max(_between_halves(side) for side in (before, after))


def _between_halves(side: Sequence[TimedCounts]) -> float:
    """By how much the rates of the halves of a side differ, as a logarithm; infinite where one half is empty."""
    events = np.concatenate([run.counts.sum(axis=0)[run.seconds > 0] for run in side])
    seconds = np.concatenate([run.seconds[run.seconds > 0] for run in side])
    half = len(seconds) // 2
    rates = [float(events[part].sum() / seconds[part].sum()) for part in (np.s_[:half], np.s_[half:])]
    return abs(log(rates[1] / rates[0])) if min(rates) > 0 else inf
