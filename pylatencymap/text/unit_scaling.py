"""Bounds in seconds, picoseconds or another unit as bounds in one of ours, by exact decimal arithmetic."""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from ..record import Bound
from ..units import Unit, unit_from

LONGEST_LATENCY = Decimal(10) ** 12
"""Seconds; no bound of a latency is further out."""
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
    """How long a unit of time is, named as ``ms``, ``seconds`` or ``min``; None where the word names none."""
    unit = unit_from(word)
    return 1 / PER_SECOND[unit] if unit else _OTHER_WORDS.get(word.strip().lower())


def decimal_of(text: str) -> Decimal | None:
    """A finite number that may be a latency, exactly as written; None for anything else."""
    if len(text) > MAX_DIGITS:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) <= LONGEST_LATENCY * 10**12 else None


def whole_unit(seconds: Iterable[Decimal]) -> Unit:
    """The coarsest unit in which all bounds are whole numbers; nanoseconds where there is none."""
    bounds = list(seconds)
    for unit, scale in PER_SECOND.items():
        if all(_is_whole(bound * scale) for bound in bounds):
            return unit
    return Unit.NS


def in_unit(seconds: Decimal, unit: Unit) -> Bound:
    """A bound in a unit: whole where it is."""
    bound = seconds * PER_SECOND[unit]
    return int(bound) if _is_whole(bound) else float(bound)


def _is_whole(number: Decimal) -> bool:
    return number == number.to_integral_value()
