"""Keys that lay something over the main view: the grid, the list of series, the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .viewer.viewer import Viewer

if TYPE_CHECKING:
    from ..view.boxes import KeyHelp


def open_grid(stage: Viewer) -> None:
    """All series at once, most waited first."""
    from .grid_view import GridView

    if len(stage.picture.window) < 2:
        stage.notice = "there is only one series: the grid would show the same"
    else:
        stage.open(GridView(stage.modes[-1]))


def open_picker(stage: Viewer) -> None:
    """The list of series, to choose by name."""
    from .picker_view import PickerView

    if len(stage.picture.window):
        stage.open(PickerView(stage.modes[-1], stage))


def open_help(stage: Viewer, keys: tuple[KeyHelp, ...]) -> None:
    """How to read the maps, and these keys."""
    from .help_view import HelpView

    stage.open(HelpView(stage.modes[-1], keys))
