"""Averages and percentiles of a distribution given as ranges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..record import Bound
from ..units import Unit
from .matrix import FloatArray
from .store import RangeKey


class Quantity(NamedTuple):
    """A latency in seconds; ``beyond`` means that it is only a lower limit (it lies in an open overflow row)."""

    seconds: float
    beyond: bool = False


class SlowShare(NamedTuple):
    """The shares, 0 to 1, of the events and of the time waited that are above a threshold (seconds).

    ``unsure``: the shares can be larger, because an open range that begins below the threshold has events; they count
    as below. ``exact``: the threshold is the bound of a range, or lies in one without events; if not, the events of
    that range are divided in proportion.
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


def summarise(
    ranges: Sequence[tuple[Bound, Bound | None]],
    counts: FloatArray,
    unit: Unit,
    *,
    span: float,
    waited: float,
    estimated: bool,
) -> Summary:
    """Statistics of ``counts`` [ranges]. An average estimated with an open row, by its lower bound, is only a limit."""
    used = sorted(
        (lower, inf if upper is None else upper, float(count))
        for (lower, upper), count in zip(ranges, counts, strict=True)
        if count > 0
    )
    if not used:
        return Summary(span, 0.0, waited, estimated)
    events = sum(count for _, _, count in used)
    lower, upper, _ = max(used, key=lambda entry: entry[1])
    return Summary(
        span,
        events,
        waited,
        estimated,
        average=Quantity(waited / events, beyond=estimated and upper == inf),
        p50=percentile(used, 0.50, unit),
        p90=percentile(used, 0.90, unit),
        p99=percentile(used, 0.99, unit),
        maximum=Quantity(lower * unit.seconds, True) if upper == inf else Quantity(upper * unit.seconds),
    )


def low_middle(values: NDArray[Any]) -> Any:
    """The median of at least one value, the smaller of two middle ones: ``intervals.nominal.low_median`` for arrays."""
    place = (values.size - 1) // 2
    return np.partition(values, place)[place]


def percentile(used: Sequence[tuple[Bound, Bound, float]], share: float, unit: Unit) -> Quantity:
    """The latency below which ``share`` of the events lie, interpolated linearly within its range.

    ``used`` are (lower, upper, count), ascending, not empty, with count > 0; upper infinity is an open row.
    """
    cumulated = np.cumsum([count for _, _, count in used])
    wanted = share * cumulated[-1]
    place = int(np.searchsorted(cumulated, wanted))
    lower, upper, count = used[place]
    below = cumulated[place] - count
    if upper == inf:
        return Quantity(lower * unit.seconds, beyond=True)
    inside = min(max((wanted - below) / count, 0.0), 1.0)
    return Quantity(float(lower + inside * (upper - lower)) * unit.seconds)


# Shares of the events, and of the time waited, above a threshold.


def share_above(
    ranges: Sequence[RangeKey], counts: FloatArray, waited: FloatArray, unit: Unit, threshold: float
) -> SlowShare:
    """Shares above ``threshold`` (seconds) of ``counts`` [ranges] and ``waited`` [ranges] (seconds).

    Events are spread evenly over the range that contains the threshold, as in ``MatrixRows.projection``. Only the lower
    bound of an open range is known.
    """
    limit = threshold / unit.seconds
    above = [_above(key, limit) for key in ranges]
    unsure = any(
        upper is None and lower < limit and count > 0
        for (lower, upper), count in zip(ranges, counts.tolist(), strict=True)
    )
    inside = any(
        upper is not None and lower < limit < upper and count > 0
        for (lower, upper), count in zip(ranges, counts.tolist(), strict=True)
    )
    events = _share([share for share, _ in above], counts)
    return SlowShare(threshold, events, _share([share for _, share in above], waited), unsure, not inside)


def _above(key: RangeKey, limit: float) -> tuple[float, float]:
    """The shares of one range's events, and of their time, above a limit in the same unit."""
    lower, upper = key
    if lower >= limit:
        return 1.0, 1.0
    if upper is None or upper <= limit:
        return 0.0, 0.0
    events = (upper - limit) / (upper - lower)
    return events, events * (limit + upper) / (lower + upper)


def _share(above: list[float], values: FloatArray) -> float:
    total = float(values.sum())
    return float(values @ above) / total if total > 0 else 0.0


# Time waited per range: its sum is exact if the source gives it.


def waited_per_range(counts: FloatArray, ranges: Sequence[RangeKey], waited: FloatArray, unit: Unit) -> FloatArray:
    """Seconds waited, [columns, ranges], that sum to ``waited`` [columns].

    Within a column all events lie at the same fraction of their range, chosen so that the sum is right: one half if the
    sum is a midpoint estimate. If no fraction fits (events in open ranges), the column is scaled.
    """
    lower, width = _extents(tuple(ranges), unit)
    least, spread = counts @ lower, counts @ width
    fraction = _ratio(waited - least, spread, 0.5).clip(0.0, 1.0)
    result = counts * (lower + fraction[:, None] * width)
    total = result.sum(axis=1)
    return np.asarray(result * _ratio(waited, total, 1.0)[:, None])


def _ratio(values: FloatArray, of: FloatArray, otherwise: float) -> FloatArray:
    """Values divided by ``of`` where that is more than 0, else ``otherwise``."""
    some = of > 0
    return (
        values / of
        if np.count_nonzero(some) == some.size
        else np.where(some, values / np.where(some, of, 1.0), otherwise)
    )


@lru_cache(maxsize=64)
def _extents(ranges: tuple[RangeKey, ...], unit: Unit) -> tuple[FloatArray, FloatArray]:
    """Lower bounds and widths of ranges in seconds, read-only; cached, because a series keeps its ranges."""
    lower = np.array([low for low, _ in ranges], dtype=np.float64) * unit.seconds
    width = np.array([0.0 if high is None else high - low for low, high in ranges], dtype=np.float64) * unit.seconds
    lower.flags.writeable = width.flags.writeable = False
    return lower, width
