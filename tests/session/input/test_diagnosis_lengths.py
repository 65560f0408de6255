"""Whether a text says how long its intervals are, and what is told where it does not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.session.input.diagnosis import LONE, OTHERWISE, UNDATED, IntervalLengthWarning
from pylatencymap.units import Unit

SECOND = 1_000_000
BEGIN = 1_700_000_000 * SECOND
NO_OPTIONS = TimeOptions()
BEGUN = TimeOptions(started=100.0, monotonic=lambda: 100.0, now=lambda: 1.7e9)


def printed(
    *seconds: int | None,
    semantics: Semantics = Semantics.INTERVAL,
    start: int | None = None,
    arrival: float | None = None,
) -> list[Event]:
    """A print of one series for each end, None without a stamp."""
    events: list[Event] = []
    for number, second in enumerate(seconds):
        stamp = None if second is None else Stamp(BEGIN + second * SECOND)
        arrived = None if arrival is None else arrival + number
        events.append(Tick(stamp, arrived, line=number + 1, start=start))
        ranges = ((8, 16, 3 + number),)
        events.append(Record("a", Unit.US, ranges, semantics, stamp, start=start, arrival=arrived, line=number + 1))
    return events


def told(events: Sequence[Event], options: TimeOptions = NO_OPTIONS) -> tuple[list[str], dict[str, str]]:
    said: list[str] = []
    remarks: dict[str, str] = {}
    report = Report("x", say=said.append)
    lengths = IntervalLengthWarning(options, report, remarks)
    plain = list(resolve_times(events, options, Report("x")))
    assert list(lengths.watch_resolved(resolve_times(lengths.watch_printed(events), options, report))) == plain
    return said, remarks


def test_a_single_print_has_no_length_whether_it_is_dated_or_not() -> None:
    assert told(printed(None)) == ([f"x:1: {LONE}; {OTHERWISE}"], {"x": LONE})
    assert told(printed(5)) == ([f"x:1: {LONE}; {OTHERWISE}"], {"x": LONE})
    assert told(printed(5, semantics=Semantics.OPEN)) == ([f"x:1: {LONE}; {OTHERWISE}"], {"x": LONE})


def test_totals_before_counts_with_a_start_say_nothing_of_their_length() -> None:
    tick, counts = printed(5, start=BEGIN + 4 * SECOND)
    (_, totals) = printed(5, semantics=Semantics.CUMULATIVE)
    assert told([replace(tick, start=None), totals, counts]) == ([], {})
    assert told([replace(tick, start=None), totals, replace(counts, start=None)])[1] == {"x": LONE}


def test_prints_without_a_date_are_told_once() -> None:
    assert told(printed(None, None, None)) == ([f"x:1: {UNDATED}; {OTHERWISE}"], {})


@pytest.mark.parametrize(
    ("events", "options"),
    [
        (printed(5, 6, 7), NO_OPTIONS),
        (printed(5, start=BEGIN), NO_OPTIONS),
        (printed(None), TimeOptions(interval=10.0)),
        (printed(None, None), TimeOptions(interval=10.0)),
        (printed(None, semantics=Semantics.CUMULATIVE), NO_OPTIONS),
        (printed(None, arrival=108.0), BEGUN),
        (printed(None, None, arrival=101.0), BEGUN),
        ([], NO_OPTIONS),
    ],
)
def test_where_the_length_is_known_or_was_given_nothing_is_told(events: list[Event], options: TimeOptions) -> None:
    assert told(events, options) == ([], {})


def test_a_dump_that_comes_at_once_was_not_measured_since_we_started() -> None:
    said, remarks = told(printed(None, arrival=100.1), BEGUN)
    assert (len(said), remarks) == (1, {"x": LONE})


def test_a_print_that_was_counted_is_no_single_print() -> None:
    counted = Stamp(SECOND, Clock.COUNTED)
    ping: list[Event] = [
        Tick(counted, start=0),
        Record("a", Unit.US, ((8, 16, 1),), Semantics.INTERVAL, counted, start=0),
    ]
    assert told(ping) == ([], {})
