"""Estimates time waited from the counts of all intervals together, as pictures, pages and summaries do.

Where a source gives counts only, the mean latency of a range follows from the slope of all counts. So intervals are
kept until the last one has come, in a temporary file if they are many; those before the first estimate go through at
once.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, TypeAlias

from ...errors import SourceError
from ...interval import Interval
from ...record import Bound
from ...units import Unit
from ...window import means_of_ranges

IN_MEMORY = 32_000_000
"""Bytes of intervals that are not written to a file."""
AT_ONCE = 2_000
_RangeKey: TypeAlias = "tuple[Bound, Bound | None]"


def with_best_estimates(intervals: Iterable[Interval]) -> Iterator[Interval]:
    """The same intervals. Estimated time waited is that of summaries: its sum is the one of all pictures."""
    waiting, counts = iter(intervals), _Counts()
    for one in waiting:
        if _is_guessed(one):
            yield from _after_the_last(chain([one], waiting), counts)
            return
        counts.add(one)
        yield one


def _after_the_last(intervals: Iterator[Interval], counts: _Counts) -> Iterator[Interval]:
    with SpooledTemporaryFile(IN_MEMORY) as file:
        try:
            for some in _portions(intervals):
                for one in some:
                    counts.add(one)
                pickle.dump(some, file, pickle.HIGHEST_PROTOCOL)
            file.seek(0)
            yield from map(counts.estimated, _kept(file))
        except OSError as error:
            raise SourceError(f"{gettempdir()}: intervals cannot be kept there: {error.strerror or error}") from error


def _portions(intervals: Iterator[Interval]) -> Iterator[list[Interval]]:
    some: list[Interval] = []
    for one in intervals:
        some.append(one)
        if len(some) == AT_ONCE:
            yield some
            some = []
    yield some


def _kept(file: IO[bytes]) -> Iterator[Interval]:
    """What was written to a file of our own."""
    while True:
        some: list[Interval] = pickle.load(file)
        yield from some
        if len(some) < AT_ONCE:
            return


def _is_guessed(one: Interval) -> bool:
    return one.estimated and not one.gap and bool(one.ranges)


class _Counts:
    """The counts of each series by range, and what they say of the mean latency of each range."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, Unit], dict[_RangeKey, Bound]] = {}
        self._means: dict[tuple[str, Unit], dict[_RangeKey, float]] = {}

    def add(self, one: Interval) -> None:
        """Add the counts of an interval."""
        counts = self._counts.setdefault((one.series, one.unit), {})
        for lower, upper, count in one.ranges:
            counts[lower, upper] = counts.get((lower, upper), 0) + count

    def estimated(self, one: Interval) -> Interval:
        """The interval with the estimate that all counts make; all have been added."""
        if not _is_guessed(one):
            return one
        key = one.series, one.unit
        if key not in self._means:
            self._means[key] = means_of_ranges(self._counts[key], one.unit)
        means = self._means[key]
        return replace(one, waited=sum(count * means[lower, upper] for lower, upper, count in one.ranges))
