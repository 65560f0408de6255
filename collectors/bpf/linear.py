"""Linear histograms: one row per slot, ``12 : 14407 |***|``, all of one width, which the heading can give."""

import re
from decimal import Decimal
from typing import NamedTuple

from ...record import Bound
from ...text import decimal_of, in_unit, seconds_of_unit, whole_unit
from ...units import Unit, unit_from

MOST = 1_000_000
"""Largest width of a slot, in the unit of the heading."""

_ROW = re.compile(r"\s*(?P<slot>[0-9]{1,10})\s*: (?P<count>-?[0-9]{1,20})\s*(?P<bar>\|[* ]*\+?\|)?\s*$")
_WIDTH = re.compile(r"(?P<width>[0-9]{1,7}(?:\.[0-9]{1,9})?) ?(?P<unit>[a-z\u00b5\u03bc]+)")

linear_row = _ROW.match


class Slots(NamedTuple):
    """The width of a slot: ``width`` in a unit that makes it a whole number, if there is one."""

    unit: Unit
    width: Bound


def slots_of(word: str) -> Slots | None:
    """The slots that a heading such as ``500 us`` or ``0.1 s`` describes; None if it describes none."""
    found = _WIDTH.fullmatch(word)
    length = seconds_of_unit(found["unit"]) if found else None
    width = decimal_of(found["width"]) if found else None
    if found is None or length is None or width is None or not 0 < width <= MOST:
        return None
    seconds = Decimal(width) * length
    unit = unit_from(found["unit"])
    if unit is None or not isinstance(in_unit(seconds, unit), int):
        unit = whole_unit([seconds])
    return Slots(unit, in_unit(seconds, unit))
