"""Comparisons of two recordings: what they say is what was put in."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.analysis import Comparison, Estimate, LatencyVerdict, TimedCounts, compare, rate_change
from pylatencymap.analysis.comparison.differences import RowRates, differences
from pylatencymap.analysis.comparison.sides import student
from tests.analysis.loads import BASE, EDGES, FAST, SLOW, mean_counts, mode, poisson, timed

SURE = (LatencyVerdict.SURE,)
FOUND = (LatencyVerdict.SURE, LatencyVerdict.DIFFERENT)


def of(before: np.ndarray, after: np.ndarray) -> Comparison:
    return compare([timed(before)], [timed(after)], EDGES)


def test_the_same_load_is_rarely_called_different() -> None:
    found = [of(poisson(mean_counts(120), seed), poisson(mean_counts(120), seed + 1000)) for seed in range(40)]
    assert sum(one.verdict is not LatencyVerdict.NONE for one in found) <= 6


def test_a_recording_does_not_differ_from_itself() -> None:
    counts = poisson(mean_counts(100))
    found = of(counts, counts)
    assert found.verdict is LatencyVerdict.NONE
    assert found.p == 1
    assert all(share.difference.value == 0 and not share.stated for share in found.shares)
    assert found.rate is not None
    assert not found.rate.different


def test_a_new_mode_is_found_where_it_is() -> None:
    with_mode = 0.97 * BASE + 0.03 * mode(18.5, 0.3)
    found = of(poisson(mean_counts(100), 1), poisson(mean_counts(100, with_mode), 2))
    assert found.verdict in SURE
    assert found.strongest is not None
    assert found.strongest.low <= EDGES[18]
    assert found.strongest.high >= EDGES[19]
    above = next(share for share in found.shares if math.isinf(share.high) and share.low == EDGES[17])
    assert above.stated
    assert above.before.value < 0.001
    assert above.difference.low <= 0.03 <= above.difference.high


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        (29, LatencyVerdict.TOO_FEW),
        (30, LatencyVerdict.DIFFERENT),
        (59, LatencyVerdict.DIFFERENT),
        (60, LatencyVerdict.SURE),
    ],
)
def test_short_recordings_are_never_sure(columns: int, verdict: LatencyVerdict) -> None:
    slower = np.roll(BASE, 1)
    found = of(poisson(mean_counts(columns), 1), poisson(mean_counts(columns, slower), 2))
    assert found.verdict is verdict
    assert found.columns == (columns, columns)


def test_too_few_events_are_no_difference() -> None:
    found = of(poisson(mean_counts(60, rate=0.1), 1), poisson(mean_counts(60, rate=0.1), 2))
    assert found.verdict is LatencyVerdict.TOO_FEW
    assert found.strongest is None


@pytest.mark.parametrize(("events", "verdict"), [(99, LatencyVerdict.TOO_FEW), (100, LatencyVerdict.SURE)])
def test_each_side_must_have_a_hundred_events(events: int, verdict: LatencyVerdict) -> None:
    fast, slow = np.zeros((24, 100)), np.zeros((24, 100))
    fast[6, :events], slow[12, :100] = 1, 1
    assert of(fast, slow).verdict is verdict
    assert of(slow, fast).verdict is verdict


def test_a_side_without_events_has_no_latencies_to_compare() -> None:
    found = of(np.zeros((24, 60)), poisson(mean_counts(60)))
    assert (found.verdict, found.shares, found.quantiles, found.seen) == (LatencyVerdict.TOO_FEW, (), (), None)
    assert found.rate is not None
    assert (found.rate.before, found.rate.different) == (0, True)


def test_the_band_of_estimates_widens_the_interval_of_their_ratio() -> None:
    sides = [timed(poisson(np.full((1, 100), 400.0), 1))], [timed(poisson(np.full((1, 100), 800.0), 2))]
    narrow = rate_change(*sides)
    assert narrow is not None
    assert narrow.ratio.low < 2 < narrow.ratio.high < 1.05 * narrow.ratio.low
    for low, high in ((0.8, 1.1), (1.0, 1.0)):
        wide = rate_change(*sides, known=(Estimate(1.0, low, high), Estimate(2.0, 2.0, 2.0)))
        assert wide is not None
        assert wide.ratio.value == narrow.ratio.value
        assert wide.ratio.high == pytest.approx(narrow.ratio.value / low, rel=0.03)
        assert wide.ratio.low == pytest.approx(narrow.ratio.value / high, rel=0.03)
    endless = rate_change(*sides, known=(Estimate(1.0, 0.0, 1.0), Estimate(2.0, 2.0, np.inf)))
    assert endless is not None
    assert math.isinf(endless.ratio.high)
    assert rate_change([timed(np.ones((1, 9)))], sides[1]) is None


def test_without_data_in_before_there_are_no_differences() -> None:
    data = RowRates(np.full((3, 20), 5.0), np.ones(20))
    silent = RowRates(np.zeros((3, 20)), np.zeros(20))
    assert not differences([silent], [data]).after[0].any()
    assert differences([RowRates(np.zeros((3, 20)), np.ones(20))], [data]).after[0].all()


def test_a_rate_that_changes_alone_is_told_as_a_rate() -> None:
    found = of(poisson(mean_counts(100), 1), poisson(mean_counts(100, rate=520), 2))
    assert found.verdict is LatencyVerdict.NONE
    assert found.rate is not None
    assert found.rate.different
    assert found.rate.ratio.low <= 1.3 <= found.rate.ratio.high
    assert found.rate.ratio.high / found.rate.ratio.low < 1.1


def test_latencies_that_change_alone_are_no_rate() -> None:
    found = of(poisson(mean_counts(100), 1), poisson(mean_counts(100, np.roll(BASE, 1)), 4))
    assert found.verdict in SURE
    assert found.rate is not None
    assert found.rate.ratio.low <= 1 <= found.rate.ratio.high


def test_rates_are_per_exact_second() -> None:
    counts = poisson(mean_counts(100), 1)
    found = compare([timed(counts)], [timed(counts, 2.0)], EDGES)
    assert found.rate is not None
    assert found.rate.before == pytest.approx(2 * found.rate.after)
    assert found.rate.ratio.low <= 0.5 <= found.rate.ratio.high


def test_a_drift_through_both_sides_is_called_drift() -> None:
    slow = np.linspace(0.05, 0.45, 200)
    mean = 400 * ((1 - slow) * mode(FAST)[:, None] + slow * mode(SLOW)[:, None])
    counts = poisson(mean)
    assert of(counts[:, :100], counts[:, 100:]).verdict is LatencyVerdict.DRIFT


def test_no_ratio_where_a_percentile_lies_between_two_modes() -> None:
    found = of(poisson(mean_counts(100), 1), poisson(mean_counts(100), 2))
    ratios = {change.q: change.ratio for change in found.quantiles}
    assert ratios[0.9] is None  # a tenth of the events are in the slow mode
    assert ratios[0.5] is not None
    assert ratios[0.99] is not None


def test_no_ratio_where_a_percentile_crosses_from_one_mode_to_the_other() -> None:
    slow = 0.3 * mode(FAST) + 0.7 * mode(SLOW)
    found = of(poisson(mean_counts(100), 1), poisson(mean_counts(100, slow), 2))
    median = found.quantiles[0]
    assert median.before.value < 1e-3 < median.after.value
    assert median.ratio is None


def test_a_single_mode_that_moves_has_a_ratio() -> None:
    found = of(poisson(mean_counts(100, mode(8)), 1), poisson(mean_counts(100, mode(11)), 2))
    for change in found.quantiles:
        assert change.ratio is not None
        assert change.ratio.low <= 8 <= change.ratio.high
        assert change.ratio.value == pytest.approx(8, rel=0.1)


def test_runs_that_differ_among_themselves_show_nothing() -> None:
    shares = [0.04, 0.10, 0.16, 0.22, 0.28]
    sides = [
        [timed(poisson(mean_counts(60, (1 - s) * mode(FAST) + s * mode(SLOW)), seed)) for seed, s in enumerate(part)]
        for part in (shares, shares[::-1])
    ]
    assert compare(*sides, EDGES).verdict is LatencyVerdict.NONE
    assert compare(sides[0][:1], sides[1][:1], EDGES).verdict in SURE  # one run each cannot know


def test_runs_that_differ_from_the_other_side_alone_show_it() -> None:
    sides = [
        [timed(poisson(mean_counts(60, shares), seed + first)) for seed in range(5)]
        for first, shares in ((0, BASE), (50, np.roll(BASE, 1)))
    ]
    assert compare(*sides, EDGES).verdict in SURE


def test_gaps_have_no_part_in_it() -> None:
    before, after = poisson(mean_counts(80), 1), poisson(mean_counts(80, np.roll(BASE, 1)), 2)
    seconds = np.insert(np.ones(80), 40, np.zeros(7))
    with_gap = TimedCounts(np.insert(after, [40] * 7, 0.0, axis=1), seconds)
    plain, gapped = (compare([timed(before)], [side], EDGES, seed=5) for side in (timed(after), with_gap))
    assert plain == gapped


def test_the_same_data_give_the_same_answer() -> None:
    before, after = poisson(mean_counts(60), 1), poisson(mean_counts(60), 2)
    assert of(before, after) == of(before.copy(), after.copy())


def test_what_would_have_been_seen_is_seen() -> None:
    fine = 1e-6 * 2.0 ** (np.arange(24 * 8 + 1) / 8)
    middles = (np.arange(24 * 8) + 0.5) / 8

    def load(seed: int, by: float) -> np.ndarray:
        shares = np.exp(-(((middles - 8 - by) / 0.6) ** 2))
        return poisson(np.repeat(400 * shares[:, None] / shares.sum(), 100, axis=1), seed)

    hits = []
    for seed in range(12):
        said = compare([timed(load(seed, 0))], [timed(load(seed + 100, 0))], fine).seen
        if said is not None:
            changed = compare([timed(load(seed, 0))], [timed(load(seed + 100, math.log2(1 + said)))], fine)
            hits.append(changed.p <= 0.05)
            assert changed.seen is None or changed.p > 0.05
    assert sum(hits) >= 0.7 * len(hits)


@settings(max_examples=10, deadline=None)
@given(power=st.integers(-10, 10))
def test_longer_latencies_by_a_power_of_two_change_nothing_but_latencies(power: int) -> None:
    before, after = timed(poisson(mean_counts(60), 1)), timed(poisson(mean_counts(60, np.roll(BASE, 1)), 2))
    plain, scaled = (compare([before], [after], EDGES * factor, shuffles=99) for factor in (1.0, 2.0**power))
    assert scaled.p == plain.p
    assert [share.low for share in scaled.shares] == [share.low * 2.0**power for share in plain.shares]
    assert [share.difference for share in scaled.shares] == [share.difference for share in plain.shares]
    for one, other in zip(plain.quantiles, scaled.quantiles, strict=True):
        assert other.before.value == pytest.approx(one.before.value * 2.0**power)


def test_the_sides_can_be_swapped() -> None:
    before, after = poisson(mean_counts(60), 1), poisson(mean_counts(60, np.roll(BASE, 1), 500), 2)
    there, back = of(before, after), of(after, before)
    assert there.verdict is back.verdict
    for one, other in zip(there.shares, back.shares, strict=True):
        assert other.difference.value == pytest.approx(-one.difference.value)
    assert there.rate is not None
    assert back.rate is not None
    assert there.rate.ratio.value * back.rate.ratio.value == pytest.approx(1)


@pytest.mark.parametrize("edges", [np.append(0.0, EDGES[1:]), np.append(EDGES[:-1], np.inf)])
def test_rows_from_zero_and_without_end_are_accepted(edges: np.ndarray) -> None:
    wide = 0.95 * BASE
    wide[0] += 0.025
    wide[-1] += 0.025
    found = compare([timed(poisson(mean_counts(60, wide), 1))], [timed(poisson(mean_counts(60, wide), 2))], edges)
    assert found.verdict is LatencyVerdict.NONE
    assert all(share.low >= 0 for share in found.shares)


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        compare([timed(np.ones((3, 40)))], [timed(np.ones((3, 40)))], np.ones(3))


@pytest.mark.parametrize(("freedom", "point"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262), (200, 1.972)])
def test_student_is_that_of_the_tables(freedom: int, point: float) -> None:
    assert student(freedom) == pytest.approx(point, rel=0.008)


def test_no_share_changes_by_more_than_there_is() -> None:
    """Where the blocks of a side have all or nothing in a row, its interval ends at all and at nothing."""
    fast, slow = np.zeros((24, 60)), np.zeros((24, 60))
    fast[6], slow[12] = 400, 400
    fast[6, :6], fast[12, :6] = 0, 400
    slow[12, :6], slow[6, :6] = 0, 400
    found = of(fast, slow)
    assert found.shares
    for one in found.shares:
        assert -1 <= one.difference.low <= one.difference.value <= one.difference.high <= 1
        assert one.difference.high <= one.after.high - one.before.low
