"""Verdicts of comparisons: each sentence where it is true, and where it is just not."""

from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest

import pylatencymap as lm
from pylatencymap.analysis import Estimate, LatencyVerdict, QuantileChange, ShareChange
from pylatencymap.errors import NoInterval
from pylatencymap.findings import SeriesRun, compare_sides
from pylatencymap.findings.comparison.change_words import (
    exact_share,
    points_between_words,
    points_words,
    ratio_words,
    times_words,
)
from pylatencymap.findings.comparison.compared import Direction
from pylatencymap.findings.comparison.one_sided import one_sided_words
from pylatencymap.findings.comparison.side_facts import full_verdict
from pylatencymap.findings.comparison.verdict import moved_words, verdict_word, verdict_words
from tests.analysis.loads import BASE, EDGES, FAST, SLOW, mean_counts, mode, poisson
from tests.findings.sides import SLOWER, UTC, compared, findings, gap, load, run_of, with_incident

MS = 1e-3


def test_slower_and_faster_with_the_share_that_tells_it() -> None:
    said = findings(load(seed=1), load(seed=2, shares=SLOWER)).verdict
    assert said.startswith("AFTER is slower, sure: 20.")
    assert "% of I/Os take more than 1.02 ms, 9.8 % before (+" in said
    assert findings(load(seed=2, shares=SLOWER), load(seed=1)).verdict.startswith("AFTER is faster, sure: ")


MIDDLE = mode(10.0)
ENDS = 0.5 * mode(6.6) + 0.5 * mode(13.4)


def test_more_of_the_fast_and_of_the_slow_or_less_of_both() -> None:
    wider, narrower = (
        findings(load(seed=1, shares=MIDDLE), load(seed=2, shares=ENDS)),
        findings(load(seed=1, shares=ENDS), load(seed=2, shares=MIDDLE)),
    )
    assert wider.verdict.startswith("AFTER has more of the fast and of the slow, sure: ")
    assert narrower.verdict.startswith("AFTER has less of the fast and of the slow, sure: ")
    assert [one.as_dict()["series"][0]["direction"] for one in (wider, narrower)] == ["wider", "narrower"]


def test_what_went_both_ways_is_told_at_both_ends() -> None:
    one = compared(load(seed=1, shares=ENDS), load(seed=2, shares=MIDDLE))
    ((_, said), *_) = verdict_words(one)
    rise, fall = said.split("; ")[:2]
    assert float(rise.split(" % of I/Os take more than")[0].lstrip(">")) > 95
    assert "% before (+4" in rise
    assert "% before (-" in fall


def test_what_moved_one_way_has_one_direction() -> None:
    assert compared(load(seed=1, shares=MIDDLE), load(seed=2, shares=mode(11.0))).direction is Direction.SLOWER
    assert compared(load(seed=1, shares=mode(11.0)), load(seed=2, shares=MIDDLE)).direction is Direction.FASTER


def test_shares_that_rise_and_fall_by_turns_are_mixed() -> None:
    three = 0.3 * mode(6.6) + 0.4 * mode(10.5) + 0.3 * mode(14.4)
    other = 0.6 * mode(8.5) + 0.1 * mode(12.5) + 0.3 * mode(16.0)
    said = findings(load(200, 1, three), load(200, 2, other))
    assert said.as_dict()["series"][0]["direction"] == "mixed"
    assert said.verdict.startswith("AFTER is faster at some latencies and slower at others, sure: ")


def test_no_difference_says_what_would_have_been_seen() -> None:
    said = findings(load(seed=1), load(seed=2)).verdict
    assert said.startswith("No difference that these data could show: a change of all latencies by ")
    assert "would have been seen." in said
    assert "never sure" not in said


@pytest.mark.parametrize(("columns", "said"), [(59, True), (60, False)])
def test_few_columns_are_never_sure(columns: int, said: bool) -> None:
    verdict = findings(load(columns, 1), load(columns, 2, SLOWER)).verdict
    assert (f"{columns} columns a side: never sure, which takes 60." in verdict) is said
    assert verdict.startswith(f"AFTER is slower, {'not sure' if said else 'sure'}:")


def test_the_shorter_side_leaves_it_in_doubt() -> None:
    assert "40 columns on the shorter side: never sure" in findings(load(40, 1), load(90, 2)).verdict


