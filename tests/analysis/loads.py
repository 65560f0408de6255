"""Loads for the tests of comparisons and changes: counts per second in octaves, with what is planted in them."""

import numpy as np

from pylatencymap.analysis import TimedCounts
from pylatencymap.analysis.density import FloatArray

OCTAVES = 24
EDGES = 1e-6 * 2.0 ** np.arange(OCTAVES + 1)
"""Octaves from 1 us."""
FAST, SLOW, INCIDENT = 6.6, 13.2, 17.1
"""Middles of modes in octaves: 97 us, 9.4 ms, 140 ms."""


def mode(middle: float, width: float = 0.6) -> FloatArray:
    """Shares of the octaves."""
    shares = np.exp(-(((np.arange(OCTAVES) + 0.5 - middle) / width) ** 2))
    return shares / shares.sum()


BASE = 0.9 * mode(FAST) + 0.1 * mode(SLOW)
"""A cache and what lies behind it."""


def mean_counts(columns: int, shares: FloatArray = BASE, rate: float = 400.0) -> FloatArray:
    """What is to be expected, [octaves, columns]."""
    return np.repeat(rate * shares[:, None], columns, axis=1)


def poisson(mean: FloatArray, seed: int = 1) -> FloatArray:
    return np.random.default_rng(seed).poisson(mean).astype(np.float64)


def wandering(columns: int, seed: int, over: float = 10.0) -> FloatArray:
    """A standard normal in each column, like those of about ``over`` columns before it."""
    steps = np.random.default_rng(seed).standard_normal(columns)
    keep = np.exp(-1 / over)
    for number in range(1, columns):
        steps[number] = keep * steps[number - 1] + np.sqrt(1 - keep**2) * steps[number]
    return steps


def in_bursts(mean: FloatArray, seed: int, burst: float = 3.0) -> FloatArray:
    """Counts of these means that come in bursts of geometric size."""
    rng = np.random.default_rng(seed)
    counts = rng.poisson(mean / burst)
    counts[counts > 0] += rng.negative_binomial(counts[counts > 0], 1 / burst)
    return counts.astype(np.float64)


def timed(counts: FloatArray, seconds: float = 1.0) -> TimedCounts:
    return TimedCounts(counts, np.full(counts.shape[1], seconds))
