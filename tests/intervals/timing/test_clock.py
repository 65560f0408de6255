"""The clock of a source: how long each print counts for, and that time only goes forward.

``engine`` and ``make`` are in conftest.py; a print is a heading and one record of 10 events.
"""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.intervals.nominal import GAP_FACTOR
from pylatencymap.intervals.timing.clock import moved_start
from pylatencymap.record import Clock, Stamp

JUMPED = "the clock jumped, and the next print agrees with it; the time of arrival is used until others do"


def whole(make: Any, *seconds: float) -> list[Stamp]:
    return [make.at(second, whole=True) for second in seconds]


class TestFile:
    def test_the_first_interval_is_as_long_as_the_next(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 5, 10)))
        assert found.ends == [0, 5, 10]
        assert found.seconds == [5, 5, 5]
        assert found.intervals[0].start == (make.epoch - 5) * 1_000_000

    def test_a_first_interval_does_not_begin_before_1970(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 3e9)))
        assert found.intervals[0].start == (make.epoch - 1) * 1_000_000

    def test_a_lone_print_is_as_long_as_the_interval_given_else_one_second(self, make: Any, engine: Any) -> None:
        assert engine(make.prints(whole(make, 0))).seconds == [1]
        assert engine(make.prints(whole(make, 0)), interval=10).seconds == [10]

    def test_on_the_grid_of_seconds_a_step_of_two_is_one_nominal_interval(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, 4, 5, 6)))
        assert found.ends == [0, 1, 2, 4, 5, 6]
        assert found.seconds == [1] * 6
        assert found.gaps == []

    def test_stamps_with_fractions_are_exact(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([make.at(second) for second in (0, 1, 2.25, 3)]))
        assert found.seconds == [1, 1, 1.25, 0.75]

    def test_an_interval_that_is_asked_for_says_nothing_about_stamped_text(self, make: Any, engine: Any) -> None:
        assert engine(make.prints(whole(make, *range(5))), interval=10).seconds == [1] * 5
        slow = engine(make.prints(whole(make, 0, 5, 10)), interval=1)
        assert slow.seconds == [5] * 3
        assert slow.gaps == []

    def test_a_gap_is_hatched_and_what_comes_after_it_is_over_the_whole_silence(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, 3, 13, 14)))
        assert found.gaps == [(3, 12)]
        assert found.seconds == [1, 1, 1, 1, 10, 1]

    @pytest.mark.parametrize("step", [GAP_FACTOR, GAP_FACTOR + 0.01])
    def test_what_exceeds_two_and_a_half_intervals_is_a_gap(self, make: Any, engine: Any, step: float) -> None:
        found = engine(make.prints([make.at(second) for second in (0, 1, 2, 2 + step)]))
        assert bool(found.gaps) == (step > GAP_FACTOR)

    def test_one_early_gap_does_not_lengthen_what_follows(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 11, 12, 13)))
        assert found.gaps == [(1, 10)]
        assert found.seconds == [1, 1, 10, 1, 1]

    def test_a_source_that_slows_down_for_good_has_a_new_nominal_interval(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, *range(10), *range(19, 200, 10))))
        assert found.seconds[-5:] == [10] * 5
        assert found.gaps[-1][1] < 100

    def test_a_clock_that_goes_back_moves_the_axis_and_nothing_else(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, -3598, -3597)))
        assert found.ends == [0, 1, 2, 3, 4]
        assert found.seconds == [1] * 5
        assert found.said == ["test:4: the clock went back by 3600 s; the time axis goes on"]

    def test_a_clock_that_jumps_ahead_looks_like_silence(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, 3603, 3604)))
        assert found.seconds == [1, 1, 1, 3601, 1]
        assert found.gaps == [(2, 3602)]

    def test_two_prints_within_one_printed_second_share_it(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, 2, 4, 5)))
        assert found.ends == [0, 1, 2, 2.5, 4, 5]
        assert found.seconds == [1] * 6
        assert found.said == []

    def test_many_prints_within_one_printed_second_stay_within_it(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, *[0] * 8, 1)))
        assert found.ends == sorted(set(found.ends))
        assert found.ends[-2] < found.ends[-1] == 1
        assert found.said == []

    def test_a_print_at_the_very_same_time_lies_between_its_neighbours(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([make.at(second) for second in (0, 1.5, 1.5, 3)]))
        assert found.ends == [0, 1.5, 2.25, 3]
        assert found.said == ["test:3: the time stamp does not fit those before and after; it is placed between those"]

    def test_text_without_stamps_is_counted_from_zero(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 3))
        assert [(one.start, one.end, one.clock) for one in found.intervals] == [
            (0, 1_000_000, False),
            (1_000_000, 2_000_000, False),
            (2_000_000, 3_000_000, False),
        ]
        assert engine(make.prints([None] * 3), interval=0.5).seconds == [0.5] * 3
        assert {event.stamp.clock for event in found.events} == {Clock.COUNTED}


