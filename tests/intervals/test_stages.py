"""Records with times: what the stream and the engine get."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pylatencymap.intervals import stages
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Clock, Event, Mark, Record, Sample, Semantics
from pylatencymap.report import Report
from pylatencymap.units import Unit


def records(found: Any) -> list[Record]:
    return [event for event in found.events if isinstance(event, Record)]


def test_records_per_interval_get_a_start_and_all_get_the_stamp_of_their_print(make: Any, engine: Any) -> None:
    found = records(
        engine([make.tick(make.at(0)), make.counted(None, 1), make.tick(make.at(5)), make.counted(None, 2)])
    )
    assert [(one.stamp, one.start) for one in found] == [
        (make.at(0), make.at(-5).micros),
        (make.at(5), make.at(0).micros),
    ]


def consumed_at_first(events: list[Event]) -> int:
    """How many events of a live source must have come before the first is passed on."""
    taken: list[Event] = []

    def source() -> Iterator[Event]:
        for event in events:
            taken.append(event)
            yield event

    next(resolve_times(source(), TimeOptions(started=0.0), Report("test")))
    return len(taken)


def test_the_first_print_waits_for_the_heading_of_the_second(make: Any) -> None:
    assert consumed_at_first(make.prints([make.at(n) for n in range(5)])) == len(["heading", "record", "heading"])


def test_a_record_that_knows_its_time_waits_for_nothing(make: Any) -> None:
    assert consumed_at_first([make.counter(make.at(n), 1) for n in range(5)]) == 1
    assert consumed_at_first([make.counted(make.at(n), 1, start=make.at(n - 1).micros) for n in range(5)]) == 1


def test_rates_become_counts(make: Any, engine: Any) -> None:
    events = [
        Record("a", make.counted(None).unit, make.ranges(0, 7), Semantics.RATE, make.at(second), waited=10e-6)
        for second in (0, 2, 4)
    ]
    found = engine(events)
    assert [one.semantics for one in records(found)] == [Semantics.INTERVAL] * 3
    assert [one.events for one in found.intervals] == [14, 14, 14]
    assert [one.waited for one in found.intervals] == [20e-6, 20e-6, 20e-6]
    assert found.seconds == [2, 2, 2]


def test_semantics_can_be_overridden(make: Any, engine: Any) -> None:
    sums = make.prints([make.at(second) for second in range(3)])
    assert [one.events for one in engine(sums).intervals] == [10, 10, 10]
    assert [one.events for one in engine(sums, semantics=Semantics.CUMULATIVE).intervals] == [0, 0]
    assert [one.events for one in engine(sums, semantics=Semantics.RATE).intervals] == [10, 10, 10]
    counters = [make.counter(make.at(2 * n), 4) for n in range(3)]
    assert [one.events for one in engine(counters, semantics=Semantics.INTERVAL).intervals] == [4, 4, 4]


def test_an_override_changes_what_a_start_means_so_it_is_dropped(make: Any, engine: Any) -> None:
    growing = [make.counted(make.at(n), 10 * n, start=make.at(n - 1).micros) for n in range(1, 4)]
    found = engine(growing, semantics=Semantics.CUMULATIVE)
    assert [(one.events, one.reset) for one in found.intervals] == [(10, False), (10, False)]
    since_start_up = [make.counter(make.at(n), 10, start=make.at(-1000).micros) for n in range(3)]
    assert engine(since_start_up, semantics=Semantics.INTERVAL).seconds == [1, 1, 1]


def test_counters_on_the_grid_of_seconds_count_for_nominal_intervals(make: Any, engine: Any) -> None:
    moments = [0, 1, 2, 4, 5]
    found = engine([make.counter(make.at(moment, whole=True), 10 * n) for n, moment in enumerate(moments)])
    assert found.seconds == [1, 1, 1, 1]
    assert [one.start for one in found.intervals] == [make.at(moment).micros for moment in moments[:-1]]


def test_counters_count_for_the_real_seconds_of_a_gap(make: Any, engine: Any) -> None:
    found = engine([make.counter(make.at(moment, whole=True), moment) for moment in (0, 1, 2, 12, 13)])
    assert found.seconds == [1, 1, 10, 1]
    assert [one.events for one in found.intervals if not one.gap] == [1, 1, 10, 1]
    assert found.gaps == [(2, 11)]


def test_counters_that_were_left_out_of_a_print_are_not_spread_over_it(make: Any, engine: Any) -> None:
    events: list[Any] = []
    for moment, counts in ((0, 1), (1, 2), (2, 3), (4, None), (6, 9)):
        events += [make.tick(make.at(moment, whole=True)), make.counter(make.at(moment), 1, series="other")]
        events += [make.counter(make.at(moment), counts)] if counts else []
    found = [one for one in engine(events).intervals if one.series == "a"]
    assert [(one.events, one.seconds) for one in found] == [(1, 1), (1, 1), (0, 1), (6, 1)]


def test_a_clock_that_jumped_does_not_thin_out_counters(make: Any, engine: Any) -> None:
    moments, arrivals = (0, 1, 2, 3602, 3603), (1, 2, 3, 4, 5)
    found = engine(
        [make.counter(make.at(m), 5 * n, arrival=a) for n, (m, a) in enumerate(zip(moments, arrivals, strict=True))],
        live=True,
    )
    assert found.seconds == [1, 1, 1, 1]
    assert found.gaps == []


def test_a_start_follows_its_stamp_where_the_clock_went_back(make: Any, engine: Any) -> None:
    moments = [0, 1, 2, -3598, -3597]
    found = engine([make.counted(make.at(moment), 1, start=make.at(moment - 1).micros) for moment in moments])
    assert found.ends == [0, 1, 2, 3, 4]
    assert found.seconds == [1] * 5


@pytest.mark.parametrize("start", [0.0, 5.0, 1e6])
def test_a_start_after_its_end_is_passed_over(make: Any, engine: Any, start: float) -> None:
    found = engine([make.counted(make.at(moment), 1, start=make.at(moment + start).micros) for moment in range(3)])
    assert found.seconds == [1] * 3


def test_a_start_in_time_of_day_is_that_of_its_stamp(make: Any, engine: Any) -> None:
    events = [
        make.counted(make.day(f"00:00:{second:02}"), 1, start=make.day(f"00:00:{second - 2:02}").micros)
        for second in (2, 4, 6)
    ]
    assert engine(events, modified=float(make.epoch)).seconds == [2] * 3


def test_a_divisor_that_a_record_brings_along_is_used(make: Any, engine: Any) -> None:
    counters = [make.counter(make.at(n, whole=True), 10 * n, seconds=1.25) for n in range(3)]
    assert engine(counters).seconds == [1.25, 1.25]
    assert engine([make.counted(make.at(n), 1, seconds=0.5) for n in range(2)]).seconds == [0.5, 0.5]
    assert engine([make.counter(make.at(n), 1, seconds=0.0) for n in range(3)]).seconds == [1, 1]


def test_marks_are_passed_on_as_they_are(make: Any, engine: Any) -> None:
    mark = Mark(make.at(0.5), "reboot")
    events = make.prints([make.at(0), make.at(1)])
    found = engine([mark, *events[:2], mark, *events[2:], mark]).events
    assert [event for event in found if isinstance(event, Mark)] == [mark] * 3


def test_text_without_records_has_no_intervals(make: Any, engine: Any) -> None:
    assert engine([]).intervals == []
    assert engine([make.tick(make.at(n)) for n in range(3)]).intervals == []


def test_what_was_resolved_resolves_to_itself(make: Any, engine: Any) -> None:
    """As a recording is: replay takes the same path."""
    once = engine(make.prints([make.day(clock) for clock in ("23:59:58", "23:59:59", "00:00:01")]), modified=1e9)
    again = engine([event for event in once.events if isinstance(event, Record)])
    assert again.intervals == once.intervals
    assert {event.stamp.clock for event in once.events if isinstance(event, Record) and event.stamp} == {Clock.EPOCH}


def test_stages_are_told_apart_and_run_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    run, ran = stages.StageContext(TimeOptions(), Report("t")), list[str]()

    def noted(stage: stages.Stage) -> stages.Stage:
        def note(found: Iterable[Any], run: stages.StageContext) -> Iterable[Any]:
            ran.append(stage.name)
            return stage.run(found, run)

        return stage._replace(run=note)

    monkeypatch.setattr(stages, "STAGES", [noted(stage) for stage in stages.STAGES])
    events = stages.as_wanted(stages.placed(stages.decoded([Sample("a", Unit.US, 7, 5)], run), run), run)
    (one,) = stages.differences(events, run)
    assert (one.series, one.ranges) == ("a", ((7, 8, 1),))
    assert ran == [stage.name for stage in stages.STAGES]
    assert len(set(ran)) == len(ran)
    assert all(stage.what for stage in stages.STAGES)