@pytest.mark.parametrize(("columns", "told"), [(29, False), (30, True)])
def test_too_few_columns_tell_nothing(columns: int, told: bool) -> None:
    verdict = findings(load(columns, 1), load(columns, 2, SLOWER)).verdict
    expected = f"Too little to compare: {columns} columns a side, and it takes 30."
    assert verdict.startswith(expected) is not told


def events(many: int, slow: int = 0, columns: int = 60) -> SeriesRun:
    """So many events of 64-128 us, and so many of 8-16 ms, spread over the columns."""
    counts = np.zeros((24, columns))
    np.add.at(counts[6], np.arange(many) * 7 % columns, 1)
    np.add.at(counts[13], np.arange(slow) * 11 % columns, 1)
    return run_of(counts)


@pytest.mark.parametrize(("many", "few"), [(49, True), (50, False)])
def test_too_few_events_tell_nothing(many: int, few: bool) -> None:
    said = findings(events(50, 50), events(many, 50)).verdict
    assert said.startswith(f"Too little to compare: 100 and {many + 50} I/Os a side, and it takes 100.") is few


def test_no_bound_between_the_events_tells_nothing() -> None:
    said = findings(events(150), events(150)).verdict
    assert said.startswith("Too little to compare: no bound of a range divides the I/Os so that 20 of them lie on each")


def test_what_would_hardly_have_been_seen_is_too_little() -> None:
    one = compared(load(seed=1), load(seed=2))
    little = replace(one.found, verdict=LatencyVerdict.TOO_FEW, seen=1.22)
    ((head, said), *_) = verdict_words(replace(one, found=little))
    assert (head, said) == ("Too little to compare:", "only a change of all latencies by 122 % would have been seen.")
    lumpy = np.zeros((24, 60))
    lumpy[6, ::10], lumpy[7, 5::10] = 40, 40
    found = compared(run_of(lumpy), run_of(np.roll(lumpy, 3, axis=1))).found
    assert found.seen is not None
    assert (found.verdict is LatencyVerdict.TOO_FEW) is (found.seen > 1)


@pytest.mark.parametrize(("turns", "does"), [(False, "drifts"), (True, "changes")])
def test_a_side_that_hides_a_difference_by_its_own_change_is_named(turns: bool, does: str) -> None:
    """60 columns in which the misses fall from half of all to nearly none, little by little or at once."""
    part = np.where(np.arange(60) < 30, 0.5, 0.02) if turns else np.linspace(0.5, 0.02, 60)
    mean = 400 * (np.outer(mode(6.6), 1 - part) + np.outer(mode(13.2), part))
    falling, other = run_of(poisson(mean, 3)), load(60, shares=0.75 * mode(6.6) + 0.25 * mode(13.2))
    for sides, name in (((other, falling), "AFTER"), ((falling, other), "BEFORE")):
        one = compared(*sides)
        hidden = replace(one, found=replace(one.found, verdict=LatencyVerdict.TOO_FEW, seen=1.22))
        ((_, said), *_) = verdict_words(hidden)
        assert said.startswith("only a change of all latencies by 122 % would have been seen, because ")
        assert f"because {name} {does} by itself: from its first half to its second the share above " in said
        assert "changes by -2" in said or "changes by -4" in said


def test_sides_that_both_wander_are_no_cause() -> None:
    one = compared(load(60, seed=1), load(60, seed=2))
    hidden = replace(one, found=replace(one.found, verdict=LatencyVerdict.TOO_FEW, seen=1.22))
    ((_, said), *_) = verdict_words(hidden)
    assert said == "only a change of all latencies by 122 % would have been seen."


def test_the_cold_start_hides_what_it_differs_from_the_steady_load_in(root: Path) -> None:
    steady, cold = (lm.read(root / "examples" / f"{name}.lmap.gz", series="loop0") for name in ("steady", "cold-start"))
    said = lm.compare(steady, cold).verdict
    assert said.startswith(
        "Too little to compare: only a change of all latencies by 119 % would have been seen, because "
    )
    assert "AFTER drifts by itself: from its first half to its second the share above 128 us changes by -3" in said


