"""Keys and clicks that move the cursor: a crosshair that reads out one cell."""

from __future__ import annotations

from collections.abc import Callable

from ..terminal.input_events import Mouse
from ..viewer.viewer import Viewer
from .navigation import narrow_columns, show_until, widen_columns

FAR = 10
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
            return
        if pointer is not None and columns and moved.micros == pointer.micros:
            _scroll(viewer, columns)
        else:
            viewer.viewpoint = viewer.viewpoint._replace(pointer=moved)

    return act


def remove_cursor(viewer: Viewer) -> None:
    """Remove the cursor."""
    viewer.viewpoint = viewer.viewpoint._replace(pointer=None)


def point_with_mouse(viewer: Viewer, mouse: Mouse) -> None:
    """A click places the cursor; the wheel changes the time per column."""
    if mouse.kind == "wheel-up":
        narrow_columns(viewer)
    elif mouse.kind == "wheel-down":
        widen_columns(viewer)
    elif mouse.kind == "press" and viewer.geometry is not None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=viewer.geometry.pointer_at(mouse.column, mouse.line))


def drop_if_scrolled_out(viewer: Viewer) -> bool:
    """Remove the cursor if its column has left the screen: it would read out a cell that is not visible. Returns
    whether it was removed.
    """
    geometry, pointer = viewer.geometry, viewer.viewpoint.pointer
    if geometry is None or pointer is None or geometry.column_of(pointer.micros) is not None:
        return False
    remove_cursor(viewer)
    viewer.notice = "the cursor's column has left the screen; space holds the picture still"
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
