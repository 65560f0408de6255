"""Writes the record stream: one block of text per record, with an ``#lmap`` line only if the record needs it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..interval import Interval, record_of
from ..record import Clock, Event, Mark, Range, Record, Semantics, Stamp, Tick
from ..text.clean import printable
from . import extension
from .bounds import LabelCounts, bound_label, ranges_of
from .limits import MAX_COUNT
from .rounds import Rounds
from .running_sums import RunningKey, RunningStep, RunningSums
from .series_identity import NAMELESS, SeriesIdentity, identity_of
from .stamps import clock_flags, stamp_text
from .syntax import BASELINE, BEGIN_RECORD, END_RECORD, LOWER_BOUND_SOURCE, ORACLE_SOURCE, ORACLE_SOURCES

if TYPE_CHECKING:
    from fractions import Fraction

_LabelSums: TypeAlias = "dict[int, int | Fraction]"


_STAMP = "\ntimestamp,"


class _IdleText(NamedTuple):
    """The text of an idle record before and after its stamp, and the fields from which it was made."""

    extras: tuple[object, ...]
    before: str
    after: str


class StreamWriter:
    """Writes resolved records and marks, each with one call of ``write``, so that a recording is cut only between them.

    A record is resolved if its stamp has a known clock (epoch, or counted) and its counts are cumulative or per
    interval; counts per interval also need the start of the interval. ``event`` raises ValueError for any other record.

    Ticks come before the records of their snapshots, or not at all. Of what they say only that is written which the
    stamps do not: the times of the records are final, when the source was silent, and the ticks without a record.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._running = RunningSums()
        self._sums: dict[RunningKey, _LabelSums] = {}
        self._idle: dict[RunningKey, _IdleText] = {}
        self._tick: Tick | None = None
        self._rounds: Rounds | None = None

    def event(self, event: Event) -> None:
        if isinstance(event, Mark):
            self._write(extension.write_mark(event))
        elif isinstance(event, Tick):
            self.end()
            self._tick = event
        elif isinstance(event, Record):
            stamp = _resolved(event)
            about = self._about_snapshot(event, stamp)
            if event.semantics is Semantics.INTERVAL:
                self._interval(event, stamp, about)
            else:
                counters = _rounded(_add({}, event.ranges, event.source in ORACLE_SOURCES))
                self._write(_text(event, stamp, counters, RunningStep(counters, None), about))

    def end(self) -> None:
        """No record of the last tick follows: write the tick itself, if only it says that time went on."""
        tick, rounds = self._tick, self._rounds
        if tick is None or tick.stamp is None or rounds is None or rounds.is_within(tick.stamp):
            return
        self._write(
            extension.write_empty_snapshot(extension.EmptySnapshot(tick.stamp, tick.start, _silence(tick), tick.joins))
        )
        rounds.begin(tick.stamp, tick.joins)

    def _about_snapshot(self, record: Record, stamp: Stamp) -> dict[str, object]:
        """The fields for what the tick says, in the first record of a snapshot."""
        tick, fields, key = self._tick, dict[str, object](), (record.series, record.unit)
        if tick is not None and tick.stamp == stamp and self._rounds is None:
            self._rounds, fields["final"] = Rounds(), True
        if self._rounds is None:
            return fields
        if not self._rounds.is_within(stamp):
            part = seems_part = self._rounds.seems_part(key)
            if tick is not None and tick.stamp == stamp:
                part = tick.joins
                if silent := _silence(tick):
                    fields["silent"] = list(silent)
            if part != seems_part:
                fields["part"] = part
            self._rounds.begin(stamp, part)
        self._rounds.add(key)
        return fields

    def _interval(self, record: Record, stamp: Stamp, about: dict[str, object]) -> None:
        key: RunningKey = (record.series, record.unit)
        if key not in self._running:
            self._baseline(record, Stamp(max(record.start or 0, 0), stamp.clock))
        if not record.ranges and not about and self._again(record, stamp, key):
            return
        counters = _rounded(_add(self._sums.setdefault(key, {}), record.ranges, record.source in ORACLE_SOURCES))
        if max(counters.values(), default=0) >= MAX_COUNT:  # the sums begin again, because no reader takes larger ones
            self._sums[key] = {}
            self._baseline(record, Stamp(max(record.start or 0, 0), stamp.clock))
            counters = _rounded(_add(self._sums[key], record.ranges, record.source in ORACLE_SOURCES))
        step = self._running.advance(key, counters, stamp.micros)
        text = _text(record, stamp, counters, step, about)
        self._write(text)
        if record.ranges or about or record.start != step.start:
            self._idle.pop(key, None)
        else:
            before, _, after = text.partition(_STAMP)
            self._idle[key] = _IdleText(_idle_extras(record, stamp), before + _STAMP, after[after.index("\n") :])

    def _again(self, record: Record, stamp: Stamp, key: RunningKey) -> bool:
        """Write the text of the last record again with a new stamp if both records are idle, and return whether that
        was possible. In a source with many series most records are idle.
        """
        idle = self._idle.get(key)
        if idle is None or record.start != self._running.end_of(key) or idle.extras != _idle_extras(record, stamp):
            return False
        self._running.stand_still(key, stamp.micros)
        self._write(f"{idle.before}{stamp_text(stamp)}{idle.after}")
        return True

    def _baseline(self, record: Record, stamp: Stamp) -> None:
        self._running.begin((record.series, record.unit), {}, stamp.micros)
        fields: dict[str, object] = {"counts": "interval", "flags": sorted({BASELINE, *clock_flags(stamp)})}
        meaning = _meaning(record)
        if record.series != meaning.series:
            fields = {"series": record.series, **fields}
        self._write(_lines(record, stamp, fields, meaning.label, {}))


