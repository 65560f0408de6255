"""Several files on one clock."""

from __future__ import annotations

import heapq
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..interval import Interval
from ..intervals.nominal import GAP_FACTOR, MEMORY, low_median
from ..units import Unit


def merged_by_time(streams: dict[str, Iterator[Interval]]) -> Iterator[Interval]:
    """Intervals of several files by their ends.

    A series goes on in the next file that holds it, after a gap where that begins late. What would mix is told apart: a
    series that two files hold at the same time by file name, one with two units by unit.
    """
    if len(streams) == 1:
        return next(iter(streams.values()))
    names = _short_names(list(streams))
    named = [_with_file(names[path], stream) for path, stream in streams.items()]
    return _told_apart(heapq.merge(*named, key=lambda item: item[1].end))


def _short_names(paths: list[str]) -> dict[str, str]:
    """The last parts of paths, or the paths where those are alike."""
    short = {path: os.path.basename(path) for path in paths}
    return short if len(set(short.values())) == len(paths) else {path: path for path in paths}


def _with_file(name: str, stream: Iterator[Interval]) -> Iterator[tuple[str, Interval]]:
    return ((name, interval) for interval in stream)


def _told_apart(items: Iterable[tuple[str, Interval]]) -> Iterator[Interval]:
    units: dict[str, Unit] = {}
    owners: dict[str, _Owner] = {}
    renamed: set[tuple[str, str]] = set()
    for name, original in items:
        interval = _by_unit(original, units)
        series = interval.series
        owner = owners.setdefault(series, _Owner(name))
        if owner.file != name and interval.start < owner.end:
            renamed.add((name, series))
        if (name, series) in renamed:
            yield replace(interval, series=f"{series} ({name})")
        else:
            yield from owner.take(name, interval)


def _by_unit(interval: Interval, units: dict[str, Unit]) -> Interval:
    """The interval; a second unit of a series makes another series, as within one file."""
    if units.setdefault(interval.series, interval.unit) is interval.unit:
        return interval
    return replace(interval, series=f"{interval.series} ({interval.unit.value})")


class _Owner:
    """The file that a series was last seen in, how long its intervals usually are, and where the last one ended."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.end = 0
        self._lengths: deque[float] = deque(maxlen=MEMORY)

    def take(self, file: str, interval: Interval) -> Iterator[Interval]:
        """The interval; before it, where it is the first of another file, a gap if nobody watched meanwhile."""
        silent = (interval.start - self.end) / 1e6
        if self.file != file and self._lengths and silent > GAP_FACTOR * low_median(self._lengths):
            yield _gap(interval, self.end)
        self.file, self.end = file, interval.end
        if not interval.gap and interval.seconds > 0:
            self._lengths.append(interval.seconds)
        yield interval


def _gap(following: Interval, start: int) -> Interval:
    end = following.start
    seconds = (end - start) / 1e6
    return replace(
        following, start=start, end=end, seconds=seconds, ranges=(), waited=None, gap=True, reset=False, note=""
    )
