"""What changed in a recording: what was planted is told, once, where it was, and nothing else."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.analysis import Episode, EpisodeKind, find_changes
from pylatencymap.analysis.density import FloatArray
from tests.analysis.loads import BASE, EDGES, FAST, INCIDENT, OCTAVES, SLOW, in_bursts, mean_counts, mode, poisson

N = 900
RATE = 400.0


def told(counts: np.ndarray, seconds: np.ndarray | None = None, resets: Sequence[int] = ()) -> tuple[Episode, ...]:
    seconds = np.ones(counts.shape[1]) if seconds is None else seconds
    return find_changes(counts, EDGES, seconds, resets=resets).episodes


def only(episodes: tuple[Episode, ...], kind: EpisodeKind) -> Episode:
    assert [episode.kind for episode in episodes] == [kind]
    return episodes[0]


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_told_of_a_load_that_does_not_change(seed: int) -> None:
    assert not told(poisson(mean_counts(N), seed))


@pytest.mark.parametrize("columns", [24, 36, 47])
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_told_of_a_short_load_whose_rate_wanders(seed: int, columns: int) -> None:
    """There are too few columns to measure how much parts of four columns differ, which shorter ones tell."""
    rng = np.random.default_rng(seed)
    rate = np.exp(0.3 * rng.standard_normal(columns))
    assert not told(poisson(mean_counts(columns, rate=3000.0) * rate, seed))


@pytest.mark.parametrize("part", [0.1, 0.4])
def test_the_first_and_the_last_column_can_be_parts_of_their_time(part: float) -> None:
    """As those of single events: the trace began and ended within them."""
    mean = mean_counts(120, rate=10_000.0) * np.exp(0.05 * np.random.default_rng(3).standard_normal(120))
    mean[:, [0, -1]] *= part
    assert not told(poisson(mean))


def test_a_burst_in_the_first_column_is_no_change() -> None:
    """A cold start: what is in one column is capped there as elsewhere."""
    counts = poisson(mean_counts(300, mode(FAST), rate=100.0))
    counts[17, ::9] += 1
    counts[17, 0] = 40
    assert not told(counts)


def test_a_burst_of_all_octaves_alike_has_none_of_its_own() -> None:
    mean = mean_counts(200, np.repeat([1.0, 0.0], [14, OCTAVES - 14]), rate=4.0)
    mean[:, 100:112] *= 6
    found = only(told(mean.round()), EpisodeKind.INCIDENT)
    assert (found.low, found.burst) == (None, None)


def test_a_band_that_comes_and_goes_is_one_incident() -> None:
    mean = mean_counts(N)
    mean[:, 300:420] = RATE * (0.98 * BASE + 0.02 * mode(INCIDENT))[:, None]
    found = only(told(poisson(mean)), EpisodeKind.INCIDENT)
    assert abs(found.first - 300) <= 2
    assert abs(found.last - 420) <= 2
    assert found.low is not None
    assert found.high is not None
    assert EDGES[15] <= found.low <= EDGES[17] < found.high <= EDGES[19]
    assert found.before is not None
    assert found.inside is not None
    assert found.after is not None
    assert found.before.events + found.after.events <= 5
    assert found.inside.share == pytest.approx(0.02, abs=0.003)
    assert found.inside.time_share > 0.6
    assert found.inside.rate == pytest.approx(RATE, rel=0.05)
    middle = 1e-6 * 2.0 ** (np.arange(OCTAVES) + 0.5)
    assert found.cost == pytest.approx(120 * RATE * 0.02 * float((mode(INCIDENT) - BASE) @ middle), rel=0.15)


def test_a_cheaper_mix_costs_less_than_nothing() -> None:
    mean = mean_counts(N)
    mean[:, 300:420] = RATE * mode(FAST)[:, None]
    found = only(told(poisson(mean)), EpisodeKind.INCIDENT)
    assert found.cost is not None
    assert found.cost < 0
    assert found.size < 0 or found.high == pytest.approx(EDGES[8])


def test_a_band_that_moves_and_returns_is_one_episode() -> None:
    mean = mean_counts(N)
    climb = 4 * np.sin(np.pi * np.arange(240) / 240)
    mean[:, 300:540] = RATE * np.array([0.9 * mode(FAST) + 0.1 * mode(SLOW + up) for up in climb]).T
    counts = poisson(mean)
    changes = find_changes(counts, EDGES, np.ones(N))
    assert len(changes.points) >= 4
    found = only(changes.episodes, EpisodeKind.MOVE)
    assert abs(found.first - 300) <= 40
    assert abs(found.last - 540) <= 40


def test_what_stays_is_a_step() -> None:
    mean = mean_counts(N)
    mean[:, 500:] = RATE * (0.8 * mode(FAST) + 0.2 * mode(SLOW))[:, None]
    found = only(told(poisson(mean)), EpisodeKind.STEP)
    assert found.first == found.last
    assert abs(found.first - 500) <= 2
    assert found.inside is None
    assert found.before is not None
    assert found.after is not None
    assert found.before.share == pytest.approx(0.1, abs=0.02)
    assert found.after.share == pytest.approx(0.2, abs=0.02)


def test_steps_in_one_direction_are_steps() -> None:
    slow = np.repeat([0.05, 0.15, 0.3], N // 3)
    mean = RATE * ((1 - slow) * mode(FAST)[:, None] + slow * mode(SLOW)[:, None])
    found = sorted(told(poisson(mean)), key=lambda one: one.first)
    assert [one.kind for one in found] == [EpisodeKind.STEP] * 2
    for one, column, before, after in zip(found, (300, 600), (0.05, 0.15), (0.15, 0.3), strict=True):
        assert abs(one.first - column) <= 2
        assert one.before is not None
        assert one.after is not None
        assert one.before.share == pytest.approx(before, abs=0.01)
        assert one.after.share == pytest.approx(after, abs=0.02)


def test_a_rate_that_rises_and_falls_has_no_latencies() -> None:
    mean = mean_counts(N)
    mean[:, 300:420] *= 2
    found = only(told(poisson(mean)), EpisodeKind.INCIDENT)
    assert (found.low, found.high) == (None, None)
    assert abs(found.first - 300) <= 2
    assert abs(found.last - 420) <= 2
    assert found.inside is not None
    assert found.inside.rate == pytest.approx(2 * RATE, rel=0.05)


def test_a_stall_is_told_once_with_what_it_held_up() -> None:
    counts = poisson(mean_counts(N))
    counts[:, 400:420] = 0
    counts[20:24, 420] += 16
    found = only(told(counts), EpisodeKind.STALL)
    assert (found.first, found.last) == (400, 420)
    assert found.inside is not None
    assert found.inside.events == 0
    assert found.cost is not None
    assert found.cost > 64 * EDGES[20] * 0.9


@pytest.mark.parametrize("burst", [1.0, 3.0, 5.0])
@pytest.mark.parametrize("spread", [1, 6, 12])
def test_a_stall_of_a_slow_load_has_the_cost_of_what_it_held_up(burst: float, spread: int) -> None:
    """A few dozen events in the first columns behind it are no change of a load whose events come in bursts. What took
    longer than since the stall ended began before that.
    """
    counts = in_bursts(mean_counts(3000, rate=30.0), 5, burst)
    usual = counts[:, :1500].sum(axis=1) @ EDGES[:-1] / 1500
    counts[:, 1570:1613] = 0
    counts[[22, 23, 23], 1613] += 6
    for column in range(1613, 1613 + spread):
        counts[23, column] += 8
    held = 12 * EDGES[22] + (6 + 8 * spread) * EDGES[23]
    found = only(told(counts), EpisodeKind.STALL)
    assert (found.first, found.last) == (1570, 1613)
    assert found.cost is not None
    assert 0.9 * held <= found.cost <= 2 * held + 100 * usual


def test_what_is_always_slow_is_not_held_up_by_a_stall() -> None:
    """Waits of half a minute, one a second, all the time: a stall costs no more for them."""
    mean = mean_counts(N)
    mean[23] = 1.0
    counts = poisson(mean)
    counts[:, 400:420] = 0
    found = only(told(counts), EpisodeKind.STALL)
    assert found.cost is not None
    assert found.cost < 20 * 1.5 * EDGES[24]


def two_bands(pause: int, seed: int, octaves: tuple[float, float]) -> FloatArray:
    """A band of 3 % for 300 columns, and after a pause another one in other octaves."""
    mean = mean_counts(N + 600)
    for begin, middle in zip((300, 600 + pause), octaves, strict=True):
        mean[:, begin : begin + 300] += 0.03 * RATE * mode(middle)[:, None]
    return poisson(mean, seed)


@pytest.mark.parametrize("octaves", [(10.0, 17.0), (17.0, 10.0)])
@pytest.mark.parametrize("pause", [40, 100, 140])
@pytest.mark.parametrize("seed", range(2))
def test_two_bands_with_a_pause_between_them_are_two(pause: int, seed: int, octaves: tuple[float, float]) -> None:
    found = sorted(told(two_bands(pause, seed, octaves)), key=lambda one: one.first)
    assert [one.kind for one in found] == [EpisodeKind.INCIDENT] * 2
    for one, begin, middle in zip(found, (300, 600 + pause), octaves, strict=True):
        assert abs(one.first - begin) <= 3
        assert abs(one.last - begin - 300) <= 3
        assert one.low is not None
        assert one.high is not None
        assert one.low <= 1e-6 * 2**middle <= one.high


@pytest.mark.parametrize(("columns", "stalls"), [(1, []), (2, [EpisodeKind.STALL])])
def test_the_last_column_alone_is_no_stall(columns: int, stalls: list[EpisodeKind]) -> None:
    counts = poisson(mean_counts(N))
    counts[:, -columns:] = 0
    assert [episode.kind for episode in told(counts)] == stalls


def test_a_source_that_is_idle_now_and_then_does_not_stall() -> None:
    busy = np.random.default_rng(3).random(N) < 0.5
    assert EpisodeKind.STALL not in {episode.kind for episode in told(poisson(mean_counts(N)) * busy)}


def in_flushes(columns: int, seconds: float, size: float, seed: int) -> np.ndarray:
    """5 events a second in flushes of about ``size``, all in one octave."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((OCTAVES, columns))
    flushes = rng.poisson(5 * seconds / size, columns)
    counts[7] = flushes + rng.negative_binomial(np.maximum(flushes, 1), 1 / size) * (flushes > 0)
    return counts


