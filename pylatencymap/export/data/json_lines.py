"""Writes intervals as JSON lines. The format is a public contract: keys can be added, but none is ever removed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ...buckets import fits
from ...interval import Interval
from ...tables import ranges_on_grid
from . import DataOptions


def json_line(interval: Interval, resolution: int | None = None) -> str:
    """One interval of one series as a line. The ranges are the source's own or, with a resolution, buckets of the grid;
    a gap has no ranges.
    """
    ranges = interval.ranges if resolution is None else ranges_on_grid(interval.ranges, resolution)
    fields: dict[str, Any] = {
        "series": interval.series,
        "label": interval.label,
        "source": interval.source,
        "unit": interval.unit.value,
        "start": interval.start / 1e6,
        "end": interval.end / 1e6,
        "seconds": interval.seconds,
        "counts": ranges,
        "time": None if interval.gap else interval.waited,
        "estimated": interval.estimated,
        "reset": interval.reset,
        "gap": interval.gap,
        "resampled": any(not fits(lower, upper, resolution or 1) for lower, upper, _ in interval.ranges),
        "clock": interval.clock,
    }
    if interval.doubtful:
        fields["doubtful"] = True
    if interval.note:
        fields["note"] = interval.note
    return json.dumps(fields) + "\n"


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """A line for each interval."""
    for one in intervals:
        yield json_line(one, options.resolution).encode()
