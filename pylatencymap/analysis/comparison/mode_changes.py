"""What became of each mode: those of both sides, in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log2

import numpy as np

from ..density import Estimate, FloatArray
from ..modes import Mode

SAME = 1.0
"""Octaves that the typical latency of a mode moves by at most, unless the ranges of both overlap."""
FEW = 0.1
"""The part of a mode's share that the other side has there at most, for the mode to be new or gone."""


@dataclass(frozen=True, slots=True)
class ModeChange:
    """A mode on both sides: ``lower`` to ``upper``, seconds, is its range on both; the shares are those of the events.

    Where one side has no such mode, its ``median`` is None, and its share is that of the events in the range.
    """

    lower: float
    upper: float
    before: float
    after: float
    median_before: Estimate | None
    median_after: Estimate | None

    @property
    def typical_before(self) -> float | None:
        """The typical latency in BEFORE, seconds."""
        return None if self.median_before is None else self.median_before.value

    @property
    def typical_after(self) -> float | None:
        """The typical latency in AFTER, seconds."""
        return None if self.median_after is None else self.median_after.value

    @property
    def is_new(self) -> bool:
        """Whether BEFORE had hardly any event there."""
        return self.typical_before is None and self.before <= FEW * self.after

    @property
    def is_gone(self) -> bool:
        """Whether AFTER has hardly any event there."""
        return self.typical_after is None and self.after <= FEW * self.before


def mode_changes(
    before: Sequence[Mode],
    after: Sequence[Mode],
    counts: tuple[FloatArray, FloatArray],
    edges: tuple[FloatArray, FloatArray],
) -> tuple[ModeChange, ...]:
    """All modes of both sides, the lowest latency first; ``counts`` [rows] on ``edges``, of BEFORE and of AFTER."""
    pairs = _pairs(before, after)
    found = [_both(before[one], after[other]) for one, other in pairs]
    for place, mode in enumerate(before):
        if all(place != one for one, _ in pairs):
            share = share_within(counts[1], edges[1], mode.lower, mode.upper)
            found.append(ModeChange(mode.lower, mode.upper, mode.share.value, share, mode.median, None))
    for place, mode in enumerate(after):
        if all(place != other for _, other in pairs):
            share = share_within(counts[0], edges[0], mode.lower, mode.upper)
            found.append(ModeChange(mode.lower, mode.upper, share, mode.share.value, None, mode.median))
    return tuple(sorted(found, key=lambda one: (one.lower, one.upper)))


def _pairs(before: Sequence[Mode], after: Sequence[Mode]) -> list[tuple[int, int]]:
    """The places of modes that are the same one, those that moved least first."""
    close = sorted(
        (_moved(one, other), first, second)
        for first, one in enumerate(before)
        for second, other in enumerate(after)
        if _moved(one, other) <= SAME or (one.lower < other.upper and other.lower < one.upper)
    )
    taken: list[tuple[int, int]] = []
    for _, first, second in close:
        if all(first != one and second != other for one, other in taken):
            taken.append((first, second))
    return taken


def _moved(one: Mode, other: Mode) -> float:
    """Octaves between the typical latencies."""
    if min(one.typical, other.typical) <= 0:
        return 0.0 if one.typical == other.typical else inf
    return abs(log2(other.typical / one.typical))


def _both(one: Mode, other: Mode) -> ModeChange:
    return ModeChange(
        min(one.lower, other.lower),
        max(one.upper, other.upper),
        one.share.value,
        other.share.value,
        one.median,
        other.median,
    )


def share_within(counts: FloatArray, edges: FloatArray, lower: float, upper: float) -> float:
    """The share of ``counts`` [rows] in the rows that lie at least half, on a logarithmic axis, between two latencies;
    0 without events.
    """
    tops = np.where(np.isinf(edges[1:]), edges[:-1], edges[1:])
    middles = np.where(edges[:-1] > 0, np.sqrt(edges[:-1] * tops), tops / 2)
    total = float(counts.sum())
    return float(counts[(middles >= lower) & (middles < upper)].sum()) / total if total > 0 else 0.0
