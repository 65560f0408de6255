"""Keys that move in time: pause, page through the history, change the time per column, go to a time, step a replay."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from ...errors import UsageError
from ...text import parse_date
from ...view.layout import Pointer
from ...window import next_narrower, next_wider
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer

# Moments as a user types them: a time of day, a date and time, or an offset.


_STEPS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_OFFSET = re.compile(r"([+-])\s*(\d+(?:\.\d+)?)\s*([smhd])")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?")


def moment_named(text: str, near: int, tz: tzinfo) -> int:
    """Epoch microseconds of ``12:34``, ``12:34:56``, ``2026-01-31 12:34:56``, ``-10m`` or ``+1.5h``.

    A time of day is the one nearest to ``near`` (epoch microseconds). Offsets are relative to ``near``. Raises
    UsageError for anything else.
    """
    text = text.strip().lower()
    if offset := _OFFSET.fullmatch(text):
        sign, number, step = offset.groups()
        return near + round(float(f"{sign}{number}") * _STEPS[step] * 1e6)
    if time := _TIME.fullmatch(text):
        return _nearest(time, near, tz)
    found = parse_date(text)
    if found is None:
        raise UsageError(f"{text!r} is no time; write 12:34, 12:34:56, 2026-01-31 12:34, -10m or +30s")
    return _micros(found if found.tzinfo else found.replace(tzinfo=tz))


def _nearest(time: re.Match[str], near: int, tz: tzinfo) -> int:
    hour, minute, second = (int(part or 0) for part in time.groups())
    if hour > 23 or minute > 59 or second > 59:
        raise UsageError(f"there is no {time.group()} on a clock")
    day = datetime.fromtimestamp(near // 1_000_000, tz).replace(hour=hour, minute=minute, second=second)
    days = (day + timedelta(days=shift) for shift in (-1, 0, 1))
    return min((_micros(moment) for moment in days), key=lambda micros: abs(micros - near))


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6)


NEARLY = 1.5
"""Maximum distance, in columns, between the beginning of the history and the end of its first column."""
ALL_SHOWN = "all that is kept is on the screen"
GO_TO = "12:34, 12:34:56, -10m or +30s; Enter goes there, Esc does not"


def pause_or_go_on(viewer: Viewer) -> None:
    """Pause, or follow the newest column again. A replay stops; live data still arrive and are kept."""
    if viewer.paused:
        follow_newest(viewer)
    else:
        pause_view(viewer)


def pause_view(viewer: Viewer) -> None:
    """Pause the picture, and a replay too."""
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
    """Follow the newest column. A cursor moves there."""
    follow_newest(viewer)
    pointer = viewer.viewpoint.pointer
    if pointer is not None and viewer.newest is not None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=pointer._replace(micros=viewer.newest))


def go_to_oldest(viewer: Viewer) -> None:
    """Show the oldest columns of the history. A cursor moves to the first."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return
    first = extent[0] + viewer.column_micros
    if _is_all_shown(viewer, *extent):
        viewer.notice = ALL_SHOWN
    show_until(viewer, first + (viewer.picture.columns_at(viewer.size) - 1) * viewer.column_micros)
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


def narrow_columns(viewer: Viewer) -> None:
    """Less time per column."""
    if viewer.viewpoint.width is None:
        viewer.notice = "a column is one interval: there is nothing shorter"
    _zoom(viewer, next_narrower(viewer.viewpoint.width, viewer.picture.usual_seconds(viewer.viewpoint)))


def widen_columns(viewer: Viewer) -> None:
    """More time per column."""
    _zoom(viewer, next_wider(viewer.viewpoint.width, viewer.picture.usual_seconds(viewer.viewpoint)))


def ask_moment(viewer: Viewer) -> None:
    """Ask for a time and go there."""
    ask_on_last_line(viewer, "go to", "", GO_TO, _go_to)


def show_until(viewer: Viewer, end: int) -> None:
    """Move the right edge to a moment, within the history. A replay plays up to it."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return
    first, last = extent
    full = first + viewer.picture.columns_at(viewer.size) * viewer.column_micros
    if end >= last and (viewer.source_ended or (not viewer.paused and viewer.player is None)):
        follow_newest(viewer)
        return
    if end > last and viewer.player is not None:
        viewer.player.seek(end)
        viewer.viewpoint = viewer.viewpoint._replace(end=None)
        return
    if not _is_all_shown(viewer, first, last):
        pause_view(viewer)
        viewer.viewpoint = viewer.viewpoint._replace(end=min(max(end, full), last))


def _is_all_shown(viewer: Viewer, first: int, last: int) -> bool:
    """Whether the screen shows the whole history; then it must not scroll."""
    ends = [] if viewer.geometry is None else viewer.geometry.ends.tolist()
    # The length of intervals varies a little.
    return bool(ends) and ends[0] - first < NEARLY * viewer.column_micros and ends[-1] >= last


def _point_at(viewer: Viewer, moment: int) -> None:
    """Move the cursor to a moment. A new cursor gets the row with the most time waited."""
    pointer, geometry = viewer.viewpoint.pointer, viewer.geometry
    if pointer is None and geometry is not None:
        pointer = geometry.moved(None, 0, 0)
    if pointer is not None:
        viewer.viewpoint = viewer.viewpoint._replace(pointer=pointer._replace(micros=moment))


def _turn(viewer: Viewer, columns: int) -> None:
    right = viewer.viewpoint.end or viewer.newest
    if right is not None:
        show_until(viewer, right + columns * viewer.column_micros)


def _zoom(viewer: Viewer, width: float | None) -> None:
    """Change the time per column. The cursor stays on the screen; without one the right edge stays."""
    viewer.viewpoint = viewer.viewpoint._replace(width=width)
    pointer, end = viewer.viewpoint.pointer, viewer.viewpoint.end
    reach = viewer.picture.columns_at(viewer.size) * viewer.column_micros
    if pointer is not None and end is not None and not end - reach < pointer.micros <= end:
        show_until(viewer, pointer.micros + reach // 2)


def _go_to(viewer: Viewer, text: str) -> None:

    near = viewer.viewpoint.end or viewer.newest
    if near is None or not text.strip():
        return
    moment = moment_named(text, near, viewer.picture.options.tz)
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None or (moment > extent[1] and viewer.player is not None):
        show_until(viewer, moment)
        return
    found = min(max(moment, extent[0] + 1), extent[1])
    if found != moment:
        viewer.notice = "the history does not reach that far; this is its end" if moment > found else "it begins here"
    show_until(viewer, found + viewer.picture.columns_at(viewer.size) // 2 * viewer.column_micros)
    _point_at(viewer, found)


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
