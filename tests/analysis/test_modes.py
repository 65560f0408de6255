"""``find_modes`` on distributions whose modes are known, and laws that hold for any counts."""

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.analysis import Modes, ShownCount, find_modes
from tests.analysis.shapes import columns_of, counted, drawn, expected, grid

MS = 1e-3
RESOLUTIONS = (1, 2, 4, 8)
COUNTS = st.lists(st.one_of(st.just(0), st.integers(0, 5_000)), min_size=1, max_size=60)


def seen(seed: int, resolution: int, *parts: tuple[float, float, int]) -> Modes:
    edges = grid(resolution)
    return find_modes(counted(drawn(seed, *parts), edges), edges)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("events", [300, 10_000, 300_000])
@pytest.mark.parametrize("sigma", [0.1, 0.6, 1.2])
def test_one_lognormal_is_one_mode(resolution: int, events: int, sigma: float) -> None:
    found = seen(events, resolution, (3.3 * MS, sigma, events))
    (mode,) = found.modes
    assert found.events == events
    assert mode.share.value == mode.wait.value == 1.0
    assert mode.lower < 3.3 * MS < mode.upper
    assert mode.typical == pytest.approx(3.3 * MS, rel=0.2 if resolution < 4 else 0.1)
    assert (mode.rate, found.tail) == (None, None)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("minor", [60, 3_000, 20_000])
def test_two_lognormals_apart_are_two_modes(resolution: int, minor: int) -> None:
    found = seen(minor, resolution, (0.1 * MS, 0.4, 30_000), (10 * MS, 0.2, minor))
    cache, disk = found.modes
    assert (found.sure, found.possible) == (2, 2)
    share = minor / (30_000 + minor)
    assert disk.share.value == pytest.approx(share, abs=0.002)
    assert disk.share.low < share < disk.share.high
    waited = 10 * minor * np.exp(0.02) / (10 * minor * np.exp(0.02) + 0.1 * 30_000 * np.exp(0.08))
    assert disk.wait.low < waited < disk.wait.high
    assert cache.share.value + disk.share.value == pytest.approx(1)
    assert cache.wait.value + disk.wait.value == pytest.approx(1)
    assert cache.typical == pytest.approx(0.1 * MS, rel=0.12)
    assert disk.typical == pytest.approx(10 * MS, rel=0.12)
    assert cache.end <= disk.begin < disk.lower < 10 * MS < disk.upper


def test_modes_are_looked_for_in_the_density_and_not_in_counts() -> None:
    """Buckets of an octave differ in width: equal density has counts like the teeth of a saw."""
    edges = grid(4)
    counts = np.zeros(len(edges) - 1)
    counts[16:48] = np.round(1_000_000 * np.log2(edges[17:49] / edges[16:48]))
    assert find_modes(counts, edges).possible == 1


def test_a_range_is_whole_edges_where_buckets_are_wide() -> None:
    for resolution in (1, 2):
        (mode,) = seen(1, resolution, (1 * MS, 0.5, 5_000)).modes
        assert mode.lower in grid(resolution)
        assert mode.upper in grid(resolution)
    (mode,) = seen(1, 8, (1 * MS, 0.5, 5_000)).modes
    assert mode.lower == pytest.approx(MS * np.exp(-1.645 * 0.5), rel=0.05)
    assert mode.upper == pytest.approx(MS * np.exp(1.645 * 0.5), rel=0.05)


@pytest.mark.parametrize("events", [1, 5, 19])
def test_a_few_events_apart_are_a_tail_and_no_mode(events: int) -> None:
    edges = grid()
    counts = expected(edges, (0.2 * MS, 0.4, 5_000)).round()
    counts[np.searchsorted(edges, 1.0) - 1] += events
    found = find_modes(counts, edges)
    assert found.sure == 1
    assert found.tail is not None
    assert found.tail.bound == pytest.approx(0.524288)
    assert found.tail.events == events
    true = 0.75 * events / (0.75 * events + 5_000 * 0.2 * MS)
    assert found.tail.wait.value == pytest.approx(true, abs=0.1)
    assert found.tail.wait.low <= found.tail.wait.value <= found.tail.wait.high


def test_twenty_events_apart_are_a_mode_and_no_tail() -> None:
    edges = grid()
    counts = expected(edges, (0.2 * MS, 0.4, 5_000)).round()
    counts[np.searchsorted(edges, 1.0) - 1] += 20
    found = find_modes(counts, edges)
    assert [mode.events for mode in found.modes][1] == 20
    assert found.tail is None


def test_a_tail_is_named_only_where_it_has_much_of_the_wait() -> None:
    edges = grid()
    counts = expected(edges, (0.2 * MS, 0.4, 50_000)).round()
    counts[np.searchsorted(edges, 4 * MS) - 1] += 2
    assert find_modes(counts, edges).tail is None


