"""Merges intervals into longer ones (``--interval``)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..interval import Interval
from ..record import tidy_ranges


def merge_intervals(intervals: Iterable[Interval], seconds: float | None) -> Iterator[Interval]:
    """Merges intervals that end in the same slot of ``seconds`` since the epoch; passes longer ones and gaps."""
    if seconds is None:
        yield from intervals
        return
    width = round(seconds * 1e6)
    pending: dict[str, Interval] = {}
    for interval in intervals:
        last = pending.get(interval.series)
        if last is not None and (interval.gap or _slot(last, width) != _slot(interval, width)):
            yield pending.pop(interval.series)
            last = None
        if interval.gap or interval.seconds >= seconds:
            yield interval
        else:
            pending[interval.series] = interval if last is None else join_intervals(last, interval)
    yield from pending.values()


def _slot(interval: Interval, width: int) -> int:
    return -(-interval.end // width)


def join_intervals(first: Interval, second: Interval) -> Interval:
    """Two intervals of one series as one; neither is a gap."""
    return replace(
        second,
        start=first.start,
        seconds=first.seconds + (second.seconds if second.end != first.end else 0.0),
        ranges=tidy_ranges([*first.ranges, *second.ranges]),
        waited=(first.waited or 0.0) + (second.waited or 0.0),
        estimated=first.estimated or second.estimated,
        reset=first.reset or second.reset,
        doubtful=first.doubtful or second.doubtful,
        note=second.note or first.note,
    )
