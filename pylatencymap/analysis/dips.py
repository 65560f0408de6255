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

from .density import FloatArray, IntArray, LogHistogram

Numbers = Sequence[float]

SURE, POSSIBLE = 5.0, 1.7
"""Nats that one mode instead of two must cost, beyond the logarithm of the number of rows an octave: chance finds more
places for a dip in finer rows. At 1 and at 8 rows an octave, 5 and 7.1 nats make a mode sure.
"""
SURE_DIP, POSSIBLE_DIP = 0.2, 0.1
"""How much lower a valley is than the lower mode beside it."""
SURE_EVENTS, POSSIBLE_EVENTS = 20, 10
"""Independent events in a mode."""
FINEST = 16
"""Rows an octave in which modes are looked for, at most."""
PROMINENT = 2.5
"""Standard deviations by which a peak stands out, if it is looked at."""


def cuts_between_modes(histogram: LogHistogram, bunch: float) -> list[tuple[int, ...]]:
    """Where the modes after the first begin: of those that are sure, of one more, ... of all that are possible."""
    starts = _row_starts(histogram)
    octaves = np.add.reduceat(histogram.octaves, starts)
    counts = np.add.reduceat(histogram.counts, starts) / bunch
    parts = Parts(counts.tolist(), octaves.tolist(), _valleys(counts, octaves))
    used = counts > 0
    by_chance = max(log(np.count_nonzero(used) / float(octaves[used].sum())), 0.0)
    sure = [cut for cut, gain in parts.gains.items() if gain >= SURE + by_chance]
    possible = [cut for cut, gain in parts.gains.items() if gain >= POSSIBLE + by_chance]
    certain = parts.filtered(sorted(sure), SURE_DIP, SURE_EVENTS)
    allowed = parts.filtered(sorted(possible), POSSIBLE_DIP, POSSIBLE_EVENTS)
    more = sorted(set(allowed) - set(certain), key=lambda cut: -parts.gains[cut])
    levels = (sorted([*certain, *more[:many]]) for many in range(len(more) + 1))
    return [tuple(int(starts[cut]) for cut in level) for level in levels]


def _row_starts(histogram: LogHistogram) -> IntArray:
    """The buckets at which rows begin: every bucket, or the first of those that share one of FINEST rows an octave.

    In finer ones too few events lie for peaks to stand out.
    """
    if histogram.octaves.min() >= 1 / FINEST:
        return np.arange(len(histogram.counts))
    places = np.floor((histogram.logs[:-1] - histogram.logs[0]) * FINEST + 1e-6)
    return np.flatnonzero(np.concatenate(([True], places[1:] > places[:-1])))


def _valleys(counts: FloatArray, octaves: FloatArray) -> list[int]:
    """The buckets of least density between adjacent peaks that are worth a closer look; the middle of equal ones."""
    steady = (2 * np.sqrt((counts + 0.375) * ((octaves.sum() / len(octaves)) / octaves))).tolist()
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
        self._tops: dict[tuple[int, int], tuple[float, int]] = {}
        self._rises: dict[int, list[float]] = {}
        self._falls: dict[int, list[float]] = {}
        self._outlines: dict[tuple[int, int], tuple[float, float, float]] = {}
        self.gains = self._gains(valleys)
        """For each valley the nats that its loss costs, when it is the least of those left; no less than any before."""

    def best_with_one_mode(self, first: int, stop: int) -> tuple[float, int]:
        """The log likelihood of the best density with one mode, and the bucket from which on that falls."""
        if (first, stop) not in self._tops:
            size = stop - first
            rises, falls = self._rises.get(first, ()), self._falls.get(stop, ())
            if len(rises) <= size:
                rises = self._rises[first] = rising(self.counts[first:stop], self.octaves[first:stop])
            if len(falls) <= size:
                falls = self._falls[stop] = rising(self.counts[first:stop][::-1], self.octaves[first:stop][::-1])
            both = list(map(float.__add__, rises[: size + 1], falls[size::-1]))
            best = max(both)
            self._tops[first, stop] = best, first + both.index(best)
        return self._tops[first, stop]

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
        # The longest part comes first: what is found for its beginnings and ends serves the others.
        whole, left, right = (self.best_with_one_mode(*part)[0] for part in ((first, stop), (first, cut), (cut, stop)))
        return left + right - whole

    def _outline(self, first: int, stop: int) -> tuple[float, float, float]:
        """The best density with one mode: at the first bucket, at its top, and at the last bucket."""
        if (first, stop) in self._outlines:
            return self._outlines[first, stop]
        top = self.best_with_one_mode(first, stop)[1]
        begin, left = _ends_of_rise(self.counts[first:top], self.octaves[first:top])
        end, right = _ends_of_rise(self.counts[top:stop][::-1], self.octaves[top:stop][::-1])
        ends = (begin if top > first else right), (end if top < stop else left)
        self._outlines[first, stop] = ends[0], max(left, right), ends[1]
        return self._outlines[first, stop]

    def filtered(self, cuts: list[int], dip: float, events: float) -> list[int]:
        """The cuts that are left when shallow valleys go, the shallowest first, and then modes of few events."""
        if not cuts:
            return cuts
        bounds = [0, *cuts, len(self.counts)]
        outlines = [self._outline(*part) for part in pairwise(bounds)]
        tops = [top for _, top, _ in outlines]
        floors = [min(left[-1], right[0]) for left, right in pairwise(outlines)]
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


# The best density that never falls, by pooling adjacent violators.


def rising(counts: Numbers, widths: Numbers) -> list[float]:
    """Its log likelihood for each prefix: for no bucket, for one, ... for all."""
    sums: list[float] = []
    spans: list[float] = []
    below: list[float] = []
    top, span, base = -1.0, 1.0, 0.0  # the highest block, and the likelihood below it; the first is lower than any
    whole = 0.0
    found = [whole]
    for count, width in zip(counts, widths, strict=True):
        if top * width >= count * span:
            top += count
            span += width
            while sums[-1] * span >= top * spans[-1]:
                top += sums.pop()
                span += spans.pop()
                base = below.pop()
        else:
            sums.append(top)
            spans.append(span)
            below.append(base)
            top, span, base = count, width, whole
        whole = base + top * log(top / span) if top else base
        found.append(whole)
    return found


def _ends_of_rise(counts: Numbers, widths: Numbers) -> tuple[float, float]:
    """The density itself in the first and in the last bucket; 0 without buckets."""
    sums, spans = [-1.0], [1.0]
    for count, width in zip(counts, widths, strict=True):
        while sums[-1] * width >= count * spans[-1]:
            count += sums.pop()
            width += spans.pop()
        sums.append(count)
        spans.append(width)
    return (sums[1] / spans[1], sums[-1] / spans[-1]) if len(sums) > 1 else (0.0, 0.0)
