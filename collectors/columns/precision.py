"""How exact latencies are: the unit in which they are kept, and whether they are whole multiples of a coarse step."""

from __future__ import annotations

from decimal import Decimal

from ...text import PER_SECOND
from ...units import Unit

ENOUGH = 200
"""After this many rows with whole numbers of a coarse unit, no fraction is expected any more."""
_COARSE = Decimal("0.001")
"""Seconds. Units from here on are coarse: programs that count milliseconds truncate the rest, clocks do not."""
_MICROS = 6
"""Decimals of a second in whole microseconds; a table whose first row has more decimals is kept in nanoseconds."""


class LatencySteps:
    """Determined by the first rows.

    ``unit`` is the unit in which latencies are kept. ``length`` is the step of the printed values in that unit, 0 if
    they are as exact as their clock.
    """

    def __init__(self) -> None:
        self.unit = Unit.US
        self.length = 0
        self.is_settled = False
        self._rows = 0
        self._coarsest: Decimal | None = None

    def shown_by(self, seconds: Decimal, unit: Decimal) -> bool:
        """Take a latency and the length of its printed unit, in seconds; return whether the rows so far decide."""
        if self._rows == 0:
            self.unit = Unit.US if _decimals(seconds) <= _MICROS else Unit.NS
        self._rows += 1
        is_coarse = unit >= _COARSE and seconds % unit == 0
        self._coarsest = min(self._coarsest or unit, unit) if is_coarse else None
        return not is_coarse or self._rows >= ENOUGH

    def settled(self, *, is_all: bool = False) -> str:
        """Decide now: no more rows are awaited, or there are none (``is_all``). Return the message for the user.

        After only a few rows a fraction can still come, so those are kept in a unit that can hold it.
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
        """The step of a latency in ``unit``; a latency between two steps shows that there are no steps."""
        if self.length and latency % self.length:
            self.length = 0
        return self.length


def _decimals(seconds: Decimal) -> int:
    exponent = seconds.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0
