"""Change points that belong together, as one episode: what came and went, moved and returned, or changed for good.

A band that moves makes a dozen change points, and a stall makes three. The segments between them are joined from the
inside out: whatever lies between two segments that are alike is an episode, and once it is taken out these two are one.
What is left in the end changed and did not return: a step, or a drift if several steps go the same way.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..density import FloatArray
from .change_points import LEAST, Segmentation, held_up_until, stalls
from .contrasts import LONGEST, Contrasts, IntArray, SegmentSums
from .lasting_changes import LastingChanges, with_own_ends_in_steps, without_doubles, without_stages
from .segment_differences import SegmentDifferences
from .spans import PASSING, EpisodeKind, Span, Stretch, follows, is_part
from .zigzags import with_zigzags

STRICT, LOOSE = 1 / 3, 0.6
"""How far the segment after an episode may be from the one before it, as a part of how far the episode is from both."""
BESIDE = 8
"""Columns around a stall, and around what it held up, in which change points belong to it."""
MOST_INSIDE = 48
"""Segments of one episode."""
MOST_LENGTH = 1.5
"""Of an episode, as a part of all that is alike on both sides: else these would be the episodes."""
STAGE = 0.5
"""What is shorter than this part of an episode beside it can be one of the last or first stages of a way, ..."""
MOST_STAGES = 16
MIDWAY = 0.15
"""... if it is as far, as a part of that way, from both of its ends."""
LEAST_NEAR = 64
"""Columns before and after an episode that are compared, or as many as it has."""
MOVED = 3
"""Segments with centres in different octaves that make a move of an episode."""


def spans_in_steps(segmentation: Segmentation) -> Generator[None, None, list[Span]]:
    """The episodes of a recording, by time. It yields between short steps of the work."""
    return _Grouping(segmentation).spans()


class _Grouping:
    def __init__(self, segmentation: Segmentation) -> None:
        self.contrasts: Contrasts = segmentation.contrasts
        self.differences = SegmentDifferences(self.contrasts)
        self.rate = self.differences.rate
        self.found: list[Span] = []
        self.stalls = stalls(self.contrasts)
        self.reaches: dict[int, int] = {}
        self.weights = self._weights()
        self.stretches = self._stretches(segmentation.places)

    def spans(self) -> Generator[None, None, list[Span]]:
        for stall in self.stalls:
            self._take_stall(*stall)
        for tolerance in (STRICT, LOOSE):
            while self._take_some(tolerance):
                yield
        lasting = yield from LastingChanges(self.differences, self.stretches).spans_in_steps()
        found = self._joined(sorted([*self.found, *lasting], key=_place))
        whole = without_stages(found, self.differences)
        placed = yield from with_own_ends_in_steps(whole, self.differences)
        return with_zigzags(without_doubles(without_stages(placed, self.differences)), self.differences)

    def _joined(self, found: list[Span]) -> list[Span]:
        """What follows without a pause is one; a weaker step at either end of an episode is part of it."""
        kept: list[Span] = []
        for span in found:
            before = next((one for one in reversed(kept) if follows(one, span)), None)
            if before is None:
                kept.append(span)
                continue
            kept.remove(before)
            stronger = max(before, span, key=lambda one: abs(one.size))
            passing = [one for one in (before, span) if one.kind in PASSING]
            kept.append(self._together(before, span) if len(passing) == 2 else (*passing, stronger)[0])
        whole = [one for one in kept if not any(other is not one and is_part(one, other) for other in kept)]
        return sorted(whole, key=_place)

    def _together(self, one: Span, other: Span) -> Span:
        """Two episodes as one: its octaves are those that differ most from before and after."""
        before, after = one.before, other.after
        inner = one.first, max(one.last, other.last)
        kind = (
            EpisodeKind.MOVE
            if EpisodeKind.MOVE in (one.kind, other.kind) or one.octaves != other.octaves
            else EpisodeKind.INCIDENT
        )
        stronger = max(one, other, key=lambda span: abs(span.size))
        if before is None or after is None or one.octaves is None:
            return replace(stronger, first=inner[0], last=inner[1], reach=inner[1], before=before, after=after)
        sizes = (
            self.differences.between(before, inner)[: self.rate],
            -self.differences.between(inner, after)[: self.rate],
        )
        weaker = np.where(sizes[0] * sizes[1] > 0, np.minimum(*np.abs(sizes)), 0.0)
        feature = int(weaker.argmax())
        octaves, touched = self.differences.octaves(feature, before, inner)
        return Span(kind, *inner, octaves, touched, float(sizes[0][feature]), before, after, inner[1])

    def _stretches(self, places: list[int]) -> list[Stretch]:
        """Segments between change points. Those near a stall give way to one before and one behind all of it."""
        kept = set(places)
        for first, last in self.stalls:
            held_up = held_up_until(self.contrasts, first, last)
            near = {place for place in kept if first - BESIDE <= place <= max(last + BESIDE, held_up)}
            self.reaches[first] = max([held_up, *near])
            kept = (kept - near) | {first, self.reaches[first]}
        walls = [0, *sorted(place for place in kept if 0 < place < self.contrasts.n), self.contrasts.n]
        return [Stretch((part,)) for part in pairwise(walls)]

    def _take_stall(self, first: int, last: int) -> None:
        rate = self.contrasts.events[first] / max(self.contrasts.time[first], 1e-300)
        missing = rate * (self.contrasts.time[last] - self.contrasts.time[first])
        size, reach = -float((missing / self.contrasts.bunch) ** 0.5), self.reaches[first]
        inside = [at for at, one in enumerate(self.stretches) if first <= one.first and one.last <= reach]
        if not inside:
            return
        before = self.stretches[inside[0] - 1].tail if inside[0] else None
        after = self.stretches[inside[-1] + 1].head if inside[-1] + 1 < len(self.stretches) else None
        self.found.append(Span(EpisodeKind.STALL, first, last, None, None, size, before, after, reach))
        self._take_out(inside[0], inside[-1])

    def _take_some(self, tolerance: float) -> bool:
        """Take out episodes, the shortest first, as far as they do not touch; False if there are none."""
        pairs = self._pairs()
        if not len(pairs):
            return False
        features, sizes, returns = self._excursions(pairs, tolerance)
        used: set[int] = set()
        taken: list[tuple[int, int]] = []
        for number in np.flatnonzero(returns):
            first, last = (int(one) for one in pairs[number])
            if used.isdisjoint(range(first - 1, last + 2)) and not self._is_midway(first, last, int(features[number])):
                used.update(range(first - 1, last + 2))
                taken.append((first, last))
                self._add(self._span(first, last, int(features[number]), float(sizes[number])))
        for first, last in sorted(taken, reverse=True):
            self._take_out(first, last)
        return bool(taken)

    def _is_midway(self, first: int, last: int, feature: int) -> bool:
        """Whether the stretch before these, or the one behind, is but a stage of a way that began before it, or ends
        behind it: of a band that climbs high and then falls by half, what is above the half is no episode. The pause
        between a slow band and another one is no stage: it is like what was there for long before the first of them,
        and both are slower.
        """
        inner = self.stretches[first].first, self.stretches[last].last
        short = STAGE * (inner[1] - inner[0])
        before, after = self.stretches[first - 1], self.stretches[last + 1]
        for way, beside in ((-1, first - 1), (1, last + 1)):
            stage, other = (before, after) if way < 0 else (after, before)
            ends = self.stretches[:beside][::-1] if way < 0 else self.stretches[beside + 1 :]
            if stage.last - stage.first >= short:
                continue
            is_long = other.last - other.first >= max(short, LEAST_NEAR)
            can_be_pause = is_long and np.abs(self.differences.between(before.tail, after.head)).max() < LEAST
            for end in ends[:MOST_STAGES]:
                parts = (end.tail, stage.head, inner) if way < 0 else (end.head, stage.tail, inner)
                is_between = MIDWAY <= self.differences.part_of_way(feature, *parts) <= 1 - MIDWAY
                if is_between and not (can_be_pause and self.differences.are_beyond(*parts)):
                    return True
                if end.last - end.first >= short:
                    break
        return False

    def _pairs(self) -> IntArray:
        """First and last stretch of all that may be an episode, [pairs, 2], the shortest first: it is not much longer
        than what is on both sides of it.
        """
        many = len(self.stretches)
        begins, ends = (np.array([getattr(one, name) for one in self.stretches]) for name in ("first", "last"))
        first, last = (1 + one for one in np.triu_indices(max(many - 2, 0)))
        near = last - first < MOST_INSIDE
        first, last = first[near], last[near]
        length = ends[last] - begins[first]
        beside = ends[first - 1] - begins[first - 1] + ends[last + 1] - begins[last + 1]
        some = length <= MOST_LENGTH * beside
        order = np.argsort(length[some], kind="stable")
        return np.stack([first[some][order], last[some][order]], axis=1)

    def _excursions(self, pairs: IntArray, tolerance: float) -> tuple[IntArray, FloatArray, NDArray[np.bool_]]:
        """Of each pair the feature that differs most from both sides, by how much, and whether it returns."""
        heads, tails = (np.array([getattr(one, name) for one in self.stretches]) for name in ("head", "tail"))
        inner = self._inside(pairs)
        before, after = tails[pairs[:, 0] - 1], heads[pairs[:, 1] + 1]
        sides = (
            self.contrasts.sums(np.maximum(before[:, 0], before[:, 1] - LONGEST), before[:, 1]),
            self.contrasts.sums(after[:, 0], np.minimum(after[:, 1], after[:, 0] + LONGEST)),
        )
        sizes = [self.contrasts.apart(side, inner) for side in sides]
        weaker = np.where(sizes[0] * sizes[1] > 0, np.minimum(*np.abs(sizes)), 0.0)
        features, each = self.differences.telling(weaker), np.arange(len(pairs))
        strength = weaker[features, each]
        way, alike = self._distances(sides[0], inner, sides[1], features == self.rate)
        returns = (strength >= LEAST) & (alike | (way[2] <= tolerance * np.minimum(way[0], way[1])))
        return features, np.copysign(strength, sizes[0][features, each]), returns

    def _inside(self, pairs: IntArray) -> SegmentSums:
        """The sums of the stretches of pairs, without what was taken out of them."""
        parts = [(number, *part) for number, one in enumerate(self.stretches) for part in one.parts]
        number, first, last = np.array(parts).T
        each = self.contrasts.sums(first, last)
        begin = np.searchsorted(number, pairs[:, 0], side="left")
        end = np.searchsorted(number, pairs[:, 1], side="right")

        def of(values: FloatArray | IntArray) -> FloatArray:
            upto = np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1)
            return np.asarray(upto[..., end] - upto[..., begin])

        return SegmentSums(of(each.events), of(each.whole), of(each.time), of(each.columns).astype(np.int64))

    def _distances(
        self, before: SegmentSums, inner: SegmentSums, after: SegmentSums, rate: NDArray[np.bool_]
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """How far the inner part is from the one before and the one after, and these from each other, [3, pairs], in
        units of how each feature wanders; whether these two do not differ at all. Of the rate, or of all latencies.
        """
        shares = [part.levels() for part in (before, inner, after)]
        steps = np.abs([shares[1] - shares[0], shares[2] - shares[1], shares[2] - shares[0]]) * self.weights
        way = np.where(rate, steps[:, self.rate], steps[:, : self.rate].max(axis=1, initial=0.0))
        sizes = np.abs(self.contrasts.apart(before, after))
        return way, np.where(rate, sizes[self.rate], sizes[: self.rate].max(axis=0, initial=0.0)) < LEAST

    def _weights(self) -> FloatArray:
        """One over how much the share of each feature wanders, [features, 1]; counted for as long as parts can be."""
        share = self.contrasts.sums(np.array([0]), np.array([self.contrasts.n])).levels()
        events = max(float(self.contrasts.events[-1]), 1.0)
        wander = share * (1 - share) * self.contrasts.noise_at(np.array([LONGEST])) + 1 / events
        wander[self.rate] = 1.0
        return np.asarray(1 / np.sqrt(np.maximum(wander, 1e-300)))

    def _take_out(self, first: int, last: int) -> None:
        """Without these stretches; those on both sides become one, unless they differ."""
        if not first or last + 1 == len(self.stretches):
            del self.stretches[first : last + 1]
            return
        before, after = self.stretches[first - 1], self.stretches[last + 1]
        near = max(self.stretches[last].last - self.stretches[first].first, LEAST_NEAR)
        sides = (
            (max(before.tail[0], before.tail[1] - near), before.tail[1]),
            (after.head[0], min(after.head[1], after.head[0] + near)),
        )
        if np.abs(self.differences.between(*sides)).max() < LEAST:
            self.stretches[first - 1 : last + 2] = [Stretch(before.parts + after.parts)]
        else:
            self.stretches[first : last + 1] = []

    def _span(self, first: int, last: int, feature: int, size: float) -> Span:
        before, after = self.stretches[first - 1].tail, self.stretches[last + 1].head
        begin, end = self.stretches[first].first, self.stretches[last].last
        octaves, touched = self.differences.octaves(feature, before, (begin, end))
        kind = EpisodeKind.MOVE if octaves and self._moves(first, last) else EpisodeKind.INCIDENT
        return Span(kind, begin, end, octaves, touched, size, before, after, end)

    def _moves(self, first: int, last: int) -> bool:
        """Whether one stretch after the other has what it has more than before in another octave."""
        if last - first + 1 < MOVED:
            return False
        rows = self.contrasts.rows
        inner = self.stretches[first : last + 1]
        parts = [self.stretches[first - 1].tail, *((one.first, one.last) for one in inner)]
        shares = self.contrasts.sums(*np.array(parts).T).levels()[:rows]
        return len(set((shares[:, 1:] - shares[:, :1]).argmax(axis=0).tolist())) > 1

    def _add(self, span: Span) -> None:
        """Keep an episode, without those that are part of it."""
        parts = [one for one in self.found if is_part(one, span)]
        self.found = [one for one in self.found if one not in parts]
        moves = span.kind is EpisodeKind.INCIDENT and any(one.kind is EpisodeKind.MOVE for one in parts)
        self.found.append(replace(span, kind=EpisodeKind.MOVE) if moves else span)


def _place(span: Span) -> tuple[int, int]:
    return span.first, span.last
