"""How fine a latency resolution is worth drawing."""

from __future__ import annotations

import numpy as np

from ..buckets import MAX_RESOLUTION, on_grid
from .selection import Selection
from .waited import waited_per_range

FINEST = MAX_RESOLUTION
"""Finer than this nothing is drawn, whatever the source."""


def finest(selection: Selection) -> int:
    """The finest resolution worth drawing, 1 to 64; FINEST as long as there are no events that could tell.

    It is that at which a row of the octave with the most wait is no narrower than half the source's own range there;
    where its ranges lie on the grid, none at which they are drawn as wide as one step before.
    """
    waits = _waits(selection)
    octaves: dict[int, float] = {}
    for (lower, upper), wait in waits.items():
        octave = _octave(lower, upper)
        octaves[octave] = octaves.get(octave, 0.0) + wait
    if not octaves:
        return FINEST
    octave = max(octaves, key=lambda number: octaves[number])
    inside = {key: wait for key, wait in waits.items() if _octave(*key) == octave}
    lower, upper = max(inside, key=lambda key: inside[key])
    resolution = FINEST
    while resolution > 1 and 2 ** max(octave - 1, 0) / resolution < (upper - lower) / 2:
        resolution //= 2
    while resolution > 1 and all(_drawn_whole(*key, resolution // 2) for key in inside):
        resolution //= 2
    return resolution


def _waits(selection: Selection) -> dict[tuple[float, float], float]:
    """Time waited by range, of the closed ranges in use; their events where nothing was waited."""
    per_range = waited_per_range(selection.counts, selection.ranges, selection.columns["waited"], selection.unit)
    waited, events = per_range.sum(axis=0), selection.counts.sum(axis=0)
    weights = np.where(events > 0, waited, 0.0) if waited.any() else events
    return {
        (float(lower), float(upper)): float(weight)
        for (lower, upper), weight in zip(selection.ranges, weights, strict=True)
        if upper is not None and weight > 0
    }


def _octave(lower: float, upper: float) -> int:
    return int((lower + upper) / 2).bit_length()


def _drawn_whole(lower: float, upper: float, resolution: int) -> bool:
    """Whether a range is a row of its own at a resolution."""
    return on_grid(lower, resolution) and on_grid(upper, resolution)
