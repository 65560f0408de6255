"""What a session draws: it keeps the intervals of all series, and makes scenes and pictures of them."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from datetime import timezone, tzinfo
from operator import attrgetter
from threading import Lock
from typing import NamedTuple

from ..interval import Interval
from ..intervals import Batch
from ..record import Mark
from ..view import DrawnPicture, LastPicture, draw_picture, map_columns
from ..view.frame import compose_frame
from ..view.layout import END, PAUSED, WAITING, ScaleMemory, Scene, Status, wanted_cover
from ..view.style import ViewOptions
from ..window import DEFAULT_MB, History, Incident, Selection, Window
from .series_overview import event_noun, overview_lines
from .viewpoint import Viewpoint

# Remarks on the time axis: the user's, and those of recordings.


MOST = 10_000
"""Kept; beyond them the oldest go, for a source may make marks for ever."""

_moment = attrgetter("stamp.micros")


class MarkList:
    """Marks in the order of time. They may be added in one thread and read in another."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._marks.copy())

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        insort(self._marks, mark, key=_moment)
        if len(self._marks) > MOST:
            del self._marks[0]

    def until(self, end: int) -> tuple[tuple[int, str, str], ...]:
        """Those up to a moment (epoch microseconds), as the picture takes them."""
        marks = self._marks.copy()
        return tuple((mark.stamp.micros, "M", mark.note) for mark in marks[: bisect_right(marks, end, key=_moment)])


SWITCH_FACTOR = 1.5
"""Another series is drawn instead when its time waited is so many times that of the one on the screen."""
SUM_SERIES = "sum"
"""The name under which all series added up are shown."""
USUAL_COLUMNS = 100

TerminalSize = tuple[int, int]


class PictureOptions(NamedTuple):
    """``viewpoint``: where a session looks when it begins. ``columns``: at most so many time columns."""

    viewpoint: Viewpoint = Viewpoint()
    columns: int | None = None
    history_mb: float = DEFAULT_MB
    tz: tzinfo = timezone.utc


