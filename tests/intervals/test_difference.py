"""Differences of counters: baselines, resets, vanishing rows, gaps, and the laws that hold for any stream."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Clock, Event, Stamp, tidy_ranges
from pylatencymap.report import Report
from pylatencymap.units import Unit


def counters(make: Any, *prints: tuple[float, ...], **more: Any) -> list[Event]:
    """One record per second."""
    return [make.counter(make.at(second), *counts, **more) for second, counts in enumerate(prints)]


class TestCounters:
    def test_the_first_record_is_a_baseline_and_the_next_ones_are_differences(self, make: Any, engine: Any) -> None:
        found = engine(counters(make, (1000, 50), (1001, 50), (1001, 57, 3)))
        assert [one.ranges for one in found.intervals] == [make.ranges(1), make.ranges(0, 7, 3)]
        assert [one.start for one in found.intervals] == [make.at(0).micros, make.at(1).micros]

    def test_a_bucket_that_vanishes_keeps_its_last_value(self, make: Any, engine: Any) -> None:
        """The earlier tool counted it from zero when it came back: its whole sum as one interval's events."""
        found = engine(counters(make, (5000, 1), (0, 2), (5003, 2)))
        assert [one.ranges for one in found.intervals] == [make.ranges(0, 1), make.ranges(3)]

    def test_a_series_that_vanishes_keeps_its_last_values(self, make: Any, engine: Any) -> None:
        events: list[Event] = []
        for second, names in enumerate(["ab", "ab", "a", "a", "ab"]):
            events.append(make.tick(make.at(second)))
            events += [make.counter(make.at(second), 900 + second, series=name) for name in names]
        found = [one for one in engine(events).intervals if one.series == "b"]
        assert [one.events for one in found] == [1, 0, 0, 3]
        assert not any(one.reset or one.gap for one in found)

    def test_a_member_that_joins_begins_with_a_baseline_of_its_own(self, make: Any, engine: Any) -> None:
        events = [make.counter(make.at(second), 100 + second, series="1") for second in range(4)]
        events[2:2] = [make.counter(make.at(1), 1_000_000, series="2")]
        events.append(make.counter(make.at(3), 1_000_007, series="2"))
        found = engine(events).intervals
        assert [one.events for one in found if one.series == "1"] == [1, 1, 1]
        assert [one.events for one in found if one.series == "2"] == [7]

    def test_fractions_and_counters_beyond_64_bits_are_differences_too(self, make: Any, engine: Any) -> None:
        found = engine(counters(make, (2**70, 0.25), (2**70 + 1, 0.75)))
        assert found.intervals[0].ranges == ((0, 1, 1), (1, 2, 0.5))


