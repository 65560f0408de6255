"""What a collector's decoder yields: records, ticks and marks, as the source meant them."""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .units import Unit

_Frozen = TypeVar("_Frozen")


def made_fast(cls: type[_Frozen]) -> type[_Frozen]:
    """A frozen dataclass with slots, and an ``__init__`` that takes half the time: records are made by the thousand.

    The generated one calls ``object.__setattr__`` with the name of each field; this one calls the setters of the slots.
    """
    names: dict[str, Any] = {}
    parameters, stores = [], []
    for one in fields(cls):  # type: ignore[arg-type]
        names[f"_set_{one.name}"] = getattr(cls, one.name).__set__
        names[f"_default_{one.name}"] = one.default
        parameters.append(one.name if one.default is MISSING else f"{one.name}=_default_{one.name}")
        stores.append(f"    _set_{one.name}(self, {one.name})")
    exec("\n".join((f"def __init__(self, {', '.join(parameters)}):", *stores)), names)
    made = names["__init__"]
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    made.__annotations__ = cls.__init__.__annotations__
    cls.__init__ = made  # type: ignore[method-assign]
    return cls


Bound: TypeAlias = int | float
Range: TypeAlias = tuple[Bound, Bound | None, Bound]
"""``(lower, upper, count)``: events in the half-open range [lower, upper); upper None is an open overflow row."""


RangeCounts: TypeAlias = dict[tuple[Bound, Bound | None], Bound]
"""Counts by (lower, upper)."""


KEPT, GAP, RESET, ESTIMATED, IDLE = "kept", "gap", "reset", "estimated", "idle"
"""Flags of records per interval, of a session that was kept or of single events. KEPT: times are as they were found,
and silences are told by records of their own, which are flagged GAP. RESET: the counters restarted in it. ESTIMATED: so
is its time waited.
IDLE, of any record: the source printed, and nothing happened in the series, from its last record until this interval
began: at ``start``, or ``seconds`` before the stamp where counts are cumulative.
"""


class Semantics(Enum):
    """What the counts of a record mean."""

    CUMULATIVE = "cumulative"
    INTERVAL = "interval"
    RATE = "rate"
    OPEN = "open"
    """The text does not tell: per interval or cumulative, as the first prints show, of each label for itself."""


class Clock(Enum):
    """How far a stamp can be trusted."""

    EPOCH = "epoch"
    """Microseconds since 1970, UTC."""
    DAY = "day"
    """Microseconds since midnight: the date and the zone are to be found."""
    FREE = "free"
    """Microseconds of a clock with an unknown zero, as time since boot."""
    COUNTED = "counted"
    """No real clock: intervals counted from epoch 0."""


@made_fast
@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment as printed: the END of the interval that it belongs to.

    ``whole`` says that it was printed in whole seconds, so that it is a grid and no exact time. ``text`` is the free
    date that stood beside it, empty where there was none.
    """

    micros: int
    clock: Clock = Clock.EPOCH
    whole: bool = field(default=False, compare=False)
    text: str = field(default="", compare=False)


@made_fast
@dataclass(frozen=True, slots=True)
class Record:
    """One histogram snapshot of one series.

    ``ranges`` are ascending by lower bound, no two alike, none with count 0, in ``unit`` and exactly as the source
    means them. ``waited`` is the exact time waited in seconds where the source has it, with the semantics of the
    counts. ``start`` is, in epoch microseconds, the start of the interval or, of cumulative counts, the moment at which
    the counters started. ``seconds`` is the divisor for rates where the stamps are coarser than the interval.
    ``arrival`` (monotonic seconds) and ``line`` say where the record came from and do not take part in comparisons.
    """

    series: str
    unit: Unit
    ranges: tuple[Range, ...]
    semantics: Semantics
    stamp: Stamp | None = None
    start: int | None = None
    seconds: float | None = None
    waited: float | None = None
    label: str = ""
    source: str = ""
    flags: frozenset[str] = frozenset()
    note: str = ""
    arrival: float | None = field(default=None, compare=False)
    line: int = field(default=0, compare=False)

    @property
    def events(self) -> Bound:
        """Sum of the counts."""
        return sum(count for _, _, count in self.ranges)


@made_fast
@dataclass(frozen=True, slots=True)
class Tick:
    """The whole source printed: a heading or section. Records follow until the next tick; a series that does not
    appear had no events (per interval) or kept its last values (cumulative).

    Decoders give the first three. The engine's clock adds ``start`` (epoch microseconds at which the interval began),
    ``silent_since`` and ``silent_until`` (a gap before it), ``implied`` (found between records, not printed by the
    source), ``joins`` (implied, and of series that the last prints left out: one more part of their round) and ``kept``
    (its records have the flag KEPT).
    """

    stamp: Stamp | None = None
    arrival: float | None = field(default=None, compare=False)
    line: int = field(default=0, compare=False)
    start: int | None = None
    silent_since: int | None = None
    silent_until: int | None = None
    implied: bool = False
    joins: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A remark on the time axis, kept in recordings. ``series`` empty: it concerns all of them."""

    stamp: Stamp
    note: str
    series: str = ""


class Sample(NamedTuple):
    """One event of a series, as a trace tells it: it took ``latency`` whole units and ended at ``micros`` of ``clock``.

    Of Clock.DAY these are microseconds since midnight. ``text`` is the date that stood beside the time, if one did.
    ``step``: the source prints latencies in multiples of so many units, which are far from exact: it took from
    ``latency`` to less than one step more. 0 where the latency is as exact as the source's clock.
    """

    series: str
    unit: Unit
    latency: int
    micros: int
    clock: Clock = Clock.EPOCH
    text: str = ""
    label: str = ""
    source: str = ""
    line: int = 0
    arrival: float | None = None
    step: int = 0


class Pause(NamedTuple):
    """A source of samples is silent for a moment."""


Event: TypeAlias = Record | Tick | Mark
Decoded: TypeAlias = Event | Sample | Pause
"""Decoders of histograms yield events; decoders of traces yield samples, a Pause where a live source pauses, and marks.
"""


def tidy_ranges(ranges: list[Range]) -> tuple[Range, ...]:
    """Ranges as a Record keeps them: like ones summed, empty ones dropped, ascending."""
    sums: RangeCounts = {}
    for lower, upper, count in ranges:
        sums[lower, upper] = sums.get((lower, upper), 0) + count
    kept = [(lower, upper, count) for (lower, upper), count in sums.items() if count]
    return tuple(sorted(kept, key=_ascending))


def counts_of(ranges: Iterable[Range]) -> RangeCounts:
    """The counts of ranges of which no two are alike."""
    return {(lower, upper): count for lower, upper, count in ranges}


def _ascending(entry: Range) -> tuple[Bound, Bound]:
    lower, upper, _ = entry
    return lower, float("inf") if upper is None else upper