def test_a_side_without_events_or_data_is_told_as_one() -> None:
    none, nothing, some = run_of(np.zeros((24, 60))), gap(60), load(60)
    before, after = findings(none, some).verdict, findings(some, none).verdict
    assert before == "BEFORE has no I/Os: latencies cannot be compared. The rate differs: 0 -> 399 I/Os/s."
    assert after == "AFTER has no I/Os: latencies cannot be compared. The rate differs: 399 -> 0 I/Os/s."
    assert findings(none, none).verdict == "Neither side has I/Os: latencies cannot be compared."
    assert findings(nothing, some).verdict == "BEFORE has no data: nothing can be compared."
    assert findings(none, nothing).verdict == "AFTER has no data: nothing can be compared."
    assert findings(nothing, nothing).verdict == "Neither side has data: nothing can be compared."
    one_event = np.zeros((24, 60))
    one_event[6, 0] = 1
    assert findings(run_of(one_event), some).verdict.startswith("Too little to compare: 1 and 2")


def test_an_incident_on_one_side_alone() -> None:
    quiet = load(300, 1)
    said = findings(quiet, with_incident(2)).verdict
    assert said.startswith("AFTER has an incident 00:01:40-00:02:00 that BEFORE has not: ")
    assert " Otherwise no difference that these data could show: a change of all latencies by " in said
    assert " s of waiting, " in said
    assert "BEFORE has an incident 00:01:40-00:02:00 that AFTER has not: " in findings(with_incident(2), quiet).verdict
    (told,) = findings(quiet, with_incident(2)).as_dict()["series"][0]["one_sided"]
    assert (told["side"], told["kind"], told["others"]) == ("after", "incident", 0)
    assert told["begin"] == "2026-03-02T00:01:40+00:00"
    assert told["lower"] <= 0.14 <= told["upper"]
    assert 20 <= told["cost"] <= 45


def changed_inside(first: int, columns: int = 300, seed: int = 3) -> SeriesRun:
    """From a column on half of all events are slow."""
    mean = mean_counts(columns)
    mean[:, first:] = mean_counts(columns - first, 0.5 * mode(6.6) + 0.5 * mode(13.2))
    return run_of(poisson(mean, seed))


def test_a_change_inside_one_side_is_told_before_what_is_not_well_known() -> None:
    """The share above 16.4 ms rose by a hair, more than it varies; that above 1.02 ms by 4 points, all at the end."""
    one = compared(load(300, 1), changed_inside(270))
    said = full_verdict(one)
    assert said.startswith("AFTER has a change from 00:04:30 on that BEFORE has not: ")
    assert one.stated is not None
    assert one.stated.difference.value == pytest.approx(0.04, abs=0.005)
    assert "% of I/Os take more than 1.02 ms, " in said
    assert "AFTER differs, but so do the halves of AFTER: " in said


def test_a_lasting_difference_is_told_before_a_change_inside() -> None:
    """Twice as many misses all the time, and a change at the end: the first is well known."""
    mean = mean_counts(300, 0.6 * mode(6.6) + 0.4 * mode(13.2))
    mean[:, 270:] = mean_counts(30, 0.3 * mode(6.6) + 0.7 * mode(13.2))
    said = full_verdict(compared(load(300, 1), run_of(poisson(mean, 4))))
    assert said.startswith("AFTER is slower, sure: ")
    assert " AFTER has a change from 00:04:30 on that BEFORE has not: " in said


@pytest.mark.parametrize("columns", [5, 12, 29])
def test_what_is_plain_in_few_columns_is_told_and_never_sure(columns: int) -> None:
    incident = with_incident(2, 0, columns, columns)
    one = compared(load(200, 1), incident)
    assert verdict_word(one) == "too-few"
    assert full_verdict(one).startswith("Too little to be sure of, but plain: ")
    assert one.plain is not None
    true = 12 / (400 + 12)
    assert one.plain.before < 0.001
    assert one.plain.after == pytest.approx(true, abs=0.012)
    assert f"There are 200 and {columns} columns a side, and it takes 30." in full_verdict(one)


@pytest.mark.parametrize("columns", [3, 5, 29])
def test_nothing_is_plain_in_the_same_load_or_in_three_columns(columns: int) -> None:
    after = load(columns, 2) if columns > 3 else with_incident(2, 0, 3, 3)
    one = compared(load(200, 1), after)
    assert one.plain is None
    assert full_verdict(one).startswith(f"Too little to compare: 200 and {columns} columns a side, and it takes 30.")


