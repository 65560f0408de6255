"""The help: how to read the maps, with the data on the screen as the example, and the keys."""

from __future__ import annotations

from ..view.boxes.help import help_lines
from ..view.boxes.help_tables import KeyHelp
from ..view.boxes.help_text import facts_of
from ..view.boxes.overlay import overlay, with_last_line
from ..view.draw import Drawn
from ..view.frame.status import Status
from ..view.style.ink import NOTICE
from .keeping import save
from .stage import Input, Mode, Stage
from .terminal.events import Mouse, Pasted

_CLOSING = ("?", "q", "KEY_ESCAPE", "KEY_ENTER")
_BACK = ("KEY_PGUP", "KEY_UP", "KEY_LEFT", "KEY_BACKSPACE")


class HelpView:
    """Over the view below, on pages where the terminal is small."""

    def __init__(self, below: Mode, keys: tuple[KeyHelp, ...]) -> None:
        self._below = below
        self._keys = keys
        self._page = 0

    def drawn(self, stage: Stage) -> Drawn:
        """A page over the picture."""
        drawn = self._below.drawn(stage)
        scene = stage.picture.scene(stage.at, stage.size, Status(label="pylatencymap"))
        facts = facts_of(scene, drawn.geometry.maxima, half=drawn.geometry.half)
        page = help_lines(facts, self._keys, stage.picture.view(stage.at), stage.size, self._page)
        box = overlay(drawn.cells, page.lines, stage.at.view, title=page.title, corner=page.corner)
        return drawn._replace(cells=with_last_line(box, ((f" {stage.notice}", NOTICE),)) if stage.notice else box)

    def answer(self, stage: Stage, event: Input) -> None:
        """Whatever one would try closes it, ``s`` saves it as a picture; other keys turn the page."""
        if isinstance(event, Mouse | Pasted):
            return
        if event in _CLOSING:
            stage.close()
        elif event == "s":
            save(stage)
        else:
            self._page += -1 if event in _BACK else 1
