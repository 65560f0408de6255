"""Records, ticks, marks and samples: what a collector's decoder yields, with the meaning that the source gave them."""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .units import Unit

_Frozen = TypeVar("_Frozen")


def made_fast(cls: type[_Frozen]) -> type[_Frozen]:
    """Give a frozen dataclass with slots an ``__init__`` that takes half the time, because records are made by the
    thousand.

    The generated ``__init__`` calls ``object.__setattr__`` with the name of each field; this one calls the setters of
    the slots directly.
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


KEPT, GAP, RESET, ESTIMATED, IDLE, DOUBTFUL, LOST = "kept", "gap", "reset", "estimated", "idle", "doubtful", "lost"
"""Flags of records. The first three are for records per interval, from a recorded session or from single events.

KEPT: the times are final, and every silence has a record of its own, flagged GAP. RESET: the counters restarted during
the interval.
ESTIMATED, for any record: the time waited is estimated; of totals, what was added to it since the record before.
IDLE, for any record: the source printed snapshots, but nothing happened in the series from its last record until this
interval began. An interval begins at ``start`` or, if the counts are cumulative, ``seconds`` before the stamp.
DOUBTFUL, for any record: its stamp was damaged, and its time comes from the records around it; or what its counts mean
is a guess.
LOST, for any record without ranges: the source printed a record of the series here that could not be read, and that was
reported; or one should be here, and the source left it out. The series was not idle: the next totals cover its time,
and counts per interval have a gap.
"""


class Semantics(Enum):
    """What the counts of a record mean."""

    CUMULATIVE = "cumulative"
    INTERVAL = "interval"
    RATE = "rate"
    OPEN = "open"
    """The text does not say whether counts are per interval or cumulative. The first snapshots decide, separately for
    each label.
    """


class Clock(Enum):
    """How far a stamp can be trusted."""

    EPOCH = "epoch"
    """Microseconds since 1970, UTC."""
    DAY = "day"
    """Microseconds since midnight; the date and the zone have to be found."""
    FREE = "free"
    """Microseconds on a clock whose zero is unknown, such as time since boot."""
    COUNTED = "counted"
    """No real clock: intervals are counted from epoch 0."""


@made_fast
@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment as the source printed it: always the END of the interval that it belongs to.

    ``whole`` means that the source printed whole seconds: the stamp is rounded to a grid, not exact. ``text`` is the
    free-text date printed next to it, or empty.
    """

    micros: int
    clock: Clock = Clock.EPOCH
    whole: bool = field(default=False, compare=False)
    text: str = field(default="", compare=False)


@made_fast
@dataclass(frozen=True, slots=True)
class Record:
    """The histogram of one series in one snapshot.

    ``ranges`` are in ``unit``, exactly as the source means them: ascending by lower bound, all different. None has the
    count 0, except in totals, where it says that a count has fallen. ``waited`` is the exact time waited in seconds if
    the source gives it; it has the semantics of the counts. ``start``, in epoch microseconds, is the start of the
    interval; for cumulative counts it is the moment at which the counters started. ``seconds`` is the divisor for rates
    if the stamps are coarser than the interval.
    ``arrival`` (monotonic seconds) and ``line`` say where the record came from; comparisons ignore them.
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
    """The start of a snapshot: the source printed a heading or a new section. Its records follow until the next tick. A
    series without a record had no events (per interval) or kept its last values (cumulative).

    Decoders set the first three fields, and all if a recording says what they were. The engine's clock adds ``start``
    (epoch microseconds at which the interval began), ``silent_since`` and ``silent_until`` (a gap before it),
    ``implied`` (added between records, because the source prints no heading), ``joins`` (implied, and for series that
    the last snapshots left out: one more part of the same round) and ``kept`` (its times are final: its records have
    the flag KEPT, or a recording says so).
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
    """A note at a moment on the time axis, kept in recordings. An empty ``series`` means all series."""

    stamp: Stamp
    note: str
    series: str = ""