class IntervalWriter:
    """Writes intervals, which come in the order of time, as a record stream, and each mark in its place among them:
    before the first interval that ends with it or after it. ``write`` is called as by ``StreamWriter``.
    """

    def __init__(self, write: Callable[[str], object]) -> None:
        self._writer = StreamWriter(write)
        self._marks: list[Mark] = []
        """Those that are not written, in the order of time."""

    def mark(self, mark: Mark) -> None:
        """Take a mark for its place; if later intervals are written already, the next place."""
        insort(self._marks, mark, key=_place)

    def interval(self, interval: Interval) -> None:
        """Write an interval, and marks before it."""
        while self._marks and self._marks[0].stamp.micros <= interval.end:
            self._writer.event(self._marks.pop(0))
        self._writer.event(record_of(interval))

    def end(self) -> None:
        """Write the marks that are left."""
        for mark in self._marks:
            self._writer.event(mark)
        self._marks.clear()
        self._writer.end()


def _place(mark: Mark) -> tuple[int, str]:
    return mark.stamp.micros, mark.note


def _silence(tick: Tick) -> tuple[int, int] | None:
    since, until = tick.silent_since, tick.silent_until
    return (since, until) if since is not None and until is not None and since < until else None


def _idle_extras(record: Record, stamp: Stamp) -> tuple[object, ...]:
    """The fields on which the text of an idle record depends, besides its series and its stamp."""
    return record.label, record.source, record.waited, record.seconds, record.flags, record.note, clock_flags(stamp)


def _resolved(record: Record) -> Stamp:
    if record.stamp is None or record.stamp.clock not in (Clock.EPOCH, Clock.COUNTED):
        raise ValueError(f"a record of {record.series!r} without a moment cannot be written")
    if record.semantics is Semantics.RATE or (record.semantics is Semantics.INTERVAL and record.start is None):
        raise ValueError(f"a record of {record.series!r} without counts over a known interval cannot be written")
    return record.stamp


def _add(sums: _LabelSums, ranges: tuple[Range, ...], upper: bool) -> _LabelSums:
    for low, top, count in ranges:
        label = bound_label(low, top, upper)
        sums[label] = sums.get(label, 0) + (count if isinstance(count, int) else _exact(count))
    return sums


def _exact(count: float) -> int | Fraction:
    """A count as an exact number for adding up: in floating point a large sum could fall."""
    if count.is_integer():
        return int(count)
    from fractions import Fraction

    return Fraction(count)


def _rounded(sums: _LabelSums) -> LabelCounts:
    """The sums as whole numbers, for the text. Because running sums are rounded and not single counts, a fraction that
    is rounded off now shows up in a later record.
    """
    return {label: round(sums[label]) for label in sorted(sums)}


def _meaning(record: Record) -> SeriesIdentity:
    return _meaning_of(record.label or record.series, record.source in ORACLE_SOURCES)


@lru_cache(maxsize=1024)
def _meaning_of(label: str, is_oracle: bool) -> SeriesIdentity:
    """What the plain text will say about the series. The label gets no comma, because the earlier tool fails on one."""
    label = printable(label).replace(",", ";").strip() or NAMELESS
    return identity_of(label, ORACLE_SOURCE if is_oracle else LOWER_BOUND_SOURCE)


def _text(record: Record, stamp: Stamp, counters: LabelCounts, step: RunningStep, about: dict[str, object]) -> str:
    meaning = _meaning(record)
    plain = ranges_of(step.difference or {}, meaning.upper, record.unit)
    fields = {**about, **_needed(record, stamp, meaning, plain, step.start)}
    return _lines(record, stamp, fields, meaning.label, counters)


def _needed(
    record: Record, stamp: Stamp, meaning: SeriesIdentity, plain: tuple[Range, ...], start: int | None
) -> dict[str, object]:
    """The fields for the ``#lmap`` line: everything that the plain text would omit or get wrong."""
    fields: dict[str, object] = {}
    interval = record.semantics is Semantics.INTERVAL
    for key in ("series", "label", "source"):
        if getattr(record, key) != getattr(meaning, key):
            fields[key] = getattr(record, key)
    if interval:
        fields["counts"] = "interval"
    if record.ranges != plain or (interval and BASELINE in record.flags):
        fields["buckets"] = record.ranges
    if record.waited is not None:
        fields["time"] = record.waited
    if record.start != start:
        fields["start"] = record.start
    if record.seconds is not None:
        fields["seconds"] = record.seconds
    if flags := record.flags | clock_flags(stamp):
        fields["flags"] = sorted(flags)
    if record.note:
        fields["note"] = record.note
    return fields


def _lines(record: Record, stamp: Stamp, fields: dict[str, object], label: str, counters: LabelCounts) -> str:
    lines = [
        BEGIN_RECORD,
        f"timestamp,{stamp_text(stamp)}",
        f"label,{label}",
        f"latencyunit,{record.unit.stream_name}",
        f"datasource,{ORACLE_SOURCE if record.source in ORACLE_SOURCES else LOWER_BOUND_SOURCE}",
        *(f"{bucket},{count}" for bucket, count in counters.items()),
        END_RECORD,
    ]
    return (extension.write_extension(fields) if fields else "") + "\n".join(lines) + "\n"
