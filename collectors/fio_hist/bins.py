"""fio's bins as ranges.

A value of n bits falls into group n - 6 and there, by the 6 bits below the first, into one of 64 bins; values below
128 have bins of their own. The last bin also counts whatever is beyond it.
"""

from functools import cache
from typing import NamedTuple

from ...units import Unit

BITS = 6
GROUPS = {Unit.NS: 29, Unit.US: 19}
"""How many groups there are: of nanoseconds since fio 3, of microseconds before."""
COARSEST = 6


class BinLayout(NamedTuple):
    """The bins of a log: 2^coarseness of fio's are one."""

    unit: Unit
    coarseness: int


LAYOUTS = {
    (groups << BITS) >> coarseness: BinLayout(unit, coarseness)
    for unit, groups in GROUPS.items()
    for coarseness in range(COARSEST + 1)
}
"""Layouts by the number of their bins, no two of which are alike."""


def edge(index: int) -> int:
    """The lowest value of a bin."""
    if index < 2 << BITS:
        return index
    shift = (index >> BITS) - 1
    return ((1 << BITS) + (index & ((1 << BITS) - 1))) << shift


@cache
def bin_ranges(layout: BinLayout) -> tuple[tuple[int, int | None], ...]:
    """The half-open ranges of a layout's bins; the last is open."""
    stride, bins = 1 << layout.coarseness, GROUPS[layout.unit] << BITS
    lowers = range(0, bins, stride)
    return tuple((edge(low), edge(low + stride) if low + stride < bins else None) for low in lowers)


def range_around(value: int, unit: Unit) -> tuple[int, int | None]:
    """The half-open range of the bin that json+ names by the value in its middle."""
    shift = max(value.bit_length() - BITS - 1, 0)
    lower = value >> shift << shift
    return lower, None if lower >= edge((GROUPS[unit] << BITS) - 1) else lower + (1 << shift)
