"""The main view: two maps of one series, and the keys that move in them."""

from __future__ import annotations

from ..view import DrawnPicture
from ..view.comparison import draw_table_page, is_alone
from ..view.layout import NO_MAPS
from .actions.cursor import drop_if_scrolled_out, point_with_mouse
from .bindings import actions_by_event, key_hints
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import UserInput, Viewer

UNKNOWN = "this key does nothing here: ? help"


class MainView:
    """``message`` is about the source, or empty; a notice to the user is shown instead of it."""

    def __init__(self) -> None:
        self.message = ""

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The picture. Its geometry is kept for the keys."""
        drawn = self._picture(viewer)
        viewer.geometry = drawn.geometry
        if drop_if_scrolled_out(viewer):
            drawn = self._picture(viewer)
        return drawn

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Run the action of a key or of the mouse. Pasted text is ignored, because there is nothing to type here."""
        if isinstance(event, Mouse):
            point_with_mouse(viewer, event)
        elif isinstance(event, Pasted):
            return
        elif act := actions_by_event().get(event):
            viewer.viewpoint = viewer.viewpoint._replace(stays=False)
            act(viewer)
        else:
            viewer.notice = UNKNOWN

    def _picture(self, viewer: Viewer) -> DrawnPicture:
        page = viewer.sides_page()
        keys = key_hints(
            paused=viewer.paused,
            pointing=viewer.viewpoint.pointer is not None,
            selected=viewer.viewpoint.selected is not None,
            replay=viewer.player is not None,
            several=len(viewer.picture.window) > 1,
            ended=viewer.source_ended,
            whole=viewer.viewpoint.fitted,
            stacked=bool(viewer.picture.stacked(viewer.viewpoint)),
            named="" if page is None else page.chip,
        )
        tick, status = None if viewer.is_bare else viewer.tick, viewer.status(keys, self.message)
        if status.sides is not None and is_alone(status.sides, viewer.size):
            view = viewer.picture.view(viewer.viewpoint)
            return DrawnPicture(draw_table_page(status.sides, status, viewer.size, view), NO_MAPS)
        return viewer.picture.drawn(viewer.viewpoint, viewer.size, status, tick)
