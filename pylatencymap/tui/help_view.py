"""The help: how to read the maps, with the data on the screen as the example, and the keys."""

from __future__ import annotations

from ..view import DrawnPicture
from ..view.boxes import KeyHelp, facts_of, help_lines, with_box, with_last_line
from ..view.layout import Status
from ..view.style import NOTICE
from .actions.mark_and_save import save_view
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import Layer, UserInput, Viewer

_CLOSING = ("?", "q", "KEY_ESCAPE", "KEY_ENTER")
_BACK = ("KEY_PGUP", "KEY_UP", "KEY_LEFT", "KEY_BACKSPACE")


class HelpView:
    """Over the view below, on pages where the terminal is small."""

    def __init__(self, below: Layer, keys: tuple[KeyHelp, ...]) -> None:
        self._below = below
        self._keys = keys
        self._page = 0

    def drawn(self, stage: Viewer) -> DrawnPicture:
        """A page over the picture."""
        drawn = self._below.drawn(stage)
        scene = stage.picture.scene(stage.at, stage.size, Status(label="pylatencymap"))
        facts = facts_of(scene, drawn.geometry.maxima, half=drawn.geometry.half)
        page = help_lines(facts, self._keys, stage.picture.view(stage.at), stage.size, self._page)
        box = with_box(drawn.cells, page.lines, stage.at.view, title=page.title, corner=page.corner)
        return drawn._replace(cells=with_last_line(box, ((f" {stage.notice}", NOTICE),)) if stage.notice else box)

    def answer(self, stage: Viewer, event: UserInput) -> None:
        """Whatever one would try closes it, ``s`` saves it as a picture; other keys turn the page."""
        if isinstance(event, Mouse | Pasted):
            return
        if event in _CLOSING:
            stage.close()
        elif event == "s":
            save_view(stage)
        else:
            self._page += -1 if event in _BACK else 1
