"""The simulated devices: an LRU cache of blocks, one disk arm, and a flash drive.

Times are integer microseconds from the beginning of the simulation, so that sums of latencies are exact. Blocks are
8 KiB; a block's number is its place on the platter.
"""

from collections import OrderedDict
from math import log, sqrt
from random import Random
from typing import NamedTuple

TRACK_BLOCKS = 128
TRACKS = 8192
BLOCKS = TRACKS * TRACK_BLOCKS

REVOLUTION = 60_000_000 // 7200
SETTLE = 1_200
STROKE = 5_800
"""Time to move over the whole width, on top of SETTLE. An arm accelerates for half of the way, so the seek time grows
with the square root of the distance.
"""


def transfer_time(blocks: int) -> int:
    """The time that blocks take to pass under the head."""
    return blocks * REVOLUTION // TRACK_BLOCKS


class Service(NamedTuple):
    """When the arm began to serve a read, and when the read was done."""

    begun: int
    done: int


class Arm:
    """One arm at 7200 rpm: serves one read at a time, first come, first served.

    The rotational delay is computed, not random: the platter turns, and the arm waits for the block to come round.
    """

    def __init__(self) -> None:
        self._track = 0
        self._free = 0

    def read(self, now: int, first: int, blocks: int = 1) -> Service:
        """Read an extent that a reader asks for at ``now``, which is never earlier than in the last call."""
        begun = max(now, self._free)
        arrived = begun + self._seek(first // TRACK_BLOCKS)
        self._free = arrived + _rotation(arrived, first) + transfer_time(blocks)
        return Service(begun, self._free)

    def _seek(self, track: int) -> int:
        distance = abs(track - self._track)
        self._track = track
        return SETTLE + int(STROKE * sqrt(distance / TRACKS)) if distance else 0


def _rotation(arrived: int, block: int) -> int:
    return (transfer_time(block % TRACK_BLOCKS) - arrived) % REVOLUTION


class Cache:
    """A cache of blocks that drops the least recently used block first."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._blocks: OrderedDict[int, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._blocks)

    def use(self, first: int, blocks: int = 1) -> bool:
        """Whether the cache contains the whole extent; if so, marks it as the most recently used."""
        extent = range(first, first + blocks)
        held = all(block in self._blocks for block in extent)
        if held:
            for block in extent:
                self._blocks.move_to_end(block)
        return held

    def fill(self, first: int, blocks: int = 1) -> None:
        """Store an extent that was read, and drop the least recently used blocks if the cache is full."""
        for block in range(first, first + blocks):
            self._blocks[block] = None
            self._blocks.move_to_end(block)
        while len(self._blocks) > self.capacity:
            self._blocks.popitem(last=False)

    def clear(self) -> None:
        self._blocks.clear()


# A second device next to the store: a flash drive that receives a log at a steady rate.


WRITES_PER_SECOND = 140
WRITE_MEDIAN = log(27)
WRITE_SIGMA = 0.25


class FlashDrive:
    """Writes arrive at random times (an open stream), and the drive does one after the other."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._next = 0
        self._free = 0

    def run(self, until: int) -> list[int]:
        """The latencies, in microseconds, of the writes that arrive before the time ``until`` (microseconds)."""
        latencies = []
        while self._next < until:
            self._free = max(self._next, self._free) + int(self._rng.lognormvariate(WRITE_MEDIAN, WRITE_SIGMA))
            latencies.append(self._free - self._next)
            self._next += int(self._rng.expovariate(WRITES_PER_SECOND / 1_000_000))
        return latencies
