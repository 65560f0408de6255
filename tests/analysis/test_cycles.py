"""Where a course is high, and whether what comes again and again comes regularly."""

import numpy as np
import pytest

from pylatencymap.analysis.cycles import high_parts, regular_distance, smoothed


def test_high_parts_are_counted_from_low_to_low() -> None:
    course = np.array([0, 0.5, 1, 0.5, 1, 0.5, 0, 0.6, 0, 1, 1.0])
    first, second = high_parts(course, 0.2, 0.8)
    assert (first.first, first.last, first.begin, first.end) == (2, 5, 1, 6)
    assert (second.first, second.last, second.begin, second.end) == (9, 11, 9, None)
    assert high_parts(np.zeros(5), 0.2, 0.8) == []


def test_a_mean_by_weights() -> None:
    values, weights = np.array([1.0, 100, 3, 5]), np.array([1.0, 0, 1, 2])
    assert smoothed(values, weights, 3).tolist() == [1.0, 2.0, pytest.approx(13 / 3), pytest.approx(13 / 3)]
    assert smoothed(values, weights, 1).tolist() == [1.0, 0.0, 3.0, 5.0]


@pytest.mark.parametrize(("times", "told"), [(6, False), (7, True), (200, True)])
def test_what_comes_every_ten_columns_is_regular_from_seven_times_on(times: int, told: bool) -> None:
    assert (regular_distance(list(range(3, 3 + 10 * times, 10))) == 10) is told


@pytest.mark.parametrize(("off", "told"), [(0.2, True), (1.0, False)])
def test_regular_distances_may_differ_a_little(off: float, told: bool) -> None:
    rng = np.random.default_rng(1)
    found = regular_distance(np.cumsum(rng.uniform(100 * (1 - off), 100 * (1 + off), 40)).tolist())
    assert (found is not None) is told
    if found is not None:
        assert found == pytest.approx(100, rel=0.1)


@pytest.mark.parametrize("times", [8, 12, 30, 100])
def test_random_places_are_hardly_ever_regular(times: int) -> None:
    rng = np.random.default_rng(2)
    tries = [regular_distance(np.cumsum(rng.exponential(50.0, times)).tolist()) for _ in range(1000)]
    assert sum(one is not None for one in tries) <= 5