class TestLive:
    def test_arrivals_decide_between_whole_seconds(self, make: Any, engine: Any) -> None:
        stamps, arrivals = whole(make, 10, 12, 13, 14), [10.99, 12.01, 13.02, 14.03]
        found = engine(make.prints(stamps, arrivals), live=True)
        assert found.seconds == [1.02, 1.02, 1.01, 1.01]
        assert found.ends == [10.98, 12, 13.01, 14.02]

    def test_an_arrival_of_exactly_two_seconds_is_two_seconds(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 1, 2, 3, 5), [1, 2, 3, 5]), live=True)
        assert found.seconds == [1, 1, 1, 2]

    def test_text_without_stamps_has_the_time_at_which_it_arrives(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 4, [1.0, 2.0, 3.1, 4.0]), live=True)
        assert found.seconds == [1.0, 1.0, 1.1, 0.9]
        assert found.ends == [1, 2, 3.1, 4]
        assert all(one.clock for one in found.intervals)

    def test_a_first_print_that_waited_in_the_pipe_does_not_shorten_the_next_interval(
        self, make: Any, engine: Any
    ) -> None:
        found = engine(make.prints(whole(make, 0, 1, 2, 3), [0.2, 1, 2, 3]), live=True)
        assert found.seconds == [1] * 4

    def test_silence_without_stamps(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 5, [1, 2, 3, 10, 11]), live=True)
        assert found.seconds == [1, 1, 1, 7, 1]
        assert found.gaps == [(3, 9)]

    def test_prints_out_of_a_buffer_are_no_spike(self, make: Any, engine: Any) -> None:
        arrivals = [1, 2, 3, 4, 4, 4.001, 5, 6, 6, 7]
        found = engine(make.prints([None] * 10, arrivals), live=True)
        assert found.seconds == [1, 1, 1, 1, 1, 1, 0.999, 1, 1, 1]
        assert [one.end for one in found.intervals] == sorted({one.end for one in found.intervals})
        assert found.ends[-1] == 7
        assert found.said == []

    @staticmethod
    def relative(found: Any) -> list[tuple[float, bool]]:
        return [(one.end / 1e6, one.gap) for one in found.intervals]

    @pytest.mark.parametrize("together", [2, 5])
    def test_prints_that_arrive_together_at_the_start_are_an_interval_apart(
        self, make: Any, engine: Any, together: int
    ) -> None:
        arrivals = [*[10 + 0.001 * n for n in range(together)], *[10 + 0.001 * (together - 1) + 3 * n for n in (1, 2)]]
        found = engine(make.prints([None] * len(arrivals), arrivals), live=True)
        assert found.seconds == [3] * len(arrivals)
        assert found.ends == [round(arrivals[-1] - 3 * n, 6) for n in reversed(range(len(arrivals)))]
        assert found.gaps == []
        assert all(one.clock for one in found.intervals)

    def test_after_a_burst_at_the_start_prints_follow_each_other_as_they_arrive(self, make: Any, engine: Any) -> None:
        arrivals = [10, 10.01, 11, 12, 17, 18, 40, 41]
        found = engine(make.prints([None] * 8, arrivals), live=True)
        assert found.seconds == [0.99, 0.99, 0.99, 1, 5, 1, 22, 1]
        assert found.ends == [9.02, 10.01, 11, 12, 17, 18, 40, 41]
        assert found.gaps == [(12, 16.01), (18, 39)]

    def test_prints_that_a_stall_held_up_share_its_time(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 9, [1, 2, 3, 7, 7.001, 7.002, 7.003, 8, 9]), live=True)
        assert [round(one, 2) for one in found.seconds] == [1] * 9
        assert [round(one, 2) for one in found.ends] == list(range(1, 10))
        assert found.gaps == []

    def test_prints_that_arrive_together_after_a_silence_cover_their_usual_time(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 7, [1, 2, 3, 4, 30, 30.001, 31]), live=True)
        assert [(since, round(until, 2)) for since, until in found.gaps] == [(4, 28)]
        assert [round(one, 2) for one in found.seconds] == [1, 1, 1, 1, 25, 1, 1]

    def test_prints_in_blocks_are_spread_over_the_time_between_the_blocks(self, make: Any, engine: Any) -> None:
        arrivals = [3 * block + 0.001 * n for block in range(4) for n in range(3)]
        found = engine(make.prints([None] * 12, arrivals), live=True)
        assert [round(one, 2) for one in found.seconds] == [1] * 12
        assert [round(one, 2) for one in found.ends] == list(range(-2, 10))
        assert all(one.clock for one in found.intervals)

    def test_a_first_print_that_waited_to_be_read_shortens_no_interval(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 6, [0.1, 0.35, 1.35, 2.35, 3.35, 4.35]), live=True)
        assert found.seconds == [1] * 6
        assert found.gaps == []

    def test_a_short_first_interval_makes_no_gaps(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 6, [7, 7.25, 8.25, 9.25, 10.25, 11.25]), live=True)
        assert found.seconds == [0.25, 0.25, 1, 1, 1, 1]
        assert found.gaps == []

    def test_a_single_print_after_a_burst_and_a_silence_shows_a_program(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 3, [5, 5, 7]), live=True)
        assert found.seconds == [2, 2, 2]
        assert found.ends == [3, 5, 7]

    def test_a_program_that_prints_quickly_is_no_file(self, make: Any, engine: Any) -> None:
        arrivals = [round(1 + 0.1 * n, 6) for n in range(30)]
        found = engine(make.prints([None] * 30, arrivals), live=True)
        assert found.seconds == [0.1] * 30
        assert found.ends == arrivals

    def test_a_file_through_a_pipe_that_stalls_is_still_a_file(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 6, [0, 0, 0.001, 2.9, 2.901, 2.902]), live=True)
        assert self.relative(found) == [(n, False) for n in range(1, 7)]

    def test_one_unknown_arrival_costs_the_clock_and_no_gap(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None] * 5, [None, 11, 12, 13, 20]), live=True)
        ends = [(1, False), (2, False), (3, False), (4, False)]
        assert self.relative(found) == [*ends, (10, True), (11, False)]
        assert found.seconds == [1, 1, 1, 1, 7]

    def test_stamped_prints_out_of_a_buffer_keep_their_stamps(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 1, 2, 3, 4, 5, 6), [1, 2, 3, 6, 6, 6]), live=True)
        assert found.seconds == [1] * 6
        assert found.ends == [1, 2, 3, 4, 5, 6]
        assert found.gaps == []

    def test_a_file_through_a_pipe_is_a_file(self, make: Any, engine: Any) -> None:
        unstamped = engine(make.prints([None] * 4, [0.01] * 4), live=True)
        assert [(one.end, one.seconds, one.clock) for one in unstamped.intervals] == [
            (n * 1_000_000, 1.0, False) for n in (1, 2, 3, 4)
        ]
        stamps = whole(make, 0, 5, 10, 30)
        assert engine(make.prints(stamps, [0.01] * 4), live=True).intervals == engine(make.prints(stamps)).intervals

    def test_a_dump_is_one_interval_from_our_start(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None], [12.5]), live=True)
        assert found.seconds == [12.5]
        assert found.intervals[0].clock

    def test_a_dump_that_came_at_once_was_not_measured_since(self, make: Any, engine: Any) -> None:
        found = engine(make.prints([None], [0.02]), live=True)
        assert (found.seconds, found.intervals[0].clock) == ([1], False)

    def test_a_clock_set_back_while_we_listen(self, make: Any, engine: Any) -> None:
        stamps = [make.at(second) for second in (1, 2, 3, -3596, -3595, -3594)]
        found = engine(make.prints(stamps, [1, 2, 3, 4.25, 5.25, 6.25]), live=True)
        assert found.seconds == [1, 1, 1, 1.25, 1, 1]
        assert found.ends == [1, 2, 3, 4.25, 5.25, 6.25]
        assert not any(one.doubtful for one in found.intervals)
        assert found.said == [
            f"test:4: {JUMPED}",
            "test:6: the clock went back by 3599 s; the time axis goes on",
        ]

    def test_a_clock_set_ahead_while_we_listen_is_no_gap(self, make: Any, engine: Any) -> None:
        stamps = [make.at(second) for second in (1, 2, 3, 3604, 3605, 3606)]
        found = engine(make.prints(stamps, [1, 2, 3, 4, 5, 6]), live=True)
        assert found.seconds == [1] * 6
        assert found.gaps == []
        assert found.ends == [1, 2, 3, 4, 5, 3606]
        assert not any(one.doubtful for one in found.intervals)
        assert found.said == [f"test:4: {JUMPED}", "test:6: the clock jumped ahead by 3600 s"]

    def test_a_clock_set_back_by_almost_an_interval_is_no_spike(self, make: Any, engine: Any) -> None:
        stamps = [make.at(second) for second in (1, 2, 3, 3.0001, 4.0001)]
        assert engine(make.prints(stamps, [1, 2, 3, 4, 5]), live=True).seconds == [1] * 5

    def test_silence_and_a_clock_set_back_at_once_are_a_gap(self, make: Any, engine: Any) -> None:
        found = engine(make.prints(whole(make, 1, 2, 3, -100), [1, 2, 3, 13]), live=True)
        assert found.seconds == [1, 1, 1, 10]
        assert found.gaps == [(3, 12)]

    def test_prints_faster_than_their_grid(self, make: Any, engine: Any) -> None:
        arrivals = [0.2 * n for n in range(1, 21)]
        found = engine(make.prints(whole(make, *(int(arrival) for arrival in arrivals)), arrivals), live=True)
        assert found.seconds == [0.2] * 20
        assert found.ends == sorted(set(found.ends))


