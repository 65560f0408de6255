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
    """A box over the view below, with several pages on a small terminal."""

    def __init__(self, below: Layer, keys: tuple[KeyHelp, ...]) -> None:
        self._below = below
        self._keys = keys
        self._page = 0

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The current page over the picture."""
        drawn = self._below.draw(viewer)
        scene = viewer.picture.scene(viewer.viewpoint, viewer.size, Status(label="pylatencymap"))
        facts = facts_of(scene, drawn.geometry.maxima, half=drawn.geometry.half, bounds=drawn.geometry.bounds)
        page = help_lines(facts, self._keys, viewer.picture.view(viewer.viewpoint), viewer.size, self._page)
        box = with_box(drawn.cells, page.lines, viewer.viewpoint.view, title=page.title, corner=page.corner)
        return drawn._replace(cells=with_last_line(box, ((f" {viewer.notice}", NOTICE),)) if viewer.notice else box)

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Close on ``?``, ``q``, Esc and Enter; save a picture of the help on ``s``; other keys turn the page."""
        if isinstance(event, Mouse | Pasted):
            return
        if event in _CLOSING:
            viewer.close()
        elif event == "s":
            save_view(viewer)
        else:
            self._page += -1 if event in _BACK else 1
