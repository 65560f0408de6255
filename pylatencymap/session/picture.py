"""Keeps the intervals of all series of a session and draws pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis import ColumnPercentiles
from ..interval import Interval
from ..intervals import Batch
from ..record import Mark
from ..view import DrawnPicture, LastPicture, draw_picture
from ..view.frame import compose_frame
from ..view.layout import (
    END,
    PAUSED,
    WAITING,
    MomentFigure,
    NextTime,
    Reading,
    ScaleMemory,
    Scene,
    SelectedFigures,
    Status,
    TableFigures,
    has_room,
    may_show_curves,
    wanted_cover,
)
from ..view.style import ViewOptions
from ..window import (
    FloatArray,
    Incident,
    Overview,
    Selection,
    SeriesSum,
    Summary,
    Window,
    percentiles_over_time,
)
from .marks import MarkList
from .place import SUM_SERIES as SUM_SERIES, ShownSeries, TerminalSize as TerminalSize
from .room import SeriesTable
from .series_overview import LatestOverview, event_noun, is_overview, overview_lines, short_label
from .stack import StackPicture
from .viewpoint import PictureOptions as PictureOptions, Viewpoint

if TYPE_CHECKING:
    from .commentary import Commentary
    from .moments import NotableMoment

MOST_SELECTED = 512
"""Columns of a selection, whose figures are sums: more are merged."""
FAR_COLUMNS = 4
"""So many usual lengths after a moment, the column that it is in has ended."""
MOST_ADDED = 300
"""Of a sum of more series, what changed is only looked for when the user asks."""


class Picture(ShownSeries):
    """The intervals of all series, and how to draw them. ``bad_count`` returns how many records could not be read."""

    def __init__(self, options: PictureOptions, bad_count: Callable[[], int] = lambda: 0) -> None:
        super().__init__(options)
        self.marks = MarkList()
        self._bad_count = bad_count
        self._memory = ScaleMemory()
        self._last = LastPicture()
        self.table = SeriesTable(self.window)
        self.stack = StackPicture(self, options.tz)
        self._overview = LatestOverview()
        self._curves = ColumnPercentiles()

    def __len__(self) -> int:
        return len(self.window)

    @cached_property
    def commentary(self) -> Commentary:
        """What the lines below the maps say; made with the first data, for an empty picture must not wait for it."""
        from .commentary import Commentary
        from .stack import stalls_explained

        return Commentary(self.options.tz, meanwhile=stalls_explained(self.window))

    def extend(self, arrived: Iterable[Interval | Batch]) -> None:
        """Keep intervals, single ones and batches of them."""
        for one in arrived:
            self.window.take(one)
        if self.marks.has_daily:
            self.marks.placed_until(self.window.end)

    def mark(self, mark: Mark) -> None:
        """Keep a mark."""
        self.marks.add(mark)

    def settle(self) -> None:
        """There will be no more data: choose the series, and look for what changed, by all of them."""
        self._busiest.choose(self.window)
        self._overview = LatestOverview()
        self.commentary.start_anew()
        self.stack.start_anew()

    def show_window(self, window: Window) -> None:
        """Draw other intervals from now on, of which there are no more to come."""
        self.use_window(window)
        self._memory, self.table = ScaleMemory(), SeriesTable(window)
        self.settle()

    def use_zone(self, tz: tzinfo) -> None:
        """Tell times in another zone from now on."""
        self.options = self.options._replace(tz=tz)
        self.stack.use_zone(tz)
        self.__dict__.pop("commentary", None)  # its sentences have times in them

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
            self.percentiles_of(viewpoint, size, selection),
            self._last.held("tables", moment, (), lambda: self._tables(viewpoint, size, finished=status.finished)),
        )

    def _tables(self, viewpoint: Viewpoint, size: TerminalSize, *, finished: bool) -> TableFigures | None:
        """What the tables have, on a screen with room for them."""
        self.table.is_wanted, kept = has_room(size), self.kept_of(viewpoint)
        if not self.table.is_wanted or kept is None:
            return None
        moments = self.commentary.known_moments(kept, self.marks, viewpoint.view.slo)
        chosen = SUM_SERIES if self.is_sum(viewpoint) else kept.name
        return TableFigures(
            tuple(MomentFigure(one.sign, one.when, one.what, one.cost_text if one.cost else "") for one in moments),
            self.table.figures(),
            chosen,
            self.table.waited,
            finished and self.commentary.knows_all(kept),
        )

    def percentiles_of(self, viewpoint: Viewpoint, size: TerminalSize, selection: Selection) -> FloatArray | None:
        """The percentiles of each column, if they may be drawn at a size."""
        if not may_show_curves(viewpoint.view, size):
            return None
        return percentiles_over_time(
            selection.ranges, selection.counts, selection.columns, selection.unit, self._curves, selection.tick
        )

    def overview_of(self, viewpoint: Viewpoint, status: Status, selection: Selection, columns: int) -> Overview | None:
        """All that is kept in one line; None where that says nothing new."""
        if not len(selection) or is_overview(selection.width, all_shown=status.shows_all(selection.columns["end"])):
            return None
        histories = [self.window[one] for one in self.names_shown(viewpoint)]
        return self._overview.of(histories, columns, *status.kept, held=not viewpoint.follows)

    def figures_of(self, viewpoint: Viewpoint, name: str) -> SelectedFigures | None:
        """What is in the user's selection; None if there is none."""
        if (chosen := viewpoint.selected) is None:
            return None
        inside = self._between(viewpoint, name, chosen.begin, chosen.end)
        summary = inside.summary(chosen.low if chosen.high is None else None)
        events, waited, low, high = inside.between_latencies(chosen.low, chosen.high)
        if (slow := summary.slow) is not None and not slow.exact:  # above an SLO that is inside a range
            events, waited = slow.events * summary.events, slow.waited * summary.waited
            low, high = chosen.low, chosen.high
        length = chosen.end - chosen.begin
        before = self._next_time(viewpoint, name, chosen.begin - length, chosen.begin)
        after = self._next_time(viewpoint, name, chosen.end, chosen.end + length)
        return SelectedFigures(chosen, summary, events, waited, before, after, (low, high))

    def _between(self, viewpoint: Viewpoint, name: str, begin: int, end: int) -> Selection:
        """What is shown, between two moments, in not too many columns."""
        kept = (None if self.detail is None else self.detail.kept_between(begin, end)) or self.window
        span = begin, end, MOST_SELECTED
        return kept.sum_between(*span) if self.is_sum(viewpoint) else kept.between(name, *span)

    def column_at(self, viewpoint: Viewpoint, moment: int) -> tuple[int, int] | None:
        """From when to when the column lasts in which a moment is; None if nothing was measured then."""
        if viewpoint.width:
            micros = round(viewpoint.width * 1e6)
            return (end := -(-moment // micros) * micros) - micros, end
        if (name := self.series(viewpoint)) is None:
            return None
        far = round(FAR_COLUMNS * self.usual_seconds(viewpoint) * 1e6)
        columns = self._between(viewpoint, name, moment - 1, moment + far).columns
        if not len(columns) or not columns["start"][0] < moment <= columns["end"][0]:
            return None
        return int(columns["start"][0]), int(columns["end"][0])

    def _next_time(self, viewpoint: Viewpoint, name: str, begin: int, end: int) -> NextTime | None:
        """What is between two moments, as far as that is kept; None if nothing of it is."""
        extent = self.extent(viewpoint)
        begin, end = (begin, end) if extent is None else (max(begin, extent[0]), min(end, extent[1]))
        if end <= begin:
            return None
        return NextTime((end - begin) / 1e6, self._between(viewpoint, name, begin, end).summary())

    def _reading(self, viewpoint: Viewpoint, name: str, selection: Selection) -> Reading:
        """What the lines below the maps say."""
        summed = self.is_sum(viewpoint)
        place = (SUM_SERIES if summed else name, summed, viewpoint.width)
        return self.commentary.reading(place, selection, self.kept_of(viewpoint), viewpoint.view.slo)

    def moments(self, viewpoint: Viewpoint) -> tuple[NotableMoment, ...]:
        """What is worth a look in all that is kept of what is shown, what cost most first."""
        kept = self.kept_of(viewpoint)
        return () if kept is None else self.commentary.moments(kept, self.marks, viewpoint.view.slo)

    def has_thoughts(self, viewpoint: Viewpoint) -> bool:
        """Whether ``think`` has something to do. It is not done for a sum of very many series."""
        if self.table.is_due():
            return True
        if stacked := self.stacked(viewpoint):
            return self.stack.commentary.is_due(self.stack.histories(stacked))
        kept = self.kept_of(viewpoint)
        return kept is not None and len(self.names_shown(viewpoint)) <= MOST_ADDED and self.commentary.is_due(kept)

    def think(self, viewpoint: Viewpoint) -> bool:
        """Look for changes in what is shown, for some milliseconds. Returns whether there are new sentences."""
        if self.table.is_due():
            return self.table.step()
        if stacked := self.stacked(viewpoint):
            return self.stack.commentary.step(self.stack.histories(stacked))
        kept = self.kept_of(viewpoint)
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

    def has_strip(self, viewpoint: Viewpoint, size: TerminalSize, status: Status) -> bool:
        """Whether a picture has a strip of percentiles over time. Draws nothing."""
        scene = self.scene(viewpoint, size, status)
        return compose_frame(scene, self.view(viewpoint), size, ScaleMemory()).layout.plan.strip > 0

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
        viewpoint = viewpoint or self.options.viewpoint
        extent, select = self.extent(viewpoint), self.options.select
        if select is not None and extent is not None and viewpoint == self.options.viewpoint:
            message = message or select.outside(extent, self.options.tz)
            viewpoint = viewpoint._replace(selected=select.placed(extent, self.options.tz))
        viewpoint = viewpoint._replace(end=None, width=None, pointer=None, sides=None, fitted=self.options.fits)
        viewpoint = self.fitted(viewpoint, size)
        kept = self.kept_of(viewpoint)
        if stacked := self.stacked(viewpoint):
            self.stack.commentary.finish(self.stack.histories(stacked))
        elif kept is not None and len(self.names_shown(viewpoint)) <= MOST_ADDED:
            self.commentary.finish(kept)
        if has_room(size):
            self.table.finish()
        shown = [] if self.is_sum(viewpoint) else self.names_shown(viewpoint)
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
            filters=viewpoint.filters,
            noun=event_noun(history.label, history.source),
            resolution=viewpoint.resolution,
            marks=self.marks.until(viewpoint.end or self.window.end or 0) if len(self.marks) else (),
            incidents=self._incidents(viewpoint, name),
        )

    def _incidents(self, viewpoint: Viewpoint, name: str) -> tuple[Incident, ...]:
        kept = self.kept_of(viewpoint)
        return kept.all_incidents() if isinstance(kept, SeriesSum) else self.window[name].incidents.all()
