"""The sentences about what recurs: where they are true, and where they are just not."""

import numpy as np
import pytest

from pylatencymap.analysis.density import FloatArray
from pylatencymap.findings import Finding, ToldRecurrences
from tests.analysis.loads import BASE, FAST, INCIDENT, SLOW, mean_counts, mode, poisson
from tests.findings.data import findings, series

N = 1200
PLACES = np.arange(N)


def at_rate(rate: FloatArray, seed: int = 1) -> FloatArray:
    return poisson(BASE[:, None] * rate, seed)


def sine(period: float, columns: int = N) -> FloatArray:
    return 300 + 200 * np.sin(2 * np.pi * np.arange(columns) / period)


def test_a_swing_of_the_rate_is_told_once_and_its_drifts_are_not() -> None:
    rate = np.interp(PLACES, [0, 300, 700, N], [362, 498, 101, 238])
    run = findings(series(at_rate(rate)))
    (found,) = run.recurring
    assert found.kind == "swing"
    assert found.text.startswith("the rate swings between 1")
    assert " at 00:04:" in found.text or " at 00:05:" in found.text
    assert "period" not in found.text
    assert run.changes == ()
    assert run.verdict.startswith("The rate swings between ")
    assert "No other change in 1,200 intervals. " in run.verdict


def test_a_period_is_told_where_it_follows() -> None:
    text = findings(series(at_rate(sine(480)))).text(120, None)
    assert ", with a period of about 8 min\n" in text
    assert "\nWhat recurs\n" in text
    assert "What changed" not in text


def test_a_burst_every_ten_seconds() -> None:
    counts = poisson(mean_counts(N) + 300 * mode(14.1)[:, None] * (PLACES % 10 == 3))
    run = findings(series(counts))
    (found,) = run.recurring
    assert found.text.startswith("every 10 s a burst of about 1 s: the share of I/Os above ")
    assert found.text.endswith(" of the wait is in these")
    assert found.evidence["period"] == pytest.approx(10, rel=0.01)
    assert found.evidence.keys() == {"edge", "low", "high", "period", "times", "length", "wait"}
    assert run.as_dict()["recurring"] == [found.as_dict()]
    assert "### What recurs\n\n- every 10 s a burst" in run.markdown()


def test_a_pause_every_twenty_seconds() -> None:
    (found,) = findings(series(at_rate(np.where(PLACES % 20 < 3, 20.0, 400.0)))).recurring
    assert found.text == "every 20 s a pause of about 3 s: the rate falls from 399/s to 19/s"
    assert "wait" not in found.text


def test_series_that_swing_alike_have_one_sentence() -> None:
    both = findings(series(at_rate(sine(120))), series(at_rate(sine(120), 2) / 4, "sdb"))
    (found,) = both.recurring
    assert found.text.startswith("sda: the rate swings between ")
    assert found.text.endswith("; sdb too")
    assert found.series == ("sda", "sdb")
    other = findings(series(at_rate(sine(120))), series(at_rate(sine(200), 2) / 4, "sdb"))
    assert [one.series for one in other.recurring] == [("sda",), ("sdb",)]


def test_incidents_do_not_make_a_swing() -> None:
    mean = mean_counts(N)
    for first in (200, 700):
        mean[:, first : first + 150] += 60 * mode(INCIDENT)[:, None]
    run = findings(series(poisson(mean)))
    assert len(run.changes) == 2
    assert run.recurring == ()


def test_a_zigzag_of_a_band_is_no_swing_besides() -> None:
    up = np.where((PLACES >= 150) & (PLACES < 1050), (PLACES - 150) % 90 / 90 * 4, 0.0)
    counts = poisson(np.array([400 * (0.9 * mode(FAST) + 0.1 * mode(SLOW + one)) for one in up]).T)
    run = findings(series(counts))
    (change,) = run.changes
    assert change.text == "the band at 4.10-16.4 ms climbs to 65.5-262 ms and jumps back ten times"
    assert run.recurring == ()


def test_a_steady_load_has_no_such_chapter() -> None:
    run = findings(series(poisson(mean_counts(N))))
    assert run.recurring == ()
    assert "What recurs" not in run.text(120, None) + run.markdown()
    assert run.verdict.startswith("No change that lasts or stands out in 1,200 intervals. ")


def burst(period: float, edge: float, high: float = 0.27) -> Finding:
    evidence = {"edge": edge, "low": 0.0, "high": high, "period": period, "times": 9.0, "length": 1.0, "wait": 0.5}
    return Finding("bursts", f"every {period} s above {edge}: {high}", ("sda",), evidence)


def texts(told: ToldRecurrences) -> list[str]:
    return [one.text for one in told.findings]


def test_a_live_sentence_stays_word_by_word_while_it_is_nearly_true() -> None:
    """Other digits, and another latency that says the same, are no news; another period or level is."""
    first = burst(10.0, 16e-3)
    told = ToldRecurrences((first,))
    for nearly in (burst(10.0, 16e-3, 0.29), burst(10.1, 8e-3, 0.6)):
        assert texts(told.after([nearly])) == [first.text]
    for other in (burst(10.0, 16e-3, 0.5), burst(20.0, 16e-3), burst(20.0, 8e-3)):
        assert texts(told.after([other])) == [other.text]


def test_a_live_sentence_goes_when_it_was_not_found_twice() -> None:
    first = burst(10.0, 16e-3)
    once = ToldRecurrences((first,)).after([])
    assert texts(once) == [first.text]
    assert texts(once.after([])) == []
    again = once.after([burst(10.0, 16e-3, 0.28)])
    assert texts(again) == [first.text]
    assert texts(again.after([])) == [first.text]


def test_what_is_found_instead_of_it_takes_its_place_at_once() -> None:
    rate = Finding("swing", "the rate swings", ("sda",), {"low": 100.0, "high": 300.0})
    pauses = Finding("pauses", "every 20 s a pause", ("sda",), {"low": 0.0, "high": 300.0, "period": 20.0})
    told = ToldRecurrences((rate, burst(10.0, 16e-3)))
    assert texts(told.after([pauses])) == [pauses.text, told.findings[1].text]
