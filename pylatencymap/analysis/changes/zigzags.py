"""A band that goes somewhere and comes back, again and again. The climbs of a saw's teeth look like one drift, and its
jumps like steps back, as if each were another change: they are told as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cycles import HighPart, high_parts, smoothed
from ..density import FloatArray
from .bands import LEAST_SPREAD, band_change, band_mean
from .change_points import LEAST
from .contrasts import LEAST_EVENTS, IntArray, SegmentSums
from .segment_differences import EXCESS, Part, SegmentDifferences
from .spans import EpisodeKind, Span, Zigzag

APART = 0.25
"""The part of the longer of two changes that lies between them at most, if both are ways of one zigzag."""
NEAR, FAR = 0.3, 0.7
"""How much of its way a band has gone where it counts as being back, and as being there."""
HOME, AWAY = 0.15, 0.85
"""The columns that tell what it is like where it comes from, and where it goes to."""
FARTHEST = 0.95
"""The part of the columns in which it has not gone farther than that is its way."""
UNSURE = 0.1
"""The standard deviation of how far it has gone, at most: more columns are taken together until it is no more, ..."""
MOST_TOGETHER = 16
"""... or until they are one of so many parts of the zigzag."""
LEAST_SIDE = 4
LEAST_PART = 8
"""Of the times that a band is away, half last at least so many columns: a load that wanders is far from home for one
or two, again and again.
"""
MOST_BINS = 2048
NAMED = 0.1
"""Octaves that get a smaller part of what goes there are not named."""


def with_zigzags(found: Sequence[Span], differences: SegmentDifferences) -> list[Span]:
    """All spans, by time; those that are only the ways of a zigzag are one."""
    rest = [one for one in found if one.touched is None]
    for group in _groups(found):
        others = [one for one in found if one.touched is not None and one not in group]
        whole = _zigzag(group, others, differences)
        rest += group if whole is None else [whole]
    return sorted(rest, key=lambda span: (span.first, span.last))


def _groups(found: Sequence[Span]) -> list[list[Span]]:
    """Changes of latencies that overlap, or are near to each other, in octaves that both touch."""
    groups: list[list[Span]] = []
    for span in sorted((one for one in found if one.touched is not None), key=lambda one: one.first):
        near = [group for group in groups if any(_is_near(one, span) for one in group)]
        whole = [*(one for group in near for one in group), span]
        groups = [*(group for group in groups if group not in near), whole]
    return groups


def _is_near(one: Span, other: Span) -> bool:
    if one.touched is None or other.touched is None:
        return False
    near = other.first - one.last <= APART * max(one.last - one.first, other.last - other.first)
    return near and other.touched[0] < one.touched[1] and one.touched[0] < other.touched[1]


def _zigzag(group: Sequence[Span], others: Sequence[Span], differences: SegmentDifferences) -> Span | None:
    """Changes as one, if they are the ways of a band that comes back more than once."""
    kinds = {one.kind for one in group}
    if kinds == {EpisodeKind.INCIDENT} or (len(group) == 1 and EpisodeKind.MOVE not in kinds):
        return None
    first, last = min(one.first for one in group), max(one.last for one in group)
    low = max([0, *(one.last for one in others if one.last <= first)])
    high = min([differences.contrasts.n, *(one.first for one in others if one.first >= last)])
    way = _Way(differences, (first, last), (max(low, 2 * first - last), min(high, 2 * last - first)), group)
    return way.span()


@dataclass(frozen=True)
class _Way:
    """How far a band has gone in each part of ``inner`` and in what lies around it, up to the ends of ``outer``."""

    differences: SegmentDifferences
    inner: Part
    outer: Part
    group: Sequence[Span]

    def span(self) -> Span | None:
        walls = self._walls()
        course = self._course(walls)
        if course is None:
            return None
        parts = high_parts(course, NEAR, FAR)
        if _usual_length(parts) < LEAST_PART:
            return None
        begins, backs = [one.begin for one in parts], [one.end for one in parts]
        sides = self.inner[0] - self.outer[0] >= LEAST_SIDE, self.outer[1] - self.inner[1] >= LEAST_SIDE
        if len(parts) < 2 or (sides[0] and begins[0] is None) or (sides[1] and backs[-1] is None):
            return None
        ends = [np.flatnonzero(part) for part in (course <= HOME, course >= AWAY)]
        home, away = (self._sums([(int(walls[place]), int(walls[place + 1])) for place in end]) for end in ends)
        first = min(self.inner[0], int(walls[begins[0] or 0]))
        last = max(self.inner[1], int(walls[backs[-1] or -1]))
        return self._as_span((first, last), sides, parts, walls, (home, away))

    def _walls(self) -> IntArray:
        """The ends of the parts that are looked at."""
        first, last = self.outer
        return np.unique(np.linspace(first, last, min(last - first, MOST_BINS) + 1).astype(np.int64))

    def _course(self, walls: IntArray) -> FloatArray | None:
        """0 where the band comes from, 1 where it has gone farthest; None if that is the same."""
        octaves = np.diff(self.differences.contrasts.octaves[:, walls], axis=1)
        inside = (walls[:-1] >= self.inner[0]) & (walls[1:] <= self.inner[1])
        touched = [one.touched for one in self.group if one.touched is not None]
        among = min(first for first, _ in touched), max(last for _, last in touched)
        course = self._gone(octaves, among, inside)
        for _ in range(2):
            if course is None:
                return None
            ends = [octaves[:, part].sum(axis=1) for part in (course <= NEAR, course >= FAR)]
            if not all(end.sum() for end in ends):
                return None
            among = band_mean(np.stack([end / end.sum() for end in ends], axis=1)).octaves
            course = self._gone(octaves, among, inside)
        return course

    def _gone(self, octaves: FloatArray, among: Part, inside: NDArray[np.bool_]) -> FloatArray | None:
        """See _course; by the mean latency ``among`` these octaves."""
        band = octaves[slice(*among)]
        events = band.sum(axis=0)
        if not events[inside].any():
            return None
        values = np.arange(*among) @ band / np.maximum(events, LEAST_EVENTS)
        ends = np.quantile(values[inside & (events > 0)], [1 - FARTHEST, FARTHEST])
        outside = events * ~inside
        home = float(np.average(values, weights=outside)) if outside.any() else float(ends[0])
        far = float(ends[np.abs(ends - home).argmax()])
        if far == home:
            return None
        spread = max(float(np.average((values - home) ** 2, weights=events)), LEAST_SPREAD)
        unsure = spread * self.differences.contrasts.bunch / max(float(np.median(events[inside])), LEAST_EVENTS)
        width = int(min(unsure / (UNSURE * (far - home)) ** 2, int(inside.sum()) // MOST_TOGETHER))
        return smoothed((values - home) / (far - home), events, width)

    def _sums(self, parts: Sequence[Part]) -> SegmentSums:
        return self.differences.contrasts.sums(*np.array(parts).T).total()

    def _as_span(
        self,
        place: Part,
        sides: tuple[bool, bool],
        parts: Sequence[HighPart],
        walls: IntArray,
        sums: tuple[SegmentSums, SegmentSums],
    ) -> Span | None:
        """All of it as one change; None if no latencies gain events, or not more than by noise.

        ``place``: its first and last column. ``sides``: whether there is enough before and after it to compare it with.
        ``parts``: the times that the band is away, between ``walls``. ``sums``: of the times at home, and of these.
        """
        contrasts = self.differences.contrasts
        home, away = (one.levels()[: contrasts.rows, 0] for one in sums)
        # It goes to and fro so often that this is the noise of long parts: here only bursts are.
        noise = contrasts.noise_of(*sums) / contrasts.floor[:, None]
        sizes = (contrasts.apart(*sums) * np.sqrt(noise))[: contrasts.rows, 0]
        changed = np.where(np.abs(sizes) >= EXCESS, away - home, 0.0)
        gained = np.maximum(changed, 0.0)
        if not gained.any() or np.abs(sizes).max() < LEAST:
            return None
        named, touched = np.flatnonzero(gained >= NAMED * gained.sum()), np.flatnonzero(changed)
        octaves = int(named[0]), int(named[-1]) + 1
        shares = float(home[slice(*octaves)].sum()), float(away[slice(*octaves)].sum())
        band = band_change(home, away, contrasts.bounds, changed)
        zigzag = Zigzag(len(parts), band, shares, *_usual_ways(parts, walls))
        before, after = (self.outer[0], place[0]), (place[1], self.outer[1])
        return Span(
            EpisodeKind.MOVE,
            *place,
            octaves,
            (int(touched[0]), int(touched[-1]) + 1),
            float(sizes[sizes.argmax()]),
            before if sides[0] and before[1] > before[0] else None,
            after if sides[1] and after[1] > after[0] else None,
            place[1],
            zigzag,
        )


def _usual_ways(parts: Sequence[HighPart], walls: IntArray) -> tuple[float, float]:
    """How many columns it takes to go away, and to come back: the medians; 0 where no way is seen."""
    going = [walls[one.first] - walls[one.begin] for one in parts if one.begin is not None]
    coming = [walls[one.end] - walls[one.last] for one in parts if one.end is not None]
    return float(np.median(going)) if going else 0.0, float(np.median(coming)) if coming else 0.0


def _usual_length(parts: Sequence[HighPart]) -> float:
    """The median length of the parts of which both ends are seen, in columns of the course."""
    lengths = [one.end - one.begin for one in parts if one.begin is not None and one.end is not None]
    return float(np.median(lengths)) if lengths else float("inf")
