"""Reads and writes the ``timestamp`` line, and decides which clock its number belongs to."""

import time
from functools import lru_cache

from ..record import Clock, Stamp
from ..text.clean import printable
from ..units import MICROS_PER_DAY, Unit, unit_from
from .limits import MOST_EPOCH
from .syntax import EPOCH, NO_CLOCK

LEAST_EPOCH = 10**15
"""September 2001 in epoch microseconds; this number and every larger one count from 1970."""

_SECOND_WORDS = frozenset({"s", "sec", "secs", "second", "seconds"})
_DECIMALS = {Unit.MS: 3, Unit.US: 0, Unit.NS: -3}
_OF_SECONDS = 6
_CLOCK_FLAGS = {Clock.COUNTED: NO_CLOCK, Clock.EPOCH: EPOCH}


@lru_cache(maxsize=64)  # the series of one print have one stamp
def read_stamp(text: str) -> Stamp:
    """Parse ``microsec,<number>,<free text>``; raises ValueError with the reason if this is no stamp.

    Fractions of a microsecond are cut off. The free text can contain commas.
    """
    word, _, rest = text.partition(",")
    number, _, date = rest.partition(",")
    decimals, number = _decimals_of(word), number.strip()
    micros = _micros(number, decimals)
    if micros >= MOST_EPOCH:
        raise ValueError(f"time stamp {number} is beyond the years that calendars have")
    whole = decimals == _OF_SECONDS and "." not in number
    return Stamp(micros, clock_of(micros), whole, printable(date.strip()))


@lru_cache(maxsize=64)
def _decimals_of(word: str) -> int:
    """How many decimals of a number in this unit are whole microseconds. Negative for nanoseconds: the last three
    digits are fractions of a microsecond.
    """
    name = word.strip().lower()
    unit = unit_from(name)
    if unit is None and name not in _SECOND_WORDS:
        raise ValueError(f"unknown unit {name!r} in a time stamp; write microsec")
    return _DECIMALS[unit] if unit else _OF_SECONDS


def _micros(number: str, decimals: int) -> int:
    """Convert a decimal number to microseconds exactly, without floating point."""
    if number.startswith("-"):
        raise ValueError(f"negative time stamp {number}")
    whole, _, fraction = number.partition(".")
    if not ((whole + fraction).isdecimal() and number.isascii()) or len(number) > 40:
        raise ValueError(f"{number!r} is no time stamp; write microseconds since 1970")
    if decimals < 0:
        return int(whole or "0") // int(10**-decimals)
    return int((whole or "0") + fraction.ljust(decimals, "0")[:decimals])


def clock_of(micros: int) -> Clock:
    """The clock that a number of microseconds belongs to, judged by its size: less than a day is a time of day."""
    if micros >= LEAST_EPOCH:
        return Clock.EPOCH
    return Clock.DAY if micros < MICROS_PER_DAY else Clock.FREE


def clock_flags(stamp: Stamp) -> frozenset[str]:
    """The flags with which a stamp has to be written so that it is read with the same clock; usually none."""
    return frozenset() if clock_of(stamp.micros) is stamp.clock else frozenset({_CLOCK_FLAGS[stamp.clock]})


def flagged(stamp: Stamp, flags: frozenset[str]) -> Stamp:
    """The stamp, with the clock that the flags give it."""
    for clock, flag in _CLOCK_FLAGS.items():
        if flag in flags:
            return Stamp(stamp.micros, clock, stamp.whole, stamp.text)
    return stamp


def stamp_text(stamp: Stamp) -> str:
    """The text after ``timestamp,``: microseconds, and a date without commas."""
    return _stamp_text(stamp.micros, stamp.clock, stamp.text)


@lru_cache(maxsize=64)
def _stamp_text(micros: int, clock: Clock, text: str) -> str:
    """The text of a stamp, cached because all series of a snapshot share one stamp."""
    return f"microsec,{micros},{printable(text).replace(',', '.').strip() or _date(micros, clock)}"


def _date(moment: int, clock: Clock) -> str:
    if clock is not Clock.EPOCH:
        return "no clock"
    seconds, micros = divmod(moment, 1_000_000)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(seconds))}.{micros:06d} +00:00"