@pytest.mark.parametrize("seed", range(3))
def test_columns_without_events_by_chance_are_no_stall(seed: int) -> None:
    counts, seconds = in_flushes(8640, 10, 10, seed), np.full(8640, 10.0)
    assert (counts.sum(axis=0) == 0).any()
    assert counts.sum(axis=0).mean() > 40  # were it not for the flushes, none of a million columns would have none
    assert not told(counts, seconds)
    counts[:, 4000:4006] = 0
    found = only(told(counts, seconds), EpisodeKind.STALL)
    assert (found.first, found.last) == (4000, 4006)


@pytest.mark.parametrize(("columns", "stalls"), [(50, 1), (500_000, 0)])
def test_a_stall_is_weighed_by_the_number_of_columns(columns: int, stalls: int) -> None:
    """Events in pairs, 32 of them due in a column: one of nine million is empty by chance."""
    counts = np.zeros((OCTAVES, columns))
    counts[7] = 2 * np.random.default_rng(1).poisson(16, columns)
    counts[:, 30] = 0
    assert [one.kind for one in told(counts)] == [EpisodeKind.STALL] * stalls


def test_a_gap_is_no_stall_and_hides_no_change_beside_it() -> None:
    mean = mean_counts(N)
    mean[:, 400:500] = RATE * (0.98 * BASE + 0.02 * mode(INCIDENT))[:, None]
    counts, seconds = poisson(mean), np.ones(N)
    seconds[350:400] = 0
    counts[:, 350:400] = 0
    incident, gap = told(counts, seconds)
    assert (gap.kind, gap.first, gap.last, gap.cost) == (EpisodeKind.GAP, 350, 400, None)
    assert incident.kind is EpisodeKind.INCIDENT
    assert abs(incident.first - 400) <= 2
    assert abs(incident.last - 500) <= 2


