"""Rates of a matrix."""

import numpy as np
from numpy.testing import assert_array_equal

from pylatencymap.window.matrix import Matrix, per_second


def test_rates_are_per_second_of_each_column_and_zero_without_data() -> None:
    counts = np.array([[4.0, 0.0, 9.0], [2.0, 0.0, 1.0]])
    none = np.zeros(3, dtype=bool)
    matrix = Matrix(
        bounds=np.array([0.0, 1e-6, np.inf]),
        counts=counts,
        waited=counts * 1e-3,
        ends=np.array([1, 2, 3]),
        seconds=np.array([2.0, 0.0, 0.5]),
        lasted=np.array([2.0, 0.0, 0.5]),
        gap=~none,
        reset=none,
        estimated=none,
        doubtful=none,
        overflow=True,
    )
    assert (matrix.rows, matrix.columns) == (2, 3)
    assert_array_equal(matrix.frequency(), [[2.0, 0.0, 18.0], [1.0, 0.0, 2.0]])
    assert_array_equal(matrix.intensity(), matrix.frequency() * 1e-3)


def test_nothing_divides_by_zero() -> None:
    with np.errstate(all="raise"):
        assert_array_equal(per_second(np.array([3.0, 4.0]), np.array([0.0, 2.0])), [0.0, 2.0])
