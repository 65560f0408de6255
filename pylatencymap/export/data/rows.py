"""Intervals in the buckets of a resolution, or in the ranges of their source."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...interval import Interval
from ...tables import ranges_on_grid


def in_buckets(intervals: Iterable[Interval], resolution: int | None) -> Iterator[Interval]:
    """The same intervals with ``resolution`` buckets per doubling; None: as they are."""
    for one in intervals:
        yield one if resolution is None else replace(one, ranges=ranges_on_grid(one.ranges, resolution))
