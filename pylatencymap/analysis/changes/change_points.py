"""Where a recording changes: change points between segments that differ more than the load does anyway.

Contrasts of adjacent parts of 4, 8, 16 ... columns give candidates. Each is moved to where its feature changes. Then
the weakest are removed until all separate segments that differ. In the live view the change points that are shown are
remembered, so that words do not flicker.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .contrasts import Contrasts, IntArray, Peaks

LEAST = 6.0
"""Standard deviations that segments on both sides of a change point differ at least."""
NEW, KEPT = 7.0, 3.5
"""In the live view: a change point is shown from the first on, and kept down to the second."""
FROM_OTHERS, FROM_ENDS = 8, 12
"""Columns between a new change point in the live view and those that are shown, and the ends of the window."""
OFF_ENDS = 4
TRIED = 64
"""Places inside each segment that are tried for one more change point."""
LONGEST_BESIDE = 4096
"""Columns beside a change point among which its burst is looked for."""
BURST = 5.0
"""How many times the events of the usual column beside it a single column has at least, to be told by itself."""
LEFT = 0.7
"""The part of a contrast that is left without single columns, at most, if these are all of it."""
MOST_BURSTS = 8
"""More such columns are a part of their own."""
DUE = 30
"""Bunches of events that were due in columns without any: a stall."""
BY_CHANCE = 0.01
"""As many columns without events are expected at most in a whole recording whose events come in bursts by chance."""
OUTLIERS = 0.99
"""Of the differences of adjacent columns those above this point say nothing of bursts: something happened there."""
AROUND = 60
"""Columns on both sides from which the rate before and after a stall is taken, or four times its length."""
LEAST_AROUND = 16
BUSY = 0.9
"""The part of these columns that has events: a source that is idle now and then does not stall."""

MOSTLY = 0.5
"""The part of what was waited in a column, at least, that makes it one of those behind a stall."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The first column of what differs from before. ``low`` and ``high``: the latencies in seconds whose share changes
    most clearly, ``high`` infinity for the share above an edge; both None for the rate. ``size``: standard deviations,
    positive where there is more of it from here on.
    """

    column: int
    low: float | None
    high: float | None
    size: float


@dataclass(frozen=True)
class Segmentation:
    """Change points as places in the columns with data, and the contrasts they come from."""

    contrasts: Contrasts
    places: list[int]

    def points(self) -> tuple[ChangePoint, ...]:
        """In the columns of the recording."""
        sizes = _sizes(self.contrasts, self.places)
        found = []
        for number, place in enumerate(self.places):
            feature = int(np.abs(sizes[:, number]).argmax())
            low, high = self.contrasts.latencies(feature) or (None, None)
            found.append(ChangePoint(int(self.contrasts.columns[place]), low, high, float(sizes[feature, number])))
        return tuple(found)


def segmentation_in_steps(
    contrasts: Contrasts, shown: Sequence[int] | None = None
) -> Generator[None, None, Segmentation]:
    """Change points of a recording; with ``shown``, of a live window that shows some at these columns already. It
    yields between short steps of the work.
    """
    candidates = _candidates((yield from contrasts.peaks_in_steps(LEAST)))
    yield
    places = _pruned(contrasts, _refined(contrasts, candidates))
    for _ in range(2):
        yield
        more = _inside(contrasts, places)
        if not more:
            break
        places = _pruned(contrasts, sorted({*places, *more}))
    places = _with_bursts(contrasts, _without_partial(contrasts, places))
    if shown is not None:
        yield
        places = _with_memory(contrasts, places, shown)
    return Segmentation(contrasts, places)


def _with_memory(contrasts: Contrasts, found: list[int], shown: Sequence[int]) -> list[int]:
    """What is shown stays where it is, as long as it is not refuted; what is new has to be clear, and apart."""
    old = np.searchsorted(contrasts.columns, np.array(sorted(shown), dtype=np.int64))
    places = [int(place) for place in np.unique(old) if 0 < place < contrasts.n]
    places = _pruned(contrasts, places, KEPT, known=True)
    strong = np.abs(_sizes(contrasts, found)).max(axis=0, initial=0)
    for _, place in sorted(zip(-strong, found, strict=True)):
        near = any(abs(place - other) < FROM_OTHERS for other in places)
        if not near and FROM_ENDS <= place <= contrasts.n - FROM_ENDS:
            more = sorted([*places, place])
            new, kept = (np.abs(_sizes(contrasts, more, known=known)).max(axis=0) for known in (False, True))
            if new[more.index(place)] >= NEW and kept.min() >= KEPT:
                places = more
    return places


def _candidates(peaks: Sequence[Peaks]) -> list[tuple[int, int, int]]:
    """(place, length, feature) of contrasts, the strongest of those that are near to each other."""
    each = [
        (float(size), int(place), found.length, int(feature))
        for found in peaks
        for place, feature, size in zip(found.places, found.features, found.sizes, strict=True)
    ]
    taken: list[int] = []
    kept = []
    for _, place, length, feature in sorted(each, reverse=True):
        at = bisect_left(taken, place)
        if any(abs(place - other) < length / 2 for other in taken[max(at - 1, 0) : at + 1]):
            continue
        insort(taken, place)
        kept.append((place, length, feature))
    return sorted(kept)


def _refined(contrasts: Contrasts, candidates: list[tuple[int, int, int]]) -> list[int]:
    """Each candidate moved to where its feature turns, not over its neighbours."""
    places = [place for place, _, _ in candidates]
    breaks = set(contrasts.breaks.tolist())
    for number, (place, length, feature) in enumerate(candidates):
        if place in breaks:
            continue
        first, last = _room(contrasts, places, number)
        places[number] = _turn(
            contrasts, feature, place, (max(first, place - length), min(last, place + length)), length
        )
    return sorted(set(places))


def _room(contrasts: Contrasts, places: list[int], number: int) -> tuple[int, int]:
    """The nearest change points or breaks before and after a change point."""
    place = places[number]
    before = [0, *places[:number][-1:], *contrasts.breaks[contrasts.breaks < place][-1:].tolist()]
    after = [contrasts.n, *places[number + 1 :][:1], *contrasts.breaks[contrasts.breaks > place][:1].tolist()]
    return max(before), min(after)


def _turn(contrasts: Contrasts, feature: int, place: int, window: tuple[int, int], length: int) -> int:
    """Where a feature changes within a window, near a place."""
    first, last = window
    reach = length // 4 + 2
    low, high = max(place - reach, first + OFF_ENDS), min(place + reach, last - OFF_ENDS)
    if low > high:
        return place
    course = np.abs(contrasts.course(feature, first, last))
    return low + int(course[low - first : high - first + 1].argmax())


def _ends(contrasts: Contrasts, places: Sequence[int]) -> tuple[IntArray, IntArray, IntArray]:
    """Where the segments before change points begin, the points, where those after them end: at breaks as well."""
    middle = np.array(places, dtype=np.int64)
    walls = np.unique(np.concatenate([[0], contrasts.breaks, middle, [contrasts.n]])).astype(np.int64)
    first = walls[np.searchsorted(walls, middle, side="left") - 1]
    last = walls[np.minimum(np.searchsorted(walls, middle, side="right"), len(walls) - 1)]
    return first, middle, last


def _sizes(contrasts: Contrasts, places: Sequence[int], *, known: bool = False) -> NDArray[np.float64]:
    """Contrasts of the segments on both sides of all change points: [features, change points]."""
    return contrasts.segments(*_ends(contrasts, places), known=known)


def _pruned(contrasts: Contrasts, places: list[int], least: float = LEAST, *, known: bool = False) -> list[int]:
    """The weakest change points removed, one after the other, until all are strong enough."""
    kept = list(places)
    sizes = list(np.abs(_sizes(contrasts, kept, known=known)).max(axis=0)) if kept else []
    while kept:
        weakest = int(np.argmin(sizes))
        if sizes[weakest] >= least:
            break
        del kept[weakest], sizes[weakest]
        beside = [number for number in (weakest - 1, weakest) if 0 <= number < len(kept)]
        for number in beside:
            first, last = _room(contrasts, kept, number)
            ends = (np.array([place]) for place in (first, kept[number], last))
            sizes[number] = float(np.abs(contrasts.segments(*ends, known=known)).max())
    return kept


def _inside(contrasts: Contrasts, places: list[int]) -> list[int]:
    """One more change point inside each segment that has one."""
    walls = np.unique(np.concatenate([[0], contrasts.breaks, np.array(places, dtype=np.int64), [contrasts.n]]))
    found = []
    for first, last in zip(walls[:-1].tolist(), walls[1:].tolist(), strict=True):
        if last - first < 4 * OFF_ENDS:
            continue
        tried = np.unique(np.linspace(first + OFF_ENDS, last - OFF_ENDS, TRIED).astype(np.int64))
        sizes = np.abs(contrasts.segments(np.full(len(tried), first), tried, np.full(len(tried), last)))
        feature, which = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[feature, which] >= LEAST:
            place = int(tried[which])
            found.append(_turn(contrasts, int(feature), place, (first, last), min(place - first, last - place)))
    return found


def _without_partial(contrasts: Contrasts, places: list[int]) -> list[int]:
    """One change point for two around a column that is partly as before it and partly as after it."""
    kept, breaks = list(places), set(contrasts.breaks.tolist())
    number = 0
    while number + 1 < len(kept):
        first, last = kept[number : number + 2]
        number += 1
        if last - first > OFF_ENDS or {first, last} & breaks:
            continue
        before, after = _room(contrasts, kept, number - 1)[0], _room(contrasts, kept, number)[1]
        joined = None
        if _is_same(contrasts, (first + 1, last, after), (first, last, after)):
            joined = first + 1
        elif _is_same(contrasts, (before, first, last - 1), (before, first, last)):
            joined = last - 1
        if joined is not None:
            number -= 1
            kept[number : number + 2] = [joined]
    return kept


def _with_bursts(contrasts: Contrasts, places: list[int]) -> list[int]:
    """A change that is that of a few single columns, between long parts that are alike, begins and ends with each."""
    for _ in range(len(places)):
        each = ((place, _bursts(contrasts, places, place)) for place in places)
        place, columns = next((found for found in each if found[1]), (0, []))
        if not columns:
            break
        sides = {side for column in columns for side in (column, column + 1)}
        sides -= {column + 1 for column in columns if column + 1 in columns}
        sides -= {column for column in columns if column - 1 in columns}
        others = [other for other in places if other != place]
        places = sorted({*others, *sides} - {0, contrasts.n})
    return _pruned(contrasts, places, known=True)


def _bursts(contrasts: Contrasts, places: list[int], place: int) -> list[int]:
    """The columns without which the segments on both sides of a change point do not differ; none if they do."""
    first, last = _room(contrasts, places, places.index(place))
    if min(place - first, last - place) <= 1 or place in contrasts.breaks:
        return []
    sizes = contrasts.segments(*(np.array([one]) for one in (first, place, last)))[:, 0]
    feature = int(np.abs(sizes).argmax())
    begin, end = (place, last) if sizes[feature] > 0 else (first, place)
    begin, end = max(begin, place - LONGEST_BESIDE), min(end, place + LONGEST_BESIDE)
    events = contrasts.events_of(feature, begin, end)
    high = begin + np.flatnonzero(events >= np.maximum(BURST * np.median(events), events.max() / 2))
    if not 0 < len(high) <= MOST_BURSTS or len(high) > max((end - begin) // 4, 1):
        return []
    left = abs(float(contrasts.without(high, first, place, last)[feature]))
    return [int(column) for column in high] if left < min(LEAST, LEFT * abs(sizes[feature])) else []


def _is_same(contrasts: Contrasts, parts: tuple[int, int, int], known: tuple[int, int, int]) -> bool:
    """Whether two adjacent segments do not differ in the feature in which the ``known`` ones differ most."""
    places = np.array([known, parts]).T
    sizes = np.abs(contrasts.segments(*places))
    return bool(sizes[sizes[:, 0].argmax(), 1] < KEPT)


def stalls(contrasts: Contrasts) -> list[tuple[int, int]]:
    """Places [first, last) without events although many were due, by the rate before and after them. The last column
    alone is none: it can be what a source prints as it ends, with little time or none since the print before.
    """
    events = np.diff(contrasts.events)
    flags = np.concatenate([[0], (events == 0).astype(np.int8), [0]])
    first, last = (np.flatnonzero(np.diff(flags) == step) for step in (1, -1))
    around = np.maximum(AROUND, 4 * (last - first))
    before, after = np.maximum(first - around, 0), np.minimum(last + around, contrasts.n)
    busy = np.concatenate([[0.0], np.cumsum(events > 0)])

    def outside(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sums[first] - sums[before] + sums[after] - sums[last])

    beside = first - before + after - last
    rate = outside(contrasts.events) / np.maximum(outside(contrasts.time), 1e-300)
    due = rate * (contrasts.time[last] - contrasts.time[first])
    least = max(DUE * contrasts.bunch, float(np.log(contrasts.n / BY_CHANCE)) * _burst_size(contrasts, events))
    stalled = (due >= least) & (outside(busy) >= BUSY * beside) & (first >= LEAST_AROUND)
    stalled &= ~((last - first == 1) & (last == contrasts.n))
    return list(zip(first[stalled].tolist(), last[stalled].tolist(), strict=True))


def _burst_size(contrasts: Contrasts, events: NDArray[np.float64]) -> float:
    """So many events come at a time, whatever their latencies: the variance of all events of a column over their mean,
    by the differences of adjacent columns. Columns without any may be stalls, and have no part in it.
    """
    first, second = events[:-1], events[1:]
    both = (first > 0) & (second > 0)
    time = np.diff(contrasts.time)
    one, other = time[:-1][both], time[1:][both]
    apart = (second[both] * one - first[both] * other) ** 2 / (one * other * (first[both] + second[both]))
    return max(float(apart[apart <= np.quantile(apart, OUTLIERS)].mean()), 1.0) if len(apart) else 1.0


def held_up_until(contrasts: Contrasts, first: int, last: int) -> int:
    """The place behind the columns, after a stall [first, last), in which most of what was waited is of events that
    can have begun before its end: it held them up. At most so many columns as it has, and none behind a gap.
    """
    least, most = contrasts.edges[:-1], contrasts.edges[1:]
    behind = contrasts.breaks[contrasts.breaks >= last]
    limit = int(min(2 * last - first, contrasts.n, *behind[:1].tolist()))
    for place in range(last, limit):
        waits = contrasts.counts[:, contrasts.columns[place]] * least
        began_before = most > contrasts.time[place + 1] - contrasts.time[last]
        if waits[began_before].sum() <= MOSTLY * waits.sum():
            return place
    return limit
