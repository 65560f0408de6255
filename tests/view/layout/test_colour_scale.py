"""The colour scale: maximum, levels, clipping."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.view.layout.colour_scale import levels_of, nice_ceiling, robust_maximum, wanted_maximum
from pylatencymap.view.style.options import SCALES


@pytest.mark.parametrize(
    ("value", "ceiling"),
    [
        (0, 0),
        (1, 1),
        (1.0001, 2),
        (2, 2),
        (3, 5),
        (5, 5),
        (6, 10),
        (804, 1000),
        (1000, 1000),
        (0.001, 0.001),
        (0.3, 0.5),
    ],
)
def test_nice_ceiling(value: float, ceiling: float) -> None:
    assert nice_ceiling(value) == ceiling


@given(st.floats(1e-12, 1e15))
def test_nice_ceiling_is_the_next_of_1_2_5(value: float) -> None:
    ceiling = nice_ceiling(value)
    assert value <= ceiling * (1 + 1e-8)
    assert ceiling <= value * 2.5 * (1 + 1e-8)
    assert f"{ceiling:e}"[0] in "125"


@pytest.mark.parametrize(
    ("largest", "follower", "maximum"), [(1192, 1180, 1000), (997, 286, 500), (1053, 228, 200), (2112, 1193, 2000)]
)
def test_windows_of_the_design(largest: float, follower: float, maximum: float) -> None:
    """The largest and the (k+1)-th column maximum of real windows, with the M that they must give."""
    columns = np.array([largest] * 4 + [follower] * 68, float)
    assert wanted_maximum(columns[np.newaxis]) == maximum


def test_one_hot_column_does_not_bleach_the_rest() -> None:
    assert robust_maximum(np.array([100.0] * 30 + [5000.0])) == 100
    assert robust_maximum(np.array([100.0] * 30 + [190.0])) == 190


def test_idle_columns_do_not_count() -> None:
    assert robust_maximum(np.array([0.0] * 70 + [8.0, 9.0])) == 9
    assert robust_maximum(np.zeros(5)) == 0
    assert robust_maximum(np.zeros(0)) == 0
    assert robust_maximum(np.array([7.0])) == 7


def test_levels_sqrt_and_linear() -> None:
    values = np.array([[0.0, 1e-9, 100.0, 250.0, 1000.0, 1250.0, 1251.0]])
    assert levels_of(values, 1000.0, 12, "sqrt").tolist() == [[0, 1, 4, 6, 12, 12, 13]]
    assert levels_of(values, 1000.0, 12, "linear").tolist() == [[0, 1, 2, 3, 12, 12, 13]]


def test_levels_log() -> None:
    """r = 1 + log10(v / M) / 3: a thousandth of the maximum and less is level 1."""
    values = np.array([[0.0, 1e-9, 1.0, 10.0, 31.6, 100.0, 1000.0, 1250.0, 1251.0]])
    assert levels_of(values, 1000.0, 12, "log").tolist() == [[0, 1, 1, 4, 6, 8, 12, 12, 13]]


def test_levels_share_are_of_the_column_and_clip_nothing() -> None:
    values = np.array([[0.0, 5000.0, 1.0, 0.0], [0.0, 0.0, 99.0, 1e-9]])
    assert levels_of(values, 10.0, 12, "share").tolist() == [[0, 12, 2, 0], [0, 0, 12, 12]]
    assert (levels_of(values, 0.0, 12, "share") == levels_of(values, 7.0, 12, "share")).all()


def test_a_pinned_maximum_is_exact() -> None:
    assert levels_of(np.array([100.0, 100.1]), 100.0, 7, "sqrt", exact=True).tolist() == [7, 8]


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=50), st.floats(1e-6, 1e9), st.sampled_from([3, 5, 7, 12]))
def test_level_zero_is_zero_only_and_more_is_never_less(values: list[float], maximum: float, steps: int) -> None:
    ordered = np.sort(np.array(values))
    for scale in SCALES:
        levels = levels_of(ordered, maximum, steps, scale)
        assert ((levels == 0) == (ordered == 0)).all()
        assert (np.diff(levels) >= 0).all()
        assert levels.max() <= steps + 1


@pytest.mark.parametrize("value", [5e-324, 1e-320, 1e-308])
def test_the_smallest_numbers_have_a_scale_too(value: float) -> None:
    assert value <= nice_ceiling(value) == 1e-300
