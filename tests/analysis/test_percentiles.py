"""Percentiles and shares above a threshold, against sorted latencies."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.analysis import half_of_time_above, percentile, share_above_threshold
from tests.analysis.shapes import below, counted, drawn, expected, grid

RANKS = (0.01, 0.5, 0.9, 0.99, 0.999)


@pytest.mark.parametrize(("resolution", "error"), [(1, 0.1), (2, 0.025), (4, 0.006), (8, 0.002)])
@pytest.mark.parametrize("sigma", [0.4, 0.8])
def test_medians_of_lognormals(resolution: int, error: float, sigma: float) -> None:
    """By exact masses, so that only the place inside the bucket errs; the limits are those of the study's tables."""
    edges = grid(resolution)
    for median in np.geomspace(1e-3, 2e-3, 7):
        found = percentile(expected(edges, (median, sigma, 1e6)), edges, 0.5)
        assert found.value == pytest.approx(median, rel=error)


@pytest.mark.parametrize(("resolution", "error"), [(1, 0.2), (2, 0.1), (4, 0.03)])
@pytest.mark.parametrize("sigma", [0.4, 0.8])
def test_high_percentiles_of_lognormals(resolution: int, error: float, sigma: float) -> None:
    """A straight line over the logarithm of the latency would miss p99 by up to 39 % with a row an octave."""
    edges, far = grid(resolution), np.exp(2.3263 * sigma)
    for median in np.geomspace(1e-3, 2e-3, 7):
        found = percentile(expected(edges, (median, sigma, 1e6)), edges, 0.99)
        assert found.value == pytest.approx(median * far, rel=error)


@pytest.mark.parametrize("power", [-3.0, -1.0, 0.0, 2.0])
def test_of_a_power_law_percentiles_and_times_are_exact(power: float) -> None:
    """Three octaves of a density x^power per logarithm: what is known of the middle one is all that is true of it."""
    edges = 1e-3 * 2.0 ** np.arange(4)
    counts = np.diff(edges**power) / power * 1e6**power if power else np.full(3, 1e6)
    counts *= 1e6 / counts.sum()

    def share_to(latency: float) -> float:
        whole = (edges[-1] ** power - edges[0] ** power) if power else np.log(8)
        return float(((latency**power - edges[0] ** power) if power else np.log(latency / edges[0])) / whole)

    for latency in (2.3e-3, 2.9e-3, 3.6e-3):
        assert percentile(counts, edges, share_to(latency), tick=0).value == pytest.approx(latency, rel=1e-6)
        above = share_above_threshold(counts, edges, latency, tick=0)
        assert above.events.value == pytest.approx(1 - share_to(latency), rel=1e-6)


def test_a_percentile_lies_in_its_band_and_so_does_the_truth() -> None:
    holds = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        median, sigma, resolution = 10 ** rng.uniform(-4, -1), rng.uniform(0.1, 1), int(rng.choice([1, 2, 4, 8]))
        events = int(10 ** rng.uniform(2, 4.5))
        edges = grid(resolution, 27)
        counts = counted(drawn(seed, (median, sigma, events)), edges)
        for rank in RANKS:
            found = percentile(counts, edges, rank, tick=0)
            assert found.low <= found.value <= found.high
            low, high = (below(median, sigma, one) if one < np.inf else 1.0 for one in (found.low, found.high))
            holds.append(low <= rank <= high)
    assert np.mean(holds) > 0.98


def test_a_rank_beyond_all_events_has_no_bound() -> None:
    edges = grid()
    counts = expected(edges, (1e-3, 0.4, 300)).round()
    assert percentile(counts, edges, 0.99).high == np.inf
    assert percentile(counts, edges, 0.01).low == 0
    assert percentile(counts * 10, edges, 0.99).high < np.inf


def test_bursts_widen_the_band() -> None:
    edges = grid(8)
    counts = expected(edges, (1e-3, 0.6, 10_000))
    one, bursts = (percentile(counts, edges, 0.99, bunch=bunch) for bunch in (1.0, 20.0))
    assert one.value == bursts.value
    assert bursts.low < one.low <= one.high < bursts.high


def test_between_two_modes_only_the_band_is_right() -> None:
    """90 % hits of a cache and 10 % of a disk: p90 lies in the gap, and can be anywhere in it."""
    edges = grid()
    found = percentile(expected(edges, (1e-4, 0.3, 9_000), (1e-2, 0.1, 1_000)), edges, 0.9)
    assert found.low < 2e-4
    assert found.high > 8e-3


