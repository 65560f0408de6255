"""What it means: each sentence where it is true, and where it is just not."""

import re

import numpy as np
import pytest

from pylatencymap.findings import Finding, SeriesData
from tests.analysis.loads import EDGES
from tests.analysis.shapes import FloatArray, grid
from tests.findings.data import findings, mixture, series
from tests.findings.test_changes import with_incident

FINE = grid(32)
CACHE = ((100e-6, 0.3, 900.0), (10e-3, 0.1, 100.0))


def meaning(counts: FloatArray, kind: str, **more: object) -> Finding | None:
    found = findings(series(counts, **more)).meaning  # type: ignore[arg-type]
    return next((one for one in found if one.kind == kind), None)


def test_a_cache_and_what_lies_behind_it() -> None:
    said = meaning(mixture(*CACHE, edges=FINE), "cache", edges=FINE)
    assert said is not None
    assert said.evidence["hits"] == pytest.approx(0.9, abs=0.005)
    assert said.evidence["miss"] == pytest.approx(10e-3, rel=0.02)
    assert said.evidence["per_percent"] == pytest.approx((10.05e-3 - 105e-6) / 100, rel=0.02)
    assert "it hits 90 % and a miss takes 10" in said.text
    assert "each percent more hits takes 99" in said.text


def disks(count: int, hits: FloatArray) -> list[SeriesData]:
    """Disks whose caches serve ``hits`` of 1,000 reads a second."""
    parts = [((100e-6, 0.3, hit), (10e-3, 0.1, 1000.0 - hit)) for hit in hits[:count].tolist()]
    return [series(mixture(*two, edges=FINE), f"disk{place}", edges=FINE) for place, two in enumerate(parts)]


def test_many_caches_are_one_sentence_from_the_least_to_the_most() -> None:
    run = findings(*disks(5, np.array([950.0, 800.0, 850.0, 900.0, 820.0])))
    caches = [one for one in run.meaning if one.kind == "cache"]
    assert len(caches) == 5, "for programs, each has its own figures"
    for page in (run.text(100), run.markdown()):
        told = " ".join(page.split())
        assert told.count("is a cache") == 1
        assert "5 series: if " in told
        assert re.search(r"it hits 80 % \(disk1\) to 95 % \(disk0\) and a miss takes 10\.\d ms", told), told


def test_two_caches_are_two_sentences() -> None:
    told = " ".join(findings(*disks(2, np.array([950.0, 800.0]))).text(100).split())
    assert "disk0: if" in told
    assert "disk1: if" in told


def test_caches_alike_have_one_figure_and_others_no_common_range() -> None:
    alike = " ".join(findings(*disks(3, np.full(3, 900.0))).text(100).split())
    assert re.search(r"3 series: if \S+ us is a cache, it hits 90 % and a miss takes [\d.]+ ms(?! to)", alike), alike
    slower = series(mixture((400e-6, 0.3, 900.0), (30e-3, 0.1, 100.0), edges=FINE), "nfs", edges=FINE)
    told = " ".join(findings(*disks(2, np.full(2, 900.0)), slower).text(100).split())
    assert re.search(r"3 series: if the fast mode is a cache, .*takes 10.* to 30", told), told


@pytest.mark.parametrize(
    "parts",
    [
        ((100e-6, 0.2, 900.0), (790e-6, 0.1, 100.0)),
        ((100e-6, 0.3, 995.0), (10e-3, 0.1, 5.0)),
        (*CACHE, (200e-3, 0.1, 50.0)),
        CACHE[:1],
    ],
)
def test_other_modes_are_no_cache(parts: tuple[tuple[float, float, float], ...]) -> None:
    """Less than 8 times apart; under 1 % misses; three modes; one."""
    assert meaning(mixture(*parts, edges=FINE), "cache", edges=FINE) is None


def test_modes_just_far_enough_apart_can_be_a_cache() -> None:
    parts = ((100e-6, 0.2, 900.0), (810e-6, 0.1, 100.0))
    assert meaning(mixture(*parts, edges=FINE), "cache", edges=FINE) is not None


def test_a_mode_that_an_incident_made_does_not_hide_the_cache() -> None:
    run = findings(series(with_incident()))
    assert len(run.series[0].modes.modes) == 3
    said = next(one for one in run.meaning if one.kind == "cache")
    usual = run.series[0].modes.modes[:2]
    assert said.evidence["hits"] == usual[0].share.value / sum(mode.share.value for mode in usual)


