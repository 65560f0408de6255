"""Changes as texts have them: ratios, points, what a percentile did."""

from __future__ import annotations

from math import isfinite

from ...analysis import Estimate, QuantileChange, ShareAbove, ShareChange
from ...number_text import band_words, percent_text
from ...units import format_measured

NO_RATIO = "no ratio"
NOTHING = 5e-4
"""Ratios below that are as good as 0."""
LEAST_READABLE = 5e-4
"""Changes of a share below that read as 0.0 points."""


def ratio_words(ratio: Estimate) -> str:
    """``x 0.86``, ``x 1.51``; from 2 on with no more digits than the interval leaves: ``x 2.4``, ``x 17``; with three
    decimals where its interval has them.
    """
    value = ratio.value
    if not isfinite(value):
        return NO_RATIO
    if value < 1.995:
        return f"x {value:.{_decimals(ratio)}f}" if value >= 0.095 else f"x {value:.2g}"
    wide = ratio.high - ratio.low
    if value >= 9.95 or wide >= 2:
        return f"x {value:.0f}"
    return f"x {value:.1f}"


def times_words(ratio: Estimate) -> str:
    """The interval of a ratio: ``0.82 to 0.89``, ``14.7 to 18.6``; an end that is not 1 never becomes ``1.00``, and one
    above 0 becomes ``0`` only beside one that is much larger.
    """
    if 0 < ratio.high < NOTHING:
        return f"{ratio.low:.2g} to {ratio.high:.2g}"
    decimals = _decimals(ratio)
    low = _times(ratio.low, decimals)
    return f"{low} to {_times(ratio.high, decimals)}" if isfinite(ratio.high) else f"{low} or more"


def _times(value: float, decimals: int) -> str:
    if value < 0.095:
        return f"{value:.2g}" if value >= NOTHING else "0"
    return f"{value:.{decimals}f}" if value < 1.995 else f"{value:.1f}" if value < 99.5 else f"{value:,.0f}"


def _decimals(ratio: Estimate) -> int:
    """Two; three where the interval excludes 1, and would seem to include it."""
    excludes = ratio.high < 1 or ratio.low > 1
    return 3 if excludes and "1.00" in (f"{ratio.low:.2f}", f"{ratio.high:.2f}") else 2


def is_ratio_readable(ratio: Estimate) -> bool:
    """Whether the interval of a ratio excludes 1 as it is printed."""
    return round(ratio.low, 3) > 1 or round(ratio.high, 3) < 1


def exact_share(share: float) -> str:
    """A share with one digit behind the point: ``24.1 %``; what is not all or nothing never becomes it."""
    if 0.001 <= share < 0.9995:
        return f"{100 * share:.1f} %"
    return ">99.9 %" if 0.9995 <= share < 1 else percent_text(share)


def is_readable(change: ShareChange) -> bool:
    """Whether a share reads differently on both sides, and what is known of its change as more than nothing."""
    low, value, high = change.difference.low, change.difference.value, change.difference.high
    least = min(abs(low), abs(high)) if low * high > 0 else abs(value)
    return exact_share(change.before.value) != exact_share(change.after.value) and least >= LEAST_READABLE


def is_wait_readable(beyond: tuple[ShareAbove, ShareAbove]) -> bool:
    """Whether a share of the time waited reads differently on both sides, and is known well enough to differ."""
    before, after = (one.waited for one in beyond)
    apart = before.high < after.low or after.high < before.low
    texts = exact_share(before.value), exact_share(after.value)
    return apart and texts[0] != texts[1] and abs(after.value - before.value) >= LEAST_READABLE


def points_words(difference: float) -> str:
    """``+14.1 points``, ``-0.04 points``."""
    points = 100 * difference
    if abs(points) < 0.005:
        return "none"
    return f"{points:+.1f} points" if abs(points) >= 0.1 else f"{points:+.2f} points"


def points_between_words(difference: Estimate) -> str:
    """``+12.9 to +15.4 points``; with two decimals where one would make an end nothing, which then is ``0``."""
    ends = 100 * difference.low, 100 * difference.high
    decimals = 1 if min(map(abs, ends)) >= 0.05 else 2
    low, high = (f"{end:+.{decimals}f}" if abs(end) >= 0.5 * 10**-decimals else "0" for end in ends)
    return f"{low} to {high} points"


def quantile_words(one: QuantileChange, apart: str) -> tuple[str, str, str, str]:
    """Of a percentile: before, after, the ratio and its interval; no ratio where it lies in a gap between two modes, or
    where nothing compares both sides: ``apart`` says why, and is empty where something does.
    """
    values = format_measured(one.before.value), format_measured(one.after.value)
    if one.ratio is not None:
        return *values, ratio_words(one.ratio), times_words(one.ratio)
    if apart:
        return *values, NO_RATIO, apart
    ends = [end for side in (one.before, one.after) for end in (side.low, side.high)]
    if all(isfinite(end) and end > 0 for end in ends):
        return *values, "over a gap", "between two modes, no ratio"
    bands = band_words(one.before), band_words(one.after)
    return *bands, NO_RATIO, "in a range without an end"
