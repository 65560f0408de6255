"""What no calendar, no counter and no recording can hold."""

from math import inf, nan
from typing import Any

import pytest

from pylatencymap.record import Clock, Mark, Pause, Range, Record, Sample, Semantics, Stamp, Tick
from pylatencymap.stream.bounds import bound_label
from pylatencymap.stream.limits import MAX_COUNT, MAX_LABEL, MAX_TEXT, MOST_EPOCH, flaw_of, is_on_axis
from pylatencymap.units import Unit

NOW = 1_700_000_000_000_000


def record(*ranges: Range, **others: Any) -> Record:
    return Record("a", Unit.US, ranges, Semantics.CUMULATIVE, **{"stamp": Stamp(NOW), **others})


@pytest.mark.parametrize(
    "event",
    [
        record((0, 1, 5), (1, None, 0.5), (MAX_LABEL, 2 * MAX_LABEL, MAX_COUNT - 1)),
        record(stamp=None, waited=0.0, seconds=1.0, start=-1),
        Sample("a", Unit.NS, MAX_LABEL - 1, MOST_EPOCH - 1),
        Sample("a", Unit.NS, 0, -5, Clock.FREE),
        Tick(),
        Tick(Stamp(MOST_EPOCH - 1)),
        Mark(Stamp(NOW), "note"),
        Pause(),
    ],
)
def test_possible_events_have_no_flaw(event: Any) -> None:
    assert flaw_of(event) == ""


@pytest.mark.parametrize(
    ("event", "flaw"),
    [
        (record(stamp=Stamp(MOST_EPOCH)), "beyond the years"),
        (record(stamp=Stamp(-1)), "before 1970"),
        (Tick(Stamp(-62_135_596_799_000_000)), "before 1970"),
        (Sample("a", Unit.NS, 1, -62_135_596_799_000_000), "before 1970"),
        (Mark(Stamp(-1), ""), "before 1970"),
        (record(note="x" * (MAX_TEXT + 1)), "longer than 2000 characters"),
        (record(start=-MOST_EPOCH), "beyond the years"),
        (Tick(Stamp(MOST_EPOCH)), "beyond the years"),
        (Mark(Stamp(MOST_EPOCH), ""), "beyond the years"),
        (Sample("a", Unit.NS, 1, 10**19), "beyond the years"),
        (Sample("a", Unit.NS, -1, NOW), "latency of -1"),
        (Sample("a", Unit.NS, MAX_LABEL, NOW), "latency of 18446744073709551616"),
        (record((3850, 3000, 1)), "a range from 3850 to 3000"),
        (record((64, 64, 1)), "a range from 64 to 64"),
        (record((-1, 64, 1)), "a range from -1 to 64"),
        (record((nan, 64, 1)), "a range from nan to 64"),
        (record((1, inf, 1)), "a range from 1 to inf"),
        (record((2 * MAX_LABEL, None, 1)), "a range from"),
        (record((1, 2, -1)), "a count of -1"),
        (record((1, 2, nan)), "a count of nan"),
        (record((1, 2, MAX_COUNT)), "a count of"),
        (record(waited=-0.0025), "time waited of -0.0025 s"),
        (record(waited=inf), "time waited of inf s"),
        (record(seconds=nan), "length of nan s"),
        (record(seconds=2.5e17), "length of 2.5e+17 s"),
    ],
)
def test_impossible_events_are_named(event: Any, flaw: str) -> None:
    assert flaw in flaw_of(event)


def test_the_axis_is_from_1970_to_the_end_of_calendars() -> None:
    assert [is_on_axis(micros) for micros in (-1, 0, NOW, MOST_EPOCH - 1, MOST_EPOCH)] == [
        False,
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("upper", [False, True])
def test_every_possible_range_has_a_label_that_is_read(upper: bool) -> None:
    assert bound_label(MAX_LABEL, 2 * MAX_LABEL, upper) == MAX_LABEL
