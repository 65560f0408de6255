"""The figures of series, and of all of them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.analysis.loads import EDGES
from tests.findings.data import findings, load, mixture, series


def test_exact_time_has_no_band() -> None:
    counts = load()
    exact = findings(series(counts, waited=np.full(300, 0.5))).series[0]
    assert (exact.exact, exact.waited.value, exact.waited.low, exact.waited.high) == (True, 150.0, 150.0, 150.0)
    assert exact.average == pytest.approx(150.0 / counts.sum())
    rough = findings(series(counts)).series[0]
    assert not rough.exact
    assert rough.waited.low < rough.waited.value < rough.waited.high


def test_all_together_is_the_sum_of_each() -> None:
    run = findings(series(load()), series(load(seed=2, rate=100.0), "sdb"))
    assert run.all is not None
    assert run.all.events == sum(one.events for one in run.series)
    for end in ("value", "low", "high"):
        assert getattr(run.all.waited, end) == pytest.approx(sum(getattr(one.waited, end) for one in run.series))
    low, high = sorted(one.percentiles["p99"].value for one in run.series)
    assert low * 0.999 <= run.all.percentiles["p99"].value <= high * 1.001


def test_series_with_other_rows_have_no_sum() -> None:
    assert findings(series(load()), series(load(), "sdb", edges=EDGES * 1.1)).all is None
    assert findings(series(load())).all is None


@pytest.mark.parametrize(("events", "told"), [(99, True), (101, False)])
def test_too_few_events(events: int, told: bool) -> None:
    counts = np.zeros((24, 30))
    counts[8, 0] = events
    run = findings(series(counts))
    text = f"{events} I/Os: too few to tell what changed, or modes, which takes 100"
    assert (text in run.text(80, None)) is told
    assert (text in run.verdict) is told


def test_events_in_bursts_count_less() -> None:
    counts = np.zeros((24, 30))
    counts[8, ::3] = 60
    counts[9, 1::3] = 60
    assert "I/Os in bursts, worth " in findings(series(counts)).verdict


def test_a_series_without_events_says_so() -> None:
    run = findings(series(np.zeros((24, 30))))
    assert run.verdict.endswith("No I/Os.")
    assert "sda  0 I/Os, 0/s" in run.text()
    assert run.as_dict()["series"][0]["average"] is None


@pytest.mark.parametrize(("slow", "told"), [(6, True), (4, False)])
def test_a_tail_is_told_in_the_verdict_where_much_of_the_wait_is(slow: int, told: bool) -> None:
    counts = mixture((100e-6, 0.5, 10_000.0))
    counts[22, : 5 * slow : 5] = 1
    run = findings(series(counts))
    tail = run.series[0].modes.tail
    assert tail is not None
    assert (tail.wait.value >= 0.3) is told
    assert ("what is above 4.19 s has" in run.verdict) is told
    assert f"a tail of {slow}" in run.text(80, None)


@pytest.mark.parametrize(("fast", "but"), [(0.30, False), (0.38, True)])
def test_but_stands_between_shares_that_oppose_each_other(fast: float, but: bool) -> None:
    """The slow mode is 16 times as slow: the fast one has 3 and 4 % of the wait."""
    run = findings(series(mixture((1e-3, 0.3, 1000 * fast), (16e-3, 0.3, 1000 * (1 - fast)))))
    assert ("% of I/Os but " in run.text(80, None)) is but


def test_what_is_told_as_a_tail_is_not_told_again_in_the_mode() -> None:
    counts = mixture((100e-6, 0.5, 10_000.0))
    counts[22, :30:5] = 1
    lines = findings(series(counts)).text(80, None).splitlines()
    shares = [
        float(line.rpartition(" % of the wait")[0].split()[-1])
        for line in lines
        if " % of the wait" in line and any(word in line for word in ("typically", "no mode", "a tail of"))
    ]
    assert len(shares) == 3
    assert sum(shares) == pytest.approx(100, abs=1)


def test_shares_of_modes_and_tail_do_not_exceed_all() -> None:
    """Neither in the verdict nor where another series is told in one line."""
    counts = mixture((100e-6, 0.3, 9_000.0), (10e-3, 0.3, 100.0))
    counts[22, :55:3] = 1
    run = findings(series(counts), series(counts / 2, "sdb"))
    tail = run.series[0].modes.tail
    assert tail is not None
    last = run.series[0].modes.last
    assert last is not None
    share = f"the slow one with {last.wait.value * 100:.0f} % of the wait"
    assert last.wait.value + tail.wait.value < 1
    assert share in run.verdict
    assert run.text(120, None).count(share) == 2


def test_the_figures_of_a_line_are_of_what_it_names() -> None:
    """All lines together are all; each agrees with the counts, whose rows end where its range does."""
    counts = mixture((100e-6, 0.9, 20_000.0))
    counts[23, :60:6] = 1
    run = findings(series(counts))
    found, total = run.series[0].modes, counts.sum(axis=1)
    assert found.last is not None
    assert found.beyond is not None
    assert found.tail is not None
    assert sum(one.share.value for one in (found.last, found.beyond, found.tail)) == pytest.approx(1)
    assert sum(one.wait.value for one in (found.last, found.beyond, found.tail)) == pytest.approx(1)
    rows = (EDGES[:-1] >= found.modes[0].upper) & (EDGES[1:] <= found.tail.bound)
    assert (found.beyond.lower, found.beyond.upper) == (found.modes[0].upper, found.tail.bound)
    assert found.beyond.events == total[rows].sum()
    form = run.as_dict()["series"][0]
    assert form["modes"][0]["share"]["value"] + form["beyond"]["share"]["value"] + form["tail"]["share"][
        "value"
    ] == pytest.approx(1)
    assert "| no mode |" in run.markdown()


@pytest.mark.parametrize(("sigma", "told"), [(1.2, True), (0.6, False)])
def test_what_is_above_the_last_range_has_a_line_if_it_has_much_of_the_wait(sigma: float, told: bool) -> None:
    """Of the time of a lognormal, 1 - Phi(1.645 - sigma) is above the 95 % of its events that are lowest."""
    run = findings(series(mixture((100e-6, sigma, 50_000.0))))
    found = run.series[0].modes
    assert (found.sure, found.tail, found.beyond is not None) == (1, None, told)
    assert (" of events, " in run.text(120, None) or "no mode" in run.text(120, None)) is told
    assert ("; what is above " in run.verdict) is bool(found.beyond and found.beyond.wait.value >= 0.3)


def test_a_typical_latency_has_the_band_in_which_it_lies() -> None:
    """A mode inside one octave: nobody knows where in it."""
    for median in (8.4e-3, 10e-3, 14e-3, 16e-3):
        run = findings(series(mixture((100e-6, 0.4, 9_000.0), (median, 0.005, 1_000.0))))
        slow = run.series[0].modes.modes[1]
        assert slow.typical_band == pytest.approx((8.192e-3, 16.384e-3))
        assert slow.median.low <= median <= slow.median.high
        assert " ms (8.19-16.4)  10 % of I/Os" in run.text(100, None)
        form = run.as_dict()["series"][0]["modes"][1]
        assert (form["typical_low"], form["typical_high"]) == pytest.approx((8.192e-3, 16.384e-3))


@pytest.mark.parametrize("clock", [True, False])
def test_an_input_without_times_of_its_own_says_so(clock: bool) -> None:
    run = findings(series(load(), clock=clock))
    told = "The input has no times of its own: moments count from its beginning."
    assert (told in run.text(120, None)) is not clock
    assert ("no-clock" in [one.kind for one in run.limits]) is not clock


def test_series_without_a_clock_take_the_times_of_the_others_from_nobody() -> None:
    """An archive can hold both: those without a clock begin in 1970, and the run does not last since then."""
    untimed = replace(series(load(), name="fio", clock=False), starts=series(load()).starts % 10**9)
    timed = series(load(), name="sda")
    run = findings(timed, replace(untimed, ends=untimed.starts + 10**6))
    alone = findings(timed)
    assert (run.times.begin, run.times.end, run.times.clock) == (alone.times.begin, alone.times.end, True)
    assert [(one.text, one.series) for one in run.limits if one.kind == "no-clock"] == [
        ("fio has no real clock: moments count from 1970.", ("fio",))
    ]


def test_half_of_the_waiting_is_told_with_its_band() -> None:
    """Of a lognormal, half of the time is above its median times e^(sigma^2)."""
    run = findings(series(mixture((1e-3, 0.4, 2_000.0))))
    half = run.as_dict()["series"][0]["half_of_wait_above"]
    assert half["value"] == pytest.approx(1e-3 * np.exp(0.16), rel=0.05)
    assert "half of the waiting is in waits longer than 1.1" in run.text(120, None)
    assert " ms (1.02-2.05 ms)" in run.text(120, None)
    assert "half of the waiting" not in findings(series(load() * 0)).text(120, None)
