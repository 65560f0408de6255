"""What conditions say about data of which the truth is known."""

import json
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.conditions import exit_status, undecided
from pylatencymap.errors import Exit
from pylatencymap.window import UNCLOCKED_BIT
from tests.conditions.runs import check, gap, one_range, recorded, sampled, series

RANDOM = np.random.default_rng(90210)
ONE = 1000 * np.exp(0.6 * RANDOM.standard_normal(100_000))
"""Microseconds: one lognormal."""
TWO = np.concatenate(
    [100 * np.exp(0.3 * RANDOM.standard_normal(90_000)), 10_000 * np.exp(0.3 * RANDOM.standard_normal(10_000))]
)
"""A cache, and what lies behind it."""
BOTH = {"cache": sampled(TWO), "plain": sampled(ONE)}


def measured(text: str, run: Any, before: Any = None) -> tuple[float, float, float]:
    (found,) = check(text, run, before).checks
    return found.measures[0].value, found.measures[0].low, found.measures[0].high


@pytest.mark.parametrize(
    ("measure", "truth", "tolerance"),
    [
        ("p50", np.quantile(ONE, 0.5) * 1e-6, 0.01),
        ("p99", np.quantile(ONE, 0.99) * 1e-6, 0.02),
        ("p99.9", np.quantile(ONE, 0.999) * 1e-6, 0.05),
        ("average", ONE.mean() * 1e-6, 0.005),
    ],
)
def test_latencies_are_those_of_the_events(measure: str, truth: float, tolerance: float) -> None:
    value, low, high = measured(f"{measure} > 1us", {"one": sampled(ONE)})
    assert value == pytest.approx(truth, rel=tolerance)
    assert low <= truth <= high
    assert check(f"{measure} > {truth * 0.9}s", {"one": sampled(ONE)}).holds
    assert not check(f"{measure} > {truth * 1.1}s", {"one": sampled(ONE)}).holds


@pytest.mark.parametrize("threshold", [1024, 2048, 3000])
def test_shares_above_a_latency_are_those_of_the_events(threshold: int) -> None:
    run = {"one": sampled(ONE)}
    by_events, low, high = measured(f"events_above({threshold}us) > 0%", run)
    assert by_events == pytest.approx((threshold <= ONE).mean(), abs=0.005)
    assert low <= (threshold <= ONE).mean() <= high
    by_time, low, high = measured(f"time_above({threshold}us) > 0%", run)
    truth = ONE[threshold <= ONE].sum() / ONE.sum()
    assert by_time == pytest.approx(truth, abs=0.01)
    assert low <= truth <= high


def test_rate_events_and_time_waited_are_those_of_the_run() -> None:
    run = {"one": sampled(ONE, exact=True)}
    assert measured("rate > 1/s", run)[0] == 2000
    assert measured("events > 1", run) == (100_000, 100_000, 100_000)
    seconds = ONE.sum() * 1e-6
    assert measured("waited > 1ms/s", run) == pytest.approx((seconds / 50,) * 3)
    assert measured("average > 1us", run) == pytest.approx((seconds / 100_000,) * 3)


def test_modes_are_those_that_are_there() -> None:
    assert check("modes == 2", BOTH).holds
    assert check("sure(modes > 1)", BOTH).holds
    assert check('all("plain", modes == 1)', BOTH).holds
    assert not check('any("plain", modes > 1)', BOTH).holds


def test_time_in_gaps_is_no_time() -> None:
    run = series([64, 128, 256], [[100, 100], [0, 0], [100, 100]])
    run.columns["seconds"][1] = 0.0
    assert measured("rate > 1/s", {"a": run})[0] == 200


