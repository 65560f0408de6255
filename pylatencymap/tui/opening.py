"""Keys that lay something over the main view: the grid, the list of series, the help."""

from __future__ import annotations

from ..view.boxes.help_tables import KeyHelp
from .grid_view import GridView
from .help_view import HelpView
from .picker_view import PickerView
from .stage import Stage


def grid(stage: Stage) -> None:
    """All series at once, most waited first."""
    if len(stage.picture.window) < 2:
        stage.notice = "there is only one series: the grid would show the same"
    else:
        stage.open(GridView(stage.modes[-1]))


def picker(stage: Stage) -> None:
    """The list of series, to choose by name."""
    if len(stage.picture.window):
        stage.open(PickerView(stage.modes[-1], stage))


def explain(stage: Stage, keys: tuple[KeyHelp, ...]) -> None:
    """How to read the maps, and these keys."""
    stage.open(HelpView(stage.modes[-1], keys))
