"""Numbers and durations in sentences."""

from math import inf

import pytest

from pylatencymap.analysis import Estimate
from pylatencymap.number_text import (
    band_words,
    count_words,
    events_words,
    length_words,
    listed,
    others_words,
    percent_text,
    range_words,
    sum_words,
    typical_words,
    waiting_words,
)

DAY = 86_400_000_000
MINUTE = 60_000_000


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (82, "82"), (4211, "4,211"), (29_900, "29.9k"), (136.2e6, "136M"), (0.25, "0.25"), (0.001, "<0.01")],
)
def test_counts(value: float, text: str) -> None:
    assert count_words(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (0.0005, "<0.1 %"),
        (0.031, "3.1 %"),
        (0.88, "88 %"),
        (0.994, "99 %"),
        (0.9999, ">99 %"),
        (1, "100 %"),
    ],
)
def test_shares(share: float, text: str) -> None:
    assert percent_text(share) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.5, "0.50 s"),
        (1.0004, "1 s"),
        (61, "61 s"),
        (125, "2 min 5 s"),
        (1200, "20 min"),
        (3599.9, "1 h"),
        (3601, "1 h"),
        (5 * 3600 + 600, "5 h 10 min"),
        (3 * 86400 - 1, "3 d"),
        (76 * 3600, "3 d 4 h"),
    ],
)
def test_lengths(seconds: float, text: str) -> None:
    assert length_words(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.411, "411 ms"), (69.3, "69.3 s"), (1700, "28.3 min"), (5694, "1.58 h")]
)
def test_time_waited(seconds: float, text: str) -> None:
    assert waiting_words(seconds) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (10.3e-3, 8.192e-3, 16.384e-3, "10.3 ms (8.19-16.4)"),
        (538e-6, 256e-6, 16.384e-3, "538 us (256 us-16.4 ms)"),
        (1.2e-3, 512e-6, 768e-6, "1.20 ms (512-768 us)"),
        (10.4e-3, 10.39e-3, 10.41e-3, "10.4 ms"),
        (498e-6, 0.0, 1.5e-3, "498 us (below 1.50 ms)"),
        (1.98e-3, 1.024e-3, inf, "1.98 ms (1.02 ms or more)"),
        (20e-3, 20e-3, inf, "20 ms or more"),
    ],
)
def test_bands(value: float, low: float, high: float, text: str) -> None:
    assert band_words(Estimate(value, low, high)) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (30e-9, 0.0, 1e-6, "below 1 us"),
        (0.5e-6, 0.0, 1e-6, "500 ns (below 1 us)"),
        (10.3e-3, 8.192e-3, 16.384e-3, "10.3 ms (8.19-16.4)"),
        (1e-3, 0.0, inf, "1.00 ms (0 ns or more)"),
    ],
)
def test_typical_latencies(value: float, low: float, high: float, text: str) -> None:
    assert typical_words(Estimate(value, low, high)) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (66.2, 46.3, 86.1, "66.2 s (46.3-86.1)"),
        (0.9, 0.8, 1.1, "900 ms (800 ms-1.10 s)"),
        (3.0, 3.0, 3.0, "3.00 s"),
        (3.0, 3.0, inf, "3.00 s or more"),
    ],
)
def test_sums(value: float, low: float, high: float, text: str) -> None:
    assert sum_words(Estimate(value, low, high)) == text


def test_ranges_and_lists() -> None:
    assert range_words(8.192e-3, 16.384e-3) == "8.19-16.4 ms"
    assert range_words(20e-3, inf) == "above 20 ms"
    assert range_words(0.0, 4e-6) == "below 4 us"
    assert [listed(names) for names in (("a",), ("a", "b"), ("a", "b", "c"))] == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("events", "noun", "text"),
    [(1, "I/Os", "1 I/O"), (1, "waits", "1 wait"), (2, "events", "2 events"), (0.5, "waits", "0.50 waits")],
)
def test_one_event_is_no_plural(events: float, noun: str, text: str) -> None:
    assert events_words(events, noun) == text


def test_one_other_is_no_plural() -> None:
    assert [others_words(count) for count in (1, 2, 1234)] == ["1 other", "2 others", "1,234 others"]
    assert others_words(1, at_least=True) == "1 or more others"
