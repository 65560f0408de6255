"""Units of latency: parsing them, scaling with them, and formatting latencies for labels."""

import re
from collections.abc import Iterable
from enum import Enum

from .errors import UsageError


class Unit(Enum):
    """The unit of a series' bucket bounds. Shifting exponents converts none: 1 ms is no power of two of 1 us."""

    NS = "ns"
    US = "us"
    MS = "ms"

    __hash__ = object.__hash__  # units are in many keys, and that of Enum is Python code

    @property
    def seconds(self) -> float:
        return _SECONDS[self]

    @property
    def stream_name(self) -> str:
        """The unit's word in the record stream: nanosec, microsec or millisec."""
        return _STREAM_NAMES[self]


TIM_UNITS = ("us", "ns/1024", "cs")
"""The units that the times of an Oracle SQL trace can have."""
DAY = 86_400
"""Seconds. Longer latencies are written in days, because labels have room for only seven characters."""
MICROS_PER_DAY = DAY * 1_000_000
AS_WRITTEN = 0.006
"""A bound and how it is written differ by less than that part: it has three digits."""

_SECONDS = {Unit.NS: 1e-9, Unit.US: 1e-6, Unit.MS: 1e-3}
_STREAM_NAMES = {Unit.NS: "nanosec", Unit.US: "microsec", Unit.MS: "millisec"}
_WORDS = {
    Unit.NS: "ns nsec nsecs nanosec nanosecs nanosecond nanoseconds",
    Unit.US: "us usec usecs microsec microsecs microsecond microseconds \u00b5s \u03bcs",
    Unit.MS: "ms msec msecs millisec millisecs millisecond milliseconds",
}
_BY_WORD = {word: unit for unit, words in _WORDS.items() for word in words.split()}


def unit_from(word: str) -> Unit | None:
    """The unit that a word such as ``usecs`` names; None if the word names no unit of time that we use."""
    return _BY_WORD.get(word.strip().lower())


def parse_latency(text: str) -> float:
    """Parse ``128us``, ``1.5 ms`` or ``1s`` into seconds; raises UsageError for anything else."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([^\d\s]+)\s*", text)
    if match:
        number, word = match.groups()
        unit = unit_from(word)
        scale = unit.seconds if unit else {"s": 1.0, "sec": 1.0}.get(word.lower())
        if scale is not None:
            return float(number) * scale
    raise UsageError(f"{text!r} is no latency; write a number and a unit, as in 128us, 1.5ms or 1s")


def measured_digits(value: float) -> str:
    """Format a positive, measured number with three digits and without an exponent: 64.0, 1.00, 16.4, 1049."""
    decimals = 0
    while decimals < 2 and round(value, decimals + 1) * 10 ** (decimals + 1) < 1000:
        decimals += 1
    return f"{value:.{decimals}f}"


def three_digits(value: float) -> str:
    """Format an exact number with three digits; a whole number has no decimals: 64, 1.02, 16.4, 1049."""
    text = measured_digits(value)
    whole, _, decimals = text.partition(".")
    return text if decimals.strip("0") else whole


def latency_parts(seconds: float) -> tuple[str, str]:
    """The number, with three digits, and the unit of a latency: ("1.02", "ms")."""
    value, unit = _in_unit(seconds)
    return three_digits(value), unit


def format_latency(seconds: float) -> str:
    """Format a bound for a label: ``64 us``, ``1.02 ms``, ``16.4 ms``, ``1.05 s``."""
    return " ".join(latency_parts(seconds))


def format_measured(seconds: float) -> str:
    """Format a measured time, always with three digits: ``64.0 us``, ``1.00 ms``, ``131 ms``; zero is ``0 s``."""
    value, unit = _in_unit(seconds)
    return f"{measured_digits(value)} {unit}" if seconds > 0 else "0 s"


def format_range(lower: float, upper: float) -> str:
    """Format a range given in seconds, with the unit once if both bounds share it: ``8.19-16.4 ms``,
    ``512 us-2.05 ms``.
    """
    if lower <= 0:
        return f"< {format_latency(upper)}"
    (low, low_unit), (high, high_unit) = latency_parts(lower), latency_parts(upper)
    return f"{low}-{high} {high_unit}" if low_unit == high_unit else f"{low} {low_unit}-{high} {high_unit}"


def bound_meant(seconds: float, bounds: Iterable[float]) -> float:
    """The bound, in seconds, that is written as this latency is: ``131 ms`` on the screen is 131.072 ms. The latency
    itself where there is none, or where it is a bound.
    """
    near = [one for one in bounds if abs(one - seconds) <= AS_WRITTEN * seconds]
    if any(abs(one - seconds) <= 1e-9 * seconds for one in near):
        return seconds
    return next((one for one in near if format_latency(one) == format_latency(seconds)), seconds)


def _in_unit(seconds: float) -> tuple[float, str]:
    """Convert a latency to the unit in which it has at most three digits before the decimal point."""
    for scale, name in ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms")):
        if seconds < 999.5 * scale:
            return seconds / scale, name
    return (seconds, "s") if seconds < DAY else (seconds / DAY, "d")
