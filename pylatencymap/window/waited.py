"""Time waited per range: exact in its sum where the source has it."""

from __future__ import annotations

import numpy as np

from ..units import Unit
from .block import RangeKey
from .matrix import FloatArray


def waited_per_range(counts: FloatArray, ranges: list[RangeKey], waited: FloatArray, unit: Unit) -> FloatArray:
    """Seconds waited, [columns, ranges], that sum to ``waited`` [columns].

    Within a column all events lie at the same fraction of their range, chosen so that the sum comes out: one half where
    it is a midpoint estimate. What no fraction can explain (events in open ranges) scales the column.
    """
    lower = np.array([low for low, _ in ranges], dtype=np.float64) * unit.seconds
    width = np.array([0.0 if high is None else high - low for low, high in ranges], dtype=np.float64) * unit.seconds
    least, spread = counts @ lower, counts @ width
    fraction = np.where(spread > 0, (waited - least) / np.where(spread > 0, spread, 1.0), 0.5).clip(0.0, 1.0)
    result = counts * (lower + fraction[:, None] * width)
    total = result.sum(axis=1)
    return np.asarray(result * np.where(total > 0, waited / np.where(total > 0, total, 1.0), 1.0)[:, None])
