"""The key that asks who is in the cursor's cell or in the selection: which part that is, and what the picture knows."""

from __future__ import annotations

from datetime import datetime, tzinfo
from math import inf
from typing import NamedTuple

import numpy as np

from ...events import CellQuestion
from ...number_text import others_words, range_words
from ...session import event_noun
from ...text.clean import printable
from ...view.boxes import WhoKey, WhoPage, WhoValue
from ...view.layout import Geometry
from ...view.paint import Area
from ...window import Selection
from ..viewer.viewer import Viewer

MOST_COLUMNS = 512
"""Of a longer part, columns are merged to add it up."""
MOST_SERIES = 500
"""Of more series, those with the most time waited are asked what they have in a cell."""
SERIES_A_STEP = 16
VALUES = 20
NOTHING_CHOSEN = "put the cursor on a cell, or select: a click, arrows, dragging, n"
NO_DATA = "there are no data yet"
SERIES = "series"
_DAY = 86_400_000_000


class CellPart(NamedTuple):
    """A part of what is drawn: from ``begin`` to ``end``, epoch microseconds, and latencies from ``low`` to ``high``,
    seconds. ``is_cell``: it is the cursor's cell, and not the selection.
    """

    begin: int
    end: int
    low: float
    high: float
    is_cell: bool = False


def chosen_part(viewer: Viewer) -> CellPart | None:
    """The cursor's cell, else the selection; None if there is neither."""
    viewpoint, geometry = viewer.viewpoint, viewer.geometry
    if viewpoint.pointer is not None and geometry is not None:
        return _cell(viewer, geometry, viewer.picture.selection(viewpoint, viewer.picture.columns_at(viewer.size)))
    chosen = viewpoint.selected
    if chosen is None:
        return None
    return CellPart(chosen.begin, chosen.end, chosen.low or 0.0, inf if chosen.high is None else chosen.high)


def _cell(viewer: Viewer, geometry: Geometry, shown: Selection) -> CellPart | None:
    pointer = viewer.viewpoint.pointer
    if pointer is None or not len(shown):
        return None
    row, place = geometry.row_of(pointer.latency), int(np.searchsorted(shown.columns["end"], pointer.micros))
    if row is None or place >= len(shown):
        return None
    low, high = float(geometry.bounds[row]), float(geometry.bounds[row + 1])
    return CellPart(shown.begin_of(place), int(shown.columns["end"][place]), low, high, is_cell=True)


def question_of(viewer: Viewer, part: CellPart, ending: float = 1.0) -> CellQuestion:
    """The question for the events of a part of the series that is shown, or of all; ``ending`` as in CellQuestion."""
    window, name = viewer.picture.window, viewer.picture.series(viewer.viewpoint)
    known = frozenset(window.names())
    series = known if viewer.picture.is_sum(viewer.viewpoint) else frozenset([name or ""])
    high = None if part.high == inf else part.high
    return CellQuestion(part.begin, part.end, part.low, high, series, known, viewer.viewpoint.only, ending)


class SeriesShares:
    """What each series has in a part: some of them at a time, those with most time waited first, for a key must not
    wait for hundreds.
    """

    def __init__(self, viewer: Viewer, part: CellPart) -> None:
        picture = viewer.picture
        shown = None if picture.is_sum(viewer.viewpoint) else picture.series(viewer.viewpoint)
        detail = None if picture.detail is None else picture.detail.kept_between(part.begin, part.end)
        self._kept = detail or picture.window
        self._part = part
        self._names = picture.window.by_time_waited()[:MOST_SERIES]
        if shown is not None:
            self._names = [shown, *(name for name in self._names if name != shown)]
        self._number = len(picture.window)
        self._shown = shown
        self._asked = 0
        self._found: dict[str, WhoValue] = {}
        self._covered = part.low, part.high

    @property
    def covered(self) -> str:
        """The latencies of what is counted: those of the part, or more where ranges of the source reach beyond it."""
        low, high = self._covered
        if low <= 0 and high == inf:
            return ""
        return range_words(low, high) + ("" if self._covered == self._part[2:4] else ", whole ranges")

    @property
    def is_complete(self) -> bool:
        """Whether every series has been asked."""
        return self._asked >= len(self._names)

    def step(self) -> None:
        """Ask some more series."""
        part = self._part
        for name in self._names[self._asked : self._asked + SERIES_A_STEP]:
            if name not in self._kept:
                continue
            inside = self._kept.between(name, part.begin, part.end, MOST_COLUMNS)
            its = inside.between_latencies(part.low or None, None if part.high == inf else part.high)
            if its.events > 0:
                self._found[name] = WhoValue(printable(name), its.events, its.waited)
                low, high = self._covered
                self._covered = min(low, its.low or 0.0), max(high, inf if its.high is None else its.high)
        self._asked += SERIES_A_STEP

    @property
    def sums(self) -> tuple[float, float]:
        """Events, and seconds waited, of the series that is shown, or of all that have been asked."""
        asked = self._found.values() if self._shown is None else filter(None, [self._found.get(self._shown)])
        events, waited = 0.0, 0.0
        for one in asked:
            events, waited = events + one.events, waited + one.waited
        return events, waited

    def ending(self) -> float:
        """The share of events that are not slower than the part, of those that are not faster; of several series, of
        the first ones.
        """
        names = [self._shown] if self._shown is not None else self._names[:SERIES_A_STEP]
        part, inside, beyond = self._part, 0.0, 0.0
        for name in filter(lambda name: name in self._kept, names):
            selection = self._kept.between(name, part.begin, part.end, MOST_COLUMNS)
            beyond += selection.between_latencies(part.low or None, None).events
            inside += selection.between_latencies(part.low or None, None if part.high == inf else part.high).events
        return inside / beyond if beyond else 1.0

    def keys(self) -> tuple[WhoKey, ...]:
        """The series as a key; none if no series has anything there."""
        if not self._found:
            return ()
        values = sorted(self._found.values(), key=lambda one: (-one.waited, one.value))
        rest = values[VALUES:]
        others = (WhoValue(others_words(len(rest)), sum(one.events for one in rest), sum(one.waited for one in rest)),)
        asked = min(self._asked, len(self._names))
        remark = "" if asked == self._number else f"of the {asked:,} series with the most time waited"
        total = sum(one.waited for one in values)
        return (WhoKey(SERIES, tuple(values[:VALUES]), others if rest else (), remark=remark, total=total),)


