"""What a load does over and over again: bursts or pauses that come regularly, and swings of the rate or of the slow
share over the whole recording. No change is told of these, for nothing stands out from them, and nothing lasts.

A load wanders by itself. A regular one is told by distances that are alike; a swing of which too few turns are known
for that is told where a few cosines explain nearly all of the course, as they do not of a wandering load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from .cycles import high_parts, regular_distance, smoothed
from .density import FloatArray, IntArray
from .octaves import in_octaves
from .waited import row_means

LEAST_COLUMNS = 96
FACTOR = 1.5
"""From low to high a level rises by this factor at least."""
FACTOR_OF_FEW = 2.0
"""By this one if few turns are seen: a load that wanders slowly does the other as well."""
LEAST_MORE = 5.0
"""Events that what is high has more than what is low, at least: single ones that come regularly are no burst."""
TWO_LEVELS = 0.75
"""The part of the variance that two levels explain, at least: of a normal distribution 0.64, of a sine 0.81."""
NEAR, FAR = 0.3, 0.7
"""How far from the low level to the high one a course counts as low, and as high."""
WIDEST = 32
"""Columns are taken together up to this part of the recording."""
STEPS = 4
MOST = 0.95
"""A swing goes between levels beyond which little of the time lies."""
BURST, PAUSE = 1 / 3, 2 / 3
"""The part of the time that is high, up to which it is bursts, and from which on what is low is a pause."""
BINS, FINER = 48, 8
"""Parts of the recording of which the cosines are found, and parts of these in which they turn."""
FEW_COSINES, MOST_COSINES = 6, 14
"""Of a swing without a period, and of one with it: two of them make a period."""
EXPLAINED = 0.85
"""The part of the variance of the bins' levels that the cosines explain."""
NEAR_TURN = 5
"""Bins on both sides of where the cosines turn, in which the course itself does."""
CALM = 3
"""Bins whose mean is told as a level."""
TURN = 0.3
"""The part of the whole range by which a course turns."""
FEWEST_HALVES = 3
ALIKE = 0.2
"""Half periods that differ from their mean by no more than this part are a period."""
SLOW_SHARES = (0.005, 0.6)
"""Of the shares above edges, those between which swings are looked for."""
OTHER = 1.5
"""The ratio of the shares of two edges that are worth a look."""


class RecurrenceKind(Enum):
    """What recurs: short times that are high, or low, or a swing between both."""

    BURSTS = "bursts"
    PAUSES = "pauses"
    SWING = "swing"


@dataclass(frozen=True, slots=True)
class Recurrence:
    """What recurs. ``edge``: it is the share of events above that latency, seconds; None: it is the rate. ``low`` and
    ``high``: the levels between which it goes. ``period``, seconds, and how often it came, ``times``; of a swing of
    which too little is seen both None. ``length``: how long what is short lasts, seconds; ``wait``: its share of
    the time waited. ``turns``: of a swing, the columns at which it turns, with its level there.
    """

    kind: RecurrenceKind
    edge: float | None
    low: float
    high: float
    period: float | None
    times: int | None
    length: float = 0.0
    wait: float = 0.0
    turns: tuple[tuple[int, float], ...] = ()


def find_recurrences(
    counts: FloatArray, edges: FloatArray, seconds: FloatArray, waited: FloatArray | None = None
) -> tuple[Recurrence, ...]:
    """What recurs in ``counts`` [rows, columns]: at most one thing of the rate, and one of shares. If both come with
    the same period, only that which differs more.
    """
    data = np.flatnonzero(seconds > 0)
    if len(data) < LEAST_COLUMNS:
        return ()
    octaves, bounds = in_octaves(counts[:, data], edges)
    spent = row_means(counts.sum(axis=1), edges, tick=0.0) @ counts if waited is None else waited
    about = _Columns(data, seconds[data], spent[data])
    events = octaves.sum(axis=0)
    rate = about.recurrence(events, seconds[data], None)
    some = (about.recurrence(above, events, edge) for edge, above in _slow_shares(octaves, bounds))
    share = max((one for one in some if one is not None), key=lambda one: one.high**0.5 - one.low**0.5, default=None)
    found = [one for one in (rate, share) if one is not None]
    if len(found) == 2 and _is_same(*found):
        found = [max(found, key=_factor)]
    return tuple(found)


