"""Whether two series rise and fall as one."""

import numpy as np
import pytest

from pylatencymap.analysis import correlation, shared_columns
from pylatencymap.analysis.together import CLOSELY, FEWEST_TOGETHER


def test_the_correlation_is_pearsons() -> None:
    chance = np.random.default_rng(5)
    one = chance.gamma(5.0, 10.0, 200)
    other = 0.5 * one + chance.gamma(5.0, 4.0, 200)
    found = correlation(one, other)
    assert found is not None
    assert found.r == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert found.columns == 200
    same = correlation(one, 3 * one)
    assert same is not None
    assert same.r == pytest.approx(1.0)
    assert same.is_close
    opposite = correlation(one, 1000 - one)
    assert opposite is not None
    assert opposite.r == pytest.approx(-1.0)


def test_what_stands_still_or_is_short_says_nothing() -> None:
    moving = np.arange(20.0)
    assert correlation(moving, np.full(20, 0.1)) is None
    few = FEWEST_TOGETHER - 1
    assert correlation(moving[:few], moving[:few]) is None
    little = correlation(moving, 1000 + 0.1 * moving)
    assert little is not None
    assert not little.is_close, "the second hardly moves"


def test_chance_alone_is_not_close() -> None:
    chance = np.random.default_rng(11)
    found = [correlation(*chance.gamma(3.0, 10.0, (2, 40))) for _ in range(2000)]
    assert sum(one is not None and abs(one.r) >= CLOSELY for one in found) == 0


def test_columns_that_both_have() -> None:
    step = 1_000_000
    first = np.array([10, 11, 12, 14, 15]) * step + 20_000
    second = np.array([9, 11, 13, 14, 15]) * step - 30_000
    mine, its = shared_columns(first, second, step)
    assert mine.tolist() == [1, 3, 4]
    assert its.tolist() == [1, 3, 4]


def test_two_that_stand_still_but_for_one_column_do_not_move_together() -> None:
    """A handful of events that came to both at once say nothing; a second such column is a movement."""
    first, second = np.zeros(60), np.full(60, 3.0)
    first[20], second[20] = 5.0, 40.0
    found = correlation(first, second)
    assert found is not None
    assert found.r == pytest.approx(1.0)
    assert not found.is_close
    first[40], second[40] = 5.0, 40.0
    again = correlation(first, second)
    assert again is not None
    assert again.is_close