def page_of(viewer: Viewer, part: CellPart, shares: SeriesShares) -> WhoPage:
    """What the picture itself knows of a part: the sums, and the shares of the series."""
    picture, viewpoint = viewer.picture, viewer.viewpoint
    history = picture.window[picture.series(viewpoint) or ""]
    return WhoPage(
        _when(part, picture.options.tz, picture.window.extent, real=picture.has_clock(viewpoint)),
        shares.covered,
        event_noun(history.label, history.source),
        *shares.sums,
        shares.keys(),
        place="this cell" if part.is_cell else "the selection",
    )


def _when(part: CellPart, tz: tzinfo, extent: tuple[int, int] | None, *, real: bool) -> str:
    """Both ends of a time, with as many decimals as they need, up to three; with dates if the data have several."""
    decimals = next(
        (number for number in (0, 1, 2) if not (part.begin % 10 ** (6 - number) or part.end % 10 ** (6 - number))), 3
    )
    if not real:
        return f"{_elapsed(part.begin, decimals)}-{_elapsed(part.end, decimals)}"
    begin, end = (datetime.fromtimestamp(one // 1_000_000, tz) for one in (part.begin, part.end))
    fractions = [f".{one % 1_000_000:06d}"[: decimals + 1] if decimals else "" for one in (part.begin, part.end)]
    dated = extent is not None and extent[1] - extent[0] > _DAY
    form = "%m-%d %H:%M:%S" if dated else "%H:%M:%S"
    closing = form if begin.date() != end.date() else "%H:%M:%S"
    return f"{begin.strftime(form)}{fractions[0]}-{end.strftime(closing)}{fractions[1]}"


def _elapsed(micros: int, decimals: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
    return text + (f".{fraction:06d}"[: decimals + 1] if decimals else "")


def bright_areas(geometry: Geometry, part: CellPart) -> tuple[Area, ...]:
    """Where a part is on the screen, in each map; empty if it is not."""
    ends, bounds = geometry.ends, geometry.bounds
    if not ends.size or part.end <= int(ends[0]) - _length(geometry) or part.begin >= int(ends[-1]):
        return ()
    first = int(np.searchsorted(ends, part.begin, side="right"))
    last = max(min(int(np.searchsorted(ends, part.end)), int(ends.size) - 1), first)
    low = max(int(np.searchsorted(bounds, part.low * (1 + 1e-9), side="right")) - 1, 0)
    high = max(int(np.searchsorted(bounds, part.high * (1 - 1e-9))) - 1, low)
    lines = np.flatnonzero(((geometry.slots >= low) & (geometry.slots <= high)).any(axis=1))
    if not lines.size:
        return ()
    left, right = (geometry.first + place * geometry.cell_width for place in (first, last + 1))
    return tuple(
        Area(region.top + int(lines[0]), left, region.top + int(lines[-1]) + 1, right) for region in geometry.regions
    )


def _length(geometry: Geometry) -> int:
    ends = geometry.ends
    return int(np.median(np.diff(ends))) if ends.size > 1 else 1_000_000


def series_named(viewer: Viewer, shown: str) -> str | None:
    """The series that is shown under a name."""
    return next((name for name in viewer.picture.window.names() if printable(name) == shown), None)