def _factor(one: Recurrence) -> float:
    return one.high / max(one.low, 1e-12)


def _is_same(one: Recurrence, other: Recurrence) -> bool:
    if one.period is None or other.period is None:
        return False
    return abs(one.period - other.period) <= ALIKE * min(one.period, other.period)


def _slow_shares(octaves: FloatArray, bounds: FloatArray) -> Iterator[tuple[float, FloatArray]]:
    """Edges above which there are other shares, with the events above each."""
    above = np.cumsum(octaves[::-1], axis=0)[::-1]
    shares = above.sum(axis=1) / max(float(octaves.sum()), 1.0)
    last = np.inf
    for row in range(1, len(octaves)):
        if SLOW_SHARES[0] <= shares[row] <= SLOW_SHARES[1] and shares[row] <= last / OTHER:
            last = shares[row]
            yield float(bounds[row]), above[row]


@dataclass(frozen=True)
class _Columns:
    """The columns with data: their places in the recording, ``seconds`` and seconds ``waited`` in each."""

    columns: IntArray
    seconds: FloatArray
    waited: FloatArray

    def recurrence(self, hits: FloatArray, of: FloatArray, edge: float | None) -> Recurrence | None:
        """Of ``hits`` in ``of`` [columns]: events and seconds, or the slow ones and all."""
        sums = [np.concatenate([[0.0], np.cumsum(one)]) for one in (hits, of)]
        return self._regular(sums[0], sums[1], edge) or self._swing(sums[0], sums[1], edge)

    def _regular(self, hits: FloatArray, of: FloatArray, edge: float | None) -> Recurrence | None:
        n, width = len(self.columns), 1
        while width <= n // WIDEST:
            places = np.arange(0, n - width + 1, max(width // STEPS, 1))
            levels = (hits[places + width] - hits[places]) / np.maximum(of[places + width] - of[places], 1e-9)
            usual = float(np.median(of[places + width] - of[places]))
            found = self._cycles(np.sqrt(levels), usual, places + width // 2, edge)
            if found is not None:
                return found
            width *= 2
        return None

    def _cycles(self, course: FloatArray, usual: float, places: IntArray, edge: float | None) -> Recurrence | None:
        """``usual``: of so many events, or seconds, a value of the ``course`` is the root of a share, or rate."""
        levels = _two_levels(course)
        if levels is None or levels[1] ** 2 < FACTOR * levels[0] ** 2:
            return None
        low, high = levels
        if (high**2 - low**2) * usual < LEAST_MORE:
            return None
        parts = high_parts(course, low + NEAR * (high - low), low + FAR * (high - low))
        step = float(places[1] - places[0])
        apart = regular_distance([one.first * step for one in parts if one.begin is not None])
        if apart is None:
            return None
        column = float(np.median(self.seconds))
        is_high = np.zeros(len(self.columns), dtype=bool)
        middle = (low + high) / 2
        is_high[places[0] : places[-1] + 1] = np.interp(np.arange(places[0], places[-1] + 1), places, course) >= middle
        part = float(is_high.mean())
        kind = _kind(part)
        if kind is RecurrenceKind.SWING:
            low, high = (float(one) for one in np.quantile(course, [1 - MOST, MOST]))
        short = is_high if kind is RecurrenceKind.BURSTS else ~is_high
        wait = float(self.waited[short].sum() / max(float(self.waited.sum()), 1e-300))
        length = float(short.mean()) * apart * column
        return Recurrence(kind, edge, low**2, high**2, apart * column, len(parts), length, wait)

    def _swing(self, hits: FloatArray, of: FloatArray, edge: float | None) -> Recurrence | None:
        """A swing of which a few turns are seen."""
        walls = np.linspace(0, len(self.columns), BINS + 1).astype(np.int64)
        levels = np.sqrt(np.diff(hits[walls]) / np.maximum(np.diff(of[walls]), 1e-9))
        course, cosines = _cosines(levels)
        turns = _turns(course)
        if not 0 < cosines <= MOST_COSINES or len(turns) < 2:
            return None
        if course.max() ** 2 < FACTOR_OF_FEW * max(course.min(), 0.0) ** 2:
            return None
        calm = smoothed(levels, np.ones(BINS), CALM)
        low, high = float(calm.min()) ** 2, float(calm.max()) ** 2
        places = self.columns[((np.array(turns) + 0.5) * len(self.columns) / len(course)).astype(np.int64)]
        half = _half(np.diff(places))
        if half is None and cosines > FEW_COSINES:
            return None
        period = None if half is None else 2 * half * float(np.median(self.seconds))
        extremes = [_extreme(calm, turn // FINER, is_high=is_high) for turn, is_high in _kinds_of(turns, course)]
        told = tuple((int(self.columns[(walls[at] + walls[at + 1]) // 2]), float(calm[at]) ** 2) for at in extremes)
        return Recurrence(RecurrenceKind.SWING, edge, low, high, period, None, turns=told)


def _kind(high: float) -> RecurrenceKind:
    """By the part of the time that is ``high``."""
    if BURST < high < PAUSE:
        return RecurrenceKind.SWING
    return RecurrenceKind.BURSTS if high <= BURST else RecurrenceKind.PAUSES


def _two_levels(course: FloatArray) -> tuple[float, float] | None:
    """The means of the lower and the higher values, if two levels are nearly all there is."""
    ordered = np.sort(course)
    many = np.arange(1, len(ordered))
    upto = np.cumsum(ordered)
    low, high = upto[:-1] / many, (upto[-1] - upto[:-1]) / (len(ordered) - many)
    between = many * (len(ordered) - many) * (high - low) ** 2 / len(ordered) ** 2
    best = int(between.argmax())
    if between[best] < TWO_LEVELS * float(ordered.var()) or high[best] <= low[best]:
        return None
    return float(low[best]), float(high[best])


def _cosines(levels: FloatArray) -> tuple[FloatArray, int]:
    """The sum of the fewest cosines that explains nearly all, and how many these are; 0 of a constant."""
    middles, finer = ((np.arange(many) + 0.5) / many for many in (BINS, BINS * FINER))
    off = levels - levels.mean()
    course, fine = np.zeros(BINS), np.full(BINS * FINER, levels.mean())
    if not off.any():
        return fine, 0
    for number in range(1, MOST_COSINES + 1):
        wave = np.cos(np.pi * number * middles)
        height = float(off @ wave) * 2 / BINS
        course += height * wave
        fine += height * np.cos(np.pi * number * finer)
        if float(((off - course) ** 2).sum()) <= (1 - EXPLAINED) * float((off**2).sum()):
            return fine, number
    return fine, MOST_COSINES + 1


def _half(apart: IntArray) -> float | None:
    """Half a period, if the turns are so regular; where cosines end, the first and the last one can be off."""
    halves = apart[1:-1] if len(apart) >= FEWEST_HALVES + 2 else apart
    mean = float(halves.mean())
    return mean if len(halves) >= FEWEST_HALVES and bool((np.abs(halves - mean) <= ALIKE * mean).all()) else None


def _kinds_of(turns: Sequence[int], course: FloatArray) -> list[tuple[int, bool]]:
    """The turns, and whether each is a high one: every other is."""
    first = bool(course[turns[0]] > course[turns[1]])
    return [(turn, (number % 2 == 0) is first) for number, turn in enumerate(turns)]


def _extreme(levels: FloatArray, turn: int, *, is_high: bool) -> int:
    """Where the levels themselves are most extreme near a turn of the cosines."""
    begin = max(turn - NEAR_TURN, 0)
    near = levels[begin : turn + NEAR_TURN + 1]
    return begin + int(near.argmax() if is_high else near.argmin())


def _turns(course: FloatArray) -> list[int]:
    """The places inside at which it turns, each by a good part of its whole range."""
    least = TURN * float(np.ptp(course))
    turns: list[int] = []
    top = bottom = 0
    way = 0
    for place, level in enumerate(course):
        top = place if level > course[top] else top
        bottom = place if level < course[bottom] else bottom
        if way >= 0 and course[top] - level >= least:
            turns, way, bottom = [*turns, top], -1, place
            top = place
        elif way <= 0 and level - course[bottom] >= least:
            turns, way, top = [*turns, bottom], 1, place
            bottom = place
    return [turn for turn in turns if 0 < turn < len(course) - 1]