@pytest.mark.parametrize(("misses", "told"), [(60, True), (45, True), (34, False), (0, False)])
def test_what_was_fast_and_became_slow_is_no_cache(misses: int, told: bool) -> None:
    """Hits at all times, misses in some columns; without any, they follow each other."""
    hits, slow = (mixture(part, edges=FINE) for part in CACHE)
    if misses:
        slow[:, misses:] = 0
    else:
        hits[:, 30:], slow[:, :30] = 0, 0
    assert (meaning(hits + slow, "cache", edges=FINE) is not None) is told


@pytest.mark.parametrize("limit", [1.0, 2.0, 30.0, 60.0])
@pytest.mark.parametrize(("factor", "told"), [(1.0003, True), (1.02, True), (0.96, False), (1.07, False)])
def test_a_time_out_is_told_wherever_its_row_begins(limit: float, factor: float, told: bool) -> None:
    rows = 1e-6 * 1.03 ** np.arange(650)
    counts = mixture((5e-3, 0.3, 900.0), edges=rows)
    counts[np.searchsorted(rows, limit * factor, side="right") - 1] += 1
    assert (meaning(counts, "timeout", edges=rows) is not None) is told


def test_scheduling_has_no_cache() -> None:
    assert meaning(mixture(*CACHE, edges=FINE), "cache", edges=FINE, label="runqlat") is None


@pytest.mark.parametrize(("typical", "sigma", "told"), [(1.01, 0.004, 1.0), (30.2, 0.002, 30.0), (0.202, 0.004, 0.2)])
def test_a_thin_line_at_a_round_number_is_a_time_out(typical: float, sigma: float, told: float) -> None:
    edges = grid(64, 28)
    said = meaning(mixture((5e-3, 0.3, 900.0), (typical, sigma, 60.0), edges=edges), "timeout", edges=edges)
    assert said is not None
    assert said.evidence["limit"] == told
    assert "in a thin line: that looks like a time-out" in said.text


@pytest.mark.parametrize(
    ("usual", "typical", "sigma"),
    [(5e-3, 1.05, 0.004), (5e-3, 0.97, 0.004), (5e-3, 1.01, 0.1), (0.6, 1.01, 0.004)],
)
def test_a_line_beside_it_or_a_broad_one_is_none(usual: float, typical: float, sigma: float) -> None:
    """Above the round number, below it, broad, and less than twice as slow as the usual events."""
    edges = grid(64, 28)
    assert meaning(mixture((usual, 0.05, 900.0), (typical, sigma, 60.0), edges=edges), "timeout", edges=edges) is None


def test_octaves_show_no_thin_line() -> None:
    assert meaning(mixture((5e-3, 0.3, 900.0), (1.01, 0.004, 60.0)), "timeout") is None


def whole(tick: float) -> FloatArray:
    """Counts of latencies that are multiples of a tick, 1 to 400 of it."""
    rng = np.random.default_rng(5)
    latencies = np.floor(rng.lognormal(3.0, 0.8, 20_000) + 1) * tick
    counts = np.histogram(latencies * 1.000001, FINE)[0].astype(np.float64)
    return np.repeat(counts[:, None], 30, axis=1)


def test_whole_ms_are_the_clocks() -> None:
    said = meaning(whole(1e-3), "clock", edges=FINE)
    assert said is not None
    assert said.evidence == {"tick": 1e-3}
    assert "the clock counts in whole ms" in said.text
    assert meaning(whole(10e-3), "clock", edges=FINE).text.count("steps of 10 ms") == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("counts", [whole(100e-6), mixture((20e-3, 0.8, 500.0), edges=FINE)])
def test_a_finer_clock_is_not_told(counts: FloatArray) -> None:
    assert meaning(counts, "clock", edges=FINE) is None


def busy(per_second: float) -> FloatArray:
    return np.full(60, per_second)


def test_time_waited_per_second_is_what_is_in_progress() -> None:
    counts = mixture(*CACHE)
    said = meaning(counts, "in-flight", waited=busy(1.02))
    assert said is not None
    assert said.text == "sda: on average 1.02 I/Os are in progress at any moment"
    assert meaning(counts, "in-flight", waited=busy(0.98)) is None


def test_events_that_began_before_say_nothing_about_what_is_in_progress() -> None:
    """Six of 12 s in a minute, which end in its first second, or in its middle."""
    for column, is_told in ((0, False), (30, True)):
        counts, waited = np.zeros((len(EDGES) - 1, 60)), np.zeros(60)
        counts[np.searchsorted(EDGES, 12.0) - 1, column] = 6
        waited[column] = 72.0
        assert (meaning(counts, "in-flight", waited=waited) is not None) is is_told


