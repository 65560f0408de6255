"""Runs with all that a page has to show: gaps, resets, marks, exact and estimated times, jitter, long intervals."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timezone

import numpy as np

import pylatencymap as lm
from pylatencymap.api.run import Run
from pylatencymap.interval import Interval
from pylatencymap.record import Mark, Range, Stamp
from pylatencymap.session import MarkList
from pylatencymap.units import Unit
from pylatencymap.window import Window

SECOND = 1_000_000
BEGIN = 1_772_409_600 * SECOND  # 2026-03-02 00:00 UTC
HOURS = 30
GAP = (10 * 3600, 11 * 3600)
INCIDENT = (20 * 3600, 20 * 3600 + 1200)


def many_levels() -> Run:
    """Two series of 30 hours: `sda` every second, estimated, with an incident, a gap, a reset and a mark; `log file
    sync` in milliseconds every 10 s, whose source sums the time waited, and whose clock jitters.
    """
    window, marks = Window(float("inf")), MarkList()
    for one in (*_disk(), *_waits()):
        window.add(one)
    marks.add(Mark(Stamp(BEGIN + 5 * 3600 * SECOND), "new index"))
    return Run(window, marks, 2, (), timezone.utc, ("/tmp/many-levels.lmap",))


def _disk() -> Iterator[Interval]:
    noise = np.random.default_rng(20)
    usual, slow = (0.2, 160, 90, 3, 0.01, 0.3, 40, 9), (0.2, 90, 50, 3, 0.01, 0.3, 9, 2)
    for number in range(HOURS * 3600):
        if GAP[0] <= number < GAP[1]:
            if number == GAP[0]:
                yield Interval("sda", Unit.US, _at(number), _at(GAP[1]), 3600.0, gap=True)
            continue
        is_slow = INCIDENT[0] <= number < INCIDENT[1]
        counts = noise.poisson((*slow, 12) if is_slow else (*usual, 0.001))
        places = (5, 6, 7, 8, 9, 11, 13, 14, 17)
        ranges: tuple[Range, ...] = tuple(
            (1 << place, 2 << place, int(count)) for place, count in zip(places, counts, strict=True) if count
        )
        start = _at(number)
        yield Interval(
            "sda", Unit.US, start, start + SECOND, 1.0, ranges, 0.5, reset=number == 25 * 3600 + 7, label="I/O latency"
        )


def _waits() -> Iterator[Interval]:
    noise, end = np.random.default_rng(7), BEGIN
    for _ in range(HOURS * 360):
        start, end = end, end + 10 * SECOND + int(noise.integers(-900, 900))
        counts = noise.poisson((300, 40, 9, 1, 0.05))
        ranges: tuple[Range, ...] = (
            *((lower, upper, int(count)) for (lower, upper), count in zip(_MS, counts[:-1], strict=True) if count),
            *(((32, None, int(counts[-1])),) if counts[-1] else ()),
        )
        waited = float(counts @ (0.0006, 0.0014, 0.011, 0.02, 0.05))
        yield Interval(
            "log file sync",
            Unit.MS,
            start,
            end,
            (end - start) / 1e6,
            ranges,
            round(waited, 6),
            estimated=False,
            label="wait event",
            source="oracle",
        )


_MS = ((0, 1), (1, 2), (8, 16), (16, 32))


def _at(seconds: float) -> int:
    return BEGIN + round(seconds * SECOND)


def cold_start(path: object) -> Run:
    """The example with two series of 74 s."""
    return lm.read(f"{path}/examples/cold-start.lmap.gz", tz="UTC")