class TestSeriesWithStampsOfTheirOwn:
    def test_a_round_is_one_interval_of_the_source_and_no_gap_in_it(self, make: Any, engine: Any) -> None:
        events = [
            make.counter(make.at(10 * n + phase), n + 1, series=series)
            for n in range(5)
            for series, phase in (("a", 0), ("b", 0.002), ("c", 0.003))
        ]
        found = engine(events)
        assert found.gaps == []
        assert found.seconds == [10] * 12

    def test_silence_of_all_is_a_gap(self, make: Any, engine: Any) -> None:
        moments = [0, 1, 2, 3, 40, 41]
        events = [
            make.counter(make.at(moment + phase), n, series=series)
            for n, moment in enumerate(moments)
            for series, phase in (("a", 0), ("b", 0.1))
        ]
        gaps = {one.series: (one.start, one.end) for one in engine(events).intervals if one.gap}
        assert set(gaps) == {"a", "b"}


def test_a_burst_of_prints_without_stamps_after_one_with_a_stamp_goes_forward(make: Any, engine: Any) -> None:
    """All arrive at once, so that neither stamps nor arrivals say how long a print is."""
    stamps = [make.at(5000), None, None, make.at(5002)]
    found = engine(make.prints(stamps, [0.9] * 4), live=True)
    assert found.ends == sorted(set(found.ends))
    assert found.gaps == []


