"""The peaks of a distribution: the fast mode, the slow mode, and what each of them owns."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..window.matrix import FloatArray

TENTH = 0.1
"""A mode is as wide as its full width at a tenth of its maximum."""
VALLEY = 0.5
"""Two peaks are two modes where the rows between them fall below this share of the smaller one."""
WORTH = 0.05
"""A mode has at least this share of the events or of the time waited."""


class Mode(NamedTuple):
    """Rows ``first`` to ``last`` (inclusive), [lower, upper) in seconds, and their shares (0 to 1) over the window."""

    first: int
    last: int
    lower: float
    upper: float
    events: float
    waited: float


def find_modes(bounds: FloatArray, events: FloatArray, waited: FloatArray) -> tuple[Mode, ...]:
    """Modes of a distribution in rows [bounds[r], bounds[r + 1]), fastest first.

    Peaks are looked for in the mean of both shares, because the fast mode shows in the events and the slow one in the
    time waited. ``events`` and ``waited`` are sums per row.
    """
    if not events.size or events.sum() <= 0:
        return ()
    shares = events / events.sum(), waited / max(float(waited.sum()), 1e-300)
    profile = (shares[0] + shares[1]) / 2
    modes = [_mode(bounds, *shares, *extent) for extent in _extents(profile, _peaks(profile))]
    return tuple(mode for mode in modes if max(mode.events, mode.waited) >= WORTH)


def _mode(bounds: FloatArray, events: FloatArray, waited: FloatArray, first: int, last: int) -> Mode:
    rows = slice(first, last + 1)
    return Mode(
        first, last, float(bounds[first]), float(bounds[last + 1]), float(events[rows].sum()), float(waited[rows].sum())
    )


def _peaks(profile: FloatArray) -> list[int]:
    """Rows of the peaks, ascending: from the highest down, each one behind a valley from all before it."""
    found: list[int] = []
    for row in np.argsort(-profile, kind="stable").tolist():
        if profile[row] <= 0:
            break
        if all(profile[_valley(profile, row, peak)] < VALLEY * profile[row] for peak in found):
            found.append(row)
    return sorted(found)


def _valley(profile: FloatArray, one: int, other: int) -> int:
    """The lowest row from one to the other."""
    low, high = min(one, other), max(one, other)
    return low + int(profile[low : high + 1].argmin())


def _extents(profile: FloatArray, peaks: list[int]) -> list[tuple[int, int]]:
    """First and last row of each mode: at least a tenth of its peak, and no further than the next valley."""
    valleys = [_valley(profile, one, other) for one, other in pairwise(peaks)]
    limits = zip(peaks, [0, *valleys], [*valleys, profile.size], strict=True)
    return [_extent(profile, peak, start, stop) for peak, start, stop in limits]


def _extent(profile: FloatArray, peak: int, start: int, stop: int) -> tuple[int, int]:
    enough = profile >= TENTH * profile[peak]
    first = last = peak
    while first > start and enough[first - 1]:
        first -= 1
    while last + 1 < stop and enough[last + 1]:
        last += 1
    return first, last
