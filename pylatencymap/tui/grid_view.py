"""All series at once: small multiples on one colour scale, those with the most time waited first."""

from __future__ import annotations

import numpy as np

from ..session.picture import Size
from ..view.geometry import Drawn, Geometry
from ..view.grid import DrawnGrid, draw_grid
from ..view.grid_layout import grid_columns, grid_shape
from ..view.grid_panel import GridPanel
from ..view.memory import Memory
from .events import Mouse, Pasted
from .series import show
from .stage import Input, Mode, Stage

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
_NOWHERE = Geometry((), 0, 0, 1, 0, np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 2), np.intp))
"""There is no single place that shows a moment and a latency."""
_CLOSING = ("g", "KEY_ESCAPE")


class GridView:
    """In the place of the view below, to which it passes on the keys for time and colours."""

    def __init__(self, below: Mode) -> None:
        self._below = below
        self._memory = Memory()
        self._chosen = 0
        self._shown: DrawnGrid | None = None

    def drawn(self, stage: Stage) -> Drawn:
        """The page of panels that holds the chosen one."""
        names = stage.picture.window.by_time_waited()
        self._chosen = max(0, min(self._chosen, len(names) - 1))
        page = _per_page(stage.size, len(names))
        first = self._chosen // page * page
        waited = [stage.picture.window[name].waited for name in names]
        everything = sum(waited) or 1.0
        self._shown = draw_grid(
            [
                _panel(stage, names[number], len(names), waited[number] / everything)
                for number in range(first, min(first + page, len(names)))
            ],
            stage.picture.described(stage.status(KEYS, ""), stage.at, names[0], stage.column_micros / 1e6),
            stage.picture.view(stage.at),
            stage.size,
            self._memory,
            chosen=self._chosen,
            first=first,
            total=len(names),
            hidden_share=1 - sum(waited[first : first + page]) / everything,
        )
        stage.geometry = _NOWHERE._replace(maxima=self._shown.maxima)
        return Drawn(self._shown.cells, stage.geometry)

    def answer(self, stage: Stage, event: Input) -> None:
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

    def _click(self, stage: Stage, mouse: Mouse) -> None:
        panel = self._shown.panel_at(mouse.column, mouse.line) if self._shown else None
        if mouse.kind == "press" and panel is not None:
            self._open(stage, panel)

    def _open(self, stage: Stage, number: int) -> None:
        names = stage.picture.window.by_time_waited()
        if number < len(names):
            stage.close()
            show(stage, names[number])


def _per_page(size: Size, count: int) -> int:
    columns, rows = grid_shape(size, count)
    return max(1, columns * rows)


def _panel(stage: Stage, name: str, count: int, share: float) -> GridPanel:
    """A series over the time that all panels show."""
    at, window = stage.at, stage.picture.window
    selection = window.select(name, grid_columns(stage.size, count), at.width, at.end or window.end)
    summary = selection.summary()
    seconds = summary.span or 1.0
    matrix = selection.matrix(at.resolution)
    return GridPanel(name, matrix, summary.events / seconds, summary.waited / seconds, share)
