"""What a picture holds, shown again as it came: the frames of a film."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from operator import attrgetter

from ..interval import Interval
from ..session import Picture, TerminalSize, speed_text
from ..view import DrawnPicture
from ..view.layout import Status
from ..window import Window, kept_intervals

LONGEST = 120.0
"""Seconds of film; what is longer plays faster, unless its speed is given."""
MOST_FRAMES = 600
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


def in_time(window: Window, names: Iterable[str] | None = None) -> Iterator[Interval]:
    """The intervals of some series, or of all, the oldest first."""
    chosen = window.names() if names is None else names
    return heapq.merge(*(kept_intervals(window[name]) for name in chosen), key=attrgetter("end"))


def usual_speed(seconds: float) -> float:
    """How many times faster than it came a film of so many seconds plays."""
    return next((speed for speed in SPEEDS if seconds <= speed * LONGEST), seconds / LONGEST)


def film_of(
    picture: Picture, size: TerminalSize, speed: float | None = None
) -> tuple[str, Iterator[tuple[float, DrawnPicture]]]:
    """The title of a film of all that a picture holds, and its frames, each with the seconds from the start. At most
    MOST_FRAMES: where there are more moments, several of them come at once, and all that has come is on the screen.
    """
    first, last = picture.window.start or 0, picture.window.end or 0
    seconds = (last - first) / 1e6
    rate = speed or usual_speed(seconds)
    return f"{picture.options.file or 'pylatencymap'} at {speed_text(rate)}", _frames(picture, size, rate, first)


def _frames(picture: Picture, size: TerminalSize, speed: float, first: int) -> Iterator[tuple[float, DrawnPicture]]:
    moments = sorted({one.end for one in in_time(picture.window)})
    at_once = -(-len(moments) // MOST_FRAMES)
    chosen = picture.options
    again = Picture(chosen._replace(fits=at_once > 1 and chosen.fits))
    for mark in picture.marks:
        again.mark(mark)
    viewpoint = chosen.viewpoint._replace(fitted=again.options.fits)
    coming, status = in_time(picture.window), Status(label="pylatencymap", state="")
    held = next(coming, None)
    for number in range(at_once - 1, len(moments) + at_once - 1, at_once):
        until = moments[min(number, len(moments) - 1)]
        arrived = []
        while held is not None and held.end <= until:
            arrived.append(held)
            held = next(coming, None)
        again.extend(arrived)
        yield (until - first) / 1e6 / speed, again.drawn(again.fitted(viewpoint, size), size, status)
