"""Steps and drifts: a step has its column and constant parts beside it; a drift has its ends, and what it is there."""

from dataclasses import replace

import numpy as np
import pytest

from pylatencymap.analysis import Episode, EpisodeKind
from pylatencymap.analysis.changes.contrasts import Contrasts
from pylatencymap.analysis.changes.costs import _Levels
from pylatencymap.analysis.changes.spans import Span
from pylatencymap.analysis.density import FloatArray
from tests.analysis.loads import EDGES, FAST, SLOW, in_bursts, mean_counts, mode, poisson, wandering
from tests.analysis.test_changes import only, told

RATE = 400.0


def slow_shares(shares: FloatArray, seed: int = 1) -> tuple[Episode, ...]:
    """The episodes of a load with two modes whose slow one has these shares, by column."""
    return told(poisson(RATE * ((1 - shares) * mode(FAST)[:, None] + shares * mode(SLOW)[:, None]), seed))


def ends(episode: Episode) -> tuple[float, float]:
    """The shares of the slow mode at both ends."""
    assert episode.before is not None
    assert episode.after is not None
    assert episode.low is not None
    shares = (episode.before.share, episode.after.share)
    return shares if episode.low > 1e-3 else (1 - shares[0], 1 - shares[1])


@pytest.mark.parametrize("seed", range(4))
def test_a_ramp_from_end_to_end_is_a_drift_with_the_shares_of_its_ends(seed: int) -> None:
    found = only(slow_shares(0.05 + 0.5 * np.arange(600) / 600, seed), EpisodeKind.DRIFT)
    assert found.first <= 30
    assert found.last >= 570
    assert ends(found) == (pytest.approx(0.05, abs=0.04), pytest.approx(0.55, abs=0.04))


@pytest.mark.parametrize("seed", range(4))
def test_a_ramp_between_constant_parts_begins_and_ends_where_it_does(seed: int) -> None:
    found = only(slow_shares(np.interp(np.arange(600), [200, 350], [0.05, 0.5]), seed), EpisodeKind.DRIFT)
    assert abs(found.first - 200) <= 12
    assert abs(found.last - 350) <= 12
    assert ends(found) == (pytest.approx(0.05, abs=0.03), pytest.approx(0.5, abs=0.03))


def test_a_decline_that_flattens_is_one_drift() -> None:
    found = only(slow_shares(0.08 + 0.8 * np.exp(-np.arange(300) / 30)), EpisodeKind.DRIFT)
    assert found.first <= 8
    assert 50 <= found.last <= 150


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("to", [SLOW, FAST + 4, FAST + 2])
def test_a_band_that_jumps_is_a_step_to_the_column(seed: int, to: float) -> None:
    before, after = mean_counts(150, mode(FAST)), mean_counts(150, mode(to))
    assert only(told(poisson(np.hstack([before, after]), seed)), EpisodeKind.STEP).first == 150


def test_a_step_within_a_column_is_a_step() -> None:
    shares = np.where(np.arange(300) < 150, 0.05, 0.6)
    shares[150] = 0.3
    assert only(slow_shares(shares), EpisodeKind.STEP).first in (150, 151)


def test_a_band_that_moves_slowly_is_one_drift_over_all_octaves() -> None:
    middles = np.interp(np.arange(600), [200, 400], [FAST, FAST + 4])
    mean = RATE * np.array([mode(middle) for middle in middles]).T
    found = only(told(poisson(mean)), EpisodeKind.DRIFT)
    assert abs(found.first - 200) <= 12
    assert abs(found.last - 400) <= 12


@pytest.mark.parametrize("seed", range(6))
def test_a_few_events_that_climb_are_one_drift_whatever_the_many_others_do_by_chance(seed: int) -> None:
    climb = 2 ** np.interp(np.arange(300), [60, 60 + 30 * (1 + seed)], [0, 4])
    slow = np.stack([mode(SLOW + np.log2(factor)) for factor in climb], axis=1)
    found = only(told(poisson(RATE * (0.9 * mode(FAST)[:, None] + 0.1 * slow), seed)), EpisodeKind.DRIFT)
    before, after = np.searchsorted(climb, [2.0, 4.0])
    assert found.first <= before
    assert found.last >= after
    if found.band is not None:
        (low, _), ((there, _),) = found.band.where, found.band.to
    else:
        assert found.shift is not None
        low, there = found.shift.from_low, found.shift.to_low
    assert low > 2e-3
    assert there > 30e-3


def moving(octaves: FloatArray, seed: int) -> tuple[Episode, ...]:
    """The episodes of a load whose slow band, a tenth of the events, is so many octaves higher, by column."""
    slow = np.stack([mode(SLOW + climb) for climb in octaves], axis=1)
    return told(poisson(RATE * (0.9 * mode(FAST)[:, None] + 0.1 * slow), seed))


