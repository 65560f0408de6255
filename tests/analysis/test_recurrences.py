"""What recurs: bursts, pauses and swings with their period and levels; nothing of a load that only wanders."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from pylatencymap.analysis import Recurrence, RecurrenceKind, find_recurrences
from pylatencymap.analysis.density import FloatArray
from tests.analysis.loads import BASE, EDGES, FAST, SLOW, mean_counts, mode, poisson

N = 1200
MIDDLES = np.sqrt(EDGES[1:] * EDGES[:-1])


def recurring(counts: FloatArray, seconds: FloatArray | None = None) -> tuple[Recurrence, ...]:
    return find_recurrences(counts, EDGES, np.ones(counts.shape[1]) if seconds is None else seconds)


def at_rate(rate: FloatArray, seed: int = 1) -> FloatArray:
    return poisson(BASE[:, None] * rate, seed)


def sine(period: float, columns: int = N, low: float = 100.0, high: float = 500.0) -> FloatArray:
    return (low + high) / 2 + (high - low) / 2 * np.sin(2 * np.pi * np.arange(columns) / period)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("period", [20, 60, 120, 240, 480])
def test_a_rate_that_swings_has_its_levels_and_its_period(period: float, seed: int) -> None:
    (found,) = recurring(at_rate(sine(period), seed))
    assert (found.kind, found.edge) == (RecurrenceKind.SWING, None)
    assert found.period == pytest.approx(period, rel=0.05)
    assert found.low == pytest.approx(100, abs=70)
    assert found.high == pytest.approx(500, abs=70)


@pytest.mark.parametrize(("high", "told"), [(1.2, False), (2.0, True)])
def test_a_small_swing_is_none(high: float, told: bool) -> None:
    assert bool(recurring(at_rate(sine(120, low=400.0, high=400.0 * high)))) is told


def test_a_swing_of_two_turns_has_its_turns_and_no_period() -> None:
    rate = np.interp(np.arange(N), [0, 300, 700, N], [362, 498, 101, 238])
    (found,) = recurring(at_rate(rate))
    assert (found.kind, found.edge, found.period, found.times) == (RecurrenceKind.SWING, None, None, None)
    (first, high), (second, low) = found.turns
    assert abs(first - 300) <= 40
    assert abs(second - 700) <= 40
    assert (found.low, found.high) == (low, high) == (pytest.approx(101, rel=0.15), pytest.approx(498, rel=0.05))


@pytest.mark.parametrize(
    "rate",
    [
        np.full(N, 400.0),
        np.linspace(100, 500, N),
        np.where(np.arange(N) < 600, 100.0, 500.0),
        np.interp(np.arange(N), [0, 600, N], [100, 500, 100]),
    ],
    ids=["constant", "drift", "step", "hill"],
)
def test_what_does_not_turn_twice_is_no_swing(rate: FloatArray) -> None:
    assert recurring(at_rate(rate)) == ()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("period", [10, 37, 100])
def test_bursts_have_their_period_their_length_and_their_share_of_the_wait(period: int, seed: int) -> None:
    bursts = np.arange(N) % period == 3
    counts = poisson(mean_counts(N) + 300 * mode(14.1)[:, None] * bursts, seed)
    (found,) = recurring(counts)
    assert found.kind is RecurrenceKind.BURSTS
    assert found.edge is not None
    assert 2 * EDGES[12] <= found.edge <= EDGES[14]
    assert found.period == pytest.approx(period, rel=0.01)
    assert found.times == pytest.approx(N / period, abs=1)
    assert found.length == pytest.approx(1, rel=0.1)
    waited = MIDDLES @ counts
    assert found.wait == pytest.approx(waited[bursts].sum() / waited.sum(), abs=0.06)  # of octaves


def test_bursts_whose_period_varies_a_little_are_told_and_random_ones_are_not() -> None:
    rng = np.random.default_rng(3)
    for distances, told in ((rng.uniform(22, 28, 200), True), (rng.exponential(25, 200), False)):
        places = np.cumsum(distances).astype(np.int64)
        bursts = np.isin(np.arange(N), places)
        found = recurring(poisson(mean_counts(N) + 2000 * mode(FAST)[:, None] * bursts))
        assert [one.kind for one in found] == [RecurrenceKind.BURSTS] * told
        assert not told or found[0].period == pytest.approx(25, rel=0.1)


def test_pauses_that_come_regularly() -> None:
    rate = np.where(np.arange(N) % 20 < 3, 20.0, 400.0)
    (found,) = recurring(at_rate(rate))
    assert (found.kind, found.edge) == (RecurrenceKind.PAUSES, None)
    assert found.period == pytest.approx(20, rel=0.01)
    assert found.length == pytest.approx(3, rel=0.1)


@pytest.mark.parametrize(("times", "told"), [(4, False), (8, True)])
def test_a_few_bursts_are_not_regular(times: int, told: bool) -> None:
    bursts = np.isin(np.arange(N), 100 + 100 * np.arange(times))
    found = recurring(poisson(mean_counts(N) + 3000 * mode(FAST)[:, None] * bursts))
    assert bool(found) is told


def test_a_slow_share_that_swings() -> None:
    share = 0.1 * (1 + 0.8 * np.sin(2 * np.pi * np.arange(N) / 120))
    (found,) = recurring(poisson(400 * (np.outer(mode(FAST), 1 - share) + np.outer(mode(SLOW), share))))
    assert found.kind is RecurrenceKind.SWING
    assert found.edge is not None
    assert EDGES[8] <= found.edge <= EDGES[13]
    assert found.period == pytest.approx(120, rel=0.02)


def test_what_comes_with_one_period_is_told_once() -> None:
    course = 1 + 0.8 * np.sin(2 * np.pi * np.arange(N) / 120)
    mean = 400 * (np.outer(mode(FAST), 0.9 * course) + np.outer(mode(SLOW), 0.1 * course**2))
    assert len(recurring(poisson(mean))) == 1


def test_a_gap_does_not_shorten_a_period() -> None:
    counts, seconds = at_rate(sine(1440, 4320)), np.ones(4320)
    counts[:, 2000:2060] = 0
    seconds[2000:2060] = 0
    (found,) = recurring(counts, seconds)
    assert found.period == pytest.approx(1440, rel=0.05)


@pytest.mark.parametrize("wander", ["iid", "burst5", "ar1", "ar10", "ar60"])
def test_a_load_that_wanders_for_an_hour_does_not_recur(wander: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    recording = import_module("changing_load").recording
    for seed in range(3):
        made = recording(41_000 + seed, 3600, 0, wander, (30.0, 300.0, 3000.0)[seed], (1, 2, 4)[seed])
        assert find_recurrences(made.counts, made.edges, np.ones(3600)) == ()


def test_little_data_and_no_events_recur_not() -> None:
    assert recurring(at_rate(sine(8, 95))) == ()
    assert recurring(np.zeros((24, N))) == ()
    assert recurring(np.ones((24, N))) == ()
