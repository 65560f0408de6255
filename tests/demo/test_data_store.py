"""A closed queueing system: what must hold of one, and the figures that the demo is meant to show."""

from itertools import pairwise
from random import Random

import pytest

from pylatencymap.demo.data_store import APPLICATION, CAPACITY, SimulatedRead, SimulatedStore
from pylatencymap.demo.devices import Arm, Service

SECOND = 1_000_000
MISS_FLOOR = 1_000


class LoggedArm(Arm):
    """Remembers what it did."""

    def __init__(self) -> None:
        super().__init__()
        self.services: list[Service] = []

    def read(self, now: int, first: int, blocks: int = 1) -> Service:
        service = super().read(now, first, blocks)
        self.services.append(service)
        return service


def seconds(store: SimulatedStore, begin: int, end: int, scanners: int = 0) -> list[SimulatedRead]:
    return [read for second in range(begin, end) for read in store.run((second + 1) * SECOND, scanners)]


@pytest.fixture(scope="module")
def story() -> tuple[SimulatedStore, LoggedArm, list[SimulatedRead], list[SimulatedRead], list[SimulatedRead]]:
    """The store after 25 s from cold, 15 s of steady state and 5 s with 5 scanners."""
    store, arm = SimulatedStore(Random(7)), LoggedArm()
    store.arm = arm
    return store, arm, seconds(store, 0, 25), seconds(store, 25, 40), seconds(store, 40, 45, scanners=5)


def rate(reads: list[SimulatedRead], hit: bool, begin: int, end: int) -> float:
    return sum(read.hit is hit and begin * SECOND <= read.done < end * SECOND for read in reads) / (end - begin)


def missed_share(reads: list[SimulatedRead], begin: int, end: int) -> float:
    missed, hit = (rate(reads, kind, begin, end) for kind in (False, True))
    return missed / (missed + hit)


def test_the_arm_never_serves_two_at_once(story):
    _, arm, *_ = story
    assert len(arm.services) > 3_000
    assert all(earlier.done <= later.begun for earlier, later in pairwise(arm.services))


def test_every_miss_is_one_service_and_no_hit_is(story):
    _, arm, *parts = story
    missed = sorted(read.done for part in parts for read in part if not read.hit)
    served = [service.done for service in arm.services]
    assert missed == served[: len(missed)]
    assert len(served) - len(missed) <= 6


def test_each_reader_waits_for_its_own_read(story):
    *_, scan = story
    for reader in range(6):
        own = [read for read in scan if read.reader == reader]
        assert all(earlier.done <= later.issued for earlier, later in pairwise(own))


def test_little_of_the_scanners(story):
    """N = X R: five scanners without think time, so throughput times latency is 5 (up to the reads at both ends)."""
    *_, scan = story
    scanned = [read.latency for read in scan if read.reader != APPLICATION]
    longest = max(scanned)
    assert sum(scanned) == pytest.approx(5 * 5 * SECOND, abs=5 * longest)


def test_a_scan_queues_at_the_arm(story):
    """Six in the closed loop: each miss waits for about five others."""
    _, _, _, steady, scan = story
    alone = [read.latency for read in steady if not read.hit]
    behind = [read.latency for read in scan if not read.hit][10:]
    assert sum(behind) / len(behind) == pytest.approx(6 * sum(alone) / len(alone), rel=0.1)
    assert min(behind) > 30_000
    assert max(behind) < 100_000


def test_the_cache_fills_and_misses_decline(story):
    store, _, warming, steady, _ = story
    assert len(store.cache) == CAPACITY
    assert rate(warming, True, 0, 5) < 100 < rate(warming, True, 8, 13) < rate(warming, True, 20, 25)
    assert missed_share(warming, 0, 10) > 4 * missed_share(steady, 25, 40)


def test_steady_state_has_two_bands(story):
    *_, steady, _ = story
    assert 750 < rate(steady, True, 25, 40) < 1_000
    assert 80 < rate(steady, False, 25, 40) < 100
    slow = [read.latency for read in steady if not read.hit]
    assert sum(4_000 <= latency < 16_384 for latency in slow) > 0.85 * len(slow)
    assert max(slow) < 17_000


def test_one_millisecond_parts_hits_from_misses_but_for_known_tails(story):
    """A preempted hit may take longer, and a miss on the very track may find its block at once: both are few."""
    _, _, _, steady, _ = story
    below = sum(read.latency < MISS_FLOOR for read in steady)
    hits = sum(read.hit for read in steady)
    slow_hits = sum(read.hit and read.latency >= MISS_FLOOR for read in steady)
    fast_misses = sum(not read.hit and read.latency < MISS_FLOOR for read in steady)
    assert below == hits - slow_hits + fast_misses
    assert 0 < slow_hits < 0.012 * hits
    assert fast_misses <= 3


def test_a_restart_loses_the_cache_and_what_was_being_read():
    store = SimulatedStore(Random(3))
    before = seconds(store, 0, 20, scanners=2)
    store.restart(22 * SECOND)
    assert len(store.cache) == 0
    after = seconds(store, 22, 24)
    assert min(read.issued for read in after) == 22 * SECOND
    assert {read.reader for read in before} == {0, 1, 2}
    assert {read.reader for read in after} == {APPLICATION}
    assert sum(read.hit for read in after[:50]) < 10


def test_reads_are_answered_in_time_order_whatever_the_steps():
    """Cutting the run into other pieces changes nothing."""
    coarse, fine = SimulatedStore(Random(5)), SimulatedStore(Random(5))
    whole = coarse.run(3 * SECOND, 2)
    pieces = [read for end in range(0, 3 * SECOND + 1, 7_500) for read in fine.run(end, 2)]
    assert pieces == whole
    assert [read.done for read in whole] == sorted(read.done for read in whole)
    assert len(coarse.cache) == len(fine.cache) <= CAPACITY
