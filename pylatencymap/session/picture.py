"""Keeps the intervals of all series of a session and draws pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING

from ..interval import Interval
from ..intervals import Batch
from ..record import Mark
from ..view import DrawnPicture, LastPicture, draw_picture, map_columns
from ..view.frame import compose_frame
from ..view.layout import (
    END,
    PAUSED,
    WAITING,
    Reading,
    ScaleMemory,
    Scene,
    SelectedFigures,
    Status,
    wanted_cover,
)
from ..view.style import ViewOptions
from ..window import (
    History,
    Incident,
    Overview,
    Selection,
    SeriesSum,
    Summary,
    Window,
    costliest_minute,
    fitting_width,
)
from .detail import Detail, merged_part
from .marks import MarkList
from .series_overview import BusiestSeries, LatestOverview, event_noun, is_overview, overview_lines, short_label
from .stack import StackChoice, StackPicture, chosen_stack, named_series
from .viewpoint import PictureOptions as PictureOptions, Viewpoint

if TYPE_CHECKING:
    from .commentary import Commentary
    from .moments import NotableMoment

LENT = 0.25
"""The part of the memory for the history that a part of it, read again, may take."""
SUM_SERIES = "sum"
"""The name under which all series added up are shown."""
USUAL_COLUMNS = 100
MOST_SELECTED = 512
"""Columns of a selection, whose figures are sums: more are merged."""
MOST_ADDED = 300
"""Of a sum of more series, what changed is only looked for when the user asks."""

TerminalSize = tuple[int, int]


class Picture:
    """The intervals of all series, and how to draw them. ``bad_count`` returns how many records could not be read.

    ``detail`` is a part of the time that was read again; ``reads_again``: that is possible.
    """

    def __init__(self, options: PictureOptions, bad_count: Callable[[], int] = lambda: 0) -> None:
        self.window = Window(options.history_mb)
        self.marks = MarkList()
        self.options = options
        self._bad_count = bad_count
        self._memory = ScaleMemory()
        self._last = LastPicture()
        self.stack = StackPicture(self, options.tz)
        self._busiest = BusiestSeries()
        self._overview = LatestOverview()
        self._usual_of_sum: tuple[int, float] = -1, 1.0
        self.detail: Detail | None = None
        self.reads_again = False

    def __len__(self) -> int:
        return len(self.window)

    @cached_property
    def commentary(self) -> Commentary:
        """What the lines below the maps say; made with the first data, for an empty picture must not wait for it."""
        from .commentary import Commentary

        return Commentary(self.options.tz)

    def extend(self, arrived: Iterable[Interval | Batch]) -> None:
        """Keep intervals, single ones and batches of them."""
        for one in arrived:
            self.window.take(one)
        if self.marks.has_daily:
            self.marks.placed_until(self.window.end)

    def keep_room(self) -> float:
        """Parts of the time can be read again: returns how many megabytes of the memory are for one."""
        self.reads_again = True
        self.window.shrink((1 - LENT) * self.options.history_mb)
        return LENT * self.options.history_mb

    def mark(self, mark: Mark) -> None:
        """Keep a mark."""
        self.marks.add(mark)

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
        """The series that the user stacks; none if they are not all there."""
        names, missing = named_series(viewpoint.stacked, self.window) if viewpoint.stacked else ((), "")
        return () if missing or len(names) < 2 else names

    def stack_at(self, viewpoint: Viewpoint, size: TerminalSize) -> StackChoice:
        """The series that are drawn above each other at a size, and why they are not those that the user stacks."""
        return chosen_stack(viewpoint.stacked, self.window, size[1])

    def settle(self) -> None:
        """There will be no more data: choose the series, and look for what changed, by all of them."""
        self._busiest.choose(self.window)
        self._overview = LatestOverview()
        self.commentary.start_anew()
        self.stack.start_anew()

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
            self.window, self.detail, self._names(viewpoint), span, width, other, fitted=viewpoint.fitted
        )

    def extent(self, viewpoint: Viewpoint) -> tuple[int, int] | None:
        """Epoch microseconds at which the history of the series, or of the sum, begins and ends; None without data."""
        name = self.series(viewpoint)
        if name is None:
            return None
        if self.is_sum(viewpoint):
            return self.window.extent
        kept = [self.window[one] for one in self._names(viewpoint)]
        return min(one.start for one in kept), max(one.end for one in kept)

    def use_zone(self, tz: tzinfo) -> None:
        """Tell times in another zone from now on."""
        self.options = self.options._replace(tz=tz)
        self.stack.use_zone(tz)
        self.__dict__.pop("commentary", None)  # its sentences have times in them

    def has_clock(self, viewpoint: Viewpoint) -> bool:
        """Whether times of the series are those of a real clock."""
        return self.selection(viewpoint._replace(width=None, end=None), 1).matrix().clock

    def new_since(self, viewpoint: Viewpoint, moment: int) -> int:
        """How many intervals of the series ended after a moment; for the sum, of the series that has most of them."""
        return max((self.window.new_since(name, moment) for name in self._names(viewpoint)), default=0)

    def usual_seconds(self, viewpoint: Viewpoint) -> float:
        """Seconds between two unmerged columns of the series or the sum; 1 while there is none."""
        name = self.series(viewpoint)
        if name is not None and not self.is_sum(viewpoint):
            # The same result, without making a selection.
            kept = [self.window[one] for one in self._names(viewpoint)]
            return max(one.finest_seconds() if self.reads_again else one.usual_seconds() for one in kept)
        if name is None:
            return 1.0
        additions = self.window.additions
        if self._usual_of_sum[0] != additions:
            self._usual_of_sum = additions, self.window.sum(USUAL_COLUMNS).width
        return self._usual_of_sum[1]

    def fitted(self, viewpoint: Viewpoint, size: TerminalSize) -> Viewpoint:
        """If a viewpoint is fitted, and not held still: with columns so wide that all that is kept is on the screen."""
        extent = self.extent(viewpoint) if viewpoint.fitted else None
        if extent is None or not viewpoint.follows:
            return viewpoint
        columns, usual = self.columns_at(size), self.usual_seconds(viewpoint)
        return viewpoint._replace(end=None, width=fitting_width(*extent, usual, columns))

    def scene(self, viewpoint: Viewpoint, size: TerminalSize, status: Status, tick: int | None = None) -> Scene:
        """The scene to draw. ``status``: label, state, message and keys of the session. ``tick``: see ``drawn``."""
        name, columns = self.series(viewpoint), self.columns_at(size)
        selection = self.selection(viewpoint, columns)
        if name is None:
            waiting = status._replace(state=status.state if status.state in (PAUSED, END) else WAITING)
            return Scene(selection.matrix(), waiting, selection.summary(), None)
        slo, pointer = viewpoint.view.slo, viewpoint.pointer
        moment = None if tick is None or pointer is not None else (tick, name, viewpoint, size, status)

        def latest() -> Summary | None:
            return None if status.finished else selection.latest(slo)

        window, newest, reading = self._last.held(
            "statistics",
            moment,
            (),
            lambda: (selection.summary(slo), latest(), self._reading(viewpoint, name, selection)),
        )
        described = self.described(status, viewpoint, name, selection.width)
        overview = self._last.held(
            "overview", moment, (), lambda: self.overview_of(viewpoint, described, selection, columns)
        )
        return Scene(
            selection.matrix(viewpoint.resolution, wanted_cover(self.view(viewpoint), self._memory)),
            described,
            window,
            newest,
            pointer,
            selection.at(pointer.micros, slo) if pointer is not None else None,
            moment,
            reading,
            self.figures_of(viewpoint, name),
            overview,
            viewpoint.stays,
        )

    def overview_of(self, viewpoint: Viewpoint, status: Status, selection: Selection, columns: int) -> Overview | None:
        """All that is kept in one line; None where that says nothing new."""
        if not len(selection) or is_overview(selection.width, all_shown=status.shows_all(selection.columns["end"])):
            return None
        histories = [self.window[one] for one in self._names(viewpoint)]
        return self._overview.of(histories, columns, *status.kept, held=not viewpoint.follows)

    def costliest_minute(self, viewpoint: Viewpoint, begin: int, end: int) -> int:
        """The middle of the costliest minute of what is shown between two moments (epoch microseconds)."""
        return costliest_minute([self.window[one] for one in self._names(viewpoint)], begin, end)

    def _names(self, viewpoint: Viewpoint) -> list[str]:
        """The series shown: one, those of a stack, or all that are added up; none while there is none."""
        name = self.series(viewpoint)
        if name is None:
            return []
        return list(self.window.names()) if self.is_sum(viewpoint) else [*self.stacked(viewpoint)] or [name]

    def _kept(self, viewpoint: Viewpoint) -> History | SeriesSum | None:
        """What is shown: a series, or all added up; None while there is none."""
        name = self.series(viewpoint)
        if name is None:
            return None
        return self.window.added_up(SUM_SERIES) if self.is_sum(viewpoint) else self.window[name]

    def figures_of(self, viewpoint: Viewpoint, name: str) -> SelectedFigures | None:
        """What is in the user's selection; None if there is none."""
        if (chosen := viewpoint.selected) is None:
            return None
        kept = (None if self.detail is None else self.detail.kept_between(chosen.begin, chosen.end)) or self.window
        span = chosen.begin, chosen.end, MOST_SELECTED
        inside = kept.sum_between(*span) if self.is_sum(viewpoint) else kept.between(name, *span)
        return SelectedFigures(chosen, inside.summary(), *inside.between_latencies(chosen.low, chosen.high))

    def _reading(self, viewpoint: Viewpoint, name: str, selection: Selection) -> Reading:
        """What the lines below the maps say."""
        summed = self.is_sum(viewpoint)
        place = (SUM_SERIES if summed else name, summed, viewpoint.width)
        return self.commentary.reading(place, selection, self._kept(viewpoint), viewpoint.view.slo)

    def moments(self, viewpoint: Viewpoint) -> tuple[NotableMoment, ...]:
        """What is worth a look in all that is kept of what is shown, what cost most first."""
        kept = self._kept(viewpoint)
        return () if kept is None else self.commentary.moments(kept, self.marks, viewpoint.view.slo)

    def has_thoughts(self, viewpoint: Viewpoint) -> bool:
        """Whether ``think`` has something to do. It is not done for a sum of very many series."""
        if stacked := self.stacked(viewpoint):
            return self.stack.commentary.is_due(self.stack.histories(stacked))
        kept = self._kept(viewpoint)
        return kept is not None and len(self._names(viewpoint)) <= MOST_ADDED and self.commentary.is_due(kept)

    def think(self, viewpoint: Viewpoint) -> bool:
        """Look for changes in what is shown, for some milliseconds. Returns whether there are new sentences."""
        if stacked := self.stacked(viewpoint):
            return self.stack.commentary.step(self.stack.histories(stacked))
        kept = self._kept(viewpoint)
        return kept is not None and self.commentary.step(kept)

    def drawn(self, viewpoint: Viewpoint, size: TerminalSize, status: Status, tick: int | None = None) -> DrawnPicture:
        """The picture at a size. All pictures with the same ``tick``, series, viewpoint and size show the texts,
        numbers and overview of the first of them; with None, they cover all data.
        """
        if viewpoint.stacked:
            names, why_not = self.stack_at(viewpoint, size)
            if why_not and (status.finished or self.stacked(viewpoint)):
                status = status._replace(message=status.message or why_not)
            if names:
                return self.stack.drawn(names, viewpoint, size, status, tick)
        return draw_picture(
            self.scene(viewpoint, size, status, tick), self.view(viewpoint), size, self._memory, self._last
        )

    def merged(self, viewpoint: Viewpoint, size: TerminalSize, status: Status) -> float:
        """The share of events or of time waited for which a picture would have no row; see Geometry. Draws nothing."""
        if names := self.stack_at(viewpoint, size).names:
            return self.stack.merged(names, viewpoint, size, status)
        return compose_frame(
            self.scene(viewpoint, size, status), self.view(viewpoint), size, ScaleMemory()
        ).geometry.merged

    def view(self, viewpoint: Viewpoint) -> ViewOptions:
        """The view options, in the unit of the series that is drawn."""
        name = self.series(viewpoint)
        return viewpoint.view if name is None else viewpoint.view_in(self.window[name].unit)

    def final(
        self, size: TerminalSize, state: str, viewpoint: Viewpoint | None = None, message: str = ""
    ) -> DrawnPicture:
        """The final picture: the series that the user looked at last, else the one with the most time waited. It lists
        the other series with their rates.
        """
        ranking = self.window.by_time_waited()
        self._busiest.choose(self.window)
        viewpoint = (viewpoint or self.options.viewpoint)._replace(
            end=None, width=None, pointer=None, fitted=self.options.fits
        )
        viewpoint = self.fitted(viewpoint, size)
        kept = self._kept(viewpoint)
        if stacked := self.stacked(viewpoint):
            self.stack.commentary.finish(self.stack.histories(stacked))
        elif kept is not None and len(self._names(viewpoint)) <= MOST_ADDED:
            self.commentary.finish(kept)
        shown = [] if self.is_sum(viewpoint) else self._names(viewpoint)
        others = overview_lines(self.window, [name for name in ranking if name not in shown])
        return self.drawn(viewpoint, size, Status(label="pylatencymap", state=state, message=message, others=others))

    def described(self, status: Status, viewpoint: Viewpoint, name: str, width: float) -> Status:
        """``status`` with the facts about a series that is shown in columns of ``width`` seconds."""
        history = self.window[name]
        label = short_label(history)
        return status._replace(
            tz=self.options.tz,
            bad_count=self._bad_count(),
            label=label,
            file=self.options.file,
            bare_label=label == history.source,
            series=SUM_SERIES if self.is_sum(viewpoint) else name,
            series_number=0 if self.is_sum(viewpoint) else self.window.by_time_waited().index(name) + 1,
            series_count=len(self.window),
            interval=width,
            kept=self.extent(viewpoint) or (0, 0),
            part=self.options.part,
            usual=self.usual_seconds(viewpoint),
            noun=event_noun(history.label, history.source),
            resolution=viewpoint.resolution,
            marks=self.marks.until(viewpoint.end or self.window.end or 0) if len(self.marks) else (),
            incidents=self._incidents(viewpoint, name),
        )

    def _incidents(self, viewpoint: Viewpoint, name: str) -> tuple[Incident, ...]:
        kept = self._kept(viewpoint)
        return kept.all_incidents() if isinstance(kept, SeriesSum) else self.window[name].incidents.all()