@pytest.mark.parametrize("octaves", [-2.0, 1.0, 3.0])
@pytest.mark.parametrize("seed", range(6))
def test_a_drift_has_its_ends_to_a_tenth_of_its_length_however_far_it_goes(octaves: float, seed: int) -> None:
    found = only(moving(np.interp(np.arange(300), [100, 160], [0, octaves]), seed), EpisodeKind.DRIFT)
    assert abs(found.first - 100) <= 6
    assert abs(found.last - 160) <= 6


@pytest.mark.parametrize("seed", range(4))
def test_latencies_that_grow_to_the_end_drift_up_to_it(seed: int) -> None:
    """By as much each second, so that they grow less and less in octaves."""
    middles = FAST + np.log2(1 + np.maximum(np.arange(300) - 149.5, 0) / 30)
    found = only(told(poisson(RATE * np.stack([mode(one) for one in middles], axis=1), seed)), EpisodeKind.DRIFT)
    assert abs(found.first - 150) <= 15
    assert found.last >= 300 - 25


@pytest.mark.parametrize("seed", range(4))
def test_what_climbs_and_falls_by_a_part_of_it_are_two_drifts(seed: int) -> None:
    """And no move from a stage of the climb to the same stage of the fall."""
    course = np.interp(np.arange(500), [60, 120, 260, 340], [0, 3, 3, 1])
    found = sorted(moving(course, seed), key=lambda one: one.first)
    assert [one.kind for one in found] == [EpisodeKind.DRIFT, EpisodeKind.DRIFT]
    for one, (first, last) in zip(found, [(60, 120), (260, 340)], strict=True):
        assert abs(one.first - first) <= 0.1 * (last - first)
        assert abs(one.last - last) <= 0.1 * (last - first)


@pytest.mark.parametrize("seed", range(4))
def test_what_climbs_and_falls_by_all_of_it_moves_and_returns(seed: int) -> None:
    course = np.interp(np.arange(500), [160, 220, 260, 320], [0, 3, 3, 0])
    found = only(moving(course, seed), EpisodeKind.MOVE)
    assert abs(found.first - 160) <= 10
    assert abs(found.last - 320) <= 10


@pytest.mark.parametrize(("rest", "drifts"), [(140, 2), (4, 1)])
@pytest.mark.parametrize("seed", range(4))
def test_two_climbs_with_a_rest_between_them_are_two_drifts(rest: int, drifts: int, seed: int) -> None:
    course = np.interp(np.arange(400), [60, 100, 100 + rest, 140 + rest], [0, 2, 2, 4])
    found = sorted(moving(course, seed), key=lambda one: one.first)
    assert [one.kind for one in found] == drifts * [EpisodeKind.DRIFT]
    assert abs(found[0].first - 60) <= 6
    assert abs(found[-1].last - (140 + rest)) <= 6
    if drifts > 1:
        assert abs(found[0].last - 100) <= 6
        assert abs(found[1].first - 240) <= 6


@pytest.mark.parametrize("seed", range(4))
def test_a_rate_that_grows_little_by_little_is_a_drift(seed: int) -> None:
    mean = mean_counts(300) * np.linspace(0.5, 1.5, 300)
    found = only(told(poisson(mean, seed)), EpisodeKind.DRIFT)
    assert found.low is None
    assert found.first <= 20
    assert found.last >= 280


def test_a_drift_and_a_later_step_are_two() -> None:
    shares = np.interp(np.arange(600), [100, 250], [0.05, 0.3])
    shares[450:] = 0.6
    found = sorted(slow_shares(shares), key=lambda one: one.first)
    assert [one.kind for one in found] == [EpisodeKind.DRIFT, EpisodeKind.STEP]
    assert found[1].first == 450


@pytest.mark.parametrize("seed", range(4))
def test_a_band_that_appears_where_another_left_is_no_stage_of_its_drift(seed: int) -> None:
    climb = 2 ** np.interp(np.arange(300), [60, 120], [0, 2])
    slow = np.stack([mode(SLOW + np.log2(factor)) for factor in climb], axis=1)
    mean = RATE * (0.9 * mode(FAST)[:, None] + 0.1 * slow)
    mean[:, 150:] += 80 * mode(SLOW)[:, None]
    kinds = {episode.kind: episode for episode in told(poisson(mean, seed))}
    assert abs(kinds[EpisodeKind.STEP].first - 150) <= 2
    assert kinds[EpisodeKind.DRIFT].last <= 130


