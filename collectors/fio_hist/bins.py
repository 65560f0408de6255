"""fio's bins as ranges.

A value of n bits belongs to group n - 6. The 6 bits after its first one select one of the 64 bins there. Values below
128 have a bin each. The last bin also counts everything beyond it.
"""

from functools import cache
from typing import NamedTuple

from ...units import Unit

BITS = 6
GROUPS = {Unit.NS: 29, Unit.US: 19}
"""Number of groups: fio 3 and later count nanoseconds, earlier versions microseconds."""
COARSEST = 6


class BinLayout(NamedTuple):
    """The bins of a log: each combines 2^coarseness of fio's bins."""

    unit: Unit
    coarseness: int


LAYOUTS = {
    (groups << BITS) >> coarseness: BinLayout(unit, coarseness)
    for unit, groups in GROUPS.items()
    for coarseness in range(COARSEST + 1)
}
"""Layouts by their number of bins, which differs for each layout."""


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
    """The half-open range of a bin in json+, which is named by the value in its middle."""
    shift = max(value.bit_length() - BITS - 1, 0)
    lower = value >> shift << shift
    return lower, None if lower >= edge((GROUPS[unit] << BITS) - 1) else lower + (1 << shift)
