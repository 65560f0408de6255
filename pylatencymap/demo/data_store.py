"""A simulated data store: readers in a closed loop over a cache and a disk arm.

Each reader asks for its next extent only after it has received the last one. One application reads single blocks, most
of them from a hot set. Scanners, if there are any, read whole extents at random without pausing in between. So a hit
takes the time of the cache, a miss takes the time of the arm, and a miss that queues for the arm also takes the time of
the misses before it.
"""

from heapq import heappop, heappush
from math import log
from random import Random
from typing import NamedTuple

from .devices import BLOCKS, Arm, Cache

CAPACITY = 2_500
HOT_BLOCKS = 1_600
HOT_SHARE = 0.915
HOT_STRIDE = 611_953
"""Has no common divisor with the number of blocks, so it scatters the hot set over the platter without repetition."""

HIT_MEDIAN = log(103)
HIT_SIGMA = 0.35
PREEMPTED_SHARE = 0.012
PREEMPTED_MEAN = 900
THINK_MEAN = 110

SCAN_BLOCKS = 4

APPLICATION = 0


class SimulatedRead(NamedTuple):
    """One answered read; times are in microseconds of the simulation."""

    reader: int
    issued: int
    done: int
    hit: bool

    @property
    def latency(self) -> int:
        return self.done - self.issued


class _Turn(NamedTuple):
    """What happens next to a reader: it wakes up and asks for an extent (``blocks`` is 0), or it gets its extent."""

    time: int
    reader: int
    issued: int = 0
    first: int = 0
    blocks: int = 0
    hit: bool = False


class SimulatedStore:
    """The store. It begins at time 0 with an empty cache and no reader."""

    def __init__(self, rng: Random) -> None:
        self.cache = Cache(CAPACITY)
        self.arm = Arm()
        self._rng = rng
        self._now = 0
        self._readers = 0
        self._turns: list[_Turn] = []

    def run(self, until: int, scanners: int = 0) -> list[SimulatedRead]:
        """Simulate up to the time ``until``, with this many scanners in addition to the application. Returns the reads
        answered by then.
        """
        self._wake(1 + scanners)
        answered = []
        while self._turns[0].time < until:
            turn = heappop(self._turns)
            if turn.blocks:
                answered.append(self._answer(turn))
            elif turn.reader < self._readers:
                self._ask(turn.time, turn.reader)
        self._now = until
        return answered

    def restart(self, until: int) -> None:
        """Lose the cache and all reads in progress, and do nothing before the time ``until``."""
        self.cache.clear()
        self._turns.clear()
        self._now = until

    def _wake(self, readers: int) -> None:
        self._readers = readers
        busy = {turn.reader for turn in self._turns}
        for reader in range(readers):
            if reader not in busy:
                heappush(self._turns, _Turn(self._now, reader))

    def _ask(self, now: int, reader: int) -> None:
        first, blocks = (self._application_block(), 1) if reader == APPLICATION else (self._scanned(), SCAN_BLOCKS)
        hit = self.cache.use(first, blocks)
        done = now + self._hit_time() if hit else self.arm.read(now, first, blocks).done
        heappush(self._turns, _Turn(done, reader, now, first, blocks, hit))

    def _answer(self, turn: _Turn) -> SimulatedRead:
        if not turn.hit:
            self.cache.fill(turn.first, turn.blocks)
        think = int(self._rng.expovariate(1 / THINK_MEAN)) if turn.reader == APPLICATION else 0
        heappush(self._turns, _Turn(turn.time + think, turn.reader))
        return SimulatedRead(turn.reader, turn.issued, turn.time, turn.hit)

    def _application_block(self) -> int:
        """A random block by popularity. Some blocks of the hot set are hotter still: the square favours low ranks."""
        chance = self._rng.random()
        if chance >= HOT_SHARE:
            return int(self._rng.random() * BLOCKS)
        rank = int(HOT_BLOCKS * (chance / HOT_SHARE) ** 2)
        return rank * HOT_STRIDE % BLOCKS

    def _scanned(self) -> int:
        return int(self._rng.random() * (BLOCKS // SCAN_BLOCKS)) * SCAN_BLOCKS

    def _hit_time(self) -> int:
        """A random hit time: lognormal, as for memory and a scheduler. Now and then the reader is preempted."""
        time = self._rng.lognormvariate(HIT_MEDIAN, HIT_SIGMA)
        if self._rng.random() < PREEMPTED_SHARE:
            time += self._rng.expovariate(1 / PREEMPTED_MEAN)
        return int(time)