def test_sure_is_the_near_end_of_the_band() -> None:
    run = {"a": one_range(10_000, 1024)}
    value, low, high = measured("p99 > 1ms", run)
    assert (low, high) == (0.001024, 0.002048)
    for inside in (low + 1e-6, value - 1e-6):
        verdict = check(f"p99 > {inside}s", run)
        assert (verdict.holds, verdict.sure) == (True, False)
        assert not check(f"sure(p99 > {inside}s)", run).holds
    verdict = check("p99 > 1.02ms", run)
    assert (verdict.holds, verdict.sure) == (True, True)
    assert check("sure(p99 > 1.02ms)", run).holds
    verdict = check("p99 > 2.1ms", run)
    assert (verdict.holds, verdict.sure) == (False, True)
    verdict = check("p99 > 2.04ms", run)
    assert (verdict.holds, verdict.sure) == (False, False)


def test_not_turns_the_bands_as_well() -> None:
    run = {"a": one_range(10_000, 1024)}
    assert check("sure(not p99 > 2.1ms)", run).holds
    assert not check("sure(not p99 > 1.5ms)", run).holds
    assert not check("sure(not p99 < 1.5ms)", run).holds
    assert check("not sure(p99 > 1.5ms)", run).holds


def test_an_edge_is_not_more_than_itself() -> None:
    run = {"a": one_range(10_000, 8192)}
    assert not check("sure(p99 > 8.192ms)", run).holds
    assert check("sure(p99 >= 8.192ms)", run).holds
    assert check("sure(p99 > 8.191ms)", run).holds
    assert check("events_above(8.192ms) >= 100%", run).holds


def test_numbers_with_their_factor_are_compared_with_the_other_run() -> None:
    before, after = recorded(sda=sampled(ONE)), recorded(sda=sampled(1.5 * ONE))
    assert check("p99 > 1.2 * before.p99", after, before).holds
    assert check("p99 > before.p99 * 1.45", after, before).holds
    assert not check("p99 > 1.6 * before.p99", after, before).holds
    assert not check("sure(p99 > 1.45 * before.p99)", after, before).holds
    names = [one.measure for one in check("p99 > 1.2 * before.p99", after, before).checks[0].measures]
    assert names == ["p99", "before.p99"]


def test_the_other_run_is_asked_for_the_series_of_the_same_name() -> None:
    fast, slow = one_range(10_000, 1024), one_range(10_000, 8192)
    before, after = recorded(a=fast, b=slow), recorded(b=slow, a=slow)
    assert not check("p99 > 2 * before.p99", after, before).holds
    assert check('any("a", p99 > 2 * before.p99)', after, before).holds
    assert check("any(p99 > 2 * before.p99)", after, before).holds
    assert not check("all(p99 > 2 * before.p99)", after, before).holds
    absent = check('any("b", p99 > before.p99)', after, recorded(a=fast, c=slow))
    assert (absent.holds, absent.reason) == (None, "before has no series called b; there are: a; c")
    assert check("p99 > 2 * before.p99", recorded(nvme0=slow), recorded(sda=fast)).holds


def test_any_and_all_ask_each_series() -> None:
    run = {"sda": one_range(1000, 1024), "sdb": one_range(1000, 8192), "nvme": one_range(1000, 64)}
    assert not check("p99 > 4ms", run).holds  # that with the most time waited alone
    assert check("any(p99 > 4ms)", run).holds
    assert not check("all(p99 > 4ms)", run).holds
    assert check('all("SD*", p99 > 1ms)', run).holds
    assert not check('any("nvme", p99 > 1ms)', run).holds
    (verdict,) = [check("any(events > 100 and p99 > 4ms)", run)]
    assert verdict.sentence == ("any(events > 100 and p99 > 4ms) holds: sdb events 1,000, p99 16.3 ms (8.19-16.4 ms)")
    assert [one.series for one in verdict.checks if one.whole] == ["sdb", "sdb"]


def test_a_name_wins_over_a_pattern() -> None:
    run = {"sd[a]": one_range(1000, 8192), "sda": one_range(1000, 64)}
    assert check('all("sd[a]", p99 > 1ms)', run).holds


