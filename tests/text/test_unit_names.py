"""Units and things that are no time, in the names that scripts give their histograms."""

import pytest

from pylatencymap.text.unit_names import reason_not_time, unit_named
from pylatencymap.units import Unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("read latency (us)", Unit.US),
        ("pread latency [ns]", Unit.NS),
        ("latency in ms, by disk", Unit.MS),
        ("latency us:", Unit.US),
        ("disk us", Unit.US),
        ("read_us", Unit.US),
        ("@usecs", Unit.US),
        ("@us[7340032]", Unit.US),
        ("@read_latency_us", Unit.US),
        ("@lat_ms", Unit.MS),
        ("@ns", Unit.NS),
        ("Microseconds", Unit.US),
        ("time \u00b5s", Unit.US),
        ("resize_ns", Unit.NS),
    ],
)
def test_units_of_time(name: str, unit: Unit) -> None:
    assert unit_named(name) is unit
    assert reason_not_time(name) == ""


@pytest.mark.parametrize("name", ["Tell us more", "it gives us milk", "status", "bus", "read", "columns", "@", "items"])
def test_words_that_are_no_unit(name: str) -> None:
    assert unit_named(name) is None
    assert reason_not_time(name) == ""


@pytest.mark.parametrize(
    "name", ["bytes", "@size", "request size", "runqlen", "@len", "length", "Kbytes", "queue depth"]
)
def test_what_is_no_time(name: str) -> None:
    assert unit_named(name) is None
    assert "not a time" in reason_not_time(name)
