"""A band that comes back several times is one change; what only looks like that is told as before."""

from itertools import pairwise

import numpy as np
import pytest

from pylatencymap.analysis import BandChangeKind, Episode, EpisodeKind, find_changes
from tests.analysis.loads import EDGES, FAST, SLOW, mode, poisson, wandering
from tests.analysis.test_changes import only, told


def climbing(course: np.ndarray, rate: float = 400.0, seed: int = 1) -> np.ndarray:
    """Counts of a load whose slow mode is by ``course`` octaves higher, by column."""
    means = [rate * (0.9 * mode(FAST) + 0.1 * mode(SLOW + up)) for up in course]
    return poisson(np.array(means).T, seed)


def saw(teeth: int, length: int, height: float, first: int = 150, columns: int = 1200) -> np.ndarray:
    places = np.arange(columns) - first
    inside = (places >= 0) & (places < teeth * length)
    return np.where(inside, places % length / length * height, 0.0)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("teeth", "length", "height"), [(2, 300, 4), (3, 300, 4), (3, 300, 2), (5, 180, 4), (9, 100, 4)]
)
def test_the_teeth_of_a_saw_are_one_change(teeth: int, length: int, height: float, seed: int) -> None:
    found = only(told(climbing(saw(teeth, length, height), seed=seed)), EpisodeKind.MOVE)
    assert found.zigzag is not None
    assert found.zigzag.times == teeth
    assert abs(found.first - 150) <= length / 3
    assert abs(found.last - (150 + teeth * length)) <= 3
    assert found.zigzag.going > 3 * found.zigzag.coming
    band = found.zigzag.band
    assert band is not None
    assert band.kind is BandChangeKind.MOVED
    assert band.where[0] <= 9.4e-3 <= band.where[1]
    assert band.to[0][1] > EDGES[13] * 2**height


def test_what_it_cost_is_that_of_all_teeth() -> None:
    counts = climbing(saw(3, 300, 4))
    found = only(told(counts), EpisodeKind.MOVE)
    means = np.sqrt(EDGES[1:] * EDGES[:-1])
    waited = means @ counts
    usual = waited[:150].mean()
    assert found.cost == pytest.approx(waited[150:1050].sum() - 900 * usual, rel=0.1)


def test_a_saw_from_end_to_end_is_told_too() -> None:
    found = only(told(climbing(saw(3, 300, 4, first=0, columns=900))), EpisodeKind.MOVE)
    assert found.zigzag is not None
    assert found.zigzag.times == 3


def test_the_other_way_round() -> None:
    """It jumps up, and comes back slowly."""
    course = saw(3, 300, 4)
    course[150:1050] = 4 - course[150:1050]
    found = only(told(climbing(course)), EpisodeKind.MOVE)
    assert found.zigzag is not None
    assert found.zigzag.times == 3
    assert found.zigzag.coming > 3 * found.zigzag.going


def kinds(episodes: tuple[Episode, ...]) -> list[tuple[EpisodeKind, bool]]:
    return [(one.kind, one.zigzag is not None) for one in sorted(episodes, key=lambda one: one.first)]


def test_one_tooth_is_no_zigzag() -> None:
    assert kinds(told(climbing(saw(1, 300, 4)))) == [(EpisodeKind.MOVE, False)]


def test_two_incidents_of_one_band_stay_two() -> None:
    course = np.zeros(1200)
    course[300:420] = course[570:690] = 4
    assert kinds(told(climbing(course))) == [(EpisodeKind.INCIDENT, False)] * 2


@pytest.mark.parametrize("seed", range(4))
def test_a_load_that_wanders_beside_two_bands_is_no_zigzag(seed: int) -> None:
    """Single columns are as far from home as the bands, again and again."""
    mean = np.repeat(300 * (0.9 * mode(FAST, 0.9) + 0.1 * mode(SLOW, 0.9))[:, None], 3600, axis=1)
    mean[:, 740:1175] += 5 * mode(8.5)[:, None]
    mean[:, 1190:1840] += 16 * mode(14.8)[:, None]
    mean[11:17] *= np.exp(0.3 * wandering(3600, seed, 1.0))
    assert all(one.zigzag is None for one in told(poisson(mean, seed)))


def test_a_drift_with_an_incident_in_it_is_no_zigzag() -> None:
    course = np.interp(np.arange(1200), [200, 1000], [0, 4])
    counts = climbing(course)
    counts[20, 400:440] += 40
    found = told(counts)
    assert all(one.zigzag is None for one in found)
    assert {one.kind for one in found} == {EpisodeKind.DRIFT, EpisodeKind.INCIDENT}


def test_the_pause_between_two_incidents_is_none() -> None:
    """Every ten minutes a band for four: what lies between is neither more nor less than itself."""
    mean = np.repeat(400 * (0.9 * mode(FAST) + 0.1 * mode(SLOW))[:, None], 7200, axis=1)
    for begin in range(200, 7200, 600):
        mean[:, begin : begin + 230] += 20 * mode(17.1)[:, None]
    for seed in range(3):
        for one in find_changes(poisson(mean, seed), EDGES, np.ones(7200)).episodes:
            assert one.inside is not None
            assert all((one.inside.share - side.share) * one.size > 0 for side in (one.before, one.after) if side)


def test_a_drift_of_the_rate_is_told_once() -> None:
    rate = np.interp(np.arange(1200), [0, 300, 700, 1200], [362, 498, 101, 238])
    for seed in range(3):
        counts = poisson(rate * (0.9 * mode(FAST) + 0.1 * mode(SLOW))[:, None], seed)
        drifts = [one for one in told(counts) if one.kind is EpisodeKind.DRIFT]
        assert all(one.last <= other.first for one, other in pairwise(drifts))
