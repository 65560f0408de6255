"""How two segments of a recording differ: feature by feature, which feature tells it best, and in which octaves."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from ..density import FloatArray
from ..modes import OUTER
from .bands import NEW, band_mean
from .change_points import LEAST
from .contrasts import LONGEST, Contrasts, IntArray
from .spans import LASTING, EpisodeKind, Span

CLEAR = 1 / 3
"""Of the size of the change of the rate, for a change of latencies to be told in its place."""
EXCESS = 3.0
"""Standard deviations by which an octave next to the one that changed most changes too."""
Part = tuple[int, int]
"""A segment: its first column, and the one behind its last."""


def has_columns(part: Part | None) -> TypeGuard[Part]:
    """Whether there is a segment, and it is not empty."""
    return part is not None and part[1] > part[0]


class SegmentDifferences:
    """Segments compared by contrasts; see Contrasts for what features are, and the number of the ``rate``."""

    def __init__(self, contrasts: Contrasts) -> None:
        self.contrasts = contrasts
        self.rate = contrasts.rate

    def between(self, one: Part, other: Part) -> FloatArray:
        """Contrasts of two segments, [features]."""
        one, other = (max(one[0], one[1] - LONGEST), one[1]), (other[0], min(other[1], other[0] + LONGEST))
        first, second = (self.contrasts.sums(np.array([part[0]]), np.array([part[1]])) for part in (one, other))
        return np.asarray(self.contrasts.apart(first, second)[:, 0])

    def telling(self, sizes: FloatArray) -> IntArray:
        """The features to tell, of sizes [features, pairs]: latencies come before the rate if they change clearly."""
        if not self.rate:
            return np.zeros(sizes.shape[1], dtype=np.int64)
        latency = sizes[: self.rate].argmax(axis=0)
        best = sizes[latency, np.arange(sizes.shape[1])]
        clear = best >= np.maximum(LEAST, sizes[self.rate] * CLEAR)
        return np.where(clear | (best >= sizes[self.rate]), latency, self.rate)

    def octaves(self, feature: int, before: Part, inner: Part) -> tuple[Part | None, Part | None]:
        """The octaves around a feature that changed in the same direction, and all that changed; None for the rate."""
        rows = self.contrasts.rows
        if feature == self.rate:
            return None, None
        sizes = self.between(before, inner)
        changed = sizes[:rows] * np.sign(sizes[feature])
        low = feature - rows + 1 if feature >= rows else feature
        top = low + int(changed[low:].argmax()) if feature >= rows else feature
        first, last = top, top + 1
        while first > 0 and changed[first - 1] >= EXCESS:
            first -= 1
        while last < rows and changed[last] >= EXCESS:
            last += 1
        touched = np.flatnonzero(np.abs(changed) >= EXCESS)
        return (first, last), (min([first, *touched[:1].tolist()]), max([last, *(touched[-1:] + 1).tolist()]))

    def told(self, span: Span) -> Part | None:
        """The octaves of a span. Those of a band that comes or goes are without the outermost ones, which have little
        of it: they hold as much of it as the range of a mode does of its events, so that both name it by the same
        latencies. None for the rate.
        """
        before = span.before or span.after
        then = span.after if span.kind in LASTING else (span.first, span.last)
        if span.octaves is None or span.zigzag or not before or not has_columns(then):
            return span.octaves
        first, last = span.octaves
        shares = self.shares(before, then)[first:last]
        less, more = sorted(shares.T, key=np.sum)
        if less.sum() > NEW * more.sum():
            return span.octaves
        upto = np.cumsum(more) / max(float(more.sum()), 1e-300)
        ends = np.searchsorted(upto, [OUTER, 1 - OUTER])
        return first + int(ends[0]), first + min(int(ends[1]) + 1, last - first)

    def lasting(self, kind: EpisodeKind, feature: int, place: Part, before: Part, after: Part) -> Span:
        """A lasting change of the rate, or of the latencies that differ most between these segments."""
        sizes = self.between(before, after)
        if feature != self.rate:
            feature = int(np.abs(sizes[: self.rate]).argmax())
        octaves, touched = self.octaves(feature, before, after)
        return Span(kind, *place, octaves, touched, float(sizes[feature]), before, after, place[1])

    def lasts(self, step: Span) -> bool:
        """Whether a step of the rate beside something that passed is one in the same direction from what was there just
        before that: what was long before it may be another load.
        """
        before, after = step.before, step.after
        if step.kind is not EpisodeKind.STEP or step.octaves is not None or not before or not after:
            return True
        passed = after[0] - before[1]
        near = (max(before[0], before[1] - passed), before[1]), (after[0], min(after[1], after[0] + passed))
        way = self.direction(self.rate, before, after)
        return passed <= 0 or bool(way * self.between(*near)[self.rate] >= LEAST)

    def direction(self, feature: int, before: Part, after: Part) -> float:
        """Whether the rate, or for any other feature latencies, goes up (1) or down (-1): the mean of those
        octaves in which it tells most. What many other events do by chance does not matter there.
        """
        if feature == self.rate:
            rates = self.contrasts.sums(*np.array([before, after]).T).levels()[self.rate]
            return float(np.sign(rates[1] - rates[0]))
        return float(np.sign(band_mean(self.shares(before, after)).rises))

    def part_of_way(self, feature: int, begin: Part, stage: Part, end: Part) -> float:
        """How far the rate, or for any other feature the latencies, have come in a segment on the way between two."""
        if feature == self.rate:
            levels = self.contrasts.sums(*np.array([begin, stage, end]).T).levels()[self.rate]
        else:
            shares = self.shares(begin, stage, end)
            first, last = band_mean(shares[:, [0, 2]]).octaves
            levels = np.arange(first, last) @ shares[first:last] / np.maximum(shares[first:last].sum(axis=0), 1e-300)
        whole = float(levels[2] - levels[0])
        return float(levels[1] - levels[0]) / whole if whole else 0.0

    def are_beyond(self, one: Part, middle: Part, other: Part) -> bool:
        """Whether two segments are both slower, or both faster, than the one between them: by the share above the edge
        that tells it best.
        """
        edges = slice(self.contrasts.rows, self.rate)
        ways = [self.between(middle, part)[edges] for part in (one, other)]
        signs = [np.sign(way[np.abs(way).argmax()]) for way in ways if way.size]
        return len(signs) == 2 and bool(signs[0] == signs[1])

    def shares(self, *parts: Part) -> FloatArray:
        """The share of each octave in each of these segments, [octaves, parts]."""
        return self.contrasts.sums(*np.array(parts).T).levels()[: self.contrasts.rows]

    def changed_shares(self, before: Part, then: Part) -> FloatArray:
        """How much the share of each octave changed, [octaves]; 0 where that can be chance."""
        parts = self.shares(before, then)
        real = np.abs(self.between(before, then)[: self.contrasts.rows]) >= EXCESS
        return np.where(real, parts[:, 1] - parts[:, 0], 0.0)
