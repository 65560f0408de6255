"""Where a viewpoint leads in the data: to one series, several above each other, or the sum; and to which columns."""

from __future__ import annotations

from typing import TypeAlias

from ...view import map_columns
from ...window import History, Selection, SeriesSum, Window, costliest_minute, fitting_width
from ..detail import Detail, merged_part
from ..series_overview import BusiestSeries
from ..stack import StackChoice, chosen_stack, named_series
from ..viewpoint import SUM_SERIES as SUM_SERIES, PictureOptions, Viewpoint

LENT = 0.25
"""The part of the memory for the history that a part of it, read again, may take."""
USUAL_COLUMNS = 100

TerminalSize: TypeAlias = "tuple[int, int]"


class ShownSeries:
    """The intervals of all series, and which of them a viewpoint shows.

    ``detail`` is a part of the time that was read again; ``reads_again``: that is possible.
    """

    def __init__(self, options: PictureOptions) -> None:
        self.window = Window(options.history_mb)
        self.options = options
        self.detail: Detail | None = None
        self.reads_again = False
        self._busiest = BusiestSeries()
        self._usual_of_sum: tuple[int, float] = -1, 1.0

    def keep_room(self) -> float:
        """Parts of the time can be read again: returns how many megabytes of the memory are for one."""
        self.reads_again = True
        self.window.shrink((1 - LENT) * self.options.history_mb)
        return LENT * self.options.history_mb

    def use_window(self, window: Window) -> None:
        """Show other intervals from now on."""
        self.window, self.detail, self._usual_of_sum = window, None, (-1, 1.0)

    def series(self, viewpoint: Viewpoint) -> str | None:
        """The series to draw: the chosen one, else the one with the most time waited; None while there is no series. Of
        a stack one that is in it.
        """
        if (stacked := self.stacked(viewpoint)) and viewpoint.series not in stacked:
            return stacked[0]
        if viewpoint.series is not None and viewpoint.series in self.window:
            return viewpoint.series
        return self._busiest.of(self.window, follows=viewpoint.follows)

    def stacked(self, viewpoint: Viewpoint) -> tuple[str, ...]:
        """The series that the user stacks; none if they are not all there, or if A and B are compared."""
        if viewpoint.sides is not None:
            return ()
        names, missing = named_series(viewpoint.stacked, self.window) if viewpoint.stacked else ((), "")
        return () if missing or len(names) < 2 else names

    def stack_at(self, viewpoint: Viewpoint, size: TerminalSize) -> StackChoice:
        """The series that are drawn above each other at a size, and why they are not those that the user stacks."""
        return chosen_stack(viewpoint.stacked if viewpoint.sides is None else (), self.window, size[1])

    def is_sum(self, viewpoint: Viewpoint) -> bool:
        """Whether all series are added up; a single series has no sum, and a series of that name comes first."""
        name = viewpoint.series
        return viewpoint.summed and len(self.window) > 1 and (name is None or name not in self.window)

    def columns_at(self, size: TerminalSize) -> int:
        """The number of time columns at a size of the terminal."""
        columns = map_columns(size)
        return min(columns, self.options.columns or columns)

    def selection(self, viewpoint: Viewpoint, columns: int) -> Selection:
        """The columns at a viewpoint; empty while there are no data."""
        name = self.series(viewpoint)
        if name is None:
            return Selection.empty()
        kept = self.kept_for(viewpoint, columns)
        if self.is_sum(viewpoint):
            return kept.sum(columns, viewpoint.width, viewpoint.end)
        return kept.select(name, columns, viewpoint.width, viewpoint.end)

    def kept_for(self, viewpoint: Viewpoint, columns: int) -> Window:
        """Where the intervals of so many columns are: what was read again, if they are in it."""
        if self.detail is None:
            return self.window
        span = self._span(viewpoint, columns)
        return self.window if span is None else self.detail.kept_between(*span) or self.window

    def _span(self, viewpoint: Viewpoint, columns: int) -> tuple[int, int] | None:
        """Epoch microseconds at which so many columns begin and end, as far as there are data; None without data."""
        extent = self.extent(viewpoint)
        if extent is None:
            return None
        end = min(viewpoint.end or extent[1], extent[1])
        width = viewpoint.width or self.usual_seconds(viewpoint)
        return max(end - columns * round(width * 1e6), extent[0]), end

    def lacks_detail(self, viewpoint: Viewpoint, columns: int) -> tuple[int, int] | None:
        """What is to be read again of what so many columns show; see ``merged_part``."""
        span, chosen = self._span(viewpoint, columns), viewpoint.selected
        if span is None:
            return None
        width = viewpoint.width or self.usual_seconds(viewpoint)
        other = None if chosen is None else (chosen.begin, chosen.end)
        return merged_part(
            self.window, self.detail, self.names_shown(viewpoint), span, width, other, fitted=viewpoint.fitted
        )

    def extent(self, viewpoint: Viewpoint) -> tuple[int, int] | None:
        """Epoch microseconds at which the history of the series, or of the sum, begins and ends; None without data."""
        name = self.series(viewpoint)
        if name is None:
            return None
        if self.is_sum(viewpoint):
            return self.window.extent
        kept = [self.window[one] for one in self.names_shown(viewpoint)]
        return min(one.start for one in kept), max(one.end for one in kept)

    def has_clock(self, viewpoint: Viewpoint) -> bool:
        """Whether times of the series are those of a real clock."""
        return self.selection(viewpoint._replace(width=None, end=None), 1).matrix().clock

    def new_since(self, viewpoint: Viewpoint, moment: int) -> int:
        """How many intervals of the series ended after a moment; for the sum, of the series that has most of them."""
        return max((self.window.new_since(name, moment) for name in self.names_shown(viewpoint)), default=0)

    def usual_seconds(self, viewpoint: Viewpoint) -> float:
        """Seconds between two unmerged columns of the series or the sum; 1 while there is none."""
        names = self.names_shown(viewpoint)
        if not names:
            return 1.0
        if not self.is_sum(viewpoint):
            return self._finest(names)
        additions = self.window.additions
        if self._usual_of_sum[0] != additions:
            self._usual_of_sum = additions, self._usual_in_sum(names)
        return self._usual_of_sum[1]

    def _finest(self, names: list[str]) -> float:
        """The usual interval of the series that has the longest one; as it was before merging, if it can be read."""
        kept = [self.window[one] for one in names]
        return max(one.finest_seconds() if self.reads_again else one.usual_seconds() for one in kept)

    def _usual_in_sum(self, names: list[str]) -> float:
        finest = self._finest(names)
        is_merged = finest < max(self.window[one].usual_seconds() for one in names)
        return finest if is_merged else self.window.sum(USUAL_COLUMNS).width

    def fitted(self, viewpoint: Viewpoint, size: TerminalSize) -> Viewpoint:
        """If a viewpoint is fitted, and not held still: with columns so wide that all that is kept is on the screen."""
        extent = self.extent(viewpoint) if viewpoint.fitted else None
        if extent is None or not viewpoint.follows:
            return viewpoint
        columns, usual = self.columns_at(size), self.usual_seconds(viewpoint)
        return viewpoint._replace(end=None, width=fitting_width(*extent, usual, columns))

    def costliest_minute(self, viewpoint: Viewpoint, begin: int, end: int) -> int:
        """The middle of the costliest minute of what is shown between two moments (epoch microseconds)."""
        return costliest_minute([self.window[one] for one in self.names_shown(viewpoint)], begin, end)

    def names_shown(self, viewpoint: Viewpoint) -> list[str]:
        """The series shown: one, those of a stack, or all that are added up; none while there is none."""
        name = self.series(viewpoint)
        if name is None:
            return []
        return list(self.window.names()) if self.is_sum(viewpoint) else [*self.stacked(viewpoint)] or [name]

    def kept_of(self, viewpoint: Viewpoint) -> History | SeriesSum | None:
        """What is shown: a series, or all added up; None while there is none."""
        name = self.series(viewpoint)
        if name is None:
            return None
        return self.window.added_up(SUM_SERIES) if self.is_sum(viewpoint) else self.window[name]
