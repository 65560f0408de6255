"""What changed and did not return: steps, drifts, and steps and drifts that are the stages of one drift."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from ..density import FloatArray
from .change_points import LEAST
from .courses import Course, course_between, ends_of_drift
from .segment_differences import Part, SegmentDifferences
from .spans import PASSING, EpisodeKind, Span, Stretch, goes_on

OWN = 0.5
"""The part of what a stage of a drift takes that it takes from octaves of an earlier stage."""
BESIDE, LEAST_BESIDE = 2, 64
"""How far beyond a drift its ends are looked for: so many times its length, or so many columns."""
SAME = 0.5
"""The part of a drift that is within its own ends, or these are those of something else."""
MOST_TRIED = 8
"""Steps in one direction of which each part is tried as a drift."""


class LastingChanges:
    """Between ``stretches``, segments by time that differ from the one before; episodes are taken out of them."""

    def __init__(self, differences: SegmentDifferences, stretches: Sequence[Stretch]) -> None:
        self._differences = differences
        self._contrasts = differences.contrasts
        self._stretches = list(stretches)
        self._found: list[Span] = []

    def spans_in_steps(self) -> Generator[None, None, list[Span]]:
        """Steps, and drifts: what goes in one direction without a pause. It yields between short steps of the work."""
        self._drop_weak()
        number = 1
        while number < len(self._stretches):
            first = number
            feature, way = self._step(number)
            while number + 1 < len(self._stretches) and self._goes_on(number + 1, feature, way):
                number += 1
            yield from self._take_lasting(first, number, feature)
            number += 1
        return self._found

    def _take_lasting(self, first: int, last: int, feature: int) -> Generator[None, None, None]:
        """Stretches that all go in one direction: drifts, and steps between parts that are constant."""
        many = last - first + 1
        for size in range(many, 0, -1):
            if 1 < size < many > MOST_TRIED:
                continue
            for begin in range(first, last - size + 2):
                end = begin + size - 1
                yield
                if (drift := self._drift(begin, end, feature)) is not None:
                    yield from self._take_lasting(first, begin - 1, feature)
                    self._found.append(drift)
                    yield from self._take_lasting(end + 1, last, feature)
                    return
        if many > 0:
            self._add_steps(first, last, feature)

    def _drift(self, first: int, last: int, feature: int) -> Span | None:
        """These stretches as a drift, if they are one and its ends differ."""
        course, around = self._course(first, last, feature)
        drift = course.drift(self._steps(first, last, feature))
        if drift is None:
            return None
        found = self._differences.lasting(EpisodeKind.DRIFT, feature, drift, *ends_of_drift(*drift, *around))
        return found if abs(found.size) >= LEAST else None

    def _add_steps(self, first: int, last: int, feature: int) -> None:
        steps = self._steps(first, last, feature)
        walls = [self._stretches[first - 1].tail[0], *steps, self._stretches[last].head[1]]
        for number, place in enumerate(steps, 1):
            if place == 1 or place + 1 == self._contrasts.n:
                continue  # such a column can have only a part of its time, and nobody knows whether the last will last
            before, after = (walls[number - 1], place), (place, walls[number + 1])
            self._found.append(self._differences.lasting(EpisodeKind.STEP, feature, (place, place), before, after))

    def _steps(self, first: int, last: int, feature: int) -> list[int]:
        course, _ = self._course(first, last, feature, sudden=True)
        return course.steps([one.first for one in self._stretches[first : last + 1]])

    def _course(self, first: int, last: int, feature: int, *, sudden: bool = False) -> tuple[Course, Part]:
        """From the stretch before the first one to the last one, and where that begins and ends."""
        begin, end = self._stretches[first - 1].tail, self._stretches[last].head
        parts = [begin, *(part for one in self._stretches[first:last] for part in one.parts), end]
        return course_between(self._contrasts, parts, feature, sudden=sudden), (begin[0], end[1])

    def _drop_weak(self) -> None:
        """Join stretches that do not differ any longer, now that the episodes between them are out."""
        number = 1
        while number < len(self._stretches):
            before, after = self._stretches[number - 1], self._stretches[number]
            if np.abs(self._differences.between(before.tail, after.head)).max() < LEAST:
                self._stretches[number - 1 : number + 1] = [Stretch(before.parts + after.parts)]
                number = 1
            else:
                number += 1

    def _step(self, number: int) -> tuple[int, float]:
        """The feature that changes most where a stretch begins, and the direction in which it or all latencies go."""
        before, after = self._stretches[number - 1].tail, self._stretches[number].head
        feature = int(self._differences.telling(np.abs(self._differences.between(before, after))[:, None])[0])
        return feature, self._differences.direction(feature, before, after)

    def _goes_on(self, number: int, feature: int, way: float) -> bool:
        """Whether the next step is of the same kind, in the same direction."""
        other, its_way = self._step(number)
        return its_way == way and (other == self._differences.rate) == (feature == self._differences.rate)


def without_stages(found: Sequence[Span], differences: SegmentDifferences) -> list[Span]:
    """One drift for a drift and what goes on with it in its direction; all by time."""
    kept: list[Span] = []
    for span in found:
        whole = next(((one, drift) for one in reversed(kept) if (drift := _one_drift(one, span, differences))), None)
        if whole is None:
            kept.append(span)
        else:
            kept[kept.index(whole[0])] = whole[1]
    return kept


def without_doubles(found: Sequence[Span]) -> list[Span]:
    """Without drifts of the rate most of which lies within a clearer one in the same direction."""
    return [one for one in found if not any(_is_double(one, other) for other in found if other is not one)]


def _is_double(one: Span, other: Span) -> bool:
    drifts = one.kind is other.kind is EpisodeKind.DRIFT and one.octaves is None and other.octaves is None
    common = min(one.last, other.last) - max(one.first, other.first)
    clearer = (abs(other.size), other.last - other.first) > (abs(one.size), one.last - one.first)
    return drifts and one.size * other.size > 0 and clearer and common > SAME * (one.last - one.first)


def _one_drift(one: Span, other: Span, differences: SegmentDifferences) -> Span | None:
    """Two lasting changes as one, if the later goes on with the earlier one."""
    if not goes_on(one, other) or not (one.before and one.after and other.before and other.after):
        return None
    first, then = (one.before, one.after), (other.before, other.after)
    if differences.direction(0, *first) != differences.direction(0, *then):
        return None
    if not _takes_on(differences.changed_shares(*first), differences.changed_shares(*then)):
        return None
    place = one.first, max(one.last, other.last)
    return differences.lasting(EpisodeKind.DRIFT, 0, place, one.before, other.after)


def _takes_on(first: FloatArray, then: FloatArray) -> bool:
    """Whether of two changes of the octaves' shares the second takes events mostly from octaves among which the first
    moved some.
    """
    touched = np.flatnonzero(first)
    if not ((first > 0).any() and (first < 0).any() and then.any()):
        return False
    lost, gained = np.maximum(-then, 0.0), np.maximum(then, 0.0)
    known = lost if lost.any() else gained
    return float(known[touched[0] : touched[-1] + 1].sum()) >= OWN * float(known.sum())


def with_own_ends_in_steps(found: Sequence[Span], differences: SegmentDifferences) -> Generator[None, None, list[Span]]:
    """All spans, by time, and drifts with the ends that the columns in and around them tell: change points lie within
    a drift, and stages of one can have been told from its steepest part only. It yields between drifts.
    """
    kept = list(found)
    for number, span in enumerate(kept):
        if span.kind is EpisodeKind.DRIFT:
            yield
            others = [one for one in kept if one is not span and (one.octaves is None) == (span.octaves is None)]
            passed = [one for one in kept if span.octaves is None and one.octaves is not None and one.kind in PASSING]
            kept[number] = _with_own_ends(span, others, passed, differences)
    return kept


def _with_own_ends(span: Span, others: Sequence[Span], passed: Sequence[Span], differences: SegmentDifferences) -> Span:
    """A drift with its ends, looked for as far as to the nearest ``others``, without what ``passed`` meanwhile."""
    wide = max(BESIDE * (span.last - span.first), LEAST_BESIDE)
    low = max([0, span.first - wide, *(one.last for one in others if one.last <= span.first)])
    high = min([differences.contrasts.n, span.last + wide, *(one.first for one in others if one.first >= span.last)])
    before, after = ends_of_drift(span.first, span.last, low, high)
    parts = [(low, before[1]), (before[1], after[0]), (after[0], high)]
    feature = differences.rate if span.octaves is None else 0
    outside = [rest for part in parts for rest in _outside(part, passed)]
    place = course_between(differences.contrasts, outside, feature).ramp() if outside else None
    if place is None or min(place[1], span.last) - max(place[0], span.first) < SAME * (span.last - span.first):
        return span
    drift = differences.lasting(EpisodeKind.DRIFT, feature, place, *ends_of_drift(*place, low, high))
    return drift if abs(drift.size) >= LEAST else span


def _outside(part: Part, passed: Sequence[Span]) -> list[Part]:
    """What is left of a part without what passed."""
    left = [part]
    for one in passed:
        earlier = [(begin, min(end, one.first)) for begin, end in left]
        later = [(max(begin, one.last), end) for begin, end in left]
        left = sorted({piece for piece in earlier + later if piece[0] < piece[1]})
    return left
