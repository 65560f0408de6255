"""The colour scale: which level a value has, and where the scale ends.

A scale ends at a maximum M, which is 1, 2 or 5 x 10^n. One hot column must not wash out the rest, so M comes from a
robust maximum, and values far above it are clipped and marked.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ...window import FloatArray, Matrix
from ..style.options import LOG, SHARE, SQRT

LevelArray = NDArray[np.int8]

HOT_SHARE = 0.05
"""The largest share of columns that can be clipped."""
TOLERANCE = 1.25
"""Values up to this factor above M still have the top level: 1005/s does not need a scale of 2000."""
DECADES = 3
"""A logarithmic scale covers this many powers of ten: it reaches down to a thousandth of its maximum."""
ROUNDING = 1e-9
_LITTLE = 1e-300


def robust_maximum(maxima: FloatArray) -> float:
    """The value that a scale should reach, from the maxima of the columns.

    With k = 5 % of the columns, rounded up: the largest maximum, unless it is more than twice the (k+1)-th largest;
    then the (k+1)-th. Columns without events do not count. 0 if no column counts.
    """
    ordered = np.sort(maxima[maxima > 0])
    if not ordered.size:
        return 0.0
    place = -1 - min(math.ceil(HOT_SHARE * ordered.size), ordered.size - 1)
    largest, follower = float(ordered[-1]), float(ordered[place])
    return largest if largest <= 2 * follower * (1 + ROUNDING) else follower


def nice_ceiling(value: float) -> float:
    """The value rounded up to 1, 2 or 5 x 10^n, and to 10^-300 at least; 0 stays 0."""
    if value <= 0:
        return 0.0
    value = max(value, _LITTLE)
    exponent = math.floor(math.log10(value))
    for step in (1, 2, 5, 10, 20):
        # A power of ten below 1 has no exact float, but its reciprocal has one.
        candidate = step * 10.0**exponent if exponent >= 0 else step / 10.0**-exponent
        if value <= candidate * (1 + ROUNDING):
            return candidate
    raise ValueError(f"no scale for {value}")


def wanted_maximum(values: FloatArray) -> float:
    """M for values [rows, columns] of one frame, without regard to earlier frames."""
    if not values.size:
        return 0.0
    return nice_ceiling(robust_maximum(values.max(axis=0)) / TOLERANCE)


def clipped_above(maximum: float, *, exact: bool) -> float:
    """The value above which a cell is clipped. ``exact``: a maximum given by the user has no tolerance."""
    return maximum * (1.0 if exact else TOLERANCE) * (1 + ROUNDING)


def levels_of(
    values: FloatArray,
    maximum: float,
    levels: int,
    scale: str,
    *,
    exact: bool = False,
    sums: FloatArray | None = None,
    largest: float | None = None,
) -> LevelArray:
    """The level of each value: 0 for zero only, 1 to ``levels`` within the scale, ``levels + 1`` if clipped.

    The scale ``share`` divides by the sum of each column: ``sums`` if given, because ``values`` may lack hidden rows.
    It has no maximum and clips nothing. ``largest``: the largest of the values, if that is known.
    """
    if scale == SHARE:
        whole = values.sum(axis=0) if sums is None else sums
        return _steps(values, np.sqrt(values / np.maximum(whole, _LITTLE)), levels)
    if maximum <= 0:
        return np.zeros(values.shape, np.int8)
    ratio = values / maximum
    if scale == SQRT:
        ratio = np.sqrt(ratio)
    elif scale == LOG:
        ratio = 1 + np.log10(np.maximum(ratio, _LITTLE)) / DECADES
    result = _steps(values, ratio, levels)
    limit = clipped_above(maximum, exact=exact)
    if (values.max(initial=0.0) if largest is None else largest) > limit:
        result[values > limit] = levels + 1
    return result


def _steps(values: FloatArray, ratio: FloatArray, levels: int) -> LevelArray:
    """The level of each value at ``ratio`` of its scale, an array that is used up. Any value above zero is at least
    level 1.
    """
    ratio *= levels
    ratio -= ROUNDING
    np.ceil(ratio, out=ratio)
    np.maximum(ratio, 1, out=ratio)
    np.minimum(ratio, levels, out=ratio)
    steps = ratio.astype(np.int8)
    steps *= values > 0
    return steps


# Remembers scale maxima and latency ranges between frames, so that they do not flicker.


HOLD_COLUMNS = 10
"""How many new columns a smaller value must suffice for before it is used."""


class SteadyMaximum:
    """A maximum that grows at once, and shrinks after a smaller one has sufficed for HOLD_COLUMNS columns."""

    def __init__(self) -> None:
        self.value: float | None = None
        self._enough = 0.0
        self._columns = 0

    def update(self, wanted: float, columns: int) -> float:
        """Record that ``columns`` new columns need ``wanted``, and return the value to use."""
        if self.value is None or wanted >= self.value:
            self.value, self._columns = wanted, 0
            return wanted
        self._enough = max(self._enough, wanted) if self._columns else wanted
        self._columns += columns
        if self._columns >= HOLD_COLUMNS:
            self.value, self._columns = self._enough, 0
        return self.value


class ScaleMemory:
    """The scale maxima and the range of latencies in use, for one series at one resolution."""

    def __init__(self) -> None:
        self._forget(())

    def _forget(self, subject: tuple[object, ...]) -> None:
        self._subject = subject
        self._known: tuple[int, int] | None = None
        self._new_columns = 0
        self._maxima: dict[str, SteadyMaximum] = {}
        self._low = SteadyMaximum()
        self._high = SteadyMaximum()

    def begin(self, subject: tuple[object, ...], matrix: Matrix) -> None:
        """Start a frame. If the subject (series, resolution, scale) changed, forget all that was remembered."""
        if subject != self._subject:
            self._forget(subject)
        ends = matrix.ends
        self._new_columns = ends.size
        if self._known is not None:
            # Moving back in time shows new columns too: count those on both sides.
            first, last = self._known
            self._new_columns = int(np.count_nonzero(ends > last) + np.count_nonzero(ends < first))
        if ends.size:
            self._known = int(ends[0]), int(ends[-1])

    def maximum(self, kind: str, wanted: float) -> float:
        """The scale maximum to use for a map, given the one that this frame needs."""
        held = self._maxima.get(kind)
        if held is None:
            held = self._maxima[kind] = SteadyMaximum()
        return held.update(wanted, self._new_columns)

    def remember_range(self, low: float, high: float) -> None:
        """Record the range of latencies in use in this frame, in seconds; both ends finite."""
        self._low.update(-low, self._new_columns)
        self._high.update(high, self._new_columns)

    @property
    def cover(self) -> tuple[float, float] | None:
        """The latencies that the next matrix should include, (low, high) in seconds; None before the first data."""
        if self._low.value is None or self._high.value is None:
            return None
        return -self._low.value, self._high.value
