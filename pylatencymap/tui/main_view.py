"""The main view: two maps of one series, and the keys that move in them."""

from __future__ import annotations

from ..view.draw import Drawn
from .bindings import acts, hints
from .cursor import drop_where_gone, point
from .stage import Input, Stage
from .terminal.events import Mouse, Pasted


class MainView:
    """``message`` is what the source has to say, if anything; a notice to the user goes before it."""

    def __init__(self) -> None:
        self.message = ""

    def drawn(self, stage: Stage) -> Drawn:
        """The picture; where its data are is remembered for the keys."""
        drawn = self._drawn(stage)
        stage.geometry = drawn.geometry
        if drop_where_gone(stage):
            drawn = self._drawn(stage)
        return drawn

    def answer(self, stage: Stage, event: Input) -> None:
        """What was pasted is text, and there is no text to type here."""
        if isinstance(event, Mouse):
            point(stage, event)
        elif not isinstance(event, Pasted) and (act := acts().get(event)):
            act(stage)

    def _drawn(self, stage: Stage) -> Drawn:
        keys = hints(
            paused=stage.paused,
            pointing=stage.at.pointer is not None,
            replay=stage.player is not None,
            several=len(stage.picture.window) > 1,
        )
        return stage.picture.drawn(stage.at, stage.size, stage.status(keys, self.message), stage.tick)
