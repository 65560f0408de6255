"""The grid: small maps of all series on one colour scale, sorted by time waited, most first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import UsageError
from ..session import TerminalSize
from ..view import DrawnPicture
from ..view.boxes import matching_series
from ..view.grid import DrawnGrid, GridPanel, draw_grid, grid_columns, grid_shape
from ..view.layout import Geometry, ScaleMemory, Selected, Status
from ..window import Window, fitting_width
from .actions.navigation import on_grid, pause_view
from .actions.selecting import drop_selection
from .actions.series_choice import show_series, stack_about
from .terminal.input_events import Mouse, Pasted
from .viewer.prompts import ask_on_last_line
from .viewer.viewer import Layer, TrailStep, UserInput, Viewer

KEYS = (
    ("arrows", "choose"),
    ("Enter", "open"),
    ("1-9", "open one"),
    ("drag", "select"),
    ("[ ] wheel", "time"),
    ("PgDn", "next page"),
    ("v", "stack"),
    ("w", "who is there"),
    ("f i b", "maps"),
    ("/", "only some"),
    ("g", "back to one"),
    ("?", "help"),
    ("q", "quit"),
)
FAR = 1_000_000
FILTER_HINT = "words of their names; empty: all; Enter, Esc"
UNKNOWN = "this key does nothing in the grid: ? help"
_PASSED_ON = frozenset([*" afibcxpdtro<>.msSuy{}AB?q", "KEY_BACKSPACE"])
"""Keys that do the same in the grid as in the main view."""
ALIKE = 1.05
"""If the lengths of intervals differ by a smaller factor, each interval is one column."""
_NOWHERE = Geometry((), 0, 0, 1, 0, np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 2), np.intp))
"""An empty geometry: in the grid no single cell shows a moment and a latency."""
_CLOSING = ("g", "KEY_ESCAPE")
ZOOMS = "[]"
WHEEL = {"wheel-up": "[", "wheel-down": "]"}
_NOT_HERE = {
    "D": "the difference map is of one series: Enter opens the chosen one first",
    "%": "percentiles need larger maps than these: Enter opens the chosen series, v stacks it",
}


class _Span(NamedTuple):
    """The time that all panels show (epoch microseconds), in ``columns`` of ``width`` seconds; None: intervals."""

    start: int
    end: int
    columns: int
    width: float | None


class _Press(NamedTuple):
    """Where a mouse button was pressed: the number of a series, and the end of a column. ``drags``: it has moved."""

    panel: int
    moment: int
    place: TrailStep
    drags: bool = False


class GridView:
    """Replaces the view below and passes the keys for time and colours on to it."""

    def __init__(self, below: Layer) -> None:
        self._below = below
        self._memory = ScaleMemory()
        self._chosen = 0
        self._shown: DrawnGrid | None = None
        self._filter = ""
        self._known: tuple[object, dict[str, float]] = (None, {})
        self._pressed: _Press | None = None
        self._span: _Span | None = None

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The page of panels with the chosen one."""
        names = self._names(viewer)
        self._chosen = max(0, min(self._chosen, len(names) - 1))
        page = _per_page(viewer.size, len(names))
        first = self._chosen // page * page
        shown = names[first : first + page]
        span = self._span = _span(viewer, shown, len(names))
        waited = self._waited(viewer.picture.window, span)
        everything = sum(waited.values()) or 1.0
        self._shown = draw_grid(
            [_panel(viewer, name, span, waited[name] / everything) for name in shown],
            viewer.picture.described(
                self._status(viewer), viewer.viewpoint, names[0], span.width or viewer.column_micros / 1e6
            ),
            viewer.picture.view(viewer.viewpoint),
            viewer.size,
            self._memory,
            chosen=self._chosen,
            first=first,
            total=len(names),
            hidden_share=1 - sum(waited[name] for name in shown) / everything,
            selected=viewer.viewpoint.selected,
        )
        viewer.geometry = _NOWHERE._replace(maxima=self._shown.maxima, slots=self._shown.slots)
        return DrawnPicture(self._shown.cells, viewer.geometry)

    def _waited(self, window: Window, span: _Span) -> dict[str, float]:
        """Seconds that each series waited in the time shown; recomputed if that time changes or data arrive."""
        subject = span, sum(window[name].events for name in window.names()), len(window)
        if self._known[0] != subject:
            found = {name: window[name].waited_between(span.start, span.end) for name in window.names()}
            self._known = subject, found
        return self._known[1]

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Choose and open a series, or go back. The view below handles the keys for time and colours."""
        if isinstance(event, Mouse):
            self._use_mouse(viewer, event)
        elif isinstance(event, Pasted):
            return
        elif event == "KEY_ESCAPE" and self._filter:
            self._filter = ""
        elif event == "KEY_ESCAPE" and viewer.viewpoint.selected is not None:
            drop_selection(viewer)
        elif event in _CLOSING:
            viewer.close()
        elif event == "/":
            ask_on_last_line(viewer, "only series with", self._filter, FILTER_HINT, self._narrow)
        elif event == "KEY_ENTER":
            self._open(viewer, self._chosen)
        elif len(event) == 1 and event in "123456789":
            self._open(viewer, int(event) - 1)
        elif event in ZOOMS:
            self._zoom(viewer, event)
        elif event in _NOT_HERE:
            viewer.notice = _NOT_HERE[event]
        elif event == "w":
            self._ask_who(viewer)
        elif event == "v":
            self._stack(viewer)
        elif event in _PASSED_ON:
            self._below.handle(viewer, event)
        elif step := self._step(event):
            self._chosen = max(0, self._chosen + step)
        else:
            viewer.notice = UNKNOWN

    def _narrow(self, viewer: Viewer, text: str) -> None:
        """Show only the series whose names have all of these words."""
        if not matching_series(viewer.picture.window.by_time_waited(), text):
            raise UsageError(f"no series has {text.strip()!r} in its name")
        self._filter, self._chosen = text.strip(), 0

    def _names(self, viewer: Viewer) -> list[str]:
        """The series that are shown, most time waited first."""
        names = viewer.picture.window.by_time_waited()
        found = matching_series(names, self._filter) if self._filter else []
        return [names[place] for place in found] or list(names)

    def _status(self, viewer: Viewer) -> Status:
        status = viewer.status(KEYS, "")
        return status._replace(flags=(f"only {self._filter}", *status.flags)) if self._filter else status

    def _step(self, event: str) -> int:
        """The number of panels by which a key moves."""
        shown = self._shown
        columns, page = (shown.columns, shown.per_page) if shown else (1, 1)
        steps = {
            "KEY_LEFT": -1,
            "KEY_RIGHT": 1,
            "KEY_UP": -columns,
            "KEY_DOWN": columns,
            "KEY_PGUP": -page,
            "KEY_PGDOWN": page,
            "KEY_HOME": -FAR,
            "KEY_END": FAR,
            "KEY_TAB": 1,
            "KEY_BTAB": -1,
        }
        return steps.get(event, 0)

    def _use_mouse(self, viewer: Viewer, mouse: Mouse) -> None:
        """A click opens a series; dragging selects a time, of all of them; the wheel changes the time per column."""
        panel = self._shown.panel_at(mouse.column, mouse.line) if self._shown else None
        moment = self._shown.moment_at(mouse.column) if self._shown else None
        if mouse.kind in WHEEL:
            self._zoom(viewer, WHEEL[mouse.kind], mouse)
        elif mouse.kind == "press":
            self._pressed = None if panel is None or moment is None else _Press(panel, moment, viewer.place)
        elif self._pressed is None or moment is None:
            return
        elif mouse.kind == "drag":
            self._drag(viewer, self._pressed, panel, moment)
        elif mouse.kind == "release":
            pressed, self._pressed = self._pressed, None
            if pressed.drags:
                viewer.remember(pressed.place)
            else:
                self._open(viewer, pressed.panel)

    def _drag(self, viewer: Viewer, pressed: _Press, panel: int | None, moment: int) -> None:
        """Select from the column on which the button was pressed to the one under the pointer, within its panel."""
        if panel == pressed.panel and moment == pressed.moment and not pressed.drags:
            return
        self._pressed = pressed._replace(drags=True)
        if panel != pressed.panel:
            return
        self._chosen = pressed.panel
        first, last = sorted((moment, pressed.moment))
        width = round(self._shown.interval * 1e6) if self._shown else 0
        viewer.viewpoint = viewer.viewpoint._replace(selected=Selected(first - width, last))

    def _zoom(self, viewer: Viewer, key: str, mouse: Mouse | None = None) -> None:
        """Change the time per column, from what it is in the panels, which have less room than one picture. Under the
        pointer, or else in the middle of a selection, the time keeps its place.
        """
        before, span, shown, chosen = viewer.viewpoint, self._span, self._shown, viewer.viewpoint.selected
        if before.fitted and before.follows and span is not None:
            viewer.viewpoint = before._replace(width=span.width)
        self._below.handle(viewer, key)
        about, share = None, 0.5
        if mouse is not None and shown is not None:
            about, share = shown.moment_at(mouse.column), shown.share_at(mouse.column)
        elif chosen is not None:
            about = (chosen.begin + chosen.end) // 2
        is_other = (viewer.viewpoint.width, viewer.viewpoint.fitted) != (before.width, before.fitted)
        if about is not None and is_other and not viewer.viewpoint.fitted:
            _keep_in_place(viewer, about, share, len(self._names(viewer)))

    def _ask_who(self, viewer: Viewer) -> None:
        """Open the chosen series, and say who is in the selected time of it, else in all the time that is shown."""
        names, span, before = self._names(viewer), self._span, viewer.place
        start = viewer.picture.window.start
        if span is None or start is None:
            return
        chosen = viewer.viewpoint.selected or Selected(max(span.start, start), span.end)
        viewer.close()
        show_series(viewer, names[self._chosen])
        viewer.viewpoint = viewer.viewpoint._replace(selected=chosen, pointer=None)
        viewer.remember(before)
        self._below.draw(viewer)
        self._below.handle(viewer, "w")

    def _stack(self, viewer: Viewer) -> None:
        """Draw the chosen series above another one, in place of the grid."""
        before = viewer.place
        if stack_about(viewer, self._names(viewer)[self._chosen]):
            viewer.close()
            viewer.remember(before)

    def _open(self, viewer: Viewer, number: int) -> None:
        names = self._names(viewer)
        if number < len(names):
            viewer.close()
            show_series(viewer, names[number])
        else:
            viewer.notice = f"there are only {len(names)} series here"


def _keep_in_place(viewer: Viewer, about: int, share: float, count: int) -> None:
    """Move the panels so that a moment (epoch microseconds) is at a share of their width, as far as there are data."""
    window, columns, micros = viewer.picture.window, grid_columns(viewer.size, count), viewer.column_micros
    first, newest = window.start or 0, window.end or 0
    end = about + round((1 - share) * columns) * micros
    end = max(on_grid(viewer, end), on_grid(viewer, first + columns * micros))
    if end >= newest:
        viewer.viewpoint = viewer.viewpoint._replace(end=None)
        return
    if viewer.is_live:
        pause_view(viewer)
    viewer.viewpoint = viewer.viewpoint._replace(end=end)


def _per_page(size: TerminalSize, count: int) -> int:
    columns, rows = grid_shape(size, count)
    return max(1, columns * rows)


def _span(viewer: Viewer, shown: Sequence[str], count: int) -> _Span:
    """The time of the panels. If the lengths of intervals differ, all columns have the longest."""
    window, columns = viewer.picture.window, grid_columns(viewer.size, count)
    usual = [window[name].usual_seconds() for name in shown]
    longest = max(usual, default=1.0)
    width = viewer.viewpoint.width or (longest if longest > ALIKE * min(usual, default=1.0) else None)
    end = viewer.viewpoint.end or window.end or 0
    if viewer.viewpoint.fitted and viewer.viewpoint.follows and window.start is not None:
        width = fitting_width(window.start, end, longest, columns)
    return _Span(end - columns * round((width or longest) * 1e6), end, columns, width)


def _panel(viewer: Viewer, name: str, span: _Span, share: float) -> GridPanel:
    """The panel of a series over the time that all panels show."""
    selection = viewer.picture.window.select(name, span.columns, span.width, span.end)
    summary = selection.newest(int((selection.columns["end"] > span.start).sum())).summary()
    seconds = summary.span or 1.0
    matrix = selection.matrix(viewer.viewpoint.resolution)
    return GridPanel(name, matrix, summary.events / seconds, summary.waited / seconds, share)
