"""Comparisons and changes of the recordings in examples/, and of a simulated stream of three short days."""

from functools import cache
from math import inf, pi
from pathlib import Path

import numpy as np
import pytest

import pylatencymap
from pylatencymap.analysis import EpisodeKind, LatencyVerdict, TimedCounts, compare, find_changes
from pylatencymap.analysis.density import FloatArray
from pylatencymap.window import Matrix
from tests.analysis.loads import EDGES, FAST, INCIDENT, SLOW, mode

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def recorded(name: str) -> Matrix:
    return pylatencymap.read(EXAMPLES / f"{name}.lmap.gz", series="loop0").matrix()


def side(matrix: Matrix, part: slice = slice(None)) -> TimedCounts:
    return TimedCounts(matrix.counts[:, part], matrix.seconds[part])


def halves(matrix: Matrix) -> tuple[list[TimedCounts], list[TimedCounts]]:
    middle = matrix.columns // 2
    return [side(matrix, slice(None, middle))], [side(matrix, slice(middle, None))]


def on_edges(matrix: Matrix, edges: FloatArray) -> list[TimedCounts]:
    """Octaves of one recording on those of two."""
    counts = np.zeros((len(edges) - 1, matrix.columns))
    counts[np.searchsorted(edges, matrix.bounds[:-1])] = matrix.counts
    return [TimedCounts(counts, matrix.seconds)]


def test_the_halves_of_the_steady_recording_do_not_differ() -> None:
    found = compare(*halves(recorded("steady")), recorded("steady").bounds)
    assert found.verdict is LatencyVerdict.NONE
    assert found.columns == (30, 30)
    assert found.seen is not None
    assert 0.01 < found.seen < 0.2


def test_short_halves_are_never_sure() -> None:
    before, after = halves(recorded("steady"))
    slower = [TimedCounts(np.roll(after[0].counts, 1, axis=0), after[0].seconds)]
    assert compare(before, slower, recorded("steady").bounds).verdict is LatencyVerdict.DIFFERENT


def test_the_spindle_has_more_slow_events_than_the_steady_recording() -> None:
    edges = np.union1d(recorded("steady").bounds, recorded("spindle").bounds)
    found = compare(*(on_edges(recorded(name), edges) for name in ("steady", "spindle")), edges)
    assert found.verdict is LatencyVerdict.SURE
    above = next(share for share in found.shares if share.high == inf and share.low == pytest.approx(1.024e-3))
    assert above.stated
    assert above.before.value == pytest.approx(0.100, abs=0.002)
    assert above.after.value == pytest.approx(0.241, abs=0.002)
    assert found.rate is not None
    assert found.rate.ratio.value == pytest.approx(0.86, abs=0.01)
    ratios = {change.q: change.ratio for change in found.quantiles}
    assert ratios[0.9] is None
    assert ratios[0.99] is not None
    assert ratios[0.99].low > 1


def test_the_halves_of_a_cold_start_drift() -> None:
    found = compare(*halves(recorded("cold-start")), recorded("cold-start").bounds)
    assert found.verdict is LatencyVerdict.DRIFT


def test_a_cold_start_is_told_as_one_drift_of_the_slow_share() -> None:
    matrix = recorded("cold-start")
    episodes = find_changes(matrix.counts, matrix.bounds, matrix.seconds).episodes
    lasting = [one for one in episodes if one.kind in (EpisodeKind.DRIFT, EpisodeKind.STEP)]
    assert [one.kind for one in lasting] == [EpisodeKind.DRIFT]
    assert lasting[0].low == pytest.approx(8.192e-3)
    assert lasting[0].before is not None
    assert lasting[0].after is not None
    assert lasting[0].before.share > 0.4
    assert lasting[0].after.share == pytest.approx(0.08, abs=0.02)


DAY = 14_400
HOUR = DAY // 24
CAME, WENT = DAY + 3 * HOUR, DAY + 4 * HOUR
RESTART = DAY + 15 * HOUR + 7
SILENT = slice(2 * DAY + 8 * HOUR, 2 * DAY + 9 * HOUR)


@cache
def three_days(fast: float, slow: float, incident: float) -> tuple[FloatArray, FloatArray]:
    """Counts and seconds of three short days with a daily swing, an incident and a gap."""
    moments = np.arange(3 * DAY)
    load = 0.6 + 0.4 * np.sin(2 * pi * (moments / DAY - 0.25))
    mean = (fast * mode(FAST) + slow * mode(SLOW))[:, None] * load
    if incident:
        hot = (fast * 0.5 * mode(FAST) + slow * 0.3 * mode(SLOW))[:, None] * load + incident * mode(INCIDENT)[:, None]
        mean[:, CAME:WENT] = hot[:, CAME:WENT]
    counts, seconds = np.random.default_rng(11).poisson(mean).astype(np.float64), np.ones(3 * DAY)
    counts[:, SILENT], seconds[SILENT] = 0, 0
    return counts, seconds


def test_of_three_days_the_incident_the_gap_and_the_restart_are_told_and_the_swing_once() -> None:
    counts, seconds = three_days(800, 90, 25)
    episodes = find_changes(counts, EDGES, seconds, resets=[RESTART]).episodes
    swing = [one for one in episodes if one.kind in (EpisodeKind.STEP, EpisodeKind.DRIFT)]
    assert len(swing) <= 1
    assert all(one.low is None for one in swing)  # of the rate
    incident, gap, reset = (one for one in episodes if one not in swing)
    assert [one.kind for one in (incident, gap, reset)] == [EpisodeKind.INCIDENT, EpisodeKind.GAP, EpisodeKind.RESET]
    assert abs(incident.first - CAME) <= 1
    assert abs(incident.last - WENT) <= 1
    assert incident.low is not None
    assert incident.high is not None
    assert EDGES[15] <= incident.low * 1.001 <= EDGES[17]
    assert EDGES[18] <= incident.high * 1.001
    assert incident.before is not None
    assert incident.before.events <= 1
    assert incident.cost is not None
    assert incident.cost > 0.9 * (WENT - CAME) * 25 * EDGES[17]
    assert (gap.first, gap.last) == (SILENT.start, SILENT.stop)
    assert reset.first == RESTART


def test_the_series_without_the_incident_has_only_the_gap_and_the_restart() -> None:
    counts, seconds = three_days(300, 40, 0)
    episodes = find_changes(counts, EDGES, seconds, resets=[RESTART]).episodes
    assert [one.kind for one in episodes] == [EpisodeKind.GAP, EpisodeKind.RESET]


@pytest.mark.parametrize("begin", [1_201, 13_211, DAY])
def test_a_rate_that_grows_is_not_compared_with_what_it_was_in_an_incident(begin: int) -> None:
    """The rate falls in the incident: what is before it is no rise that ends there, and what follows no drift from
    that rate. Such a drift would save what the incident cost, hour after hour.
    """
    counts, seconds = three_days(800, 90, 25)
    found = find_changes(counts[:, begin:], EDGES, seconds[begin:], resets=[RESTART - begin]).episodes
    of_rate = [one for one in found if one.low is None and one.cost]
    assert all(one.kind is EpisodeKind.DRIFT for one in of_rate)
    for drift in of_rate:
        assert drift.before is not None
        assert drift.before.rate > 200  # 165 in the incident
        assert drift.cost is not None
        assert drift.cost > 0
