"""Series that a print left out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from pylatencymap.collectors.records import decode
from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.idle.records import MOST_AT_ONCE, fill_idle
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times, with_ticks
from pylatencymap.record import IDLE, LOST, Event, Record, Tick, lost_record
from pylatencymap.report import Report
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit


def begun(make: Any, end: float) -> Tick:
    return replace(make.tick(make.at(end)), start=make.at(end - 1).micros)


class TestFilled:
    def test_a_series_that_a_print_left_out_had_no_events(self, make: Any) -> None:
        events = [begun(make, 0), make.counted(make.at(0), 5, waited=1.0, note="n"), begun(make, 1), begun(make, 2)]
        idle = [event for event in fill_idle(events) if isinstance(event, Record)][1:]
        assert [(one.ranges, one.stamp, one.start, one.waited, one.note) for one in idle] == [
            ((), make.at(1), make.at(0).micros, 0.0, ""),
            ((), make.at(2), make.at(1).micros, 0.0, ""),
        ]

    def test_it_is_added_before_the_next_print_and_at_the_end(self, make: Any) -> None:
        names = [["a", "b"], ["a"], ["b", "c"]]
        events: list[Event] = []
        for second, print_ in enumerate(names):
            events += [begun(make, second), *(make.counted(make.at(second), 1, series=name) for name in print_)]
        found = [event.series if isinstance(event, Record) else "|" for event in fill_idle(events)]
        assert found == ["|", "a", "b", "|", "a", "b", "|", "b", "c", "a"]

    def test_counters_that_are_left_out_keep_their_values(self, make: Any) -> None:
        first = make.counter(make.at(0), 5, waited=2.5, start=77)
        idle = list(fill_idle([begun(make, 0), first, begun(make, 1)]))[-1]
        assert isinstance(idle, Record)
        assert (idle.ranges, idle.waited, idle.start) == ((), 2.5, 77)

    def test_totals_that_could_not_be_read_are_covered_by_the_next_ones(self, make: Any) -> None:
        a, b, c = (make.counter(make.at(second), 5 * second) for second in range(3))
        events = [begun(make, 0), a, begun(make, 1), lost_record(b), begun(make, 2), c]
        assert list(fill_idle(events)) == [event for event in events if LOST not in getattr(event, "flags", ())]
        assert [(one.start, one.end) for one in to_intervals(fill_idle(events))] == [(a.stamp.micros, c.stamp.micros)]

    def test_lost_counts_per_interval_are_a_gap(self, make: Any) -> None:
        a, b, c = (make.counted(make.at(second), 5, start=make.at(second - 1).micros) for second in range(3))
        events = [begun(make, 0), a, begun(make, 1), lost_record(replace(b, unit=Unit.NS)), begun(make, 2), c]
        found = list(to_intervals(fill_idle(events)))
        assert [(one.gap, one.events, one.unit) for one in found] == [
            (False, 5, a.unit),
            (True, 0, a.unit),
            (False, 5, a.unit),
        ]

    def test_a_lost_record_that_seemed_to_be_of_totals_is_a_gap_of_counts_per_interval(self, make: Any) -> None:
        a, c = (make.counted(make.at(second), 5, start=make.at(second - 1).micros) for second in (0, 2))
        events = [begun(make, 0), a, begun(make, 1), lost_record(make.counter(make.at(1), 5)), begun(make, 2), c]
        gap = list(to_intervals(fill_idle(events)))[1]
        assert (gap.gap, gap.start, gap.end) == (True, make.at(0).micros, make.at(1).micros)

    def test_lost_records_of_unknown_series_are_nothing(self, make: Any) -> None:
        assert list(fill_idle([begun(make, 0), lost_record(make.counted(make.at(0), 5))])) == [begun(make, 0)]

    def test_records_without_headings_say_nothing_of_other_series(self, make: Any) -> None:
        events = [make.counter(make.at(n), 1, series=name) for n, name in enumerate("abaa")]
        assert list(fill_idle(with_ticks(events))) == list(with_ticks(events))


def churning(make: Any, counter: bool = False) -> list[Event]:
    """Prints of one second, each with 10 events of two new series; ``back`` comes in the first and in the last one."""
    events: list[Event] = []
    for second in range(200):
        names = [f"{second}a", f"{second}b", *(["back"] if second in (0, 199) else [])]
        kind = make.counter if counter else make.counted
        events += [make.tick(make.at(second)), *(kind(make.at(second), 10 + second, series=name) for name in names)]
    return events


def of(found: Iterable[Interval], series: str) -> list[Interval]:
    return [one for one in found if one.series == series]


class TestManySeries:
    def test_no_print_tells_of_more_than_so_many(self, make: Any, engine: Any) -> None:
        found = engine(churning(make))
        assert sum(isinstance(event, Record) for event in found.events) <= 200 * (2 + MOST_AT_ONCE) + 401
        last = found.events[:-401]
        assert all(
            sum(isinstance(event, Record) for event in last[first:stop]) <= 3 + MOST_AT_ONCE
            for first, stop in pairwise(n for n, event in enumerate(last) if isinstance(event, Tick))
        )

    def test_what_each_series_did_is_known_to_the_end(self, make: Any, engine: Any) -> None:
        found = engine(churning(make)).intervals
        for second in range(200):
            one = of(found, f"{second}a")
            assert sum(part.events for part in one) == 10 + second
            assert sum(part.seconds for part in one) == pytest.approx(200 - second)
            assert all(first.end == then.start for first, then in pairwise(one))
            assert not any(part.gap for part in one)

    def test_a_series_that_comes_again_had_no_events_until_then(self, make: Any, engine: Any) -> None:
        back = of(engine(churning(make)).intervals, "back")
        assert back[-1].seconds == 1.0
        assert back[-1].events == 209
        assert [part.events for part in back[1:-1]] == [0] * (len(back) - 2)
        assert sum(part.seconds for part in back) == pytest.approx(200)
        assert all(first.end == then.start for first, then in pairwise(back))

    def test_counters_that_come_again_grew_in_the_last_print(self, make: Any, engine: Any) -> None:
        back = of(engine(churning(make, counter=True)).intervals, "back")
        assert (back[-1].seconds, back[-1].events) == (1.0, 199)
        assert sum(part.seconds for part in back) == pytest.approx(199)
        assert sum(part.events for part in back) == 199

    def test_a_silence_is_no_idle_time(self, make: Any, engine: Any) -> None:
        events = churning(make)
        silent = range(make.at(100).micros, make.at(150).micros)
        moved = [event for event in events if event.stamp is None or event.stamp.micros not in silent]
        back = of(engine(moved).intervals, "back")
        assert [(part.start, part.seconds) for part in back if part.gap] == [(make.at(99).micros, 50.0)]
        assert sum(part.seconds for part in back if not part.gap) == pytest.approx(200)

    @pytest.mark.parametrize("counter", [False, True])
    def test_a_recording_tells_the_same(self, make: Any, engine: Any, counter: bool) -> None:
        found = engine(churning(make, counter))
        texts: list[str] = []
        writer = StreamWriter(texts.append)
        for event in found.events:
            writer.event(event)
        report = Report("recording")
        again = to_intervals(resolve_times(decode(lines_of("".join(texts)), report), TimeOptions(), report))
        assert sorted(again, key=_by_series) == sorted(found.intervals, key=_by_series)
        assert "idle" in "".join(texts)


def test_idle_series_get_their_record_before_the_error_that_ends_a_source(make: Any) -> None:
    def broken() -> Iterator[Event]:
        yield from (begun(make, 0), make.counted(make.at(0), 1), begun(make, 1))
        raise SourceError("the file breaks off")

    found: list[Event] = []
    with pytest.raises(SourceError):
        found.extend(fill_idle(broken()))
    assert [one.ranges for one in found if isinstance(one, Record)] == [make.ranges(1), ()]


def test_the_flag_is_set_only_where_prints_were_not_told_of(make: Any) -> None:
    events = [begun(make, 0), make.counted(make.at(0), 1), begun(make, 1), begun(make, 2), make.counted(make.at(2), 1)]
    assert not any(IDLE in event.flags for event in fill_idle(events) if isinstance(event, Record))


def _by_series(one: Interval) -> tuple[str, int]:
    return one.series, one.end