FEW = "a has 12 events; p99 needs 100"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p99 > 10ms", FEW),
        ("p99 < 10ms", FEW),
        ("not p99 > 10ms", FEW),
        ("sure(p99 > 10ms)", FEW),
        ("any(p99 > 10ms)", FEW),
        ("p99 > 10ms and rate > 1/s", FEW),
        ("p99 > 10ms or rate > 2/s", FEW),
        ("average > 1us", "a has 12 events; average needs 100"),
        ("modes > 1", "a has 12 events; modes needs 100"),
        ("time_above(1ms) > 1%", "a has 12 events; time_above needs 100"),
        ("events_above(1ms) > 1%", "a has 12 events; events_above needs 100"),
        ('any("", p99 > 1ms)', 'no series is called ""; there are: a'),
        ('any("b", p99 > 1ms)', "no series is called b; there are: a"),
        ('rate > 1/s or any("b", p99 > 1ms)', "no series is called b; there are: a"),
    ],
)
def test_what_cannot_be_told_neither_holds_nor_not(text: str, reason: str) -> None:
    verdict = check(text, {"a": one_range(12)})
    assert (verdict.holds, verdict.sure, verdict.reason) == (None, None, reason)
    assert verdict.sentence == f"{text} cannot be told: {reason}"


def test_what_is_told_without_all_parts_is_told() -> None:
    run = {"a": one_range(12), "b": one_range(1000, 8192)}
    assert check("p99 > 10ms or rate > 1/s", run).holds is True
    assert check("p99 > 10ms and rate > 2/s", run).holds is False
    assert check("any(p99 > 1ms)", run).holds is True
    assert check("any(p99 > 1s)", run).holds is None
    assert check("any(events > 100 and p99 > 1s)", run).holds is False


def test_a_percentile_needs_events_beyond_it() -> None:
    assert check("p99.9 > 1us", {"a": one_range(999)}).reason == "a has 999 events; p99.9 needs 1,000"
    assert check("p99.9 > 1us", {"a": one_range(1000)}).holds


def test_events_in_bursts_count_less() -> None:
    bursts = RANDOM.poisson(0.2, size=(30, 8)) * 40.0
    verdict = check("p99.9 > 1us", {"a": series([2.0**n for n in range(9)], bursts)})
    assert verdict.holds is None
    assert "because they come in bursts; p99.9 needs 1,000" in verdict.reason


def test_no_interval_and_no_series_cannot_be_told() -> None:
    assert check("rate < 5/s", {"a": gap()}).reason == "a has no interval"
    assert check("rate < 5/s", {}).reason == "there is no series"
    assert check("any(rate < 5/s)", {}).holds is None


def test_an_idle_series_has_a_rate() -> None:
    verdict = check("rate < 5/s", {"a": one_range(0)})
    assert (verdict.holds, verdict.sure) == (True, True)
    assert check("events == 0", {"a": one_range(0)}).holds


def test_in_a_range_without_an_end_only_the_lower_limit_is_known() -> None:
    run = {"a": series([64, 1024, inf], [[100, 100]] * 10)}
    assert check("p99 > 1ms", run).holds
    above = check("p99 > 10ms", run)
    assert above.holds is None
    assert above.reason == "a: p99 at least 1.02 ms: events in the range without an end leave p99 > 10ms open"
    assert check("p25 < 10ms", run).holds
    assert check("events_above(1.024ms) >= 50%", run).holds
    assert check("events_above(10ms) > 1%", run).holds is None
    assert check("events_above(10ms) > 60%", run).holds is False
    assert check("average > 10ms", run).holds is None
    assert check("time_above(512us) > 50%", run).holds is True
    assert check("time_above(512us) > 99%", run).holds is None


def test_times_of_zero_have_no_share() -> None:
    run = series([0, 64], [[100.0]] * 10, waited=0.0)
    assert check("time_above(1us) > 1%", {"a": run}).reason == "a waited for nothing"


VALUES = st.sampled_from(["rate > 1/s", "rate < 1/s", "p99 > 1ms"])
"""True, false and not known, for a run of 12 events in ten seconds."""
FORMS = ["{a} and {b}", "{a} or {b}", "not ({a} and {b})", "sure({a} or {b})", "any({a} or not {b})"]


