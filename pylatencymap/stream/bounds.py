"""Bucket labels and the ranges that they stand for.

A label is the upper bound of its octave in Oracle's histograms and the lower bound everywhere else. Sources: the Oracle
Reference on V$EVENT_HISTOGRAM and V$EVENT_HISTOGRAM_MICRO; the printing functions of bcc, SystemTap and DTrace.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import frexp, inf, ldexp
from typing import TypeAlias

from ..record import Bound, Range, tidy_ranges
from ..units import Unit

LabelCounts: TypeAlias = Mapping[Bound, Bound]
"""Count by label."""

MAX_LABEL = 1 << 64
"""The largest bucket label of a 64-bit counter of any unit."""
MILLI_OVERFLOW = 1 << 22
"""V$EVENT_HISTOGRAM ends with the row ``>= 2^22`` ms."""
MICRO_OVERFLOW = (1 << 32) - 1
"""V$EVENT_HISTOGRAM_MICRO ends with the row ``>= 2^32`` us, reported as 4294967295."""
ROUNDING = 1e-5
"""A fractional label such as .000976563 is a power of two, rounded by the program that printed it."""


def is_power_of_two(label: Bound) -> bool:
    """Whether a positive number is a power of two, fractions such as 0.5 included."""
    if isinstance(label, int):
        return label > 0 and not label & (label - 1)
    return frexp(label)[0] == 0.5


@lru_cache(maxsize=4096)
def range_of(label: Bound, upper: bool, unit: Unit) -> tuple[Bound, Bound | None] | None:
    """The half-open range of a label, or None where it stands for none. ``upper``: labels are upper bounds.

    Labels 0 and, of upper bounds, 1 are [0, 1). A label that is no power of two is an open overflow row from the next
    lower power of two on, if it is large enough to be one.
    """
    if label == 0 or (upper and label == 1):
        return 0, 1
    if upper and 0 < label < 1:
        label = _unrounded(label)
        return label / 2, label
    if is_power_of_two(label):
        return (_half(label), label) if upper else (label, 2 * label)
    overflow = MILLI_OVERFLOW if unit is Unit.MS else MICRO_OVERFLOW
    return (1 << (int(label).bit_length() - 1), None) if label >= overflow else None


def ranges_of(counters: LabelCounts, upper: bool, unit: Unit) -> tuple[Range, ...]:
    """The ranges of a record's counters, as a Record keeps them; labels that stand for no range are left out."""
    shape = _shape_of(tuple(counters), upper, unit)
    if shape is not None:
        return tuple([(lower, top, counters[label]) for label, lower, top in shape if counters[label]])
    found = ((range_of(label, upper, unit), count) for label, count in counters.items())
    return tidy_ranges([(*bounds, count) for bounds, count in found if bounds is not None])


@lru_cache(maxsize=256)
def _shape_of(
    labels: tuple[Bound, ...], upper: bool, unit: Unit
) -> tuple[tuple[Bound, Bound, Bound | None], ...] | None:
    """Labels with their ranges, ascending: the same in each record of most series. None where two have one range."""
    found = [(bounds, label) for label in labels if (bounds := range_of(label, upper, unit)) is not None]
    ordered = sorted(found, key=lambda entry: (entry[0][0], inf if entry[0][1] is None else entry[0][1]))
    if len({bounds for bounds, _ in ordered}) < len(ordered):
        return None
    return tuple((label, lower, top) for (lower, top), label in ordered)


def bound_label(lower: Bound, top: Bound | None, upper: bool) -> int:
    """The label under which a range is written: a power of two, that of the octave which holds the range's midpoint.

    Exact for octaves; an open range goes where it begins. Lower bounds have no label for [0, 1): it goes to 1.
    """
    middle = int(lower if top is None else (lower + top) // 2)
    octave = max(middle, 0).bit_length()
    return 1 << octave if upper else 1 << max(octave - 1, 0)


def _unrounded(label: Bound) -> float:
    _, exponent = frexp(label)
    for power in (ldexp(0.5, exponent), ldexp(1.0, exponent)):
        if abs(label - power) <= ROUNDING * power:
            return power
    return float(label)


def _half(label: Bound) -> Bound:
    return label // 2 if isinstance(label, int) else label / 2
