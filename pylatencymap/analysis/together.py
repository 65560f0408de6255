"""Whether two series move together: the correlation of what they do in each column, and when it says something."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .density import FloatArray, IntArray

FEWEST_TOGETHER = 12
"""Columns; of fewer, chance alone makes large correlations."""
CLOSELY = 0.8
"""From this correlation on, two series move as one: two thirds of what one does follows from the other."""
LEAST_CHANGE = 0.05
"""A series moves if its standard deviation is this part of its mean."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's correlation ``r`` of two series over so many ``columns``; ``first`` and ``second``: how far each moves,
    the standard deviation as a part of its mean. ``rest``: what ``r`` is without the column that counts most in it.
    """

    r: float
    columns: int
    first: float
    second: float
    rest: float

    @property
    def is_close(self) -> bool:
        """Whether both move, and as one, or as opposites; two that stand still but for a moment do not."""
        moves = min(self.first, self.second) >= LEAST_CHANGE
        return moves and min(abs(self.r), abs(self.rest)) >= CLOSELY and self.r * self.rest > 0


def correlation(first: FloatArray, second: FloatArray) -> Correlation | None:
    """The correlation of two series [columns]; None where there are too few columns, or where one stands still."""
    if first.size < FEWEST_TOGETHER:
        return None
    r = _pearson(first, second)
    if r is None:
        return None
    most = int(np.abs(_centred(first) * _centred(second)).argmax())
    rest = _pearson(np.delete(first, most), np.delete(second, most))
    return Correlation(r, int(first.size), _spread(first), _spread(second), rest or 0.0)


def _pearson(first: FloatArray, second: FloatArray) -> float | None:
    """None where one stands still."""
    moved = _centred(first), _centred(second)
    size = sqrt(float(moved[0] @ moved[0]) * float(moved[1] @ moved[1]))
    return min(max(float(moved[0] @ moved[1]) / size, -1.0), 1.0) if size > 0 else None


def shared_columns(first: IntArray, second: IntArray, step: int) -> tuple[IntArray, IntArray]:
    """The places of the columns that two series both have, given when their columns end [columns], in any unit, and how
    long each is in that unit: those whose ends are the same to the nearest column.
    """
    one, other = (np.round(ends / max(step, 1)).astype(np.int64) for ends in (first, second))
    _, mine, its = np.intersect1d(one, other, return_indices=True)
    return mine, its


def _centred(values: FloatArray) -> NDArray[np.float64]:
    centred: FloatArray = values - values.mean()
    # What is left of rounding is no movement.
    centred[np.abs(centred) < 1e-12 * max(float(np.abs(values).max(initial=0.0)), 1e-300)] = 0.0
    return centred


def _spread(values: FloatArray) -> float:
    mean = float(values.mean())
    return float(values.std()) / mean if mean > 0 else 0.0
