"""Changes as texts have them: ratios, points, what a percentile did."""

from __future__ import annotations

from math import isfinite

from ...analysis import Estimate, QuantileChange
from ...number_text import band_words
from ...units import format_measured

NO_RATIO = "no ratio"


def ratio_words(ratio: Estimate) -> str:
    """``x 0.86``, ``x 1.51``; from 2 on with no more digits than the interval leaves: ``x 2.4``, ``x 17``."""
    value = ratio.value
    if not isfinite(value):
        return NO_RATIO
    if value < 1.995:
        return f"x {value:.2f}" if value >= 0.095 else f"x {value:.2g}"
    wide = ratio.high - ratio.low
    if value >= 9.95 or wide >= 2:
        return f"x {value:.0f}"
    return f"x {value:.1f}"


def times_words(ratio: Estimate) -> str:
    """The interval of a ratio: ``0.82 to 0.89``, ``14.7 to 18.6``."""
    return f"{_times(ratio.low)} to {_times(ratio.high)}" if isfinite(ratio.high) else f"{_times(ratio.low)} or more"


def _times(value: float) -> str:
    return f"{value:.2f}" if value < 1.995 else f"{value:.1f}" if value < 99.5 else f"{value:,.0f}"


def points_words(difference: float) -> str:
    """``+14.1 points``, ``-0.04 points``."""
    points = 100 * difference
    if abs(points) < 0.005:
        return "none"
    return f"{points:+.1f} points" if abs(points) >= 0.1 else f"{points:+.2f} points"


def points_between_words(difference: Estimate) -> str:
    """``+12.9 to +15.4 points``."""
    return f"{100 * difference.low:+.1f} to {100 * difference.high:+.1f} points"


def quantile_words(one: QuantileChange, *, own_ranges: bool) -> tuple[str, str, str, str]:
    """Of a percentile: before, after, the ratio and its interval; no ratio where it lies in a gap between two modes, or
    where each side counts in ranges of its own (``own_ranges``).
    """
    values = format_measured(one.before.value), format_measured(one.after.value)
    if one.ratio is not None:
        return *values, ratio_words(one.ratio), times_words(one.ratio)
    if own_ranges:
        return *values, NO_RATIO, "each in its own ranges"
    ends = [end for side in (one.before, one.after) for end in (side.low, side.high)]
    if all(isfinite(end) and end > 0 for end in ends):
        return *values, "over a gap", "between two modes, no ratio"
    bands = band_words(one.before), band_words(one.after)
    return *bands, NO_RATIO, "in a range without an end"
