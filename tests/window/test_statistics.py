"""Averages and percentiles."""

from collections.abc import Callable
from math import inf

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.analysis import percentiles_of, time_waited
from pylatencymap.buckets import bounds_of
from pylatencymap.units import Unit
from pylatencymap.window.statistics import Quantity, Summary, summarise
from pylatencymap.window.store import RangeKey

histograms = st.dictionaries(st.integers(0, 40), st.integers(1, 10**9), min_size=1, max_size=20)


def summary_of(histogram: dict[int, int], overflow: int = 0) -> Summary:
    ranges: list[RangeKey] = [bounds_of(bucket) for bucket in sorted(histogram)]
    counts = [float(histogram[bucket]) for bucket in sorted(histogram)]
    if overflow:
        ranges, counts = [*ranges, (2**41, None)], [*counts, float(overflow)]
    return summarise(ranges, np.array(counts), Unit.US, span=1.0, waited=None, estimated=True)


@given(histograms, st.integers(0, 1000))
def test_percentiles_are_those_of_the_analysis_with_their_bands(histogram: dict[int, int], overflow: int) -> None:
    found = summary_of(histogram, overflow)
    used = sorted(histogram)
    edges = sorted({bound * 1e-6 for bucket in used for bound in bounds_of(bucket)})
    counts = [float(histogram.get(number, 0)) for number in map(rows_by_edge(used), edges[:-1])]
    if overflow:
        edges, counts = [*edges, *([2**41 * 1e-6] if edges[-1] < 2**41 * 1e-6 else []), inf], counts
        counts += [0.0] * (len(edges) - 2 - len(counts)) + [float(overflow)]
    expected = percentiles_of(counts, edges, (0.5, 0.9, 0.99), bunch=1.0)
    for one, quantity in zip(expected, (found.p50, found.p90, found.p99), strict=True):
        assert quantity is not None
        assert (quantity.seconds, quantity.low, quantity.high) == pytest.approx((one.value, one.low, one.high))
        assert quantity.beyond == (overflow > 0 and quantity.seconds >= 2**41 * 1e-6)
    assert found.waited == pytest.approx(time_waited(counts, edges, bunch=1.0).value)


def rows_by_edge(used: list[int]) -> Callable[[float], int]:
    """The bucket that begins at an edge in seconds; -1 for a hole."""
    begins = {round(bounds_of(bucket)[0]): bucket for bucket in used}
    return lambda edge: begins.get(round(edge * 1e6), -1)


def test_a_summary_of_two_modes() -> None:
    ranges = [(256, 512), (8192, 16384), (1, 2)]
    found = summarise(ranges, np.array([950.0, 50.0, 0.0]), Unit.US, span=10.0, waited=0.9, estimated=True)
    assert (found.span, found.events, found.waited, found.estimated) == (10.0, 1000.0, 0.9, True)
    assert found.average == Quantity(pytest.approx(0.9e-3))
    assert found.p50 is not None
    assert 256e-6 == found.p50.low < found.p50.seconds < found.p50.high == 512e-6
    assert found.p99 is not None
    assert 8192e-6 == found.p99.low < found.p99.seconds < found.p99.high == 16384e-6
    assert found.maximum == Quantity(pytest.approx(16384e-6))


def test_what_lies_in_an_open_range_is_only_known_to_be_beyond() -> None:
    ranges = [(1, 2), (4096, None)]
    found = summarise(ranges, np.array([80.0, 20.0]), Unit.MS, span=1.0, waited=82.0, estimated=True)
    assert found.maximum == Quantity(4.096, beyond=True)
    assert found.p99 is not None
    assert (found.p99.seconds, found.p99.beyond) == (4.096, True)
    assert found.p50 is not None
    assert not found.p50.beyond
    assert found.average is not None
    assert found.average.beyond


def test_an_exact_average_is_no_limit() -> None:
    found = summarise([(4096, None)], np.array([2.0]), Unit.MS, span=1.0, waited=20.0, estimated=False)
    assert found.average == Quantity(10.0, low=10.0, high=10.0)


def test_without_events_there_are_no_latencies() -> None:
    found = summarise([(1, 2)], np.array([0.0]), Unit.MS, span=3.0, waited=0.0, estimated=True)
    assert (found.span, found.events, found.average, found.p50, found.maximum) == (3.0, 0.0, None, None, None)
