"""Keys that move in time: pause, page through the history, step a replay."""

from __future__ import annotations

from ...view.layout import Pointer
from ..viewer.viewer import Viewer

NEARLY = 1.5
"""Maximum distance, in columns, between the beginning of the history and the end of its first column."""
ALL_READ = "all of it has been read: there is nothing to pause"
ALL_SHOWN = "all that is kept is on the screen"


def pause_or_go_on(viewer: Viewer) -> None:
    """Pause, or follow the newest column again. A replay stops; live data still arrive and are kept."""
    if viewer.source_ended:
        viewer.paused = False
        viewer.notice = ALL_READ
    elif viewer.paused:
        follow_newest(viewer)
    else:
        pause_view(viewer)


def pause_view(viewer: Viewer) -> None:
    """Pause the picture, and a replay too; what has ended or is being read to its end needs no pause."""
    if viewer.player is None and not viewer.is_live:
        return
    if not viewer.paused:
        viewer.paused, viewer.paused_at = True, viewer.newest
    if viewer.player is not None:
        viewer.player.pause()
    elif viewer.viewpoint.follows:
        viewer.viewpoint = viewer.viewpoint._replace(end=viewer.newest)


def follow_newest(viewer: Viewer) -> None:
    """End the pause and follow the newest column."""
    viewer.paused = False
    viewer.viewpoint = viewer.viewpoint._replace(end=None)
    if viewer.player is not None:
        viewer.player.go_on()


def go_to_newest(viewer: Viewer) -> None:
    """Follow the newest column. A cursor moves there. A replay reads to its end."""
    follow_newest(viewer)
    if viewer.player is not None:
        viewer.player.seek_end()
    pointer = viewer.viewpoint.pointer
    if pointer is not None and viewer.newest is not None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=pointer._replace(micros=viewer.newest))


def go_to_oldest(viewer: Viewer) -> None:
    """Show the oldest columns of the history. A cursor moves to the first."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return
    first = _oldest_end(viewer, extent[0])
    if _is_all_shown(viewer, *extent):
        viewer.notice = ALL_SHOWN
    show_until(viewer, first)
    if viewer.viewpoint.pointer is not None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=Pointer(first, viewer.viewpoint.pointer.latency))


def page_back(viewer: Viewer) -> None:
    """One screen back."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is not None and _is_all_shown(viewer, *extent):
        viewer.notice = ALL_SHOWN
    _turn(viewer, -viewer.picture.columns_at(viewer.size))


def page_forward(viewer: Viewer) -> None:
    """One screen forward. A replay at its newest column plays that much at once."""
    _turn(viewer, viewer.picture.columns_at(viewer.size))


def show_until(viewer: Viewer, end: int) -> None:
    """Move the right edge to a moment, within the history. A replay plays up to it."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return
    first, last = extent
    full = _oldest_end(viewer, first) + (viewer.picture.columns_at(viewer.size) - 1) * viewer.column_micros
    if end >= last and (viewer.source_ended or (not viewer.paused and viewer.player is None)):
        follow_newest(viewer)
        return
    if end > last and viewer.player is not None:
        viewer.player.seek(end)
        viewer.viewpoint = viewer.viewpoint._replace(end=None)
        return
    if not _is_all_shown(viewer, first, last):
        pause_view(viewer)
        viewer.viewpoint = viewer.viewpoint._replace(end=min(max(end, full), last), fitted=False)


def _is_all_shown(viewer: Viewer, first: int, last: int) -> bool:
    """Whether the screen shows the whole history; then it must not scroll."""
    ends = [] if viewer.geometry is None else viewer.geometry.ends.tolist()
    # The length of intervals varies a little.
    if viewer.is_live and viewer.paused and viewer.paused_at is not None:
        last = min(last, viewer.paused_at)  # what came since is not in a picture that is held
    return bool(ends) and ends[0] - first < NEARLY * viewer.column_micros and ends[-1] >= last


def _oldest_end(viewer: Viewer, first: int) -> int:
    """The end of the column in which the history begins, which can be a part of one."""
    return on_grid(viewer, first + 1) if viewer.viewpoint.width else first + viewer.column_micros


def on_grid(viewer: Viewer, moment: int) -> int:
    """A moment, or where columns are merged, the end of the column that it is in."""
    micros = viewer.column_micros
    return -(-moment // micros) * micros if viewer.viewpoint.width else moment


def _turn(viewer: Viewer, columns: int) -> None:
    right = viewer.viewpoint.end or viewer.newest
    if right is not None:
        show_until(viewer, right + columns * viewer.column_micros)


# Keys of a replay: faster, slower, one interval further.


NO_REPLAY = "only a replay has a speed; this is live"


def replay_faster(viewer: Viewer) -> None:
    """The next higher speed."""
    if viewer.player is None:
        viewer.notice = NO_REPLAY
    else:
        viewer.player.faster()


def replay_slower(viewer: Viewer) -> None:
    """The next lower speed."""
    if viewer.player is None:
        viewer.notice = NO_REPLAY
    else:
        viewer.player.slower()


def step_replay(viewer: Viewer) -> None:
    """Pause, and advance by one interval."""
    if viewer.player is None:
        viewer.notice = "only a replay has steps; this is live"
        return
    pause_view(viewer)
    viewer.viewpoint = viewer.viewpoint._replace(end=None)
    viewer.player.step()
