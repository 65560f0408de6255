"""What became of a band when latencies changed: it moved, widened or was split, by what each octave gained and lost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

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
    """The first and the last + 1 of the octaves that have more than a small part of all."""
    some = np.flatnonzero(parts >= NAMED * parts.sum())
    return int(some[0]), int(some[-1]) + 1


def _latencies(octaves: tuple[int, ...], bounds: FloatArray) -> tuple[float, float]:
    return float(bounds[octaves[0]]), float(bounds[octaves[1]])


def _has_valley(shares: FloatArray, low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    tops = min(float(shares[part[0] : part[1]].max()) for part in (low, high))
    first, last = (int(part[0] + shares[part[0] : part[1]].argmax()) for part in (low, high))
    return float(shares[first : last + 1].min()) < VALLEY * tops
