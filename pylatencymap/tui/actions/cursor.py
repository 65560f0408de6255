"""Keys and clicks that move the cursor: a crosshair that reads out one cell."""

from __future__ import annotations

from collections.abc import Callable

from ...view.layout import Pointer
from ..terminal.input_events import Mouse
from ..viewer.viewer import Press, Viewer, WheelTurn
from .navigation import show_until
from .selecting import drop_selection, select_by_dragging
from .zoom import narrow_columns, show_around, widen_columns

FAR = 10
NO_MAPS_HERE = "this screen is too low for maps beside the table; Esc ends the comparison"
"""Columns or rows of a step with Shift."""


def move_cursor(columns: int, rows: int) -> Callable[[Viewer], None]:
    """A key that moves the cursor. If there is none, it appears at the newest column, in the row with the most time
    waited.
    """

    def act(viewer: Viewer) -> None:
        geometry, pointer = viewer.geometry, viewer.viewpoint.pointer
        if geometry is None:
            return
        moved = geometry.moved(pointer, columns, rows)
        if moved is None:
            viewer.notice = NO_MAPS_HERE if viewer.viewpoint.sides is not None else ""
            return
        here = None if pointer is None else geometry.column_of(pointer.micros)
        if pointer is not None and here == geometry.column_of(moved.micros):
            if columns:
                _scroll(viewer, columns)
            else:
                viewer.viewpoint = viewer.viewpoint._replace(pointer=moved._replace(micros=pointer.micros))
        else:
            _put(viewer, moved)

    return act


def _put(viewer: Viewer, pointer: Pointer) -> None:
    """Put the cursor into a column: at its costliest minute, which is what zooming is about."""
    viewer.viewpoint = viewer.viewpoint._replace(pointer=pointer._replace(micros=viewer.moment_in(pointer.micros)))


def remove_cursor(viewer: Viewer) -> None:
    """Remove the cursor; if there is none, the selection; if there is none either, end the comparison of A and B."""
    if viewer.viewpoint.pointer is None and viewer.viewpoint.selected is None:
        viewer.viewpoint = viewer.viewpoint._replace(sides=None)
    if viewer.viewpoint.pointer is None:
        drop_selection(viewer)
    viewer.viewpoint = viewer.viewpoint._replace(pointer=None)


def point_with_mouse(viewer: Viewer, mouse: Mouse) -> None:
    """A click places the cursor, dragging selects; the wheel changes the time per column, about the place under the
    pointer.
    """
    before = viewer.place
    if mouse.kind in ("wheel-up", "wheel-down"):
        _turn_wheel(viewer, mouse)
        viewer.remember(before)
    elif mouse.kind == "press" and _is_on_overview(viewer, mouse):
        viewer.remember(before)
    elif mouse.kind == "press" and viewer.geometry is not None:
        viewer.viewpoint = viewer.viewpoint._replace(stays=False)
        _press(viewer, viewer.geometry.pointer_at(mouse.column, mouse.line))
    elif mouse.kind == "drag" and viewer.pressed is not None:
        select_by_dragging(viewer, viewer.pressed.pointer, mouse)
    elif mouse.kind == "release" and viewer.pressed is not None:
        viewer.remember(viewer.pressed.place)
        viewer.pressed = None


def _turn_wheel(viewer: Viewer, mouse: Mouse) -> None:
    """Zoom about the column under the pointer. While the pointer rests and nothing else happens, it is about the same
    moment, so that turning to and fro leads back.
    """
    last, now = viewer.wheel, (mouse.column, viewer.newest)
    about = None if viewer.geometry is None else viewer.geometry.moment_at(mouse.column)
    if last is not None and now == (last.column, last.newest) and viewer.place.is_as(last.place):
        about = last.moment
    elif about is not None:
        about = viewer.moment_in(about)
    act = narrow_columns if mouse.kind == "wheel-up" else widen_columns
    act(viewer, about)
    viewer.fit()
    viewer.wheel = None if about is None else WheelTurn(mouse.column, about, viewer.place, viewer.newest)


def _press(viewer: Viewer, pointer: Pointer | None) -> None:
    """Put the cursor on a cell; a click beside the data removes it, and keeps the selection."""
    viewer.pressed = None if pointer is None else Press(pointer, viewer.place)
    if pointer is None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=None)
    else:
        _put(viewer, pointer)
        viewer.viewpoint = viewer.viewpoint._replace(selected=None)


def _is_on_overview(viewer: Viewer, mouse: Mouse) -> bool:
    """Whether the mouse is on the overview: then the screen moves to that moment."""
    moment = None if viewer.geometry is None else viewer.geometry.overview_at(mouse.column, mouse.line)
    if moment is None:
        return False
    if viewer.viewpoint.fitted:
        narrow_columns(viewer, moment)
    show_around(viewer, moment)
    viewer.viewpoint = viewer.viewpoint._replace(stays=True)
    return True


def drop_if_scrolled_out(viewer: Viewer) -> bool:
    """Remove the cursor if its column has left the screen: it would read out a cell that is not visible. Returns
    whether it was removed.
    """
    geometry, pointer = viewer.geometry, viewer.viewpoint.pointer
    if geometry is None or pointer is None or geometry.column_of(pointer.micros) is not None:
        return False
    remove_cursor(viewer)
    advice = "" if viewer.paused or viewer.source_ended else "; space holds the picture still"
    viewer.notice = viewer.notice or f"the cursor's column has left the screen{advice}"
    return True


def _scroll(viewer: Viewer, columns: int) -> None:
    """Scroll the history under a cursor at the edge of the screen."""
    extent, pointer, right = (
        viewer.picture.extent(viewer.viewpoint),
        viewer.viewpoint.pointer,
        viewer.viewpoint.end or viewer.newest,
    )
    if extent is None or pointer is None or right is None:
        return
    step = columns * viewer.column_micros
    if extent[0] < pointer.micros + step <= extent[1]:
        show_until(viewer, min(right + step, extent[1]))
        viewer.viewpoint = viewer.viewpoint._replace(pointer=pointer._replace(micros=pointer.micros + step))
