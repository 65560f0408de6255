"""The records of the demo: cumulative, exact, restarted once in a round, and the same for the same seed."""

from itertools import islice, pairwise, takewhile

import pytest

from pylatencymap.buckets import fits
from pylatencymap.demo import simulation
from pylatencymap.demo.data_store import SimulatedStore
from pylatencymap.demo.devices import FlashDrive
from pylatencymap.demo.simulation import RESOLUTION, SCENE_SECONDS, simulated_events
from pylatencymap.record import Clock, Record, Semantics, Tick
from pylatencymap.units import Unit

START = 1_700_000_000.25
BEGIN = 1_700_000_000_250_000
SECOND = 1_000_000


def until_second(stream, seconds: int) -> list:
    last = BEGIN + seconds * SECOND
    return list(takewhile(lambda event: event.stamp.micros <= last, stream))


@pytest.fixture(scope="module")
def told() -> dict[str, list]:
    """The events of a round, and the latencies that the simulated devices gave for them."""
    truth: dict[str, list] = {"reads": [], "writes": []}
    patch = pytest.MonkeyPatch()
    run, write = SimulatedStore.run, FlashDrive.run

    def kept(key, method):
        def wrapper(*args):
            answer = method(*args)
            truth[key].append(answer)
            return answer

        return wrapper

    patch.setattr(SimulatedStore, "run", kept("reads", run))
    patch.setattr(FlashDrive, "run", kept("writes", write))
    truth["events"] = until_second(simulated_events(START, seed=4), SCENE_SECONDS)
    patch.undo()
    return truth


def records(told, series: str) -> list[Record]:
    return [event for event in told["events"] if isinstance(event, Record) and event.series == series]


def test_one_tick_a_second_from_the_start(told):
    ticks = [event.stamp for event in told["events"] if isinstance(event, Tick)]
    assert [stamp.micros for stamp in ticks] == [BEGIN + n * SECOND for n in range(SCENE_SECONDS + 1)]
    assert {stamp.clock for stamp in ticks} == {Clock.EPOCH}


def test_records_follow_their_tick_and_say_what_they_are(told):
    tick = None
    for event in told["events"]:
        if isinstance(event, Tick):
            tick = event
            continue
        assert event.stamp == tick.stamp
        assert (event.unit, event.semantics) == (Unit.US, Semantics.CUMULATIVE)
        assert (event.label, event.source) == ("demo", "demo")
        assert list(event.ranges) == sorted(event.ranges)
        assert all(count > 0 and fits(lower, upper, RESOLUTION) for lower, upper, count in event.ranges)


def test_the_first_snapshot_is_an_empty_baseline(told):
    first = told["events"][:3]
    assert [event.series for event in first[1:]] == ["data", "log"]
    assert all(event.events == 0 and event.waited == 0 and event.start == BEGIN for event in first[1:])


def test_counts_and_waits_are_those_of_the_simulated_reads(told):
    """Second by second, before the restart and after it. (The simulation is one second ahead of what was taken.)"""
    latencies = [[read.latency for read in reads] for reads in told["reads"]]
    up = records(told, "data")[1:]
    before = [record for record in up if record.start == BEGIN]
    after = [record for record in up if record.start != BEGIN]
    assert len(before) == simulation.RESTART.start
    for part, truth in ((before, latencies[: len(before)]), (after, latencies[len(before) :])):
        events_so_far, waited = 0, 0
        for record, answered in zip(part, truth, strict=False):
            events_so_far += len(answered)
            waited += sum(answered)
            assert record.events == events_so_far
            assert record.waited == waited / SECOND


def test_buckets_hold_their_latencies(told):
    answered = [read.latency for reads in told["reads"][: simulation.RESTART.start] for read in reads]
    last = records(told, "data")[simulation.RESTART.start]
    for lower, upper, count in last.ranges:
        assert count == sum(lower <= latency < upper for latency in answered)


def test_the_log_is_steady_and_never_restarts(told):
    log = records(told, "log")
    assert len(log) == SCENE_SECONDS + 1
    assert {record.start for record in log} == {BEGIN}
    steps = [later.events - earlier.events for earlier, later in pairwise(log)]
    assert min(steps) > 90
    assert max(steps) < 200
    assert log[-1].waited == sum(sum(writes) for writes in told["writes"][:SCENE_SECONDS]) / SECOND


def test_after_the_restart_the_counters_start_again(told):
    """While it is down there is no record of it; the first one after says since when it counts."""
    restart = BEGIN + (simulation.RESTART.stop) * SECOND
    data = records(told, "data")
    silent = [record for record in data if BEGIN + simulation.RESTART.start * SECOND < record.stamp.micros <= restart]
    first = next(record for record in data if record.stamp.micros > restart)
    assert silent == []
    assert (first.start, first.stamp.micros) == (restart, restart + SECOND)
    assert first.events < 300
    assert first.events < data[simulation.RESTART.start].events


def test_data_owns_the_wait(told):
    data, log = records(told, "data")[-1], records(told, "log")[-1]
    assert data.waited > 20 * log.waited


def test_the_story_repeats():
    for second in range(SCENE_SECONDS):
        assert simulation.is_down(second) == simulation.is_down(second + SCENE_SECONDS)
        assert simulation.scanners(second) == simulation.scanners(second + SCENE_SECONDS)
    assert SCENE_SECONDS <= 150
    assert sum(simulation.is_down(second) for second in range(SCENE_SECONDS)) == len(simulation.RESTART)


def test_the_same_seed_tells_the_same_story():
    assert list(islice(simulated_events(START, 9), 60)) == list(islice(simulated_events(START, 9), 60))
    assert list(islice(simulated_events(START, 9), 60)) != list(islice(simulated_events(START, 10), 60))
