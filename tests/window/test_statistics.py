"""Averages and percentiles."""

from itertools import accumulate, pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import bounds_of
from pylatencymap.units import Unit
from pylatencymap.window.statistics import Quantity, percentile, summarise

histograms = st.dictionaries(st.integers(0, 40), st.integers(1, 10**9), min_size=1, max_size=20)
Used = list[tuple[float, float, float]]


def used_of(histogram: dict[int, int], overflow: int = 0) -> Used:
    used: Used = [(*bounds_of(bucket), float(count)) for bucket, count in sorted(histogram.items())]
    return [*used, (2.0**41, inf, float(overflow))] if overflow else used


@given(histograms, st.integers(0, 1000), st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_percentiles_lie_within_their_bucket_and_rise(
    histogram: dict[int, int], overflow: int, shares: list[float]
) -> None:
    used = used_of(histogram, overflow)
    total = sum(count for *_, count in used)
    found = [percentile(used, share, Unit.US) for share in sorted(shares)]
    for share, quantity in zip(sorted(shares), found, strict=True):
        cumulated = accumulate(count for *_, count in used)
        wanted = share * total * (1 - 1e-12)
        lower, upper = next(
            (low, high) for (low, high, _), below in zip(used, cumulated, strict=True) if below >= wanted
        )
        assert lower <= quantity.seconds * 1e6 * (1 + 1e-9)
        assert quantity.seconds * 1e6 <= upper * (1 + 1e-9)
        assert quantity.beyond == (upper == inf)
    assert all(a.seconds <= b.seconds * (1 + 1e-12) for a, b in pairwise(found))


def test_a_percentile_is_linear_inside_its_range() -> None:
    used = [(0.0, 100.0, 50.0), (1000.0, 2000.0, 50.0)]
    assert percentile(used, 0.25, Unit.MS) == Quantity(pytest.approx(0.05))
    assert percentile(used, 0.5, Unit.MS) == Quantity(pytest.approx(0.1))
    assert percentile(used, 0.9, Unit.MS) == Quantity(pytest.approx(1.8))
    assert percentile(used, 1.0, Unit.MS) == Quantity(pytest.approx(2.0))


def test_a_summary_of_two_modes() -> None:
    ranges = [(256, 512), (8192, 16384), (1, 2)]
    found = summarise(ranges, np.array([950.0, 50.0, 0.0]), Unit.US, span=10.0, waited=0.9, estimated=True)
    assert (found.span, found.events, found.waited, found.estimated) == (10.0, 1000.0, 0.9, True)
    assert found.average == Quantity(pytest.approx(0.9e-3))
    assert found.p50 == Quantity(pytest.approx((256 + 256 * 500 / 950) * 1e-6))
    assert found.p99 == Quantity(pytest.approx((8192 + 8192 * 0.8) * 1e-6))
    assert found.maximum == Quantity(pytest.approx(16384e-6))


def test_what_lies_in_an_open_range_is_only_known_to_be_beyond() -> None:
    ranges = [(1, 2), (4096, None)]
    found = summarise(ranges, np.array([80.0, 20.0]), Unit.MS, span=1.0, waited=82.0, estimated=True)
    assert found.maximum == Quantity(4.096, beyond=True)
    assert found.p99 == Quantity(4.096, beyond=True)
    assert found.p50 is not None
    assert not found.p50.beyond
    assert found.average is not None
    assert found.average.beyond


def test_an_exact_average_is_no_limit() -> None:
    found = summarise([(4096, None)], np.array([2.0]), Unit.MS, span=1.0, waited=20.0, estimated=False)
    assert found.average == Quantity(10.0)


def test_without_events_there_are_no_latencies() -> None:
    found = summarise([(1, 2)], np.array([0.0]), Unit.MS, span=3.0, waited=0.0, estimated=True)
    assert (found.span, found.events, found.average, found.p50, found.maximum) == (3.0, 0.0, None, None, None)
