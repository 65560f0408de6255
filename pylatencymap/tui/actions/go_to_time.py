"""The key that goes to a time, in every form in which the screen writes one."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

from ...errors import UsageError
from ...number_text import MINUTE
from ...text import micros_at, parse_date
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer
from .navigation import show_until
from .zoom import show_around

_STEPS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_OFFSET = re.compile(r"([+-])\s*(\d{1,9}(?:\.\d{1,9})?)\s*(s|min|m|h|d)", re.ASCII)
_ELAPSED = re.compile(r"\+(?:(\d{1,6}):)?(\d{1,9}):(\d\d)", re.ASCII)
_CLOCK = re.compile(r"(?:(\d\d)-(\d\d)\s+)?(\d{1,2}):?(\d\d)(?::(\d\d))?", re.ASCII)
_DAY = re.compile(r"(?:[a-z]{3}\s+)?(\d\d)-(\d\d)", re.ASCII)
_ZONE = r"( [a-z]{1,6})?"
_SPAN = re.compile(rf"(.*:\d\d){_ZONE}(?:-| to )(?:(?:\d{{4}}-)?\d\d-\d\d )?\d{{1,2}}:\d\d(?::\d\d)?{_ZONE}", re.ASCII)
MOST_SECONDS = 60.0
"""A moment is shown in columns of at most this length."""
HINT = "3:12, 03-03 03:12, -10m or +30s; Enter goes there, Esc does not"


class Reach(NamedTuple):
    """What moments are told from: epoch microseconds at which the data begin and end, and the moment in view. ``tz`` is
    None where there is no clock: moments are then microseconds since 0.
    """

    begin: int
    end: int
    near: int
    tz: tzinfo | None


def moment_named(text: str, reach: Reach) -> int:
    """Epoch microseconds of ``3:12``, ``0312``, ``03:12:56``, ``03-03 03:12``, ``2026-03-03 03:12``, ``-10m``,
    ``+1.5h``, or without a clock ``+1:05``; of ``03-03 03:12-03:32`` and ``03:12 to 03:32`` those of the beginning.

    Times without a year or a date are the last such moment of the history, or if it has none, the next one after it.
    Offsets are from the moment in view. Behind a time in the hour that comes twice, the name of the zone says which of
    both is meant: ``02:30 CET``. Raises UsageError for anything else.
    """
    folded = " ".join(text.strip().lower().removesuffix("utc").split())
    if offset := _OFFSET.fullmatch(folded):
        sign, number, step = offset.groups()
        return reach.near + round(float(f"{sign}{number}") * _STEPS[step] * 1e6)
    if reach.tz is None:
        return _elapsed(folded, text)
    span = _SPAN.fullmatch(folded)
    if span and (" to " in folded or _CLOCK.fullmatch(span[1])):  # 2026-03-03 03:12-03:30 is in a zone
        folded = text = span[1] + (span[2] or span[3] or "")
    time, _, zone = folded.rpartition(" ")
    if time and zone in _zones(reach):
        return _with_zone(moment_named(time, reach), zone, reach.tz)
    day = _DAY.fullmatch(folded)
    if clock := _CLOCK.fullmatch(f"{day[1]}-{day[2]} 00:00" if day else folded):
        return _last(clock, reach, reach.tz)
    found = parse_date(folded) or parse_date(text)
    if found is None:
        raise UsageError(f"{text.strip()!r} is no time; write 3:12, 03-03 03:12, 2026-03-03 03:12, -10m or +30s")
    return micros_at(found if found.tzinfo else found.replace(tzinfo=reach.tz))


def _zones(reach: Reach) -> set[str]:
    """The names of the zone at both ends of the data, in lower case."""
    ends = (datetime.fromtimestamp(micros // 1_000_000, reach.tz) for micros in (reach.begin, reach.end))
    return {(one.tzname() or "").lower() for one in ends}


def _with_zone(micros: int, zone: str, tz: tzinfo) -> int:
    """The moment with the same time of day while the zone had a name; if it never had, the moment as it is."""
    at = datetime.fromtimestamp(micros // 1_000_000, tz)
    both = (at.replace(fold=fold) for fold in (0, 1))
    seconds = next((int(one.timestamp()) for one in both if (one.tzname() or "").lower() == zone), micros // 1_000_000)
    return seconds * 1_000_000 + micros % 1_000_000


def _elapsed(folded: str, text: str) -> int:
    """Microseconds since 0, where there is no clock."""
    found = _ELAPSED.fullmatch(folded if folded.startswith("+") else f"+{folded}")
    if found is None:
        raise UsageError(f"{text.strip()!r} is no time here: there is no clock; write +1:05, -10m or +30s")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return (hours * 3600 + minutes * 60 + seconds) * 1_000_000


def _last(clock: re.Match[str], reach: Reach, tz: tzinfo) -> int:
    """The last moment up to the end of the history with a time of day, and if given a date; if the history has none,
    the next one after it.
    """
    month, day, hour, minute, second = (None if part is None else int(part) for part in clock.groups())
    last = datetime.fromtimestamp(reach.end // 1_000_000, tz)
    try:
        moment = last.replace(hour=hour or 0, minute=minute or 0, second=second or 0, microsecond=0, tzinfo=None)
        dated = moment if month is None or day is None else moment.replace(month=month, day=day)
    except ValueError as error:
        raise UsageError(f"there is no {clock.group()} on a clock") from error
    if month is not None:
        years = (dated.replace(year=dated.year + shift) for shift in (0, -1) if _exists(dated, shift))
        candidates = [micros_at(one.replace(tzinfo=tz)) for one in years]
    else:
        candidates = [micros_at((moment - timedelta(days=shift)).replace(tzinfo=tz)) for shift in (0, 1, -1)]
    whole = (MINUTE if second is None else 1) * 1_000_000 - 1  # a minute, or a second, whose end is kept is there
    past = [one for one in candidates if reach.begin < one + whole and one <= reach.end]
    return past[0] if past else next((one for one in candidates if one > reach.end), candidates[0])


def _exists(day: datetime, years: int) -> bool:
    return (day.month, day.day) != (2, 29) or (day.year + years) % 4 == 0


def ask_moment(viewer: Viewer) -> None:
    """Ask for a time and go there."""
    ask_on_last_line(viewer, "go to", "", HINT, _go_to)


def _go_to(viewer: Viewer, text: str) -> None:
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None or not text.strip():
        return
    pointer = viewer.viewpoint.pointer
    near = pointer.micros if pointer is not None else viewer.viewpoint.end or extent[1]
    zone = viewer.picture.options.tz if viewer.picture.has_clock(viewer.viewpoint) else None
    moment = moment_named(text, Reach(*extent, near, zone))
    before = viewer.place
    if moment > extent[1] and viewer.player is not None and not viewer.source_ended:
        show_until(viewer, moment)
        return
    found = min(max(moment, extent[0] + 1), extent[1])
    if not extent[0] <= moment <= extent[1]:
        viewer.notice = _unreachable(viewer, text, moment > found)
    if (viewer.viewpoint.width or 0.0) > MOST_SECONDS:
        usual = viewer.picture.usual_seconds(viewer.viewpoint)
        viewer.viewpoint = viewer.viewpoint._replace(width=MOST_SECONDS if usual < MOST_SECONDS else None)
    viewer.viewpoint = viewer.viewpoint._replace(fitted=False)
    show_around(viewer, found)
    viewer.point_at(found if found == extent[1] else found + 1)
    viewer.remember(before)


def _unreachable(viewer: Viewer, text: str, late: bool) -> str:
    """Why the screen shows something else than what was asked for."""
    side, end = ("after the end", "end") if late else ("before the beginning", "beginning")
    kept = "what is kept" if viewer.source_ended or not late else "what has come so far"
    return f"{text.strip()} is {side} of {kept}: this is its {end}"