def test_a_load_that_doubles_its_misses_is_not_plain_in_few_columns() -> None:
    """Loads that wander do that by themselves."""
    assert compared(load(200, 1), load(20, 2, SLOWER)).plain is None


def test_an_incident_on_both_sides_is_no_difference_of_one() -> None:
    said = findings(with_incident(1, 200, 220), with_incident(2)).verdict
    assert "that BEFORE has not" not in said
    assert said.startswith("No difference that these data could show")


def test_the_costliest_of_several_incidents_is_named() -> None:
    mean = mean_counts(300)
    for first, last in ((60, 80), (200, 240)):
        mean[:, first:last] += 12.0 * mode(17.1, 0.3)[:, None]
    (told,) = compared(load(300, 1), run_of(poisson(mean, 2))).one_sided
    assert told.when == "00:03:20-00:04:00"
    assert one_sided_words(told)[1].endswith(" of its wait, and 1 more.")


def test_a_stall_on_one_side_alone() -> None:
    mean = mean_counts(300)
    mean[:, 150:170] = 0
    said = findings(load(300, 1), run_of(poisson(mean, 2))).verdict
    assert "AFTER has a stall 00:02:30-00:02:50 that BEFORE has not: no I/Os for 20 s" in said


def test_a_difference_of_hardly_any_events_is_told_by_their_wait() -> None:
    """A few in ten thousand, which wait for a second: more than all others."""
    slow = (1 - 4e-4) * mode(FAST, 0.4) + 4e-4 * mode(20.5, 0.2)
    said = findings(load(200, 1, mode(FAST, 0.4), 2000.0), load(200, 2, slow, 2000.0)).verdict
    assert said.startswith("AFTER is slower, sure: ")
    assert " % of the wait is in I/Os that take more than " in said
    assert "none before" in said
    assert "+0.0 to +0.0" not in said


def test_what_reads_as_nothing_is_never_sure() -> None:
    """Twice as many of one in ten thousand, which wait no longer than the others."""
    fast = 1e-4
    before, after = (((1 - part) * mode(9.0, 0.4)) + part * mode(5.0, 0.2) for part in (fast, 3 * fast))
    found = findings(load(300, 1, before, 5000.0), load(300, 2, after, 5000.0))
    one = found.series[0]
    assert one.found.verdict is LatencyVerdict.SURE
    assert found.verdict.startswith("No difference to speak of: ")
    assert "sure" not in found.verdict.split(".")[0]
    said = found.as_dict()["series"][0]
    assert (said["verdict"], said["direction"]) == ("slight", None)
    more = findings(load(300, 1, before, 5000.0), load(300, 2, 0.99 * before + 0.01 * mode(5.0, 0.2), 5000.0))
    assert more.verdict.startswith("AFTER is faster, sure: ")


def test_a_drift_is_told_as_one() -> None:
    rising = np.concatenate((np.linspace(0.1, 0.5, 100), np.full(100, 0.5)))
    shares = np.array([(1 - slow) * mode(FAST) + slow * mode(SLOW) for slow in rising]).T
    drifting = poisson(400 * shares, 3)
    said = findings(run_of(drifting[:, :100]), run_of(drifting[:, 100:])).verdict
    assert said.startswith("AFTER differs, but so do the halves of BEFORE: ")
    assert " points: a drift. " in said
    late = findings(run_of(drifting[:, 90:150]), run_of(drifting[:, 140:])).verdict
    assert "drift" not in late


def test_a_step_within_a_side_is_no_drift() -> None:
    shares = np.where(np.arange(200) < 60, 0.1, 0.5)
    stepping = poisson(400 * np.array([(1 - slow) * mode(FAST) + slow * mode(SLOW) for slow in shares]).T, 3)
    said = findings(run_of(stepping[:, :100]), run_of(stepping[:, 100:])).verdict
    assert said.startswith("AFTER differs, but so do the halves of BEFORE: ")
    assert "drift" not in said


def exact(value: float, half: float = 0.0) -> Estimate:
    return Estimate(value, value - half, value + half)