def test_below_a_hundred_events_it_is_too_few_to_tell() -> None:
    edges = grid()
    counts = np.zeros(len(edges) - 1)
    counts[[5, 15]] = 49, 50
    few = find_modes(counts, edges)
    assert (few.too_few, few.sure, few.possible, few.modes, few.shown(2)) == (True, 0, 0, (), ())
    counts[5] += 1
    assert find_modes(counts, edges).sure == 2
    assert find_modes(counts, edges, bunch=1.1).too_few
    assert find_modes(np.zeros(len(edges) - 1), edges).too_few


def test_bursts_are_no_modes() -> None:
    """One mode whose events come in bursts of 20: without their bunching, chance looks like a second one."""
    edges = grid(8)
    mean = expected(edges, (1 * MS, 0.6, 20_000))
    found = [columns_of(mean, 60, seed, burst=20) for seed in range(40)]
    assert sum(find_modes(counts, edges).sure > 1 for counts in found) <= 2
    assert sum(find_modes(counts, edges, bunch=1.0).sure > 1 for counts in found) > 10


def test_what_a_tick_does_to_buckets_is_no_mode() -> None:
    """A timer that counts 10 us: in buckets of 1 to 8 us some hold two of its steps, others one or none."""
    edges = grid(8)
    floored = np.floor(drawn(3, (60e-6, 0.7, 20_000)) / 10e-6) * 10e-6 + 1e-9
    counts = counted(floored, edges)
    found = find_modes(counts, edges)
    assert found.tick == pytest.approx(10e-6)
    assert (found.sure, find_modes(counts, edges, tick=0).sure > 1) == (1, True)


def test_rates_are_of_the_seconds_that_have_data() -> None:
    edges = grid()
    counts = columns_of(expected(edges, (0.1 * MS, 0.3, 6_000), (20 * MS, 0.3, 3_000)), 30, 1)
    counts = np.insert(counts, 10, 0.0, axis=1)
    seconds = np.where(counts.any(axis=0), 2.0, 0.0)
    rates = [mode.rate for mode in find_modes(counts, edges, seconds).modes]
    assert rates == [pytest.approx(100, rel=0.05), pytest.approx(50, rel=0.08)]


def test_an_exact_sum_wins_over_the_estimate() -> None:
    edges = grid()
    latencies = drawn(1, (0.1 * MS, 0.1, 9_000), (9 * MS, 0.01, 1_000))
    found = find_modes(counted(latencies, edges), edges, exact=float(latencies.sum()))
    true = latencies[latencies > MS].sum() / latencies.sum()
    assert sum(mode.waited.value for mode in found.modes) == pytest.approx(latencies.sum())
    wait = found.modes[1].wait
    assert wait.low <= true <= wait.high
    loose = find_modes(counted(latencies, edges), edges).modes[1].wait
    assert wait.high - wait.low < loose.high - loose.low


def test_first_and_last_buckets_without_a_bound() -> None:
    """[0, 1 ms) and [1 s, infinity) hold a mode each: their ranges say no more than is known."""
    edges = np.array([0, 1, 2, 4, 8, 16, 32, 64, 128, 1000, np.inf]) * MS
    counts = np.array([500, 0, 0, 100, 900, 120, 0, 0, 0, 200])
    fast, middle, slow = find_modes(counts, edges).modes
    assert (fast.lower, fast.upper, slow.lower, slow.upper) == (0, MS, 1.0, np.inf)
    assert (fast.waited.low, slow.waited.high, slow.typical) == (0, np.inf, 1.0)
    assert slow.waited.low >= 200
    assert (slow.wait.high, middle.wait.low) == (1.0, 0.0)


def test_very_fine_rows_hold_the_same_modes() -> None:
    """HdrHistogram has a thousand buckets an octave: too few events in each for peaks to stand out."""
    latencies = drawn(2, (0.1 * MS, 0.3, 9_000), (10 * MS, 0.02, 1_000))
    found = [find_modes(counted(latencies, edges), edges) for edges in (grid(8), grid(1024))]
    assert [one.sure for one in found] == [one.possible for one in found] == [2, 2]
    assert found[1].modes[1].typical == pytest.approx(10 * MS, rel=0.003)


@settings(max_examples=60)
@given(COUNTS, st.sampled_from(RESOLUTIONS), st.integers(-3, 6))
def test_scaling_latencies_by_a_power_of_two_moves_modes_by_it(
    counts: list[int], resolution: int, octaves: int
) -> None:
    edges, factor = grid(resolution, 60)[: len(counts) + 1], 2.0**octaves
    one, other = find_modes(counts, edges, tick=0), find_modes(counts, edges * factor, tick=0)
    assert (one.sure, one.possible, one.tail is None) == (other.sure, other.possible, other.tail is None)
    for mode, moved in zip(one.candidates[-1:], other.candidates[-1:], strict=True):
        for a, b in zip(mode, moved, strict=True):
            for name in ("lower", "upper", "typical", "begin", "end"):
                assert getattr(b, name) == pytest.approx(getattr(a, name) * factor)
            assert (a.events, a.share) == (b.events, b.share)
            assert b.wait.value == pytest.approx(a.wait.value)


