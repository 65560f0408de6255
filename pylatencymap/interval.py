"""An interval: what happened in one series between two records. Everything after the decoders works on intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose

from .record import (
    DOUBTFUL,
    ESTIMATED,
    GAP,
    KEPT,
    RESET,
    Bound,
    Clock,
    Range,
    Record,
    Semantics,
    Stamp,
    made_fast,
)
from .units import Unit

SAME = 1e-9
"""Relative difference up to which two sums of times are equal."""


@made_fast
@dataclass(frozen=True, slots=True)
class Interval:
    """Counts per range over a known number of seconds, or a gap in which the source was silent.

    ``start`` and ``end`` are epoch microseconds; ``seconds`` is the divisor for rates (not always ``end - start``).
    ``ranges`` are the source's own ranges, ascending, without zero counts. ``waited`` is in seconds; ``estimated``
    means that it was computed from the midpoints of the ranges. In a gap, ``ranges`` is empty and ``waited`` is None.
    ``doubtful``: its counts or its time rest on a record that can be damaged, and no other record confirmed it.
    ``clock`` is False if the source has no real clock. An interval with the same ``end`` as the previous one of its
    series continues that one: it adds counts but no time.
    """

    series: str
    unit: Unit
    start: int
    end: int
    seconds: float
    ranges: tuple[Range, ...] = ()
    waited: float | None = None
    estimated: bool = True
    reset: bool = False
    gap: bool = False
    clock: bool = True
    label: str = ""
    source: str = ""
    note: str = ""
    doubtful: bool = False

    @property
    def events(self) -> Bound:
        """Sum of the counts."""
        return sum([count for _, _, count in self.ranges])

    def without_ranges(self) -> Interval:
        """The interval without its counts; ``replace`` takes several times as long."""
        return Interval(
            self.series,
            self.unit,
            self.start,
            self.end,
            self.seconds,
            (),
            self.waited,
            self.estimated,
            self.reset,
            self.gap,
            self.clock,
            self.label,
            self.source,
            self.note,
            self.doubtful,
        )


def midpoint_time(ranges: tuple[Range, ...], unit: Unit) -> float:
    """Estimated seconds waited: counts each event at the arithmetic midpoint of its range, or at the lower bound if the
    range is open.
    """
    total = sum([count * (lower if upper is None else (lower + upper) / 2) for lower, upper, count in ranges])
    return float(total) * unit.seconds


def record_of(interval: Interval) -> Record:
    """A record from which the engine makes the same interval again."""
    told = (KEPT, True), (GAP, interval.gap), (RESET, interval.reset), (DOUBTFUL, interval.doubtful)
    flags = {flag for flag, is_set in told if is_set}
    waited = interval.waited
    if interval.gap and interval.estimated:
        flags.add(ESTIMATED)
    elif interval.estimated and waited is not None:
        # A merged column can be estimated only in part; then the midpoints would give another sum.
        if isclose(midpoint_time(interval.ranges, interval.unit), waited, rel_tol=SAME):
            waited = None
        else:
            flags.add(ESTIMATED)
    return Record(
        series=interval.series,
        unit=interval.unit,
        ranges=interval.ranges,
        semantics=Semantics.INTERVAL,
        stamp=Stamp(interval.end, Clock.EPOCH if interval.clock else Clock.COUNTED),
        start=interval.start,
        seconds=None if interval.seconds == (interval.end - interval.start) / 1e6 else interval.seconds,
        waited=waited,
        label=interval.label,
        source=interval.source,
        flags=frozenset(flags),
    )
