"""Keys and clicks that move the cursor: a crosshair that reads out one cell."""

from __future__ import annotations

from collections.abc import Callable

from ..terminal.input_events import Mouse
from ..viewer.viewer import Viewer
from .navigation import narrow_columns, show_until, widen_columns

FAR = 10
"""Columns or rows of a step with Shift."""


def move_cursor(columns: int, rows: int) -> Callable[[Viewer], None]:
    """A key that moves the cursor; without one it appears at the newest column, in the row with the most wait."""

    def act(stage: Viewer) -> None:
        geometry, pointer = stage.geometry, stage.at.pointer
        if geometry is None:
            return
        moved = geometry.moved(pointer, columns, rows)
        if moved is None:
            return
        if pointer is not None and columns and moved.micros == pointer.micros:
            _scroll(stage, columns)
        else:
            stage.at = stage.at._replace(pointer=moved)

    return act


def remove_cursor(stage: Viewer) -> None:
    """No cursor."""
    stage.at = stage.at._replace(pointer=None)


def point_with_mouse(stage: Viewer, mouse: Mouse) -> None:
    """A click puts the cursor where it is; the wheel changes the time per column."""
    if mouse.kind == "wheel-up":
        narrow_columns(stage)
    elif mouse.kind == "wheel-down":
        widen_columns(stage)
    elif mouse.kind == "press" and stage.geometry is not None:
        stage.at = stage.at._replace(pointer=stage.geometry.pointer_at(mouse.column, mouse.line))


def drop_if_scrolled_out(stage: Viewer) -> bool:
    """A cursor whose column has left the screen ends, for it would read out what nobody sees; whether it did."""
    geometry, pointer = stage.geometry, stage.at.pointer
    if geometry is None or pointer is None or geometry.column_of(pointer.micros) is not None:
        return False
    remove_cursor(stage)
    stage.notice = "the cursor's column has left the screen; space holds the picture still"
    return True


def _scroll(stage: Viewer, columns: int) -> None:
    """The cursor is at the edge: the history moves under it."""
    extent, pointer, right = stage.picture.extent(stage.at), stage.at.pointer, stage.at.end or stage.newest
    if extent is None or pointer is None or right is None:
        return
    step = columns * stage.column_micros
    if extent[0] < pointer.micros + step <= extent[1]:
        show_until(stage, min(right + step, extent[1]))
        stage.at = stage.at._replace(pointer=pointer._replace(micros=pointer.micros + step))
