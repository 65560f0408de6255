"""Whether a difference of two sides is more than a drift through both of them, which would have brought it anyhow."""

from __future__ import annotations

import numpy as np

from ..density import FloatArray
from .sides import student

OWN = 3
"""What is fitted: the level of each side, and one slope."""


def is_beyond_drift(before: FloatArray, after: FloatArray, inflation: float) -> bool:
    """Whether the means of two sides differ by more than the slope within them explains.

    ``before`` and ``after`` [blocks] are values of blocks by time. One slope is fitted to both sides, each around its
    own mean, and continued from the middle of BEFORE to that of AFTER. If it goes in the direction of the difference,
    what is left of that must exclude 0, at 95 %; ``inflation`` widens the interval for blocks that resemble the next.
    """
    sides = [np.asarray(side, dtype=np.float64) for side in (before, after)]
    blocks = [len(side) for side in sides]
    places = [np.arange(many) - (many - 1) / 2 for many in blocks]
    spread = sum(float(place @ place) for place in places)
    freedom = sum(blocks) - OWN
    if freedom < 1 or spread <= 0:
        return True
    centred = [side - side.mean() for side in sides]
    slope = sum(float(place @ side) for place, side in zip(places, centred, strict=True)) / spread
    difference, distance = float(sides[1].mean() - sides[0].mean()), sum(blocks) / 2
    if slope * difference <= 0:
        return True
    left = sum(float(((side - slope * place) ** 2).sum()) for place, side in zip(places, centred, strict=True))
    variance = left / freedom * (sum(1 / many for many in blocks) + distance**2 / spread)
    rest = abs(difference) - abs(slope) * distance
    return bool(rest >= student(freedom) * inflation * variance**0.5)
