"""The time axis: chooses the columns that get a tick, and writes the time below each."""

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
"""Possible distances between ticks, in seconds."""
ROOM = 13
"""Least number of characters from one tick to the next."""
HOUR_ROOM = 12
"""The same for the hours between dates: only every other label is as long as a date."""
HOUR = 3600
DAY = 86_400
"""Seconds. What lasts longer is told with dates."""
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FAR = 5
"""A step more than this many times the needed one would leave too few ticks."""
EXACT = 0.005
"""How much the real interval of a tool usually differs from the requested one, relative."""
MICROS_PER_SECOND = 1_000_000


class AxisTick(NamedTuple):
    """A tick under ``column``, whose interval contains the time in ``text``."""

    column: int
    text: str


def axis_ticks(ends: IntArray, span: float, cell_width: int, tz: tzinfo, *, real: bool) -> tuple[AxisTick, ...]:
    """The ticks for columns that end at ``ends`` (epoch microseconds) and last about ``span`` seconds each.

    ``real``: whether there is a clock. Without one, ticks show the time since 0. If there are dates, they stand at
    midnight, with the hours between them while there is room. Where clocks are put back, an hour comes twice.
    """
    if not ends.size:
        return ()
    dated = real and is_dated(ends, span)
    step = _tick_step(span, cell_width, dated)
    local = ends + _offsets(ends, tz if real else timezone.utc)
    number = local // (step * MICROS_PER_SECOND)
    before = (int(local[0]) - round(span * MICROS_PER_SECOND)) // (step * MICROS_PER_SECOND)
    put_back = (local[1:] < local[:-1]) & (
        local[1:] - number[1:] * (step * MICROS_PER_SECOND) < span * MICROS_PER_SECOND
    )
    later = ((number[1:] > number[:-1]) | put_back).nonzero()[0] + 1
    columns = [0, *later.tolist()] if number[0] > before else later.tolist()
    if not columns:
        # A window too short for a regular tick gets one at its newest column.
        newest = int(local[-1]) // MICROS_PER_SECOND
        text = _dated_text(newest, years=False) if dated else _tick_text(newest, 1, real=real)
        return (AxisTick(ends.size - 1, text),)
    seconds = (number[columns] * step).tolist()
    if dated:
        years = _year(seconds[0]) != _year(seconds[-1])
        texts = [_dated_text(one, years=years) for one in seconds]
    else:
        texts = [_tick_text(one, step, real=real) for one in seconds]
    return tuple(map(AxisTick, columns, texts))


def is_dated(ends: IntArray, span: float) -> bool:
    """Whether columns that end at ``ends`` and last ``span`` seconds each are more than a day."""
    return ends.size > 0 and (int(ends[-1]) - int(ends[0])) / MICROS_PER_SECOND + span > DAY


@lru_cache(maxsize=64)
def _tick_step(span: float, cell_width: int, dated: bool) -> int:
    """Seconds between ticks, for columns that last ``span`` seconds.

    A step that is a whole number of columns, which spaces the ticks evenly, is preferred unless it is FAR too long.
    """
    column = span / cell_width
    steps = [step for step in STEPS if step >= column * (HOUR_ROOM if dated and step < DAY else ROOM)] or [STEPS[-1]]
    even = (step for step in steps if step <= FAR * ROOM * column and _is_multiple(step, span))
    return next(even, steps[0])


def _is_multiple(step: int, span: float) -> bool:
    """Whether a step is a whole number of columns, give or take EXACT: columns are not exactly as long as requested."""
    columns = step / span
    return abs(columns - round(columns)) <= EXACT * columns


@lru_cache(maxsize=1024)
def _tick_text(local_seconds: int, step: int, *, real: bool) -> str:
    """The text at a tick: the wall clock, or the elapsed time if there is no clock."""
    return _wall(local_seconds, step) if real else elapsed_text(local_seconds)


