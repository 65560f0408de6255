"""Events by hand, and what the engine makes of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Clock, Event, Range, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.units import Unit

EPOCH = 1_700_000_000
"""Seconds; what ``Make.at`` counts from."""


class Make:
    """Stamps, ticks and records of a source in microseconds; counts are of the buckets [0,1), [1,2), [2,4) ..."""

    epoch = EPOCH

    @staticmethod
    def at(seconds: float, whole: bool = False, **more: Any) -> Stamp:
        return Stamp(round((EPOCH + seconds) * 1e6), Clock.EPOCH, whole, **more)

    @staticmethod
    def day(clock: str, text: str = "") -> Stamp:
        hours, minutes, seconds = clock.split(":")
        micros = round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1e6)
        return Stamp(micros, Clock.DAY, whole="." not in clock, text=text)

    @staticmethod
    def tick(stamp: Stamp | None = None, arrival: float | None = None, line: int = 1) -> Tick:
        return Tick(stamp, arrival, line)

    @staticmethod
    def ranges(*counts: float) -> tuple[Range, ...]:
        bounds = [(0, 1), *((2**n, 2 ** (n + 1)) for n in range(len(counts)))]
        return tuple((*bound, count) for bound, count in zip(bounds, counts, strict=False) if count)

    @classmethod
    def counter(cls, stamp: Stamp | None, *counts: float, series: str = "a", **more: Any) -> Record:
        return Record(series, more.pop("unit", Unit.US), cls.ranges(*counts), Semantics.CUMULATIVE, stamp, **more)

    @classmethod
    def counted(cls, stamp: Stamp | None, *counts: float, series: str = "a", **more: Any) -> Record:
        return Record(series, more.pop("unit", Unit.US), cls.ranges(*counts), Semantics.INTERVAL, stamp, **more)

    @classmethod
    def prints(cls, stamps: Iterable[Stamp | None], arrivals: Iterable[float] | None = None) -> list[Event]:
        """A heading and one record per interval with 10 events for each stamp."""
        events: list[Event] = []
        moments = iter(arrivals) if arrivals is not None else None
        for line, stamp in enumerate(stamps, 1):
            events += [Tick(stamp, next(moments) if moments else None, line), cls.counted(stamp, 10)]
        return events


@dataclass
class Outcome:
    """What came out: the events with times, the intervals, and what was said."""

    events: list[Event]
    intervals: list[Interval]
    said: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> list[float]:
        return [round(one.seconds, 6) for one in self.intervals if not one.gap]

    @property
    def ends(self) -> list[float]:
        """Seconds after ``EPOCH``."""
        return [round(one.end / 1e6 - EPOCH, 6) for one in self.intervals if not one.gap]

    @property
    def gaps(self) -> list[tuple[float, float]]:
        return [
            (round(one.start / 1e6 - EPOCH, 6), round(one.end / 1e6 - EPOCH, 6)) for one in self.intervals if one.gap
        ]


class Engine:
    """Runs events through the engine. ``live`` sources were started at monotonic time 0, at the wall time EPOCH."""

    def __call__(self, events: Iterable[Event], live: bool = False, **options: Any) -> Outcome:
        said: list[str] = []
        if live:
            options = {"started": 0.0, "now": lambda: float(EPOCH), "monotonic": lambda: 0.0, **options}
        report = Report("test", say=said.append)
        found = list(resolve_times(events, TimeOptions(**options), report))
        return Outcome(found, list(to_intervals(found, report, ahead=not live)), said)


@pytest.fixture(scope="session")
def make() -> type[Make]:
    return Make


@pytest.fixture(scope="session")
def engine() -> Engine:
    return Engine()
