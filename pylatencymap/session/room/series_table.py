"""The table of series on a large screen: figures, and the time waited over all that is kept of each series. They are
brought up to date one series at a time, while nothing else is due, and never within a frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ...view.layout import SeriesFigure
from ...window import History, WaitCurve, Window

MOST_SERIES = 16
"""Series that have a row: those with the most time waited, and the one that is shown."""
SPARK_PARTS = 18
"""Characters of a curve."""
MOST_ADDED = 1000
"""Of more series, shares of the wait are not told."""
PAUSE = 400
"""After all rows were brought up to date, so many times as long as that took is rested."""


class _Row:
    """What is known of one series."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.curve = WaitCurve(history)
        self.seen: object = None
        self.figure = SeriesFigure(history.name)

    @property
    def is_due(self) -> bool:
        return self.seen != (self.history.version, len(self.history), self.history.events) or not self.curve.is_whole

    def step(self) -> None:
        """Take some thousand columns; with the last of them the figures too."""
        seen = self.history.version, len(self.history), self.history.events
        self.curve.step()
        if not self.curve.is_whole:
            return
        self.seen = seen
        total = self.history.total()
        seconds = total.span or 1.0
        rates = tuple(self.curve.rates(SPARK_PARTS).tolist())
        waited = self.history.waited
        self.figure = SeriesFigure(self.history.name, total.events / seconds, waited, total.p99, rates)


class SeriesTable:
    """``is_wanted``: the last picture had room for it."""

    def __init__(
        self,
        window: Window,
        monotonic: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        self.is_wanted = False
        self._window = window
        self._monotonic = monotonic
        self._used = used
        self._rows: dict[str, _Row] = {}
        self._cost = 0.0
        self._rests_until = float("-inf")

    def _names(self) -> list[str]:
        return self._window.by_time_waited()[:MOST_SERIES] if len(self._window) > 1 else []

    def _row(self, name: str) -> _Row:
        row = self._rows.get(name)
        if row is None or row.history is not self._window[name]:
            row = self._rows[name] = _Row(self._window[name])
        return row

    def is_due(self) -> bool:
        """Whether there is a step to do."""
        if not self.is_wanted or self._monotonic() < self._rests_until:
            return False
        return any(self._row(name).is_due for name in self._names())

    def step(self) -> bool:
        """Bring one series up to date, or a part of it. Returns whether its row is new."""
        due = [row for name in self._names() if (row := self._row(name)).is_due]
        if not due:
            return False
        begun, before = self._used(), due[0].figure
        due[0].step()
        self._cost += self._used() - begun
        if len(due) == 1 and not due[0].is_due:
            self._rests_until, self._cost = self._monotonic() + PAUSE * self._cost, 0.0
        return due[0].figure != before

    def finish(self) -> None:
        """Bring all rows up to date now."""
        for name in self._names():
            row = self._row(name)
            while row.is_due:
                row.step()

    @property
    def waited(self) -> float:
        """Seconds that all series waited; 0 where there are too many to add them up for each picture."""
        if len(self._window) > MOST_ADDED:
            return 0.0
        return sum(self._window[name].waited for name in self._window.names())

    def figures(self) -> tuple[SeriesFigure, ...]:
        """A row for each series, most time waited first; those that are not known yet have a name only."""
        return tuple(self._row(name).figure for name in self._names())
