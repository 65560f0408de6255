"""Writes intervals as JSON lines. The format is a public contract: keys can be added, but none is ever removed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..buckets import fits
from ..interval import Interval
from ..intervals import NextPulse, Pulse, join_intervals
from ..record import Range
from ..window import row_bounds

LONGEST_WAIT = 0.3
"""Seconds for which an interval of a live source waits for others that continue it: they come with it."""


def join_continued(
    intervals: Iterable[Interval | Pulse],
    pulse: NextPulse | None = None,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[Interval]:
    """The intervals, each joined with the intervals that continue it: one per series and end.

    An interval is held back until one with a different end shows that it is complete, or until the input ends. When an
    idle series gets events again, its idle intervals arrive late: they end earlier and are passed on at once.
    ``pulse`` gets the moment after which a Pulse passes on what a live source has sent so far.
    """
    held: dict[str, Interval] = {}
    end: int | None = None
    until: float | None = None
    if pulse is not None:
        pulse.add(lambda: until)
    for interval in intervals:
        if isinstance(interval, Pulse):
            yield from held.values()
            held.clear()
            until = None
            continue
        if pulse is not None:
            until = monotonic() + LONGEST_WAIT
        if end is not None and interval.end < end and not interval.ranges and not interval.gap:
            yield interval
            continue
        if interval.end != end:
            yield from held.values()
            held.clear()
            end = interval.end
        last = held.pop(interval.series, None)
        if last is not None and not last.gap and not interval.gap:
            interval = join_intervals(last, interval)
        elif last is not None:
            yield last
        held[interval.series] = interval
    yield from held.values()


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


def ranges_on_grid(ranges: tuple[Range, ...], resolution: int) -> tuple[Range, ...]:
    """The ranges resampled to buckets of the grid, with the total count kept. A range that is a union of whole buckets
    stays whole.
    """
    keys = [(lower, upper) for lower, upper, _ in ranges]
    if not keys:
        return ()
    rows = row_bounds(keys, resolution, None)
    shares, _ = rows.projection(keys)
    counts = shares @ [float(count) for _, _, count in ranges]
    uppers = [*rows.bounds[1:-1], None if rows.overflow else rows.bounds[-1]]
    return tuple(
        (_plain(lower), None if upper is None else _plain(upper), _plain(float(count)))
        for lower, upper, count in zip(rows.bounds[:-1], uppers, counts, strict=True)
        if count > 0
    )


def _plain(value: float) -> int | float:
    """An int if the value is whole, so that JSON shows no decimal point."""
    return int(value) if value == int(value) else value
