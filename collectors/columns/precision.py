"""How exact latencies are: what unit they are kept in, and whether they are whole multiples of a coarse one."""

from __future__ import annotations

from decimal import Decimal

from ...text import PER_SECOND
from ...units import Unit

ENOUGH = 200
"""Rows with whole numbers of a coarse unit after which none with a fraction is to be expected."""
_COARSE = Decimal("0.001")
"""Seconds; clocks are no finer than a microsecond, and programs that count milliseconds cut off the rest of one."""
_MICROS = 6
"""Decimals of a second that are whole microseconds; a table whose first row has more is kept in nanoseconds."""


class LatencySteps:
    """Found out from the first rows.

    ``unit`` is what latencies are kept in, ``length`` how many of it a step is in which they are told, 0 where they are
    as exact as their clock.
    """

    def __init__(self) -> None:
        self.unit = Unit.US
        self.length = 0
        self.is_settled = False
        self._rows = 0
        self._coarsest: Decimal | None = None

    def shown_by(self, seconds: Decimal, unit: Decimal) -> bool:
        """Whether this row, or all so far, show it: a latency in seconds, which was told in a unit of so many."""
        if self._rows == 0:
            self.unit = Unit.US if _decimals(seconds) <= _MICROS else Unit.NS
        self._rows += 1
        is_coarse = unit >= _COARSE and seconds % unit == 0
        self._coarsest = min(self._coarsest or unit, unit) if is_coarse else None
        return not is_coarse or self._rows >= ENOUGH

    def settled(self, *, is_all: bool = False) -> str:
        """No more rows are waited for, or there are no more: what is to be told.

        After few rows a fraction may still come, so that they are kept in a unit that it fits into.
        """
        self.is_settled = True
        if self._coarsest is None:
            return ""
        if is_all or self._rows >= ENOUGH:
            self.unit = Unit.MS
        self.length = int(self._coarsest * PER_SECOND[self.unit])
        millis = int(self._coarsest * PER_SECOND[Unit.MS])
        step = f"{millis} ms" if millis > 1 else "ms"
        return (
            f"latencies in whole {step}: the rest is taken to be cut off, so each counts in the middle of its {step}, "
            "and the time waited is an estimate"
        )

    def length_of(self, latency: int) -> int:
        """The length of the step of a latency in ``unit``; one between two steps shows that there are none."""
        if self.length and latency % self.length:
            self.length = 0
        return self.length


def _decimals(seconds: Decimal) -> int:
    exponent = seconds.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0
