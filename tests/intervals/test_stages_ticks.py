"""Which records make one print, and which series a print left out."""

from dataclasses import replace
from typing import Any

from pylatencymap.intervals.stages import with_ticks
from pylatencymap.record import Event, Mark, Tick


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
        assert list(with_ticks(events)) == events
        unstamped = [make.tick(), make.counted(None, 1), make.counted(None, 1)]
        assert list(with_ticks(unstamped)) == unstamped

    def test_records_with_one_stamp_are_one_print(self, make: Any) -> None:
        events = [make.counter(make.at(second), 1, series=name) for second in (0, 1) for name in "ab"]
        assert shape(list(with_ticks(events))) == [":", "a", "b", ":", "a", "b"]

    def test_without_stamps_a_print_ends_where_a_series_comes_again(self, make: Any) -> None:
        events = [make.counted(None, 1, series=name) for name in "abac"]
        assert shape(list(with_ticks(events))) == [":", "a", "b", ":", "a", "c"]

    def test_series_with_stamps_of_their_own_make_rounds(self, make: Any) -> None:
        events = [make.counter(make.at(n / 10), 1, series=name) for n, name in enumerate("abcabb")]
        assert shape(list(with_ticks(events))) == [":", "a", ".", "b", ".", "c", ":", "a", ".", "b", ":", "b"]

    def test_a_record_of_another_time_than_its_heading_is_a_print_of_its_own(self, make: Any) -> None:
        events = [make.tick(make.at(0)), make.counted(make.at(0), 1), make.counted(make.at(1), 1)]
        assert shape(list(with_ticks(events))) == ["|", "a", ":", "a"]

    def test_marks_are_passed_on(self, make: Any) -> None:
        mark = Mark(make.at(0), "note")
        assert shape(list(with_ticks([mark, make.counted(make.at(0), 1), mark]))) == ["!", ":", "a", "!"]

    def test_an_implied_tick_knows_where_its_record_began(self, make: Any) -> None:
        record = make.counted(make.at(1), 1, start=make.at(0).micros, arrival=3.0, line=7)
        tick = next(iter(with_ticks([record])))
        assert (tick.start, tick.arrival, tick.line) == (make.at(0).micros, 3.0, 7)
        started = replace(make.counter(make.at(1), 1), start=make.at(-99).micros)
        assert next(iter(with_ticks([started]))).start is None
