"""Finds the cell that the cursor is on, and writes its labels."""

from typing import NamedTuple

from ...number_text import MINUTE, open_label
from ...units import format_latency
from ...window import Matrix
from ..layout.geometry import Geometry
from ..layout.status import Status
from .time_axis import MICROS_PER_SECOND, clock_text, column_span, column_text, is_dated, wall_clock


class Crosshair(NamedTuple):
    """Where the cursor is in the maps.

    column      time column
    row         latency row, as drawn
    line        line of the map, counted from its first
    upper       whether the row is in the upper half of the line
    neighbour   the row in the other half of the line, -1 for none
    label       the label of the row
    time        when the column ends, or a long one begins
    span        of a long column, a minute or merged from several intervals: from when to when it is; else as ``time``
    """

    column: int
    row: int
    line: int
    upper: bool
    neighbour: int
    label: str
    time: str
    span: str


def find_crosshair(geometry: Geometry, matrix: Matrix, status: Status, *, open_top: bool) -> Crosshair | None:
    """The crosshair, or None if the cursor is outside of what is drawn."""
    if geometry.cursor is None:
        return None
    column, row = geometry.cursor
    line = geometry.line_of(row)
    if line is None:
        return None
    upper, lower = geometry.slots[line].tolist()
    top = open_top and row == geometry.bounds.size - 2
    label = open_label(float(geometry.bounds[row])) if top else format_latency(float(geometry.bounds[row + 1]))
    time = column_time(matrix, column, status)
    seconds = column_span(matrix.ends, status.interval)
    span = time
    if _is_long(status):
        dated = is_dated(matrix.ends, seconds)
        if column:  # the last one can be shorter than the others
            seconds = min(seconds, int(matrix.ends[column] - matrix.ends[column - 1]) / MICROS_PER_SECOND)
        span = column_text(int(matrix.ends[column]), seconds, status.tz, real=matrix.clock, dated=dated)
    return Crosshair(column, row, line, upper == row, lower if upper == row else upper, label, time, span)


def _is_long(status: Status) -> bool:
    """Whether a column is more than a moment: merged, or a minute and more."""
    return status.is_merged or status.interval >= MINUTE


def column_time(matrix: Matrix, column: int, status: Status) -> str:
    """When a column ends, or a long one begins: the minute of 03:12 is that up to 03:13. With tenths if columns are
    shorter than a second, with the date if they cover over a day.
    """
    moment, span = int(matrix.ends[column]), column_span(matrix.ends, status.interval)
    if _is_long(status):
        moment = int(matrix.ends[column - 1]) if column else moment - round(span * MICROS_PER_SECOND)
    if matrix.clock and is_dated(matrix.ends, span):
        return wall_clock(moment, status.tz).strftime("%m-%d %H:%M")
    tenths = f".{moment // 100_000 % 10}" if span < 1 else ""
    return clock_text(moment, status.tz, real=matrix.clock) + tenths