def test_a_drift_costs_on_behind_a_step_and_the_step_what_it_adds() -> None:
    shares = np.interp(np.arange(600), [100, 250], [0.05, 0.3])
    shares[450:] = 0.6
    drift, step = sorted(slow_shares(shares), key=lambda one: one.first)
    middle = 1e-6 * 2.0 ** (np.arange(len(EDGES) - 1) + 0.5)
    dearer = RATE * float((mode(SLOW) - mode(FAST)) @ middle)
    assert drift.cost == pytest.approx(dearer * float((np.minimum(shares, 0.3) - 0.05).sum()), rel=0.15)
    assert step.cost == pytest.approx(dearer * 150 * 0.3, rel=0.15)


@pytest.mark.parametrize(("more", "changes"), [(0.0142, False), (0.0170, True)])
def test_a_lasting_change_of_latencies_is_one_of_what_was_counted(more: float, changes: bool) -> None:
    """Octaves with few events are capped, the more of them the higher the rate: that alone is no change."""
    late = np.arange(7200) >= 4200
    rate, share = np.where(late, 124.0, 98.0), np.where(late, more, 0.0142)
    counts = np.zeros((len(EDGES) - 1, 7200))
    rng = np.random.default_rng(3)
    counts[6], counts[14] = rng.poisson(rate * (1 - share)), rng.poisson(rate * share)
    levels = _Levels(counts, EDGES, None, Contrasts(counts, EDGES, np.ones(7200), np.array([], dtype=np.int64)))
    span = Span(EpisodeKind.STEP, 4200, 4200, (8, 9), (8, 9), 6.9, (0, 4200), (4200, 7200), 4200)
    assert levels.contrasts.bounds[8] == EDGES[14]
    assert levels.differ(span) is changes
    assert not levels.differ(replace(span, size=-6.9))


@pytest.mark.parametrize("between", [20, 0])
def test_before_a_rate_that_rises_is_what_was_there_until_then(between: int) -> None:
    """The rate doubles behind an incident of other latencies, or without one."""
    mean = mean_counts(400, rate=50.0)
    mean[:, 200 : 200 + between] = 400 * mode(SLOW + 4)[:, None]
    mean[:, 200 + between : 220 + between] *= 16
    rates = [one for one in told(poisson(mean)) if one.low is None]
    before = only(tuple(rates), EpisodeKind.INCIDENT).before
    assert before is not None
    assert before.rate == pytest.approx(400 if between else 50, rel=0.1)


def wandering_at(middles: FloatArray, seed: int) -> FloatArray:
    """Means per second of a load whose slow mode has these middles in octaves, and shares that wander."""
    shares = 0.1 * np.exp(0.3 * wandering(len(middles), seed))
    slow = np.array([mode(middle) for middle in middles]).T
    return np.asarray(RATE * ((1 - shares) * mode(FAST)[:, None] + shares * slow))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("by", [2.0, -2.0])
def test_a_band_that_moved_may_wander_as_before_it_moved(by: float, seed: int) -> None:
    middles = np.where(np.arange(2400) < 1000, SLOW, SLOW + by)
    found = only(told(poisson(wandering_at(middles, seed), seed)), EpisodeKind.STEP)
    assert abs(found.first - 1000) <= 2


@pytest.mark.parametrize("seed", range(4))
def test_an_incident_where_a_band_moved_to_is_told(seed: int) -> None:
    """Half of the slow events are meanwhile as fast as before they moved: that is more than they wander."""
    middles = np.where(np.arange(2400) < 1000, SLOW, SLOW + 2)
    means = wandering_at(middles, seed)
    means[:, 1800:1900] = (means[:, 1800:1900] + wandering_at(np.full(2400, SLOW), seed)[:, 1800:1900]) / 2
    step, incident = sorted(told(poisson(means, seed)), key=lambda one: one.first)
    assert (step.kind, incident.kind) == (EpisodeKind.STEP, EpisodeKind.INCIDENT)
    assert abs(step.first - 1000) <= 2
    assert abs(incident.first - 1800) <= 4
    assert abs(incident.last - 1900) <= 4


@pytest.mark.parametrize("seed", range(5))
def test_a_rate_that_rises_for_a_while_is_no_change_of_octaves_with_few_events(seed: int) -> None:
    """Octaves with less than two events a second are capped: of more events no larger a part."""
    shares = np.zeros(len(EDGES) - 1)
    shares[[4, 6, 7, 8, 12, 13]] = 0.0006, 0.15, 0.6994, 0.05, 0.04, 0.06
    mean = mean_counts(20_000, shares, rate=30.0) * np.exp(0.3 * wandering(20_000, seed))
    mean[:, 9000:9600] *= 2.5
    found = only(told(in_bursts(mean, seed)), EpisodeKind.INCIDENT)
    assert (found.low, found.high) == (None, None)
    assert abs(found.first - 9000) <= 25
    assert abs(found.last - 9600) <= 25
    assert found.inside is not None
    assert found.inside.rate == pytest.approx(2.5 * 30 * np.exp(0.045), rel=0.1)
