"""Numbers, latencies and durations as pictures and sentences have them.

``..._text`` is for the columns of a picture, where room is short; ``..._words`` is for sentences.
"""

from __future__ import annotations

import math
from math import inf

from .analysis import Estimate
from .units import format_latency, format_measured, format_range, latency_parts, measured_digits, three_digits
from .window import Quantity

MINUTE, HOUR, DAY = 60, 3_600, 86_400
LONG = 600
"""Seconds: of what lasts so long, times are told to the minute."""
LABEL_WIDTH = 7
ALIKE = 0.05
"""A duration this close to whole seconds (relative) is shown as whole seconds: tools do not keep time exactly."""
ROUNDING = 1e-9
"""Sums of shares miss 1 by less."""
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
    """A share (0 to 1) in percent: ``88 %``, ``<1 %``; ``none`` for zero; what is not all never becomes ``100 %``."""
    if share <= 0:
        return none
    if 0.995 <= share < 1 - ROUNDING:
        return ">99 %"
    return "<1 %" if share < 0.01 else f"{share * 100:.0f} %"


def percent_text(share: float) -> str:
    """A share (0 to 1) in percent, more precise than ``share_text``: ``63 %``, ``9.0 %``, ``<0.1 %``; what is not all
    never becomes ``100 %``.
    """
    if share <= 0:
        return "0 %"
    if share < 0.001:
        return "<0.1 %"
    if share < 0.0995:
        return f"{share * 100:.1f} %"
    return ">99 %" if 0.995 <= share < 1 else f"{share * 100:.0f} %"


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


FEWEST_PARTS = 0.1
"""Of a day or an hour, less than this part is told in a smaller unit."""
_SPANS = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))


