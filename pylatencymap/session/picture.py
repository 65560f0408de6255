"""What a session draws: it keeps the intervals, picks the series and makes cells of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timezone, tzinfo
from typing import NamedTuple

from ..interval import Interval
from ..record import Mark
from ..units import Unit
from ..view.cells import Cells
from ..view.draw import draw, map_columns
from ..view.memory import Memory
from ..view.options import ViewOptions
from ..view.status import END, PAUSED, WAITING, Status
from ..window.history import History
from ..window.selection import Selection
from ..window.window import DEFAULT_MB, Window
from .nouns import noun_of
from .overview import overview

SWITCH_FACTOR = 1.5
"""Another series is drawn instead when its time waited is so many times that of the one on the screen."""

MOST_COLUMNS = 1000
"""More than the widest terminal shows."""

Size = tuple[int, int]


class PictureOptions(NamedTuple):
    """``columns``: at most so many time columns. In the unit of the series: ``buckets``, the exponents of the upper
    bounds of the lowest and the highest row, and ``intensity_max``, time waited per second at which that scale is
    pinned.
    """

    view: ViewOptions = ViewOptions()
    resolution: int = 1
    columns: int | None = None
    buckets: tuple[int | None, int | None] = (None, None)
    intensity_max: float | None = None
    history_mb: float = DEFAULT_MB
    tz: tzinfo = timezone.utc


class Picture:
    """The intervals of all series and how they look. ``bad_count`` tells how many records could not be read."""

    def __init__(self, options: PictureOptions, bad_count: Callable[[], int] = lambda: 0) -> None:
        self.window = Window(options.history_mb)
        self.options = options
        self._bad_count = bad_count
        self._memory = Memory()
        self._marks: list[tuple[int, str, str]] = []
        self._shown: str | None = None
        self._frozen: Selection | None = None

    def __len__(self) -> int:
        return len(self.window)

    def add(self, interval: Interval) -> None:
        """Keep an interval."""
        self.window.add(interval)

    def extend(self, intervals: Iterable[Interval]) -> None:
        """Keep intervals."""
        for interval in intervals:
            self.window.add(interval)

    def mark(self, mark: Mark) -> None:
        """Keep a remark."""
        self._marks.append((mark.stamp.micros, "M", mark.note))

    @property
    def usual_seconds(self) -> float:
        """Seconds that a column of the series on the screen stands for; 1 before there is one."""
        return self.window.select(self._shown, 100).width if self._shown else 1.0

    def freeze(self) -> None:
        """Keep the frame as it is while new intervals come in."""
        if self._shown is not None:
            self._frozen = self.window.select(self._shown, MOST_COLUMNS)

    def thaw(self) -> None:
        """Show the newest intervals again."""
        self._frozen = None

    def live(self, size: Size, state: str, message: str = "", keys: tuple[tuple[str, str], ...] = ()) -> Cells:
        """A frame of the running view, of the series with the most time waited."""
        ranking = self.window.by_time_waited()
        if ranking and self._frozen is None and (self._shown is None or self._is_overtaken(ranking[0], self._shown)):
            self._shown = ranking[0]
        return self._cells(size, Status(label="pylatencymap", state=state, message=message, keys=keys))

    def final(self, size: Size, state: str) -> Cells:
        """The picture that stays: the series with the most time waited drawn, the others listed with their rates."""
        ranking = self.window.by_time_waited()
        self._shown, self._frozen = ranking[0] if ranking else None, None
        others = overview(self.window, ranking[1:])
        return self._cells(size, Status(label="pylatencymap", state=state, others=others))

    def _is_overtaken(self, first: str, shown: str) -> bool:
        return first != shown and self.window[first].waited > SWITCH_FACTOR * self.window[shown].waited

    def _cells(self, size: Size, status: Status) -> Cells:
        options = self.options
        status = status._replace(tz=options.tz, bad_count=self._bad_count(), marks=tuple(self._marks))
        if self._shown is None:
            waiting = status._replace(state=status.state if status.state in (PAUSED, END) else WAITING)
            nothing = Selection.empty()
            return draw(nothing.matrix(), waiting, nothing.summary(), None, options.view, size, self._memory)
        history = self.window[self._shown]
        selection = self._selection(self._shown, map_columns(size, options.view))
        ranking = list(self.window.names())
        status = status._replace(
            label=_short_label(history),
            series=history.name,
            series_number=ranking.index(history.name) + 1,
            series_count=len(ranking),
            interval=selection.width,
            noun=noun_of(history.label, history.source),
            resolution=options.resolution,
        )
        return draw(
            selection.matrix(options.resolution, self._memory.cover),
            status,
            selection.summary(),
            selection.latest(),
            _in_unit(options, history.unit),
            size,
            self._memory,
        )

    def _selection(self, name: str, columns: int) -> Selection:
        columns = min(columns, self.options.columns or columns)
        return self.window.select(name, columns) if self._frozen is None else self._frozen.newest(columns)


def _short_label(history: History) -> str:
    """What measured: the label, unless that only says the name of the series again."""
    said_again = history.name.lower() in history.label.lower()
    return (history.source if said_again else history.label) or history.source or "pylatencymap"


def _in_unit(options: PictureOptions, unit: Unit) -> ViewOptions:
    """The view's options, with what was given in the unit of the series."""
    view, (low, high) = options.view, options.buckets
    if low is not None:
        view = view._replace(min_latency=2.0 ** (low - 1) * unit.seconds)
    if high is not None:
        view = view._replace(max_latency=2.0 ** (high - 1) * unit.seconds)
    if options.intensity_max is not None:
        view = view._replace(intensity_max=options.intensity_max * unit.seconds)
    return view
