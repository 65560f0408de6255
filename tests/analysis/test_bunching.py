"""``bunching``: the variance of counts over their mean, whatever the load does meanwhile."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from pylatencymap.analysis.bunching import bunching
from tests.analysis.shapes import columns_of, expected, grid

EDGES = grid(2)
MEAN = expected(EDGES, (1e-3, 0.6, 60_000))


@pytest.mark.parametrize(("burst", "true"), [(1, 1), (2, 3), (5, 9), (20, 39)])
def test_bursts_of_geometric_size(burst: int, true: int) -> None:
    """Six buckets hold nearly all events, so that their totals take a part of the variance."""
    found = [bunching(columns_of(MEAN, 60, seed, burst)) for seed in range(12)]
    assert 0.75 * true < np.mean(found) < 1.1 * true


def test_a_step_of_the_rate_is_no_bunching() -> None:
    steps = np.concatenate([columns_of(MEAN * many, 30, many) for many in (1, 10, 2)], axis=1)
    assert bunching(steps) == pytest.approx(1, abs=0.1)


def test_gaps_have_no_part_in_it() -> None:
    columns = columns_of(MEAN, 60, 1, 5)
    assert bunching(np.insert(columns, [20, 20, 40], 0.0, axis=1)) == pytest.approx(bunching(columns), rel=0.1)


@pytest.mark.parametrize("counts", [[5, 1000, 3], [[5], [1000]], [[], []], [[0, 0], [0, 0]], [[4, 0], [0, 4]]])
def test_what_cannot_be_compared_is_not_bunched(counts: list) -> None:
    assert bunching(counts) == 1.0


@given(arrays.arrays(np.float64, (6, 9), elements=st.integers(0, 1000).map(float)), st.permutations(range(6)))
def test_it_is_at_least_one_and_knows_no_order_of_buckets(table: np.ndarray, order: list[int]) -> None:
    assert bunching(table) >= 1
    assert bunching(table[order]) == pytest.approx(bunching(table))
    assert bunching(table[:, ::-1]) == pytest.approx(bunching(table))