@pytest.mark.parametrize(
    ("lost", "half", "said"),
    [
        (0.0025, 0.43, "more than 1.02 ms"),
        (0.0025, 0.46, "512 us-1.02 ms"),  # nobody knows that more of them take longer
        (0.30, 0.43, "512 us-1.02 ms"),
    ],
)
def test_an_octave_that_lost_a_few_is_no_evidence_that_many_take_longer(lost: float, half: float, said: str) -> None:
    one = compared(load(100, 1), load(100, 2, SLOWER))
    octave = ShareChange(512e-6, 1.024e-3, exact(0.4), exact(0.4 - lost), exact(-lost, lost / 5), True, 0.1)
    above = ShareChange(1.024e-3, inf, exact(0.10), exact(0.55), exact(0.45, half), False, 0.1)
    told = replace(one, stated=above, found=replace(one.found, strongest=octave, shares=(octave, above)))
    (_, evidence), *_ = verdict_words(told)
    assert f"I/Os take {said}, " in evidence


@pytest.mark.parametrize(("within", "drift"), [(0.0004, False), (0.0006, True)])
def test_halves_that_read_alike_are_no_drift(within: float, drift: bool) -> None:
    one = compared(load(100, 1), load(100, 2, SLOWER))
    above = ShareChange(1.024e-3, inf, exact(0.002), exact(0.003), exact(0.001, 4e-4), True, 0.1, within=(0.0, -within))
    found = replace(one.found, verdict=LatencyVerdict.DRIFT, strongest=above, shares=(above,))
    told = replace(one, stated=above, found=found)
    (head, said), *_ = verdict_words(told)
    assert head == ("AFTER differs, but so do the halves of AFTER:" if drift else "AFTER is slower, not sure:")
    assert ("From one half" in said) is drift
    assert verdict_word(told) == ("drift" if drift else "different")


def test_the_rate_has_a_clause_of_its_own() -> None:
    said = findings(load(seed=1), load(seed=2, rate=300.0)).verdict
    assert said.startswith("No difference that these data could show")
    assert said.endswith("AFTER does less, sure: 400 -> 299 I/Os/s, x 0.75 (0.74 to 0.76).")
    both = findings(load(seed=1), load(seed=2, shares=SLOWER, rate=500.0)).verdict
    assert "And it does more, sure:" in both
    same = findings(load(seed=1), load(seed=2)).verdict
    assert "No difference of the rate that these data could show: " in same


def test_a_rate_that_wanders_as_much_within_a_side_is_not_sure() -> None:
    halves = np.concatenate((poisson(mean_counts(50, rate=300), 1), poisson(mean_counts(50, rate=500), 2)), axis=1)
    one = compared(run_of(halves), load(seed=3, rate=650.0))
    assert one.found.rate is not None
    assert one.found.rate.different
    assert not one.rate_is_sure
    assert compared(load(seed=1), load(seed=3, rate=650.0)).rate_is_sure


def test_without_a_clock_and_with_one_column_there_is_no_rate() -> None:
    one = run_of(poisson(mean_counts(1), 1), clock=False)
    assert "/s" not in findings(one, one).verdict


def test_the_bound_that_is_told_is_the_largest_of_those_that_are_well_known() -> None:
    """Above the topmost bound the share changes as surely, but hardly."""
    hot = 0.86 * mode(FAST) + 0.126 * mode(17.0, 0.4) + 0.014 * mode(18.5, 0.3)
    one = compared(load(200, 1), load(200, 2, hot))
    assert one.stated is not None
    assert abs(one.stated.difference.value) > 0.03
    assert one.stated.stated


@pytest.mark.parametrize(("times", "told"), [(2.1, True), (1.9, False)])
def test_an_octave_that_changed_much_more_is_told_in_place_of_a_bound(times: float, told: bool) -> None:
    one = compared(load(seed=1), load(seed=2, shares=SLOWER))
    assert one.stated is not None
    more = times * one.stated.difference.value
    octave = replace(one.stated, low=1 * MS, high=2 * MS, difference=Estimate(more, more, more))
    ((_, said), *_) = verdict_words(replace(one, found=replace(one.found, strongest=octave)))
    assert said.startswith("20.5 % of I/Os take 1-2 ms, ") is told
    assert said.startswith("20.5 % of I/Os take more than 1.02 ms, ") is not told


