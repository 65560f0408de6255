"""All series at once: small multiples on one colour scale, those with the most time waited first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..session import TerminalSize
from ..view import DrawnPicture
from ..view.grid import DrawnGrid, GridPanel, draw_grid, grid_columns, grid_shape
from ..view.layout import Geometry, ScaleMemory
from ..window import Window
from .actions.series_choice import show_series
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import Layer, UserInput, Viewer

KEYS = (
    ("arrows", "choose"),
    ("Enter", "open"),
    ("1-9", "open one"),
    ("PgDn", "next page"),
    ("f i b", "maps"),
    ("[ ]", "time"),
    ("g", "back to one"),
    ("?", "help"),
    ("q", "quit"),
)
_PASSED_ON = frozenset(" []fibcxpdtro<>.ms?q")
"""Keys that mean in the grid what they mean in the main view."""
ALIKE = 1.05
"""Intervals that differ by less are drawn as one column each."""
_NOWHERE = Geometry((), 0, 0, 1, 0, np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 2), np.intp))
"""There is no single place that shows a moment and a latency."""
_CLOSING = ("g", "KEY_ESCAPE")


class _Span(NamedTuple):
    """The time that all panels show (epoch microseconds), in so many columns of ``width`` seconds; None: intervals."""

    start: int
    end: int
    columns: int
    width: float | None


class GridView:
    """In the place of the view below, to which it passes on the keys for time and colours."""

    def __init__(self, below: Layer) -> None:
        self._below = below
        self._memory = ScaleMemory()
        self._chosen = 0
        self._shown: DrawnGrid | None = None
        self._known: tuple[object, dict[str, float]] = (None, {})

    def drawn(self, stage: Viewer) -> DrawnPicture:
        """The page of panels that holds the chosen one."""
        names = stage.picture.window.by_time_waited()
        self._chosen = max(0, min(self._chosen, len(names) - 1))
        page = _per_page(stage.size, len(names))
        first = self._chosen // page * page
        shown = names[first : first + page]
        span = _span(stage, shown, len(names))
        waited = self._waited(stage.picture.window, span)
        everything = sum(waited.values()) or 1.0
        self._shown = draw_grid(
            [_panel(stage, name, span, waited[name] / everything) for name in shown],
            stage.picture.described(
                stage.status(KEYS, ""), stage.at, names[0], span.width or stage.column_micros / 1e6
            ),
            stage.picture.view(stage.at),
            stage.size,
            self._memory,
            chosen=self._chosen,
            first=first,
            total=len(names),
            hidden_share=1 - sum(waited[name] for name in shown) / everything,
        )
        stage.geometry = _NOWHERE._replace(maxima=self._shown.maxima, slots=self._shown.slots)
        return DrawnPicture(self._shown.cells, stage.geometry)

    def _waited(self, window: Window, span: _Span) -> dict[str, float]:
        """Seconds that each series waited in the time shown; found anew when that is another, or more has come."""
        subject = span, sum(window[name].events for name in window.names()), len(window)
        if self._known[0] != subject:
            found = {name: window[name].waited_between(span.start, span.end) for name in window.names()}
            self._known = subject, found
        return self._known[1]

    def answer(self, stage: Viewer, event: UserInput) -> None:
        """Choose and open a series, or go back; the rest is for the view below."""
        if isinstance(event, Mouse):
            self._click(stage, event)
        elif isinstance(event, Pasted):
            return
        elif event in _CLOSING:
            stage.close()
        elif event == "KEY_ENTER":
            self._open(stage, self._chosen)
        elif len(event) == 1 and event in "123456789":
            self._open(stage, int(event) - 1)
        elif event in _PASSED_ON:
            self._below.answer(stage, event)
        else:
            self._chosen = max(0, self._chosen + self._step(event))

    def _step(self, event: str) -> int:
        """Panels that a key goes on."""
        shown = self._shown
        columns, page = (shown.columns, shown.per_page) if shown else (1, 1)
        steps = {
            "KEY_LEFT": -1,
            "KEY_RIGHT": 1,
            "KEY_UP": -columns,
            "KEY_DOWN": columns,
            "KEY_PGUP": -page,
            "KEY_PGDOWN": page,
            "KEY_TAB": 1,
            "KEY_BTAB": -1,
        }
        return steps.get(event, 0)

    def _click(self, stage: Viewer, mouse: Mouse) -> None:
        panel = self._shown.panel_at(mouse.column, mouse.line) if self._shown else None
        if mouse.kind == "press" and panel is not None:
            self._open(stage, panel)

    def _open(self, stage: Viewer, number: int) -> None:
        names = stage.picture.window.by_time_waited()
        if number < len(names):
            stage.close()
            show_series(stage, names[number])


def _per_page(size: TerminalSize, count: int) -> int:
    columns, rows = grid_shape(size, count)
    return max(1, columns * rows)


def _span(stage: Viewer, shown: Sequence[str], count: int) -> _Span:
    """The time of the panels. Series with intervals of other lengths have columns of the longest."""
    window, columns = stage.picture.window, grid_columns(stage.size, count)
    usual = [window[name].usual_seconds() for name in shown]
    longest = max(usual, default=1.0)
    width = stage.at.width or (longest if longest > ALIKE * min(usual, default=1.0) else None)
    end = stage.at.end or window.end or 0
    return _Span(end - columns * round((width or longest) * 1e6), end, columns, width)


def _panel(stage: Viewer, name: str, span: _Span, share: float) -> GridPanel:
    """A series over the time that all panels show."""
    selection = stage.picture.window.select(name, span.columns, span.width, span.end)
    summary = selection.newest(int((selection.columns["end"] > span.start).sum())).summary()
    seconds = summary.span or 1.0
    matrix = selection.matrix(stage.at.resolution)
    return GridPanel(name, matrix, summary.events / seconds, summary.waited / seconds, share)
