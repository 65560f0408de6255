"""Time waited from counts, against the sum of the latencies."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.analysis import time_waited
from pylatencymap.analysis.density import log_histogram
from pylatencymap.analysis.waited import bucket_times, row_means
from tests.analysis.shapes import counted, drawn, grid


@pytest.mark.parametrize("slope", [-2.5, -1.0, 0.0, 1.5])
@pytest.mark.parametrize("resolution", [1, 4])
def test_a_power_law_is_met(slope: float, resolution: int) -> None:
    """In buckets whose neighbours follow it; between them edges are even, so that slopes are not quite its own."""
    edges = grid(resolution, 20)
    powers = edges**slope if slope else np.log(edges)
    if slope in (0, -1):
        moments = edges if slope == 0 else np.log(edges)
    else:
        moments = slope / (slope + 1) * edges ** (slope + 1)
    events = 1e6 / abs(powers[-1] - powers[0])
    counts, true = np.abs(np.diff(powers)) * events, np.abs(np.diff(moments)) * events
    found = bucket_times(log_histogram(counts, edges, 0)).value[1:-1]
    inner = slice(resolution, -resolution)
    assert found[inner] == pytest.approx(true[inner], rel=0.02 if resolution == 1 else 0.004)


@pytest.mark.parametrize(("resolution", "error"), [(1, 0.08), (2, 0.03), (4, 0.012), (8, 0.006)])
def test_lognormals_lie_in_the_band(resolution: int, error: float) -> None:
    edges, errors = grid(resolution, 27), []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        parts = [(10 ** rng.uniform(-4, -1), rng.uniform(0.1, 0.8), int(10 ** rng.uniform(2.5, 4.5))) for _ in range(2)]
        latencies = drawn(seed, *parts)
        found = time_waited(counted(latencies, edges), edges, tick=0)
        assert found.low <= latencies.sum() <= found.high
        errors.append(abs(found.value / latencies.sum() - 1))
    assert np.percentile(errors, 95) < error


def test_exact_sums_win() -> None:
    found = time_waited([10, 20], [1, 2, 4], exact=50.0)
    assert (found.value, found.low, found.high) == (50, 50, 50)


def test_buckets_without_a_bound() -> None:
    edges = np.array([0, 1e-3, 2e-3, 4e-3, np.inf])
    below = time_waited([100, 0, 0, 0], edges)
    assert (below.low, below.value, below.high) == (0, pytest.approx(0.05), pytest.approx(0.1))
    beyond = time_waited([0, 0, 10, 100], edges)
    assert beyond.low >= 0.4
    assert (beyond.value < np.inf, beyond.high) == (True, np.inf)
    assert time_waited([0, 0, 0, 0], edges).high == 0


@settings(max_examples=100)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40), st.sampled_from((1, 2, 8)))
def test_no_band_passes_what_is_possible(counts: list[int], resolution: int) -> None:
    edges = grid(resolution, 40)[: len(counts) + 1]
    found = time_waited(counts, edges, tick=0)
    least, most = float(np.dot(counts, edges[:-1])), float(np.dot(counts, edges[1:]))
    assert least * (1 - 1e-12) <= found.low <= found.value * (1 + 1e-12)
    assert found.value <= found.high * (1 + 1e-12)
    assert found.high <= most * (1 + 1e-12)


@pytest.mark.filterwarnings("error")
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_absurd_edges_give_numbers(data: st.DataObject) -> None:
    powers = data.draw(st.lists(st.floats(-320, 300), min_size=2, max_size=8, unique=True))
    edges = np.unique(10.0 ** np.sort(powers))
    if data.draw(st.booleans()):
        edges[0] = 0
    counts = data.draw(st.lists(st.floats(1, 1e19), min_size=len(edges) - 1, max_size=len(edges) - 1))
    found = time_waited(counts, edges, exact=data.draw(st.none() | st.floats(1e-12, 1e18)))
    assert not np.isnan([found.value, found.low, found.high]).any()
    assert np.isfinite(row_means(np.array(counts), edges)).all()
