"""Where a ramp between two constant parts begins and ends, by least squares: straight, or with a bend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .density import FloatArray, IntArray

TRIED = {2: 33, 3: 13, 4: 7}
"""By the number of knots of a ramp, the places that are tried for each at a time."""
NEAR = 1.5
"""Around the best ones places are tried anew, by so many times the distance of those before, ..."""
ROUNDS = 16
"""... until they are columns, and at most so often."""
CLEAR = 30.0
"""By how much the squared deviations from a ramp with more knots are less, in units of what it leaves in a column."""
BLOCKS = 40
"""Parts of the columns that tell how noise is correlated."""
FLAT = 0.05
"""A part of a ramp with less of its height is flat."""
ROUNDING = 1e-12
REST = 0.2
"""A rest is at least this part of two ramps with the rest between them."""


@dataclass(frozen=True)
class Ramp:
    """A change from one level to another between ``knots``: its begin, perhaps a bend, its end. ``rests``: it has four,
    and does not change between the second and the third. ``left``: the squared deviations from it.
    """

    knots: tuple[int, ...]
    rests: bool
    left: float

    @property
    def first(self) -> int:
        return self.knots[0]

    @property
    def last(self) -> int:
        return self.knots[-1]

    def parts(self, places: IntArray | FloatArray) -> list[FloatArray]:
        """How far each part of it has come in each of these columns, from 0 to 1."""
        pairs = list(pairwise(self.knots))
        return [np.clip((places + 0.5 - one) / (other - one), 0.0, 1.0) for one, other in pairs[:: 1 + self.rests]]


class RampFit:
    """Fits ramps to ``values`` with ``weights``, one over the variance, in the columns at ``places``, all [columns]. No
    two knots are nearer than ``shortest`` columns.

    Sums up to each column give the deviations from any ramp without a look at its columns, so that thousands are tried
    at once.
    """

    def __init__(self, places: IntArray, values: FloatArray, weights: FloatArray, shortest: int) -> None:
        self._begin, self._end = float(places[0]), float(places[-1]) + 1
        self._shortest = shortest
        self._bounds = np.asarray(places, dtype=np.float64)
        self._total = max(float(weights.sum()), 1e-300)
        self._weights, self._values = weights, values - float((weights * values).sum()) / self._total
        self._squares = float((weights * self._values**2).sum())
        moments = self._bounds + 0.5 - self._begin
        pulls = weights * self._values
        parts = np.stack([weights, weights * moments, weights * moments**2, pulls, pulls * moments])
        self._upto = np.concatenate([np.zeros((len(parts), 1)), np.cumsum(parts, axis=1)], axis=1)

    def straight(self) -> Ramp | None:
        """The straight ramp that is nearest to the values; None if there is no room for one."""
        return self._best(2)

    def bent(self, straight: Ramp) -> Ramp:
        """The ramp with a bend that goes in one direction, if it is clearly nearer than the straight one; without its
        flat part, if it has one: what goes on a little for long is over.
        """
        bent = self._best(3)
        if bent is None or not self._is_nearer(bent, straight):
            return straight
        heights = np.abs(self._deviations(bent)[0])
        if heights.min() >= FLAT * heights.sum():
            return bent
        steep = int(heights.argmax())
        return replace(bent, knots=bent.knots[steep : steep + 2])

    def rests(self, ramp: Ramp) -> bool:
        """Whether two ramps in one direction are clearly nearer than this one, with a long rest between them."""
        rested = self._best(4, rests=True)
        if rested is None or not self._is_nearer(rested, ramp):
            return False
        first, begin, end, last = rested.knots
        return end - begin >= REST * (last - first)

    def _is_nearer(self, ramp: Ramp, other: Ramp) -> bool:
        least = max(CLEAR * self._noise(ramp), ROUNDING**0.5 * self._squares)
        return bool(other.left - ramp.left > least)

    def _noise(self, ramp: Ramp) -> float:
        """What a ramp leaves in a column, more if the columns beside it leave the same: such noise looks like bends."""
        columns = len(self._values)
        left = self._deviations(ramp)[1]
        blocks = np.add.reduceat(left, np.arange(0, columns, max(columns // BLOCKS, 1)))
        return max(float((left**2).sum()), float((blocks**2).sum())) / max(columns - 2 * len(ramp.knots), 1)

    def _deviations(self, ramp: Ramp) -> tuple[FloatArray, FloatArray]:
        """The heights of the parts of a ramp, and what it leaves in each column, in standard deviations."""
        root = np.sqrt(self._weights)
        basis = root[:, None] * np.stack([np.ones(len(root)), *ramp.parts(self._bounds)], axis=1)
        heights = np.linalg.lstsq(basis, root * self._values, rcond=None)[0]
        return heights[1:], root * self._values - basis @ heights

    def _best(self, knots: int, *, rests: bool = False) -> Ramp | None:
        """The nearest ramp with so many knots: those tried lie nearer to the best ones each time."""
        tried = TRIED[knots]
        axes = [np.linspace(self._begin, self._end, tried)] * knots
        best, least = np.zeros(knots), np.inf
        for _ in range(ROUNDS):
            step = (axes[0][-1] - axes[0][0]) / (tried - 1)
            grid = np.stack(np.meshgrid(*(np.unique(np.rint(axis)) for axis in axes), indexing="ij")).reshape(knots, -1)
            grid = grid[:, (np.diff(grid, axis=0) >= self._shortest).all(axis=0)]
            left = self._left(grid, rests)
            if left.size and left.min() < least:
                best, least = grid[:, left.argmin()], left.min()
            if least == np.inf:
                return None
            if step <= 1:
                break
            near = max(NEAR * step, tried // 2)
            axes = [np.linspace(max(knot - near, self._begin), min(knot + near, self._end), tried) for knot in best]
        return Ramp(tuple(int(knot) for knot in best), rests, float(least))

    def _left(self, knots: FloatArray, rests: bool) -> FloatArray:
        """The squared deviations from ramps with these ``knots`` [knots, ramps]: [ramps], infinite where one turns."""
        weight, mass = self._upto[0], self._upto[3]
        at = np.searchsorted(self._bounds, knots, side="left")
        step = 1 + rests
        begin, length, last = knots[:-1:step] - self._begin, np.diff(knots, axis=0)[::step], at[1::step]
        inner = [sums[last] - sums[at[:-1:step]] for sums in self._upto]
        rest = weight[-1] - weight[last]
        means = (inner[1] - begin * inner[0]) / length + rest
        pulls = (inner[4] - begin * inner[3]) / length + mass[-1] - mass[last]
        squares = (inner[2] - 2 * begin * inner[1] + begin**2 * inner[0]) / length**2 + rest
        parts = len(means)
        products = np.empty((knots.shape[1], parts, parts))
        for one in range(parts):
            products[:, one, one] = squares[one]
            for other in range(one + 1, parts):  # one has come to its end wherever the other has begun
                products[:, one, other] = products[:, other, one] = means[other]
        products -= (means.T[:, :, None] * means.T[:, None, :]) / self._total
        products += np.eye(parts) * (ROUNDING * self._total)
        heights = np.linalg.solve(products, pulls.T[:, :, None])[:, :, 0]
        left = self._squares - (heights * pulls.T).sum(axis=1)
        return np.asarray(np.where((heights >= 0).all(axis=1) | (heights <= 0).all(axis=1), left, np.inf))