def test_an_interval_of_assumed_length_says_nothing_about_load() -> None:
    counts = mixture(*CACHE, columns=1)
    assert meaning(counts, "in-flight", waited=np.array([5.0]), clock=False) is None
    assert meaning(counts, "in-flight", waited=np.array([5.0])) is not None


def loaded(limit: float, columns: int = 100, serial: float = 1e-3) -> tuple[FloatArray, FloatArray]:
    """Counts and time waited with 1 to 20 requests in progress: the rate is what they allow, up to a limit."""
    progress = np.linspace(1, 20, columns)
    rate = np.minimum(progress / serial, limit)
    counts = np.zeros((24, columns))
    counts[np.log2(progress / rate * 1e6).astype(int), np.arange(columns)] = np.round(rate)
    return counts, progress


def test_a_rate_that_no_longer_grows_is_saturation() -> None:
    counts, waited = loaded(5_000)
    said = meaning(counts, "saturation", waited=waited)
    assert said is not None
    assert said.evidence["rate"] == pytest.approx(5_000)
    assert said.evidence["in_flight"] == pytest.approx(18, abs=0.2)
    assert said.text.startswith("sda is saturated at 5,000 I/Os/s: with more in progress, up to 18, the rate")
    assert meaning(counts, "in-flight", waited=waited) is None


@pytest.mark.parametrize(
    ("limit", "columns"), [(13_000, 100), (1e9, 100), (1_000, 100), (5_000, 49)], ids=["grows", "free", "flat", "short"]
)
def test_a_rate_that_grows_or_never_grew_is_none(limit: float, columns: int) -> None:
    counts, waited = loaded(limit, columns)
    assert meaning(counts, "saturation", waited=waited) is None


def shifted(add: float = 0.0, factor: float = 1.0, sigma: float = 0.5) -> FloatArray:
    """Latencies that become longer at half-time, by a constant or by a factor."""
    rng = np.random.default_rng(3)
    latencies = rng.lognormal(np.log(1e-3), sigma, (120, 400))
    latencies[60:] = latencies[60:] * factor + add
    return np.array([np.histogram(column, FINE)[0] for column in latencies], dtype=np.float64).T


def test_a_constant_added_to_everything() -> None:
    said = meaning(shifted(add=5e-3), "constant", edges=FINE)
    assert said is not None
    assert said.evidence["shift"] == pytest.approx(5e-3, rel=0.03)
    assert said.text.startswith("sda, 00:01:00: ")
    assert said.text.endswith(" ms added to everything, fast or slow")


@pytest.mark.parametrize(("factor", "words"), [(2.8, "takes 2.8 times as long"), (0.25, "is 4 times as fast")])
def test_a_factor_of_everything(factor: float, words: str) -> None:
    said = meaning(shifted(factor=factor), "factor", edges=FINE)
    assert said is not None
    assert said.evidence["factor"] == pytest.approx(factor, rel=0.05)
    assert said.text == f"sda, 00:01:00: everything {words}"


def test_a_narrow_line_far_above_a_wide_band_is_no_factor() -> None:
    rng = np.random.default_rng(3)
    latencies = rng.lognormal(np.log(1e-3), 0.35, (120, 400))
    latencies[60:] = rng.lognormal(np.log(32e-3), 0.05, (60, 400))
    counts = np.array([np.histogram(column, FINE)[0] for column in latencies], dtype=np.float64).T
    assert meaning(counts, "factor", edges=FINE) is None


def cache_and_disk(factors: tuple[float, float]) -> FloatArray:
    """What becomes slower by these factors at half-time: p90 lies between hits and misses."""
    rng = np.random.default_rng(3)
    latencies = np.where(rng.random((120, 1000)) < 0.9, 100e-6, 8e-3) * rng.lognormal(0, 0.3, (120, 1000))
    latencies[60:] *= np.where(latencies[60:] < 1e-3, *factors)
    return np.array([np.histogram(column, FINE)[0] for column in latencies], dtype=np.float64).T


@pytest.mark.parametrize(
    ("factors", "told"), [((2.0, 2.0), 2.0), ((2.0, 1.0), None), ((1.0, 2.0), None), ((2.0, 4.0), None)]
)
def test_a_factor_of_hits_and_misses_alike(factors: tuple[float, float], told: float | None) -> None:
    said = meaning(cache_and_disk(factors), "factor", edges=FINE)
    assert (said and said.evidence["factor"]) == (told and pytest.approx(told, rel=0.05))


