"""Choosing a series: a list with rates, narrowed by typing."""

from __future__ import annotations

from ..session import SUM_SERIES, series_shares
from ..view import DrawnPicture
from ..view.boxes import SeriesRow, matching_series, picker_lines, with_box
from ..window import Window
from .actions.series_choice import show_series, show_sum
from .terminal.input_events import Mouse
from .viewer.viewer import Layer, UserInput, Viewer

PAGE = 10
FAR = 1_000_000
_TITLE, _CORNER = "Series, over all that is kept", "space ticks for v, Enter shows, Esc"
MOST_TICKED = 3
_STEPS = {"KEY_UP": -1, "KEY_DOWN": 1, "KEY_PGUP": -PAGE, "KEY_PGDOWN": PAGE, "KEY_HOME": -FAR, "KEY_END": FAR}


class PickerView:
    """A box over the view below. The list does not change while it is open, so that it does not move under the user.

    If there are several series, the first entry is their sum.
    """

    def __init__(self, below: Layer, viewer: Viewer) -> None:
        self._below = below
        self._rows = _rows(viewer)
        self._filter = ""
        self._chosen = 0

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The list over the picture."""
        drawn = self._below.draw(viewer)
        rows = [row._replace(ticked=row.name in viewer.ticked and row.number != 0) for row in self._rows]
        lines = picker_lines(rows, self._filter, self._chosen, viewer.viewpoint.view, viewer.size)
        return drawn._replace(
            cells=with_box(drawn.cells, lines, viewer.viewpoint.view, title=_TITLE, corner=_corner(viewer))
        )

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Typing narrows the list, arrows choose, space ticks, Enter shows the series, Esc closes."""
        found = matching_series([row.name for row in self._rows], self._filter)
        if isinstance(event, Mouse):
            return
        if event in ("KEY_ESCAPE", "KEY_ENTER"):
            viewer.close()
            if event == "KEY_ENTER" and found:
                _show(viewer, self._rows[found[self._chosen]])
        elif event == " ":
            if found:
                _tick(viewer, self._rows[found[self._chosen]])
        elif event in _STEPS:
            self._chosen = max(0, min(len(found) - 1, self._chosen + _STEPS[event]))
        else:
            self._type(event)

    def _type(self, event: str) -> None:
        if event == "KEY_BACKSPACE":
            self._filter = self._filter[:-1]
        elif event == "\x15":
            self._filter = ""
        elif len(event) == 1 and event.isprintable():
            self._filter += event
        self._chosen = 0


def _corner(viewer: Viewer) -> str:
    """What the keys do; with two ticked or more, what ``v`` does with them."""
    ticked = len(viewer.ticked)
    return f"{ticked} ticked: Esc v stacks them" if ticked > 1 else _CORNER


def _tick(viewer: Viewer, row: SeriesRow) -> None:
    """Tick a series, or take its tick away. A fourth tick takes the first one's place; the sum cannot be ticked."""
    if row.name in viewer.ticked:
        viewer.ticked.remove(row.name)
    elif row.number != 0:
        viewer.ticked = [*viewer.ticked[1 - MOST_TICKED :], row.name]


def _rows(viewer: Viewer) -> list[SeriesRow]:
    """All series with their rates and the keys that show them, most time waited first; their sum comes before them."""
    window = viewer.picture.window
    rows = [
        SeriesRow(
            one.name,
            one.events_per_second,
            one.waited_per_second,
            one.of_wait,
            one.average,
            number if number < 10 else None,
        )
        for number, one in enumerate(series_shares(window), 1)
    ]
    return [_sum_row(window), *rows] if len(rows) > 1 else rows


def _sum_row(window: Window) -> SeriesRow:
    total = window.total_of_all()
    seconds = total.span or 1.0
    return SeriesRow(SUM_SERIES, total.events / seconds, total.waited / seconds, 1.0, total.average, 0)


def _show(viewer: Viewer, row: SeriesRow) -> None:
    if row.number == 0:
        show_sum(viewer)
    else:
        show_series(viewer, row.name)
