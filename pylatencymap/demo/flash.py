"""A second device beside the store: a flash drive that takes a log, steadily."""

from math import log
from random import Random

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