def span_text(seconds: float) -> str:
    """A duration: ``20 ms``, ``0.50 s``, ``72 s``, ``12 min``, ``2 min 5 s``, ``2 h 5 min``, ``1 h``, ``3 d``."""
    if 0 < seconds < SHORT:
        return format_latency(seconds)
    whole = round(seconds)
    exact = next((name for name, unit in _SPANS[:-1] if whole == unit), None)
    if exact:
        return f"1 {exact}"
    if seconds < 120:
        return f"{three_digits(seconds) if seconds < 10 else whole} s"
    place = next(place for place, (_, unit) in enumerate(_SPANS) if whole >= 2 * unit)
    (first, unit), (second, part) = _SPANS[place : place + 2]
    large, small = divmod(round(whole / part), unit // part)
    return f"{large} {first} {small} {second}" if small else f"{large} {first}"


def short_span_text(seconds: float) -> str:
    """A duration in one unit, rounded: ``74 s``, ``67 min``, ``2.5 h``, ``3 d``."""
    if seconds < SHORT:
        return span_text(seconds)
    exact = next((name for name, unit in _SPANS[:-1] if abs(seconds - unit) <= ALIKE * unit / 2), None)
    if exact:
        return f"1 {exact}"
    name, unit = next(((name, unit) for name, unit in _SPANS if seconds >= 1.99 * unit), _SPANS[-1])
    value = seconds / unit
    whole = round(value)
    exactly = value >= 9.95 or (whole and abs(value - whole) <= ALIKE * whole / 2)
    return f"{whole if exactly else f'{value:.1f}'} {name}"


def span_text_as(seconds: float, whole: float) -> str:
    """A part of a duration in the unit in which ``short_span_text`` writes the ``whole``: ``59 min`` and ``60 min`` of
    67 min, ``0.5 d`` of 3 d; below one, in its own: ``40 s`` of 67 min.
    """
    name = short_span_text(whole).rpartition(" ")[2]
    unit = next((length for one, length in _SPANS if one == name), 1)
    value = seconds / unit
    if unit == 1 or value < (1 if unit == MINUTE else FEWEST_PARTS):
        return short_span_text(seconds)
    text = f"{value:.0f}" if unit == MINUTE or value >= 9.95 else f"{value:.1f}".removesuffix(".0")
    return f"{text} {name}"


def lasted_text(seconds: float) -> str:
    """The length of an interval: like ``span_text``, but 1.02 s is ``1 s``, see ALIKE."""
    whole = round(seconds)
    return span_text(whole if whole and abs(seconds - whole) <= ALIKE * whole else seconds)


def _suffixed(value: float) -> tuple[float, str]:
    """A number scaled to at most three digits before the point, and the suffix of that scale."""
    scale, suffix = next((pair for pair in _SUFFIXES if value < 999.5 * pair[0]), _SUFFIXES[-1])
    return value / scale, suffix


# Sentences.


def count_words(value: float) -> str:
    """``82``, ``4,211``, ``29.9k``, ``136M``; rates below 10 with decimals: ``0.25``."""
    if value < 9.95 and value != int(value):
        return three_digits(value) if value >= 0.005 else "<0.01"
    if value < 9_999.5:
        return f"{value:,.0f}"
    scaled, suffix = _suffixed(value)
    return measured_digits(scaled) + suffix


def events_words(events: float, noun: str) -> str:
    """``4,211 I/Os``, ``1 event``; ``noun`` is a plural."""
    return f"{count_words(events)} {noun.removesuffix('s') if events == 1 else noun}"


def others_words(count: int, *, at_least: bool = False) -> str:
    """``1 other``, ``70 others``, ``1 or more others``."""
    return f"{count:,} or more others" if at_least else events_words(count, "others")


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(count: int) -> str:
    """``no``, ``one``, ``twelve``, ``13``."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


LEAST_IN_TAIL = 3
"""Fewer events are not called a tail."""


NO_MODE = "no mode"
"""What is said of what lies between the last mode and a tail."""


def tail_words(events: float) -> str:
    """``a tail of 387``; ``1 event`` or ``2 events`` where there are so few."""
    if events >= LEAST_IN_TAIL:
        return f"a tail of {count_words(events)}"
    return events_words(events, "events")


def length_words(seconds: float) -> str:
    """How long something lasted: ``0.50 s``, ``61 s``, ``20 min``, ``2 h 5 min``, ``3 d``; 1.0004 s is ``1 s``."""
    if round(seconds) and abs(seconds - round(seconds)) < 0.01 * seconds:
        seconds = round(seconds)
    if seconds < 119.5:
        return f"{measured_digits(seconds)} s" if seconds < 9.95 and seconds != int(seconds) else f"{seconds:.0f} s"
    if seconds < 2 * HOUR - MINUTE / 2 and round(seconds / MINUTE) != MINUTE:
        return _two_units(seconds if seconds < LONG else round(seconds / MINUTE) * MINUTE, MINUTE, "min", 1, "s")
    if seconds < 2 * DAY - HOUR / 2:
        return _two_units(round(seconds / MINUTE) * MINUTE, HOUR, "h", MINUTE, "min")
    return _two_units(round(seconds / HOUR) * HOUR, DAY, "d", HOUR, "h")


RESET_WORDS = "reset: the counters began anew"


def gap_words(lasted: str) -> str:
    """The sentence about a silence of the source that ``lasted`` so long."""
    return f"gap: no data for {lasted} (no data is not zero)"


def _two_units(seconds: float, large: int, large_name: str, small: int, small_name: str) -> str:
    whole, rest = divmod(round(seconds / small), large // small)
    return f"{whole} {large_name}" + (f" {rest} {small_name}" if rest else "")


def waiting_words(seconds: float) -> str:
    """Time waited: ``69.3 s``, ``28.3 min``, ``59.2 h``."""
    if seconds < 999.5:
        return format_measured(seconds)
    return f"{measured_digits(seconds / MINUTE)} min" if seconds < HOUR else f"{measured_digits(seconds / HOUR)} h"


def range_words(lower: float, upper: float) -> str:
    """``8.19-16.4 ms``; of an open range ``above 16.4 ms``, of one from 0 ``below 4 us``."""
    if upper == inf:
        return f"above {format_latency(lower)}"
    return f"below {format_latency(upper)}" if lower <= 0 else format_range(lower, upper)


def band_words(estimate: Estimate) -> str:
    """A latency with its band: ``10.3 ms (8.19-16.4)``; the unit stands once where it is the same. No band where it
    says no more than the value.
    """
    value, (low, high) = format_measured(estimate.value), (estimate.low, estimate.high)
    if high == inf:
        return f"{format_latency(low)} or more" if estimate.value <= low else f"{value} ({format_latency(low)} or more)"
    if format_measured(low) == value == format_measured(high):
        return value
    if low <= 0:
        return f"{value} (below {format_latency(high)})"
    unit, ends = value.split()[-1], (latency_parts(low), latency_parts(high))
    if ends[0][1] == ends[1][1]:
        between = f"{ends[0][0]}-{ends[1][0]}"
        return f"{value} ({between})" if ends[0][1] == unit else f"{value} ({between} {ends[0][1]})"
    return f"{value} ({' '.join(ends[0])}-{' '.join(ends[1])})"


HARDLY = 0.1
"""Below this part of its end, the typical latency of a range that begins at 0 says nothing."""


def typical_words(typical: Estimate) -> str:
    """The typical latency of a mode, with its band. In a range that begins at 0, a value far below the end is only a
    guess, because the clock reads 0 for most of the events; then the text gives the end alone.
    """
    if typical.low <= 0 and typical.value < HARDLY * typical.high < inf:
        return f"below {format_latency(typical.high)}"
    return band_words(typical)


def quantile_words(quantity: Quantity) -> str:
    """A percentile with its band: ``10.3 ms (8.19-16.4)``."""
    known = not quantity.beyond and (quantity.low > 0 or quantity.high < inf)
    return band_words(Estimate(quantity.seconds, quantity.low, quantity.high)) if known else quantile_text(quantity)


def sum_words(estimate: Estimate) -> str:
    """Time waited with its band: ``66.2 s (46.3-86.1)``; without one where it is exact."""
    value = waiting_words(estimate.value)
    ends = [waiting_words(end) if end < inf else "" for end in (estimate.low, estimate.high)]
    if not ends[1]:
        return f"{value} or more"
    if ends[0] == ends[1]:
        return value
    same = {end.split()[-1] for end in (*ends, value)}
    return f"{value} ({'-'.join(end.split()[0] if len(same) == 1 else end for end in ends)})"


def listed(words: list[str] | tuple[str, ...]) -> str:
    """``sda``, ``sda and sdb``, ``sda, sdb and sdc``."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
