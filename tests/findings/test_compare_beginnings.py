"""What one side begins with, and drifts through both sides: neither is a lasting difference of the two."""

import numpy as np
import pytest

from pylatencymap.analysis import EpisodeKind, LatencyVerdict
from pylatencymap.findings import SeriesRun
from pylatencymap.findings.comparison.verdict import verdict_words
from tests.analysis.loads import BASE, mean_counts, mode, poisson
from tests.findings.sides import compared, findings, load, run_of, with_incident


@pytest.mark.parametrize("columns", [5, 20, 60, 140])
def test_an_incident_at_the_beginning_is_told_as_one(columns: int) -> None:
    begun = compared(load(300, 1), with_incident(2, 0, columns))
    (one,) = begun.one_sided
    assert (one.side, one.change.kind.value) == (1, "incident")
    assert abs(one.change.end - one.change.begin - columns * 1_000_000) <= 2_000_000
    inside = compared(load(300, 1), with_incident(2, 100, 100 + columns)).one_sided[0]
    assert one.change.cost == pytest.approx(inside.change.cost, rel=0.35)


def test_the_side_that_begins_with_it_is_named() -> None:
    said = findings(with_incident(2, 0, 20), load(300, 1)).verdict
    assert "BEFORE begins with an incident 00:00:00-00:00:20 that AFTER has not: " in said


def test_what_both_sides_have_is_not_told_wherever_it_is() -> None:
    places = [(0, 20), (100, 120), (280, 300)]
    for first in places:
        for second in places:
            assert compared(with_incident(2, *first), with_incident(3, *second)).one_sided == ()


def test_what_the_other_side_has_all_the_time_is_not_told() -> None:
    always = load(300, 4, (BASE + 0.03 * mode(17.1, 0.3)) / 1.03)
    assert compared(with_incident(2, 100, 160), always).one_sided == ()
    (one,) = compared(with_incident(2, 100, 160), load(300, 4)).one_sided
    assert (one.side, one.change.kind) == (0, EpisodeKind.INCIDENT)


@pytest.mark.parametrize(("part", "told"), [(0.28, 0), (0.12, 1)])
def test_what_the_other_side_waits_as_much_for_all_the_time_is_not_told(part: float, told: int) -> None:
    """A band that is there for a fifth of the time, and for all of it at a part of the level."""
    always = run_of(poisson(mean_counts(300) + part * 12.0 * mode(17.1, 0.3)[:, None], 4))
    assert len(compared(with_incident(2, 100, 160), always).one_sided) == told


@pytest.mark.parametrize(("rate", "told"), [(1.7, 0), (1.2, 1)])
def test_a_rate_that_the_other_side_has_in_sum_is_not_told(rate: float, told: int) -> None:
    mean = mean_counts(300)
    mean[:, 100:160] *= 3
    assert len(compared(run_of(poisson(mean, 2)), run_of(poisson(rate * mean_counts(300), 4))).one_sided) == told


def test_more_than_half_of_the_time_is_no_beginning() -> None:
    assert compared(load(300, 1), with_incident(2, 0, 160)).one_sided == ()


def test_a_stall_at_the_beginning() -> None:
    counts = poisson(mean_counts(300), 2)
    counts[:, :20] = 0
    said = findings(load(300, 1), run_of(counts)).verdict
    assert "AFTER begins with a stall 00:00:00-00:00:20 that BEFORE has not: no I/Os for 20 s." in said
    assert compared(run_of(counts), run_of(np.roll(counts, 100, axis=1))).one_sided == ()


def drifting(seed: int, first: float, last: float, columns: int = 300) -> SeriesRun:
    """The share of misses goes straight from one value to another."""
    shares = np.linspace(first, last, columns)
    mean = np.stack([400 * ((1 - share) * mode(6.6) + share * mode(13.2)) for share in shares], axis=1)
    return run_of(poisson(mean, seed))


@pytest.mark.parametrize(
    ("middle", "last", "most"), [(0.10, 0.15, 0), (0.20, 0.35, 0), (0.03, 0.01, 0), (0.06, 0.07, 1)]
)
def test_a_drift_through_both_sides_is_no_sure_difference(middle: float, last: float, most: int) -> None:
    """A drift that is hardly larger than chance is taken for a difference in a few of a hundred."""
    pairs = ((drifting(seed, 0.05, middle), drifting(seed + 100, middle, last)) for seed in range(12))
    verdicts = [compared(*pair).found.verdict for pair in pairs]
    assert verdicts.count(LatencyVerdict.SURE) <= most


def test_a_drift_through_both_sides_is_told_of_both() -> None:
    ((head, said), *_) = verdict_words(compared(drifting(1, 0.05, 0.10), drifting(2, 0.10, 0.15)))
    assert head == "AFTER differs, but so do the halves of both sides:"
    assert "12.6 % of I/Os take more than 1.02 ms, 7.6 % before" in said
    assert said.endswith(
        "From one half to the other the share above 1.02 ms changes by +2.4 points in BEFORE and by +2.4 points in "
        "AFTER: a drift through both."
    )


def test_a_drift_of_one_side_is_told_of_the_share_that_is_named() -> None:
    ((head, said), *_) = verdict_words(compared(load(300, 1), drifting(2, 0.10, 0.30)))
    assert head == "AFTER differs, but so do the halves of AFTER:"
    assert said.endswith(
        "From one half of AFTER to the other the share above 1.02 ms changes by +10.1 points: a drift."
    )


def test_a_step_that_is_larger_than_the_drift_is_sure() -> None:
    one = compared(drifting(1, 0.05, 0.10), drifting(2, 0.20, 0.25))
    assert one.found.verdict is LatencyVerdict.SURE


def rising(seed: int, first: float, last: float) -> SeriesRun:
    """The rate goes straight from one value to another."""
    return run_of(poisson(mean_counts(300) / 400 * np.linspace(first, last, 300), seed))


def test_a_drift_of_the_rate_is_never_sure_and_a_step_is() -> None:
    for seed in range(6):
        assert not compared(rising(seed, 300, 400), rising(seed + 100, 400, 500)).rate_is_sure
    assert compared(rising(1, 300, 310), rising(2, 390, 400)).rate_is_sure
    assert compared(load(300, 1), load(300, 2, rate=500)).rate_is_sure
