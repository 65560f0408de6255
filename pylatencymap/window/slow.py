"""Shares of the events, and of the time waited, above a threshold."""

from __future__ import annotations

from collections.abc import Sequence

from ..units import Unit
from .block import RangeKey
from .matrix import FloatArray
from .stats import Slow


def slow_share(
    ranges: Sequence[RangeKey], counts: FloatArray, waited: FloatArray, unit: Unit, threshold: float
) -> Slow:
    """Shares above ``threshold`` (seconds) of ``counts`` [ranges] and ``waited`` [ranges] (seconds).

    Events lie evenly in the range that holds the threshold, as ``Rows.projection`` spreads them. Of an open range only
    where it begins is known.
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
    return Slow(threshold, events, _share([share for _, share in above], waited), unsure, not inside)


def _above(key: RangeKey, limit: float) -> tuple[float, float]:
    """Shares of one range's events, and of their time, above a limit in the same unit."""
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
