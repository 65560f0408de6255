"""Rows of ``perf ftrace latency``, and what they are in.

perf counts in microseconds, or with -n in nanoseconds. A row beyond 1024 of them is printed in the next unit, 1024 of
the one before, as whole numbers: ``1 - 2 ms`` is [1024, 2048) us. With --bucket-range it is 1000, with two decimals.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from ...record import Bound, Range
from ...units import Unit

OPEN = "..."
_UNITS = ("ns", "us", "ms", "s")
_ROW = re.compile(
    r"\s*(\d{1,10}(?:\.\d\d)?) - +(\d{1,10}(?:\.\d\d)?|\.\.\.) +(ns|us|ms|s) *\| +(\d{1,12}) \|[# ]*\|\s*"
)


class Row(NamedTuple):
    """A row as printed; ``upper`` is OPEN in the last one."""

    lower: str
    upper: str
    unit: str
    events: int


def row_of(text: str) -> Row | None:
    """A row, None where the line is none."""
    found = _ROW.fullmatch(text)
    return Row(found[1], found[2], found[3], int(found[4])) if found else None


def base_of(rows: list[Row]) -> Unit:
    """What perf counted in, if the statistics do not tell: nanoseconds where rows are in them."""
    return Unit.NS if any(row.unit == "ns" for row in rows) else Unit.US


def ranges_of(rows: list[Row], base: Unit) -> list[Range]:
    """The ranges of rows in the unit that perf counted in."""
    return [
        (_bound(row.lower, row, base), None if row.upper == OPEN else _bound(row.upper, row, base), row.events)
        for row in rows
        if row.events
    ]


def _bound(text: str, row: Row, base: Unit) -> Bound:
    steps = _UNITS.index(row.unit) - _UNITS.index(base.value)
    if (row.lower, row.upper) == ("0", "1"):
        steps = 0  # early releases with -n printed the first row in us all the same
    if "." not in row.lower:
        return int(text) << 10 * max(steps, 0)
    number = Decimal(text).scaleb(3 * max(steps, 0))
    return int(number) if number == int(number) else float(number)
