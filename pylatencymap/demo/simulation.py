"""Runs the simulation as a source: yields one snapshot of cumulative counters per simulated second."""

from collections.abc import Iterable, Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from ..buckets import bounds_of, bucket_of
from ..record import Clock, Event, Record, Semantics, Stamp, Tick
from ..units import Unit
from .data_store import SimulatedStore
from .devices import FlashDrive

# What happens when: a round of events that repeats for as long as somebody watches.
#
# A cold cache fills; the store is steady; a scan queues up at the arm and pushes the hot set out of the cache; it comes
# back; the store restarts with its cache lost; a shorter scan shows what a small one costs.


SCENE_SECONDS = 100
"""Length of a round."""

RESTART = range(55, 57)
"""Seconds of a round in which the store is down."""


class ScannerPeriod(NamedTuple):
    """Seconds of a round, and the number of scanners that read in them."""

    seconds: range
    scanners: int


SCANNER_PERIODS = (ScannerPeriod(range(30, 36), 4), ScannerPeriod(range(86, 88), 2))


def is_down(second: int) -> bool:
    """Whether the store is restarting in a second, counted from the beginning."""
    return second % SCENE_SECONDS in RESTART


def scanners(second: int) -> int:
    """How many scanners read in a second, in addition to the application."""
    return sum(scan.scanners for scan in SCANNER_PERIODS if second % SCENE_SECONDS in scan.seconds)


__all__ = ["RESOLUTION", "SCENE_SECONDS", "simulated_events"]

RESOLUTION = 8
"""Buckets per octave: enough to zoom in."""

_SECOND = 1_000_000


class _Counters:
    """The counts per bucket and the time waited (microseconds) of one series since ``start`` (epoch microseconds)."""

    def __init__(self, series: str, start: int) -> None:
        self._series = series
        self._start = start
        self._counts: dict[int, int] = {}
        self._waited = 0

    def add(self, latencies: Iterable[int]) -> None:
        for latency in latencies:
            bucket = bucket_of(latency, RESOLUTION)
            self._counts[bucket] = self._counts.get(bucket, 0) + 1
            self._waited += latency

    def record(self, stamp: Stamp) -> Record:
        return Record(
            series=self._series,
            unit=Unit.US,
            ranges=tuple((*bounds_of(bucket, RESOLUTION), self._counts[bucket]) for bucket in sorted(self._counts)),
            semantics=Semantics.CUMULATIVE,
            stamp=stamp,
            start=self._start,
            waited=self._waited / _SECOND,
            label="demo",
            source="demo",
        )


def simulated_events(clock_start: float, seed: int = 1) -> Iterator[Event]:
    """Endless ticks and records, one tick per simulated second; the same seed gives the same events.

    ``clock_start`` is the first stamp, in epoch seconds. The series ``data`` is the cache and its spindle, ``log`` is a
    steady flash drive. The first snapshot is empty. While the store restarts, snapshots have no record of ``data``;
    afterwards its counters begin again from 0, at the record's ``start``. The simulation neither reads a clock nor
    sleeps.
    """
    rng = Random(seed)
    store, drive = SimulatedStore(Random(rng.getrandbits(64))), FlashDrive(Random(rng.getrandbits(64)))
    begin = round(clock_start * _SECOND)
    data, log = _Counters("data", begin), _Counters("log", begin)
    yield from _snapshot(begin, data, log)
    for second in count():
        until = (second + 1) * _SECOND
        log.add(drive.run(until))
        if is_down(second):
            store.restart(until)
            data = _Counters("data", begin + until)
            yield from _snapshot(begin + until, log)
        else:
            data.add(read.latency for read in store.run(until, scanners(second)))
            yield from _snapshot(begin + until, data, log)


def _snapshot(micros: int, *series: _Counters) -> Iterator[Event]:
    stamp = Stamp(micros, Clock.EPOCH)
    yield Tick(stamp)
    for counters in series:
        yield counters.record(stamp)
