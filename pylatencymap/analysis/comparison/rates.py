"""What happens per second on both sides of a comparison, events or seconds waited, and the ratio with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np

from ..density import Estimate
from .sides import Side, TimedCounts, side_of, student
from .trend import is_beyond_drift

LEAST_COLUMNS = 10
"""A side: with fewer there are no blocks from which an interval could come."""
MOST_ALIKE = 0.8
"""The most that blocks are taken to be like the next ones; beyond it an interval would have no end."""


@dataclass(frozen=True, slots=True)
class RateChange:
    """How many, or how much, per second on both sides; ``ratio`` is AFTER over BEFORE; ``different``: its interval
    excludes 1; ``beyond_drift``: it is more than a drift through both sides explains.
    """

    before: float
    after: float
    ratio: Estimate
    different: bool
    beyond_drift: bool = True


def rate_change(
    before: Sequence[TimedCounts],
    after: Sequence[TimedCounts],
    known: tuple[Estimate, Estimate] | None = None,
) -> RateChange | None:
    """The sum of all rows per second on both sides; None with fewer than 10 columns of data a side.

    ``known``: what the sums of BEFORE and of AFTER are, where the values are estimates: their bands widen the interval.
    """
    sides = side_of(before, after)
    if min(side.blocks for side in sides) < 2 or min(side.columns for side in sides) < LEAST_COLUMNS:
        return None
    return rate_between(*sides, known=known)


def rate_between(before: Side, after: Side, known: tuple[Estimate, Estimate] | None = None) -> RateChange:
    """From sums per exact second of blocks; their own correlation widens the interval. See ``rate_change``."""
    rates = [side.counts.sum(axis=0) / side.seconds for side in (before, after)]
    means = [float(side.counts.sum() / side.seconds.sum()) for side in (before, after)]
    if min(means) <= 0:
        return RateChange(means[0], means[1], Estimate(np.nan, 0.0, np.inf), means[0] != means[1])
    off = np.hypot(*(rate.std(ddof=1) / mean / len(rate) ** 0.5 for rate, mean in zip(rates, means, strict=True)))
    alike = [
        0.0 if side.whole_runs else side.likeness_of(rate) for side, rate in zip((before, after), rates, strict=True)
    ]
    limited = min(max(float(np.mean(alike)), 0.0), MOST_ALIKE)
    inflation = float(np.sqrt((1 + limited) / (1 - limited)))
    off *= student(len(rates[0]) + len(rates[1]) - 2) * inflation
    beyond = before.whole_runs or is_beyond_drift(rates[0], rates[1], inflation)
    below, above = (0.0, 0.0) if known is None else _bands(*known)
    middle = float(np.log(means[1] / means[0]))
    ends = (-np.hypot(off, below), 0.0, np.hypot(off, above))
    low, value, high = (float(np.exp(middle + by)) for by in ends)
    return RateChange(means[0], means[1], Estimate(value, low, high), not low <= 1 <= high, beyond)


def _bands(before: Estimate, after: Estimate) -> tuple[float, float]:
    """How far the logarithm of the ratio of two estimates may lie below, and above, that of their values."""
    (was_low, was_high), (now_low, now_high) = (_reach(one) for one in (before, after))
    return float(np.hypot(now_low, was_high)), float(np.hypot(now_high, was_low))


def _reach(one: Estimate) -> tuple[float, float]:
    """How far an estimate reaches down and up, as logarithms."""
    if one.value <= 0:
        return 0.0, 0.0
    return (log(one.value / one.low) if one.low > 0 else inf), (log(one.high / one.value) if one.high < inf else inf)
