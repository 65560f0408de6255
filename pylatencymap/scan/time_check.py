"""Finds times in a scanned file that go back, and shows the events around them to the judge that the decoder's have.

Only a time that goes back can show that one is damaged: in all other text the events are just added up. A window is a
run of consecutive events around such a time, or at one end of a chunk, where its neighbours are in another chunk. The
judge sees the events of all windows, and those that the decoder finds among them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..intervals import MOST_ASTRAY, REACH, Counted, EventJudge, long_away
from ..record import Clock, Sample
from ..report import Report
from ..stream import is_on_axis
from ..units import MICROS_PER_DAY
from .contract import ChunkCounts, ChunkEvents, EventRun, Scan
from .reader import NotScannable

MARGIN = 2 * REACH
"""Events on each side of a time that goes back: more than the judge needs."""
MOST_KEPT = 100_000
"""The most events of the decoder that are kept in windows: a text with more of them is not for a scan."""


class StrayTimes(NotScannable):
    """Times that the decoder found go back from others, which are in no window: the scan has to begin again.

    ``ends`` are the times of the events beside them, around which there have to be windows.
    """

    def __init__(self, ends: set[int]) -> None:
        super().__init__()
        self.ends = ends


class Divided(NamedTuple):
    """The events of a chunk: those in ``windows``, and which ``others`` there are.

    beside     for the lines of the decoder outside all windows: the number of events before it, and the times of the
               events before and after it
    went_back  how many times go back that no window shows, because there are too many
    """

    windows: list[EventRun]
    others: NDArray[np.bool_] | slice
    beside: dict[int, tuple[int, int, int]]
    went_back: int


def divide(found: ChunkEvents, clock: Clock, width: int, known: Collection[int] = ()) -> Divided:
    """Which events of a chunk the judge has to see: also those around the ``known`` times."""
    count = int(found.ends.size)
    back = _places_back(found.ends, clock, long_away(width))
    shown = back if back.size <= MOST_ASTRAY else back[:0]
    hidden = int(back.size - shown.size)
    if known:
        shown = np.union1d(shown, np.isin(found.ends, np.array(list(known))).nonzero()[0])
    cuts = [(0, min(MARGIN, count)), *((place - MARGIN, place + MARGIN) for place in shown.tolist())]
    spans = list(_merged([*cuts, (max(count - MARGIN, 0), count)], count))
    windows = [_window(found, begin, end) for begin, end in spans]
    others: NDArray[np.bool_] | slice = slice(spans[0][1], spans[-1][0]) if len(spans) > 1 else slice(0, 0)
    if len(spans) > 2:
        others = np.ones(count, np.bool_)
        for begin, end in spans:
            others[begin:end] = False
    return Divided(windows, others, _beside(found, windows), hidden)


def _places_back(ends: NDArray[np.int64], clock: Clock, far: int) -> NDArray[np.int64]:
    """The events whose times go back by more than ``far``."""
    steps = np.diff(ends)
    if clock is Clock.DAY:
        steps = (steps + MICROS_PER_DAY // 2) % MICROS_PER_DAY - MICROS_PER_DAY // 2
    return (steps < -far).nonzero()[0] + 1


def _merged(cuts: list[tuple[int, int]], count: int) -> Iterator[tuple[int, int]]:
    """Ascending spans, as one where they touch or overlap."""
    begin, end = cuts[0]
    for one in cuts[1:]:
        if one[0] > end:
            yield begin, end
            begin = one[0]
        end = max(end, min(one[1], count))
    yield begin, end


def _window(found: ChunkEvents, begin: int, end: int) -> EventRun:
    some = slice(begin, end)
    first = int(found.places[begin]) if begin else 0
    stop = int(found.places[end - 1]) + 1 if end < found.ends.size else found.lines
    columns = (column[some].tolist() for column in (found.places, found.series, found.latencies, found.ends))
    return EventRun(first, stop, list(zip(*columns, strict=True)))


def _beside(found: ChunkEvents, windows: list[EventRun]) -> dict[int, tuple[int, int, int]]:
    lines = [line for line in found.decoded if line not in found.known]
    begins = [window.first for window in windows]
    outside = [line for line in lines if line >= windows[bisect_right(begins, line) - 1].stop]
    places = found.places.searchsorted(outside)
    if not outside:
        return {}
    before, after = found.ends[places - 1].tolist(), found.ends[places].tolist()
    return dict(zip(outside, zip(places.tolist(), before, after, strict=True), strict=True))


class TimeCheck:
    """The times of a file. Its windows are judged at its end."""

    def __init__(self, scan: Scan, width: int, report: Report) -> None:
        self._scan = scan
        self._far = long_away(width)
        self._judge = EventJudge(scan.clock, width, report, live=False)
        self._windows: list[tuple[int, int]] = []
        self._events: list[tuple[int, int, Sample]] = []
        self._line = self._passed = 0
        self._late: dict[int, tuple[int, int]] = {}
        self._decoded = 0
        self._beside: dict[int, tuple[int, int, int]] = {}
        self._earlier: dict[int, tuple[int, int, int]] = {}
        self._last: tuple[tuple[int, int, int], int] | None = None
        self._strays: set[int] = set()

    def take_in(self, found: ChunkCounts, before: int) -> None:
        """The windows of a chunk that follows ``before`` lines. Raises NotScannable."""
        self._judge.went_back += found.went_back
        self._earlier, self._beside = self._beside, {before + 1 + line: one for line, one in found.beside.items()}
        for window in found.windows:
            if not all(is_on_axis(end) for *_, end in window.events):
                raise NotScannable  # the decoder reports each event that is beyond
            self._windows.append((before + 1 + window.first, before + 1 + window.stop))
            self._events += [
                (before + 1 + line, 0, self._sample(before + 1 + line, found.names[series], latency, end))
                for line, series, latency, end in window.events
            ]

    def _sample(self, line: int, name: str, latency: int, end: int) -> Sample:
        scan = self._scan
        return Sample(name, scan.unit, latency, end, scan.clock, "", scan.label, scan.source, line)

    def passes(self, line: int) -> None:
        """The decoder yields the event of a line. It can have held it until later lines, whose events come first."""
        self._passed += 1
        if line < self._line:
            self._late[line] = self._line, self._passed
        self._line = max(self._line, line)

    def takes(self, sample: Sample) -> bool:
        """Whether an event of the decoder is kept, because it lies in a window. If not, its time has to fit those
        before and after. Raises NotScannable if there are too many, or if the decoder held it for too long.
        """
        self.passes(sample.line)
        line = self._line
        place = bisect_right(self._windows, (line, 1 << 62)) - 1
        if line < self._windows[place][1] or place == len(self._windows) - 1:
            self._events.append((line, self._passed, sample))
            self._decoded += 1
            if self._decoded > MOST_KEPT:
                raise NotScannable
            return True
        beside = self._beside.get(line) or self._earlier.get(line)
        if beside is None:
            raise NotScannable
        if not self._fits(sample.micros, beside) and len(self._strays) <= 2 * MOST_ASTRAY:
            self._strays.update(beside[1:])
        return False

    def _fits(self, micros: int, beside: tuple[int, int, int]) -> bool:
        """Whether a time does not go back from the event before it, nor the event after it from this one."""
        _, before, after = beside
        if self._last is not None and self._last[0] == beside:
            before = self._last[1]
        self._last = beside, micros
        return not (self._goes_back(before, micros) or self._goes_back(micros, after))

    def _goes_back(self, before: int, after: int) -> bool:
        step = after - before
        if self._scan.clock is Clock.DAY:
            step = (step + MICROS_PER_DAY // 2) % MICROS_PER_DAY - MICROS_PER_DAY // 2
        return step < -self._far

    def settled(self) -> Iterator[Counted]:
        """At the end of the file: the events of the windows that count. The judge reports the others.

        Raises StrayTimes if a judgement depends on more than the windows.
        """
        for place, run in enumerate(runs := list(self._runs())):
            self._check_ends(run, at_begin=not place, at_end=place == len(runs) - 1)
            yield from self._judge.apart() if place else ()
            for sample in run:
                yield from self._judge.take(sample)
        yield from self._judge.rest()
        if self._strays and self._judge.went_back <= MOST_ASTRAY:
            raise StrayTimes(self._strays)
        yield from map(Counted, self._judge.settled())

    def _runs(self) -> Iterator[list[Sample]]:
        """The events of windows that touch each other, in the order in which the decoder would yield them all."""
        late, events = self._late, self._events  # those without a turn are of the scan
        events = [one if one[1] else (*late.get(one[0], one[:2]), one[2]) for one in events]
        events.sort(key=itemgetter(0, 1))
        place, run = 0, list[Sample]()
        for line, _, sample in events:
            while place + 1 < len(self._windows) and line >= self._windows[place + 1][0]:
                place += 1
                if self._windows[place][0] > self._windows[place - 1][1]:
                    yield run
                    run = []
            run.append(sample)
        yield run

    def _check_ends(self, run: list[Sample], *, at_begin: bool, at_end: bool) -> None:
        """Note the ends of a run if it is too short to judge a time of the decoder that goes back there."""
        steps = pairwise(one.micros for one in run)
        back = [place for place, (before, after) in enumerate(steps, 1) if self._goes_back(before, after)]
        if back and back[0] < REACH and not at_begin:
            self._strays.add(run[0].micros)
        if back and back[-1] > len(run) - REACH and not at_end:
            self._strays.add(run[-1].micros)
