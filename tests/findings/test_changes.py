"""What changed: sentences about what was planted, with times, series and cost; and none about what was not."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pylatencymap.analysis import (
    BandChange,
    BandChangeKind,
    BandShift,
    BurstBand,
    Episode,
    EpisodeKind,
    Level,
    Zigzag,
)
from pylatencymap.findings import Change, RunFindings
from pylatencymap.findings.change_sentences import change_words
from pylatencymap.findings.changes import cost_words, when_words
from tests.analysis.loads import BASE, EDGES, INCIDENT, mean_counts, mode, poisson
from tests.analysis.shapes import FloatArray
from tests.findings.data import BEGIN, findings, load, mixture, series


def with_incident(
    first: int = 100, last: int = 160, columns: int = 300, seed: int = 1, before: float = 0
) -> FloatArray:
    """A steady load, and a band at 65-262 ms for a while; a little of it at all times."""
    mean = mean_counts(columns) + before * mode(INCIDENT)[:, None]
    mean[:, first:last] += 40 * mode(INCIDENT)[:, None]
    counts = poisson(mean, seed)
    if not before:  # the mode's own flanks reach further than it does
        outside = np.r_[0:first, last:columns]
        counts[15:, outside] = 0
    return counts


def only(run: RunFindings) -> Change:
    (change,) = run.changes
    return change


def test_an_incident_has_its_time_its_band_and_its_cost() -> None:
    run = findings(series(with_incident()))
    change = only(run)
    assert change.kind is EpisodeKind.INCIDENT
    assert abs(change.begin - BEGIN - 100_000_000) <= 2_000_000
    assert abs(change.end - BEGIN - 160_000_000) <= 2_000_000
    assert change.text.startswith("a band appears at 65.5-")
    assert change.text.endswith("of the wait; none before or after")
    assert change.cost == pytest.approx(60 * 40 * 0.15, rel=0.2)
    assert run.cost_words(change).startswith("cost: ")
    assert run.verdict.startswith("One incident: 00:01:")


def test_a_few_before_and_after_are_told() -> None:
    change = only(findings(series(with_incident(before=2))))
    assert "none before" not in change.text
    assert " % before, " in change.text


def test_a_steady_load_has_no_changes() -> None:
    run = findings(series(load()))
    assert run.changes == ()
    assert run.verdict.startswith("No change that lasts or stands out in 300 intervals. Two modes")


@pytest.mark.parametrize(("columns", "told"), [(23, True), (24, False)])
def test_too_few_intervals_for_changes(columns: int, told: bool) -> None:
    run = findings(series(load(columns)))
    assert [one.kind for one in run.limits] == (["few-columns"] if told else [])
    assert run.verdict.startswith(
        "23 intervals: too few to tell what changed, which takes 24." if told else "No change"
    )


def test_without_a_clock_moments_count_from_the_beginning() -> None:
    run = findings(series(with_incident(), clock=False))
    assert "no-clock" in [one.kind for one in run.limits]
    when = when_words(only(run), run.times)
    assert when.endswith(" s")
    assert ":" not in when
    assert run.as_dict()["changes"][0]["begin"] is None
    assert "see it" not in run.text(80, None)


def test_a_gap_lasts_as_long_as_its_stamps_say() -> None:
    run = findings(series(load(), gaps=tuple(range(100, 190))))
    change = only(run)
    assert (change.begin, change.end) == (BEGIN + 100_000_000, BEGIN + 190_000_000)
    assert change.text == "gap: no data for 90 s (no data is not zero)"
    assert change.cost is None
    assert run.verdict.startswith("No change")


def test_a_reset_is_told_when_it_was_and_not_inside_a_gap() -> None:
    change = only(findings(series(load(), resets=(50,))))
    assert (change.kind, change.begin, change.cost) == (EpisodeKind.RESET, BEGIN + 50_000_000, 0.0)
    inside = findings(series(load(), gaps=(50,), resets=(50,)))
    assert only(inside).kind is EpisodeKind.GAP


def test_order_is_cost_then_gaps_then_resets() -> None:
    counts = with_incident(200, 230)
    run = findings(series(counts, resets=(20,), gaps=(60,)))
    assert [one.kind.value for one in run.changes] == ["incident", "gap", "reset"]


def test_a_step_of_the_rate() -> None:
    counts = poisson(np.hstack([mean_counts(150), mean_counts(150, rate=200.0)]))
    change = only(findings(series(counts)))
    assert change.begin == change.end
    assert change.text.startswith("the rate went from 4")
    assert change.text.endswith(" I/Os per second")
    assert change.low is None


def test_a_step_of_the_slow_share() -> None:
    slower = 0.7 * mode(6.6) + 0.3 * mode(13.2)
    counts = poisson(np.hstack([mean_counts(150, BASE), mean_counts(150, slower)]))
    run = findings(series(counts))
    assert only(run).kind is EpisodeKind.STEP
    assert only(run).text.startswith("the share of I/Os at ")
    assert run.verdict.startswith("One lasting change: ")


def test_a_stall() -> None:
    counts = load()
    counts[:, 100:106] = 0
    change = next(one for one in findings(series(counts)).changes if one.kind is EpisodeKind.STALL)
    assert change.text.startswith("stall: no I/Os for 6 s, ")
    assert change.text.endswith("/s around it")


def test_who_changed_alone_and_who_together() -> None:
    incident, steady = with_incident(), load(seed=2)
    alone = findings(series(incident), series(steady, "sdb"))
    assert (only(alone).series, only(alone).alone) == (("sda",), True)
    assert alone.who_changed(only(alone)) == "sda alone"
    together = findings(series(incident), series(with_incident(seed=3), "sdb"))
    assert sorted(only(together).series) == ["sda", "sdb"]
    assert only(together).alone is False
    later = findings(series(incident), series(with_incident(130, 190, seed=3), "sdb"))
    assert [one.alone for one in later.changes] == [True, True]
    mean = mean_counts(300)
    mean[:, 100:160] *= 0.2  # another kind of change at the same time
    other = findings(series(incident), series(poisson(mean, 4), "sdb"))
    assert len(other.changes) == 2
    assert [one.alone for one in other.changes] == [False, False]


def test_a_gap_of_all_series_needs_no_names() -> None:
    run = findings(series(load(), gaps=(50, 51)), series(load(seed=2), "sdb", gaps=(50, 51)))
    assert run.who_changed(only(run)) == ""
    one = findings(series(load(), gaps=(50, 51)), series(load(seed=2), "sdb"))
    assert one.who_changed(only(one)) == "sda"


def test_a_mode_of_one_incident_is_no_usual_mode() -> None:
    run = findings(series(with_incident()))
    assert list(run.passing) == [("sda", 2)]
    assert "Otherwise two modes, the slow one with 9" in run.verdict
    assert run.verdict.endswith(" % of their wait.")
    assert "only 00:01:" in run.text(80, None)
    always = findings(series(poisson(mean_counts(300) + 40 * mode(INCIDENT)[:, None])))
    assert not always.passing
    assert "Three modes" in always.verdict


LEVEL = Level(events=10.0, share=0.14, time_share=0.97, rate=173.0, waited=5.2)
NONE = Level(events=0.0, share=0.0, time_share=0.0, rate=285.0, waited=0.4)
EPISODE = Episode(EpisodeKind.INCIDENT, 0, 9, 0.065536, 0.524288, NONE, LEVEL, NONE, 100.0, 9.0)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "a band appears at 65.5-524 ms: 14 % of I/Os, 97 % of the wait; none before or after; rate 285 -> 173/s"),
        (
            {"after": None, "before": replace(NONE, rate=180.0)},
            "a band appears at 65.5-524 ms: 14 % of I/Os, 97 % of the wait; none before",
        ),
        (
            {"before": None, "after": replace(NONE, events=1.0, share=0.001)},
            "I/Os at 65.5-524 ms rise to 14 %, 97 % of the wait; 0.1 % after",
        ),
        (
            {"after": replace(NONE, events=1.0, share=0.0009)},
            "a band appears at 65.5-524 ms: 14 % of I/Os, 97 % of the wait; hardly any before or after; "
            "rate 285 -> 173/s",
        ),
        (
            {"kind": EpisodeKind.STEP, "after": LEVEL},
            "a band at 65.5-524 ms appears: 14 % of I/Os, 97 % of the wait; none before; rate 285 -> 173/s",
        ),
        (
            {"kind": EpisodeKind.STEP, "before": LEVEL, "after": NONE},
            "a band at 65.5-524 ms is gone: 14 % of I/Os, 97 % of the wait before; none after; rate 173 -> 285/s",
        ),
        (
            {"kind": EpisodeKind.STEP, "before": replace(LEVEL, share=0.01401), "after": replace(LEVEL, share=0.01404)},
            "the share of I/Os at 65.5-524 ms goes from 1.401 % to 1.404 %",
        ),
        (
            {"before": replace(LEVEL, share=0.9), "after": replace(LEVEL, share=0.8), "size": -9.0},
            "I/Os at 65.5-524 ms fall to 14 %, 97 % of the wait; 90 % before, 80 % after",
        ),
        (
            {"kind": EpisodeKind.MOVE, "before": LEVEL, "after": LEVEL},
            "the band moves within 65.5-524 ms and returns: 14 % of I/Os, 97 % of the wait; 14 % before, 14 % after",
        ),
        (
            {"kind": EpisodeKind.DRIFT, "before": LEVEL, "after": replace(LEVEL, share=0.05)},
            "the share of I/Os at 65.5-524 ms drifts from 14 % to 5.0 %",
        ),
        (
            {"low": None, "high": None, "before": replace(NONE, rate=100.0), "after": None},
            "the rate rises to 173 I/Os per second; 100 before",
        ),
        (
            {"low": None, "high": None, "before": replace(NONE, rate=100.0)},
            "the rate goes to 173 I/Os per second; 100 before, 285 after",
        ),
        (
            {"size": -3.0, "after": replace(LEVEL, share=0.05)},
            "I/Os at 65.5-524 ms rise to 14 %, 97 % of the wait; none before, 5.0 % after; rate 285 -> 173/s",
        ),
        (
            {"kind": EpisodeKind.MOVE, "before": replace(LEVEL, share=0.4), "after": replace(LEVEL, share=0.4)},
            "the band at 65.5-524 ms goes and comes back: 14 % of I/Os, 97 % of the wait meanwhile; "
            "40 % before, 40 % after",
        ),
        (
            {"kind": EpisodeKind.MOVE, "before": replace(LEVEL, share=0.05), "after": replace(LEVEL, share=0.04)},
            "a band comes to 65.5-524 ms and goes: 14 % of I/Os, 97 % of the wait; 5.0 % before, 4.0 % after",
        ),
        (
            {"low": None, "high": None, "before": None, "burst": BurstBand(0.5e-3, 4e-3, 0.97)},
            "the rate falls to 173 I/Os per second, 97 % of them at 500 us-4 ms; 285 after",
        ),
        (
            {"low": None, "high": None, "before": None, "burst": BurstBand(0.5e-3, 4e-3, 1.0)},
            "the rate falls to 173 I/Os per second, all of them at 500 us-4 ms; 285 after",
        ),
        ({"low": None, "high": None}, "the rate falls to 173 I/Os per second; 285 before, 285 after"),
        (
            {"kind": EpisodeKind.STALL, "before": replace(NONE, rate=100.0)},
            "stall: no I/Os for 9 s, 100/s around it",
        ),
    ],
)
def test_sentences(changed: dict[str, object], text: str) -> None:
    assert change_words(replace(EPISODE, **changed), "I/Os", 9.0) == text


@pytest.mark.parametrize(("rate", "told"), [(191.0, True), (189.0, False)])
def test_the_rate_is_told_from_one_and_a_half_on(rate: float, told: bool) -> None:
    said = change_words(replace(EPISODE, before=NONE, inside=replace(LEVEL, rate=285.0 / 285.0 * rate)), "I/Os", 9.0)
    assert ("rate 285" in said) is not told


@pytest.mark.parametrize(
    ("before", "after", "where"), [(NONE, NONE, "around"), (NONE, None, "before"), (None, NONE, "after")]
)
def test_a_stall_names_the_side_that_had_events(before: Level | None, after: Level | None, where: str) -> None:
    stall = replace(EPISODE, kind=EpisodeKind.STALL, low=None, high=None, before=before, after=after)
    said = change_words(stall, "I/Os", 6.0)
    assert said.startswith("stall: no I/Os for 6 s, ")
    assert said.endswith(f"/s {where} it")


@pytest.mark.parametrize(("cost", "told"), [(10.1, True), (9.9, False), (-50.0, False), (None, False)])
def test_a_cost_is_told_from_one_percent_on(cost: float | None, told: bool) -> None:
    change = Change(EpisodeKind.INCIDENT, 0, 1, ("a",), False, 1.0, 2.0, None, None, None, cost, "")
    assert bool(cost_words(change, 1000.0)) is told
    assert not told or cost_words(change, 1000.0) == "cost: 10.1 s of waiting, 1.0 % of this series' wait"


def noisy_hour(rise: float, seed: int = 3) -> FloatArray:
    """Fast rows whose rate is far from even, beside a slow band of one event a second; for five minutes it has ``rise``
    times as many.
    """
    rng = np.random.default_rng(seed)
    burst = rng.gamma(0.4, 1 / 0.4, (2, 3600)) * np.array([[300.0], [150.0]])
    counts = np.zeros((len(EDGES) - 1, 3600))
    fast = int(np.searchsorted(EDGES, 64e-6 * 0.99))
    counts[fast : fast + 2] = rng.poisson(burst)
    slow = np.ones(3600)
    slow[1500:1800] = rise
    counts[int(np.searchsorted(EDGES, 16.384e-3 * 0.99))] = rng.poisson(slow)
    return counts


@pytest.mark.parametrize(("rise", "told"), [(8.0, True), (1.0, False)])
def test_a_slow_band_is_as_noisy_as_it_is_itself_and_not_as_the_fast_ones(rise: float, told: bool) -> None:
    found = [one for one in findings(series(noisy_hour(rise))).changes if one.low is not None and one.low > 1e-3]
    assert bool(found) is told
    if told:
        assert abs(found[0].begin - BEGIN - 1500e6) < 20e6
        assert abs(found[0].end - BEGIN - 1800e6) < 20e6


def shifting(share: float, to: float) -> FloatArray:
    """A cache whose hits go from 50 % in each of two octaves to ``share`` in the upper one, beside a spindle of ``to``
    percent of the events from the middle on.
    """
    rng = np.random.default_rng(2)
    counts = np.zeros((len(EDGES) - 1, 400))
    first, slow = int(np.searchsorted(EDGES, 64e-6 * 0.99)), int(np.searchsorted(EDGES, 8.192e-3 * 0.99))
    for part, upper, spindle in ((slice(0, 200), 0.5, 0.05), (slice(200, 400), share, to)):
        hits = 1 - spindle
        counts[first, part] = rng.poisson(500 * hits * (1 - upper), 200)
        counts[first + 1, part] = rng.poisson(500 * hits * upper, 200)
        counts[slow, part] = rng.poisson(500 * spindle, 200)
    return counts


def test_hits_that_become_faster_are_a_band_that_moved() -> None:
    change = only(findings(series(shifting(0.12, 0.05))))
    assert change.text.startswith("the band at 128-256 us moved to 64-128 us: 8")
    assert "% of I/Os there, 4" in change.text


def test_hits_that_become_misses_are_no_band_that_moved() -> None:
    for change in findings(series(shifting(0.5, 0.4))).changes:
        assert "moved" not in change.text


def test_a_bare_number_is_called_a_series() -> None:
    loud, quiet = load(), load(seed=2)
    loud[-6, 100:140] += 60
    said = str(findings(series(loud, name="266338304"), series(quiet, name="7340032")))
    assert "series 266338304 alone" in said


def became(*after: tuple[float, float, float], returns: bool = False, share: float = 1.0) -> str:
    """The sentence about a band at 1 ms that becomes modes (share, octave, width), beside one that stays."""
    stays = (1 - share) * mode(INCIDENT)
    before = share * mode(10.2, 0.4) + stays
    then = share * np.sum([part * mode(middle, width) for part, middle, width in after], axis=0) + stays
    mean = 400 * np.repeat(before[:, None], 300, axis=1)
    mean[:, 120 : 200 if returns else 300] = 400 * then[:, None]
    return only(findings(series(poisson(mean)))).text


def test_a_band_that_went_far_moved() -> None:
    assert became((1.0, 14.2, 0.4), share=0.9).startswith("the band at 1.02-2.05 ms moved to 16.4-32.8 ms")
    assert became((1.0, 14.2, 0.4), share=0.9, returns=True).startswith("the band at 1.02-2.05 ms moves to 16.4-32.8")


def test_a_band_of_which_a_part_stays_did_not_move() -> None:
    assert "moved" not in became((0.7, 14.2, 0.4), (0.3, 10.2, 0.4), share=0.9)


def test_a_band_that_joins_another_did_not_move() -> None:
    assert "moved" not in became((1.0, INCIDENT, 0.6), share=0.6)


def test_a_band_that_goes_to_both_sides_widened() -> None:
    assert became((1.0, 10.2, 2.0)).startswith("the band at 1.02-2.05 ms widened to ")
    assert became((1.0, 10.2, 2.0), returns=True).startswith("the band at 1.02-2.05 ms widens to ")
    assert "widen" not in became((0.6, 10.2, 0.4), (0.4, 13.2, 0.4))


def test_a_band_with_nothing_left_between_its_parts_is_split() -> None:
    text = became((0.5, 7.2, 0.4), (0.5, 13.2, 0.4))
    assert text.startswith("the band at 1.02-2.05 ms split into two, at 128-256 us and 8.19-16.4 ms")
    assert "split" not in became((0.4, 7.2, 0.4), (0.4, 13.2, 0.4), (0.2, 10.2, 0.4))


@pytest.mark.parametrize(("rate", "told"), [(1.9, True), (2.1, False)])
def test_where_much_more_came_the_band_did_not_move(rate: float, told: bool) -> None:
    band = BandChange(BandChangeKind.MOVED, (64e-6, 256e-6), ((65.536e-3, 524.288e-3),))
    inside = replace(LEVEL, rate=NONE.rate * rate)
    assert ("moves" in change_words(replace(EPISODE, inside=inside, band=band), "I/Os", 9.0)) is told


def test_of_two_series_all_is_what_all_waited() -> None:
    alone = findings(series(with_incident()))
    both = findings(series(with_incident()), series(20 * load(seed=2), "sdb"))
    assert alone.cost_words(only(alone)).endswith("% of all")
    said = both.cost_words(next(one for one in both.changes if one.series == ("sda",)))
    assert said.endswith(" % of what all series waited")
    share = float(said.split(", ")[1].split(" %")[0])
    assert share == pytest.approx(100 * (only(alone).cost or 0) / both.waited, rel=0.05)


def test_what_saved_most_comes_before_what_cost_less() -> None:
    counts = with_incident(200, 210)
    counts[:, :100] = poisson(400 * np.repeat((0.2 * mode(6.6) + 0.8 * mode(13.2))[:, None], 100, axis=1))
    run = findings(series(counts))
    assert [one.kind for one in run.changes] == [EpisodeKind.STEP, EpisodeKind.INCIDENT]
    assert "the largest a lasting change: 00:01:40" in run.verdict
    assert "largest cost or saving first" in run.text(80, None)


def with_two_incidents() -> FloatArray:
    first, second = with_incident(60, 80), with_incident(180, 220)
    first[15:, 150:] = second[15:, 150:]
    return first


def test_a_mode_of_two_incidents_is_no_usual_mode() -> None:
    run = findings(series(with_two_incidents()))
    assert list(run.passing) == [("sda", 2)]
    assert [one.begin for one in run.passing["sda", 2]] == sorted(one.begin for one in run.changes)
    assert "only 00:01:0" in run.text(120, None)
    assert "Otherwise two modes" in run.verdict or "otherwise two modes" in run.verdict.lower()


@pytest.mark.parametrize(("first", "told"), [(270, True), (140, False)])
def test_a_mode_of_an_incident_that_runs_to_the_end(first: int, told: bool) -> None:
    run = findings(series(with_incident(first, 300)))
    assert bool(run.passing) is told
    assert ("only from 00:04:30 on" in run.text(120, None)) is told


@pytest.mark.parametrize(("before", "said"), [(0.0, "71 % of I/Os there, none before"), (0.02, "2.0 % before")])
def test_where_a_band_moved_to_there_was_nothing_or_little(before: float, said: str) -> None:
    shift = BandShift(512e-6, 2.048e-3, 2.048e-3, 4.096e-3, (0.8, 0.1), (before, 0.71))
    assert (
        change_words(replace(EPISODE, kind=EpisodeKind.STEP, shift=shift), "I/Os", 9.0).partition(";")[0].endswith(said)
    )


def test_a_cost_that_rows_cannot_show_is_not_told() -> None:
    """A band goes from the upper half of an octave to the lower one of the next: what that costs, nobody knows."""
    before, after = (mixture((100e-6, 0.2, 900.0), (middle, 0.04, 100.0)) for middle in (15.9e-3, 16.5e-3))
    run = findings(series(np.hstack([before, after])))
    (change,) = run.changes
    assert change.cost is None
    assert "waiting" not in run.cost_words(change)
    far = findings(series(np.hstack([before, mixture((100e-6, 0.2, 900.0), (40e-3, 0.04, 100.0), columns=60)])))
    assert far.changes[0].cost == pytest.approx(60 * 100 * (40e-3 - 15.9e-3), rel=0.25)


def test_a_stall_saves_nothing() -> None:
    counts = load(300)
    counts[:, 290:] = 0
    run = findings(series(counts))
    stall = next(one for one in run.changes if one.kind is EpisodeKind.STALL)
    assert stall.cost is None
    assert run.cost_words(stall) == ""


def test_what_has_no_known_cost_comes_after_what_has_one() -> None:
    counts = load(300)
    counts[:, 40:60] += mixture((60e-3, 0.2, 20.0), columns=20)
    counts[:, 290:] = 0
    costs = [one.cost for one in findings(series(counts)).changes]
    assert costs[0] is not None
    assert costs[-1] is None


def test_where_a_band_went_is_told_although_it_came_back() -> None:
    """Misses get slower for half a minute, and faster again: up to 8 times."""
    slower = [8 ** (1 - abs(column - 30) / 30) for column in range(60)]
    away = [mixture((100e-6, 0.3, 360.0), (10e-3 * factor, 0.2, 40.0), columns=1) for factor in slower]
    usual = mixture((100e-6, 0.3, 360.0), (10e-3, 0.2, 40.0), columns=120)
    (change,) = findings(
        series(np.random.default_rng(6).poisson(np.hstack([usual, *away, usual])).astype(float))
    ).changes
    assert change.text.startswith("the band at 4.10-16.4 ms moves to 16.4-131 ms and returns")


def test_with_fewer_intervals_than_it_takes_no_change_is_told_but_gaps_are() -> None:
    counts = load(23)
    counts[:, 8:14] += mixture((100e-3, 0.2, 200.0), columns=6)
    run = findings(series(counts, gaps=(20,)))
    assert [one.kind for one in run.changes] == [EpisodeKind.GAP]
    assert run.verdict.startswith("22 intervals: too few to tell what changed")


def test_the_verdict_names_a_gap_and_a_restart() -> None:
    run = findings(series(load(), gaps=(40, 41), resets=(60,)))
    assert "One gap: 00:00:40-00:00:42. One restart: 00:01:00. " in run.verdict


def test_a_short_page_says_which_chapters_it_leaves_out() -> None:
    run = findings(series(with_incident(), gaps=(40,), resets=(60,)), series(load(), "sdb"))
    last = " ".join(run.text(40, 12).split("--full shows")[1].split())
    assert "What changed" in last
    assert "What it means" in last
    assert last.endswith("are left out here")


@pytest.mark.parametrize(("events", "said"), [(1.0, "1 event"), (2.0, "2 events"), (3.0, "a tail of 3")])
def test_a_tail_is_more_than_an_event_or_two(events: float, said: str) -> None:
    counts = mixture((100e-6, 0.3, 900.0))
    counts[np.searchsorted(EDGES, 4.0), : int(events)] = 1
    page = findings(series(counts)).text(80, None)
    assert re.search(rf"above \S+ \S+  {said} ", page), page


@pytest.mark.parametrize(("weak", "told"), [(8, "only in twelve of the changes"), (0, "only in nine of the changes")])
def test_a_mode_is_told_with_all_changes_that_made_it(weak: float, told: str) -> None:
    """Nine incidents with a band, and three with less of it, or with none but a faster one."""
    mean = mean_counts(7200)
    for number in range(12):
        part = slice(600 * number + 200, 600 * number + 260)
        mean[:, part] += (60 * mode(INCIDENT) if number < 9 else weak * mode(INCIDENT))[:, None]
        if number >= 9 and not weak:
            mean[:, part] += 60 * mode(10.0)[:, None]
    run = findings(series(poisson(mean)))
    assert len(run.changes) == 12
    assert told in run.text(120, None)


def zigzag(times: int, going: float, coming: float, *, up: bool = True, moved: bool = True) -> Episode:
    where, to = (1e-3, 2e-3), (8e-3, 16e-3)
    ends = (where, (to,)) if up else (to, (where,))
    band = BandChange(BandChangeKind.MOVED, *ends) if moved else None
    return replace(EPISODE, kind=EpisodeKind.MOVE, zigzag=Zigzag(times, band, (0.02, 0.14), going, coming))


@pytest.mark.parametrize(
    ("episode", "said"),
    [
        (zigzag(3, 30, 10), "the band at 1-2 ms climbs to 8-16 ms and jumps back three times"),
        (zigzag(2, 29, 10), "the band at 1-2 ms moves to 8-16 ms and returns twice"),
        (zigzag(13, 1, 3), "the band at 1-2 ms jumps to 8-16 ms and slowly returns 13 times"),
        (zigzag(2, 30, 10, up=False), "the band at 8-16 ms sinks to 1-2 ms and jumps back twice"),
        (zigzag(2, 3, 1, moved=False), " rises to 14 % and falls back twice; 2.0 % otherwise"),
    ],
)
def test_what_comes_back_again_and_again(episode: Episode, said: str) -> None:
    assert change_words(episode, "I/Os", 60.0).endswith(said)
