"""What the lines below the maps say of the series that is drawn: its modes in the window, and what changed in all that
is kept. The modes are found when texts are written; changes are looked for in short steps, while nothing else is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from datetime import tzinfo

from ..analysis import Modes, ShownCount, find_modes
from ..number_text import TimeWords
from ..view.layout import ChangeWords, Reading
from ..window import History, Selection, ZoomCache, select_columns
from .series_overview import event_noun

MOST_COLUMNS = 1000
"""Columns in which changes are looked for: more are merged."""
REST = 400
"""Changes are looked for again after so many times the CPU time that it took: a quarter of a percent of a core."""
WIDTHS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400)
"""Seconds of merged columns."""


class Commentary:
    """``follows``: more data can come, so what is shown is kept as long as it is not refuted."""

    def __init__(
        self,
        tz: tzinfo,
        monotonic: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        self._tz = tz
        self._monotonic = monotonic
        self._used = used
        self._content: object = None
        self._place: object = None
        self._modes = Modes(0.0, 1.0, 0.0)
        self._shown = ShownCount()
        self._end = 0
        self._changes = _SeriesChanges(tz)
        self._work: Generator[None, None, None] | None = None
        self._cost = 0.0
        self._rests_until = float("-inf")

    def reading(self, place: tuple[object, ...], selection: Selection, name: str | None) -> Reading:
        """What there is to say of a selection. ``place``: the series and the width of the columns; for another place
        the number of modes is found anew. ``name``: of the series whose changes are told.
        """
        ends = selection.columns["end"]
        if not len(ends):
            return Reading()
        content = (*place, len(ends), int(ends[0]), int(ends[-1]), float(selection.counts.sum()))
        if content != self._content:
            self._content = content
            self._find_modes(place, selection)
        changes = self._changes.words if name is not None and self._changes.name == name else ()
        return Reading(self._modes, self._shown.count, changes)

    def _find_modes(self, place: object, selection: Selection) -> None:
        edges, counts = selection.rows()
        about = selection.summary()
        exact = None if about.estimated else about.waited
        self._modes = find_modes(counts, edges, selection.columns["seconds"], exact=exact)
        end = int(selection.columns["end"][-1])
        passed = max(round((end - self._end) / max(selection.width * 1e6, 1.0)), 0)
        if place != self._place:
            self._place, self._shown, passed = place, ShownCount(), 0
        self._shown, self._end = self._shown.after(self._modes, passed), end

    def is_due(self, history: History) -> bool:
        """Whether there is a step to do."""
        if self._work is not None or self._changes.name != history.name:
            return True
        return not self._changes.is_of(history) and self._monotonic() >= self._rests_until

    def step(self, history: History) -> bool:
        """Look for changes in a series for a few milliseconds. Returns whether there are new sentences."""
        if self._changes.name != history.name:
            self._changes, self._work = _SeriesChanges(self._tz, history.name), None
        if self._work is None:
            self._work, self._cost = self._changes.find(history), 0.0
        before, begun = self._changes.words, self._used()
        try:
            next(self._work)
            self._cost += self._used() - begun
        except StopIteration:
            self._work = None
            self._rests_until = self._monotonic() + REST * (self._cost + self._used() - begun)
        return self._changes.words != before

    def finish(self, history: History) -> None:
        """Find all changes now, without regard to what was shown."""
        self._changes = _SeriesChanges(self._tz, history.name)
        self._work = None
        for _ in self._changes.find(history):
            pass


class _SeriesChanges:
    """The changes of one series, as far as they are known."""

    def __init__(self, tz: tzinfo, name: str = "") -> None:
        self.name = name
        self.words: tuple[ChangeWords, ...] = ()
        self._tz = tz
        self._seen: object = None
        self._points: list[int] | None = None
        self._zoomed: ZoomCache | None = None

    def is_of(self, history: History) -> bool:
        """Whether all columns of the series have been looked at."""
        return self._seen == _state(history)

    def find(self, history: History) -> Generator[None, None, None]:
        """Look at all columns of the series, and keep sentences; yields between short steps."""
        # Late, because the first picture needs none of it.
        from ..analysis import changes_in_steps
        from ..findings import FEWEST, cost_words, series_data, told_changes, when_words

        self._seen = _state(history)
        selection = yield from self._columns(history)
        if int((selection.columns["seconds"] > 0).sum()) < FEWEST:
            self.words = ()
            return
        data = series_data(history.name, event_noun(history.label, history.source), history.label, selection)
        starts = data.starts
        shown = None if self._points is None else [int(starts.searchsorted(point)) for point in self._points]
        yield
        found = yield from changes_in_steps(
            data.counts, data.edges, data.seconds, resets=data.resets, waited=data.waited, shown=shown
        )
        yield
        self._points = [int(starts[point.column]) for point in found.points]
        times = TimeWords(int(starts[0]), int(data.ends[-1]), self._tz, data.width, data.clock)
        waited = float(selection.summary().waited)
        told = [change for change in told_changes([(data, found)]) if not change.is_about_source]
        self.words = tuple(ChangeWords(when_words(one, times), one.text, cost_words(one, waited)) for one in told)

    def _columns(self, history: History) -> Generator[None, None, Selection]:
        """All columns of a series, merged if there are too many."""
        usual = history.usual_seconds()
        seconds = (history.end - history.start) / 1e6
        if seconds <= MOST_COLUMNS * usual:
            return select_columns(history, MOST_COLUMNS)
        least = max(seconds / MOST_COLUMNS, 2 * usual)
        width = float(next((width for width in WIDTHS if width >= least), least))
        micros = round(width * 1e6)
        if self._zoomed is None or not self._zoomed.is_of(micros):
            self._zoomed = ZoomCache(history, micros)
        yield from self._zoomed.fill(MOST_COLUMNS + 2)
        if not self._zoomed.is_of(micros):  # meanwhile old columns were merged to save memory
            self._zoomed = ZoomCache(history, micros)
        return select_columns(history, MOST_COLUMNS + 2, width, None, self._zoomed)


def _state(history: History) -> tuple[object, ...]:
    return history.version, len(history), history.events
