"""The input of a picture: the data to draw, the pointer and the status of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...window import FloatArray, Matrix, Overview, Quantity, Summary
from .status import Status

if TYPE_CHECKING:
    from ...analysis import Modes

# The cursor is a moment and a latency, not a cell, so that it stays with its data while the picture moves.


class Pointer(NamedTuple):
    """Where the user points. ``micros``: epoch microseconds, in the column. ``latency``: seconds, in the row."""

    micros: int
    latency: float


class Selected(NamedTuple):
    """A part of the data that the user chose: from ``begin`` to ``end``, epoch microseconds, and latencies from ``low``
    to ``high``, seconds; None: all.
    """

    begin: int
    end: int
    low: float | None = None
    high: float | None = None


class SelectedFigures(NamedTuple):
    """What is in a selection: ``summary`` is of its time, ``events`` and ``waited``, seconds, of its latencies only.
    ``before`` and ``after``: as long a time just before and after it, or what is kept of that; None: nothing is.
    ``covered``: the latencies of what is counted: the selected ones, or more where ranges reach beyond them.
    """

    selected: Selected
    summary: Summary
    events: float
    waited: float
    before: NextTime | None = None
    after: NextTime | None = None
    covered: tuple[float | None, float | None] = None, None


class NextTime(NamedTuple):
    """A time of so many ``seconds`` and what is in it."""

    seconds: float
    summary: Summary


class ChangeWords(NamedTuple):
    """A change as a sentence: when it was, what it was, and what it cost, which is empty where that is little. ``sign``
    is its digit on the axis.
    """

    when: str
    what: str
    cost: str = ""
    sign: str = ""


class Reading(NamedTuple):
    """What the data say.

    modes     those of the window; None: nobody has looked for them
    named     how many of them are named
    changes   of all that is kept, what cost most first
    signs     (epoch microseconds, digit) of what stands out in all that is kept, the costliest first: where it begins
    passing   of each mode, when it was there if some changes made it; empty for a usual one
    recurring sentences about what recurs in all that is kept
    """

    modes: Modes | None = None
    named: int = 0
    changes: tuple[ChangeWords, ...] = ()
    signs: tuple[tuple[int, str], ...] = ()
    passing: tuple[str, ...] = ()
    recurring: tuple[str, ...] = ()


class SeriesFigure(NamedTuple):
    """A row of the table of series, over all that is kept: events per second, seconds waited, p99, and ``curve``, the
    time waited per second in each part of the time, NaN where nothing was measured. Without them, not known yet.
    """

    name: str
    rate: float = 0.0
    waited: float = 0.0
    p99: Quantity | None = None
    curve: tuple[float, ...] = ()


class MomentFigure(NamedTuple):
    """A row of the table of moments: its letter on the axis if it has one, when it was, what it was, what it cost."""

    sign: str
    when: str
    what: str
    cost: str


class TableFigures(NamedTuple):
    """What the tables of a large screen have besides the modes: what stands out, most costly first, as far as it has
    been looked for, and all series; ``chosen`` is the one shown; all together ``waited`` so many seconds, 0 where that
    is not known. ``complete``: all that there will be has been looked at.
    """

    moments: tuple[MomentFigure, ...] = ()
    series: tuple[SeriesFigure, ...] = ()
    chosen: str = ""
    waited: float = 0.0
    complete: bool = False


class Scene(NamedTuple):
    """What is to be drawn.

    window    summary of all columns
    latest    summary of the newest column with data
    pointer   the cursor, if there is one
    column    summary of the column that the cursor is on
    reading   what the lines below the maps say
    selected  what is in the user's selection
    overview  all that is kept; None if it is drawn anyway
    percentiles  float64 [2, columns], seconds: p50 and p99 of each column, NaN without events; None: not wanted
    tables    what a large screen has room for; None on others
    moment    any value; while it stays equal, texts, numbers and the overview stay unchanged although new columns are
              drawn, so that they can be read. None: they follow the data
    stays     the lines of the maps stay where they are, whatever rows have events
    """

    matrix: Matrix
    status: Status
    window: Summary
    latest: Summary | None
    pointer: Pointer | None = None
    column: Summary | None = None
    moment: object = None
    reading: Reading = Reading()
    selected: SelectedFigures | None = None
    overview: Overview | None = None
    stays: bool = False
    percentiles: FloatArray | None = None
    tables: TableFigures | None = None
