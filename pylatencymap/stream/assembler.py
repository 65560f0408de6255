"""Combines the text of a record with its ``#lmap`` line into a Record."""

from ..record import Range, Record, Semantics, without_zeros
from ..report import Report
from ..units import Unit, unit_from
from .bounds import range_of, ranges_of
from .extension import NO_EXTENSION, Extension, record_flags
from .record_text import RecordText
from .running_sums import RunningKey, RunningSums
from .series_identity import SeriesIdentity, identity_of
from .stamps import flagged
from .syntax import BASELINE

UNIT_LEFT_OUT = Unit.MS
"""The unit of a record that names none: the earlier tool assumes the same."""


class RecordAssembler:
    """Makes records from record texts. ``running`` are the sums of the series that are counted per interval."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.running = RunningSums()
        self._told_unit = False

    def record(self, block: RecordText, extension: Extension = NO_EXTENSION) -> Record | None:
        """The record, or None if it has no data of its own (a baseline) or cannot be used (which is reported)."""
        if block.noise and not block.counters and extension.buckets is None:
            # This is probably the histogram text of another tool. A record without events would look idle.
            self._report.bad(block.line, "no bucket of this record can be read (write them as 64,12); it is dropped")
            return None
        meaning = identity_of(block.label, block.datasource)
        unit = extension.unit or self._unit(block)
        if unit is None:
            return None
        if block.stamp is not None and extension.flags:
            block.stamp = flagged(block.stamp, extension.flags)
        self._drop_odd_labels(block, meaning.upper, unit)
        if extension.semantics is Semantics.INTERVAL:
            return self._interval(block, extension, meaning, unit)
        return _record(block, extension, meaning, unit, ranges_of(block.counters, meaning.upper, unit), None)

    def _unit(self, block: RecordText) -> Unit | None:
        if block.unit:
            unit = unit_from(block.unit)
            if unit is None:
                self._report.bad(block.line, f"latencyunit {block.unit!r} is no time; the record is dropped")
            return unit
        if not self._told_unit:
            self._told_unit = True
            self._report.note(block.line, f"no latencyunit; taken as {UNIT_LEFT_OUT.stream_name}")
        return UNIT_LEFT_OUT

    def _drop_odd_labels(self, block: RecordText, upper: bool, unit: Unit) -> None:
        for label, line in block.odd.items():
            if range_of(label, upper, unit) is None:
                self._report.bad(line, f"bucket label {label} is no power of two; the line is skipped")
                del block.counters[label]

    def _interval(self, block: RecordText, extension: Extension, meaning: SeriesIdentity, unit: Unit) -> Record | None:
        key: RunningKey = (meaning.series if extension.series is None else extension.series, unit)
        end = block.stamp.micros if block.stamp else None
        if BASELINE in extension.flags and extension.buckets is None:
            self.running.begin(key, block.counters, end)
            return None
        step = self.running.advance(key, block.counters, end)
        if extension.buckets is None and step.difference is None:
            self._report.bad(block.line, _fell(key[0]) if step.start is not None else _without_baseline(key[0]))
            return None
        if step.difference is None:
            self.running.go_on(key, end)
        ranges = ranges_of(step.difference or {}, meaning.upper, unit)
        return _record(block, extension, meaning, unit, ranges, step.start)


def _without_baseline(series: str) -> str:
    return f"baseline lost: what {series!r} counted before this record is not known"


def _fell(series: str) -> str:
    return f"the sums of {series!r} fell: the record is damaged, or its baseline is lost; it is dropped"


def _record(
    block: RecordText,
    extension: Extension,
    meaning: SeriesIdentity,
    unit: Unit,
    ranges: tuple[Range, ...],
    start: int | None,
) -> Record:
    """The finished record. ``ranges`` and ``start`` come from the plain text; the extension overrides them."""
    buckets = ranges if extension.buckets is None else extension.buckets
    return Record(
        series=meaning.series if extension.series is None else extension.series,
        unit=unit,
        ranges=buckets if extension.semantics is Semantics.CUMULATIVE else without_zeros(buckets),
        semantics=extension.semantics,
        stamp=block.stamp,
        start=start if extension.start is None else extension.start,
        seconds=extension.seconds,
        waited=extension.waited,
        label=meaning.label if extension.label is None else extension.label,
        source=meaning.source if extension.source is None else extension.source,
        flags=record_flags(extension.flags),
        note=extension.note,
        arrival=block.arrival,
        line=block.line,
    )
