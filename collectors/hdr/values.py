"""What the values of a log are: nothing in it has to say so, but much of it hints."""

import math
import re
from decimal import Decimal

from ...record import Range
from ...report import Report
from ...text.quantities import unit_named
from ...text.scaled import decimal_of
from ...units import Unit

_DIVISOR = re.compile(r"#\[MaxValueDivisor: *(\d[\d.eE+]*)")
_QUANTITY = re.compile(r"\d[\d.]* *\w+")
"""As in "every 1000 ms", which is no word about the values."""
_BY_DIVISOR = {6: Unit.NS, 3: Unit.US, 0: Unit.MS}
"""Interval_Max is written in milliseconds by convention: the power of ten that divides the values tells their unit."""


class Values:
    """The unit of a log's values: the user's, a comment's, or that in which Interval_Max is in milliseconds.

    ``unit`` is None as long as nothing has told; it does not change afterwards. ``usual`` is what most programs log.
    """

    usual = Unit.NS

    def __init__(self, report: Report, given: Unit | None) -> None:
        self._report = report
        self.unit = given
        self._commented: Unit | None = None
        self._power: int | None = None

    def comment(self, text: str) -> None:
        """Take a comment line into account."""
        divisor = _DIVISOR.match(text)
        number = decimal_of(divisor[1]) if divisor else None
        if number is not None and number > 0:
            self._power = number.adjusted()
        elif not text.startswith("#["):
            self._commented = self._commented or unit_named(_QUANTITY.sub("", text.lstrip("# ")))

    def interval(self, line: int, ranges: tuple[Range, ...], longest: Decimal) -> None:
        """Decide by an interval and its Interval_Max, if it has values."""
        if self.unit is not None or not ranges:
            return
        if self._commented:
            self.unit = self._commented
            return
        power = self._power
        if power is None and longest > 0:
            power = round(math.log10((ranges[-1][1] or 0) / float(longest)))
        if power is None:
            return
        self.unit = _BY_DIVISOR.get(power, self.usual)
        told = f"Interval_Max is their largest divided by 10^{power}, as in milliseconds"
        why = told if power in _BY_DIVISOR else "as usual"
        self._report.note(line, f"values are taken for {self.unit.value} ({why}); --unit says otherwise")
