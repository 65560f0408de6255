"""A time that jumps costs its own event if others contradict it; silences, set clocks and disorder cost nothing."""

import random
from collections.abc import Iterable

import pytest

from pylatencymap.intervals.event_bins import bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import DOUBTFUL, Clock, Decoded, Pause, Record, Sample, Tick
from pylatencymap.report import Report
from pylatencymap.units import Unit

BEGIN = 1_700_000_000
HOURS = 3 * 3600.0
FILE = TimeOptions()
LIVE = TimeOptions(started=0.0, now=lambda: float(BEGIN), monotonic=lambda: 0.0)


def at(seconds: Iterable[float], latency: int = 100) -> list[Sample]:
    return [
        Sample("a", Unit.US, latency, round((BEGIN + second) * 1e6), line=line)
        for line, second in enumerate(seconds, 1)
    ]


def steps(count: int, step: float = 0.2) -> list[float]:
    return [number * step for number in range(count)]


def moved(places: Iterable[int], by: float, count: int = 40, step: float = 0.2) -> list[float]:
    return [one + by * (place in set(places)) for place, one in enumerate(steps(count, step))]


class Told:
    """What comes of a trace: second by second its events, lines that were dropped, doubtful seconds, all messages."""

    def __init__(self, trace: Iterable[Decoded], live: bool, clock: Iterable[float] = ()) -> None:
        said: list[str] = []
        report = Report("t", say=said.append)
        readings = iter(clock)
        made = list(bin_events(trace, LIVE if live else FILE, report, lambda: next(readings, 0.0)))
        found = [one for one in made if isinstance(one, Record) and one.stamp is not None]
        self.counts = {one.stamp.micros // 10**6 - 1 - BEGIN: one.events for one in found if one.stamp}
        self.doubtful = [one.stamp.micros // 10**6 - 1 - BEGIN for one in found if DOUBTFUL in one.flags and one.stamp]
        self.bad, self.said = report.bad_count, said
        self.dropped = [int(one.split(":")[1]) for one in said if "is dropped" in one]
        self.ends = [one.stamp.micros for one in made if isinstance(one, Tick) and one.stamp]
        assert self.ends == sorted(self.ends)
        self.events = sum(self.counts.values())


BOTH = pytest.mark.parametrize("live", [False, True])


@BOTH
@pytest.mark.parametrize("by", [HOURS, -HOURS, 90.0, -90.0, 1e9])
@pytest.mark.parametrize("place", [1, 2, 3, 20, 37, 38])
def test_one_wrong_time_costs_its_event(live: bool, by: float, place: int) -> None:
    told = Told(at(moved([place], by)), live)
    whole = Told(at(one for number, one in enumerate(steps(40)) if number != place), live)
    assert told.dropped == [place + 1]
    assert (told.bad, told.counts, told.doubtful) == (1, whole.counts, [])


@BOTH
def test_a_first_time_that_is_too_late_costs_its_event(live: bool) -> None:
    told = Told(at(moved([0], HOURS)), live)
    assert (told.dropped, told.events, max(told.counts)) == ([1], 39, 7)


@BOTH
@pytest.mark.parametrize("places", [[10, 11], [10, 11, 12], [10, 12], [10, 14], [5, 20, 30]])
def test_several_wrong_times_cost_as_many_events(live: bool, places: list[int]) -> None:
    told = Told(at(moved(places, HOURS)), live)
    assert told.dropped == [place + 1 for place in places]
    assert max(told.counts) == 7


@BOTH
@pytest.mark.parametrize("by", [HOURS, 90.0])
def test_a_silence_and_a_clock_that_was_set_ahead_cost_nothing(live: bool, by: float) -> None:
    told = Told(at(moved(range(20, 40), by)), live)
    assert (told.bad, told.events, told.doubtful, told.said) == (0, 40, [], [])


def test_a_clock_that_was_set_back_costs_nothing_in_a_file() -> None:
    told = Told(at(moved(range(20, 40), -HOURS)), live=False)
    assert (told.bad, told.events, told.doubtful, min(told.counts)) == (0, 40, [], 4 - HOURS)


def test_a_live_axis_goes_on_when_the_clock_is_set_back_and_again_as_it_was() -> None:
    seconds = [*moved(range(20, 40), -HOURS), *(8 + one for one in steps(20))]
    told = Told(at(seconds), live=True, clock=[0.2 * number for number in range(60)])
    assert (told.bad, told.events, told.doubtful) == (0, 60, [])
    assert [one.partition(": ")[2] for one in told.said] == ["the clock went back by 10799 s; the time axis goes on"]
    assert max(told.counts) == 11


@BOTH
def test_the_last_event_counts_and_is_doubtful_if_its_time_jumps(live: bool) -> None:
    told = Told(at(moved([39], HOURS)), live)
    assert (told.bad, told.events, told.doubtful) == (0, 40, [7 + HOURS])
    confirmed = Told(at(moved([38, 39], HOURS)), live)
    assert (confirmed.bad, confirmed.events, confirmed.doubtful) == (0, 40, [])


def test_a_live_event_that_is_held_counts_after_a_while_without_a_word() -> None:
    trace = [*at(moved([10], HOURS, 11)), Pause(), Pause()]
    clock = [0.2 * number for number in range(11)]
    early = Told(iter([*trace[:-1]]), live=True, clock=[*clock, 2.5])
    assert early.doubtful == [2 + HOURS]  # the input ended
    late = Told(trace, live=True, clock=[*clock, 2.5, 4.6])
    assert (late.bad, late.events, late.doubtful) == (0, 11, [2 + HOURS])


def test_a_live_event_after_a_silence_that_was_heard_is_not_held() -> None:
    quiet = [one._replace(arrival=one.micros / 1e6 - BEGIN) for one in at(moved(range(10, 11), HOURS, 11))]
    told = Told(quiet, live=True)
    assert (told.bad, told.events, told.doubtful) == (0, 11, [])


@BOTH
@pytest.mark.parametrize("most", [0.5, 5.0, 50.0])
def test_events_out_of_order_cost_nothing(live: bool, most: float) -> None:
    numbers = random.Random(most)
    told = Told(at(one + numbers.random() * most for one in steps(400)), live)
    assert (told.bad, told.events) == (0, 400)


@pytest.mark.parametrize("seed", range(20))
def test_a_file_without_order_costs_nothing(seed: int) -> None:
    numbers = random.Random(seed)
    told = Told(at(numbers.random() * 86_400 for _ in range(numbers.choice([20, 60, 400]))), live=False)
    assert (told.bad, told.doubtful[1:]) == (0, [])


def test_sorted_by_series_costs_nothing() -> None:
    told = Told(at([*steps(50, 60.0), *steps(50, 60.0), 1000.0, *steps(50, 60.0)]), live=False)
    assert (told.bad, told.events) == (0, 151)


@BOTH
@pytest.mark.parametrize("step", [30.0, 300.0, 3600.0])
def test_sparse_events_cost_nothing(live: bool, step: float) -> None:
    told = Told(at(steps(20, step)), live)
    assert (told.bad, told.events, told.doubtful) == (0, 20, [])


@BOTH
def test_a_long_event_that_began_among_the_others_is_no_damage(live: bool) -> None:
    trace = at(moved([20], 600.0))
    trace[20] = trace[20]._replace(latency=600_000_000)
    told = Told(trace, live)
    assert (told.bad, told.events) == (0, 40)


@BOTH
def test_times_of_day_go_over_midnight(live: bool) -> None:
    day = 86_400
    trace = [one._replace(micros=(one.micros + 3 * 10**6) % (day * 10**6), clock=Clock.DAY) for one in at(steps(40))]
    assert Told(trace, live).bad == 0
    trace[20] = trace[20]._replace(micros=(trace[20].micros + 5 * 3600 * 10**6) % (day * 10**6))
    assert Told(trace, live).dropped == [21]
