"""Differences between adjacent parts of a recording, measured by how much such parts differ anyway.

A feature is the share of the events in an octave, the share above an edge between octaves, or the rate. The noise of
each is taken from the recording itself, and at each length of the parts anew, for a load that wanders differs from
itself the more the longer one looks.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bunching import bunching_of_parts
from ..density import FloatArray
from ..octaves import capped, in_octaves, log_middles, rows_between

IntArray = NDArray[np.int64]
QUIETEST = 0.3
"""The part of all places whose contrasts are taken for noise; the rest may be incidents."""
QUIET_SIGMAS = 0.385
"""The 30 % point of the size of a standard normal."""
KEPT = 0.9
"""Noise falls by no more than that from one length to twice that length."""
LEAST_LENGTH, SHORTER = 4, (1, 2)
LEAST_EVENTS = 1e-6
"""Less is what rounding leaves of sums."""
MEASURED = 12
"""The noise of parts is measured if the recording is so many times as long as a part."""
LONG = 40_000
"""Columns of a long recording: half as many places are looked at for short parts."""
BUSIEST, BUSY = 0.9, 0.25
"""A feature is busy in parts that have, per column, a quarter of the events of the busiest tenth of all parts."""
OFTEN, STAYS, ONCE = 0.9, 0.8, 0.5
"""A feature came and stayed if it is busy at less than OFTEN of all places, but at STAYS of those of a stretch that has
at least ONCE of its busy places."""
PLACES = 2048
"""Places whose contrasts are computed at once: they stay in the cache, and it takes no longer than a picture."""
NOISE_PLACES = 4096
BUNCH_PAIRS = 32_768
"""Pairs of adjacent columns from which the bunching of each feature is taken."""
LEAST_EXPECTED = 20.0
"""The variance by chance, summed over pairs, from which the bunching of a feature is known."""
NEAR, AT_ENDS = 16, 4
"""A segment is compared with at most so many times its length: what is far away differs by the swing of the day."""
LONGEST = 4096
"""Columns of a segment that are compared with its neighbour."""


@dataclass(frozen=True)
class Peaks:
    """Places at which contrasts of parts of one ``length`` are largest, with their features and sizes."""

    length: int
    places: IntArray
    features: IntArray
    sizes: FloatArray


@dataclass(frozen=True)
class Noise:
    """How much more than by chance contrasts of parts of one length vary, [features]: ``usual``, and ``busy`` where
    both parts have ``level`` events per column. An octave to which a band moves has no noise before that.
    """

    usual: FloatArray
    busy: FloatArray
    level: FloatArray


class SegmentSums(NamedTuple):
    """Of segments: ``events`` [features, segments], of the rate all events; ``whole``, events of all octaves as they
    are capped, of which the shares are; ``time``, seconds; ``columns``.
    """

    events: FloatArray
    whole: FloatArray
    time: FloatArray
    columns: IntArray

    def total(self) -> SegmentSums:
        """Of all segments together."""
        events, whole = (one.sum(axis=-1, keepdims=True) for one in (self.events, self.whole))
        return SegmentSums(events, whole, np.array([self.time.sum()]), np.array([self.columns.sum()]))

    def less(self, part: SegmentSums) -> SegmentSums:
        """Without a part of each."""
        whole, columns = self.whole - part.whole, self.columns - part.columns
        return SegmentSums(self.events - part.events, whole, self.time - part.time, columns)

    def levels(self) -> FloatArray:
        """Shares of all features, and the logarithm of the rate: [features, segments]."""
        found = self.events / np.maximum(self.whole, 1.0)
        found[-1] = np.log(np.maximum(self.events[-1], 0.5) / self.time)
        return np.asarray(found)


class Contrasts:
    """Contrasts within the columns that have data; all places count such columns, from 0 to ``n``.

    Features have numbers: first the ``rows`` octaves, then the edges between them, at last the ``rate``. ``breaks`` are
    places at which a gap or a reset lies: no part spans one.
    """

    def __init__(self, counts: FloatArray, edges: FloatArray, seconds: FloatArray, resets: IntArray) -> None:
        data = seconds > 0
        self.columns = np.flatnonzero(data)
        self.n = len(self.columns)
        self.counts, self.edges = counts, edges
        octaves, self.bounds = in_octaves(counts if data.all() else counts[:, data], edges)
        self.bunch = bunching_of_parts(octaves)
        self.time = _cumulative(seconds[data])
        self.events = _cumulative(octaves.sum(axis=0))
        kept = capped(octaves, seconds[data])
        self.octaves = _cumulative(kept)
        self.whole = self.events if kept is octaves else _cumulative(kept.sum(axis=0))
        self.rows = len(octaves)
        self.rate = 2 * self.rows - 1
        self.breaks = self._breaks(data, resets)
        self._walls = np.concatenate([[0], self.breaks, [self.n]])
        self._is_wall = np.bincount(self._walls, minlength=self.n + 1) > 0
        self.lengths = [LEAST_LENGTH << scale for scale in range(24) if LEAST_LENGTH << scale <= self.n // 4]
        self.floor = self._floor(octaves)
        self.noise: list[Noise] = []
        self._of_shorter: list[Noise] = []

    def _floor(self, octaves: FloatArray) -> FloatArray:
        """The least noise of each feature, [features]: its own bunching, where that is less than that of all. A slow
        band of single events is not as noisy as the bursts of fast ones beside it. Of few events nothing is known.
        """
        floor = np.full(2 * self.rows, self.bunch)
        if self.n < 2 or self.bunch <= 1:
            return floor
        step = max(self.n // BUNCH_PAIRS, 1)
        first, second = octaves[:, :-1:step], octaves[:, 1::step]
        above = [np.cumsum(part[:0:-1], axis=0)[::-1] for part in (first, second)]
        before, after = np.concatenate([first, above[0]]), np.concatenate([second, above[1]])
        totals = first.sum(axis=0), second.sum(axis=0)
        whole = np.maximum(totals[0] + totals[1], LEAST_EVENTS)
        share = totals[1] / whole
        both = before + after
        found = ((after - share * both) ** 2).sum(axis=1)
        expected = (both * np.maximum(1 - both / whole, 0.0) * (share * (1 - share))).sum(axis=1)
        own = np.divide(found, expected, out=np.full(len(found), np.inf), where=expected >= LEAST_EXPECTED)
        floor[:-1] = np.clip(own, 1.0, self.bunch)
        return floor

    def _breaks(self, data: NDArray[np.bool_], resets: IntArray) -> IntArray:
        """The place behind each gap and before each column with a reset."""
        upto = np.concatenate([[0], np.cumsum(data)])
        behind_gaps = np.flatnonzero(data[1:] & ~data[:-1]) + 1
        places = upto[np.union1d(behind_gaps, resets).astype(np.int64)]
        return np.unique(places[(places > 0) & (places < self.n)])

    def between(self, first: IntArray, middle: IntArray, last: IntArray) -> FloatArray:
        """Standardised differences of the parts [first, middle) and [middle, last): [features, places], without regard
        to what the load does anyway.
        """
        upto = self.octaves[:, middle]
        before, both = upto - self.octaves[:, first], self.octaves[:, last] - self.octaves[:, first]
        safe = np.maximum(self.whole[last] - self.whole[first], LEAST_EVENTS)[None, :]
        share = (self.whole[last] - self.whole[middle])[None, :] / safe
        found = np.empty((2 * self.rows, len(middle)))
        np.subtract(both - before, share * both, out=found[: self.rows])
        spread = np.empty_like(found)
        spread[: self.rows] = both
        if self.rows > 1:
            np.cumsum(found[self.rows - 1 : 0 : -1], axis=0, out=found[2 * self.rows - 2 : self.rows - 1 : -1])
            np.cumsum(both[:0:-1], axis=0, out=spread[2 * self.rows - 2 : self.rows - 1 : -1])
        spread[-1] = 0.0
        spread *= np.maximum(1 - spread / safe, 0.0)
        spread *= share * (1 - share)
        spread[-1], found[-1] = self._rate(first, middle, last)
        spread += 0.5
        np.sqrt(spread, out=spread)
        found /= spread
        return found

    def _rate(self, first: IntArray, middle: IntArray, last: IntArray) -> tuple[FloatArray, FloatArray]:
        events, later = self.events[last] - self.events[first], self.events[last] - self.events[middle]
        part = (self.time[last] - self.time[middle]) / (self.time[last] - self.time[first])
        return events * part * (1 - part), later - part * events

    def peaks_in_steps(self, least: float) -> Generator[None, None, list[Peaks]]:
        """The places where contrasts are largest, for each length of the parts; measures the noise as it goes on."""
        found = []
        if self.n < LEAST_LENGTH * MEASURED:
            for length in SHORTER:
                self._of_shorter.append(self._noise(self._places(length), length))
        for length in self.lengths:
            places = self._places(length)
            self.noise.append(self._noise(places[:: max(len(places) // NOISE_PLACES, 1)], length))
            sizes, features = yield from self._contrasts_in_steps(places, length)
            near = (length // 2) // max(length // 4 if self._is_dense(length) else length // 2, 1)
            top = _local_maxima(sizes, places, near, length // 2) & (sizes > least)
            found.append(Peaks(length, places[top], features[top], sizes[top]))
        return found

    def _is_dense(self, length: int) -> bool:
        return length >= 32 or self.n <= LONG

    def _places(self, length: int) -> IntArray:
        """Places at which no part of this length reaches over a break or an end."""
        step = max(length // 4 if self._is_dense(length) else length // 2, 1)
        places = np.arange(length, self.n - length + 1, step)
        if not len(self.breaks):
            return places
        places = np.union1d(places, self.breaks[(self.breaks >= length) & (self.breaks <= self.n - length)])
        before = self._walls[np.searchsorted(self._walls, places, side="left") - 1]
        after = self._walls[np.searchsorted(self._walls, places, side="right")]
        return np.asarray(places[(places - before >= length) & (after - places >= length)])

    def _contrasts_in_steps(self, places: IntArray, length: int) -> Generator[None, None, tuple[FloatArray, IntArray]]:
        """The size and the feature of the largest contrast at each place."""
        noise = self.noise[-1]
        scale, less = 1 / np.sqrt(noise.usual)[:, None], np.sqrt(noise.usual / noise.busy)[:, None]
        louder = np.flatnonzero(noise.busy > noise.usual)
        sizes, features = np.zeros(len(places)), np.zeros(len(places), dtype=np.int64)
        for begin in range(0, len(places), PLACES):
            yield
            part = places[where := slice(begin, begin + PLACES)]
            found = np.abs(self.between(part - length, part, part + length))
            found *= scale
            if len(louder):
                levels = self._levels(part - length, part, part + length)[louder]
                found[louder] *= np.where(levels >= noise.level[louder, None], less[louder], 1.0)
            features[where] = found.argmax(axis=0)
            sizes[where] = found[features[where], np.arange(len(part))]
        return sizes, features

    def _noise(self, sample: IntArray, length: int) -> Noise:
        """Measured, or carried on where parts are so long that there are too few to measure it."""
        known = Noise(self.floor, self.floor, np.full(2 * self.rows, np.inf))
        earlier, before = [known, known, *self._of_shorter, *self.noise][-2:]
        if length * MEASURED > self.n or not len(sample):
            usual = before.usual * np.clip(before.usual / earlier.usual, 1.0, 2.0)
            return Noise(usual, np.maximum(before.busy, usual), before.level)
        parts = sample - length, sample, sample + length
        found, levels = np.abs(self.between(*parts)), self._levels(*parts)
        usual = np.maximum(np.maximum(_quiet(found), self.floor), KEPT * before.usual)
        busy, level = np.maximum(before.busy, usual), before.level.copy()
        kth = int(BUSIEST * (len(sample) - 1))
        least = BUSY * np.partition(levels, kth, axis=1)[:, kth]
        wanted = MEASURED * length / max(int(sample[-1] - sample[0]), 1) * len(sample)
        for feature in np.flatnonzero(least > 0):
            where = levels[feature] >= least[feature]
            stay, most = _stay(where), np.count_nonzero(where)
            if max(wanted, ONCE * most) <= np.count_nonzero(where[stay]) and most < OFTEN * len(where):
                own = _quiet(found[None, feature, stay][:, where[stay]])[0]
                level[feature], busy[feature] = least[feature], max(own, usual[feature], KEPT * before.busy[feature])
        return Noise(usual, busy, level)

    def _levels(self, first: IntArray, middle: IntArray, last: IntArray) -> FloatArray:
        """The events per column of each feature in the part that has fewer: [features, places]."""
        return _least_levels(self.sums(first, middle), self.sums(middle, last))

    def noise_at(self, columns: IntArray, levels: FloatArray | None = None) -> FloatArray:
        """The noise of parts of so many columns, [features, parts]; where both have so many events per column."""
        if not self.noise:
            return np.repeat(self.floor[:, None], len(columns), axis=1)
        scales = np.log2(np.maximum(columns, LEAST_LENGTH) / LEAST_LENGTH).astype(np.int64)
        scales = np.minimum(scales, len(self.noise) - 1)
        usual = np.array([one.usual for one in self.noise])[scales].T
        if levels is None:
            return np.asarray(usual)
        busy, level = (np.array([getattr(one, name) for one in self.noise])[scales].T for name in ("busy", "level"))
        return np.where(levels >= level, busy, usual)

    def segments(self, first: IntArray, middle: IntArray, last: IntArray, *, known: bool = False) -> FloatArray:
        """Contrasts of whole adjacent segments, measured by the noise of the shorter one; with sign.

        Noise is measured on adjacent parts, which are alike. A short segment at an end of the recording has a neighbour
        on one side only, and most of that is far away: its noise is that of a longer one, unless it is ``known`` that
        something changed there.
        """
        ends = self._is_wall[first], self._is_wall[last]
        first, last = np.maximum(first, middle - LONGEST), np.minimum(last, middle + LONGEST)
        before, after = middle - first, last - middle
        alone = np.where(before < after, ends[0], ends[1]) & (not known)
        shorter = np.minimum(before, after)
        near = shorter * np.where(alone, AT_ENDS, NEAR)
        first, last = np.maximum(first, middle - near), np.minimum(last, middle + near)
        measure = shorter * np.where(alone, AT_ENDS, 1)
        return self.between(first, middle, last) / np.sqrt(self.noise_at(measure, self._levels(first, middle, last)))

    def sums(self, first: IntArray, last: IntArray) -> SegmentSums:
        """Of the segments [first, last)."""
        found = np.empty((2 * self.rows, len(first)))
        np.subtract(self.octaves[:, last], self.octaves[:, first], out=found[: self.rows])
        found[self.rows : -1] = np.cumsum(found[self.rows - 1 : 0 : -1], axis=0)[::-1]
        found[-1] = self.events[last] - self.events[first]
        whole, time = self.whole[last] - self.whole[first], self.time[last] - self.time[first]
        return SegmentSums(found, whole, time, last - first)

    def apart(self, one: SegmentSums, other: SegmentSums) -> FloatArray:
        """Contrasts of segments that need not be adjacent, [features, pairs], positive where ``other`` has more;
        measured by the noise of the shorter one.
        """
        both = one.events + other.events
        whole = np.maximum(one.whole + other.whole, LEAST_EVENTS)
        share, time = other.whole / whole, other.time / (one.time + other.time)
        found = other.events - share * both
        spread = both * np.maximum(1 - both / whole, 0) * (share * (1 - share))
        found[-1], spread[-1] = other.events[-1] - time * both[-1], both[-1] * time * (1 - time)
        return np.asarray(found / np.sqrt((spread + 0.5) * self.noise_of(one, other)))

    def noise_of(self, one: SegmentSums, other: SegmentSums) -> FloatArray:
        """The noise by which segments are told apart, [features, pairs]."""
        return self.noise_at(np.minimum(one.columns, other.columns), _least_levels(one, other))

    def events_of(self, feature: int, first: int, last: int) -> FloatArray:
        """The events of a feature in each column, [columns]."""
        return np.diff(self._events_upto(feature, slice(first, last + 1)))

    def _events_upto(self, feature: int, part: slice) -> FloatArray:
        octaves = self._octaves_of(feature)
        return self.events[part] if octaves is None else np.asarray(self.octaves[octaves, part].sum(axis=0))

    def _octaves_of(self, feature: int) -> slice | None:
        """The octaves whose events a feature counts; None for the rate, which is of all events."""
        if feature == self.rate:
            return None
        return slice(feature, feature + 1) if feature < self.rows else slice(feature - self.rows + 1, self.rows)

    def without(self, columns: IntArray, first: int, middle: int, last: int) -> FloatArray:
        """Contrasts of the segments [first, middle) and [middle, last) without some of their columns: [features]."""
        first, last = max(first, middle - LONGEST), min(last, middle + LONGEST)
        shorter = min(middle - first, last - middle)
        first, last = max(first, middle - NEAR * shorter), min(last, middle + NEAR * shorter)
        sides = (self.sums(np.array([begin]), np.array([end])) for begin, end in ((first, middle), (middle, last)))
        inside = columns[(columns >= first) & (columns < last)]
        parts = (self.sums(its, its + 1).total() for its in (inside[inside < middle], inside[inside >= middle]))
        one, other = (side.less(part) for side, part in zip(sides, parts, strict=True))
        return np.asarray(self.apart(one, other)[:, 0])

    def course(self, feature: int, first: int, last: int) -> FloatArray:
        """How far a feature is ahead of its mean over a segment, after each of its columns (CUSUM): [columns + 1]."""
        part = slice(first, last + 1)
        value, by = self._events_upto(feature, part), (self.time if feature == self.rate else self.whole)[part]
        whole = float(by[-1] - by[0])
        return np.asarray(value - value[0] - (by - by[0]) * (float(value[-1] - value[0]) / whole if whole > 0 else 0.0))

    def latencies_in(self, places: IntArray, first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """Of the octaves from ``first`` to ``last`` the events in each of these columns, and their mean latency in
        octaves, as exact as the source's rows are; both [columns].
        """
        octaves = self.octaves[first:last, places + 1] - self.octaves[first:last, places]
        events = octaves.sum(axis=0)
        rows = np.flatnonzero(rows_between(self.edges, self.bounds[first], self.bounds[last]))
        part = slice(rows[0], rows[-1] + 1)
        counts = self.counts[part, self.columns[places[0]] : self.columns[places[-1]] + 1]
        counts = counts[:, self.columns[places] - self.columns[places[0]]]
        begins = np.searchsorted(self.edges[part], self.bounds[first:last])
        times = np.add.reduceat(log_middles(self.edges[rows[0] : rows[-1] + 2])[:, None] * counts, begins, axis=0)
        means = times / np.maximum(np.add.reduceat(counts, begins, axis=0), LEAST_EVENTS)
        return events, (means * octaves).sum(axis=0) / np.maximum(events, LEAST_EVENTS)

    def latencies(self, feature: int) -> tuple[float, float] | None:
        """The latencies of a feature, [low, high) seconds; None for the rate."""
        octaves = self._octaves_of(feature)
        if octaves is None:
            return None
        return float(self.bounds[octaves.start]), float(self.bounds[octaves.stop]) if feature < self.rows else np.inf


def _least_levels(one: SegmentSums, other: SegmentSums) -> FloatArray:
    return np.asarray(np.minimum(one.events / one.columns, other.events / other.columns))


def _quiet(found: FloatArray) -> FloatArray:
    """The variance of contrasts, [features, places], at the quietest places: [features]."""
    kth = int(QUIETEST * (found.shape[1] - 1))
    return np.asarray((np.partition(found, kth, axis=1)[:, kth] / QUIET_SIGMAS) ** 2)


def _stay(busy: NDArray[np.bool_]) -> slice:
    """The longest stretch in which a feature is busy at most places."""
    gains = np.concatenate([[0.0], np.cumsum(busy - STAYS)])
    last = (gains - np.minimum.accumulate(gains)).argmax()
    return slice(int(gains[: last + 1].argmin()), int(last))


def _cumulative(values: FloatArray) -> FloatArray:
    """Sums along the last axis up to each place, from 0."""
    found = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=found[..., 1:])
    return found


def _local_maxima(sizes: FloatArray, places: IntArray, near: int, reach: int) -> NDArray[np.bool_]:
    """Which places have the largest value of all within ``reach`` columns, ``near`` places on either side."""
    top = np.ones(len(sizes), dtype=bool)
    for by in range(1, near + 1):
        close = places[by:] - places[:-by] <= reach
        top[:-by] &= ~close | (sizes[:-by] >= sizes[by:])
        top[by:] &= ~close | (sizes[by:] > sizes[:-by])
    return top
