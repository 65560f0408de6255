"""Where one mode ends and the next begins: dips of the density that chance does not explain.

The density per octave is cut at its valleys. The cut whose loss costs the least likelihood goes first, until each one
left would cost more than chance explains; two levels of evidence give the cuts that are sure, and those that are
possible. The cost is that of the best fit with one mode, which rises to a top and falls from there, found by pooling
adjacent violators.

Davies and Kovac, "Densities, spectral densities and modality" (Annals of Statistics 32, 2004), count modes by such
fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log

import numpy as np

from .density import FloatArray, LogHistogram

Numbers = Sequence[float]

SURE, POSSIBLE = 6.0, 3.0
"""Nats that one mode instead of two must cost."""
SURE_DIP, POSSIBLE_DIP = 0.2, 0.1
"""How much lower a valley is than the lower mode beside it."""
SURE_EVENTS, POSSIBLE_EVENTS = 20, 10
"""Independent events in a mode."""
PROMINENT = 2.5
"""Standard deviations by which a peak stands out, if it is looked at."""


def cuts_between_modes(histogram: LogHistogram, bunch: float) -> list[tuple[int, ...]]:
    """Where the modes after the first begin: of those that are sure, of one more, ... of all that are possible."""
    counts, octaves = histogram.counts / bunch, histogram.octaves
    parts = Parts(counts.tolist(), octaves.tolist(), _valleys(counts, octaves))
    sure = {cut for cut, gain in parts.gains.items() if gain >= SURE}
    possible = {cut for cut, gain in parts.gains.items() if gain >= POSSIBLE}
    certain = parts.filtered(sorted(sure), SURE_DIP, SURE_EVENTS)
    allowed = parts.filtered(sorted(possible), POSSIBLE_DIP, POSSIBLE_EVENTS)
    more = sorted(set(allowed) - set(certain), key=lambda cut: -parts.gains[cut])
    return [tuple(sorted([*certain, *more[:many]])) for many in range(len(more) + 1)]


def _valleys(counts: FloatArray, octaves: FloatArray) -> list[int]:
    """The buckets of least density between adjacent peaks that are worth a closer look; the middle of equal ones."""
    steady = (2 * np.sqrt((counts + 0.375) * (octaves.mean() / octaves))).tolist()
    peaks = _prominent(steady)
    density = counts / octaves
    found = []
    for before, after in pairwise(peaks):
        between = density[before : after + 1]
        lowest = np.flatnonzero(between == between.min())
        found.append(before + int(lowest[len(lowest) // 2]))
    return found


def _prominent(values: Sequence[float]) -> list[int]:
    """The places of the peaks that stand out by ``PROMINENT`` from the lowest value towards any higher peak."""
    peaks: list[int] = []
    top, low, climbing = values[0], values[0], True
    place = 0
    for at, value in enumerate(values):
        if climbing:
            if value > top:
                top, place = value, at
            elif value < top - PROMINENT:
                peaks.append(place)
                low, climbing = value, False
        elif value < low:
            low = value
        elif value > low + PROMINENT:
            top, place, climbing = value, at, True
    return [*peaks, place] if climbing or not peaks else peaks


class Parts:
    """Adjacent parts of a histogram, and what each cut between them is worth."""

    def __init__(self, counts: list[float], octaves: list[float], valleys: list[int]) -> None:
        self.counts = counts
        self.octaves = octaves
        self._known: dict[tuple[int, int], float] = {}
        self.gains = self._gains(valleys)
        """For each valley the nats that its loss costs, when it is the least of those left; no less than any before."""

    def _likelihood(self, first: int, stop: int) -> float:
        if (first, stop) not in self._known:
            self._known[first, stop] = likelihood(self.counts[first:stop], self.octaves[first:stop])
        return self._known[first, stop]

    def _gains(self, valleys: list[int]) -> dict[int, float]:
        """Take away the valley that costs least, again and again."""
        bounds = [0, *valleys, len(self.counts)]
        found: dict[int, float] = {}
        least = 0.0
        while len(bounds) > 2:
            gains = [self._gain(*bounds[place - 1 : place + 2]) for place in range(1, len(bounds) - 1)]
            gain = min(gains)
            least = max(least, gain)
            found[bounds.pop(gains.index(gain) + 1)] = least
        return found

    def _gain(self, first: int, cut: int, stop: int) -> float:
        return self._likelihood(first, cut) + self._likelihood(cut, stop) - self._likelihood(first, stop)

    def filtered(self, cuts: list[int], dip: float, events: float) -> list[int]:
        """The cuts that are left when shallow valleys go, the shallowest first, and then modes of few events."""
        if not cuts:
            return cuts
        bounds = [0, *cuts, len(self.counts)]
        fits = [fitted(self.counts[first:stop], self.octaves[first:stop]) for first, stop in pairwise(bounds)]
        tops = [max(fit) for fit in fits]
        floors = [min(left[-1], right[0]) for left, right in pairwise(fits)]
        masses = [sum(self.counts[first:stop]) for first, stop in pairwise(bounds)]
        kept = list(cuts)
        while kept:
            depths = [1 - floor / min(pair) for floor, pair in zip(floors, pairwise(tops), strict=True)]
            place = depths.index(min(depths))
            if depths[place] >= dip:
                if min(masses) >= events:
                    return kept
                small = masses.index(min(masses))
                place = _higher_side(small, floors)
            tops[place : place + 2] = [max(tops[place : place + 2])]
            masses[place : place + 2] = [sum(masses[place : place + 2])]
            del floors[place], kept[place]
        return kept


def _higher_side(part: int, floors: list[float]) -> int:
    """The cut on the side of a part where the valley is higher."""
    if part == 0:
        return 0
    if part == len(floors):
        return part - 1
    return part if floors[part] > floors[part - 1] else part - 1


# The best fit with one mode.


def likelihood(counts: Numbers, widths: Numbers) -> float:
    """The log likelihood of the best density with one mode; comparable between parts of the same histogram."""
    rise, fall = rising(counts, widths), rising(counts[::-1], widths[::-1])
    return max(map(float.__add__, rise, reversed(fall)))


def rising(counts: Numbers, widths: Numbers) -> list[float]:
    """The log likelihood of the best density that never falls, of each prefix: of no bucket, of one, ... of all."""
    sums: list[float] = []
    spans: list[float] = []
    at = [0.0]
    found = [0.0]
    for count, width in zip(counts, widths, strict=True):
        while sums and sums[-1] * width >= count * spans[-1]:
            count += sums.pop()
            width += spans.pop()
            at.pop()
        sums.append(count)
        spans.append(width)
        at.append(at[-1] + count * log(count / width) if count else at[-1])
        found.append(at[-1])
    return found


def fitted(counts: Numbers, widths: Numbers) -> list[float]:
    """The best density with one mode, per unit of width, for each bucket."""
    rise, fall = rising(counts, widths), rising(counts[::-1], widths[::-1])[::-1]
    top = max(range(len(rise)), key=lambda place: rise[place] + fall[place])
    return _risen(counts[:top], widths[:top]) + _risen(counts[top:][::-1], widths[top:][::-1])[::-1]


def _risen(counts: Numbers, widths: Numbers) -> list[float]:
    """The best density that never falls."""
    blocks: list[tuple[float, float, int]] = []
    for count, width in zip(counts, widths, strict=True):
        size = 1
        while blocks and blocks[-1][0] * width >= count * blocks[-1][1]:
            before, span, many = blocks.pop()
            count, width, size = count + before, width + span, size + many
        blocks.append((count, width, size))
    return [value for count, width, size in blocks for value in [count / width] * size]