OFFSETS = [-7200.0, -61.0, -1.0, 0.0, 0.0001, 0.4, 1.0, 1.3, 2.0, 3.0, 86400.0]
offsets = st.lists(st.sampled_from(OFFSETS), min_size=1, max_size=60)


@given(
    steps=offsets,
    waits=st.lists(st.floats(0, 20), min_size=60, max_size=60),
    kind=st.sampled_from(["epoch", "whole", "day", "free", "none"]),
    live=st.booleans(),
)
def test_time_only_goes_forward_whatever_stamps_and_arrivals_say(
    steps: list[float], waits: list[float], kind: str, live: bool, make: Any, engine: Any
) -> None:
    now, arrival, stamps, arrivals = 50_000.0, 0.0, [], []
    for step, wait in zip(steps, waits, strict=False):
        now, arrival = now + step, arrival + wait
        arrivals.append(arrival)
        stamps.append(stamp_of(make, kind, now))
    found = engine(make.prints(stamps, arrivals), live=live, modified=float(make.epoch), interval=None)
    ends = [one.end for one in found.intervals]
    assert ends == sorted(set(ends))
    assert len([one for one in found.intervals if not one.gap]) == len(stamps)
    assert all(one.seconds > 0 and one.start < one.end for one in found.intervals)
    least = min(step for step in OFFSETS if step > 0) / len(stamps)  # all prints can share one step
    assert all(one.seconds >= least for one in found.intervals if not one.gap)


def stamp_of(make: Any, kind: str, now: float) -> Stamp | None:
    if kind == "none":
        return None
    if kind == "day":
        return Stamp(round(now % 86400) * 1_000_000, Clock.DAY, whole=True)
    if kind == "free":
        return Stamp(round(max(now, 0) * 1e6), Clock.FREE)
    return make.at(round(now) if kind == "whole" else now, whole=kind == "whole")  # type: ignore[no-any-return]


def test_a_start_moves_with_its_stamp_and_is_dropped_where_it_makes_no_interval() -> None:
    stamp = Stamp(50, Clock.EPOCH)
    assert moved_start(40, stamp, 50) == 40
    assert moved_start(40, stamp, 70) == 60
    assert moved_start(50, stamp, 50) is None
    assert moved_start(None, stamp, 50) is None
    assert moved_start(40, None, 50) is None
