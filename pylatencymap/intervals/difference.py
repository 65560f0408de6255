"""Turns timed records into intervals: differences of counters, resets, gaps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count
from operator import sub
from typing import NamedTuple

from ..interval import Interval, midpoint_time
from ..record import (
    ESTIMATED,
    GAP,
    IDLE,
    KEPT,
    RESET,
    Bound,
    Clock,
    Event,
    Range,
    RangeCounts,
    Record,
    Semantics,
    Tick,
    counts_of,
)
from ..units import Unit
from .nominal import STEPS_REMEMBERED, low_median

# The totals of one series, and their growth.


class SplitRanges(NamedTuple):
    """The ranges of a record as three tuples."""

    lowers: tuple[Bound, ...]
    uppers: tuple[Bound | None, ...]
    counts: tuple[Bound, ...]

    @classmethod
    def of(cls, ranges: tuple[Range, ...]) -> SplitRanges:
        """From the ranges of a record, no two of which are the same."""
        return cls(*zip(*ranges, strict=True)) if ranges else _NOTHING

    def by_range(self) -> RangeCounts:
        """The counts by range."""
        return dict(zip(zip(self.lowers, self.uppers, strict=True), self.counts, strict=True))

    def ranges(self, counts: list[Bound]) -> tuple[Range, ...]:
        """The ranges with other counts; ranges with a count of 0 are left out."""
        found = zip(self.lowers, self.uppers, counts, strict=True)
        return tuple(found) if all(counts) else tuple([one for one in found if one[2]])


_NOTHING = SplitRanges((), (), ())


class RunningTotals:
    """The last total of each range; a range that a record leaves out keeps its total."""

    def __init__(self, first: SplitRanges) -> None:
        self._last = first
        self._left_out: RangeCounts = {}

    def growth(self, now: SplitRanges) -> list[Bound]:
        """The growth of each count since the last one; negative if it fell."""
        if self._has_ranges_of(now):  # the usual case
            return list(map(sub, now.counts, self._last.counts))
        before = {**self._left_out, **self._last.by_range()}
        return [count - before.get(key, 0) for key, count in now.by_range().items()]

    def keep(self, now: SplitRanges) -> None:
        """Keep these counts as the last totals."""
        if not self._has_ranges_of(now):
            present = now.by_range()
            before = {**self._left_out, **self._last.by_range()}
            self._left_out = {key: count for key, count in before.items() if key not in present}
        self._last = now

    def _has_ranges_of(self, now: SplitRanges) -> bool:
        return now.lowers == self._last.lowers and now.uppers == self._last.uppers


SPIKE_FACTOR = 10
"""After a reset, a record with a rate of more than this many times the recent median becomes a new baseline."""

_NEUTRAL_FLAGS = frozenset({KEPT, IDLE})
"""Flags of a record that change nothing in its interval."""

_SeriesKey = tuple[str, Unit]


def to_intervals(events: Iterable[Event]) -> Iterator[Interval]:
    """What happened between the records of each series. Takes the output of ``stages.resolve_times``.

    The first cumulative record of a series is its baseline. No count is ever negative.
    """
    series: dict[_SeriesKey, _Series] = {}
    names: set[str] = set()
    for event in events:
        if isinstance(event, Tick):
            if event.silent_since is not None and event.silent_until is not None:
                for one in series.values():
                    yield from one.silence(event.silent_since, event.silent_until)
        elif isinstance(event, Record) and event.stamp is not None:
            key = (event.series, event.unit)
            if key not in series:
                series[key] = _Series(new_name(*key, names))
            yield from series[key].take(event)


def new_name(series: str, unit: Unit, names: set[str]) -> str:
    """A name that no other series has; since units never mix, a second unit makes a second series."""
    with_unit = f"{series} ({unit.value})"
    numbered = (f"{with_unit} {number}" for number in count(2))
    name = next(name for name in chain((series, with_unit), numbered) if name not in names)
    names.add(name)
    return name


class _Series:
    """The running state of one series."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._totals: RunningTotals | None = None
        self._last_waited: float | None = None
        self._end: int | None = None
        self._started: int | None = None
        self._rates: deque[float] = deque(maxlen=STEPS_REMEMBERED)
        self._template: Interval | None = None

    def take(self, record: Record) -> Iterator[Interval]:
        if IDLE in record.flags:
            yield from self._idle_before(record)
        interval = self._counted(record) if record.semantics is Semantics.CUMULATIVE else self._plain(record)
        if record.stamp is not None:
            self._end = record.stamp.micros
        if interval is None:
            return
        continues = self._template is not None and self._template.end == interval.end
        self._template = interval
        if not interval.gap and not continues and interval.seconds > 0:
            self._rates.append(float(interval.events) / interval.seconds)
        yield interval

    def _idle_before(self, record: Record) -> Iterator[Interval]:
        """One interval for the snapshots since the last record that left the series out: it had no events."""
        assert record.stamp is not None
        end = record.start
        if record.semantics is Semantics.CUMULATIVE:
            end = record.stamp.micros - round((record.seconds or 0.0) * 1e6)
        if self._end is None or end is None or not self._end < end < record.stamp.micros:
            return
        waited = None if record.waited is None else 0.0
        idle = replace(record, stamp=replace(record.stamp, micros=end), note="")
        yield self._interval(idle, self._end, (end - self._end) / 1e6, (), waited)
        self._end = end

    def silence(self, since: int, until: int) -> Iterator[Interval]:
        """A gap: the source was silent between two moments."""
        start = since if self._end is None else max(since, self._end)
        if self._template is not None and start < until:
            yield replace(
                self._template,
                start=start,
                end=until,
                seconds=(until - start) / 1e6,
                ranges=(),
                waited=None,
                reset=False,
                gap=True,
                note="",
            )

    def _plain(self, record: Record) -> Interval | None:
        assert record.stamp is not None
        assert record.start is not None
        seconds = record.seconds or (record.stamp.micros - record.start) / 1e6
        found = self._interval(record, record.start, seconds, record.ranges, record.waited)
        return found if record.flags <= _NEUTRAL_FLAGS else _flagged(found, record.flags)

    def _counted(self, record: Record) -> Interval | None:
        assert record.stamp is not None
        now, totals, last_waited = SplitRanges.of(record.ranges), self._totals, self._last_waited
        growth = [] if totals is None else totals.growth(now)
        restarted = record.start is not None and self._started is not None and record.start != self._started
        reset = totals is not None and (restarted or min(growth, default=0) < 0)
        time = self._time(record, reset)
        if totals is not None and time is None:
            return None
        self._started = record.start if record.start is not None else self._started
        self._last_waited = record.waited
        if totals is None or reset:
            self._totals = RunningTotals(now)
        else:
            totals.keep(now)
        if totals is None or time is None:
            return None
        ranges = record.ranges if reset else now.ranges(growth)
        interval = self._interval(record, *time, ranges, _waited(record.waited, last_waited, reset))
        return self._unless_spike(interval) if reset else interval

    def _time(self, record: Record, reset: bool) -> tuple[int, float] | None:
        """Start and seconds of the interval that a record ends; None if there is no interval.

        A record with the same stamp as the last one continues its interval. If that is impossible, as after a baseline,
        the next record includes its counts.
        """
        assert record.stamp is not None
        if self._end is None:
            return None
        if record.stamp.micros <= self._end:
            last = self._template
            continues = last is not None and last.end == self._end and not last.gap and not reset
            return (last.start, last.seconds) if last is not None and continues else None
        start = self._since(record, self._end) if reset else self._end
        if record.seconds is not None and start == self._end:
            return start, record.seconds
        return start, (record.stamp.micros - start) / 1e6

    def _since(self, record: Record, end: int) -> int:
        """When the first interval after a reset begins: at the start-up time if that is known and makes sense."""
        assert record.stamp is not None
        start = record.start
        return start if start is not None and end <= start < record.stamp.micros else end

    def _unless_spike(self, interval: Interval) -> Interval:
        """An interval after a reset; if it would be a spike, a gap instead, with its record as the new baseline.

        The limit comes from the median of recent rates, or from the highest if the series was mostly idle; a series
        that was only idle has no limit.
        """
        marked = replace(interval, reset=True)
        if self._rates and interval.seconds > 0:
            usual = low_median(self._rates) or max(self._rates)
            if float(interval.events) / interval.seconds > SPIKE_FACTOR * usual > 0:
                return replace(marked, ranges=(), waited=None, gap=True)
        return marked

    def _interval(
        self, record: Record, start: int, seconds: float, ranges: tuple[Range, ...], waited: float | None
    ) -> Interval:
        assert record.stamp is not None
        return Interval(
            series=self._name,
            unit=record.unit,
            start=start,
            end=record.stamp.micros,
            seconds=seconds,
            ranges=ranges,
            waited=midpoint_time(ranges, record.unit) if waited is None else waited,
            estimated=waited is None,
            clock=record.stamp.clock is Clock.EPOCH,
            label=record.label,
            source=record.source,
            note=record.note,
        )


