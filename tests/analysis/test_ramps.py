"""Where ramps begin and end: in values without noise to the column, and bends and rests only where they are."""

import numpy as np
import pytest

from pylatencymap.analysis.density import FloatArray
from pylatencymap.analysis.ramps import RampFit

COLUMNS = 400


def fit_of(knots: list[float], levels: list[float], noise: float = 0.0, wander: float = 0.0) -> RampFit:
    """Values that go straight from one level to the next between knots; ``wander`` is noise that stays for a while."""
    rng = np.random.default_rng(5)
    values = np.interp(np.arange(COLUMNS) + 0.5, knots, levels) + noise * rng.standard_normal(COLUMNS)
    values += wander * np.repeat(rng.standard_normal(COLUMNS // 20), 20)
    return RampFit(np.arange(COLUMNS), values, np.ones(COLUMNS), 8)


@pytest.mark.parametrize(("first", "last"), [(100, 160), (0, 400), (37, 45), (5, 391), (250, 400)])
@pytest.mark.parametrize("height", [1.0, -3.0])
def test_a_straight_ramp_has_its_ends_to_the_column(first: int, last: int, height: float) -> None:
    fit = fit_of([first, last], [0.0, height])
    straight = fit.straight()
    assert straight is not None
    assert straight.knots == (first, last)
    assert fit.bent(straight) is straight
    assert not fit.rests(straight)


def test_there_is_no_ramp_without_room() -> None:
    assert RampFit(np.arange(7), np.arange(7.0), np.ones(7), 8).straight() is None


@pytest.mark.parametrize(("middle", "bent"), [(0.8, True), (0.5, False)])
def test_a_bend_is_taken_where_there_is_one(middle: float, bent: bool) -> None:
    fit = fit_of([100, 160, 220], [0.0, middle, 1.0], noise=0.02)
    straight = fit.straight()
    assert straight is not None
    ramp = fit.bent(straight)
    assert len(ramp.knots) == (3 if bent else 2)
    assert abs(ramp.first - 100) <= 3
    assert abs(ramp.last - 220) <= 6


def test_noise_that_stays_for_a_while_makes_no_bend() -> None:
    fit = fit_of([100, 300], [0.0, 1.0], noise=0.01, wander=0.1)
    straight = fit.straight()
    assert straight is not None
    assert fit.bent(straight) is straight


@pytest.mark.parametrize(("rest", "rests"), [(100, True), (8, False)])
def test_two_ramps_have_a_long_rest_between_them(rest: int, rests: bool) -> None:
    fit = fit_of([100, 140, 140 + rest, 180 + rest], [0.0, 1.0, 1.0, 2.0], noise=0.02)
    straight = fit.straight()
    assert straight is not None
    assert fit.rests(fit.bent(straight)) is rests


def test_columns_that_were_taken_out_are_no_part_of_a_ramp() -> None:
    places = np.concatenate([np.arange(150), np.arange(210, 400)])
    values: FloatArray = np.interp(places + 0.5, [100, 300], [0.0, 1.0])
    straight = RampFit(places, values, np.ones(len(places)), 8).straight()
    assert straight is not None
    assert straight.knots == (100, 300)
