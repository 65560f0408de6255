"""Whether a time waited is possible for the counts that come with it, and what it says if it falls."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...record import Range
from ...units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ROUNDING = 1e-3
"""By this share a time waited can lie outside of what its counts allow: sums and bounds are rounded when printed."""
SLACK_SECONDS = 1e-6
"""And by this, whatever the counts."""

SIMILAR = 4
"""After a restart the mean latency is at least this part of the one before; a lost digit changes more."""


def sum_limits(ranges: Iterable[Range]) -> tuple[float, float]:
    """The least and the largest sum of all latencies, in the unit of the ranges; infinite if a range is open."""
    least = most = 0.0
    for lower, upper, count in ranges:
        least += lower * count
        most += math.inf if upper is None else upper * count
    return least, most


def is_possible_sum(waited: float, ranges: tuple[Range, ...], unit: Unit) -> bool:
    """Whether latencies in these ranges can add up to ``waited`` seconds, but for rounding."""
    least, most = sum_limits(ranges)
    return is_between(waited, least * unit.seconds, most * unit.seconds)


def is_between(waited: float, least: float, most: float) -> bool:
    """Whether a sum of latencies lies between two others, but for rounding; all in seconds."""
    return least * (1 - ROUNDING) - SLACK_SECONDS <= waited <= most * (1 + ROUNDING) + SLACK_SECONDS


def are_between(
    waited: NDArray[np.float64], least: NDArray[np.float64], most: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """As ``is_between``, of many sums."""
    possible: NDArray[np.bool_] = least * (1 - ROUNDING) - SLACK_SECONDS <= waited
    return possible & (waited <= most * (1 + ROUNDING) + SLACK_SECONDS)


def shows_restart(before: tuple[float, tuple[Range, ...]], now: tuple[float, tuple[Range, ...]], unit: Unit) -> bool:
    """Whether a total of times waited that fell, while no count did, shows that all counters started again. ``before``
    and ``now``: seconds waited and counts, both since the counters started.

    No latency is negative, so a true total never falls. But each of the two could be damaged: they have to be possible
    for their counts, and of similar mean latencies.
    """
    if now[0] >= before[0] * (1 - ROUNDING) or not (is_possible_sum(*before, unit) and is_possible_sum(*now, unit)):
        return False
    events = [float(sum(count for _, _, count in ranges)) for _, ranges in (before, now)]
    return min(events) > 0 and SIMILAR * now[0] / events[1] >= before[0] / events[0]
