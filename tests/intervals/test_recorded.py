"""A recording tells what the session saw: no time in it is decided anew when it is read.

``engine`` and ``make`` are in conftest.py.
"""

from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Event, Record, Tick
from pylatencymap.report import Report
from pylatencymap.stream import StreamWriter, read_stream
from pylatencymap.text.lines import lines_of

STEPS = [-7200.0, -61.0, -1.0, 0.0, 0.0001, 0.4, 1.0, 1.0, 1.0, 1.3, 2.0, 3.0, 86400.0]


def recorded(events: list[Event]) -> str:
    """The text of a recording of events with times."""
    texts: list[str] = []
    writer = StreamWriter(texts.append)
    for event in events:
        writer.event(event)
    return "".join(texts)


def read_again(text: str) -> tuple[list[Interval], list[str]]:
    """The intervals of a recording, and what was said about it."""
    said: list[str] = []
    report = Report("again", say=said.append)
    events = resolve_times(read_stream(lines_of(text), report), TimeOptions(), report)
    return list(to_intervals(events, report)), said


@given(
    steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=40),
    whole=st.booleans(),
    kind=st.sampled_from(["headings", "records", "totals", "one by one"]),
)
def test_odd_stamps_are_read_as_they_were_seen(
    steps: list[float], whole: bool, kind: str, make: Any, engine: Any
) -> None:
    events: list[Event] = []
    for number, second in enumerate(accumulate(steps, initial=100_000.0)):
        stamp = make.at(round(second) if whole else second, whole=whole)
        names = "ab" if number % 3 else "a"
        events += [make.tick(stamp)] if kind == "headings" else []
        for place, name in enumerate(names):
            own = replace(stamp, micros=stamp.micros + place * 100_000) if kind == "one by one" else stamp
            made = (
                make.counter(own, 100 * number, series=name) if kind == "totals" else make.counted(own, 7, series=name)
            )
            events.append(made)
    found = engine(events)
    intervals, said = read_again(recorded(found.events))
    assert intervals == found.intervals
    assert _words(said) <= _words(found.said)  # damaged totals are recorded as they came, and found again


def _words(said: list[str]) -> set[str]:
    """Messages without the places that they name."""
    return {text.partition(": ")[2] for text in said}


def test_silences_are_those_that_were_seen(make: Any, engine: Any) -> None:
    stamps = [make.at(second) for second in (0, 1, 2, 3, 13, 14, 15, 75, 135, 195, 255, 315, 375, 400, 401)]
    found = engine(make.prints(stamps))
    assert len(found.gaps) == 6
    intervals, _ = read_again(recorded(found.events))
    assert intervals == found.intervals
    text = recorded(found.events)
    assert text.count('"silent"') == 6
    assert text.count('"final"') == 1


def test_a_record_costs_nothing_more(make: Any, engine: Any) -> None:
    events = engine(make.prints([make.at(second) for second in range(500)])).events
    plain = recorded([event for event in events if not isinstance(event, Tick)])
    assert len(recorded(events)) - len(plain) == len(', "final": true')


def test_what_the_parts_of_a_round_are_is_kept(make: Any, engine: Any) -> None:
    events: list[Event] = []
    for second, names in enumerate(("a", "b", "ab", "ba")):
        events += [make.tick(make.at(second)), *(make.counted(make.at(second), 7, series=name) for name in names)]
    text = recorded(engine(events).events)
    again = [event for event in read_stream(lines_of(text), Report("again", strict=True)) if isinstance(event, Tick)]
    assert [tick.joins for tick in again] == [False] * 4
    assert text.count('"part": false') == 1
    parts = [
        make.counted(make.at(second + place / 10), 7, series=name)
        for second in range(3)
        for place, name in enumerate("ab")
    ]
    text = recorded(engine(parts).events)
    again = [event for event in read_stream(lines_of(text), Report("again", strict=True)) if isinstance(event, Tick)]
    assert [tick.joins for tick in again] == [False, True] * 3
    assert '"part"' not in text


def test_two_recordings_one_after_the_other_have_a_gap_between_them(make: Any, engine: Any) -> None:
    first, second = (
        recorded(engine(make.prints([make.at(begin + second) for second in range(5)])).events) for begin in (0, 1000)
    )
    intervals, _ = read_again(first + second)
    assert [(one.start, one.end) for one in intervals if one.gap] == [(make.at(4).micros, make.at(999).micros)]
    assert sum(one.events for one in intervals) == 100


def test_an_older_recording_is_read_as_before(make: Any, engine: Any) -> None:
    events = engine(make.prints([make.at(second) for second in (0, 1, 2, 3, 13, 14)])).events
    old = recorded([event for event in events if isinstance(event, Record)])
    assert "final" not in old
    intervals, _ = read_again(old)
    assert [(one.start, one.end) for one in intervals if one.gap] == [(make.at(3).micros, make.at(12).micros)]


@pytest.mark.parametrize("field", ['"final": 1', '"silent": 5', '"silent": [1]', '"silent": [-1, 5]', '"part": "yes"'])
def test_what_is_not_as_specified_is_reported(field: str, make: Any, engine: Any) -> None:
    text = recorded(engine(make.prints([make.at(0)])).events).replace('"final": true', field)
    report = Report("again")
    assert len([event for event in read_stream(lines_of(text), report) if isinstance(event, Record)]) == 1
    assert report.bad_count == 1


def test_a_long_name_is_read_as_it_was(make: Any, engine: Any) -> None:
    name = ",".join([200 * "x"] * 5 + ["read"])
    found = engine([make.counted(make.at(second), 7, series=name) for second in range(3)])
    intervals, _ = read_again(recorded(found.events))
    assert {one.series for one in intervals} == {name}


def test_a_first_print_that_is_not_on_the_axis_costs_itself(make: Any, engine: Any) -> None:
    events = make.prints([replace(make.at(0), micros=-5), *(make.at(second) for second in range(3))])
    found = engine(events)
    assert found.ends == [0, 1, 2]
    assert found.seconds == [1, 1, 1]
    assert found.said == ["test:1: its time is before 1970; the print is dropped"]


def test_nothing_on_the_axis_is_nothing(make: Any, engine: Any) -> None:
    found = engine(make.prints([replace(make.at(0), micros=micros) for micros in (-9, -5)]))
    assert (found.events, found.intervals, len(found.said)) == ([], [], 2)
