"""Where the steps of a colour scale lie, found in the scale itself."""

from functools import lru_cache

import numpy as np

from .scale import levels_of

_HALVINGS = 60
_BEYOND = 2.0


@lru_cache(maxsize=32)
def step_ends(scale: str, levels: int) -> tuple[float, ...]:
    """The largest value of level 1, of level 2 and so on, but for the last level, on a scale that ends at 1.

    The level of a value above 0 is one more than the number of ends below it.
    """
    wanted = np.arange(1, levels)
    low, high = np.zeros(wanted.size), np.full(wanted.size, _BEYOND)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        inside = levels_of(middle, 1.0, levels, scale) <= wanted
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return tuple(low.tolist())
