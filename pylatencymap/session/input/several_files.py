"""Merges the intervals of several files by time, and keeps series apart that would mix."""

from __future__ import annotations

import heapq
import os
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TypeAlias

from ...interval import Interval
from ...intervals import GAP_FACTOR, STEPS_REMEMBERED, low_median
from ...units import Unit

_Item: TypeAlias = tuple[str, Interval]
"""An interval and the name of its file."""
MOST_HELD_INTERVALS = 3_000
"""Intervals read before the first is handed out, so that series have their final names from the beginning."""


def merged_by_time(streams: dict[str, Iterator[Interval]], held: int = MOST_HELD_INTERVALS) -> Iterator[Interval]:
    """Intervals of several files, sorted by end.

    A series continues in the next file that contains it, after a gap if that file begins late. A series that two files
    contain at the same time becomes two series, named by file; a series with two units becomes two, named by unit. If
    files overlap only after the first ``held`` intervals, the file names appear from there on.
    """
    if len(streams) == 1:
        return next(iter(streams.values()))
    names = short_names(list(streams))
    named = [_with_file(names[path], stream) for path, stream in streams.items()]
    return _told_apart(heapq.merge(*named, key=lambda item: item[1].end), held)


def short_names(paths: list[str]) -> dict[str, str]:
    """File names without folders; whole paths if two names are the same."""
    short = {path: os.path.basename(path) for path in paths}
    return short if len(set(short.values())) == len(paths) else {path: path for path in paths}


def series_of_events(series: str, unit: Unit, file: str, known: Container[str]) -> str:
    """The series that counts the events that a file calls so, as it is called among those that are ``known``. ``file``
    is the short name, or empty if there are no others. It is "" if there is none.
    """
    by_unit_too = f"{series} ({unit.value})"
    of_file = (f"{by_unit_too} ({file})", f"{series} ({file})") if file else ()
    return next((name for name in (*of_file, by_unit_too, series) if name in known), "")


def _with_file(name: str, stream: Iterator[Interval]) -> Iterator[_Item]:
    return ((name, interval) for interval in stream)


def _told_apart(items: Iterable[_Item], most: int) -> Iterator[Interval]:
    apart = _NameClashes()
    rest = iter(items)
    held: list[_Item] = []
    try:
        for item in islice(rest, most):
            held.append(apart.seen(item))
    except Exception:
        yield from chain.from_iterable(map(apart.named, held))
        raise
    yield from chain.from_iterable(map(apart.named, held))
    held.clear()
    for item in rest:
        yield from apart.named(apart.seen(item))


class _NameClashes:
    """Finds the series that two files contain at the same time, and names their intervals so that they do not mix."""

    def __init__(self) -> None:
        self._units: dict[str, Unit] = {}
        self._last: dict[str, tuple[str, int]] = {}
        self._owners: dict[str, _Owner] = {}
        self._shared: set[str] = set()

    def seen(self, item: _Item) -> _Item:
        """Register the next item; returns it, named by unit if the series has several."""
        name, original = item
        interval = by_unit(original, self._units)
        last, end = self._last.get(interval.series, (name, 0))
        if last != name and interval.start < end:
            self._shared.add(interval.series)
        self._last[interval.series] = name, interval.end
        return name, interval

    def named(self, item: _Item) -> Iterator[Interval]:
        """The interval of an item that ``seen`` returned, perhaps after a gap."""
        name, interval = item
        series = interval.series
        if series in self._shared:
            return iter((replace(interval, series=f"{series} ({name})"),))
        return self._owners.setdefault(series, _Owner(name)).take(name, interval)


def by_unit(interval: Interval, units: dict[str, Unit]) -> Interval:
    """The interval. A second unit of a series makes another series, as it does within one file."""
    if units.setdefault(interval.series, interval.unit) is interval.unit:
        return interval
    return replace(interval, series=f"{interval.series} ({interval.unit.value})")


class _Owner:
    """The last file with intervals of a series, their usual length, and the end of the last one."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.end = 0
        self._lengths: deque[float] = deque(maxlen=STEPS_REMEMBERED)

    def take(self, file: str, interval: Interval) -> Iterator[Interval]:
        """The interval. If it is the first from another file and begins late, a gap comes before it."""
        silent = (interval.start - self.end) / 1e6
        if self.file != file and self._lengths and silent > GAP_FACTOR * low_median(self._lengths):
            yield gap_before(interval, self.end)
        self.file, self.end = file, interval.end
        if not interval.gap and interval.seconds > 0:
            self._lengths.append(interval.seconds)
        yield interval


def gap_before(following: Interval, start: int) -> Interval:
    """A gap in a series, from ``start`` (epoch microseconds) to the begin of an interval."""
    end = following.start
    seconds = (end - start) / 1e6
    return replace(
        following,
        start=start,
        end=end,
        seconds=seconds,
        ranges=(),
        waited=None,
        gap=True,
        reset=False,
        doubtful=False,
        note="",
    )
