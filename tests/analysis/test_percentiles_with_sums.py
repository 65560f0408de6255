"""Percentiles of sources that sum their latencies: what is told is possible for the counts and the sum together."""

from itertools import pairwise
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from pylatencymap.analysis import find_modes, percentile, percentiles_of, share_above_threshold
from tests.analysis.shapes import counted, drawn, grid

RANKS = (0.01, 0.25, 0.5, 0.9, 0.99, 0.999)
EDGES = np.array([0.0, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1])


def is_possible(latency: float, rank: float, counts: np.ndarray, edges: np.ndarray, total: float) -> bool:
    """Whether events in these buckets can add up to a total while a rank is at this latency: all others as short, and
    as long, as their buckets and their order allow. A rank between two events is anywhere from one to the other.
    """
    lower, upper = np.repeat(edges[:-1], counts), np.repeat(edges[1:], counts)
    wanted = round(rank * len(lower), 9)
    first, last = ceil(wanted) - 1, min(floor(wanted), len(lower) - 1)
    least = lower[:last].sum() + np.maximum(lower[last:], latency).sum()
    most = np.minimum(upper[: first + 1], latency).sum() + upper[first + 1 :].sum()
    rounding = 1e-9 * total
    inside = lower[first] * (1 - 1e-9) <= latency <= upper[last] * (1 + 1e-9)
    return bool(inside and least - rounding <= total <= most + rounding)


@settings(max_examples=200)
@given(st.lists(st.floats(1e-6, 0.0999), min_size=1, max_size=60), st.sampled_from((EDGES, EDGES[::2], grid(4))))
@example([1.2e-3], EDGES)
@example([10e-3] * 3 + [1.1e-3] * 50, EDGES)
@example([24.999e-3] * 60, EDGES)
def test_every_percentile_is_possible_for_counts_and_sum(latencies: list[float], edges: np.ndarray) -> None:
    edges = np.concatenate(([0.0], edges[(edges > 0) & (edges < 0.1)], [0.1]))
    counts, total = np.histogram(latencies, edges)[0], float(np.sum(latencies))
    found = percentiles_of(counts, edges, RANKS, exact=total, bunch=1.0, tick=0)
    for rank, one in zip(RANKS, found, strict=True):
        assert is_possible(one.value, rank, counts, edges, total)
        assert one.low <= one.value <= one.high
    assert all(one.value <= other.value for one, other in pairwise(found))


@settings(max_examples=100)
@given(st.lists(st.floats(1e-6, 0.0999), min_size=1, max_size=60), st.floats(1e-6, 0.0999))
def test_every_share_above_a_latency_is_possible_for_counts_and_sum(latencies: list[float], limit: float) -> None:
    counts, total = np.histogram(latencies, EDGES)[0], float(np.sum(latencies))
    found = share_above_threshold(counts, EDGES, limit, exact=total, bunch=1.0, tick=0)
    assert 0 <= found.events.low <= found.events.value <= found.events.high <= 1
    above = found.events.value * len(latencies)
    place = int(np.searchsorted(EDGES, limit, side="right")) - 1
    inside = above - counts[place + 1 :].sum()
    least, most = EDGES[:-1] @ counts, EDGES[1:] @ counts
    assert least + inside * (limit - EDGES[place]) <= total * (1 + 1e-6)
    assert most - (counts[place] - inside) * (EDGES[place + 1] - limit) >= total * (1 - 1e-6)


def test_one_event_takes_what_it_took() -> None:
    for latency in (1.3e-3, 11e-3, 99e-3):
        found = percentiles_of(np.histogram([latency], EDGES)[0], EDGES, (0.5, 0.99), exact=latency, tick=0)
        assert [one.value for one in found] == [pytest.approx(latency), pytest.approx(latency)]


def test_a_sum_that_does_not_fit_its_counts_says_nothing() -> None:
    """The least that it can be is used, also if it is rounded, and a bit less is not."""
    counts = [0, 500, 0, 0, 500, 0, 0]
    least = 500 * (1e-3 + 10e-3)
    told, not_told, plain = (
        percentiles_of(counts, EDGES, RANKS, exact=exact, bunch=1.0, tick=0) for exact in (least, 0.99 * least, None)
    )
    assert told[4].value == pytest.approx(10e-3)
    assert told[4].high == pytest.approx(10e-3)
    rounded = percentiles_of(counts, EDGES, RANKS, exact=(1 - 1e-7) * least, bunch=1.0, tick=0)
    assert [one.value for one in rounded] == pytest.approx([one.value for one in told])
    assert not_told == plain
    assert plain[4].value > 15e-3


def test_the_band_is_narrower_and_holds_the_truth() -> None:
    """Buckets of a decade in three, as those of programs that count themselves."""
    holds, widths = [], []
    for seed in range(150):
        rng = np.random.default_rng(seed)
        fast, slow = 10 ** rng.uniform(-3.5, -2.5), 10 ** rng.uniform(-2.3, -1.3)
        latencies = np.sort(drawn(seed, (fast, 0.3, 9_000), (slow, rng.uniform(0.02, 0.4), 1_000)))
        edges = np.array([one * 10.0**power for power in range(-5, 1) for one in (1, 2.5, 5)])
        counts = counted(latencies, edges)
        for rank in (0.5, 0.9, 0.99):
            known = percentile(counts, edges, rank, exact=float(latencies.sum()), tick=0)
            unknown = percentile(counts, edges, rank, tick=0)
            truth = latencies[int(rank * len(latencies))]
            holds.append(known.low <= truth <= known.high)
            widths.append(np.log(known.high / known.low) / np.log(unknown.high / unknown.low))
    assert np.mean(holds) > 0.99
    assert max(widths) <= 1 + 1e-9
    assert np.mean(widths) < 0.9


def test_the_median_of_a_single_mode_is_p50_with_its_band() -> None:
    latencies = drawn(5, (1.3e-3, 0.4, 20_000))
    counts, total = counted(latencies, grid()), float(latencies.sum())
    mode = find_modes(counts, grid(), exact=total, bunch=1.0, tick=0).modes[0]
    assert mode.median == percentile(counts, grid(), 0.5, exact=total, bunch=1.0, tick=0)


def test_what_lies_without_end_is_bounded_by_the_sum() -> None:
    edges = np.array([1e-3, 2e-3, np.inf])
    found = percentile([900, 100], edges, 0.95, exact=900 * 1.5e-3 + 100 * 5e-3, bunch=1.0, tick=0)
    assert found.value == found.low == 2e-3  # all that is told of it is that it is beyond
    assert 5e-3 < found.high < 30e-3
    assert percentile([900, 100], edges, 0.95, bunch=1.0, tick=0).high == np.inf
