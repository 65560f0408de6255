"""Impossible events of a decoder cost themselves, are reported, and nothing else is lost."""

from dataclasses import replace
from math import nan

import pytest

from pylatencymap.intervals import possible
from pylatencymap.intervals.possible import within_limits
from pylatencymap.record import Mark, Record, Sample, Semantics, Stamp, Tick, lost_record
from pylatencymap.report import Report
from pylatencymap.stream.limits import MOST_EPOCH
from pylatencymap.units import Unit

NOW = Stamp(1_700_000_000_000_000)
FAR = Stamp(MOST_EPOCH)


def record(series: str = "a", stamp: Stamp | None = None, lower: int = 1, line: int = 7) -> Record:
    return Record(series, Unit.US, ((lower, 2, 1),), Semantics.INTERVAL, stamp, line=line)


def test_what_is_possible_passes_unchanged() -> None:
    events = [Tick(NOW), record(), record(stamp=NOW), Sample("a", Unit.US, 5, NOW.micros), Mark(NOW, "note")]
    report = Report("text")
    assert list(within_limits(events, report)) == events
    assert report.bad_count == 0


def test_each_impossible_event_is_reported_with_its_line() -> None:
    said: list[str] = []
    events = [Tick(NOW), record(lower=5), record("b"), Sample("a", Unit.US, 5, FAR.micros, line=9), Mark(FAR, "note")]
    assert list(within_limits(events, Report("text", say=said.append))) == [events[0], events[2]]
    assert said == [
        "text:7: it has a range from 5 to 2; the record is dropped",
        "text:9: its time is beyond the years that calendars have; the event is dropped",
        "text:0: its time is beyond the years that calendars have; the mark is dropped",
    ]


def test_a_series_is_not_idle_where_its_record_was_dropped() -> None:
    events = [Tick(NOW), record(), record(lower=5)]
    assert list(within_limits(events, Report("text"))) == [*events[:2], lost_record(events[2])]


def test_an_impossible_time_waited_costs_only_itself_and_is_told_once() -> None:
    said: list[str] = []
    report = Report("text", say=said.append)
    events = [replace(record(line=line), waited=waited) for line, waited in ((3, 0.5), (4, -1.0), (5, nan), (6, 2.0))]
    found = [one.waited for one in within_limits(events, report) if isinstance(one, Record)]
    assert found == [0.5, None, None, 2.0]
    assert said == ["text:4: a: -1 s waited are impossible: such times are replaced by estimates"]
    assert report.bad_count == 0


def test_an_impossible_tick_costs_its_records_and_no_others() -> None:
    report = Report("text")
    good = [Tick(NOW), record(), record("c", NOW)]
    events = [Tick(FAR), record(), record(stamp=FAR), good[2], *good[:2]]
    assert list(within_limits(events, report)) == [good[2], *good[:2]]
    assert report.bad_count == 1


def test_series_without_end_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible, "MOST_SERIES", 3)
    report = Report("text")
    events = [record(f"s{number % 5}") for number in range(10)]
    assert [one.series for one in within_limits(events, report) if isinstance(one, Record)] == ["s0", "s1", "s2"] * 2
    assert report.bad_count == 4
