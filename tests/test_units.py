"""Units: reading, scaling and writing latencies."""

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import UsageError
from pylatencymap.units import (
    Unit,
    bound_meant,
    format_latency,
    format_range,
    latency_parts,
    parse_latency,
    three_digits,
    unit_from,
)


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("ns", Unit.NS),
        ("nsecs", Unit.NS),
        ("nanosec", Unit.NS),
        ("us", Unit.US),
        ("usecs", Unit.US),
        (" USECS ", Unit.US),
        ("microsec", Unit.US),
        ("microseconds", Unit.US),
        ("\u00b5s", Unit.US),
        ("\u03bcs", Unit.US),
        ("ms", Unit.MS),
        ("msecs", Unit.MS),
        ("millisec", Unit.MS),
        ("bytes", None),
        ("Kbytes", None),
        ("s", None),
        ("", None),
    ],
)
def test_words_of_units(word: str, unit: Unit | None) -> None:
    assert unit_from(word) is unit


def test_each_unit_knows_its_length_and_its_word_in_the_stream() -> None:
    assert [(unit.seconds, unit.stream_name) for unit in Unit] == [
        (1e-9, "nanosec"),
        (1e-6, "microsec"),
        (1e-3, "millisec"),
    ]
    assert all(unit_from(unit.stream_name) is unit for unit in Unit)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("128us", 128e-6),
        ("1.5 ms", 1.5e-3),
        ("1s", 1.0),
        (".5s", 0.5),
        ("64 ns", 64e-9),
        (" 2.sec ", 2.0),
        ("0ms", 0.0),
    ],
)
def test_a_latency_is_a_number_and_a_unit(text: str, seconds: float) -> None:
    assert parse_latency(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "128", "us", "-1ms", "1e3us", "1 kB", "1ms2", "infms", "nan s", "1 2 ms"])
def test_anything_else_is_no_latency_and_says_what_would_be(text: str) -> None:
    with pytest.raises(UsageError, match="is no latency; write a number and a unit, as in 128us"):
        parse_latency(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (64e-6, "64 us"),
        (128e-6, "128 us"),
        (512e-6, "512 us"),
        (1024e-6, "1.02 ms"),
        (8192e-6, "8.19 ms"),
        (16384e-6, "16.4 ms"),
        (131072e-6, "131 ms"),
        (1048576e-6, "1.05 s"),
        (0.5e-9, "0.50 ns"),
        (1.0, "1 s"),
        (999.4e-6, "999 us"),
        (999.6e-6, "1 ms"),
        (9.996e-3, "10 ms"),
        (3600.0, "3600 s"),
        (2_147_483.648, "24.9 d"),
        (0.0, "0 ns"),
    ],
)
def test_labels_have_three_digits(seconds: float, text: str) -> None:
    assert format_latency(seconds) == text


@given(st.floats(1e-9, 1e7))
def test_a_written_latency_is_within_half_of_its_last_digit(seconds: float) -> None:
    number, word = latency_parts(seconds)
    written = float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "d": 86_400.0}[word]
    assert written == pytest.approx(seconds, rel=0.00501)
    assert "e" not in number
    assert word == "s" or len(number.replace(".", "")) <= 3


@given(st.floats(1.0, 999.0))
def test_three_digits_need_no_more(value: float) -> None:
    assert len(three_digits(value).replace(".", "")) <= 3


def test_a_range_names_its_unit_once_where_it_is_the_same() -> None:
    assert format_range(8192e-6, 16384e-6) == "8.19-16.4 ms"
    assert format_range(512e-6, 2048e-6) == "512 us-2.05 ms"
    assert format_range(0.0, 2e-6) == "< 2 us"


@given(st.lists(st.floats(1e-9, 1e5), min_size=1), st.data())
def test_the_bound_meant_is_a_bound_that_is_written_alike(bounds: list[float], data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(bounds))
    assert bound_meant(one, bounds) == one
    number, word = latency_parts(one)
    written = float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "d": 86_400.0}[word]
    assert format_latency(bound_meant(written, bounds)) == format_latency(written)
    assert bound_meant(2e5, bounds) == 2e5
