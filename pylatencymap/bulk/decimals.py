"""Times as columns print them: decimals of one unit, and times of day."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from .fields import Rows
from .words import Places

NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1, "": 10**9}
"""Nanoseconds of the units in headers; of a time of day the last number is in seconds."""
_PRINTED = re.compile(r"(?:[0-9]+|(\d\d:\d\d:\d\d))(?:\.(\d{1,6}))?")
_ENDS = b" \n\r"
_MOST = 4 * 10**18
"""Nanoseconds; more are left to the decoder."""


class Decimals(NamedTuple):
    """Numbers with so many digits behind the point, in units of so many nanoseconds."""

    digits: int
    nanos: int
    of_day: bool

    def read(self, rows: Rows, places: Places) -> tuple[Places, Places]:
        """Nanoseconds, and the places behind."""
        if self.of_day:
            whole, places = rows.time_of_day(places), places + len("HH:MM:SS")
        else:
            whole, places = rows.number(places)
            rows.sure &= whole < _MOST // self.nanos
        value = whole * np.int64(self.nanos)
        if not self.digits:
            rows.ended(places, _ENDS)
            return value, places
        value += rows.fraction(places, self.digits, _ENDS) * np.int64(self.nanos // 10**self.digits)
        return value, places + (1 + self.digits)

    @property
    def whole(self) -> int:
        """Nanoseconds of the unit in which latencies printed so are whole numbers, as the decoder has it."""
        thousands = -(-self.digits // 3)
        return max(self.nanos // int(1000**thousands), 1)


def decimals_of(printed: str, unit: str) -> Decimals | None:
    """The form of one that was printed; None where others of its kind are for the decoder."""
    found = _PRINTED.fullmatch(printed)
    digits = len(found[2] or "") if found else 0
    return Decimals(digits, NANOS[unit], bool(found[1])) if found and 10**digits <= NANOS[unit] else None