class TestExactTime:
    def test_exact_time_is_a_difference_as_well(self, make: Any, engine: Any) -> None:
        events = [make.counter(make.at(n), 10 * n, waited=waited) for n, waited in enumerate((7e-6, 12e-6, 21e-6))]
        found = engine(events).intervals
        assert [(one.waited, one.estimated) for one in found] == [
            (pytest.approx(5e-6), False),
            (pytest.approx(9e-6), False),
        ]

    def test_without_it_time_is_estimated(self, make: Any, engine: Any) -> None:
        found = engine(counters(make, (0,), (4, 0, 2))).intervals[0]
        assert (found.waited, found.estimated) == (pytest.approx((4 * 0.5 + 2 * 3) * 1e-6), True)

    @pytest.mark.parametrize(("before", "after"), [(None, 3.0), (3.0, None), (3.0, 2.9)])
    def test_what_is_known_only_once_or_falls_is_estimated(
        self, make: Any, engine: Any, before: float | None, after: float | None
    ) -> None:
        found = engine([make.counter(make.at(0), 1, waited=before), make.counter(make.at(1), 3, waited=after)])
        assert (found.intervals[0].waited, found.intervals[0].estimated) == (pytest.approx(1e-6), True)

    def test_after_a_reset_all_that_is_there_was_waited_since(self, make: Any, engine: Any) -> None:
        events = [
            make.counter(make.at(n), count, waited=w)
            for n, (count, w) in enumerate([(8, 4e-6), (9, 4.5e-6), (3, 0.75e-6)])
        ]
        last = engine(events).intervals[-1]
        assert (last.reset, last.events, last.waited, last.estimated) == (True, 3, 0.75e-6, False)

    def test_per_interval_it_is_what_the_record_says(self, make: Any, engine: Any) -> None:
        found = engine([make.counted(make.at(n), 2, waited=0.25e-6 * n) for n in range(3)]).intervals
        assert [(one.waited, one.estimated) for one in found] == [(0.0, False), (0.25e-6, False), (0.5e-6, False)]

    @pytest.mark.parametrize(
        ("waited", "estimated"),
        [(9e-6, True), (11e-6, False), (16e-6, False), (23e-6, False), (26e-6, True), (0.5, True), (0.0, True)],
    )
    @pytest.mark.parametrize("cumulative", [False, True])
    def test_a_sum_that_the_counts_do_not_allow_is_none(
        self, make: Any, waited: float, estimated: bool, cumulative: bool
    ) -> None:
        """Four events in [2, 4) and one in [4, 8) us wait 12 to 24 us, but for rounding by at most 1 us."""
        made = make.counter if cumulative else make.counted
        counts = (0, 0, 4, 1)
        events = [
            made(make.at(0), 1, start=make.at(-1).micros if not cumulative else None, waited=0.5e-6),
            made(
                make.at(1),
                *((1 + counts[0], *counts[1:]) if cumulative else counts),
                start=None if cumulative else make.at(0).micros,
                waited=waited + 0.5e-6 * cumulative,
                line=7,
            ),
        ]
        said: list[str] = []
        found = list(to_intervals(events, Report("a", say=said.append)))[-1]
        assert (found.waited, found.estimated) == (pytest.approx(18e-6 if estimated else waited), estimated)
        assert len(said) == estimated
        assert all(what.startswith("a:7: ") and "impossible for the counts" in what for what in said)

    def test_an_open_range_allows_any_longer_time(self, make: Any) -> None:
        record = make.counted(make.at(1), start=make.at(0).micros, waited=500.0)
        for waited, estimated in ((500.0, False), (7e-6, True)):
            (found,) = to_intervals([replace(record, ranges=((8, None, 2),), waited=waited)])
            assert found.estimated is estimated