class Picture:
    """The intervals of all series and how they look. ``bad_count`` tells how many records could not be read."""

    def __init__(self, options: PictureOptions, bad_count: Callable[[], int] = lambda: 0) -> None:
        self.window = Window(options.history_mb)
        self.marks = MarkList()
        self.options = options
        self._bad_count = bad_count
        self._memory = ScaleMemory()
        self._last = LastPicture()
        self._busiest: str | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self.window)

    def take(self, batch: Batch) -> None:
        """Keep a batch, in the thread that reads: ``final`` waits for it."""
        with self._lock:
            self.window.extend(batch)

    def extend(self, intervals: Iterable[Interval]) -> None:
        """Keep intervals."""
        for interval in intervals:
            self.window.add(interval)

    def mark(self, mark: Mark) -> None:
        """Keep a remark."""
        self.marks.add(mark)

    def series(self, at: Viewpoint) -> str | None:
        """The series drawn: the one chosen, else the one with the most time waited; None while there is none."""
        if at.series is not None and at.series in self.window:
            return at.series
        if self._busiest is None or at.follows:
            ranking = self.window.by_time_waited()
            if ranking and (self._busiest is None or self._is_overtaken(ranking[0], self._busiest)):
                self._busiest = ranking[0]
        return self._busiest

    def is_sum(self, at: Viewpoint) -> bool:
        """Whether all series are added up; of a single one there is no sum."""
        return at.summed and len(self.window) > 1

    def columns_at(self, size: TerminalSize) -> int:
        """Time columns that are drawn at a size."""
        columns = map_columns(size)
        return min(columns, self.options.columns or columns)

    def selection(self, at: Viewpoint, columns: int) -> Selection:
        """The columns that are looked at; none while there are no data."""
        name = self.series(at)
        if name is None:
            return Selection.empty()
        if self.is_sum(at):
            return self.window.sum(columns, at.width, at.end)
        return self.window.select(name, columns, at.width, at.end)

    def extent(self, at: Viewpoint) -> tuple[int, int] | None:
        """Epoch microseconds at which the history of what is looked at begins and ends; None while there is none."""
        name = self.series(at)
        if name is None:
            return None
        kept = self.window if self.is_sum(at) else self.window[name]
        return (kept.start, kept.end) if kept.start is not None and kept.end is not None else None

    def new_since(self, at: Viewpoint, moment: int) -> int:
        """Intervals of what is looked at, of the sum those of its busiest series, that ended after a moment."""
        names = self.window.names() if self.is_sum(at) else [self.series(at)]
        return max((self.window.new_since(name, moment) for name in names if name is not None), default=0)

    def usual_seconds(self, at: Viewpoint) -> float:
        """Seconds between two columns of the series that is looked at, not merged; 1 before there is one."""
        name = self.series(at)
        if name is not None and not self.is_sum(at):
            return self.window[name].usual_seconds()  # as that selection would say, without making it
        return self.selection(at._replace(width=None, end=None), USUAL_COLUMNS).width

    def scene(self, at: Viewpoint, size: TerminalSize, said: Status, tick: int | None = None) -> Scene:
        """What there is to draw; ``said`` is what to say of the session: label, state, message, keys.

        ``tick`` is that of the clock of the texts, see ``drawn``.
        """
        name = self.series(at)
        selection = self.selection(at, self.columns_at(size))
        if name is None:
            waiting = said._replace(state=said.state if said.state in (PAUSED, END) else WAITING)
            return Scene(selection.matrix(), waiting, selection.summary(), None)
        slo, pointer = at.view.slo, at.pointer
        moment = None if tick is None or pointer is not None else (tick, name, at, size, said)
        window, latest = self._last.held(
            "statistics", moment, (), lambda: (selection.summary(slo), selection.latest(slo))
        )
        return Scene(
            selection.matrix(at.resolution, wanted_cover(self.view(at), self._memory)),
            self.described(said, at, name, selection.width),
            window,
            latest,
            pointer,
            selection.at(pointer.micros, slo) if pointer is not None else None,
            moment,
        )

    def drawn(self, at: Viewpoint, size: TerminalSize, said: Status, tick: int | None = None) -> DrawnPicture:
        """The picture at a size. Pictures of one ``tick`` have the same texts and numbers, those of its first one, as
        long as they are of the same series, place and size; None: texts and numbers are of all that has come.
        """
        return draw_picture(self.scene(at, size, said, tick), self.view(at), size, self._memory, self._last)

    def merged(self, at: Viewpoint, size: TerminalSize, said: Status) -> float:
        """The share of the events or of the wait that a picture would have no rows for, see Geometry; none is drawn."""
        return compose_frame(self.scene(at, size, said), self.view(at), size, ScaleMemory()).geometry.merged

    def view(self, at: Viewpoint) -> ViewOptions:
        """The choices about the picture, in the unit of what is drawn."""
        name = self.series(at)
        return at.view if name is None else at.view_in(self.window[name].unit)

    def final(self, size: TerminalSize, state: str, at: Viewpoint | None = None, message: str = "") -> DrawnPicture:
        """The picture that stays: the series that was looked at last, else the one with the most time waited, is
        drawn; the others are listed with their rates.
        """
        with self._lock:
            ranking = self.window.by_time_waited()
            self._busiest = ranking[0] if ranking else None
            at = (at or self.options.viewpoint)._replace(end=None, width=None, pointer=None)
            shown = None if self.is_sum(at) else self.series(at)
            others = overview_lines(self.window, [name for name in ranking if name != shown])
            return self.drawn(at, size, Status(label="pylatencymap", state=state, message=message, others=others))

    def _rank(self, history: History) -> int:
        """The number of a series where the one with the most time waited is 1, as the keys count them."""
        return self.window.by_time_waited().index(history.name) + 1

    def _is_overtaken(self, first: str, shown: str) -> bool:
        return first != shown and self.window[first].waited > SWITCH_FACTOR * self.window[shown].waited

    def described(self, said: Status, at: Viewpoint, name: str, width: float) -> Status:
        """What to say of the session, with what is known of a series in columns of ``width`` seconds."""
        history = self.window[name]
        newest = at.end or self.window.end or 0
        return said._replace(
            tz=self.options.tz,
            bad_count=self._bad_count(),
            label=_short_label(history),
            series=SUM_SERIES if self.is_sum(at) else name,
            series_number=0 if self.is_sum(at) else self._rank(history),
            series_count=len(self.window),
            interval=width,
            noun=event_noun(history.label, history.source),
            resolution=at.resolution,
            marks=self.marks.until(newest),
            incidents=self._incidents(at, name),
        )

    def _incidents(self, at: Viewpoint, name: str) -> tuple[Incident, ...]:
        """Those of a series; of a sum the restarts of all, one per moment: it is silent only where all are."""
        if not self.is_sum(at):
            return self.window[name].incidents.all()
        every = (one for each in self.window.names() for one in self.window[each].incidents.all() if one.reset)
        return tuple(sorted({one.end: one for one in every}.values()))


def _short_label(history: History) -> str:
    """What measured: the label, unless that only says the name of the series again."""
    said_again = history.name.lower() in history.label.lower()
    return (history.source if said_again else history.label) or history.source or "pylatencymap"
