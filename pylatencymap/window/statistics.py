"""Averages and percentiles of a distribution given as ranges: those of ``analysis``, in the ranges of a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..analysis import (
    ColumnPercentiles,
    column_times,
    percentiles_of,
    row_means,
    row_of_ranges,
    share_above_threshold,
    source_rows,
    time_waited,
)
from ..record import Bound
from ..units import Unit
from .matrix import BoolArray, FloatArray
from .store import ESTIMATED_BIT, RangeKey


class Quantity(NamedTuple):
    """A latency in seconds; ``beyond`` means that it is only a lower limit (it lies in an open overflow row).

    ``low`` to ``high``, seconds, hold the truth in 95 % of all cases, as far as the source's ranges and the number of
    events tell; 0 and infinity where nothing is known.
    """

    seconds: float
    beyond: bool = False
    low: float = 0.0
    high: float = inf


class SlowShare(NamedTuple):
    """The shares, 0 to 1, of the events and of the time waited that are above a threshold (seconds).

    ``unsure``: the shares can be larger, because an open range that begins below the threshold has events; they count
    as below. ``exact``: the threshold is the bound of a range, or lies in one without events; if not, the events of
    that range are divided, by the slope of their density.
    """

    threshold: float
    events: float
    waited: float
    unsure: bool = False
    exact: bool = True


class Summary(NamedTuple):
    """The content of a line of statistics, over ``span`` seconds. The latencies are None if there were no events.

    ``maximum`` is the upper bound of the highest range in use (so "max <"), or its lower bound and ``beyond``.
    ``slow`` is None unless a threshold was given.
    """

    span: float
    events: float
    waited: float
    estimated: bool
    average: Quantity | None = None
    p50: Quantity | None = None
    p90: Quantity | None = None
    p99: Quantity | None = None
    maximum: Quantity | None = None
    slow: SlowShare | None = None

    def __repr__(self) -> str:
        events = f"{self.events:,.0f} events in {self.span:.3g} s, {self.waited:.3g} s waited"
        found = {"average": self.average, "p50": self.p50, "p90": self.p90, "p99": self.p99, "maximum": self.maximum}
        levels = [f"{name} {one.seconds:.3g} s" for name, one in found.items() if one is not None]
        return f"<Summary of {', '.join((events, *levels))}>"


RANKS = (0.50, 0.90, 0.99)


def summarise(
    ranges: Sequence[RangeKey],
    counts: FloatArray,
    unit: Unit,
    *,
    span: float,
    waited: float | None,
    estimated: bool,
    bunch: float = 1.0,
    tick: float | None = None,
) -> Summary:
    """Statistics of ``counts`` [ranges]. ``waited`` None: it is estimated here. An average estimated with an open row,
    by its lower bound, is only a limit. ``bunch``: so many events count as one that is independent. ``tick``: the step
    of the source's clock in seconds; None where only the counts could show it.
    """
    used = np.flatnonzero(counts > 0).tolist()
    if not used:
        return Summary(span, 0.0, waited or 0.0, estimated)
    edges, total = seconds_and_counts(ranges, counts[:, None], unit)
    events, opened = float(total.sum()), float(total[-1, 0]) if edges[-1] == inf else 0.0
    if waited is None:
        waited = time_waited(total, edges, bunch=bunch, tick=tick).value
    exact = None if estimated else waited
    found = percentiles_of(total, edges, RANKS, exact=exact, bunch=bunch, tick=tick)
    p50, p90, p99 = (
        Quantity(one.value, rank * events > events - opened, one.low, one.high)
        for rank, one in zip(RANKS, found, strict=True)
    )
    average = waited / events
    bounds = () if estimated else (average, average)
    lower, upper = max((ranges[place] for place in used), key=lambda key: inf if key[1] is None else key[1])
    return Summary(
        span,
        events,
        waited,
        estimated,
        average=Quantity(average, estimated and upper is None, *bounds),
        p50=p50,
        p90=p90,
        p99=p99,
        maximum=Quantity(lower * unit.seconds, True) if upper is None else Quantity(upper * unit.seconds),
    )


CURVES = (0.50, 0.99)
"""The percentiles that are drawn over time: those between them hop from mode to mode."""


def percentiles_over_time(
    ranges: Sequence[RangeKey],
    counts: FloatArray,
    columns: NDArray[Any],
    unit: Unit,
    known: ColumnPercentiles,
    tick: float | None = None,
) -> FloatArray:
    """The percentiles CURVES of each column in seconds, float64 [2, columns], NaN without events, of ``counts``
    [columns, ranges]; those that are ``known`` are not computed again. ``columns``: COLUMN [columns]; ``tick`` as of
    ``summarise``.
    """
    sums = np.where(columns["flags"] & ESTIMATED_BIT, np.nan, columns["waited"])
    key = repr((unit.value, ranges, tick)).encode()
    return known.of(counts, sums, CURVES, key, lambda some: seconds_and_counts(ranges, some.T, unit), tick)


def seconds_and_counts(ranges: Sequence[RangeKey], counts: FloatArray, unit: Unit) -> tuple[FloatArray, FloatArray]:
    """Bounds in seconds [rows + 1] of adjacent rows, and their counts [rows, columns], of ``counts`` [ranges, columns];
    see ``source_rows``.
    """
    edges, rows = source_rows(ranges, counts)
    return edges * unit.seconds, rows


def low_middle(values: NDArray[Any]) -> Any:
    """The median of at least one value, the smaller of two middle ones: ``intervals.nominal.low_median`` for arrays."""
    place = (values.size - 1) // 2
    return np.partition(values, place)[place]


# Shares of the events, and of the time waited, above a threshold.


def share_above(
    ranges: Sequence[RangeKey],
    counts: FloatArray,
    waited: float | None,
    unit: Unit,
    threshold: float,
    tick: float | None = None,
) -> SlowShare:
    """Shares above ``threshold`` (seconds) of ``counts`` [ranges], which ``waited`` so many seconds, None where that is
    only estimated; ``tick`` as of ``summarise``.

    Only the lower bound of an open range is known.
    """
    limit = threshold / unit.seconds
    some = [key for key, count in zip(ranges, counts.tolist(), strict=True) if count > 0]
    unsure = any(upper is None and lower < limit for lower, upper in some)
    inside = any(upper is not None and lower < limit < upper for lower, upper in some)
    edges, total = seconds_and_counts(ranges, counts[:, None], unit)
    found = share_above_threshold(total, edges, threshold, exact=waited, bunch=1.0, tick=tick)
    events, of_wait = (found.events.value, found.waited.value) if found else (0.0, 0.0)
    return SlowShare(threshold, events, of_wait if waited is None or waited > 0 else 0.0, unsure, not inside)


class SlowTime(NamedTuple):
    """From ``begin`` to ``end``, epoch microseconds, the ``share`` of the events was above a threshold; ``cost``:
    seconds waited more than at other times; None: there were no others.
    """

    begin: int
    end: int
    share: float
    cost: float | None


class WholeRanges(NamedTuple):
    """Events, and seconds ``waited``, of ranges between two latencies. ``low`` and ``high``, seconds, are these, or
    farther apart where a range with events reaches beyond them; None: no bound.
    """

    events: float
    waited: float
    low: float | None
    high: float | None


class WorstColumn(NamedTuple):
    """From ``begin`` to ``end``, epoch microseconds, with ``seconds`` of data: ``rate``, seconds waited per second, and
    what is ``usual`` in all ``columns`` with data.
    """

    begin: int
    end: int
    seconds: float
    rate: float
    usual: float
    columns: int


SIGMAS = 3.0
"""A column is sure where it has so many standard deviations more slow events than chance would bring."""
HOLE = 3
"""Two times are one if at most so many columns lie between them."""


def slow_times(
    columns: NDArray[Any], waits: FloatArray, events: FloatArray, above: FloatArray, limit: float
) -> list[SlowTime]:
    """The times in which more than the share ``limit`` of the ``events`` [columns] was ``above`` a threshold; a single
    one if that was so whenever there were events. ``columns``: COLUMN [columns]; ``waits`` [columns], seconds.
    """
    spare, known = above - limit * events, events > 0
    sure = known & (spare > SIGMAS * np.sqrt(limit * events) + 1)
    runs = [(first, stop) for first, stop in _runs(known & (spare > 0)) if sure[first:stop].any()]
    inside = np.zeros(len(events), bool)
    for first, stop in runs:
        inside[first:stop] = True
    outside = ~inside & (columns["seconds"] > 0)
    if runs and not (known & ~inside).any():
        first, stop = runs[0][0], runs[-1][1]
        share = float(above.sum() / events.sum())
        return [SlowTime(int(columns["start"][first]), int(columns["end"][stop - 1]), share, None)]
    if not runs:
        return []
    usual = waits[outside].sum() / columns["seconds"][outside].sum()
    return [
        SlowTime(
            int(columns["start"][first]),
            int(columns["end"][stop - 1]),
            float(above[first:stop].sum() / events[first:stop].sum()),
            max(float(waits[first:stop].sum() - usual * columns["seconds"][first:stop].sum()), 0.0),
        )
        for first, stop in runs
    ]


def _runs(slow: BoolArray) -> list[tuple[int, int]]:
    """The first column of each run, and the one after its last."""
    places = np.flatnonzero(slow)
    parts = np.split(places, np.flatnonzero(np.diff(places) > HOLE + 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts if len(part)]


# Time waited per range: its sum is exact if the source gives it.


def mean_latencies(ranges: Sequence[RangeKey], counts: FloatArray, unit: Unit, tick: float | None = None) -> FloatArray:
    """The mean latency in seconds of the events of each range, [ranges], of ``counts`` [ranges]; ``tick`` as of
    ``summarise``.
    """
    edges, total = seconds_and_counts(ranges, counts[:, None], unit)
    return row_means(total[:, 0], edges, tick)[row_of_ranges(tuple(ranges))[1]]


def waited_per_range(
    counts: FloatArray,
    ranges: Sequence[RangeKey],
    means: FloatArray,
    waited: FloatArray,
    measured: BoolArray,
    unit: Unit,
) -> FloatArray:
    """Seconds waited, [columns, ranges], of ``counts`` [columns, ranges] with ``means`` [ranges]; columns that are
    ``measured`` [columns] sum to ``waited`` [columns].
    """
    return column_times(counts.T, means, _limits(tuple(ranges), unit), waited, measured).T


COARSE = Unit.MS
"""A unit in which what a program cuts off matters."""
LEAST_SINGLE, LEAST_SHOWING = 2, 20
"""From so many units on, a range of a single one is no doubling; so many events in such ranges show that latencies were
told in whole units.
"""


def tick_of(ranges: Sequence[RangeKey], totals: FloatArray, unit: Unit) -> float | None:
    """The step of the source's clock in seconds: its unit, if that is coarse and it told latencies apart that differ by
    one; None where the ranges do not show it. ``totals``: events by range.
    """
    if unit is not COARSE:
        return None
    single = [lower >= LEAST_SINGLE and upper == lower + 1 for lower, upper in ranges]
    return unit.seconds if totals[single].sum() >= LEAST_SHOWING else None


def means_of_ranges(counts: Mapping[RangeKey, Bound], unit: Unit) -> dict[RangeKey, float]:
    """The mean latency in seconds of the events of each range: with these, summaries estimate the time waited."""
    ranges, totals = [*counts], np.array([*counts.values()], np.float64)
    found = mean_latencies(ranges, totals, unit, tick_of(ranges, totals, unit))
    return dict(zip(ranges, found.tolist(), strict=True))


@lru_cache(maxsize=64)
def _limits(ranges: tuple[RangeKey, ...], unit: Unit) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of ranges in seconds, read-only; cached, because a series keeps its ranges. Events of an
    open range count at its lower bound.
    """
    lower = np.array([low for low, _ in ranges], dtype=np.float64) * unit.seconds
    upper = np.array([low if high is None else high for low, high in ranges], dtype=np.float64) * unit.seconds
    lower.flags.writeable = upper.flags.writeable = False
    return lower, upper
