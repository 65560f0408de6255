"""Keys that move in time: pause, back and forth in the history, shorter and longer columns, a moment by name."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from ...errors import UsageError
from ...text import parse_date
from ...view.layout import Pointer
from ...window import next_narrower, next_wider
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer

# Moments as a user types them: a time of day, a full date, or so much earlier or later.


_STEPS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_OFFSET = re.compile(r"([+-])\s*(\d+(?:\.\d+)?)\s*([smhd])")
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?")


def moment_named(text: str, near: int, tz: tzinfo) -> int:
    """Epoch microseconds of ``12:34``, ``12:34:56``, ``2026-01-31 12:34:56``, ``-10m`` or ``+1.5h``.

    A time of day is the one nearest to ``near`` (epoch microseconds), from which offsets count as well. Raises
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
"""Columns between the beginning of the history and the end of its first column, at most."""
ALL_SHOWN = "all that is kept is on the screen"
GO_TO = "12:34, 12:34:56, -10m or +30s; Enter goes there, Esc does not"


def pause_or_go_on(stage: Viewer) -> None:
    """Hold the picture still, or show the newest again. A replay stops; live data keep arriving and are kept."""
    if stage.paused:
        follow_newest(stage)
    else:
        pause_view(stage)


def pause_view(stage: Viewer) -> None:
    """Stop time."""
    if not stage.paused:
        stage.paused, stage.held_at = True, stage.newest
    if stage.player is not None:
        stage.player.pause()
    elif stage.at.follows:
        stage.at = stage.at._replace(end=stage.newest)


def follow_newest(stage: Viewer) -> None:
    """Back to the newest column, and let time run."""
    stage.paused = False
    stage.at = stage.at._replace(end=None)
    if stage.player is not None:
        stage.player.go_on()


def go_to_newest(stage: Viewer) -> None:
    """The newest column; the cursor, if there is one, goes there."""
    follow_newest(stage)
    pointer = stage.at.pointer
    if pointer is not None and stage.newest is not None:
        stage.at = stage.at._replace(pointer=pointer._replace(micros=stage.newest))


def go_to_oldest(stage: Viewer) -> None:
    """The oldest columns that are kept; the cursor, if there is one, goes to the first."""
    extent = stage.picture.extent(stage.at)
    if extent is None:
        return
    first = extent[0] + stage.column_micros
    if _is_all_shown(stage, *extent):
        stage.notice = ALL_SHOWN
    show_until(stage, first + (stage.picture.columns_at(stage.size) - 1) * stage.column_micros)
    if stage.at.pointer is not None:
        stage.at = stage.at._replace(pointer=Pointer(first, stage.at.pointer.latency))


def page_back(stage: Viewer) -> None:
    """One screen back."""
    extent = stage.picture.extent(stage.at)
    if extent is not None and _is_all_shown(stage, *extent):
        stage.notice = ALL_SHOWN
    _turn(stage, -stage.picture.columns_at(stage.size))


def page_forward(stage: Viewer) -> None:
    """One screen forward; a replay that is at its newest column plays so much at once."""
    _turn(stage, stage.picture.columns_at(stage.size))


def narrow_columns(stage: Viewer) -> None:
    """Less time per column."""
    if stage.at.width is None:
        stage.notice = "a column is one interval: there is nothing shorter"
    _zoom(stage, next_narrower(stage.at.width, stage.picture.usual_seconds(stage.at)))


def widen_columns(stage: Viewer) -> None:
    """More time per column."""
    _zoom(stage, next_wider(stage.at.width, stage.picture.usual_seconds(stage.at)))


def ask_moment(stage: Viewer) -> None:
    """Ask for a moment, and show it."""
    ask_on_last_line(stage, "go to", "", GO_TO, _go_to)


def show_until(stage: Viewer, end: int) -> None:
    """Let the right edge be at a moment, but not beyond what there is."""
    extent = stage.picture.extent(stage.at)
    if extent is None:
        return
    first, last = extent
    full = first + stage.picture.columns_at(stage.size) * stage.column_micros
    if end >= last and (stage.source_ended or (not stage.paused and stage.player is None)):
        follow_newest(stage)
        return
    if end > last and stage.player is not None:
        stage.player.seek(end)
        stage.at = stage.at._replace(end=None)
        return
    if not _is_all_shown(stage, first, last):
        pause_view(stage)
        stage.at = stage.at._replace(end=min(max(end, full), last))


def _is_all_shown(stage: Viewer, first: int, last: int) -> bool:
    """Whether the screen shows the whole history, as it is then to be left."""
    ends = [] if stage.geometry is None else stage.geometry.ends.tolist()
    # Intervals are not all quite as long as they usually are.
    return bool(ends) and ends[0] - first < NEARLY * stage.column_micros and ends[-1] >= last


def _point_at(stage: Viewer, moment: int) -> None:
    """Put the cursor at a moment, in the row in which it is or else in that with the most wait."""
    pointer, geometry = stage.at.pointer, stage.geometry
    if pointer is None and geometry is not None:
        pointer = geometry.moved(None, 0, 0)
    if pointer is not None:
        stage.at = stage.at._replace(pointer=pointer._replace(micros=moment))


def _turn(stage: Viewer, columns: int) -> None:
    right = stage.at.end or stage.newest
    if right is not None:
        show_until(stage, right + columns * stage.column_micros)


def _zoom(stage: Viewer, width: float | None) -> None:
    """Other columns; those around the cursor stay on the screen, else those at the right edge."""
    stage.at = stage.at._replace(width=width)
    pointer, end = stage.at.pointer, stage.at.end
    reach = stage.picture.columns_at(stage.size) * stage.column_micros
    if pointer is not None and end is not None and not end - reach < pointer.micros <= end:
        show_until(stage, pointer.micros + reach // 2)


def _go_to(stage: Viewer, text: str) -> None:

    near = stage.at.end or stage.newest
    if near is None or not text.strip():
        return
    moment = moment_named(text, near, stage.picture.options.tz)
    extent = stage.picture.extent(stage.at)
    if extent is None or (moment > extent[1] and stage.player is not None):
        show_until(stage, moment)
        return
    found = min(max(moment, extent[0] + 1), extent[1])
    if found != moment:
        stage.notice = "the history does not reach that far; this is its end" if moment > found else "it begins here"
    show_until(stage, found + stage.picture.columns_at(stage.size) // 2 * stage.column_micros)
    _point_at(stage, found)


# Keys of a replay: faster, slower, one interval further.


NO_REPLAY = "only a replay has a speed; this is live"


def replay_faster(stage: Viewer) -> None:
    """The next higher speed."""
    if stage.player is None:
        stage.notice = NO_REPLAY
    else:
        stage.player.faster()


def replay_slower(stage: Viewer) -> None:
    """The next lower speed."""
    if stage.player is None:
        stage.notice = NO_REPLAY
    else:
        stage.player.slower()


def step_replay(stage: Viewer) -> None:
    """Pause, and go on by one interval."""
    if stage.player is None:
        stage.notice = "only a replay has steps; this is live"
        return
    pause_view(stage)
    stage.at = stage.at._replace(end=None)
    stage.player.step()
