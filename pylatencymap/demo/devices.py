"""The simulated device: an LRU cache of blocks and one disk arm behind it.

Times are integer microseconds from the beginning of the simulation, so that sums of latencies are exact. Blocks are
8 KiB; their number says where on the platter they lie.
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
"""Over the whole width, on top of SETTLE. An arm accelerates half the way, so that a seek grows with the square root
of its distance."""


def transfer_time(blocks: int) -> int:
    """How long blocks take to pass under the head."""
    return blocks * REVOLUTION // TRACK_BLOCKS


class Service(NamedTuple):
    """When the arm turned to a read, and when that read was done."""

    begun: int
    done: int


class Arm:
    """One arm at 7200 rpm: serves one read at a time, first come, first served.

    Rotation is not drawn: the platter turns, and the arm waits for the block to come round.
    """

    def __init__(self) -> None:
        self._track = 0
        self._free = 0

    def read(self, now: int, first: int, blocks: int = 1) -> Service:
        """Read an extent asked for at ``now``, which is never earlier than the last call's."""
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
    """The least recently used block leaves first."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._blocks: OrderedDict[int, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._blocks)

    def use(self, first: int, blocks: int = 1) -> bool:
        """Whether it holds the whole extent, which then is the most recently used one."""
        extent = range(first, first + blocks)
        held = all(block in self._blocks for block in extent)
        if held:
            for block in extent:
                self._blocks.move_to_end(block)
        return held

    def fill(self, first: int, blocks: int = 1) -> None:
        """Keep an extent that was read, at the price of the least recently used blocks."""
        for block in range(first, first + blocks):
            self._blocks[block] = None
            self._blocks.move_to_end(block)
        while len(self._blocks) > self.capacity:
            self._blocks.popitem(last=False)

    def clear(self) -> None:
        self._blocks.clear()


# A second device beside the store: a flash drive that takes a log, steadily.


WRITES_PER_SECOND = 140
WRITE_MEDIAN = log(27)
WRITE_SIGMA = 0.25


class FlashDrive:
    """Writes that come at random (an open stream) and are done one after the other."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._next = 0
        self._free = 0

    def run(self, until: int) -> list[int]:
        """Latencies, in microseconds, of the writes that came before the time ``until`` (microseconds)."""
        latencies = []
        while self._next < until:
            self._free = max(self._next, self._free) + int(self._rng.lognormvariate(WRITE_MEDIAN, WRITE_SIGMA))
            latencies.append(self._free - self._next)
            self._next += int(self._rng.expovariate(WRITES_PER_SECOND / 1_000_000))
        return latencies
