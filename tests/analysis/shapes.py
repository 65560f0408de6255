"""Distributions with known truth, in buckets: latencies in seconds, drawn or as expected counts."""

from collections.abc import Callable
from functools import partial
from math import erf, log, sqrt

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
US = 1e-6


def grid(resolution: int = 1, octaves: int = 24, unit: float = US) -> FloatArray:
    """Edges of log-linear buckets from one unit on."""
    starts = 2.0 ** np.arange(octaves)[:, None] * (1 + np.arange(resolution) / resolution)
    return np.append(starts.ravel(), 2.0**octaves) * unit


def below(median: float, sigma: float, latency: float) -> float:
    """The part of a lognormal that is below a latency."""
    return 0.5 * (1 + erf(log(latency / median) / sigma / sqrt(2))) if latency > 0 else 0.0


def expected(edges: FloatArray, *parts: tuple[float, float, float]) -> FloatArray:
    """Counts that a mixture of lognormals has on average; each part is (median in seconds, sigma, events)."""
    return np.sum(
        [events * np.diff([below(median, sigma, edge) for edge in edges]) for median, sigma, events in parts], 0
    )


def drawn(seed: int, *parts: tuple[float, float, int]) -> FloatArray:
    """Latencies in seconds."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.lognormal(log(median), sigma, events) for median, sigma, events in parts])


def counted(latencies: FloatArray, edges: FloatArray) -> FloatArray:
    return np.histogram(latencies, edges)[0].astype(np.float64)


def columns_of(counts: FloatArray, many: int, seed: int, burst: float = 1.0) -> FloatArray:
    """Counts [buckets, columns] with these sums on average; events come in bursts of geometric size."""
    rng = np.random.default_rng(seed)
    begun = rng.poisson(np.outer(counts, np.full(many, 1 / many / burst)))
    more: Callable[..., NDArray[np.int64]] = partial(rng.negative_binomial, np.maximum(begun, 1))
    return np.where(begun > 0, begun + (more(1 / burst) if burst > 1 else 0), 0).astype(np.float64)