SELECTION = "selection"


@dataclass(frozen=True, slots=True)
class NamedTime(Mark):
    """A time that the user of a view has named, from ``begin`` (epoch microseconds) to the stamp: ``A`` or ``B``, to
    compare them, or ``selection``, what was selected at last, with latencies from ``low`` to ``high`` (seconds; None:
    all). Its ``note`` is for readers that know of marks only.
    """

    name: str = SELECTION
    begin: int = 0
    low: float | None = None
    high: float | None = None


class EventKey(NamedTuple):
    """Something that a source says about an event besides its series, as that its ``pid`` was ``4711``.

    ``note`` explains the value, as the text of a statement does its number; it is shown with the value and counts for
    nothing.
    """

    name: str
    value: str
    note: str = ""


class Sample(NamedTuple):
    """One event of a series in a trace: it took ``latency`` whole units and ended at ``micros`` on ``clock``.

    On Clock.DAY, ``micros`` counts from midnight. ``text`` is the date printed next to the time, if any.
    ``step`` is for sources that print latencies rounded down to multiples of ``step`` units: the event took at least
    ``latency``, and less than ``latency + step``. It is 0 if the latency is as exact as the source's clock.
    ``keys`` say more about it, each name once. They are read only if ``Known.keys`` asks for them.
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
    keys: tuple[EventKey, ...] = ()


class Pause(NamedTuple):
    """A source of samples has paused for a moment."""


MOST_SERIES = 100_000
"""The most series of one source: each takes memory as long as the source lasts."""
MAX_LABEL = 1 << 64
"""The largest bucket label of a 64-bit counter in any unit; no range begins later, or ends later than twice this."""
MAX_COUNT = 1 << 128
"""No counter is this wide: a larger count is damage, and would overflow in floating point."""

Event: TypeAlias = Record | Tick | Mark
Decoded: TypeAlias = Event | Sample | Pause
"""Decoders of histograms yield events; decoders of traces yield samples, a Pause when a live source pauses, and marks.
"""


def lost_record(record: Record) -> Record:
    """What a decoder yields, after a report, in the place of a record that cannot be used."""
    return replace(record, ranges=(), waited=None, seconds=None, flags=record.flags | {LOST})


def tidy_ranges(ranges: list[Range]) -> tuple[Range, ...]:
    """Ranges as a Record keeps them: equal ranges summed, empty ones dropped, in ascending order."""
    return without_zeros(tidy_totals(ranges))


def tidy_totals(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """As ``tidy_ranges``, but with those whose total fell to zero: equal ranges summed, in ascending order."""
    sums: RangeCounts = {}
    for lower, upper, count in ranges:
        sums[lower, upper] = sums.get((lower, upper), 0) + count
    return tuple(sorted(((lower, upper, count) for (lower, upper), count in sums.items()), key=_ascending))


def without_zeros(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """The ranges that have counts. Only records of totals can have others: those tell that a count fell to zero."""
    return ranges if all(count for _, _, count in ranges) else tuple([one for one in ranges if one[2]])


def flaw_of_ranges(ranges: tuple[Range, ...]) -> str:
    """What is impossible in the ranges of a record, as the end of a sentence about it; empty if nothing is."""
    for lower, upper, count in ranges:
        if not 0 <= lower <= MAX_LABEL or not (upper is None or lower < upper <= 2 * MAX_LABEL):
            return f"it has a range from {lower} to {upper}"
        if not 0 <= count < MAX_COUNT:
            return f"it has a count of {count}"
    return ""


def counts_of(ranges: Iterable[Range]) -> RangeCounts:
    """The counts by (lower, upper); the ranges must all be different."""
    return {(lower, upper): count for lower, upper, count in ranges}


def _ascending(entry: Range) -> tuple[Bound, Bound]:
    lower, upper, _ = entry
    return lower, float("inf") if upper is None else upper