def test_one_column_is_no_plural() -> None:
    one = run_of(poisson(mean_counts(1), 1))
    assert "1 column a side, and it takes 30." in findings(one, one).verdict


def quantile(before: tuple[float, float, float], after: tuple[float, float, float], ratio: Estimate | None) -> str:
    return moved_words(QuantileChange(0.99, Estimate(*before), Estimate(*after), ratio))


def test_a_percentile_is_told_where_it_moved() -> None:
    near, far = (10 * MS, 9 * MS, 11 * MS), (20 * MS, 18 * MS, 22 * MS)
    assert quantile(near, far, Estimate(2.0, 1.6, 2.4)) == "p99 10.0 ms -> 20.0 ms, x 2.0 (1.60 to 2.4)"
    assert quantile(near, far, Estimate(1.1, 0.99, 1.3)) == ""


def test_a_percentile_over_a_gap_has_no_ratio() -> None:
    near, far = (10 * MS, 9 * MS, 11 * MS), (20 * MS, 18 * MS, 22 * MS)
    assert quantile(near, far, None) == "p99 10.0 ms -> 20.0 ms, over a gap"
    assert quantile(near, (20 * MS, 10.9 * MS, 22 * MS), None) == ""
    assert quantile(near, (20 * MS, 18 * MS, np.inf), None) == ""


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        ((0.855, 0.82, 0.89), "x 0.85"),
        ((1.994, 1.9, 2.1), "x 1.99"),
        ((2.04, 1.9, 2.1), "x 2.0"),
        ((3.4, 1.4, 8.0), "x 3"),
        ((16.5, 14.7, 18.6), "x 16"),
        ((0.05, 0.04, 0.06), "x 0.05"),
        ((np.nan, 0, np.inf), "no ratio"),
    ],
)
def test_ratios_have_no_more_digits_than_they_deserve(ratio: tuple[float, float, float], said: str) -> None:
    assert ratio_words(Estimate(*ratio)) == said


def test_an_interval_that_excludes_1_never_reads_as_if_it_did_not() -> None:
    near = Estimate(0.994, 0.991, 0.997)
    assert (ratio_words(near), times_words(near)) == ("x 0.994", "0.991 to 0.997")
    same = Estimate(0.994, 0.985, 1.003)
    assert (ratio_words(same), times_words(same)) == ("x 0.99", "0.98 to 1.00")


@pytest.mark.parametrize(("low", "said"), [(1.0004, "No difference of the rate to speak of:"), (1.0006, "more, ")])
def test_a_rate_is_never_sure_where_it_reads_as_the_same(low: float, said: str) -> None:
    one = compared(load(seed=1), load(seed=2, rate=440.0))
    assert one.found.rate is not None
    rate = replace(one.found.rate, ratio=Estimate(1.001, low, 1.0015))
    assert said in verdict_words(replace(one, found=replace(one.found, rate=rate)))[-1][0]


def test_points_and_shares() -> None:
    assert [points_words(one) for one in (0.1412, -0.0004, 0.00001)] == ["+14.1 points", "-0.04 points", "none"]
    assert [exact_share(one) for one in (0.2412, 0.00004, 0.9999, 1.0, 0.0)] == [
        "24.1 %", "<0.1 %", ">99.9 %", "100 %", "0 %",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.129, 0.154, "+12.9 to +15.4 points"),
        (-0.0001, 0.0012, "-0.01 to +0.12 points"),
        (-0.00001, 0.0012, "0 to +0.12 points"),
        (0.0004, 0.003, "+0.04 to +0.30 points"),
        (-0.003, 0.0, "-0.30 to 0 points"),
    ],
)
def test_no_end_of_a_change_is_a_signed_nothing(low: float, high: float, said: str) -> None:
    assert points_between_words(Estimate((low + high) / 2, low, high)) == said


def test_whole_runs_are_shuffled_from_four_of_each_side_on() -> None:
    def page(many: int) -> str:
        after = [load(30, seed + 9, SLOWER) for seed in range(many)]
        return findings([load(30, seed) for seed in range(many)], after).text()

    assert "Whole runs, shuffled: p = " in page(4)
    assert "wanders" not in page(4)
    assert "Ten blocks a side, shuffled: p = " in page(3)
    assert "A load that wanders slowly would look the same; 4 runs a side rule it out." in " ".join(page(3).split())
    assert "4 runs, 120 intervals of 1 s" in " ".join(page(4).split())


