"""Merges intervals: into longer ones (``--interval``), and with those that continue them."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ..interval import Interval
from ..record import tidy_ranges
from .batch import one_by_one
from .options import NextPulse, Pulse

LONGEST_WAIT = 0.3
"""Seconds for which an interval of a live source waits for others that continue it: they come with it."""


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