@given(VALUES, VALUES)
def test_three_values_follow_the_laws_of_logic(a: str, b: str) -> None:
    run = recorded(x=one_range(12))
    for form in FORMS:
        assert check(form.format(a=a, b=b), run).holds is check(form.format(a=a, b=b), run).holds
    assert check(f"{a} and {b}", run).holds is check(f"{b} and {a}", run).holds
    assert check(f"not ({a} and {b})", run).holds is check(f"not {a} or not {b}", run).holds
    assert check(f"not ({a} or {b})", run).holds is check(f"not {a} and not {b}", run).holds
    assert check(f"not not {a}", run).holds is check(a, run).holds


@given(st.floats(0.1, 1e5), st.sampled_from(["<", "<=", ">", ">="]))
def test_what_is_sure_holds(micros: float, sign: str) -> None:
    text = f"p99 {sign} {micros}us"
    run = recorded(a=one_range(1000, 1024))
    plain, surely = check(text, run), check(f"sure({text})", run)
    assert surely.holds is (plain.holds is True and plain.sure is True)


def test_the_status_is_that_of_what_holds_then_of_what_cannot_be_told() -> None:
    run = {"a": one_range(1000)}
    holds, not_so, open_one = check("p99 > 1us", run), check("p99 > 1s", run), undecided("p99 > 1s", "no data")
    assert exit_status([]) is Exit.OK
    assert exit_status([not_so]) is Exit.OK
    assert exit_status([not_so, open_one]) is Exit.NO_INTERVAL
    assert exit_status([open_one, holds, not_so]) is Exit.CONDITION_HOLDS


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("p99 > 1us", "p99 16.3 ms (8.19-16.4 ms)"),
        ("p50 < 1s", "p50 11.6 ms (8.19-16.4 ms)"),
        ("events_above(8.192ms) > 50%", "events_above(8.192ms) 100 % (99.6-100 %)"),
        ("events_above(20ms) < 50%", "events_above(20ms) 0 % (0-0.38 %)"),
        ("rate > 1/s", "rate 100/s (94.0-106/s)"),
        ("events > 10", "events 1,000"),
        ("modes == 1", "modes 1"),
        ("waited > 1ms/s", "waited 1.18 s/s (844 ms/s-1.56 s/s)"),
    ],
)
def test_sentences_give_values_with_their_bands(condition: str, said: str) -> None:
    verdict = check(condition, {"a": one_range(1000, 8192)})
    assert verdict.sentence.replace(", but not surely", "") == f"{condition} holds: a {said}"


@pytest.mark.parametrize("condition", ["rate > 1/s", "rate < 1/s", "waited > 1ms/s", "any(rate > 1/s)"])
def test_nothing_is_told_per_second_where_the_length_of_the_only_interval_is_assumed(condition: str) -> None:
    lone = one_range(1000, 8192, columns=1)
    lone.columns["flags"] |= UNCLOCKED_BIT
    verdict = check(condition, {"a": lone})
    assert exit_status([verdict]) is Exit.NO_INTERVAL
    assert verdict.reason.startswith("a has one interval of unknown length")
    assert check("p99 > 1us", {"a": lone}).holds
    assert check("events == 1000", {"a": lone}).holds


def test_two_intervals_without_a_clock_have_a_rate() -> None:
    prints = one_range(1000, 8192, columns=2)
    prints.columns["flags"] |= UNCLOCKED_BIT
    assert check("rate > 1/s", {"a": prints}).holds


def test_json_has_what_was_measured() -> None:
    verdict = check("any(p99 > 1ms)", {"a": one_range(100, 1024)})
    told = json.loads(json.dumps(verdict.as_json(), allow_nan=False))
    assert (told["condition"], told["holds"], told["sure"], told["reason"]) == ("any(p99 > 1ms)", True, True, "")
    (one,) = told["checks"]
    assert (one["series"], one["comparison"], one["holds"]) == ("a", "p99 > 1ms", True)
    (measure,) = one["measures"]
    assert measure["high"] is None  # with 100 events, p99 can be beyond all of them
    assert (measure["measure"], measure["low"], measure["unit"]) == ("p99", 0.001024, "s")
