"""Keys that name two times, to compare them: A names what is selected, B the next selection, or a time before A."""

from __future__ import annotations

from functools import partial

from ...errors import UsageError
from ...moment_text import TimeWords
from ...number_text import length_words
from ...view.layout import NamedSides, SideTimes
from ..viewer.prompts import TimePrompt
from ..viewer.sides_watch import time_words
from ..viewer.viewer import TrailStep, Viewer
from .go_to_time import Reach, moment_named

NO_DATA = "there are no data yet"
A_FIRST = "name A first: A names the selection, or else what is on the screen"
NAMED_A = "A is {}; select B and press B, or B alone: as long just before A"
WITHOUT_STACK = "A and B are of one series: Esc brings the stack back"
HINT = "-1d, -1h or 03:12 and Enter: another time, as long as A; any other key goes on"
NOTHING_TO_COMPARE = "nothing is compared: name two times with A and B first"
NOTHING_BEFORE = "nothing is kept before A: select another time and press B, or B and -1d"


def name_a(viewer: Viewer) -> None:
    """Name the selection A, or else what is on the screen. B has to be named anew; a baseline is B again."""
    chosen = viewer.viewpoint.selected
    times = viewer.screen_times() if chosen is None else _kept(viewer, (chosen.begin, chosen.end))
    if times is None:
        viewer.notice = NO_DATA
        return
    sides = NamedSides(times, other=viewer.sides.baseline is not None)
    viewer.viewpoint = viewer.viewpoint._replace(sides=sides, pointer=None)
    viewer.keep_named("A")
    if viewer.viewpoint.stacked:
        viewer.notice = WITHOUT_STACK
    elif sides.other:
        viewer.viewpoint = viewer.viewpoint._replace(selected=None)
    else:
        viewer.notice = NAMED_A.format(_words(viewer, times))


def name_b(viewer: Viewer) -> None:
    """Name the new selection B. Without one, ask for a time; until it is told, it is as long a time just before A."""
    sides, chosen = viewer.viewpoint.sides, viewer.viewpoint.selected
    a = None if sides is None else sides.a or (viewer.screen_times() if sides.other else None)
    if sides is None or a is None:
        viewer.notice = A_FIRST
        return
    times = None if chosen is None else _kept(viewer, (chosen.begin, chosen.end))
    if times is not None and times != a:
        _use(viewer, a, times)
        return
    if sides.b is None or chosen is not None:
        before = _kept(viewer, (2 * a[0] - a[1], a[0]))
        if before is not None:
            _use(viewer, a, before)
    viewer.open(TimePrompt(viewer.layers[-1], "B", HINT, partial(_take_answer, a, viewer.place)))
    if viewer.viewpoint.sides is not None and viewer.viewpoint.sides.b is None:
        viewer.notice = NOTHING_BEFORE


def _use(viewer: Viewer, a: SideTimes, b: SideTimes) -> None:
    """Compare these; what was selected has its name now."""
    viewer.viewpoint = viewer.viewpoint._replace(sides=NamedSides(a, b), selected=None, pointer=None)
    viewer.keep_named("B")
    _tell_if_short(viewer, a, b)


def _take_answer(a: SideTimes, before: TrailStep, viewer: Viewer, text: str) -> None:
    """Name B as the user wrote it: so long before or after A, or a time at which it begins."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None or not text.strip():
        return
    zone = viewer.picture.options.tz if viewer.picture.has_clock(viewer.viewpoint) else None
    begin = moment_named(text, Reach(*extent, a[0], zone))
    times = _kept(viewer, (begin, begin + a[1] - a[0]))
    if times is None:
        raise UsageError(_why_nothing(viewer, (begin, begin + a[1] - a[0]), extent))
    _use(viewer, a, times)
    viewer.remember(before)


def _why_nothing(viewer: Viewer, wanted: SideTimes, kept: SideTimes) -> str:
    """That nothing is kept of a time; with dates if it is of another day."""
    picture = viewer.picture
    clock = picture.has_clock(viewer.viewpoint)
    times = TimeWords(min(wanted[0], kept[0]), max(wanted[1], kept[1]), picture.options.tz, clock=clock)
    return f"nothing is kept of {times.span(*wanted)}; what is kept is {times.span(*kept)}"


def _kept(viewer: Viewer, times: SideTimes) -> SideTimes | None:
    """The part of a time of which something is kept; None if nothing is."""
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is None:
        return None
    begin, end = max(times[0], extent[0]), min(times[1], extent[1])
    return (begin, end) if begin < end else None


def _tell_if_short(viewer: Viewer, a: SideTimes, b: SideTimes) -> None:
    """Say that there are data of a part of B only, if it was to be as long as A."""
    short = (a[1] - a[0]) - (b[1] - b[0])
    extent = viewer.picture.extent(viewer.viewpoint)
    if extent is not None and short > viewer.column_micros and (b[0] == extent[0] or b[1] == extent[1]):
        viewer.notice = f"B is shorter than A: only {length_words((b[1] - b[0]) / 1e6)} of that time are kept"


def _words(viewer: Viewer, times: SideTimes) -> str:
    return time_words(viewer.picture, viewer.viewpoint, times)
