"""The columns of a series up to a moment, one interval each or merged over real time."""

from __future__ import annotations

import numpy as np

from .history import History
from .runs import Run, run_of, stretched
from .selection import Selection
from .slots import Grid
from .zoomed import Zoomed


def select(
    history: History, count: int, width: float | None = None, end: int | None = None, zoomed: Zoomed | None = None
) -> Selection:
    """The ``count`` columns that end at or before ``end`` (epoch microseconds; None: the newest).

    ``width`` None, or not more than the usual interval: one interval each, long ones in pieces. Else columns of so many
    seconds on a grid that is aligned to the epoch; the last one goes as far as the data up to ``end``. So what was on
    the screen at a moment is drawn again for that moment, whatever has come since. ``zoomed`` remembers merged columns.
    """
    end, stop = reach(history, end)
    usual = history.usual_seconds(stop)
    if width is None or width <= usual:
        run = stretched(run_of(history, stop - count, stop, end, usual), usual, count)
        return selection_of(history, run, usual)
    zoomed = zoomed or Zoomed(history, micros(width))
    return selection_of(history, unslotted(zoomed.grid(count, stop, end), zoomed.width), width)


def reach(history: History, end: int | None) -> tuple[int, int]:
    """A moment, at most that at which the history ends, and how many columns end at or before it."""
    if end is None or end >= history.end:
        return history.end, len(history)
    return end, history.count_until(end)


def micros(seconds: float) -> int:
    """Whole microseconds."""
    return round(seconds * 1e6)


def unslotted(grid: Grid, width: int) -> Run:
    """The columns of a grid, without their slots of ``width`` microseconds: each ends where its slot does.

    The last one ends with its data where these end earlier. Elsewhere a column in which a silence begins would end
    early, and the time axis be out by one.
    """
    columns, ends = grid.columns.copy(), grid.slots * width
    columns["end"][:-1] = ends[:-1]
    columns["end"][-1:] = np.minimum(columns["end"][-1:], ends[-1:])
    return Run(columns, grid.counts, grid.lasted, columns["start"].astype(np.int64))


def selection_of(history: History, run: Run, width: float) -> Selection:
    """A run of columns of a series, as the picture takes them."""
    ranges = list(history.ranges)
    counts = np.zeros((run.size, len(ranges)))
    counts[:, : run.counts.shape[1]] = run.counts
    return Selection(ranges, history.unit, run.columns, counts, run.lasted, width)
