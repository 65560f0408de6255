"""How far the cost of an episode can be from its estimate: by what rows hide, and by chance; and for how long a lasting
change costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..density import FloatArray
from ..waited import row_mean_bands

REAL = 4.0
"""Shares that differ by more than this many standard deviations do not differ by chance."""
OTHER_SHAPE = 0.1
"""From this part of its share on, a row has other events than beside an episode, and their mean may be another one."""


LASTS, AS_MUCH = 0.5, 1.5
"""A lasting change costs up to a later one that leaves less than the first part of what it brought; what a later one
brings that makes it more than the second is not its cost.
"""


class Beside(NamedTuple):
    """Events per row beside an episode, which is ``longer`` by this factor."""

    events: FloatArray
    longer: float


def limits_of_rows(
    inside: FloatArray,
    beside: Beside,
    own: NDArray[np.bool_],
    edges: FloatArray,
    usual: tuple[FloatArray, FloatArray],
) -> tuple[float, float]:
    """The least and the greatest cost in seconds that rows allow, of the events ``inside`` [rows] on ``edges``.

    In ``own`` rows, and in those that have other events than beside the episode, each side has means of its own. In the
    others only what is more or less counts; ``usual``: the least and the greatest mean latency of their events.
    """
    expected = beside.longer * beside.events
    more = inside - expected
    (low, high), (was_low, was_high) = (row_mean_bands(one, edges, tick=0.0) for one in (inside, beside.events))
    least, most = usual
    other = own | _differ(inside, beside.events)
    bottom = np.where(
        other, _times(inside, low) - _times(expected, was_high), _times(more, np.where(more > 0, least, most))
    )
    top = np.where(
        other, _times(inside, high) - _times(expected, was_low), _times(more, np.where(more > 0, most, least))
    )
    return float(bottom.sum()), float(top.sum())


def lasting_parts(excess: Sequence[float], seconds: Sequence[float]) -> tuple[int, float]:
    """In how many of the parts between later lasting changes there is about as much as in the first, by the ``excess``
    per second of each, which last so many ``seconds``; and what a change cost in the following ones, in which others
    have added to it.
    """
    level = excess[0]
    if not level:
        return 1, 0.0
    alike = next((at for at, one in enumerate(excess) if not LASTS <= one / level <= AS_MUCH), len(excess))
    over = next((at for at, one in enumerate(excess[alike:], alike) if one / level < LASTS), len(excess))
    return alike, sum(
        level * min(one / level, 1.0) * lasted
        for one, lasted in zip(excess[alike:over], seconds[alike:over], strict=True)
    )


def chance(beside: Sequence[FloatArray], longer: float) -> float:
    """Two standard deviations of what would have been waited, in seconds, from how columns ``beside`` differ from the
    next ones: seconds waited per column.
    """
    variance = sum(len(each) * float(np.mean(np.diff(each) ** 2)) / 2 for each in beside if len(each) > 1)
    return float(2 * (longer * (1 + longer) * variance) ** 0.5)


def _differ(inside: FloatArray, beside: FloatArray) -> NDArray[np.bool_]:
    """The rows whose shares differ, [rows]."""
    totals = [max(float(one.sum()), 1.0) for one in (inside, beside)]
    shares = inside / totals[0], beside / totals[1]
    share = (inside + beside) / sum(totals)
    spread = np.sqrt(share * (1 - share) * sum(1 / one for one in totals))
    return np.asarray(np.abs(shares[0] - shares[1]) > np.maximum(REAL * spread, OTHER_SHAPE * np.maximum(*shares)))


def _times(events: FloatArray, means: FloatArray) -> FloatArray:
    """Products, 0 where there are no events, even in rows without an end."""
    return np.multiply(events, means, out=np.zeros_like(means), where=events != 0)