@pytest.mark.parametrize("more", [{"add": 5e-3}, {"add": 1e-3, "factor": 2.0}, {"add": 5e-3, "sigma": 0.2}])
def test_a_constant_or_what_cannot_be_told_from_one_is_no_factor(more: dict[str, float]) -> None:
    run = findings(series(shifted(**more), edges=FINE))
    assert run.changes
    assert not [one for one in run.meaning if one.kind == "factor"]


def test_a_factor_that_rows_may_hide_is_not_told() -> None:
    """Of octaves, 2.8 times may be 1.4 or 5.7."""
    counts = np.add.reduceat(shifted(factor=2.8), np.arange(0, len(FINE) - 1, 32), axis=0)
    run = findings(series(counts, edges=FINE[::32]))
    assert run.changes
    assert not [one for one in run.meaning if one.kind == "factor"]


@pytest.mark.parametrize("more", [{"factor": 5.0}, {"add": 1e-3, "factor": 2.0}, {"add": 5e-3, "sigma": 0.2}])
def test_a_factor_or_what_cannot_be_told_from_one_is_none(more: dict[str, float]) -> None:
    """Of latencies that are nearly all alike, nobody knows whether something was added or multiplied."""
    run = findings(series(shifted(**more), edges=FINE))
    assert run.changes
    assert not [one for one in run.meaning if one.kind == "constant"]


def test_octaves_cannot_show_a_constant() -> None:
    coarse = FINE[::32]
    counts = np.add.reduceat(shifted(add=5e-3), np.arange(0, len(FINE) - 1, 32), axis=0)
    run = findings(series(counts, edges=coarse))
    assert run.changes
    assert not [one for one in run.meaning if one.kind == "constant"]


@pytest.mark.parametrize(("share", "text"), [(0.81, " of its time is that of sda"), (0.79, " is shared: sda has 79 %")])
def test_whose_the_hot_band_is(share: float, text: str) -> None:
    def part(of: float) -> FloatArray:
        return mixture((100e-6, 0.3, 1000.0), (10e-3, 0.3, 1000.0 * of))

    said = findings(series(part(share)), series(part(1 - share), "sdb")).who
    assert said is not None
    assert said.kind == "who"
    assert text in said.text
    assert said.evidence["share"] == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize(("many", "told"), [(6, True), (4, False)])
def test_a_band_that_many_share_is_nobodys(many: int, told: bool) -> None:
    said = findings(*(series(mixture(*CACHE), f"sd{number}") for number in range(many))).who
    assert said is not None
    assert (f"is shared: none of {many} series has more than 17 % of its time" in said.text) is told


def test_one_series_needs_no_owner() -> None:
    assert findings(series(mixture(*CACHE))).who is None


def test_what_is_in_progress_is_told_only_where_it_is_surely_one() -> None:
    """In octaves the time waited is known to a tenth or so."""
    counts = mixture((10e-3, 0.4, 97.0))
    run = findings(series(counts))
    figures = run.series[0]
    assert figures.waited.low < figures.seconds < figures.waited.value
    assert not [one for one in run.meaning if one.kind == "in-flight"]
    said = meaning(mixture((10e-3, 0.4, 150.0)), "in-flight")
    assert said is not None
    assert re.search(r"on average 1\.\d+ \(1\.\d+-1\.\d+\) I/Os are in progress", said.text)


def test_a_miss_has_its_band() -> None:
    said = meaning(mixture(*CACHE), "cache")
    assert said is not None
    assert re.search(r"a miss takes [0-9.]+ ms \([0-9.]+-[0-9.]+\); each percent", said.text)


def test_where_another_band_may_be_the_hottest_it_is_nobodys() -> None:
    """Two bands with the same time waited, each of one series."""
    slow, fast = mixture((20e-3, 0.2, 20.0)), mixture((200e-6, 0.2, 2000.0))
    assert findings(series(slow), series(fast, "sdb")).who is None
    assert findings(series(slow * 3), series(fast, "sdb")).who is not None


def test_a_share_that_may_be_less_than_most_has_its_band() -> None:
    slow = mixture((10e-3, 0.2, 820.0))
    who = findings(series(slow), series(mixture((10e-3, 0.2, 180.0)), "sdb")).who
    assert who is not None
    assert re.search(r"82 % \(\d+ % to \d+ %\) of its time is that of sda", who.text)
