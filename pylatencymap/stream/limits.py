"""What calendars, our own format and 64-bit numbers can hold: the one place that says which events are possible.

``flaw_of`` is asked about everything that a decoder yields; the reader of the record stream uses the same numbers, so
that nothing is written that cannot be read again.
"""

from ..record import (
    MAX_COUNT as MAX_COUNT,
    MAX_LABEL as MAX_LABEL,
    Bound,
    Clock,
    Decoded,
    Mark,
    Record,
    Sample,
    Stamp,
    Tick,
    flaw_of_ranges,
)
from ..units import MICROS_PER_DAY

MOST_EPOCH = 253_402_300_800_000_000 - 2 * MICROS_PER_DAY
"""Two days before the year 10000, at which calendars end: the wall clock of every zone has to stay below it."""
LONGEST = MOST_EPOCH // 1_000_000
"""Seconds of a record: all time that calendars have."""
MAX_TEXT = 2_000
"""The most characters of a series name, a label, a source or a note: names can be joined from several words, each of
which has a limit of its own.
"""

BEFORE_1970 = "its time is before 1970"
BEYOND_CALENDARS = "its time is beyond the years that calendars have"


def flaw_of(event: Decoded) -> str:
    """What is impossible in an event, as the end of a sentence about it; empty if nothing is."""
    if isinstance(event, Sample):
        if flaw := _flaw_of_moment(event.micros, event.clock) or _flaw_of_texts(
            event.series, event.label, event.source
        ):
            return flaw
        return "" if 0 <= event.latency < MAX_LABEL else f"its latency of {event.latency} is impossible"
    if isinstance(event, Record):
        texts = _flaw_of_texts(event.series, event.label, event.source, event.note)
        return flaw_of_times(event) or texts or flaw_of_ranges(event.ranges) or _flaw_of_sums(event)
    if isinstance(event, Mark):
        return flaw_of_stamp(event.stamp) or _flaw_of_texts(event.note, event.series)
    if isinstance(event, Tick):
        return flaw_of_stamp(event.stamp)
    return ""


def flaw_of_stamp(stamp: Stamp | None) -> str:
    """What is impossible in a stamp."""
    return "" if stamp is None else _flaw_of_moment(stamp.micros, stamp.clock)


def _flaw_of_moment(micros: int, clock: Clock) -> str:
    """What is impossible in a moment. Only on a clock with an unknown zero can it be negative."""
    if not -MOST_EPOCH < micros < MOST_EPOCH:
        return BEYOND_CALENDARS
    return flaw_on_axis(micros) if clock is Clock.EPOCH else ""


def _flaw_of_texts(*texts: str) -> str:
    return "" if max(map(len, texts)) <= MAX_TEXT else f"a name in it is longer than {MAX_TEXT} characters"


def is_on_axis(micros: int) -> bool:
    """Whether a moment on the time axis can be drawn and written."""
    return 0 <= micros < MOST_EPOCH


def flaw_on_axis(micros: int) -> str:
    """What is impossible in a moment on the time axis."""
    return "" if is_on_axis(micros) else BEFORE_1970 if micros < 0 else BEYOND_CALENDARS


def is_quantity(value: Bound) -> bool:
    """Whether a number can be a count or a time: from 0, finite, and a number at all."""
    return 0 <= value < MAX_COUNT


def flaw_of_times(record: Record) -> str:
    """What is impossible in the times of a record."""
    if record.start is not None and not -MOST_EPOCH < record.start < MOST_EPOCH:
        return BEYOND_CALENDARS
    return flaw_of_stamp(record.stamp)


def _flaw_of_sums(record: Record) -> str:
    if record.waited is not None and not is_quantity(record.waited):
        return f"its time waited of {record.waited:g} s is impossible"
    if record.seconds is not None and not 0 <= record.seconds < LONGEST:
        return f"its length of {record.seconds:g} s is impossible"
    return ""