def test_resets_come_last_and_cost_nothing() -> None:
    counts, seconds = poisson(mean_counts(N)), np.ones(N)
    seconds[100:110] = 0
    counts[:, 100:110] = 0
    gap, reset = told(counts, seconds, resets=[50])
    assert gap.kind is EpisodeKind.GAP
    assert (reset.kind, reset.first, reset.last, reset.cost) == (EpisodeKind.RESET, 50, 51, 0)


def test_longer_columns_are_no_change_of_the_rate() -> None:
    seconds = np.ones(N)
    seconds[300:500] = 2.5
    assert not told(poisson(mean_counts(N) * seconds), seconds)


@pytest.mark.parametrize("part", [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
@pytest.mark.parametrize("merged", [300, 288])
def test_an_incident_ends_in_a_column_that_it_fills_in_part(merged: int, part: float) -> None:
    """Long columns of merged intervals, some a fifth longer than others: 22 of them, 20 minutes with a slow band."""
    mean = mean_counts(N, rate=280.0 * merged)
    seconds = np.full(N, float(merged)) * np.where(np.arange(N) % 3 == 1, 0.8 if merged == 300 else 1.0, 1.0)
    mean *= seconds / merged
    swing = 1 + 0.4 * np.sin(np.arange(N) / 288 * 2 * np.pi)
    mean *= swing
    slow = np.zeros(N)
    slow[326:330], slow[330] = 0.14, 0.14 * part
    mean = mean * (1 - slow) + slow * mean.sum(axis=0) * mode(INCIDENT)[:, None]
    found = [one for one in told(poisson(mean), seconds) if one.low is not None]
    incident = only(tuple(found), EpisodeKind.INCIDENT)
    assert (incident.first, incident.last) in ((326, 330), (326, 331))


def test_one_long_column_behind_a_gap_is_no_change() -> None:
    """Of totals, the first record behind a silence covers all of it."""
    seconds = np.ones(N)
    seconds[400], seconds[401] = 0, 3600
    assert [one.kind for one in told(poisson(mean_counts(N) * seconds), seconds)] == [EpisodeKind.GAP]


def test_the_most_expensive_episode_comes_first() -> None:
    mean = mean_counts(N)
    mean[:, 200:260] = RATE * (0.98 * BASE + 0.02 * mode(INCIDENT))[:, None]
    mean[:, 600:700] = RATE * (0.95 * BASE + 0.05 * mode(INCIDENT))[:, None]
    first, second = told(poisson(mean))
    assert first.first > second.first
    assert first.cost is not None
    assert second.cost is not None
    assert first.cost > second.cost


def test_exact_sums_of_the_source_are_the_cost() -> None:
    mean = mean_counts(N)
    mean[:, 300:420] *= 2
    waited = np.full(N, 3.0)
    waited[300:420] = 5.0
    found = only(find_changes(poisson(mean), EDGES, np.ones(N), waited=waited).episodes, EpisodeKind.INCIDENT)
    assert found.cost == pytest.approx(240, abs=5)


def test_what_is_shown_stays_where_it_is_while_the_window_moves() -> None:
    mean = mean_counts(1000)
    mean[:, 400:500] = RATE * (0.95 * BASE + 0.05 * mode(INCIDENT))[:, None]
    counts = poisson(mean)
    shown: list[int] = []
    seen = []
    for begin in range(0, 400, 10):
        points = find_changes(
            counts[:, begin : begin + 600],
            EDGES,
            np.ones(600),
            shown=[column - begin for column in shown if column > begin],
        ).points
        shown = [point.column + begin for point in points]
        seen.append(tuple(shown))
    assert len({column for places in seen for column in places}) == 2
    assert seen[-1][-1] == seen[0][-1]


def test_what_is_shown_goes_when_it_is_refuted() -> None:
    assert not find_changes(poisson(mean_counts(600)), EDGES, np.ones(600), shown=[300]).points


@settings(max_examples=8, deadline=None)
@given(power=st.integers(-12, 12))
def test_longer_latencies_by_a_power_of_two_move_the_band_by_it(power: int) -> None:
    mean = mean_counts(300)
    mean[:, 100:160] = RATE * (0.95 * BASE + 0.05 * mode(INCIDENT))[:, None]
    counts, factor = poisson(mean), 2.0**power
    (plain,), (scaled,) = (find_changes(counts, EDGES * by, np.ones(300)).episodes for by in (1.0, factor))
    assert plain.low is not None
    assert plain.high is not None
    assert plain.cost is not None
    assert (scaled.first, scaled.last, scaled.size) == (plain.first, plain.last, plain.size)
    assert (scaled.low, scaled.high) == (plain.low * factor, plain.high * factor)
    assert scaled.cost == pytest.approx(plain.cost * factor)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_counts_are_accepted(data: st.DataObject) -> None:
    columns, rows = data.draw(st.integers(0, 70)), data.draw(st.integers(1, 6))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    counts = rng.poisson(data.draw(st.sampled_from([0.0, 0.02, 1.0, 500.0])), (rows, columns)).astype(float)
    seconds = np.where(rng.random(columns) < data.draw(st.sampled_from([0.0, 0.2, 1.0])), 0.0, 1.0)
    counts[:, seconds == 0] = 0
    counts[:, rng.random(columns) < 0.2] *= data.draw(st.sampled_from([1.0, 1e17 + 3]))
    edges = np.cumsum(rng.random(rows + 1)) * 1e-3
    edges[0] = data.draw(st.sampled_from([0.0, edges[0]]))
    edges[-1] = data.draw(st.sampled_from([np.inf, edges[-1]]))
    for episode in find_changes(counts, edges, seconds, resets=[0] if columns else []).episodes:
        assert 0 <= episode.first <= episode.last <= columns
        assert episode.kind in (EpisodeKind.STEP,) or episode.first < episode.last
        assert episode.cost is None or not np.isnan(episode.cost)


def test_a_count_beyond_all_others_is_accepted() -> None:
    """The sums behind it are rounded."""
    counts = np.zeros((3, 24))
    counts[0, 7] = 1
    counts[1, [0, 10, 11, 12, 15, 16, 17, 18]] = 1
    counts[2, [3, 4, 5, 6, 8, 9, 13, 19, 20, 21, 22]] = 1
    counts[2, 0] = 2.0**64
    found = find_changes(counts, EDGES[4:8], np.ones(24)).episodes
    assert all(episode.cost is None or not np.isnan(episode.cost) for episode in found)


def test_rows_finer_than_octaves_find_the_same() -> None:
    mean = mean_counts(N)
    mean[:, 300:420] = RATE * (0.98 * BASE + 0.02 * mode(INCIDENT))[:, None]
    fine = np.repeat(mean / 4, 4, axis=0)
    edges = np.append((EDGES[:-1, None] * (1 + np.arange(4) / 4)).ravel(), EDGES[-1])
    (found,) = find_changes(poisson(fine), edges, np.ones(N)).episodes
    assert found.low in EDGES
    assert abs(found.first - 300) <= 2
    assert abs(found.last - 420) <= 2


@pytest.mark.parametrize("at", [[100], [300, 700], [60, 160, 240]])
@pytest.mark.parametrize("seed", range(3))
def test_a_burst_of_one_column_is_an_incident_of_that_column(at: list[int], seed: int) -> None:
    """Slow events, or many of all: neither a lasting change nor one long incident."""
    slow, many = mean_counts(N), mean_counts(N, rate=40.0)
    slow[:, at] += RATE * mode(INCIDENT)[:, None]
    many[:, at] *= 40
    for mean in (slow, many):
        found = told(poisson(mean, seed))
        assert {one.kind for one in found} == {EpisodeKind.INCIDENT}
        assert sorted((one.first, one.last) for one in found) == [(column, column + 1) for column in at]


def with_burst(shares: np.ndarray, events: float, at: int = 150, rate: float = 40.0) -> np.ndarray:
    mean = mean_counts(300, rate=rate)
    mean[:, at] += events * shares
    return poisson(mean, 3)


def test_a_short_episode_is_compared_with_enough_beside_it() -> None:
    one = only(told(with_burst(BASE, 1500.0)), EpisodeKind.INCIDENT)
    assert one.last - one.first == 1
    for level in (one.before, one.after):
        assert level is not None
        assert level.rate == pytest.approx(40, abs=3)


@pytest.mark.parametrize(("middle", "low", "high"), [(10.1, 512e-6, 2.1e-3), (None, None, None)])
def test_a_burst_has_latencies_of_its_own_or_those_of_the_load(
    middle: float | None, low: float | None, high: float | None
) -> None:
    one = only(told(with_burst(BASE if middle is None else mode(middle), 1500.0)), EpisodeKind.INCIDENT)
    assert one.low is None
    if low is None or high is None:
        assert one.burst is None
        return
    assert one.burst is not None
    assert low * 0.99 <= one.burst.low < one.burst.high <= high * 1.01
    assert one.burst.share > 0.8


@pytest.mark.parametrize(("factor", "costs"), [(0.3, False), (2.0, True)])
def test_a_rate_that_falls_saves_nothing_and_one_that_rises_costs(factor: float, costs: bool) -> None:
    mean = mean_counts(300)
    mean[:, 150:] *= factor
    one = only(told(poisson(mean)), EpisodeKind.STEP)
    assert one.cost is not None
    assert one.cost > 1 if costs else one.cost == 0


def with_more(*bands: tuple[int, int, float]) -> np.ndarray:
    """A load, and bands [first, last) of so many events a second; a whole number, so that chance has no part in it."""
    counts = poisson(mean_counts(N))
    for first, last, many in bands:
        counts[17, first:last] += many
    return counts


def costs(counts: np.ndarray) -> list[tuple[EpisodeKind, int, float]]:
    return [(one.kind, one.first, one.cost or 0.0) for one in told(counts)]


A_SECOND = 10 * 1.44 * EDGES[17]
"""What ten events a second in that octave wait, by the middle of their octave."""


def test_a_step_costs_for_as_long_as_it_lasts_whatever_comes_later() -> None:
    """Both bring the same, and the first one brings it for twice as long: it comes first."""
    (one, first, more), (other, second, less) = costs(with_more((300, N, 10), (600, N, 10)))
    assert (one, first) == (other, second - 300) == (EpisodeKind.STEP, 300)
    assert more == pytest.approx(600 * A_SECOND, rel=0.15)
    assert less == pytest.approx(300 * A_SECOND, rel=0.15)


@pytest.mark.parametrize(("left", "lasted"), [(6, 300 + 0.6 * 300), (4, 300)])
def test_a_step_costs_up_to_where_less_than_half_of_it_is_left(left: int, lasted: float) -> None:
    found = costs(with_more((300, 600, 10), (600, N, left)))
    step = next(cost for kind, first, cost in found if (kind, first) == (EpisodeKind.STEP, 300))
    assert step == pytest.approx(lasted * A_SECOND, rel=0.15)


def test_what_passes_meanwhile_is_not_a_cost_of_a_step() -> None:
    counts = with_more((300, N, 10), (600, 660, 100))
    found = {kind: cost for kind, _, cost in costs(counts)}
    assert found.keys() == {EpisodeKind.STEP, EpisodeKind.INCIDENT}
    assert found[EpisodeKind.STEP] == pytest.approx(600 * A_SECOND, rel=0.15)
    assert found[EpisodeKind.INCIDENT] == pytest.approx(60 * 10 * A_SECOND, rel=0.15)


def test_a_lasting_change_that_is_none_of_waiting_ends_no_cost() -> None:
    counts = with_more((300, N, 10))
    counts[5, 320:] += 200  # fast events, which wait for next to nothing
    step = next(one for one in told(counts) if one.first == 300)
    assert step.cost == pytest.approx(600 * A_SECOND, rel=0.15)


def test_an_octave_that_takes_a_little_of_each_of_many_others_is_told() -> None:
    """None of them loses so much that it would be named."""
    counts = np.random.default_rng(4).poisson(50, (12, 5000)).astype(float)
    counts[5, 1666:2500] *= 3
    edges = 2.0 ** np.arange(13) * 1e-6
    found = only(find_changes(counts, edges, np.ones(5000)).episodes, EpisodeKind.INCIDENT)
    assert (found.first, found.last) == (1666, 2500)
    assert (found.low, found.high) == (edges[5], edges[6])
    assert found.band is None


@pytest.mark.parametrize(("seed", "width"), [(1, 120), (2, 120), (3, 60), (4, 60), (5, 300)])
def test_a_rate_on_its_way_up_is_no_incident_beside_one(seed: int, width: int) -> None:
    """Three days of a load that swings with the day, and an incident of 20 minutes while it grows: the minutes before
    it are a piece of the way up.
    """
    columns = 3 * 86_400 // width
    rates = 533 - 336 * np.cos(2 * np.pi * (np.arange(columns) * width - 5400) / 86_400)
    mean = BASE[:, None] * rates * width
    first, last = 97_920 // width, -(-99_120 // width)
    mean[:, first:last] = 0.6 * (0.86 * BASE + 0.14 * mode(INCIDENT))[:, None] * rates[first:last] * width
    found = told(poisson(mean, seed), np.full(columns, float(width)))
    incidents = [one for one in found if one.kind is EpisodeKind.INCIDENT]
    assert [one.low is None for one in incidents] == [False], "the band that comes and goes, and nothing about the rate"
