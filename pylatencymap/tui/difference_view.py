"""The difference map of A and B, in place of the two maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..session import event_noun
from ..view import DrawnPicture
from ..view.layout import NO_MAPS
from ..view.style import ColourDepth
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import Layer, UserInput, Viewer

if TYPE_CHECKING:
    from ..view.comparison import ComparedMap, DifferencePlan
    from ..view.style import ViewOptions

KEYS = (
    ("D", "the maps"),
    ("B", "another B"),
    ("f i b", "maps"),
    ("Tab", "series"),
    ("y", "copy"),
    ("s", "save"),
    ("?", "help"),
    ("q", "quit"),
)
UNKNOWN = "this key does nothing in the difference map: D or Esc goes back"
_PASSED_ON = frozenset([*" fibduosSmy0123456789Bq?", "KEY_TAB", "KEY_BTAB"])
"""Keys that do the same here as in the main view."""
_BACK = frozenset(["D", "KEY_ESCAPE"])


class DifferenceView:
    """Replaces the view below until ``D`` or Esc; Backspace takes the last step back there."""

    def __init__(self, below: Layer) -> None:
        self._below = below

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """Title, verdict, differences."""
        from ..view.comparison import draw_difference, plan_difference

        status = viewer.status(KEYS, "")
        page = status.sides
        if page is None or not page.has_table:
            return self._below.draw(viewer)
        view = viewer.picture.view(viewer.viewpoint)
        plan = plan_difference(viewer.size, view)
        history = viewer.picture.window[viewer.picture.series(viewer.viewpoint) or ""]
        maps = self._maps(viewer, plan, view)
        noun = event_noun(history.label, history.source)
        viewer.geometry = NO_MAPS
        return DrawnPicture(draw_difference(plan, page, status, noun, maps, view), NO_MAPS)

    @staticmethod
    def _maps(viewer: Viewer, plan: DifferencePlan, view: ViewOptions) -> tuple[ComparedMap, ...] | None:
        """The maps, as soon as they are made."""
        halves = view.depth not in (ColourDepth.MONO, ColourDepth.ASCII)
        wanted = plan.kinds, plan.rows, plan.width, halves
        screen, ended = viewer.screen_times(), viewer.source_ended
        return viewer.sides.maps(viewer.picture, viewer.viewpoint, screen, wanted, ended=ended)

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Go back, or let the view below do it."""
        page = viewer.sides_page()
        if page is None or not page.has_table:
            viewer.close()
            viewer.layers[-1].handle(viewer, event)
        elif event in _BACK:
            viewer.close()
        elif isinstance(event, Mouse | Pasted):
            return
        elif event == "KEY_BACKSPACE":
            viewer.close()
            viewer.layers[-1].handle(viewer, event)
        elif event in _PASSED_ON:
            self._below.handle(viewer, event)
        else:
            viewer.notice = UNKNOWN