class TestResets:
    def test_when_any_bucket_fell_all_start_again_from_zero(self, make: Any, engine: Any) -> None:
        """The earlier tool divided by zero."""
        found = engine(counters(make, (100, 100), (110, 110), (112, 4), (113, 5))).intervals
        assert [one.ranges for one in found] == [make.ranges(10, 10), make.ranges(112, 4), make.ranges(1, 1)]
        assert [one.reset for one in found] == [False, True, False]
        assert [one.seconds for one in found] == [1, 1, 1]

    def test_a_bucket_that_is_absent_has_not_fallen_and_is_gone_after_a_reset(self, make: Any, engine: Any) -> None:
        found = engine(counters(make, (100, 9), (101, 0), (3, 0), (3, 2))).intervals
        assert [(one.reset, one.ranges) for one in found] == [
            (False, make.ranges(1)),
            (True, make.ranges(3)),
            (False, make.ranges(0, 2)),
        ]

    def test_a_start_up_time_that_changes_is_a_reset_though_nothing_fell(self, make: Any, engine: Any) -> None:
        boot, again = make.at(-1000).micros, make.at(1.25).micros
        starts = (boot, boot, again, again)
        values = (10, 14, 15, 19)
        events = [
            make.counter(make.at(n), count, start=start)
            for n, (count, start) in enumerate(zip(values, starts, strict=True))
        ]
        found = engine(events).intervals
        assert [(one.events, one.reset, one.gap, one.seconds) for one in found] == [
            (4, False, False, 1),
            (0, False, True, 0.25),
            (15, True, False, 0.75),
            (4, False, False, 1),
        ]
        assert found[1].end == found[2].start == again

    @pytest.mark.parametrize("start", [-500.0, 0.999, 2.0, 77.0])
    def test_a_start_up_time_outside_of_the_interval_gives_no_seconds(
        self, make: Any, engine: Any, start: float
    ) -> None:
        starts = (-1000.0, -1000.0, start)
        events = [make.counter(make.at(n), 10 + n, start=make.at(s).micros) for n, s in enumerate(starts)]
        last = engine(events).intervals[-1]
        assert (last.reset, last.seconds, last.start) == (True, 1, make.at(1).micros)

    def test_beyond_ten_times_the_median_rate_it_is_a_gap_and_a_new_baseline(self, make: Any, engine: Any) -> None:
        steady = [(0, 900), (10, 900), (20, 900), (30, 900)]
        at_limit = engine(counters(make, *steady, (0, 100), (0, 103))).intervals
        assert [(one.events, one.reset, one.gap) for one in at_limit[3:]] == [(100, True, False), (3, False, False)]
        beyond = engine(counters(make, *steady, (0, 101), (0, 104))).intervals
        assert [(one.events, one.reset, one.gap, one.waited) for one in beyond[3:-1]] == [(0, True, True, None)]
        assert (beyond[-1].events, beyond[-1].reset) == (3, False)

    def test_the_rate_since_start_up_is_what_counts(self, make: Any, engine: Any) -> None:
        starts = [-9, -9, -9, 1.5]
        values = [(100,), (110,), (120,), (90,)]
        for last, gap in ((make.at(2.5), False), (make.at(1.9), True)):
            stamps = [make.at(0), make.at(0.5), make.at(1), last]
            events = [
                make.counter(stamp, *counts, start=make.at(start).micros)
                for stamp, counts, start in zip(stamps, values, starts, strict=True)
            ]
            assert engine(events).intervals[-1].gap is gap

    def test_an_idle_series_is_measured_by_its_busiest_interval(self, make: Any, engine: Any) -> None:
        idle = [(50, 3)] * 5
        busy_once = [*idle, (50, 4), *[(50, 4)] * 3]
        assert engine(counters(make, *busy_once, (50, 0, 0, 1), (0, 1))).intervals[-1].events == 1
        assert engine(counters(make, *busy_once, (11, 3))).intervals[-1].gap
        only_idle = engine(counters(make, *idle, (0, 2))).intervals[-1]
        assert (only_idle.events, only_idle.reset, only_idle.gap) == (2, True, False)

    def test_a_reset_right_after_the_baseline_has_no_rate_to_compare_with(self, make: Any, engine: Any) -> None:
        found = engine(counters(make, (10**9,), (500,))).intervals
        assert [(one.events, one.reset) for one in found] == [(500, True)]

    def test_the_other_series_do_not_notice(self, make: Any, engine: Any) -> None:
        events = [
            make.counter(make.at(n), count, series=name)
            for n, pair in enumerate([(5, 5), (6, 6), (1, 7)])
            for name, count in zip("ab", pair, strict=True)
        ]
        assert [(one.series, one.reset) for one in engine(events).intervals if one.reset] == [("a", True)]


class TestGapsAndNames:
    def test_a_gap_has_neither_counts_nor_time(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([make.at(n) for n in (0, 1, 2, 9)])).intervals
        gap = next(one for one in found if one.gap)
        assert (gap.ranges, gap.waited, gap.reset, gap.seconds) == ((), None, False, 6)
        assert (gap.start, gap.end) == (make.at(2).micros, make.at(8).micros)
        assert (gap.series, gap.unit) == ("a", Unit.US)

    def test_a_series_of_which_only_the_baseline_is_known_has_no_gap(self, make: Any, engine: Any) -> None:
        events = [make.counter(make.at(n), n) for n in (0, 1, 2)] + [make.counter(make.at(2), 1, series="b")]
        found = engine([*events, make.counter(make.at(30), 30)]).intervals
        assert {one.series for one in found if one.gap} == {"a"}

    def test_a_series_that_ended_long_ago_is_not_silent_since_then(self, make: Any, engine: Any) -> None:
        events = [make.counter(make.at(n), n, series="b") for n in (0, 1)]
        events += [make.counter(make.at(n), n) for n in (2, 3, 4, 5, 30, 31, 32, 60)]
        gaps = [(one.start, one.end) for one in engine(events).intervals if one.gap and one.series == "b"]
        assert gaps == [(make.at(5).micros, make.at(29).micros), (make.at(32).micros, make.at(59).micros)]

    def test_a_change_of_the_unit_begins_a_new_series(self, make: Any, engine: Any) -> None:
        units = [Unit.US, Unit.US, Unit.MS, Unit.MS, Unit.US]
        events = [make.counter(make.at(n), 10 * n, unit=unit) for n, unit in enumerate(units)]
        found = engine(events).intervals
        assert [(one.series, one.unit, one.events) for one in found] == [
            ("a", Unit.US, 10),
            ("a (ms)", Unit.MS, 10),
            ("a", Unit.US, 30),
        ]

    def test_what_a_record_says_of_itself_is_kept(self, make: Any, engine: Any) -> None:
        record = make.counted(make.at(0), 1, label="Reads", source="bpf", note="warm")
        found = engine([record, replace(record, stamp=make.at(1), note="")]).intervals
        assert [(one.label, one.source, one.note, one.clock) for one in found] == [
            ("Reads", "bpf", "warm", True),
            ("Reads", "bpf", "", True),
        ]

    def test_idle_intervals_of_a_source_are_intervals(self, make: Any, engine: Any) -> None:
        events = [*make.prints([make.at(0), make.at(1)]), make.tick(make.at(2)), make.tick(make.at(3))]
        found = engine(events).intervals
        assert [(one.events, one.waited, one.gap, one.seconds) for one in found[2:]] == [(0, 0.0, False, 1)] * 2


