"""What rises and falls again and again: where it is high, how long it takes to get there and back, how regularly."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np

from .density import FloatArray

FEWEST = 7
"""Times that something comes, from which on it can be told to come regularly."""
ALIKE = ((0.1, 0.2), (0.25, 0.5))
"""Distances are alike within the first of the usual one; of random ones, at most the second are."""
SHORT, SHORT_ALIKE = 10, ((0.25, 0.75),)
"""Columns; shorter distances are alike by chance more often, for they are whole numbers."""
SHORTEST = 4
BY_CHANCE = 1e-3
"""Random distances are taken for regular ones so often at most."""


class HighPart(NamedTuple):
    """Columns [first, last) in which a course is high. ``begin``: behind the last low column before it; ``end``: the
    first low one behind it; None where there is none.
    """

    first: int
    last: int
    begin: int | None
    end: int | None


def high_parts(course: FloatArray, low: float, high: float) -> list[HighPart]:
    """Where a ``course`` [columns] is ``high`` and more; between two such parts it is ``low`` or less at least once."""
    signs = np.where(course >= high, 1, np.where(course <= low, -1, 0))
    told = np.flatnonzero(signs)
    if not len(told):
        return []
    turns = np.flatnonzero(np.diff(signs[told])) + 1
    groups = [group for group in np.split(told, turns) if signs[group[0]] > 0]
    lows = told[signs[told] < 0]
    places = [int(np.searchsorted(lows, group[0])) for group in groups]
    return [
        HighPart(
            int(group[0]),
            int(group[-1]) + 1,
            int(lows[place - 1]) + 1 if place else None,
            int(lows[place]) if place < len(lows) else None,
        )
        for group, place in zip(groups, places, strict=True)
    ]


def smoothed(values: FloatArray, weights: FloatArray, width: int) -> FloatArray:
    """The weighted mean of the ``width`` columns around each, [columns]; those beyond the ends have no part in it."""
    if width < 2:
        return np.where(weights > 0, values, 0.0)
    box = np.ones(min(width, len(values)))
    mass, weight = (np.convolve(one, box, "same") for one in (values * weights, weights))
    return np.asarray(mass / np.maximum(weight, 1e-300))


def regular_distance(places: Sequence[float]) -> float | None:
    """The usual distance of ``places``, if so many of them are alike that it is not by chance; else None."""
    apart = np.diff(np.asarray(places, dtype=np.float64))
    if len(apart) + 1 < FEWEST:
        return None
    usual = float(np.median(apart))
    for within, chance in SHORT_ALIKE if usual < SHORT else ALIKE:
        alike = np.abs(apart - usual) <= max(within * usual, 1.0)
        if usual >= SHORTEST and _at_least(max(int(alike.sum()) - 1, 0), len(apart) - 1, chance) <= BY_CHANCE:
            return float(apart[alike].mean())
    return None


def _at_least(hits: int, tries: int, chance: float) -> float:
    """How likely so many hits or more are."""
    if tries > 60:  # by then far from any doubt, or by a normal distribution
        off = (hits - 0.5 - tries * chance) / (tries * chance * (1 - chance)) ** 0.5
        return 0.0 if off > 3.2 else 1.0
    return sum(comb(tries, some) * chance**some * (1 - chance) ** (tries - some) for some in range(hits, tries + 1))
