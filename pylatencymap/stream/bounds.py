"""Converts bucket labels to the ranges that they stand for, and back.

A label is the upper bound of its octave in Oracle's histograms and the lower bound in all others. Sources: the Oracle
Reference on V$EVENT_HISTOGRAM and V$EVENT_HISTOGRAM_MICRO; the printing functions of bcc, SystemTap and DTrace.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import frexp, inf, ldexp
from typing import TypeAlias

from ..record import Bound, Range, tidy_ranges
from ..units import Unit
from .limits import MAX_LABEL

LabelCounts: TypeAlias = Mapping[Bound, Bound]
"""Count by label."""

MILLI_OVERFLOW = 1 << 22
"""V$EVENT_HISTOGRAM ends with the row ``>= 2^22`` ms."""
MICRO_OVERFLOW = (1 << 32) - 1
"""V$EVENT_HISTOGRAM_MICRO ends with the row ``>= 2^32`` us, reported as 4294967295."""
ROUNDING = 1e-5
"""A fractional label such as .000976563 is a power of two, rounded by the program that printed it."""


def is_power_of_two(label: Bound) -> bool:
    """Whether a positive number is a power of two; fractions such as 0.5 are too."""
    if isinstance(label, int):
        return label > 0 and not label & (label - 1)
    return frexp(label)[0] == 0.5


@lru_cache(maxsize=4096)
def range_of(label: Bound, upper: bool, unit: Unit) -> tuple[Bound, Bound | None] | None:
    """The half-open range of a label, or None if it stands for no range. ``upper`` means that labels are upper bounds.

    Label 0 is [0, 1), and so is label 1 if labels are upper bounds. A large label that is no power of two is an open
    overflow row, which begins at the next lower power of two.
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
    """The ranges of a record's counters, as a Record keeps them; a label that stands for no range is left out."""
    shape = _shape_of(tuple(counters), upper, unit)
    if shape is not None:
        return tuple([(lower, top, counters[label]) for label, lower, top in shape if counters[label]])
    found = ((range_of(label, upper, unit), count) for label, count in counters.items())
    return tidy_ranges([(*bounds, count) for bounds, count in found if bounds is not None])


@lru_cache(maxsize=256)
def _shape_of(
    labels: tuple[Bound, ...], upper: bool, unit: Unit
) -> tuple[tuple[Bound, Bound, Bound | None], ...] | None:
    """The labels with their ranges, ascending; None if two labels have the same range. In most series every record has
    the same labels, so the result is cached.
    """
    found = [(bounds, label) for label in labels if (bounds := range_of(label, upper, unit)) is not None]
    ordered = sorted(found, key=lambda entry: (entry[0][0], inf if entry[0][1] is None else entry[0][1]))
    if len({bounds for bounds, _ in ordered}) < len(ordered):
        return None
    return tuple((label, lower, top) for (lower, top), label in ordered)


def bound_label(lower: Bound, top: Bound | None, upper: bool) -> int:
    """The label under which a range is written: the power of two of the octave that contains the range's midpoint.

    This is exact for octaves. An open range gets the octave in which it begins. If labels are lower bounds, [0, 1) has
    no label of its own and is written under 1.
    """
    middle = int(lower if top is None else (lower + top) // 2)
    octave = max(middle, 0).bit_length()
    return min(1 << octave if upper else 1 << max(octave - 1, 0), MAX_LABEL)


def _unrounded(label: Bound) -> float:
    _, exponent = frexp(label)
    for power in (ldexp(0.5, exponent), ldexp(1.0, exponent)):
        if abs(label - power) <= ROUNDING * power:
            return power
    return float(label)


def _half(label: Bound) -> Bound:
    return label // 2 if isinstance(label, int) else label / 2