def label_starts(
    ticks: Iterable[AxisTick], first: int, cell_width: int, left: int, right: int, taken: range = range(0)
) -> Iterator[tuple[int, str]]:
    """The screen column and text of each label below the axis.

    ``first`` is the screen column at which the oldest time column begins. Labels lie between ``left`` and ``right``;
    one that does not fit is left out. If two labels would touch, the earlier one is kept. No label touches ``taken``.
    """
    free = left - 1
    for column, text in ticks:
        middle = first + column * cell_width + cell_width // 2
        start = min(max(left, middle - (len(text) - 1) // 2), right - len(text))
        if start > free and not (taken and start <= taken.stop and taken.start <= start + len(text)):
            free = start + len(text)
            yield start, text


def column_span(ends: IntArray, interval: float) -> float:
    """The seconds that a column lasts: the median distance of the ends, or ``interval`` if there is only one."""
    return int(low_middle(ends[1:] - ends[:-1])) / MICROS_PER_SECOND if ends.size > 1 else interval


def wall_clock(micros: int, tz: tzinfo) -> datetime:
    """The wall clock of a zone at an epoch time."""
    seconds, rest = divmod(int(micros), MICROS_PER_SECOND)
    return datetime.fromtimestamp(seconds, tz).replace(microsecond=rest)


def clock_text(micros: int, tz: tzinfo, *, real: bool) -> str:
    """HH:MM:SS, or the elapsed time if there is no clock."""
    return wall_clock(micros, tz).strftime("%H:%M:%S") if real else elapsed_text(int(micros) // MICROS_PER_SECOND)


def moment_text(micros: int, tz: tzinfo, *, real: bool, dated: bool) -> str:
    """As ``clock_text``; with the date if ``dated``, and then with seconds only where it is not on a minute:
    ``03-04 08:00``, ``03-03 15:30:07``.
    """
    if not (real and dated):
        return clock_text(micros, tz, real=real)
    when = wall_clock(micros, tz)
    return when.strftime("%m-%d %H:%M:%S" if when.second else "%m-%d %H:%M")


def column_text(end: int, span: float, tz: tzinfo, *, real: bool, dated: bool) -> str:
    """From when to when a column lasts that ends at ``end`` (epoch microseconds): ``02:40-02:41``,
    ``03-03 23:00-00:00``, ``03-03 to 03-04``.
    """
    begin = end - round(span * MICROS_PER_SECOND)
    if not real:
        return f"{clock_text(begin, tz, real=False)} to {clock_text(end, tz, real=False)}"
    first, last = wall_clock(begin, tz), wall_clock(end, tz)
    if span >= DAY:
        return f"{first:%m-%d} to {last:%m-%d}"
    form = "%H:%M:%S" if first.second or last.second else "%H:%M"
    return f"{first.strftime('%m-%d ') if dated else ''}{first:{form}}-{last:{form}}"


def elapsed_text(seconds: int) -> str:
    """The time since 0: ``+0:15``, ``+1:02:03``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"+{hours}:{minutes:02d}:{rest:02d}" if hours else f"+{minutes}:{rest:02d}"


@lru_cache(maxsize=1024)
def _dated_text(local_seconds: int, *, years: bool) -> str:
    """``Tue 03-03`` at midnight, else ``12:00``; with ``years``, the dates are ``2026-03-03``."""
    if local_seconds % DAY:
        return _wall(local_seconds, 60)
    day = datetime.fromtimestamp(local_seconds, timezone.utc)
    return f"{day:%Y-%m-%d}" if years else f"{_WEEKDAYS[day.weekday()]} {day:%m-%d}"


def _year(local_seconds: int) -> int:
    return datetime.fromtimestamp(local_seconds, timezone.utc).year


def _wall(local_seconds: int, step: int) -> str:
    if step >= DAY:
        return datetime.fromtimestamp(local_seconds, timezone.utc).strftime("%Y-%m-%d")
    hours, rest = divmod(local_seconds % 86400, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}" if step < 60 else f"{hours:02d}:{minutes:02d}"


def _offsets(ends: IntArray, tz: tzinfo) -> IntArray | int:
    """The microseconds to add to each end to get from UTC to the wall clock of a zone."""
    first, last = _offset_at(int(ends[0]), tz), _offset_at(int(ends[-1]), tz)
    if first == last:
        return first
    return np.array([_offset_at(end, tz) for end in ends.tolist()], np.int64)


def _offset_at(micros: int, tz: tzinfo) -> int:
    """The microseconds to add to an epoch time to get the wall clock of a zone. No zone changes twice in an hour."""
    seconds = micros // MICROS_PER_SECOND
    hour = seconds - seconds % HOUR
    offset = _offset_in(hour, tz)
    return offset if offset == _offset_in(hour + HOUR - 1, tz) else _offset_in(seconds, tz)


@lru_cache(maxsize=1024)
def _offset_in(seconds: int, tz: tzinfo) -> int:
    offset = datetime.fromtimestamp(seconds, tz).utcoffset()
    return round(offset.total_seconds()) * MICROS_PER_SECOND if offset else 0