def _flagged(interval: Interval, flags: frozenset[str]) -> Interval:
    """The interval with the flags of its record."""
    if GAP in flags:
        interval = replace(interval, ranges=(), waited=None, estimated=False, gap=True)
    return replace(interval, reset=RESET in flags, estimated=interval.estimated or ESTIMATED in flags)


def _waited(now: float | None, last: float | None, reset: bool) -> float | None:
    """Exact time waited since the last record; None if it is not known or fell without a reset."""
    if now is None or reset:
        return now
    return None if last is None or now < last else now - last


# Totals of a source that counts from zero since we started it: every snapshot, even the first, becomes an interval.


def intervals_from_zero(events: Iterable[Event]) -> Iterator[Event]:
    """A decoder's events, with totals turned into counts per interval.

    The engine uses the first totals of a series as a baseline, because it cannot know since when they count. Here that
    is known: a series that appears late has counted since the snapshot before.
    """
    last: dict[tuple[str, Unit], Record] = {}
    for event in events:
        if isinstance(event, Record):
            key = (event.series, event.unit)
            event, last[key] = _added(event, last.get(key)), event
        yield event


def _added(record: Record, last: Record | None) -> Record:
    before = {} if last is None else counts_of(last.ranges)
    ranges = [(lower, upper, count - before.get((lower, upper), 0)) for lower, upper, count in record.ranges]
    waited = record.waited
    if any(count < 0 for _, _, count in ranges):  # the counters restarted
        ranges = list(record.ranges)
    elif waited is not None and last is not None:
        waited = None if last.waited is None or waited < last.waited else waited - last.waited
    kept = tuple(one for one in ranges if one[2])
    return replace(record, ranges=kept, waited=waited, semantics=Semantics.INTERVAL, start=None)
