"""Units of latency: reading, scaling and writing them."""

import re
from enum import Enum

from .errors import UsageError


class Unit(Enum):
    """The unit of a series' bucket bounds. Units never mix by exponent: 1 ms is no power of two of 1 us."""

    NS = "ns"
    US = "us"
    MS = "ms"

    @property
    def seconds(self) -> float:
        return _SECONDS[self]

    @property
    def stream_name(self) -> str:
        """The word of the record stream: nanosec, microsec or millisec."""
        return _STREAM_NAMES[self]


TIM_UNITS = ("us", "ns/1024", "cs")
"""What the times of an Oracle SQL trace can be in."""
DAY = 86_400
"""Seconds; longer latencies are written in days, for labels have room for seven characters."""

_SECONDS = {Unit.NS: 1e-9, Unit.US: 1e-6, Unit.MS: 1e-3}
_STREAM_NAMES = {Unit.NS: "nanosec", Unit.US: "microsec", Unit.MS: "millisec"}
_WORDS = {
    Unit.NS: "ns nsec nsecs nanosec nanosecs nanosecond nanoseconds",
    Unit.US: "us usec usecs microsec microsecs microsecond microseconds \u00b5s \u03bcs",
    Unit.MS: "ms msec msecs millisec millisecs millisecond milliseconds",
}
_BY_WORD = {word: unit for unit, words in _WORDS.items() for word in words.split()}


def unit_from(word: str) -> Unit | None:
    """The unit that a word such as ``usecs`` names, or None when it names no time."""
    return _BY_WORD.get(word.strip().lower())


def parse_latency(text: str) -> float:
    """Seconds in ``128us``, ``1.5 ms`` or ``1s``; raises UsageError for anything else."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([^\d\s]+)\s*", text)
    if match:
        number, word = match.groups()
        unit = unit_from(word)
        scale = unit.seconds if unit else {"s": 1.0, "sec": 1.0}.get(word.lower())
        if scale is not None:
            return float(number) * scale
    raise UsageError(f"{text!r} is no latency; write a number and a unit, as in 128us, 1.5ms or 1s")


def measured_digits(value: float) -> str:
    """A positive number that was measured, at three digits, without an exponent: 64.0, 1.00, 16.4, 1049."""
    decimals = 0
    while decimals < 2 and round(value, decimals + 1) * 10 ** (decimals + 1) < 1000:
        decimals += 1
    return f"{value:.{decimals}f}"


def three_digits(value: float) -> str:
    """The same of a number that is meant exactly: a whole one has no decimals, 64, 1.02, 16.4, 1049."""
    text = measured_digits(value)
    whole, _, decimals = text.partition(".")
    return text if decimals.strip("0") else whole


def latency_parts(seconds: float) -> tuple[str, str]:
    """Number and unit of a latency at three digits: ("1.02", "ms")."""
    value, unit = _in_unit(seconds)
    return three_digits(value), unit


def format_latency(seconds: float) -> str:
    """A bound as labels show it: ``64 us``, ``1.02 ms``, ``16.4 ms``, ``1.05 s``."""
    return " ".join(latency_parts(seconds))


def format_measured(seconds: float) -> str:
    """A time that was measured, always at three digits: ``64.0 us``, ``1.00 ms``, ``131 ms``; none is ``0 s``."""
    value, unit = _in_unit(seconds)
    return f"{measured_digits(value)} {unit}" if seconds > 0 else "0 s"


def format_range(lower: float, upper: float) -> str:
    """Both bounds in seconds, the unit once where it is the same: ``8.19-16.4 ms``, ``512 us-2.05 ms``."""
    if lower <= 0:
        return f"< {format_latency(upper)}"
    (low, low_unit), (high, high_unit) = latency_parts(lower), latency_parts(upper)
    return f"{low}-{high} {high_unit}" if low_unit == high_unit else f"{low} {low_unit}-{high} {high_unit}"


def _in_unit(seconds: float) -> tuple[float, str]:
    """A latency in the unit in which it has at most three digits before the point."""
    for scale, name in ((1e-9, "ns"), (1e-6, "us"), (1e-3, "ms")):
        if seconds < 999.5 * scale:
            return seconds / scale, name
    return (seconds, "s") if seconds < DAY else (seconds / DAY, "d")
