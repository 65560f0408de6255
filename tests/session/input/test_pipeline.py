"""Which series are wanted, how much is read, and several files on one clock."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import Clock, Event, Mark, Record, Semantics, Stamp, Tick
from pylatencymap.session.input.pipeline import ReadPlan, intervals_of, limit_events
from pylatencymap.session.input.plan import NAMES_KEPT, NAMES_SHOWN
from pylatencymap.session.input.several_files import merged_by_time
from pylatencymap.session.series_overview import event_noun
from pylatencymap.units import Unit

SECOND = 1_000_000


def stamp(second: float) -> Stamp:
    return Stamp(round(second * SECOND), Clock.EPOCH)


def prints(seconds: Iterable[int], series: tuple[str, ...] = ("a",), cumulative: bool = False) -> Iterator[Event]:
    """A print each second; counts grow where they are cumulative."""
    for second in seconds:
        yield Tick(stamp(second), start=(second - 1) * SECOND)
        for name in series:
            meaning = Semantics.CUMULATIVE if cumulative else Semantics.INTERVAL
            start = None if cumulative else (second - 1) * SECOND
            count = second if cumulative else 1
            yield Record(name, Unit.US, ((1, 2, count),), meaning, stamp(second), start)


def interval(series: str, second: int, length: int = 1) -> Interval:
    return Interval(series, Unit.US, (second - length) * SECOND, second * SECOND, float(length), ((1, 2, 1),), 1e-6)


@pytest.mark.parametrize(
    ("globs", "series", "wanted"),
    [
        ((), "anything", True),
        (("loop*",), "loop0", True),
        (("LOOP*",), "loop0", True),
        (("loop*",), "LOOP0,Sync-Read", True),
        (("loop",), "loop0", False),
        (("sd[ab]", "nvme?n1"), "nvme0n1", True),
        (("db file*@1",), "db file sequential read@1", True),
    ],
)
def test_globs_choose_series_whatever_their_case(globs: tuple[str, ...], series: str, wanted: bool) -> None:
    plan = ReadPlan(series=globs)
    assert plan.wants(series) is wanted
    assert plan.skipped_series == (set() if wanted else {series})


def test_the_reason_for_nothing() -> None:
    assert ReadPlan().why_empty() == "the source was read, but there was no interval in it"
    plan = ReadPlan(series=("x*", "y"))
    for number in range(NAMES_SHOWN + 3):
        plan.wants(f"s{number:02}")
    assert plan.why_empty().startswith("no series is called x* or y; there are: s00; s01; ")
    assert plan.why_empty().endswith("s09 and 3 more")


@pytest.mark.parametrize(("cumulative", "baseline"), [(False, 0), (True, 1)])
@pytest.mark.parametrize("series", [("a",), ("a", "b", "c")])
def test_count_is_of_intervals_and_a_baseline_is_none(cumulative: bool, baseline: int, series: tuple[str, ...]) -> None:
    events = list(limit_events(prints(range(10, 30), series, cumulative), 5, None))
    assert sum(isinstance(event, Tick) for event in events) == 5 + baseline
    plan = ReadPlan()
    assert len(list(intervals_of(events, plan, lambda _: None))) == 5 * len(series)


@pytest.mark.parametrize("cumulative", [False, True])
@pytest.mark.parametrize("begin", [10, 11, 13])
def test_count_is_of_merged_intervals(cumulative: bool, begin: int) -> None:
    plan = ReadPlan(time=TimeOptions(interval=5.0))
    found = list(intervals_of(limit_events(prints(range(begin, 60), cumulative=cumulative), 3, None, 5.0), plan, print))
    assert len(found) == 3
    assert [one.seconds for one in found[1:]] == [5.0, 5.0]


def test_longer_intervals_count_each() -> None:
    events = list(limit_events(prints(range(10, 20)), 3, None, 0.5))
    assert sum(isinstance(event, Tick) for event in events) == 3


def test_names_that_are_passed_over_are_not_kept_for_ever() -> None:
    plan = ReadPlan(series=("x",))
    assert not any(plan.wants(f"s{number}") for number in range(NAMES_KEPT + 5))
    assert len(plan.skipped_series) == NAMES_KEPT


@pytest.mark.parametrize("cumulative", [False, True])
def test_duration_is_of_recorded_time(cumulative: bool) -> None:
    events = limit_events(prints(range(10, 30), cumulative=cumulative), None, 7.0)
    found = list(intervals_of(events, ReadPlan(), lambda _: None))
    assert sum(one.seconds for one in found) == 7


def test_without_limits_all_is_read() -> None:
    assert len(list(limit_events(prints(range(5)), None, None))) == 10
    assert len(list(limit_events(prints(range(5)), 99, 99.0))) == 10


def test_everything_is_recorded_but_only_what_is_wanted_goes_on() -> None:
    recorded: list[Event] = []
    marks: list[Mark] = []
    mark = Mark(stamp(11), "here")
    events = [*prints([10, 11], ("a", "b")), mark]
    found = list(intervals_of(events, ReadPlan(series=("A",)), marks.append, recorded.append))
    assert {one.series for one in found} == {"a"}
    assert recorded == events
    assert marks == [mark]


def test_several_files_are_merged_by_time() -> None:
    streams = {
        "x/one": iter([interval("a", second) for second in (1, 3, 5)]),
        "x/two": iter([interval("b", second) for second in (2, 3, 4)]),
    }
    found = list(merged_by_time(streams))
    assert [one.end // SECOND for one in found] == [1, 2, 3, 3, 4, 5]
    assert {one.series for one in found} == {"a", "b"}


def test_units_of_several_files_do_not_mix() -> None:
    streams = {
        "one": iter([interval("a", second) for second in (1, 2)]),
        "two": iter([replace(interval("a", second), unit=Unit.MS) for second in (3, 4)]),
    }
    found = [(one.series, one.unit) for one in merged_by_time(streams)]
    assert found == [("a", Unit.US)] * 2 + [("a (ms)", Unit.MS)] * 2


@pytest.mark.parametrize(("begin", "gap"), [(5, []), (6, [(3, 6, 3.0)])])
def test_there_is_a_gap_before_a_file_that_begins_late(begin: int, gap: list[tuple[int, int, float]]) -> None:
    streams = {
        "one": iter([interval("a", second) for second in (1, 2, 3)]),
        "two": iter([interval("a", second) for second in (begin + 1, begin + 2)]),
    }
    found = list(merged_by_time(streams))
    gaps = [one for one in found if one.gap]
    assert len(found) == 5 + len(gap)
    assert [(one.start // SECOND, one.end // SECOND, one.seconds) for one in gaps] == gap
    assert all(one.ranges == () and one.waited is None for one in gaps)


def test_a_series_goes_on_in_the_next_file() -> None:
    streams = {
        "one": iter([interval("a", second) for second in (1, 2, 3)]),
        "two": iter([interval("a", second) for second in (4, 5)]),
    }
    assert [one.series for one in merged_by_time(streams)] == ["a"] * 5


@pytest.mark.parametrize(
    ("paths", "names"),
    [(("x/one", "y/two"), ("a (one)", "a (two)")), (("x/one", "y/one"), ("a (x/one)", "a (y/one)"))],
)
def test_a_series_in_two_files_at_once_has_their_names(paths: tuple[str, str], names: tuple[str, str]) -> None:
    streams = {path: iter([interval("a", second) for second in (1, 2, 3)]) for path in paths}
    found = list(merged_by_time(streams))
    assert sorted(one.series for one in found) == [names[0]] * 3 + [names[1]] * 3


def test_names_are_known_from_the_beginning_although_files_overlap_only_later() -> None:
    streams = {
        "one": iter([interval("a", second) for second in range(1, 60)]),
        "two": iter([*(interval("b", second) for second in range(1, 50)), interval("a", 50)]),
    }
    found = list(merged_by_time(streams))
    assert {one.series for one in found} == {"a (one)", "a (two)", "b"}
    assert sum(one.series == "a (one)" for one in found) == 59


def test_files_that_overlap_after_what_was_held_have_their_names_from_there_on() -> None:
    streams = {
        "one": iter([interval("a", second) for second in range(1, 60)]),
        "two": iter([interval("a", second) for second in range(50, 60)]),
    }
    found = [one.series for one in merged_by_time(streams, held=10)]
    assert [found.count(name) for name in ("a", "a (one)", "a (two)")] == [50, 9, 10]


def test_a_second_file_makes_no_name_of_a_series_that_it_does_not_share() -> None:
    streams = {
        "one": iter([interval("a", 1), interval("b", 2)]),
        "two": iter([interval("a", 1), interval("b", 3)]),
        "three": iter([interval("a", 9)]),
    }
    found = sorted(one.series for one in merged_by_time(streams))
    assert found == ["a (one)", "a (three)", "a (two)", "b", "b"]


def test_what_was_held_comes_before_an_error() -> None:
    def failing() -> Iterator[Interval]:
        yield interval("a", 2)
        raise SourceError("damaged")

    found = merged_by_time({"one": iter([interval("a", 1)]), "two": failing()})
    assert [next(found).end // SECOND, next(found).end // SECOND] == [1, 2]
    with pytest.raises(SourceError, match="damaged"):
        next(found)


@pytest.mark.parametrize(
    ("label", "source", "noun"),
    [
        ("biolatency", "bpf", "I/Os"),
        ("latency of block I/O requests", "systemtap", "I/Os"),
        ("db file sequential read", "oracle", "waits"),
        ("runqlat", "bpf", "events"),
        ("", "", "events"),
    ],
)
def test_nouns(label: str, source: str, noun: str) -> None:
    assert event_noun(label, source) == noun
