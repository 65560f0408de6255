"""Keys that choose how much time is on the screen: zoom about the cursor or the pointer, fit all, go back."""

from __future__ import annotations

from ...view.layout import Selected
from ...window import fitting_width, next_narrower, next_wider
from ..viewer.filters import show_filter, take_filter_off
from ..viewer.viewer import Viewer
from .navigation import follow_newest, on_grid, pause_view

NO_NARROWER = "a column is one interval: there is nothing shorter"
NO_WAY_BACK = "there is no step to take back"


def narrow_columns(viewer: Viewer, about: int | None = None) -> None:
    """Less time per column. ``about``: the moment (epoch microseconds) that keeps its place on the screen; without it
    the cursor does.
    """
    if viewer.viewpoint.width is None:
        viewer.notice = NO_NARROWER
        return
    _zoom(viewer, next_narrower(viewer.viewpoint.width, viewer.picture.usual_seconds(viewer.viewpoint)), about)


def widen_columns(viewer: Viewer, about: int | None = None) -> None:
    """More time per column; see ``narrow_columns``. What has ended is fitted at last."""
    viewpoint, extent = viewer.viewpoint, viewer.picture.extent(viewer.viewpoint)
    usual = viewer.picture.usual_seconds(viewpoint)
    wider = next_wider(viewpoint.width, usual)
    if extent is not None and viewer.source_ended:
        fitting = fitting_width(*extent, usual, viewer.picture.columns_at(viewer.size))
        if viewpoint.fitted or fitting is None or wider >= fitting:
            fit_all(viewer)
            return
    _zoom(viewer, wider, about)


def zoom_in(viewer: Viewer) -> None:
    """Zoom into the selection, else about the cursor, else into A and B."""
    if viewer.viewpoint.selected is not None:
        _show_all_of(viewer, viewer.viewpoint.selected)
    elif viewer.viewpoint.pointer is None and (both := _named(viewer)) is not None:
        _show_all_of(viewer, both)
    elif viewer.viewpoint.pointer is not None:
        narrow_columns(viewer)
    else:
        viewer.notice = "put the cursor where to zoom: arrows or a click, n, or t and a time"


def _named(viewer: Viewer) -> Selected | None:
    """The time from the beginning of A or B to the end of the other; None unless both are named."""
    sides = viewer.viewpoint.sides
    if sides is None or sides.a is None or sides.b is None:
        return None
    return Selected(min(sides.a[0], sides.b[0]), max(sides.a[1], sides.b[1]))


def _show_all_of(viewer: Viewer, chosen: Selected) -> None:
    """The shortest columns with which a selection and a bit of both sides are on the screen."""
    usual, columns = viewer.picture.usual_seconds(viewer.viewpoint), viewer.picture.columns_at(viewer.size)
    room = max(columns * 4 // 5, 1)
    width = fitting_width(chosen.begin, max(chosen.end, chosen.begin + 1), usual, room)
    if width is None and viewer.viewpoint.width is None:
        viewer.notice = NO_NARROWER
        return
    viewer.viewpoint = viewer.viewpoint._replace(width=width, fitted=False)
    show_around(viewer, (chosen.begin + chosen.end) // 2)


def fit_all(viewer: Viewer) -> None:
    """Show all that is kept. A live view follows on, and a replay goes on as before."""
    if viewer.player is None:
        follow_newest(viewer)
    viewer.viewpoint = viewer.viewpoint._replace(end=None, fitted=True)


def go_back(viewer: Viewer) -> None:
    """Take back the last step of the trail."""
    place = viewer.step_back()
    if place is None:
        if not take_filter_off(viewer):
            viewer.notice = NO_WAY_BACK
        return
    now, then = viewer.viewpoint, place.viewpoint
    if viewer.is_live and viewer.paused and not place.paused:
        follow_newest(viewer)
    if viewer.is_live and place.paused and not viewer.paused:
        pause_view(viewer)
    viewer.viewpoint = now._replace(
        end=then.end,
        width=then.width,
        fitted=then.fitted,
        series=then.series,
        summed=then.summed,
        stacked=then.stacked,
        pointer=then.pointer,
        selected=then.selected,
        sides=then.sides,
    )
    show_filter(viewer, then.only)


def show_around(viewer: Viewer, moment: int, share: float = 0.5) -> None:
    """Move the screen so that a moment (epoch microseconds) is at ``share`` of its width, as far as there are data."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return
    columns, micros = viewer.picture.columns_at(viewer.size), viewer.column_micros
    right = moment + int((1 - share) * columns) * micros + (0 if viewer.viewpoint.width else micros - 1)
    right, full = (on_grid(viewer, moment) for moment in (right, extent[0] + columns * micros))
    if right >= extent[1] and not (viewer.paused and viewer.is_live):
        viewer.viewpoint = viewer.viewpoint._replace(end=None)
        return
    if viewer.is_live:
        pause_view(viewer)
    end = min(max(right, full), extent[1])
    viewer.viewpoint = viewer.viewpoint._replace(end=end)


def _zoom(viewer: Viewer, width: float | None, about: int | None) -> None:
    """Change the time per column. What is zoomed about keeps its place on the screen: ``about``, else the cursor, else
    the newest column while it is followed, else the middle.
    """
    geometry, viewpoint = viewer.geometry, viewer.viewpoint
    follows = viewpoint.follows and not (viewpoint.fitted and viewer.source_ended)
    viewer.viewpoint = viewpoint._replace(width=width, fitted=False)
    if geometry is None or not geometry.ends.size:
        return
    if about is None and viewpoint.pointer is not None:
        about = viewpoint.pointer.micros
    if about is None and viewpoint.selected is not None:
        about = (viewpoint.selected.begin + viewpoint.selected.end) // 2
    if about is None and follows:
        return
    ends = geometry.ends
    place = ends.size // 2 if about is None else min(int(ends.searchsorted(about)), ends.size - 1)
    moment = int(ends[place]) if about is None else about
    left = (place + 0.5) * geometry.cell_width + geometry.first - geometry.left
    show_around(viewer, moment, min(left / viewer.picture.columns_at(viewer.size), 1.0))
