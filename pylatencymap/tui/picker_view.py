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
_TITLE, _CORNER = "Series, over all that is kept", "Enter shows it, Esc closes"
_STEPS = {"KEY_UP": -1, "KEY_DOWN": 1, "KEY_PGUP": -PAGE, "KEY_PGDOWN": PAGE, "KEY_HOME": -FAR, "KEY_END": FAR}


class PickerView:
    """Over the view below. The list is that of the moment at which it was opened: it must not move under the user.

    The first entry is the sum of all, where there are several.
    """

    def __init__(self, below: Layer, stage: Viewer) -> None:
        self._below = below
        self._rows = _rows(stage)
        self._filter = ""
        self._chosen = 0

    def drawn(self, stage: Viewer) -> DrawnPicture:
        """The list over the picture."""
        drawn = self._below.drawn(stage)
        lines = picker_lines(self._rows, self._filter, self._chosen, stage.at.view, stage.size)
        return drawn._replace(cells=with_box(drawn.cells, lines, stage.at.view, title=_TITLE, corner=_CORNER))

    def answer(self, stage: Viewer, event: UserInput) -> None:
        """Type to narrow, arrows to choose, Enter to show."""
        found = matching_series([row.name for row in self._rows], self._filter)
        if isinstance(event, Mouse):
            return
        if event in ("KEY_ESCAPE", "KEY_ENTER"):
            stage.close()
            if event == "KEY_ENTER" and found:
                _show(stage, self._rows[found[self._chosen]])
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


def _rows(stage: Viewer) -> list[SeriesRow]:
    """All series with their numbers, most waited first, behind their sum, which has none."""
    window = stage.picture.window
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


def _show(stage: Viewer, row: SeriesRow) -> None:
    if row.number == 0:
        show_sum(stage)
    else:
        show_series(stage, row.name)