def test_the_first_and_the_last_bucket_without_a_bound() -> None:
    edges = np.array([0, 1e-3, 2e-3, np.inf])
    assert 0 < percentile([900, 50, 50], edges, 0.3).value < 1e-3
    assert percentile([900, 50, 50], edges, 0.3).low == 0
    last = percentile([900, 50, 50], edges, 0.99)
    assert (last.value, last.low, last.high) == (2e-3, 2e-3, np.inf)
    assert percentile([0, 0, 0], edges, 0.5) is None


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 1000), min_size=2, max_size=40).filter(any),
    st.sampled_from((1, 2, 8)),
    st.booleans(),
    st.integers(0, 20),
)
def test_percentiles_rise_with_their_rank_and_agree_with_shares(
    counts: list[int], resolution: int, from_zero: bool, percent: int
) -> None:
    edges = grid(resolution, 40)[: len(counts) + 1]
    edges[0] = 0.0 if from_zero else edges[0]
    ranks = np.linspace(0, 1, 21)
    found = [percentile(counts, edges, rank, tick=0) for rank in ranks]
    values = [one.value for one in found]
    assert all(one <= other * (1 + 1e-12) for one, other in pairwise(values))
    assert all(one.low <= one.value * (1 + 1e-12) and one.value <= one.high * (1 + 1e-12) for one in found)
    above = share_above_threshold(counts, edges, values[percent], tick=0)
    assert above.events.value == pytest.approx(1 - ranks[percent], abs=1e-6)


@settings(max_examples=100)
@given(st.lists(st.integers(0, 1000), min_size=2, max_size=40).filter(any), st.sampled_from((1, 4)), st.floats(1e-7, 1))
def test_shares_above_lie_in_their_bounds_and_are_whole_on_edges(
    counts: list[int], resolution: int, threshold: float
) -> None:
    edges = grid(resolution, 40)[: len(counts) + 1]
    for limit in (threshold, float(edges[len(edges) // 2])):
        found = share_above_threshold(counts, edges, limit, tick=0)
        for one in (found.events, found.waited):
            assert -1e-9 <= one.low <= one.value + 1e-9
            assert one.value <= one.high + 1e-9 <= 1 + 2e-9
    assert found.events.value == pytest.approx(sum(counts[len(edges) // 2 :]) / sum(counts), abs=1e-9)


@pytest.mark.parametrize("threshold", [1e-3, 8.192e-3, 9e-3])
def test_shares_above_hold_the_truth(threshold: float) -> None:
    edges = grid()
    holds = []
    for seed in range(40):
        latencies = drawn(seed, (1e-4, 0.4, 9_000), (1e-2, 0.2, 1_000))
        found = share_above_threshold(counted(latencies, edges), edges, threshold)
        slow = latencies[latencies > threshold]
        holds.append(found.events.low <= len(slow) / len(latencies) <= found.events.high)
        holds.append(found.waited.low <= slow.sum() / latencies.sum() <= found.waited.high)
    assert all(holds)


@pytest.mark.parametrize("resolution", [1, 4])
def test_half_of_the_time_is_spent_in_longer_waits(resolution: int) -> None:
    edges = grid(resolution)
    for seed in range(20):
        latencies = np.sort(drawn(seed, (1e-4, 0.4, 9_000), (1e-2, 0.3, 1_000)))
        true = latencies[np.searchsorted(np.cumsum(latencies), latencies.sum() / 2)]
        found = half_of_time_above(counted(latencies, edges), edges)
        assert found.low <= true <= found.high
        assert found.value == pytest.approx(true, rel=0.12 if resolution == 1 else 0.03)
    assert half_of_time_above([0, 0], [1, 2, 3]) is None


@pytest.mark.parametrize("median", [8.6e-3, 10e-3, 15e-3])
def test_with_a_sum_half_of_the_time_is_told_within_an_octave(median: float) -> None:
    """All but nothing waits in one octave, where only the sum knows where: nearly at the mean."""
    latencies = np.sort(drawn(3, (1e-4, 0.3, 900), (median, 0.02, 1_000)))
    true = latencies[np.searchsorted(np.cumsum(latencies), latencies.sum() / 2)]
    counts = counted(latencies, grid())
    known = half_of_time_above(counts, grid(), exact=float(latencies.sum()))
    unknown = half_of_time_above(counts, grid())
    assert known.low <= true <= known.high
    assert known.value == pytest.approx(true, rel=0.08)
    assert abs(known.value - true) < abs(unknown.value - true)
