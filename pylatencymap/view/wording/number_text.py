"""Writes numbers in the forms that the picture uses."""

import math

from ...units import format_latency, format_measured, format_range, latency_parts, measured_digits, three_digits
from ...window import Quantity

LABEL_WIDTH = 7
ALIKE = 0.05
"""A duration this close to whole seconds (relative) is shown as whole seconds: tools do not keep time exactly."""
SHORT = 0.1
"""Durations below this many seconds are shown in smaller units."""
_SUFFIXES = ((1, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"))


def count_text(value: float, none: str = "·") -> str:
    """A rate or count: ``82``, ``1.00k``, ``12.3M``; ``<1`` for small values, ``none`` for zero."""
    if value <= 0:
        return none
    if value < 0.95:
        return "<1"
    scaled, suffix = _suffixed(value)
    return measured_digits(scaled) + suffix if suffix else f"{value:.0f}"


def share_text(share: float, none: str = "") -> str:
    """A share (0 to 1) in percent: ``88 %``, ``<1 %``; ``none`` for zero."""
    if share <= 0:
        return none
    return "<1 %" if share < 0.01 else f"{share * 100:.0f} %"


def percent_text(share: float) -> str:
    """A share (0 to 1) in percent, more precise than ``share_text``: ``63 %``, ``9.0 %``, ``<0.1 %``."""
    if share <= 0:
        return "0 %"
    if share < 0.001:
        return "<0.1 %"
    return f"{share * 100:.1f} %" if share < 0.0995 else f"{share * 100:.0f} %"


def exact_text(value: float) -> str:
    """A number, more precise than ``count_text``: ``88``, ``0.25``, ``1081``, ``12.3k``; ``<0.01`` for small values."""
    if value <= 0:
        return "0"
    if value < 0.005:
        return "<0.01"
    return three_digits(value) if value < 9999.5 else count_text(value)


def waited_text(seconds_per_second: float) -> str:
    """Time waited per second, precisely: ``1081 ms/s``, ``12.0 s/s``. A value above zero never becomes ``0.00``."""
    factor, unit = waited_unit(seconds_per_second)
    value = seconds_per_second * factor
    return f"{measured_digits(value) if 0.005 <= value < 9999.5 else exact_text(value)} {unit}"


def scale_text(maximum: float, in_seconds: bool) -> str:
    """The end of a colour scale: ``1k``, ``0.5``, ``100 ms``."""
    if in_seconds:
        return format_latency(maximum)
    if maximum < 1:
        return f"{maximum:.3g}"
    scaled, suffix = _suffixed(maximum)
    return three_digits(scaled) + suffix


def waited_unit(seconds_per_second: float) -> tuple[float, str]:
    """Factor and unit for a column of times waited per second: ms; s from 10 s/s up; us below 1 ms/s."""
    if seconds_per_second >= 10:
        return 1.0, "s/s"
    return (1e3, "ms/s") if seconds_per_second >= 1e-3 or seconds_per_second <= 0 else (1e6, "us/s")


def open_label(lower: float) -> str:
    """The label of an open row, at most LABEL_WIDTH wide: ``> 20 ms``, ``>131 ms``, ``>8.2 ms``."""
    number, unit = latency_parts(lower)
    value = float(number)
    short = number if len(number) < 4 else f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}"
    for text in (f"> {number} {unit}", f">{number} {unit}", f"> {short} {unit}"):
        if len(text) <= LABEL_WIDTH:
            return text
    return f">{short} {unit}"


def range_text(lower: float, upper: float) -> str:
    """Both bounds of a range in seconds; ``over 20 ms`` if it is open."""
    return f"over {format_latency(lower)}" if math.isinf(upper) else format_range(lower, upper)


def quantile_text(quantity: Quantity) -> str:
    """A percentile: ``103 us``, or ``> 20 ms`` if only a lower limit is known."""
    return f"> {format_latency(quantity.seconds)}" if quantity.beyond else format_measured(quantity.seconds)


def average_text(quantity: Quantity) -> str:
    """An average: ``1.79 ms``, or ``>= 2.79 ms`` if some events are above the last bound."""
    return (">= " if quantity.beyond else "") + format_measured(quantity.seconds)


def maximum_text(quantity: Quantity) -> str:
    """The largest latency, for which only a bound is known: ``< 32.8 ms`` or ``> 20 ms``."""
    return ("> " if quantity.beyond else "< ") + format_latency(quantity.seconds)


def span_text(seconds: float) -> str:
    """A duration: ``20 ms``, ``0.50 s``, ``72 s``, ``12 min``, ``2 min 5 s``, ``2 h 5 min``."""
    if 0 < seconds < SHORT:
        return format_latency(seconds)
    if seconds < 120:
        return f"{three_digits(seconds) if seconds < 10 else round(seconds)} s"
    whole = round(seconds)
    (large, small), names = (divmod(whole, 60), "min s") if whole < 7200 else (divmod(whole // 60, 60), "h min")
    first, second = names.split()
    return f"{large} {first} {small} {second}" if small else f"{large} {first}"


def lasted_text(seconds: float) -> str:
    """The length of an interval: like ``span_text``, but 1.02 s is ``1 s``, see ALIKE."""
    whole = round(seconds)
    return span_text(whole if whole and abs(seconds - whole) <= ALIKE * whole else seconds)


def _suffixed(value: float) -> tuple[float, str]:
    """A number scaled to at most three digits before the point, and the suffix of that scale."""
    scale, suffix = next((pair for pair in _SUFFIXES if value < 999.5 * pair[0]), _SUFFIXES[-1])
    return value / scale, suffix
