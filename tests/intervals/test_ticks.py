"""Which records make one print, and which series a print left out."""

from dataclasses import replace
from typing import Any

from pylatencymap.intervals.ticks import filled, ticked
from pylatencymap.record import Event, Mark, Record, Tick


def shape(events: list[Event]) -> list[str]:
    """Headings ``|``, implied ticks ``:``, those that join a round ``.``, names of series, marks ``!``."""
    signs = []
    for event in events:
        if isinstance(event, Tick):
            signs.append("." if event.joins else ":" if event.implied else "|")
        else:
            signs.append("!" if isinstance(event, Mark) else event.series)
    return signs


class TestTicked:
    def test_headings_stay_and_their_records_follow_them(self, make: Any) -> None:
        stamp = make.at(0, whole=True)
        events = [make.tick(stamp), make.counted(stamp, 1), make.counted(stamp, 1, series="b"), make.tick(make.at(1))]
        assert list(ticked(events)) == events
        unstamped = [make.tick(), make.counted(None, 1), make.counted(None, 1)]
        assert list(ticked(unstamped)) == unstamped

    def test_records_with_one_stamp_are_one_print(self, make: Any) -> None:
        events = [make.counter(make.at(second), 1, series=name) for second in (0, 1) for name in "ab"]
        assert shape(list(ticked(events))) == [":", "a", "b", ":", "a", "b"]

    def test_without_stamps_a_print_ends_where_a_series_comes_again(self, make: Any) -> None:
        events = [make.counted(None, 1, series=name) for name in "abac"]
        assert shape(list(ticked(events))) == [":", "a", "b", ":", "a", "c"]

    def test_series_with_stamps_of_their_own_make_rounds(self, make: Any) -> None:
        events = [make.counter(make.at(n / 10), 1, series=name) for n, name in enumerate("abcabb")]
        assert shape(list(ticked(events))) == [":", "a", ".", "b", ".", "c", ":", "a", ".", "b", ":", "b"]

    def test_a_record_of_another_time_than_its_heading_is_a_print_of_its_own(self, make: Any) -> None:
        events = [make.tick(make.at(0)), make.counted(make.at(0), 1), make.counted(make.at(1), 1)]
        assert shape(list(ticked(events))) == ["|", "a", ":", "a"]

    def test_marks_are_passed_on(self, make: Any) -> None:
        mark = Mark(make.at(0), "note")
        assert shape(list(ticked([mark, make.counted(make.at(0), 1), mark]))) == ["!", ":", "a", "!"]

    def test_an_implied_tick_knows_where_its_record_began(self, make: Any) -> None:
        record = make.counted(make.at(1), 1, start=make.at(0).micros, arrival=3.0, line=7)
        tick = next(iter(ticked([record])))
        assert (tick.start, tick.arrival, tick.line) == (make.at(0).micros, 3.0, 7)
        started = replace(make.counter(make.at(1), 1), start=make.at(-99).micros)
        assert next(iter(ticked([started]))).start is None


def begun(make: Any, end: float) -> Tick:
    return replace(make.tick(make.at(end)), start=make.at(end - 1).micros)


class TestFilled:
    def test_a_series_that_a_print_left_out_had_no_events(self, make: Any) -> None:
        events = [begun(make, 0), make.counted(make.at(0), 5, waited=1.0, note="n"), begun(make, 1), begun(make, 2)]
        idle = [event for event in filled(events) if isinstance(event, Record)][1:]
        assert [(one.ranges, one.stamp, one.start, one.waited, one.note) for one in idle] == [
            ((), make.at(1), make.at(0).micros, 0.0, ""),
            ((), make.at(2), make.at(1).micros, 0.0, ""),
        ]

    def test_it_is_added_before_the_next_print_and_at_the_end(self, make: Any) -> None:
        names = [["a", "b"], ["a"], ["b", "c"]]
        events: list[Event] = []
        for second, print_ in enumerate(names):
            events += [begun(make, second), *(make.counted(make.at(second), 1, series=name) for name in print_)]
        assert shape(list(filled(events))) == ["|", "a", "b", "|", "a", "b", "|", "b", "c", "a"]

    def test_counters_that_are_left_out_keep_their_values(self, make: Any) -> None:
        first = make.counter(make.at(0), 5, waited=2.5, start=77)
        idle = list(filled([begun(make, 0), first, begun(make, 1)]))[-1]
        assert (idle.ranges, idle.waited, idle.start) == ((), 2.5, 77)

    def test_records_without_headings_say_nothing_of_other_series(self, make: Any) -> None:
        events = [make.counter(make.at(n), 1, series=name) for n, name in enumerate("abaa")]
        assert shape(list(filled(ticked(events)))) == shape(list(ticked(events)))
