"""The time axis: which columns get a tick, and what the clock says there."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...window import IntArray, low_middle

STEPS = tuple(
    [1, 2, 5, 10, 15, 30]
    + [60 * minutes for minutes in (1, 2, 5, 10, 15, 30)]
    + [3600 * hours for hours in (1, 2, 3, 6, 12)]
    + [86400 * days for days in (1, 2, 7, 14, 30, 90, 365)]
)
"""Seconds between ticks."""
ROOM = 13
"""Characters from one tick to the next, at least."""
FAR = 5
"""A step this many times longer than needed leaves too few ticks."""
EXACT = 0.005
"""How far the usual interval of a tool is off what it was told, relatively."""
MICROS_PER_SECOND = 1_000_000


class AxisTick(NamedTuple):
    """The column whose interval holds the moment that ``text`` names."""

    column: int
    text: str


def axis_ticks(ends: IntArray, span: float, cell_width: int, tz: tzinfo, *, real: bool) -> tuple[AxisTick, ...]:
    """Ticks for columns that end at ``ends`` (epoch microseconds) and last about ``span`` seconds each.

    ``real`` False: there is no clock, ticks show the time since 0.
    """
    if not ends.size:
        return ()
    step = _tick_step(span, cell_width)
    local = ends + _offsets(ends, tz if real else timezone.utc)
    before = np.concatenate(([local[0] - round(span * MICROS_PER_SECOND)], local[:-1]))
    number = local // (step * MICROS_PER_SECOND)
    columns = np.flatnonzero(number > before // (step * MICROS_PER_SECOND)).tolist()
    if not columns:
        # A window too short for any tick still says when it was.
        return (AxisTick(ends.size - 1, _tick_text(int(local[-1]) // MICROS_PER_SECOND, 1, real=real)),)
    return tuple(AxisTick(column, _tick_text(int(number[column]) * step, step, real=real)) for column in columns)


def _tick_step(span: float, cell_width: int) -> int:
    """Seconds between ticks, for columns that last ``span`` seconds.

    Ticks are as many columns apart, one and the next, where any step that is not far too long makes it so.
    """
    needed = span * ROOM / cell_width
    steps = [step for step in STEPS if step >= needed] or [STEPS[-1]]
    even = (step for step in steps if step <= FAR * needed and _is_multiple(step, span))
    return next(even, steps[0])


def _is_multiple(step: int, span: float) -> bool:
    """Whether a step is a whole number of columns, which need not be quite exactly as long as they are said to be."""
    columns = step / span
    return abs(columns - round(columns)) <= EXACT * columns


@lru_cache(maxsize=1024)
def _tick_text(local_seconds: int, step: int, *, real: bool) -> str:
    """What stands at a tick: the wall clock, or the elapsed time where there is no clock."""
    return _wall(local_seconds, step) if real else elapsed_text(local_seconds)


def label_starts(
    ticks: Iterable[AxisTick], first: int, cell_width: int, left: int, right: int, taken: range = range(0)
) -> Iterator[tuple[int, str]]:
    """Screen column and text of each label below the axis, between ``left`` and ``right``; ``first`` is where the
    oldest time column begins. Where two texts would touch, the earlier one stands; none touches the columns ``taken``,
    and none that has no room between ``left`` and ``right`` stands at all.
    """
    free = left - 1
    for column, text in ticks:
        middle = first + column * cell_width + cell_width // 2
        start = min(max(left, middle - (len(text) - 1) // 2), right - len(text))
        if start > free and not (taken and start <= taken.stop and taken.start <= start + len(text)):
            free = start + len(text)
            yield start, text


def column_span(ends: IntArray, interval: float) -> float:
    """Seconds that a column lasts: the median distance of the ends."""
    return int(low_middle(ends[1:] - ends[:-1])) / MICROS_PER_SECOND if ends.size > 1 else interval


def wall_clock(micros: int, tz: tzinfo) -> datetime:
    """The wall clock at an epoch time."""
    seconds, rest = divmod(int(micros), MICROS_PER_SECOND)
    return datetime.fromtimestamp(seconds, tz).replace(microsecond=rest)


def clock_text(micros: int, tz: tzinfo, *, real: bool) -> str:
    """HH:MM:SS, or the elapsed time where there is no clock."""
    return wall_clock(micros, tz).strftime("%H:%M:%S") if real else elapsed_text(int(micros) // MICROS_PER_SECOND)


def elapsed_text(seconds: int) -> str:
    """``+0:15``, ``+1:02:03``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02d}:{rest:02d}" if hours else f"+{minutes}:{rest:02d}"


def _wall(local_seconds: int, step: int) -> str:
    if step >= 86400:
        return datetime.fromtimestamp(local_seconds, timezone.utc).strftime("%Y-%m-%d")
    hours, rest = divmod(local_seconds % 86400, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}" if step < 60 else f"{hours:02d}:{minutes:02d}"


def _offsets(ends: IntArray, tz: tzinfo) -> IntArray:
    """Microseconds to add to get from UTC to the wall clock."""
    first, last = _offset_at(int(ends[0]), tz), _offset_at(int(ends[-1]), tz)
    if first == last:
        return np.full(ends.shape, first, np.int64)
    return np.array([_offset_at(end, tz) for end in ends.tolist()], np.int64)


def _offset_at(micros: int, tz: tzinfo) -> int:
    """Microseconds to add to an epoch time to get the wall clock of a zone."""
    return _offset_in(micros // MICROS_PER_SECOND, tz)


@lru_cache(maxsize=1024)
def _offset_in(seconds: int, tz: tzinfo) -> int:
    offset = datetime.fromtimestamp(seconds, tz).utcoffset()
    return round(offset.total_seconds()) * MICROS_PER_SECOND if offset else 0
