"""The list of what stands out: changes, gaps, resets, marks; most costly first."""

from __future__ import annotations

from ..session import NotableMoment
from ..text.clean import printable
from ..view import DrawnPicture
from ..view.boxes import MomentRow, moment_lines, with_box, with_last_line
from ..view.style import NOTICE
from .actions.selecting import show_moment
from .terminal.input_events import Mouse, Pasted
from .viewer.viewer import Layer, UserInput, Viewer

PAGE = 10
FAR = 1_000_000
_CORNER = "Enter goes there, Esc closes"
_STEPS = {"KEY_UP": -1, "KEY_DOWN": 1, "KEY_PGUP": -PAGE, "KEY_PGDOWN": PAGE, "KEY_HOME": -FAR, "KEY_END": FAR}
_CLOSING = ("KEY_ESCAPE", "l", "q")
UNKNOWN = "this key does nothing in the list: arrows, Enter, Esc, ? help"


class MomentsView:
    """A box over the view below. The list does not change while it is open."""

    def __init__(self, below: Layer, moments: tuple[NotableMoment, ...]) -> None:
        self._below = below
        self._moments = moments
        self._rows = [MomentRow(one.sign, one.when, one.what, one.cost_text, one.cost_words) for one in moments]
        self._chosen = 0

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The list over the picture."""
        drawn = self._below.draw(viewer)
        lines = moment_lines(self._rows, self._chosen, viewer.viewpoint.view, viewer.size)
        whose = _series_of_several(viewer)
        place = f" in {whose}" if whose else ""
        place += f" in {viewer.seen_so_far}" if viewer.seen_so_far else ""
        title = f"What stands out{place}, most costly first"
        box = with_box(drawn.cells, lines, viewer.viewpoint.view, title=title, corner=_CORNER)
        return drawn._replace(cells=with_last_line(box, ((f" {viewer.notice}", NOTICE),)) if viewer.notice else box)

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Arrows choose, Enter goes there, Esc closes."""
        if isinstance(event, Mouse | Pasted):
            return
        if event in _CLOSING:
            viewer.close()
        elif event == "KEY_ENTER":
            viewer.close()
            before = viewer.place
            show_moment(viewer, self._moments[self._chosen])
            viewer.remember(before)
        elif event in _STEPS:
            self._chosen = max(0, min(len(self._rows) - 1, self._chosen + _STEPS[event]))
        elif event == "?":
            self._below.handle(viewer, event)  # the help lies over the list
        else:
            viewer.notice = UNKNOWN


def _series_of_several(viewer: Viewer) -> str:
    """The series that moments are of, as it is shown, where there are others; else empty, as for the sum of all."""
    picture, at = viewer.picture, viewer.viewpoint
    return "" if len(picture.window) < 2 or picture.is_sum(at) else printable(picture.series(at) or "")
