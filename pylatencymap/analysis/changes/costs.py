"""What changed in a recording, and what it cost: incidents, steps, drifts, moves, stalls, gaps and resets.

docs/accuracy.md says how many changes are found, and how often one is reported that did not happen.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..density import FloatArray
from ..octaves import check_shapes, rows_between
from ..waited import row_mean_bands, row_means
from .bands import BandChange, BandChangeKind, BandShift, BurstBand, band_change
from .change_points import ChangePoint, segmentation_in_steps
from .contrasts import Contrasts, IntArray
from .cost_bands import REAL, Beside, chance, lasting_parts, limits_of_rows
from .episodes import spans_in_steps
from .segment_differences import Part, SegmentDifferences, has_columns
from .sharp_ends import with_sharp_ends
from .spans import LASTING, PASSING, EpisodeKind, Level, Span, Zigzag, is_on_its_way, with_all_beside, with_sides_beyond

SHIFTED = 2
"""Octaves beside a band to which its events can have gone."""
SHIFT_SHARE = 0.8
"""The part of all that changes its octave that a band and the octaves beside it exchange, for a shift."""
LEFT = 0.5
"""A band that moved leaves at most this part behind."""
LEAST_BESIDE = 60
"""Columns beside an episode that tell what it differs from, if there are so many: a few tell more of chance."""
FAR = 2.1
"""Ratio of the bounds of two octaves that have at most one between them."""
SHIFT_PART = 0.1
"""An octave with less of what the octaves beside a band exchange with it, or of what a burst brings, is not named."""
OF_ITS_OWN = 0.2
"""A burst has latencies of its own if they have so much larger a share of its events than of those around it."""


@dataclass(frozen=True, slots=True)
class Episode:
    """Something that happened in the columns [first, last). A step has only the first, ``first`` = ``last``.

    ``low``, ``high``: the latencies in seconds whose share changed, whole octaves of the source's rows; both None where
    the rate changed, and in stalls, gaps and resets. ``before``, ``inside``, ``after``: see Level; before and after are
    the neighbours, for as long as it lasted and at least 60 columns, None where there are none; a step has nothing
    inside. Before and after a drift are its own ends; before an episode of the rate is what was there until it came.
    ``cost``: seconds waited more than its neighbours would have waited, of steps and drifts as long as they last; None
    in a gap; a stall and a rate that falls save none, for what did not come was not faster. ``size``: how many standard
    deviations it is from its neighbours, negative where there was less.
    """

    kind: EpisodeKind
    first: int
    last: int
    low: float | None
    high: float | None
    before: Level | None
    inside: Level | None
    after: Level | None
    cost: float | None
    size: float
    shift: BandShift | None = None
    """Where the events of the band went, if nearly all of them only went faster or slower by an octave or two."""
    band: BandChange | None = None
    """What became of a band that has no ``shift``: it moved further, widened or was split."""
    cost_band: tuple[float, float] | None = None
    """Where the cost lies, for all that rows hide and by chance; None where there is nothing to compare with."""
    zigzag: Zigzag | None = None
    """How something went and came back several times."""
    burst: BurstBand | None = None
    """Where most of the events of a rate that rose for a while are, if that is elsewhere than those around it."""


@dataclass(frozen=True, slots=True)
class Changes:
    """``episodes``: the most expensive first, then gaps, then resets; ``points``: those they were made of, by time. In
    a live view their columns go into the next call as ``shown``.
    """

    episodes: tuple[Episode, ...]
    points: tuple[ChangePoint, ...]


def find_changes(
    counts: FloatArray,
    edges: FloatArray,
    seconds: FloatArray,
    *,
    resets: Sequence[int] = (),
    waited: FloatArray | None = None,
    shown: Sequence[int] | None = None,
) -> Changes:
    """What changed in ``counts`` [rows, columns] with ``edges`` [rows + 1] and ``seconds`` [columns]; 0 is a gap.

    ``resets``: columns in which the source's counters began anew. ``waited`` [columns]: seconds waited where the source
    gives sums; else they are estimated. ``shown``: in a live view, the columns of the change points it shows already.
    """
    steps = changes_in_steps(counts, edges, seconds, resets=resets, waited=waited, shown=shown)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(Changes, end.value)


def changes_in_steps(
    counts: FloatArray,
    edges: FloatArray,
    seconds: FloatArray,
    *,
    resets: Sequence[int] = (),
    waited: FloatArray | None = None,
    shown: Sequence[int] | None = None,
) -> Generator[None, None, Changes]:
    """What ``find_changes`` returns, for a live view that must not wait for it: it yields between steps of the work,
    which take some milliseconds each.
    """
    check_shapes(counts, edges, seconds)
    begun = np.array(sorted(resets), np.int64)
    others = _gaps(seconds) + [_of_source(EpisodeKind.RESET, int(column), int(column) + 1, 0.0) for column in begun]
    contrasts = Contrasts(counts, edges, seconds, begun)
    if contrasts.n < 2:
        return Changes(tuple(others), ())
    yield
    found = yield from segmentation_in_steps(contrasts, shown)
    yield
    happened = yield from spans_in_steps(found)
    yield
    levels = _Levels(counts, edges, waited, contrasts)
    sharp = [levels.sharpened(span) for span in happened]
    beside = [with_sides_beyond(span, sharp, contrasts.n) for span in sharp]
    happened = [span for span in beside if levels.differ(span) and levels.stands_out(span)]
    happened = [with_all_beside(span, happened, contrasts.n) for span in happened]
    episodes = [levels.episode(span, happened) for span in happened]
    return Changes(tuple(sorted(episodes + others, key=_order)), found.points())


def _order(episode: Episode) -> tuple[int, float, int]:
    if episode.kind is EpisodeKind.RESET:
        return 2, 0.0, episode.first
    return (1, 0.0, episode.first) if episode.cost is None else (0, -episode.cost, episode.first)


def _gaps(seconds: FloatArray) -> list[Episode]:
    steps = np.diff(np.concatenate([[0], (seconds <= 0).astype(np.int8), [0]]))
    return [
        _of_source(EpisodeKind.GAP, int(first), int(last), None)
        for first, last in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True)
    ]


def _of_source(kind: EpisodeKind, first: int, last: int, cost: float | None) -> Episode:
    """A gap or a reset, of which nothing is known but when it was."""
    return Episode(kind, first, last, None, None, None, None, None, cost, 0.0)


class _Levels:
    """Sums over parts of the recording, from its own rows and not from octaves."""

    def __init__(self, counts: FloatArray, edges: FloatArray, waited: FloatArray | None, contrasts: Contrasts) -> None:
        self.counts, self.edges, self.contrasts = counts, edges, contrasts
        self.columns: IntArray = contrasts.columns
        self.means = row_means(counts.sum(axis=1), edges, tick=0.0)
        spent = self.means @ counts if waited is None else waited
        self.waited = np.concatenate([[0.0], np.cumsum(spent[self.columns])])
        self.limits = row_mean_bands(counts.sum(axis=1), edges, tick=0.0) if waited is None else None

    def episode(self, span: Span, happened: Sequence[Span]) -> Episode:
        """A span with what it was like and what it cost, among all that ``happened``."""
        low, high = self._latencies(replace(span, octaves=SegmentDifferences(self.contrasts).told(span)))
        lasting = span.kind in LASTING
        before, after = self._neighbours(span)
        inner = (span.first, span.last)
        first = int(self.columns[span.first])
        last = first if span.kind is EpisodeKind.STEP else int(self.columns[span.last - 1]) + 1
        cost, band = self._lasting_cost(span, happened) if lasting else self._passing_cost(span)
        return Episode(
            span.kind,
            first,
            last,
            low,
            high,
            self._level(self._just_before(span) or before, low, high),
            self._level(inner if span.last > span.first else None, low, high),
            self._level(after, low, high),
            max(cost, 0.0) if span.octaves is None and span.size < 0 else cost,
            span.size,
            None if span.zigzag else self._shift(span, before, after if lasting else inner),
            None if span.zigzag else self._band(span, before, after if lasting else inner),
            band,
            span.zigzag,
            self._burst(span, [before, after]),
        )

    def sharpened(self, span: Span) -> Span:
        """An incident with ends that are exact to the column."""
        if span.kind is not EpisodeKind.INCIDENT or span.octaves is None:
            return span
        events, totals = self.counts[self._rows(*self._latencies(span))].sum(axis=0), self.counts.sum(axis=0)
        return with_sharp_ends(span, events[self.columns], totals[self.columns])

    def differ(self, span: Span) -> bool:
        """Whether a lasting change is one of what was counted: shares of capped octaves go with the rate."""
        parts = [part for part in (span.before, span.after) if part is not None]
        if span.kind not in LASTING or span.octaves is None or len(parts) < 2:
            return SegmentDifferences(self.contrasts).lasts(span)
        before, after = (self._level(part, *self._latencies(span)) for part in parts)
        if before is None or after is None:
            return True
        events = [float(self.contrasts.events[part[1]] - self.contrasts.events[part[0]]) for part in parts]
        share = min((before.events + after.events) / max(sum(events), 1.0), 1.0)  # sums of huge counts are rounded
        spread = share * (1 - share) * sum(1 / max(one, 1.0) for one in events)
        return (after.share - before.share) * span.size > 0 and abs(after.share - before.share) >= REAL * spread**0.5

    def stands_out(self, span: Span) -> bool:
        """Whether an incident has more than both sides, or less: the pause between two others has neither."""
        if span.kind is not EpisodeKind.INCIDENT:
            return True
        parts = (span.first, span.last), *self._neighbours(span)
        inside, *sides = (self._level(part, *self._latencies(span)) for part in parts)
        known = [side for side in sides if side is not None]
        if inside is None or span.octaves is None:
            return inside is None or not is_on_its_way(inside, known)
        return all((inside.share - side.share) * span.size > 0 for side in known)

    def _shift(self, span: Span, before: Part | None, then: Part | None) -> BandShift | None:
        """What the octaves of an episode gain, those beside them lose, or the other way round."""
        if span.octaves is None or not has_columns(before) or not has_columns(then):
            return None
        shares = SegmentDifferences(self.contrasts).shares(before, then)
        changed = shares[:, 1] - shares[:, 0]
        first, last = span.octaves
        own = float(changed[first:last].sum())
        beside = [(max(first - SHIFTED, 0), first), (last, min(last + SHIFTED, len(changed)))]
        for low, high in beside:
            other = float(changed[low:high].sum())
            if own * other >= 0 or min(abs(own), abs(other)) < SHIFT_SHARE * np.abs(changed).sum() / 2:
                continue
            some = np.flatnonzero(changed[low:high] * other > SHIFT_PART * other * other) + low
            there, here = (int(some[0]), int(some[-1]) + 1), (first, last)
            source, target = (here, there) if own < 0 else (there, here)
            bounds = self.contrasts.bounds
            nearer, farther = min(source, target), max(source, target)
            if bounds[farther[0]] > FAR * bounds[nearer[1]]:
                continue  # an empty range that the source does not print lies between them
            moved = [shares[part[0] : part[1]].sum(axis=0).tolist() for part in (source, target)]
            if moved[0][1] > LEFT * moved[0][0]:
                continue  # most of the band is where it was, so the others are a band of their own
            ends = [float(bounds[end]) for part in (source, target) for end in part]
            return BandShift(ends[0], ends[1], ends[2], ends[3], (moved[0][0], moved[0][1]), (moved[1][0], moved[1][1]))
        return None

    def _band(self, span: Span, before: Part | None, then: Part | None) -> BandChange | None:
        """What became of the band that an episode is about."""
        if span.octaves is None or not has_columns(before) or not has_columns(then):
            return None
        differences = SegmentDifferences(self.contrasts)
        shares = differences.shares(before, then)
        found = band_change(shares[:, 0], shares[:, 1], self.contrasts.bounds, differences.changed_shares(before, then))
        wandered = span.kind is EpisodeKind.MOVE and found is not None and found.kind is not BandChangeKind.MOVED
        return None if wandered else found  # on its way a band is in many places, and seems to be wide

    def _burst(self, span: Span, beside: Sequence[Part | None]) -> BurstBand | None:
        """Where most of the events of a rate that rose are, if that is elsewhere than beside it."""
        known = [one for one in beside if has_columns(one)]
        if span.octaves is not None or span.kind not in PASSING or span.size <= 0 or not known:
            return None
        rows = self.contrasts.rows
        inner = self.contrasts.sums(*np.array([(span.first, span.last)]).T)
        around = self.contrasts.sums(*np.array(known).T).total()
        usual = around.events[:rows, 0] / around.time[0]
        more = np.maximum(inner.events[:rows, 0] - usual * inner.time[0], 0.0)
        some = np.flatnonzero(more >= min(SHIFT_PART * more.sum(), more.max()))
        first, last = int(some[0]), int(some[-1]) + 1
        share, other = (float(one.events[first:last].sum() / max(one.whole[0], 1.0)) for one in (inner, around))
        if more[first:last].sum() < SHIFT_SHARE * more.sum() or share < other + OF_ITS_OWN:
            return None
        return BurstBand(float(self.contrasts.bounds[first]), float(self.contrasts.bounds[last]), share)

    def _latencies(self, span: Span) -> tuple[float | None, float | None]:
        if span.octaves is None:
            return None, None
        bounds = self.contrasts.bounds
        return float(bounds[span.octaves[0]]), float(bounds[span.octaves[1]])

    def _neighbours(self, span: Span) -> tuple[Part | None, Part | None]:
        """Parts as long as the episode, or long enough to know them; of steps and drifts, all of the segments beside
        them.
        """
        before, after = span.before, span.after
        if span.kind in LASTING:
            return before, after
        length = max(span.last - span.first, LEAST_BESIDE)
        return (
            before and (max(before[0], before[1] - length), before[1]),
            after and (after[0], min(after[1], after[0] + length)),
        )

    def _just_before(self, span: Span) -> Part | None:
        """Of an episode of the rate, what was there until it came, if that is something else than its neighbour."""
        if span.octaves is not None or span.kind not in PASSING or not span.before or span.before[1] == span.first:
            return None
        return max(span.before[1], span.first - max(span.last - span.first, LEAST_BESIDE)), span.first

    def _level(self, part: Part | None, low: float | None, high: float | None) -> Level | None:
        if not has_columns(part):
            return None
        total = self._events(part)
        times = total * self.means
        chosen = self._rows(low, high)
        seconds = float(self.contrasts.time[part[1]] - self.contrasts.time[part[0]])
        events = float(total[chosen].sum())
        return Level(
            events=events,
            share=events / max(float(total.sum()), 1.0),
            time_share=float(times[chosen].sum()) / max(float(times.sum()), 1e-300),
            rate=float(total.sum()) / seconds,
            waited=float(self.waited[part[1]] - self.waited[part[0]]) / seconds,
        )

    def _rows(self, low: float | None, high: float | None) -> NDArray[np.bool_]:
        """The rows between two latencies; all of them if there are no bounds."""
        if low is None or high is None:
            return np.ones(len(self.edges) - 1, dtype=bool)
        return rows_between(self.edges, low, high)

    def _passing_cost(self, span: Span) -> tuple[float, tuple[float, float] | None]:
        """What an episode cost that came and went, and the band of that."""
        part, beside = (span.first, span.reach), self._neighbours(span)
        cost = self._cost(part, beside)
        return cost, self._cost_band(part, beside, cost, self._own(span))

    def _lasting_cost(self, span: Span, happened: Sequence[Span]) -> tuple[float, tuple[float, float] | None]:
        """What a step or a drift cost while it lasted, without what passed meanwhile, and the band of that."""
        later = {one.first for one in happened if one.kind in LASTING and one.first > max(span.first, span.last)}
        walls = [span.last, *sorted(later), self.contrasts.n]
        parts = [part for part in pairwise(walls) if part[1] > part[0]] or [(span.first, self.contrasts.n)]
        passing = [one for one in happened if one.kind not in LASTING]
        passed = [(one, self._cost((one.first, one.reach), self._neighbours(one))) for one in passing]

        def cost_in(part: Part) -> float:
            others = (cost for one, cost in passed if part[0] <= one.first and one.reach <= part[1])
            return self._cost(part, [span.before]) - sum(others)

        seconds = np.diff(self.contrasts.time[np.array(parts)], axis=1)[:, 0].tolist()
        excess = [cost_in(part) / lasted for part, lasted in zip(parts, seconds, strict=True)]
        alike, more = lasting_parts(excess, seconds)
        part = span.first, parts[alike - 1][1]
        cost, all_of_it = cost_in(part), self._cost(part, [span.before])
        band = self._cost_band(part, [span.before], all_of_it, self._own(span))
        if band is None or not cost:
            return cost + more, band
        low, high = ((end - all_of_it + cost) * (1 + more / cost) for end in band)
        return cost + more, (min(low, high), max(low, high))

    def _own(self, span: Span) -> NDArray[np.bool_]:
        """The rows that an episode is about; none if it is the rate."""
        return self._rows(*self._latencies(span)) & (span.octaves is not None)

    def _cost(self, part: Part, beside: Sequence[Part | None]) -> float:
        """Seconds waited in a part beyond what was waited per second beside it."""

        def of(sums: FloatArray, places: Part) -> float:
            return float(sums[places[1]] - sums[places[0]])

        known = [one for one in beside if has_columns(one)]
        seconds = sum(of(self.contrasts.time, one) for one in known)
        otherwise = sum(of(self.waited, one) for one in known) / seconds if seconds > 0 else 0.0
        return of(self.waited, part) - otherwise * of(self.contrasts.time, part)

    def _cost_band(
        self, part: Part, beside: Sequence[Part | None], cost: float, own: NDArray[np.bool_]
    ) -> tuple[float, float] | None:
        """The least and the greatest that a ``cost`` can be; ``own`` [rows]: those that the episode is about."""
        known = [one for one in beside if has_columns(one)]
        time = self.contrasts.time
        seconds = sum(float(time[one[1]] - time[one[0]]) for one in known)
        if seconds <= 0 or not has_columns(part):
            return None
        longer = float(time[part[1]] - time[part[0]]) / seconds
        low = high = cost
        if self.limits is not None:
            others = Beside(np.sum([self._events(one) for one in known], axis=0), longer)
            low, high = limits_of_rows(self._events(part), others, own, self.edges, self.limits)
        off = chance([np.diff(self.waited[one[0] : one[1] + 1]) for one in known], longer)
        return min(low, cost) - off, max(high, cost) + off

    def _events(self, part: Part) -> FloatArray:
        """Events per row."""
        columns = self.columns[part[0] : part[1]]
        return np.asarray(self.counts[:, columns[0] : columns[-1] + 1].sum(axis=1))  # nothing was counted in gaps
