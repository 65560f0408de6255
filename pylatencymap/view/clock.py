"""The time axis: which columns get a tick, and what the clock says there."""

from datetime import datetime, timezone, tzinfo
from typing import NamedTuple

import numpy as np

from ..intervals.nominal import low_median
from ..window.matrix import IntArray

STEPS = tuple(
    [1, 2, 5, 10, 15, 30]
    + [60 * minutes for minutes in (1, 2, 5, 10, 15, 30)]
    + [3600 * hours for hours in (1, 2, 3, 6, 12)]
    + [86400 * days for days in (1, 2, 7, 14, 30, 90, 365)]
)
"""Seconds between ticks."""
ROOM = 13
"""Characters from one tick to the next, at least."""
MICROS = 1_000_000


class Tick(NamedTuple):
    """The column whose interval holds the moment that ``text`` names."""

    column: int
    text: str


def ticks(ends: IntArray, span: float, cell_width: int, tz: tzinfo, *, real: bool) -> tuple[Tick, ...]:
    """Ticks for columns that end at ``ends`` (epoch microseconds) and last about ``span`` seconds each.

    ``real`` False: there is no clock, ticks show the time since 0.
    """
    if not ends.size:
        return ()
    needed = span * ROOM / cell_width
    step = next((step for step in STEPS if step >= needed), STEPS[-1])
    local = ends + _offsets(ends, tz if real else timezone.utc)
    before = np.concatenate(([local[0] - round(span * MICROS)], local[:-1]))
    number = local // (step * MICROS)
    columns = np.flatnonzero(number > before // (step * MICROS)).tolist()
    say = _wall if real else elapsed
    if not columns:
        # A window too short for any tick still says when it was.
        return (Tick(ends.size - 1, say(int(local[-1]) // MICROS, 1)),)
    return tuple(Tick(column, say(int(number[column]) * step, step)) for column in columns)


def column_span(ends: IntArray, interval: float) -> float:
    """Seconds that a column lasts: the median distance of the ends."""
    return low_median(np.diff(ends).tolist()) / MICROS if ends.size > 1 else interval


def moment(micros: int, tz: tzinfo) -> datetime:
    """The wall clock at an epoch time."""
    seconds, rest = divmod(int(micros), MICROS)
    return datetime.fromtimestamp(seconds, tz).replace(microsecond=rest)


def clock_text(micros: int, tz: tzinfo, *, real: bool) -> str:
    """HH:MM:SS, or the elapsed time where there is no clock."""
    return moment(micros, tz).strftime("%H:%M:%S") if real else elapsed(int(micros) // MICROS)


def elapsed(seconds: int, _step: int = 1) -> str:
    """``+0:15``, ``+1:02:03``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02d}:{rest:02d}" if hours else f"+{minutes}:{rest:02d}"


def _wall(local_seconds: int, step: int) -> str:
    there = datetime.fromtimestamp(local_seconds, timezone.utc)
    return there.strftime("%Y-%m-%d" if step >= 86400 else "%H:%M:%S" if step < 60 else "%H:%M")


def _offsets(ends: IntArray, tz: tzinfo) -> IntArray:
    """Microseconds to add to get from UTC to the wall clock."""
    first, last = _offset(int(ends[0]), tz), _offset(int(ends[-1]), tz)
    if first == last:
        return np.full(ends.shape, first, np.int64)
    return np.array([_offset(end, tz) for end in ends.tolist()], np.int64)


def _offset(micros: int, tz: tzinfo) -> int:
    offset = datetime.fromtimestamp(micros // MICROS, tz).utcoffset()
    return round(offset.total_seconds()) * MICROS if offset else 0