def test_series_are_paired_by_name_or_because_there_is_one_of_each() -> None:
    one, two = load(seed=1), load(seed=2)
    found = compare_sides([{"sda": one, "sdb": one}], [{"sdb": two, "sdc": two}], UTC)
    assert [pair.name for pair in found.series] == ["sdb"]
    assert [limit.text for limit in found.limits] == ["Only in BEFORE: sda.", "Only in AFTER: sdc."]
    assert [pair.pair.shown for pair in compare_sides([{"sda": one}], [{"sdb": two}], UTC).series] == ["sda -> sdb"]
    with pytest.raises(NoInterval, match="no series in common: BEFORE has sda and sdb; AFTER has sdc"):
        compare_sides([{"sda": one, "sdb": one}], [{"sdc": two}], UTC)


def test_rows_of_two_sides_end_where_both_have_a_bound() -> None:
    log2, decimal = EDGES, 1e-6 * np.array([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 1e5])
    counts = np.histogram(
        np.repeat(np.sqrt(log2[:-1] * log2[1:]), (mean_counts(1)[:, 0] * 1).round().astype(int)), decimal
    )[0]
    other = run_of(np.repeat(counts[:, None].astype(float), 60, axis=1), edges=decimal)
    found = findings(load(60, 1), other)
    one = found.series[0]
    assert one.pair.lost_bounds
    common = one.pair.common
    for side in one.pair.own:
        for edge in common.edges[1:-1]:
            inside = (side.edges[:-1] < edge * (1 - 1e-9)) & (side.edges[1:] > edge * (1 + 1e-9))
            assert not (side.total[inside] > 0).any()
    assert common.total.sum() == sum(side.total.sum() for side in one.pair.own)
    assert "count in different ranges" in found.limits[-1].text
    assert "each in its own ranges" in found.text()
    assert all(quantile.ratio is None for quantile in one.quantiles)


def test_the_same_ranges_are_no_limit_though_one_side_reaches_farther() -> None:
    found = findings(load(60, 1), load(60, 2, 0.97 * BASE + 0.03 * mode(18.5, 0.3)))
    assert not found.limits
    assert not found.series[0].pair.lost_bounds


def test_rows_that_a_coarse_clock_leaves_empty_are_no_gap_between_modes() -> None:
    """One mode on each side, in whole milliseconds."""
    edges = 1e-3 * 2.0 ** np.arange(0, 6, 1 / 16)
    sides = []
    for seed, median in ((1, 6.0), (2, 7.0)):
        random = np.random.default_rng(seed)
        events = np.floor(median * np.exp(0.3 * random.standard_normal((100, 200)))).clip(1) * 1.0001e-3
        sides.append(run_of(np.stack([np.histogram(one, edges)[0] for one in events], axis=1), edges=edges))
    found = compared(*sides)
    assert [len(one.modes.modes) for one in (found.before, found.after)] == [1, 1]
    assert all(one.ratio is not None for one in found.quantiles)


@pytest.mark.parametrize(("bound", "told"), [(2e-3, True), (3e-3, False)])
def test_sides_without_a_bound_in_common_cannot_be_compared(bound: float, told: bool) -> None:
    """Half of the events below 3 ms, and half below ``bound``: only if that is the same bound they can be compared."""
    sides = [run_of(np.full((2, 60), 50.0), edges=np.array([1e-3, middle, 9e-3])) for middle in (3e-3, bound)]
    found = findings(*sides)
    assert ("the two sides count in ranges that have no bound in common where events are." in found.verdict) is told
    assert ("ranges" in [one.kind for one in found.limits]) is told


def test_percentiles_of_a_side_that_is_too_short_say_so() -> None:
    page = findings(load(2, 1), load(60, 2)).text()
    assert "Too little to compare" in page
    assert "too little to compare" in page
    assert "ranges" not in page  # both sides count in the same


def test_the_interval_of_a_tiny_ratio_is_not_nothing() -> None:
    assert times_words(Estimate(1e-6, 0.9e-6, 1.1e-6)) == "9e-07 to 1.1e-06"
    assert times_words(Estimate(0.1, 1e-5, 1.5)) == "0 to 1.50"