@settings(max_examples=60)
@given(COUNTS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_columns_does_not_matter_but_for_bursts(counts: list[int], columns: int, order) -> None:
    edges = grid(2, 60)[: len(counts) + 1]
    table = np.array([[count * (column + 1) % 97 for column in range(columns)] for count in counts], dtype=float)
    shuffled = table[:, order.sample(range(columns), columns)]
    assert find_modes(table, edges, bunch=1.0) == find_modes(shuffled, edges, bunch=1.0)
    assert find_modes(table, edges, bunch=1.0) == find_modes(table.sum(axis=1), edges)


@settings(max_examples=150)
@given(COUNTS, st.sampled_from(RESOLUTIONS), st.sampled_from((1.0, 3.0)), st.booleans(), st.booleans())
def test_whatever_is_counted_the_figures_belong_together(
    counts: list[int], resolution: int, bunch: float, from_zero: bool, is_open: bool
) -> None:
    edges = grid(resolution, 60)[: len(counts) + 1]
    edges[0], edges[-1] = (0.0 if from_zero else edges[0]), (np.inf if is_open else edges[-1])
    found = find_modes(counts, edges, 10.0, bunch=bunch)
    assert found.events == sum(counts)
    assert found.too_few == (sum(counts) / bunch < 100)
    assert [len(modes) for modes in found.candidates] == [*range(found.sure, found.possible + 1)][
        : len(found.candidates)
    ]
    assert all(mode.events >= 20 * bunch for mode in found.modes if found.sure > 1)
    for modes in found.candidates:
        assert sum(mode.events for mode in modes) == pytest.approx(sum(counts))
        assert sum(mode.share.value for mode in modes) == pytest.approx(1)
        assert sum(mode.wait.value for mode in modes) == pytest.approx(1)
        assert all(one.end <= other.begin for one, other in pairwise(modes))
        for mode in modes:
            assert 0 <= mode.begin <= mode.lower <= mode.typical <= mode.upper <= mode.end
            assert mode.rate == mode.events / 10
            for name in {field.name for field in fields(mode)} & {"share", "wait", "waited"}:
                one = getattr(mode, name)
                assert 0 <= one.low <= one.value + 1e-12
                assert one.value <= one.high + 1e-12


def told(sure: int, possible: int) -> Modes:
    """Modes of which only the numbers matter."""
    edges = grid()
    counts = np.zeros(len(edges) - 1)
    counts[[3 * place for place in range(1, possible + 1)]] = 1_000
    all_of_them = find_modes(counts, edges).modes
    assert len(all_of_them) == possible
    return Modes(1e3, 1, 0, tuple(all_of_them[:many] for many in range(sure, possible + 1)))


def test_the_number_shown_changes_only_when_it_has_to() -> None:
    shown = ShownCount()
    for sure, possible, expected_count in [(1, 1, 1), (1, 2, 1), (2, 2, 2), (1, 2, 2), (1, 3, 2), (1, 1, 1), (1, 2, 1)]:
        shown = shown.after(told(sure, possible))
        assert shown.count == expected_count


def test_a_mode_that_is_only_possible_is_given_up_after_a_minute_of_columns() -> None:
    shown = ShownCount().after(told(2, 2))
    doubtful = told(1, 2)
    for _ in range(59):
        shown = shown.after(doubtful)
    assert (shown.count, shown.after(told(2, 2)), shown.after(doubtful)) == (2, ShownCount(2), ShownCount(1))
    assert ShownCount(2).after(doubtful, columns=60) == ShownCount(1)
    assert shown.after(Modes(50, 1, 0)).count == 0


def test_the_candidates_hold_as_many_modes_as_are_asked_for() -> None:
    found = told(1, 3)
    assert [len(found.shown(count)) for count in (0, 1, 2, 3, 4)] == [1, 1, 2, 3, 3]
    assert found.modes == found.shown(1)


def test_what_a_mode_needs_to_be_seen() -> None:
    edges = grid()
    found = find_modes(expected(edges, (MS, 0.4, 100_000)), edges)
    assert found.smallest_seen == pytest.approx(30 / 100_000, rel=1e-3)
    assert Modes(10, 1, 0).smallest_seen == Modes(0, 1, 0).smallest_seen == 1.0


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="one more edge than buckets"):
        find_modes([1, 2, 3], [1, 2, 3])


@pytest.mark.parametrize("median", [8.6, 10.0, 14.0, 16.0])
def test_the_sum_narrows_where_the_median_of_a_mode_lies(median: float) -> None:
    """A disk inside one octave, of which the source tells the sum: mean and median are about the same."""
    edges = grid()
    latencies = drawn(5, (0.1 * MS, 0.3, 9_000), (median * MS, 0.01, 1_000))
    counts = counted(latencies, edges)
    known, unknown = (find_modes(counts, edges, exact=exact).modes[1] for exact in (float(latencies.sum()), None))
    assert unknown.typical_band == pytest.approx((8.192 * MS, 16.384 * MS))
    assert known.median.low <= median * MS * 1.001
    assert median * MS * 0.999 <= known.median.high
    assert known.median.low <= known.typical <= known.median.high
    assert known.median.high - known.median.low < 8 * MS
    assert abs(known.typical - median * MS) <= abs(unknown.typical - median * MS) + 1e-9
