"""The figures of series, and of all of them."""

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
    text = f"{events} I/Os: too few to tell modes, which takes 100"
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
        if (" % of the wait" in line and "typically" in line) or "a tail of" in line
    ]
    assert sum(shares) == pytest.approx(100, abs=1)


def test_shares_of_modes_and_tail_do_not_exceed_all() -> None:
    """Neither in the verdict nor where another series is told in one line."""
    counts = mixture((100e-6, 0.3, 9_000.0), (10e-3, 0.3, 100.0))
    counts[22, :55:3] = 1
    run = findings(series(counts), series(counts / 2, "sdb"))
    tail = run.series[0].modes.tail
    assert tail is not None
    slow = run.series[0].modes.modes[1].wait.value - tail.wait.value
    share = f"the slow one with {slow * 100:.0f} % of the wait"
    assert slow + tail.wait.value < 1
    assert share in run.verdict
    assert run.text(120, None).count(share) == 2