def growth(prints: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Counters that only grow."""
    sums, total = [], [0] * 4
    for grown in prints:
        total = [a + b for a, b in zip(total, grown, strict=True)]
        sums.append(tuple(total))
    return sums


@given(steps=st.lists(st.tuples(*[st.integers(0, 2**40)] * 4), min_size=2, max_size=20))
def test_differences_sum_to_the_growth(steps: list[tuple[int, ...]], make: Any, engine: Any) -> None:
    sums = growth(steps)
    found = engine(counters(make, *sums)).intervals
    added = tidy_ranges([entry for one in found for entry in one.ranges])
    assert added == make.ranges(*(last - first for first, last in zip(sums[0], sums[-1], strict=True)))
    assert sum(one.seconds for one in found) == pytest.approx(len(sums) - 1)


@st.composite
def damaged_streams(draw: st.DrawFn) -> list[tuple[str, float, list[int | None], bool]]:
    """Prints of two series: anything may fall, vanish, come back, and stand at any time."""
    length = draw(st.integers(1, 25))
    clock, prints = 0.0, []
    for _ in range(length):
        clock += draw(st.sampled_from([-100000.0, -3.5, -1.0, 0.0, 0.25, 1.0, 1.0, 1.0, 2.0, 40.0, 90000.0]))
        counts = draw(st.lists(st.none() | st.integers(0, 2**64), min_size=3, max_size=3))
        prints.append((draw(st.sampled_from("ab")), clock, counts, draw(st.booleans())))
    return prints


@given(prints=damaged_streams(), kind=st.sampled_from(["epoch", "day", "none"]), cumulative=st.booleans())
def test_nothing_is_ever_negative_and_ends_only_rise(
    prints: list[tuple[str, float, list[int | None], bool]], kind: str, cumulative: bool, make: Any, engine: Any
) -> None:
    events: list[Event] = []
    for name, clock, counts, heading in prints:
        stamp = make.at(clock) if kind == "epoch" else None
        if kind == "day":
            stamp = Stamp(round(clock * 1e6) % 86_400_000_000, Clock.DAY)
        build = make.counter if cumulative else make.counted
        events += [make.tick(stamp)] if heading else []
        events.append(build(stamp, *(count or 0 for count in counts), series=name))
    ends: dict[str, list[int]] = {}
    for one in engine(events, modified=float(make.epoch)).intervals:
        assert one.seconds >= 0
        assert all(count > 0 for *_, count in one.ranges)
        assert one.gap == (one.waited is None)
        assert one.waited is None or one.waited >= 0
        assert one.start <= one.end
        ends.setdefault(one.series, []).append(one.end)
    assert all(found == sorted(found) for found in ends.values())


@given(moments=st.lists(st.integers(1, 60), min_size=2, max_size=30), fall=st.integers(0, 29))
def test_one_record_per_print_gives_strictly_ascending_ends(
    moments: list[int], fall: int, make: Any, engine: Any
) -> None:
    clock, events = 0, []
    for n, step in enumerate(moments):
        clock += step
        events.append(make.counter(make.at(clock), (100 + n) if n != fall else 1))
    ends = [one.end for one in engine(events).intervals]
    assert ends == sorted(set(ends))


def test_records_of_one_series_within_one_print_share_its_end(make: Any, engine: Any) -> None:
    stamp = make.at(1)
    events = [make.tick(make.at(0)), make.counted(make.at(0), 1), make.tick(stamp), *[make.counted(stamp, 2)] * 2]
    found = engine(events).intervals
    assert [one.end for one in found] == [make.at(0).micros, stamp.micros, stamp.micros]


class TestNames:
    def test_a_name_made_for_a_second_unit_is_not_that_of_another_series(self, make: Any, engine: Any) -> None:
        kinds = [("x", Unit.US), ("x (ms)", Unit.US), ("x", Unit.MS), ("x (ms)", Unit.MS)]
        events = [make.counted(make.at(n), 1 + n, series=name, unit=unit) for n, (name, unit) in enumerate(kinds)]
        found = [(one.series, one.unit, one.events) for one in engine(events).intervals]
        assert found == [
            ("x", Unit.US, 1),
            ("x (ms)", Unit.US, 2),
            ("x (ms) 2", Unit.MS, 3),
            ("x (ms) (ms)", Unit.MS, 4),
        ]

    def test_nor_that_of_one_that_comes_later(self, make: Any, engine: Any) -> None:
        kinds = [("x", Unit.US), ("x", Unit.MS), ("x (ms)", Unit.US)]
        events = [make.counted(make.at(n), 1, series=name, unit=unit) for n, (name, unit) in enumerate(kinds)]
        assert [one.series for one in engine(events).intervals] == ["x", "x (ms)", "x (ms) (us)"]


class TestSameStamp:
    """Two cumulative records of a series in one print."""

    def test_counts_continue_the_interval_that_ended_there(self, make: Any, engine: Any) -> None:
        events = [make.counter(make.at(n), count) for n, count in ((0, 5), (1, 15), (1, 18), (2, 20))]
        found = engine(events).intervals
        assert [(one.start, one.end, one.seconds, one.events) for one in found] == [
            (make.at(0).micros, make.at(1).micros, 1.0, 10),
            (make.at(0).micros, make.at(1).micros, 1.0, 3),
            (make.at(1).micros, make.at(2).micros, 1.0, 2),
        ]

    @pytest.mark.parametrize("again", [9, 3])
    def test_right_after_the_baseline_they_come_with_the_next_record(self, make: Any, engine: Any, again: int) -> None:
        events = [make.counter(make.at(n), count) for n, count in ((0, 5), (0, again), (1, 12))]
        assert [(one.seconds, one.events, one.reset) for one in engine(events).intervals] == [(1.0, 7, False)]


def test_what_is_held_comes_before_the_error_that_ends_a_source(make: Any) -> None:
    """A compressed file that was cut off, for example."""

    def broken() -> Iterator[Event]:
        yield from (make.counter(make.at(second), 10 * second) for second in range(4))
        raise SourceError("the file breaks off")

    found: list[Interval] = []
    with pytest.raises(SourceError):
        found.extend(to_intervals(resolve_times(broken(), TimeOptions(), Report("test"))))
    assert [one.events for one in found] == [10, 10, 10]


def test_a_first_print_is_not_lost_if_reading_breaks_off_in_it(make: Any) -> None:
    def broken() -> Iterator[Event]:
        yield make.tick(make.at(0))
        yield make.counted(make.at(0), 7)
        raise SourceError("the file breaks off")

    found: list[Interval] = []
    with pytest.raises(SourceError):
        found.extend(to_intervals(resolve_times(broken(), TimeOptions(), Report("test"))))
    assert [one.events for one in found] == [7]


def test_counts_per_interval_among_totals_come_in_the_order_of_time_and_count_once(make: Any, engine: Any) -> None:
    events: list[Event] = [make.counter(make.at(second), 10 * second) for second in range(6)]
    events[3] = make.counted(make.at(3), 10, start=make.at(2).micros)
    found = engine(events)
    assert found.ends == [1, 2, 3, 5]
    assert [one.events for one in found.intervals] == [10, 10, 10, 10]
