"""Finds the unit in the name of a histogram: ``read latency (us)``, ``@read_latency_ns``, ``bytes``.

This is for histograms without a unit of their own: bpftrace's maps, and histograms under a heading printed by a DTrace
or SystemTap script.
"""

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from ..record import Bound
from ..units import Unit, unit_from

_LONG = r"(?:nano|micro|milli)sec(?:ond)?s?|[num]secs?|[\u00b5\u03bc]s"
_SHORT = r"ns|us|ms"
_UNIT = re.compile(
    rf"(?:(?<=[^A-Za-z])|^)(?:{_LONG})(?![A-Za-z])"  # words that are nothing else
    rf"|(?<=[_(\[])(?:{_SHORT})(?![A-Za-z])"  # lat_us, (us), [us]
    rf"|(?<=\bin )(?:{_SHORT})(?![A-Za-z])"
    rf"|(?:(?<=[ @])|^)(?:{_SHORT})(?=\s*(?:$|[:,;)\]\[]))",  # latency us: nothing follows in its sentence
    re.IGNORECASE,
)
_VALUE_BEFORE = re.compile(
    r"(?:(?<![A-Za-z\d.,])\d[\d.,]{0,30}(?:[eE][+-]?\d{1,3})?\+?"
    r"|\b(?:an?|one|two|few|ten|hundred|per|each|every))[ \t-]{0,4}$",
    re.IGNORECASE,
)
"""A quantity before a unit: ``10 ms``, ``every millisecond``. It says how long something took, not what is counted."""
_VALUE_AFTER = re.compile(r"[)\]]?\s{0,4}[:=]\s{0,8}-?\d")
"""A quantity after a unit, as in ``max (ms): 14``."""
_BEFORE = 48
"""Characters before a unit in which a quantity is looked for."""
_DURATION = re.compile(
    r"(?<![A-Za-z\d.,_-])\d[\d.,]{0,30} ?"
    r"(?:(?:nano|micro|milli)?sec(?:ond)?s?|[num]?secs?|[num\u00b5\u03bc]s)(?![A-Za-z])",
    re.IGNORECASE,
)
_SIZES = (
    (re.compile(r"sector", re.IGNORECASE), "sizes in sectors, not a time"),
    (re.compile(r"kbytes|\bkb\b|kib", re.IGNORECASE), "sizes in kilobytes, not a time"),
    (re.compile(r"bytes|(?<![a-z])siz(?:e|es)(?![a-z])|bitesize", re.IGNORECASE), "sizes, not a time"),
    (re.compile(r"(?<![a-z])len(?:gth)?s?(?![a-z])|(?:q|que|queue|run)len\b", re.IGNORECASE), "lengths, not a time"),
    (re.compile(r"(?<![a-z])(?:depths?|fds?)(?![a-z])", re.IGNORECASE), "numbers of something, not a time"),
)


@lru_cache(maxsize=4096)
def unit_named(name: str) -> Unit | None:
    """The unit of time that a name mentions, or None if it mentions none.

    A quantity such as ``10 ms`` names no unit: it is a value next to a histogram, not the heading of it.
    """
    names = (found for found in _UNIT.finditer(name) if not _is_of_value(name, found))
    return next((unit_from(found[0]) for found in names), None)


def _is_of_value(name: str, unit: re.Match[str]) -> bool:
    before = name[max(0, unit.start() - _BEFORE) : unit.start()]
    return _VALUE_BEFORE.search(before) is not None or _VALUE_AFTER.match(name, unit.end()) is not None


def mentions_duration(text: str) -> bool:
    """Whether a line contains a time with its unit, such as ``took 20 ms``: it differs from print to print."""
    if _DURATION.search(text):
        return True
    return any(_is_of_value(text, found) for found in _UNIT.finditer(text))


@lru_cache(maxsize=4096)
def reason_not_time(name: str) -> str:
    """Why a name cannot mean a time, such as "sizes, not a time"; empty if it can."""
    if unit_named(name):
        return ""
    return next((reason for pattern, reason in _SIZES if pattern.search(name)), "")


# Bounds in seconds, picoseconds or another unit as bounds in one of ours, by exact decimal arithmetic.


LONGEST_LATENCY = Decimal(10) ** 12
"""In seconds; no latency bound is larger."""
MAX_DIGITS = 40

_OTHER_WORDS = {
    "ps": Decimal("1e-12"),
    "picoseconds": Decimal("1e-12"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("min", "minutes"), Decimal(60)),
    **dict.fromkeys(("h", "hours"), Decimal(3600)),
    "days": Decimal(86_400),
}
PER_SECOND = {Unit.MS: Decimal(10) ** 3, Unit.US: Decimal(10) ** 6, Unit.NS: Decimal(10) ** 9}


def seconds_of_unit(word: str) -> Decimal | None:
    """The length, in seconds, of the unit that a word such as ``ms``, ``seconds`` or ``min`` names; None if it names no
    unit of time.
    """
    unit = unit_from(word)
    return 1 / PER_SECOND[unit] if unit else _OTHER_WORDS.get(word.strip().lower())


def decimal_of(text: str) -> Decimal | None:
    """A finite number that can be a latency, exactly as written; None for anything else."""
    if len(text) > MAX_DIGITS or not text.isascii() or "_" in text:
        return None  # only Python takes underscores and the digits of other scripts
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) <= LONGEST_LATENCY * 10**12 else None


def whole_unit(seconds: Iterable[Decimal]) -> Unit:
    """The coarsest unit in which all bounds are whole numbers; nanoseconds if there is no such unit."""
    bounds = list(seconds)
    for unit, scale in PER_SECOND.items():
        if all(_is_whole(bound * scale) for bound in bounds):
            return unit
    return Unit.NS


def in_unit(seconds: Decimal, unit: Unit) -> Bound:
    """A bound in seconds, converted to a unit: an int if the result is a whole number, else a float."""
    bound = seconds * PER_SECOND[unit]
    return int(bound) if _is_whole(bound) else float(bound)


def _is_whole(number: Decimal) -> bool:
    return number == number.to_integral_value()
