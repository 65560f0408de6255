"""Bucket labels and their ranges."""

import pytest
from hypothesis import given, strategies as st

from pylatencymap.stream.bounds import bound_label, range_of, ranges_of
from pylatencymap.units import Unit


@pytest.mark.parametrize(
    ("label", "upper", "unit", "bounds"),
    [
        (64, False, Unit.US, (64, 128)),
        (64, True, Unit.US, (32, 64)),
        (1, False, Unit.US, (1, 2)),
        (1, True, Unit.MS, (0, 1)),
        (2, True, Unit.MS, (1, 2)),
        (0, False, Unit.NS, (0, 1)),
        (0, True, Unit.US, (0, 1)),
        (0.5, False, Unit.MS, (0.5, 1)),
        (0.3, True, Unit.MS, (0.15, 0.3)),
        (0.000976563, True, Unit.MS, (2**-11, 2**-10)),
        (0.001953125, True, Unit.MS, (2**-10, 2**-9)),
        (4194304, True, Unit.MS, (2097152, 4194304)),
        (4194305, True, Unit.MS, (4194304, None)),
        (4194305, True, Unit.US, None),
        (4294967295, True, Unit.US, (2**31, None)),
        (4294967295, False, Unit.US, (2**31, None)),
        (4294967296, True, Unit.US, (2**31, 2**32)),
        (18014000000000000, True, Unit.MS, (2**53, None)),
        (100, True, Unit.MS, None),
        (100, False, Unit.US, None),
        (0.3, False, Unit.MS, None),
        (1.5, True, Unit.MS, None),
    ],
)
def test_what_a_label_stands_for(
    label: float, upper: bool, unit: Unit, bounds: tuple[float, float | None] | None
) -> None:
    assert range_of(label, upper, unit) == bounds


def test_zero_and_one_are_the_same_oracle_bucket() -> None:
    assert ranges_of({0: 3, 1: 4, 2: 0, 100: 9}, True, Unit.MS) == ((0, 1, 7),)


@given(st.integers(0, 62), st.booleans())
def test_octaves_keep_their_label(power: int, upper: bool) -> None:
    label = 1 << power
    bounds = range_of(label, upper, Unit.NS)
    assert bounds is not None
    assert bound_label(*bounds, upper) == label


@given(st.floats(0, 1e15), st.one_of(st.none(), st.floats(0.001, 1e15)), st.booleans())
def test_every_range_has_a_power_of_two(lower: float, width: float | None, upper: bool) -> None:
    top = None if width is None else lower + width
    label = bound_label(lower, top, upper)
    assert label >= 1
    assert label & (label - 1) == 0
    middle = lower if top is None else (lower + top) // 2
    bounds = range_of(label, upper, Unit.NS)
    assert bounds is not None
    low, high = bounds
    assert (low <= int(middle) and (high is None or middle < high)) or (middle < 1 and label == 1)
