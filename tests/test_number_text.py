"""Numbers as they are written."""

import pytest

from pylatencymap import number_text
from pylatencymap.window.statistics import Quantity


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "·"), (0.2, "<1"), (1, "1"), (82.4, "82"), (999.4, "999"), (999.6, "1.00k"), (1010, "1.01k"), (12345, "12.3k"),
     (2.5e6, "2.50M"), (3e12, "3.00T")],
)  # fmt: skip
def test_counts(value: float, text: str) -> None:
    assert number_text.count_text(value) == text


@pytest.mark.parametrize(
    ("lower", "label"),
    [(0.02, "> 20 ms"), (0.008192, ">8.2 ms"), (0.016384, "> 16 ms"), (0.131072, ">131 ms"), (1.048576, ">1.05 s")],
)
def test_labels_of_open_rows(lower: float, label: str) -> None:
    assert number_text.open_label(lower) == label
    assert len(label) <= number_text.LABEL_WIDTH


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (250e-6, "250 us"),
        (0.004, "4 ms"),
        (0.01, "10 ms"),
        (0.5, "0.50 s"),
        (1, "1 s"),
        (72, "72 s"),
        (720, "12 min"),
        (125, "2 min 5 s"),
        (7500, "2 h 5 min"),
        (86400, "1 d"),
        (60, "1 min"),
        (3600, "1 h"),
        (5400, "90 min"),
        (7199.9, "2 h"),
        (259_199, "3 d"),
        (200_000, "2 d 8 h"),
    ],
)
def test_spans(seconds: float, text: str) -> None:
    assert number_text.span_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.02, "20 ms"),
        (9, "9 s"),
        (60, "1 min"),
        (74, "74 s"),
        (139, "2.3 min"),
        (239, "4 min"),
        (4_000, "67 min"),
        (3_630, "1 h"),
        (5_400, "90 min"),
        (9_000, "2.5 h"),
        (86_400, "1 d"),
        (100_000, "28 h"),
        (259_199, "3 d"),
        (5e7, "579 d"),
    ],
)
def test_spans_in_one_unit(seconds: float, text: str) -> None:
    assert number_text.short_span_text(seconds) == text


def test_shares_and_units() -> None:
    assert [number_text.share_text(share, "0 %") for share in (0, 0.004, 0.01, 0.876, 1)] == [
        "0 %", "<1 %", "1 %", "88 %", "100 %"
    ]  # fmt: skip
    assert [number_text.waited_unit(value)[1] for value in (0, 5e-4, 1e-3, 9.99, 10)] == [
        "ms/s",
        "us/s",
        "ms/s",
        "ms/s",
        "s/s",
    ]
    scales = [(1000, False), (0.05, False), (0.1, True)]
    assert [number_text.scale_text(*scale) for scale in scales] == ["1k", "0.05", "100 ms"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.954, "1 s"),
        (1.049, "1 s"),
        (1.06, "1.06 s"),
        (0.5, "0.50 s"),
        (2.9, "3 s"),
        (2.8, "2.80 s"),
        (124.0, "2 min 4 s"),
    ],
)
def test_an_interval_is_rounded_by_a_twentieth_at_most(seconds: float, text: str) -> None:
    assert number_text.lasted_text(seconds) == text


def test_what_was_measured_has_three_digits() -> None:
    assert number_text.quantile_text(Quantity(0.001)) == "1.00 ms"
    assert number_text.average_text(Quantity(0.016)) == "16.0 ms"
    assert number_text.waited_text(1.0) == "1000 ms/s"
    assert number_text.waited_text(0.002) == "2.00 ms/s"
    assert number_text.waited_text(12.0) == "12.0 s/s"
    assert number_text.waited_text(0.0) == "0 ms/s"


def test_what_is_beyond_the_last_bound_does_not_pretend() -> None:
    beyond = Quantity(0.02, beyond=True)
    assert number_text.quantile_text(beyond) == "> 20 ms"
    assert number_text.average_text(Quantity(0.00279, beyond=True)) == ">= 2.79 ms"
    assert number_text.maximum_text(beyond) == "> 20 ms"
    assert number_text.maximum_text(Quantity(0.032768)) == "< 32.8 ms"
