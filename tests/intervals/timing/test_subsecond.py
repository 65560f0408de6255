"""Prints of a file that share whole-second stamps: each is as long as it was, and none is lost."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.intervals.timing.subsecond import parts_of_second, spread_within_seconds
from pylatencymap.record import Event, Record, Tick


def whole(make: Any, *seconds: float) -> list[Any]:
    return [make.at(second, whole=True) for second in seconds]


@pytest.mark.parametrize(
    ("numbers", "parts"),
    [
        pytest.param((0, 1, 1, 1), [0], id="once a second"),
        pytest.param((1, 2, 0, 1), [0, 0], id="once a second, not exactly"),
        pytest.param((1, 2, 1, 1), [0, 0], id="two among seconds with one"),
        pytest.param((0, 1, 2, 2), [0.5], id="began in the second half of a second"),
        pytest.param((0, 1, 2, 1), [0], id="a second with two does not tell that there were more before"),
        pytest.param((1, 2, 2, 2), [0, 0.5], id="twice a second"),
        pytest.param((4, 4, 4, 4), [0, 0.25, 0.5, 0.75], id="four times"),
        pytest.param((0, 2, 4, 4), [0.5, 0.75], id="the first second is not whole"),
        pytest.param((4, 2, 0, 0), [0, 0.25], id="nor is the last"),
        pytest.param((0, 5, 0, 0), [0, 0.2, 0.4, 0.6, 0.8], id="all in one second"),
    ],
)
def test_at_which_part_of_a_second_each_print_was_made(numbers: tuple[int, int, int, int], parts: list[float]) -> None:
    assert parts_of_second(*numbers) == parts


def test_prints_twice_a_second_last_half_of_one(make: Any, engine: Any) -> None:
    found = engine(make.prints(whole(make, 5, 6, 6, 7, 7, 8)))
    assert found.seconds == [0.5] * 6
    assert found.ends == [5.5, 6, 6.5, 7, 7.5, 8]
    assert (found.gaps, found.said) == ([], [])


def test_totals_four_times_a_second(make: Any, engine: Any) -> None:
    stamps = whole(make, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3)
    events: list[Event] = []
    for number, stamp in enumerate(stamps):
        events += [Tick(stamp, line=number), make.counter(stamp, 100, 10 * number)]
    found = engine(events)
    assert [(one.events, one.seconds, one.reset) for one in found.intervals] == [(10, 0.25, False)] * 10
    assert [one.start for one in found.intervals[1:]] == [one.end for one in found.intervals[:-1]]


def test_a_second_of_silence_between_prints_is_one(make: Any, engine: Any) -> None:
    found = engine(make.prints(whole(make, 0, 0, 1, 1, 2, 2, 12, 12, 13, 13)))
    assert found.gaps == [(2.5, 11.5)]
    assert found.seconds.count(0.5) == 9


def test_midnight_lies_between_two_seconds(make: Any, engine: Any) -> None:
    clocks = ["23:59:58", "23:59:58", "23:59:59", "23:59:59", "00:00:00", "00:00:00"]
    found = engine(make.prints(make.day(clock) for clock in clocks), day=date(2026, 2, 27))
    assert found.seconds == [0.5] * 6
    assert {one.end - one.start for one in found.intervals} == {500_000}


def test_live_prints_have_their_arrivals(make: Any, engine: Any) -> None:
    for first, step in ((0.2, 0.25), (1.0, 0.25), (0.05, 0.3), (1.6, 0.5)):
        arrivals = [first + step * number for number in range(24)]
        found = engine(make.prints(whole(make, *(int(one) for one in arrivals)), arrivals), live=True)
        assert found.seconds[-22:] == [step] * 22
        assert [one.start for one in found.intervals[3:]] == [one.end for one in found.intervals[2:-1]]
        assert (found.gaps, found.said) == ([], [])


@given(seconds=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=30))
def test_nothing_is_lost_and_order_stays(seconds: list[tuple[int, int]], make: Any) -> None:
    events: list[Event] = []
    now = 0
    for prints, step in seconds:
        now += step
        for _ in range(prints):
            events += [Tick(make.at(now, whole=True)), make.counted(None, 1 + len(events))]
    found = list(spread_within_seconds(events))
    assert [event for event in found if isinstance(event, Record)] == [
        event for event in events if isinstance(event, Record)
    ]
    ends = [event.stamp.micros for event in found if isinstance(event, Tick) and event.stamp]
    assert ends == sorted(ends)
    assert [end // 1_000_000 for end in ends] == [
        event.stamp.micros // 1_000_000 for event in events if isinstance(event, Tick) and event.stamp
    ]


def test_what_breaks_off_is_told_as_far_as_it_was_read(make: Any) -> None:
    def broken() -> Any:
        yield from make.prints(whole(make, 0, 1, 2))
        raise ValueError("broken off")

    found: list[Event] = []
    with pytest.raises(ValueError, match="broken off"):
        found.extend(spread_within_seconds(broken()))
    assert found == make.prints(whole(make, 0, 1, 2))
