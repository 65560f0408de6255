"""Percentiles of both sides of a comparison with their intervals, and ratios where they mean something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..density import Estimate, FloatArray
from ..modes import Mode
from ..octaves import log_widths
from ..ranks import Ranks, ranks_of
from .sides import Side, student

BothRanks = tuple[Ranks | None, Ranks | None]
QUANTILES = (0.50, 0.90, 0.99)
HIDDEN = 1.0
"""Of how far the places are apart that a percentile may have inside its row."""
HIDDEN_IN_OCTAVES = 1.3
"""The same in rows of an octave and more, where slopes to the neighbours say little."""
WIDE = 0.75
STEEPEST = 1.9
OF_THE_ROW = 0.03
GAP = 0.25
"""Between two modes is a gap where the density falls below this part of that of the lower mode."""
MODE_EVENTS = 20
"""Events that both sides of a gap must have."""


@dataclass(frozen=True, slots=True)
class QuantileChange:
    """A percentile on both sides, in seconds with 95 % intervals, and the ratio AFTER over BEFORE.

    ``ratio`` is None where a percentile lies in a gap between two modes, or crosses one: then it may be anything. It is
    None as well where a percentile lies in a row from 0 or without end.
    """

    q: float
    before: Estimate
    after: Estimate
    ratio: Estimate | None


def quantile_changes(
    sides: tuple[Side, Side],
    edges: FloatArray,
    inflation: float,
    quantiles: Sequence[float],
    modes: tuple[Sequence[Mode], Sequence[Mode]],
    ranks: BothRanks = (None, None),
) -> Iterator[QuantileChange]:
    """One change for each quantile, in order; ``modes``: those of each side, lowest latency first. ``ranks``: where
    more is known than the counts in rows that both sides have in common: own rows, the step of a clock, a sum.
    """
    curves = [_Curve.of(*each, edges) for each in zip(sides, modes, ranks, strict=True)]
    if any(curve.events <= 0 for curve in curves):
        return
    for q in quantiles:
        before, after = (curve.quantile(side, q, inflation) for curve, side in zip(curves, sides, strict=True))
        if any(curve.crosses_gap(before, after) for curve in curves) or not _is_bounded(before, after):
            yield QuantileChange(q, before, after, None)
            continue
        (was, was_low, was_high), (now, now_low, now_high) = (
            np.log2([one.value, one.low, one.high]) for one in (before, after)
        )
        low = now - was - np.hypot(now - now_low, was_high - was)
        high = now - was + np.hypot(now_high - now, was - was_low)
        yield QuantileChange(q, before, after, Estimate(*(float(2.0**one) for one in (now - was, low, high))))


def _is_bounded(*estimates: Estimate) -> bool:
    return all(one.low > 0 and np.isfinite(one.high) for one in estimates)


@dataclass(frozen=True)
class _Curve:
    """The distribution of one side: counts and density per octave of its rows, and how much lies below each edge."""

    counts: FloatArray
    edges: FloatArray
    below: FloatArray
    widths: FloatArray
    events: float
    ranks: Ranks | None
    modes: Sequence[Mode]

    @classmethod
    def of(cls, side: Side, modes: Sequence[Mode], ranks: Ranks | None, edges: FloatArray) -> _Curve:
        counts = side.counts.sum(axis=1)
        events = float(counts.sum())
        below = np.concatenate([[0.0], np.cumsum(counts)]) / max(events, 1.0)
        ranks = ranks or ranks_of(counts, edges, tick=0.0)
        return cls(counts, edges, below, log_widths(edges), events, ranks, modes)

    @property
    def density(self) -> FloatArray:
        return self.counts / self.widths

    def quantile(self, side: Side, q: float, inflation: float) -> Estimate:
        """Its interval is that of the share below it, carried over, and what the row hides, as far as a sum allows."""
        assert self.ranks is not None
        row, part = self._place(q)
        off = self._share_off(side, row, part) * student(side.blocks - 1) * inflation
        least, most = max(q - off, 0.0), min(q + off, 1.0)
        low, value, high = (self.ranks.value(rank) for rank in (least, q, most))
        more = 2 ** (self._hidden(row, part) + OF_THE_ROW * float(self.widths[row]))
        low, high = low / more, high * more
        if self.ranks.has_sum:
            low, high = max(low, self.ranks.least(least)), min(high, self.ranks.most(most))
        return Estimate(value, min(low, value), max(high, value))

    def _hidden(self, row: int, part: float) -> float:
        """How far in octaves a percentile may lie from its place inside the row, for the row hides how its events lie:
        as far as the places are apart that the slope to the row before, and the one to the row after, give it.
        """
        if self.edges[row] <= 0 or not np.isfinite(self.edges[row + 1]):
            return float(self.widths[row])
        density = np.concatenate([[0.0], self.density, [0.0]])[row : row + 3]
        rises = density[1] - density[0], density[2] - density[1]
        slopes = np.clip(np.array([*rises, sum(rises) / 2]) / max(density[1], 1e-300), -STEEPEST, STEEPEST)
        places = [_inside(part, float(slope)) for slope in slopes]
        width = float(self.widths[row])
        return (HIDDEN_IN_OCTAVES if width > WIDE else HIDDEN) * (max(places) - min(places)) * width

    def _place(self, q: float) -> tuple[int, float]:
        """The row with this share of the events below some latency in it, and the part of its events that is below."""
        row = int(np.searchsorted(self.below, q, side="left")) - 1
        used = np.flatnonzero(self.counts)
        row = min(max(row, int(used[0])), int(used[-1]))
        inside = self.below[row + 1] - self.below[row]
        return row, min(max((q - self.below[row]) / inside, 0.0), 1.0) if inside > 0 else 0.5

    def _share_off(self, side: Side, row: int, part: float) -> float:
        """The standard error of the share below a place in a row, from how blocks differ."""
        below = side.counts[:row].sum(axis=0) + part * side.counts[row]
        totals = side.counts.sum(axis=0)
        influence = (below - totals * (below.sum() / totals.sum())) / totals.mean()
        return float(influence.std(ddof=1) / np.sqrt(side.blocks))

    def crosses_gap(self, before: Estimate, after: Estimate) -> bool:
        """Whether these percentiles are in different modes, or one of them may be, or is in the gap between two."""
        low, high = min(before.low, after.low), max(before.high, after.high)
        values = sorted((before.value, after.value))
        return any(
            values[0] < mode.end < values[1]
            or (low < mode.upper and high > following.lower > mode.upper)
            or any(self._is_in_gap(value, mode.upper, following.lower) for value in values)
            for mode, following in pairwise(self.modes)
        )

    def _is_in_gap(self, value: float, begin: float, end: float) -> bool:
        """Whether a latency lies between two modes, in a row that is a gap."""
        row = int(np.searchsorted(self.edges, value, side="right")) - 1
        return begin < value < end and 0 <= row < len(self.counts) and self._is_gap(row)

    def _is_gap(self, row: int) -> bool:
        """Whether a row has much less than modes on both sides of it, and so little that it is not by chance: by three
        standard deviations.
        """
        beside = self.density[:row], self.density[row + 1 :]
        lower = min(float(side.max(initial=0.0)) for side in beside)
        events = min(self.counts[:row].sum(), self.counts[row + 1 :].sum())
        expected = lower * self.widths[row] / 2
        is_deep = expected - self.counts[row] > 3 * np.sqrt(expected)
        return bool(self.density[row] < GAP * lower and events >= MODE_EVENTS and is_deep)


def _inside(part: float, slope: float) -> float:
    """Where in a row, 0 to 1, a part of its events lies below, if their density rises by ``slope`` along it."""
    straight = 1 - slope / 2
    return 2 * part / (straight + max(straight * straight + 2 * slope * part, 0.0) ** 0.5) if part > 0 else 0.0
