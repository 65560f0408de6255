"""The main view: two maps of one series, and the keys that move in them."""

from __future__ import annotations

from ..view import DrawnPicture
from .actions.cursor import drop_if_scrolled_out, point_with_mouse
from .bindings import actions_by_event, key_hints
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import UserInput, Viewer


class MainView:
    """``message`` is what the source has to say, if anything; a notice to the user goes before it."""

    def __init__(self) -> None:
        self.message = ""

    def drawn(self, stage: Viewer) -> DrawnPicture:
        """The picture; where its data are is remembered for the keys."""
        drawn = self._drawn(stage)
        stage.geometry = drawn.geometry
        if drop_if_scrolled_out(stage):
            drawn = self._drawn(stage)
        return drawn

    def answer(self, stage: Viewer, event: UserInput) -> None:
        """What was pasted is text, and there is no text to type here."""
        if isinstance(event, Mouse):
            point_with_mouse(stage, event)
        elif not isinstance(event, Pasted) and (act := actions_by_event().get(event)):
            act(stage)

    def _drawn(self, stage: Viewer) -> DrawnPicture:
        keys = key_hints(
            paused=stage.paused,
            pointing=stage.at.pointer is not None,
            replay=stage.player is not None,
            several=len(stage.picture.window) > 1,
        )
        return stage.picture.drawn(stage.at, stage.size, stage.status(keys, self.message), stage.tick)
