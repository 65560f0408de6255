"""The ``timestamp`` line: which clock a number is of."""

import time
from functools import lru_cache

from ..record import Clock, Stamp
from ..text.clean import printable
from ..units import Unit, unit_from
from .syntax import EPOCH, NO_CLOCK

MICROS_IN_A_DAY = 86_400_000_000
"""Microseconds; what is smaller is the time of a day."""
LEAST_EPOCH = 10**15
"""September 2001; what is larger counts from 1970."""
MOST_EPOCH = 253_402_300_800_000_000 - 2 * MICROS_IN_A_DAY
"""Two days before the year 10000, where calendars end: the wall clock of every zone must stay below it."""

_SECOND_WORDS = frozenset({"s", "sec", "secs", "second", "seconds"})
_DECIMALS = {Unit.MS: 3, Unit.US: 0, Unit.NS: -3}
_OF_SECONDS = 6
_CLOCK_FLAGS = {Clock.COUNTED: NO_CLOCK, Clock.EPOCH: EPOCH}


def read_stamp(text: str) -> Stamp:
    """The stamp in ``microsec,<number>,<free text>``; raises ValueError with the reason where there is none.

    Fractions of a microsecond are cut off. The free text may hold commas.
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
    """Of a number in a unit so many are whole microseconds; less than 0: its last digits are parts of one."""
    name = word.strip().lower()
    unit = unit_from(name)
    if unit is None and name not in _SECOND_WORDS:
        raise ValueError(f"unknown unit {name!r} in a time stamp; write microsec")
    return _DECIMALS[unit] if unit else _OF_SECONDS


def _micros(number: str, decimals: int) -> int:
    """Microseconds in a decimal number, exactly: no floating point."""
    if number.startswith("-"):
        raise ValueError(f"negative time stamp {number}")
    whole, _, fraction = number.partition(".")
    if not (whole + fraction).isdecimal() or len(number) > 40:
        raise ValueError(f"{number!r} is no time stamp; write microseconds since 1970")
    if decimals < 0:
        return int(whole or "0") // int(10**-decimals)
    return int((whole or "0") + fraction.ljust(decimals, "0")[:decimals])


def clock_of(micros: int) -> Clock:
    """The clock that a number of microseconds is of, by its size."""
    if micros >= LEAST_EPOCH:
        return Clock.EPOCH
    return Clock.DAY if micros < MICROS_IN_A_DAY else Clock.FREE


def clock_flags(stamp: Stamp) -> frozenset[str]:
    """The flags that a stamp needs so that it is read with the same clock: none, mostly."""
    return frozenset() if clock_of(stamp.micros) is stamp.clock else frozenset({_CLOCK_FLAGS[stamp.clock]})


def flagged(stamp: Stamp, flags: frozenset[str]) -> Stamp:
    """The stamp with the clock that its flags say."""
    for clock, flag in _CLOCK_FLAGS.items():
        if flag in flags:
            return Stamp(stamp.micros, clock, stamp.whole, stamp.text)
    return stamp


def stamp_text(stamp: Stamp) -> str:
    """What follows ``timestamp,``: microseconds and a date without commas."""
    return _stamp_text(stamp.micros, stamp.clock, stamp.text)


@lru_cache(maxsize=64)
def _stamp_text(micros: int, clock: Clock, text: str) -> str:
    """One print of many series has one stamp."""
    return f"microsec,{micros},{printable(text).replace(',', '.').strip() or _date(micros, clock)}"


def _date(moment: int, clock: Clock) -> str:
    if clock is not Clock.EPOCH:
        return "no clock"
    seconds, micros = divmod(moment, 1_000_000)
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(seconds))}.{micros:06d} +00:00"
