"""Merges intervals into longer ones (``--interval``)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..interval import Interval
from ..record import tidy_ranges
from .batch import one_by_one


def merge_intervals(intervals: Iterable[Interval], seconds: float | None) -> Iterator[Interval]:
    """Merges intervals that end in the same slot of ``seconds`` since the epoch; passes longer ones and gaps.

    If reading breaks off, what is merged so far comes before the error.
    """
    if seconds is None:
        yield from intervals
        return
    intervals = one_by_one(intervals)
    pending: dict[str, Interval] = {}
    try:
        yield from _merged(intervals, seconds, pending)
    except Exception:
        yield from pending.values()
        raise
    yield from pending.values()


def _merged(intervals: Iterable[Interval], seconds: float, pending: dict[str, Interval]) -> Iterator[Interval]:
    """The intervals that are complete; ``pending`` has the others, by series."""
    width = round(seconds * 1e6)
    for interval in intervals:
        last = pending.get(interval.series)
        if last is not None and (interval.gap or _slot(last, width) != _slot(interval, width)):
            yield pending.pop(interval.series)
            last = None
        if interval.gap or interval.seconds >= seconds:
            yield interval
        else:
            pending[interval.series] = interval if last is None else join_intervals(last, interval)


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
