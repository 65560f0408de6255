"""The loads of docs/patterns.md: requests that arrive, wait for their turn and are served, one by one.

Times are integer microseconds from the beginning. Each function returns requests, as a trace would hold them.
Nothing is drawn by hand: a queue is a queue, a throttle is a bucket of tokens, a pause stops all workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush, heapreplace
from math import log
from random import Random
from typing import NamedTuple

from pylatencymap.demo.devices import BLOCKS, REVOLUTION, Arm

SECOND = 1_000_000
MILLISECOND = 1_000


class Request(NamedTuple):
    """One request: when it was asked for, and when it was done."""

    asked: int
    done: int


class Station:
    """Servers that share a queue: first come, first served. Requests come in the order of their time."""

    def __init__(self, servers: int = 1) -> None:
        self._free = [0] * servers

    def serve(self, at: int, work: int) -> int:
        """When a request that comes at ``at``, and takes ``work`` once it is begun, is done."""
        done = max(at, self._free[0]) + work
        heapreplace(self._free, done)
        return done


class TokenBucket:
    """A limit of ``rate`` requests per second, with a reserve of ``burst`` that fills while less is asked for."""

    def __init__(self, rate: int, burst: int) -> None:
        self._step, self._reserve = SECOND // rate, burst * SECOND // rate
        self._paid = -self._reserve

    def admit(self, at: int) -> int:
        """When a request that comes at ``at`` may go on."""
        self._paid = max(self._paid, at - self._reserve) + self._step
        return max(at, self._paid)


def around(rng: Random, median: float, sigma: float = 0.25) -> int:
    """A duration: lognormal, as most times of services are."""
    return int(rng.lognormvariate(log(median), sigma))


def arrivals(rng: Random, rates: list[tuple[int, float]]) -> Iterator[int]:
    """Moments at which an open load asks. ``rates``: seconds and requests per second, one pair after the other."""
    begin = 0
    for seconds, rate in rates:
        end = begin + seconds * SECOND
        at = begin + int(rng.expovariate(rate) * SECOND)
        while at < end:
            yield at
            at += int(rng.expovariate(rate) * SECOND)
        begin = end


def by_clients(
    joined: list[int], leave: list[int], think: Callable[[], int], serve: Callable[[int], int]
) -> list[Request]:
    """A closed load: from when it joins until it leaves, each client asks, waits for the answer, and thinks."""
    ready = [(at, number) for number, at in enumerate(joined)]
    heapify(ready)
    requests = []
    while ready:
        at, client = heappop(ready)
        if at < leave[client]:
            done = serve(at)
            requests.append(Request(at, done))
            heappush(ready, (done + think(), client))
    return requests


def queue_smear(rng: Random) -> list[Request]:
    """A disk that serves a read in 2 ms; its load rises from a quarter to nine tenths of what it can do, and falls."""
    disk = Station()
    load = arrivals(rng, [(30, 120), (30, 440), (30, 120)])
    return [Request(at, disk.serve(at, around(rng, 2 * MILLISECOND))) for at in load]


def saturation(rng: Random) -> list[Request]:
    """A service with 4 workers of 4 ms, and twice as many clients every 15 seconds: 2, 4, 8 ... 64."""
    service = Station(4)
    joined = [0, 0] + [15 * SECOND * step for step in range(1, 6) for _ in range(2**step)]

    def serve(at: int) -> int:
        return service.serve(at, around(rng, 4 * MILLISECOND))

    def think() -> int:
        return int(rng.expovariate(1 / (2 * MILLISECOND)))

    return by_clients(joined, [90 * SECOND] * len(joined), think, serve)


def throttle(rng: Random) -> list[Request]:
    """16 clients on a volume with a limit of 500 requests per second and a reserve of 30,000; they pause for 30 s."""
    bucket, volume = TokenBucket(500, 30_000), Station(16)
    clients = 16
    joined = [0] * clients + [70 * SECOND] * clients
    leave = [40 * SECOND] * clients + [90 * SECOND] * clients

    def serve(at: int) -> int:
        return volume.serve(bucket.admit(at), around(rng, 0.8 * MILLISECOND))

    def think() -> int:
        return int(rng.expovariate(1 / (8 * MILLISECOND)))

    return by_clients(joined, leave, think, serve)


def timeout_line(rng: Random) -> list[Request]:
    """Calls over a network that loses one packet in 2,000, and one in 50 for half a minute. TCP sends it again after
    200 ms, then after twice as long.
    """
    requests = []
    for at in arrivals(rng, [(90, 500)]):
        loss = 0.02 if 30 * SECOND <= at < 60 * SECOND else 0.0005
        latency, patience = around(rng, 1.2 * MILLISECOND), 200 * MILLISECOND
        while rng.random() < loss:
            latency, patience = latency + patience, 2 * patience
        requests.append(Request(at, at + latency))
    return requests


def gc_pauses(rng: Random) -> list[Request]:
    """A server of 8 workers in a managed language: each request makes garbage, and when the heap is full, the collector
    stops all workers for as long as marking what lives takes.
    """
    heap, live = 4_000, 0.0
    free, begun = [(0, worker) for worker in range(8)], [-1] * 8
    requests: list[Request] = []
    filled = 0.0
    for at in arrivals(rng, [(90, 600)]):
        start, worker = heappop(free)
        start = max(at, start)
        filled += rng.uniform(0.5, 1.5)
        if filled > heap:
            live = min(live + rng.uniform(0, 200), 1_000)
            filled, pause = live, int((60 + live / 10) * MILLISECOND)
            for busy, other in free:
                if busy > start:
                    requests[begun[other]] = Request(requests[begun[other]].asked, busy + pause)
            free = [(max(busy, start) + pause, other) for busy, other in free]
            heapify(free)
            start += pause
        begun[worker] = len(requests)
        requests.append(Request(at, start + around(rng, 3 * MILLISECOND, 0.4)))
        heappush(free, (requests[-1].done, worker))
    return requests


def bimodal_commit(rng: Random) -> list[Request]:
    """Commits of a database: the log writer writes for all that wait, one write at a time. The write cache of the array
    takes a write in 0.4 ms; one in six finds it busy and goes to disk.
    """
    load = list(arrivals(rng, [(90, 250)]))
    requests, free, next_one = [], 0, 0
    while next_one < len(load):
        start = max(free, load[next_one])
        work = around(rng, 8 * MILLISECOND, 0.15) if rng.random() < 1 / 6 else around(rng, 0.4 * MILLISECOND)
        free = start + work
        while next_one < len(load) and load[next_one] <= start:
            requests.append(Request(load[next_one], free))
            next_one += 1
    return requests


def dying_disk(rng: Random) -> list[Request]:
    """A disk at 7200 rpm that needs ever more turns to read a block, and after 15 turns its own recovery of 1.5 s. All
    that wait behind it wait too.
    """
    arm, free = Arm(), 0
    requests = []
    for at in arrivals(rng, [(90, 20)]):
        again = 0.005 + 0.15 * max(0, at - 30 * SECOND) / (60 * SECOND)
        worn = rng.random() < again
        begun = max(at, free)
        free = arm.read(begun, rng.randrange(BLOCKS)).done
        turns = 0
        while worn and rng.random() < 0.82 and turns < 15:
            turns += 1
        free += turns * REVOLUTION + (1_500 * MILLISECOND if turns == 15 else 0)
        requests.append(Request(at, free))
    return requests


def noisy_neighbour(rng: Random) -> list[Request]:
    """What one of two hosts on one array sees: the other one reads 800 blocks per second for 10 of 30 seconds."""
    array = Station()
    ours = [(at, True) for at in arrivals(rng, [(90, 150)])]
    nearly_idle, busy = (20, 1.0), (10, 800.0)
    rates = [(10, 1.0), busy, nearly_idle, busy, nearly_idle, busy, (10, 1.0)]
    theirs = [(at, False) for at in arrivals(rng, rates)]
    requests = []
    for at, mine in sorted(ours + theirs):
        done = array.serve(at, around(rng, MILLISECOND))
        if mine:
            requests.append(Request(at, done))
    return requests


PATTERNS: dict[str, Callable[[Random], list[Request]]] = {
    "queue-smear": queue_smear,
    "saturation": saturation,
    "throttle": throttle,
    "timeout-line": timeout_line,
    "gc-pauses": gc_pauses,
    "bimodal-commit": bimodal_commit,
    "dying-disk": dying_disk,
    "noisy-neighbour": noisy_neighbour,
}
"""The patterns that are simulated; the others in docs/patterns.md are recordings of a real disk."""


def simulated(name: str) -> list[Request]:
    """The requests of a pattern, the same ones each time, in the order in which they were done."""
    return sorted(PATTERNS[name](Random(name)), key=lambda request: request.done)
