"""Compares the series of two sides: the differences that the analysis finds, with the figures that texts need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10

import numpy as np

from ...analysis import (
    Comparison,
    LatencyVerdict,
    ModeChange,
    QuantileChange,
    ShareAbove,
    ShareChange,
    TimedCounts,
    compare,
    mode_changes,
    share_above_threshold,
)
from ..figures import RANKS, SeriesFigures, figures_of
from .pairs import SeriesPair

SURE_COLUMNS = 60
"""A side: with fewer nothing is sure."""
SURE_TIMES = 2
"""A sure difference is so many times what either side differs from itself."""
STRONG = 0.5
"""The part of the strongest evidence that a difference must have to be told before a smaller one."""
LIKE = 0.1
"""Bounds belong together whose shares differ by the same, within this part."""


@dataclass(frozen=True)
class SeriesComparison:
    """One series on both sides.

    ``found``: what differs, see ``Comparison``. ``before``, ``after``: the figures of each side, in its own ranges.
    ``stated``: the change of the share above a latency that is told first, and ``beyond``, the shares of events and of
    time above it on both sides; None where nothing can be told. ``modes``: what became of each mode. ``rate_is_sure``:
    the rates differ by more than the halves of either side.
    """

    pair: SeriesPair
    found: Comparison
    before: SeriesFigures
    after: SeriesFigures
    stated: ShareChange | None
    beyond: tuple[ShareAbove, ShareAbove] | None
    modes: tuple[ModeChange, ...]
    rate_is_sure: bool

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
    def direction(self) -> int:
        """1 if AFTER is slower, -1 if it is faster, 0 if some latencies became more and others fewer."""
        above = [one for one in self.found.shares if one.high == inf and one.stated]
        if not above and self.stated is not None:
            above = [self.stated]
        rises = {one.difference.value > 0 for one in above}
        return 0 if len(rises) != 1 else 1 if rises.pop() else -1

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


def compare_series(pair: SeriesPair) -> SeriesComparison:
    """Compare one series."""
    before, after = pair.timed
    edges = pair.common.edges
    found = compare(before, after, edges)
    stated = _stated(found)
    figures = [figures_of(side) for side in pair.own]
    first, second = (one.modes.modes for one in figures)
    return SeriesComparison(
        pair,
        found,
        figures[0],
        figures[1],
        stated,
        None if stated is None else _beyond(pair, stated.low),
        mode_changes(first, second, (pair.own[0].total, pair.own[1].total), (pair.own[0].edges, pair.own[1].edges)),
        _is_rate_sure(found, before, after),
    )


def _stated(found: Comparison) -> ShareChange | None:
    """The change of the share above a bound that is told: the largest of those whose evidence is not much weaker than
    the strongest. Of neighbours that say the same, it is that nearest to a power of ten, because people think in these.
    None if there is no bound.
    """
    above = [one for one in found.shares if one.high == inf]
    if not above:
        return None
    told = [one for one in above if one.stated] or above
    strong = max(map(_evidence, told)) * STRONG
    largest = max((one for one in told if _evidence(one) >= strong), key=lambda one: abs(one.difference.value))
    place = above.index(largest)
    alike = [largest]
    for way in (above[place + 1 :], above[:place][::-1]):
        for one in way:
            if one.stated != largest.stated or not _says_the_same(one, largest):
                break
            alike.append(one)
    return min(alike, key=lambda one: abs(log10(one.low) - round(log10(one.low))) if one.low > 0 else inf)


def _evidence(one: ShareChange) -> float:
    """How many times its interval a difference is."""
    half = (one.difference.high - one.difference.low) / 2
    if half <= 0:
        return inf if one.difference.value else 0.0
    return abs(one.difference.value) / half


def _says_the_same(one: ShareChange, other: ShareChange) -> bool:
    return abs(one.difference.value - other.difference.value) <= LIKE * abs(other.difference.value)


def _beyond(pair: SeriesPair, bound: float) -> tuple[ShareAbove, ShareAbove] | None:
    """The shares of events and of time above a latency on both sides."""
    shares = [share_above_threshold(one.total, one.edges, bound, exact=one.exact) for one in pair.own]
    first, second = shares
    return None if first is None or second is None else (first, second)


def _is_rate_sure(found: Comparison, before: Sequence[TimedCounts], after: Sequence[TimedCounts]) -> bool:
    """Whether the rates differ beyond doubt: by SURE_TIMES as much as those of the halves of either side."""
    rate = found.rate
    if rate is None or not rate.different or min(found.columns) < SURE_COLUMNS:
        return False
    if min(rate.before, rate.after) <= 0:
        return True
    return abs(log(rate.ratio.value)) >= SURE_TIMES * max(_between_halves(side) for side in (before, after))


def _between_halves(side: Sequence[TimedCounts]) -> float:
    """By how much the rates of the halves of a side differ, as a logarithm; infinite where one half is empty."""
    events = np.concatenate([run.counts.sum(axis=0)[run.seconds > 0] for run in side])
    seconds = np.concatenate([run.seconds[run.seconds > 0] for run in side])
    half = len(seconds) // 2
    rates = [float(events[part].sum() / seconds[part].sum()) for part in (np.s_[:half], np.s_[half:])]
    return abs(log(rates[1] / rates[0])) if min(rates) > 0 else inf
