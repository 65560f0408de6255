"""What became of a band when latencies changed: it moved, widened or was split, by what each octave gained and lost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from ..density import FloatArray

TAKES = 0.8
"""The part of all that changes its octave that a band loses, and that the octaves named gain."""
GONE = 0.1
"""A band that moved or was split leaves at most this part where it was."""
NEW = 0.1
"""Where a band goes there was at most this part of what comes there, or it joined a band that was there."""
SIDE = 0.15
"""The least part of what a band loses that goes to each side, if it widens or is split."""
NAMED = 0.1
"""An octave that gains less, as a part of all that is gained, is not named."""
VALLEY = 0.5
"""Between the parts of a band that was split some octave has less than this part of the smaller one's highest."""


LEAST_SPREAD = 1e-12
"""A variance in octaves; less is what rounding leaves where all events are in one of them."""
AS_MUCH = 0.98
"""Octaves that tell as large a part of what the best ones do tell as much."""


class BandChangeKind(Enum):
    """What became of a band."""

    MOVED = "moved"
    WIDENED = "widened"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class BandChange:
    """``where`` a band was and ``to`` where it is: [low, high] seconds, once, or twice for the parts of one that was
    split.
    """

    kind: BandChangeKind
    where: tuple[float, float]
    to: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class BandShift:
    """A band went to the octaves beside it: latencies in seconds where the events were and where they are, with the
    shares of all events that these had before and have then.
    """

    from_low: float
    from_high: float
    to_low: float
    to_high: float
    from_shares: tuple[float, float]
    to_shares: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BurstBand:
    """``low`` to ``high``, seconds: the latencies of what a burst brings; ``share``: that of all its events there."""

    low: float
    high: float
    share: float


def band_change(before: FloatArray, then: FloatArray, bounds: FloatArray, changed: FloatArray) -> BandChange | None:
    """From shares of the octaves [octaves] before and then, with their ``bounds`` [octaves + 1]; ``changed``: by how
    much each changed, 0 if by chance. None if a part of the events went to a band that was there already, or only some
    left.
    """
    lost, gained = np.maximum(-changed, 0.0), np.maximum(changed, 0.0)
    if gained.sum() <= 0 or lost.sum() <= 0:
        return None
    source = _named(lost)
    total = float(lost.sum())
    left = float(then[source[0] : source[1]].sum()) / float(before[source[0] : source[1]].sum())
    below, above = float(gained[: source[0]].sum()) / total, float(gained[source[1] :].sum()) / total
    if below + above < TAKES or float(lost[source[0] : source[1]].sum()) < TAKES * total:
        return None
    target = _named(gained)
    where = _latencies(source, bounds)
    if min(below, above) >= SIDE:
        parts = _named(gained[: source[0]]), tuple(source[1] + one for one in _named(gained[source[1] :]))
        if left <= GONE and _has_valley(then, *parts):
            return BandChange(BandChangeKind.SPLIT, where, tuple(_latencies((one[0], one[1]), bounds) for one in parts))
        return BandChange(BandChangeKind.WIDENED, where, (_latencies(target, bounds),)) if left > GONE else None
    new = float(before[target[0] : target[1]].sum()) <= NEW * float(gained[target[0] : target[1]].sum())
    if left <= GONE and new and max(below, above) >= TAKES:
        return BandChange(BandChangeKind.MOVED, where, (_latencies(target, bounds),))
    return None


def _named(parts: FloatArray) -> tuple[int, int]:
    """The first and the last + 1 of the octaves that have more than a small part of all; of many alike the largest."""
    some = np.flatnonzero(parts >= min(NAMED * parts.sum(), parts.max()))
    return int(some[0]), int(some[-1]) + 1


def _latencies(octaves: tuple[int, ...], bounds: FloatArray) -> tuple[float, float]:
    return float(bounds[octaves[0]]), float(bounds[octaves[1]])


def _has_valley(shares: FloatArray, low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    tops = min(float(shares[part[0] : part[1]].max()) for part in (low, high))
    first, last = (int(part[0] + shares[part[0] : part[1]].argmax()) for part in (low, high))
    return float(shares[first : last + 1].min()) < VALLEY * tops


class BandMean(NamedTuple):
    """The first and the last + 1 of some ``octaves``, by how many of them the mean latency there ``rises``, the
    variance of one event's latency, ``spread``, and the ``evidence`` of the mean: of one event, its rise in units of
    these, squared.
    """

    octaves: tuple[int, int]
    rises: float
    spread: float
    evidence: float


def band_mean(shares: FloatArray) -> BandMean:
    """The adjacent octaves among which the mean latency tells best the events before from those after, by the
    ``shares`` [octaves, 2] of both; of those that tell as much, the most.
    """
    octaves = np.arange(len(shares), dtype=np.float64)
    first, last = np.triu_indices(len(shares))
    last = last + 1

    def within(weights: FloatArray) -> FloatArray:
        upto = np.vstack([np.zeros(2), np.cumsum(shares * weights[:, None], axis=0)])
        return np.asarray(upto[last] - upto[first])

    mass = np.maximum(within(octaves**0), 1e-12)
    times, whole = within(octaves), mass.sum(axis=1)
    rises = np.diff(times / mass, axis=1)[:, 0]
    spread = within(octaves**2).sum(axis=1) / whole - (times.sum(axis=1) / whole) ** 2
    spread = np.maximum(spread, LEAST_SPREAD)
    evidence = rises**2 / spread * 2 / (1 / mass).sum(axis=1)
    best = int(np.where(evidence >= AS_MUCH * evidence.max(), last - first, 0).argmax())
    return BandMean((int(first[best]), int(last[best])), *(float(one[best]) for one in (rises, spread, evidence)))
