"""What is plain although a side has too few columns for a test: a share of the events that is many times another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ..bunching import bunching
from ..density import FloatArray
from .sides import TimedCounts

LEAST_COLUMNS = 5
"""With data, a side: with fewer nobody knows how columns vary."""
LEAST_EVENTS = 20
"""Independent events above the bound, on the side that has more of them; below it as many."""
SIGMAS = 6.0
"""Standard deviations of independent events, by how adjacent columns vary."""
TIMES = 5.0
"""The least factor between the odds of both sides: no load that wanders does that by itself."""


@dataclass(frozen=True, slots=True)
class PlainDifference:
    """The shares of the events above ``bound``, seconds, on both sides."""

    bound: float
    before: float
    after: float


def plain_difference(
    before: Sequence[TimedCounts], after: Sequence[TimedCounts], edges: FloatArray
) -> PlainDifference | None:
    """The largest change of a share above a bound that is plain; None if there is none.

    Events next to each other are alike, and loads wander, which few columns cannot show. So it takes many independent
    events, as many as adjacent columns allow, and odds that differ by TIMES.
    """
    sides = [np.concatenate([run.counts[:, run.seconds > 0] for run in side], axis=1) for side in (before, after)]
    if min(side.shape[1] for side in sides) < LEAST_COLUMNS or min(float(side.sum()) for side in sides) <= 0:
        return None
    bunch = max(bunching(side) for side in sides)
    above = np.array([np.cumsum(side.sum(axis=1)[::-1])[::-1][1:] for side in sides])
    totals = np.array([[side.sum()] for side in sides])
    shares, pooled = above / totals, above.sum(axis=0) / totals.sum()
    spread = np.sqrt(np.maximum(pooled * (1 - pooled), 1e-300) * bunch * (1 / totals).sum())
    difference = np.abs(shares[1] - shares[0])
    plain = (difference >= SIGMAS * spread) & (_odds(shares) >= TIMES)
    plain &= np.minimum(above.max(axis=0), (totals - above).max(axis=0)) >= LEAST_EVENTS * bunch
    if not plain.any():
        return None
    place = int(np.argmax(np.where(plain, difference, 0.0)))
    return PlainDifference(float(edges[place + 1]), float(shares[0, place]), float(shares[1, place]))


def _odds(shares: FloatArray) -> FloatArray:
    """The factor between the odds of both sides, [bounds], 1 or more."""
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = shares / (1 - shares)
        ratio = odds.max(axis=0) / odds.min(axis=0)
    return np.where(np.isnan(ratio), 1.0, np.minimum(ratio, inf))
