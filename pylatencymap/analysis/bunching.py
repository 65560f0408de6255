"""How much more than Poisson's counts vary from column to column, because latencies arrive in bursts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEAST_PAIR = 5
"""Events in one bucket of two adjacent columns, below which the pair says nothing."""
PARTS, PART_COLUMNS = 8, 4096
"""Parts of a long recording that tell its bunching, each of so many columns."""


def bunching(counts: ArrayLike) -> float:
    """Variance over mean of the counts, at least 1: so many events count as one independent event.

    ``counts`` [buckets, columns]. Each column is compared with the next one, bucket by bucket, given both totals, so
    that a step of the rate is no bunching. Where few buckets hold all events, the result is somewhat too small, for the
    totals vary with them. Columns without events, such as gaps, have no part in it. 1 for a single column or a vector:
    there is nothing to compare.
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        return 1.0
    totals = table.sum(axis=0)
    both = totals[:-1] + totals[1:]
    share = totals[1:] / np.where(both > 0, both, 1.0)
    pairs = table[:, :-1] + table[:, 1:]
    enough = pairs >= LEAST_PAIR
    expected = np.where(enough, pairs * (share * (1 - share)), 0.0).sum()
    if expected <= 0:
        return 1.0
    found = np.where(enough, (table[:, 1:] - pairs * share) ** 2, 0.0).sum()
    return max(1.0, float(found / expected))


def bunching_of(counts: ArrayLike, known: float | None) -> float:
    """The bunching that a caller knows already, else that of ``counts``."""
    return bunching(counts) if known is None else known


def bunching_of_parts(counts: NDArray[np.float64]) -> float:
    """The bunching of a recording; of a long one the median of that of some parts of it."""
    columns = counts.shape[1]
    if columns <= PARTS * PART_COLUMNS:
        return bunching(counts)
    begins = np.linspace(0, columns - PART_COLUMNS, PARTS).astype(np.int64)
    return float(np.median([bunching(counts[:, begin : begin + PART_COLUMNS]) for begin in begins]))
