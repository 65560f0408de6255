"""Decides which parts of the picture are drawn on which lines, and what is dropped on a small terminal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

AXIS_COLUMN = 8
MAP_COLUMN = 9
WIDE, MEDIUM = 100, 80
MIN_ROWS = 6
NUMBER_END, SHARE_END, BAR_START = 8, 14, 16
"""Columns counted from the right edge of the maps: ends of numbers and shares, start of bars."""
LEAST_BAR = 4
"""Characters; a shorter bar says nothing."""
_RIGHT = {"wide": 24, "medium": 15, "narrow": 8}
_BLANKS = ("axis", "keys", "statistics", "events", "maps", "title", "overview")
"""The places of blank lines, in the order in which they are added as the terminal grows."""


class LayoutDemand(NamedTuple):
    """What there is to draw: numbers of rows and lines.

    ``rows`` are the core latency rows; ``below`` and ``above`` are the context rows available. ``paired``: two rows on
    a line must meet at a power of two. ``apart``: a blank separates the top row from the others. ``notices`` are never
    dropped. ``finished``: no data will come, so that the sentence about a change can take lines of the maps. Messages
    and read-outs, which come and go, are not counted: they replace other lines, so that no map moves.
    """

    maps: int
    rows: int
    below: int = 0
    above: int = 0
    paired: bool = False
    apart: bool = False
    notices: int = 0
    change: bool = False
    latest: bool = False
    events: int = 0
    others: int = 0
    keys: bool = False
    overview: bool = False
    finished: bool = False


class LayoutPlan(NamedTuple):
    """What is drawn: the demand without what was dropped.

    ``half``: two latency rows per line. ``blanks``: how many of _BLANKS there are.
    """

    maps: int
    rows: int
    below: int = 0
    above: int = 0
    half: bool = False
    apart: bool = False
    totals: bool = True
    blanks: int = len(_BLANKS)
    change: bool = False
    window: bool = True
    latest: bool = False
    events: int = 0
    others: int = 0
    keys: bool = False
    overview: bool = False

    def blank(self, place: str) -> bool:
        """Whether there is a blank line at one of the places of _BLANKS."""
        return place in _BLANKS[: self.blanks]

    def map_lines(self, demand: LayoutDemand) -> int:
        """How many lines the rows of one map take."""
        rows = self.rows + self.below + self.above
        if self.half:
            return (rows + demand.paired + 2 * demand.apart + 1) // 2
        return rows + self.apart

    def lines(self, demand: LayoutDemand) -> int:
        """How many lines the whole picture takes."""
        maps = self.maps * (1 + self.map_lines(demand) + self.totals)
        idle = {
            "maps": self.maps < 2,
            "events": not self.events,
            "keys": not self.keys,
            "overview": not self.overview,
        }
        blanks = self.blanks - sum(self.blank(place) for place in idle if idle[place])
        texts = demand.notices + 1 + self.change + self.window + self.latest
        texts += self.events + self.others + self.keys
        return 1 + maps + self.overview + 2 + texts + blanks


class Layout(NamedTuple):
    """Where everything is on the screen. Lines and columns count from 0.

    ``height`` is the number of lines of one map's rows, ``cell_width`` the number of characters per time column.
    """

    columns: int
    lines: int
    map_width: int
    plan: LayoutPlan
    height: int
    cell_width: int = 1

    def fitted_to(self, columns: int) -> Layout:
        """The layout of a finished picture: cells as wide as ``columns`` time columns can be, maps as wide as they
        need; bars get the room.
        """
        wide = cell_width(columns, self.map_width, finished=True)
        return self._replace(cell_width=wide, map_width=columns * wide or self.map_width)

    @property
    def bar_width(self) -> int:
        """Characters of the longest bar; 0 if there is no room for bars."""
        room = self.columns - self.right - BAR_START - 1
        return room if room >= LEAST_BAR and not self.narrow else 0

    @property
    def wide(self) -> bool:
        return self.columns >= WIDE

    @property
    def narrow(self) -> bool:
        return self.columns < MEDIUM

    @property
    def right(self) -> int:
        """The first screen column right of the maps."""
        return MAP_COLUMN + self.map_width

    def heading_line(self, panel: int) -> int:
        """The line of a map's heading."""
        between = self.plan.blank("maps")
        return 1 + self.plan.blank("title") + panel * (1 + self.height + self.plan.totals + between)

    @property
    def axis_line(self) -> int:
        """The line of the time axis. The clock is on the next one, the overview on the one before."""
        below = self.plan.overview * (1 + self.plan.blank("overview"))
        return self.heading_line(self.plan.maps - 1) + 1 + self.height + self.plan.totals + below

    @property
    def room_below(self) -> int:
        """How many lines there are for texts, between the clock and the key hints."""
        return self.lines - self.plan.keys - self.axis_line - 2


def map_width(columns: int) -> int:
    """How many characters of a line are left for the time columns."""
    return max(1, columns - MAP_COLUMN - _RIGHT[_class_of(columns)])


def cell_width(columns: int, width: int, *, finished: bool) -> int:
    """Characters per time column: 1 while new columns arrive; those of a finished source fill the width."""
    if not finished or columns < 1:
        return 1
    return max(1, width // columns)


@lru_cache(maxsize=256)
def arrange_layout(size: tuple[int, int], demand: LayoutDemand, *, half: bool) -> Layout:
    """The layout for a size (columns, lines). ``half``: whether a cell can hold two latency rows."""
    columns, lines = size
    plan = _fitting(demand, lines, half)
    return Layout(columns, lines, map_width(columns), plan, plan.map_lines(demand))


def _fitting(demand: LayoutDemand, lines: int, half: bool) -> LayoutPlan:
    """Drop one thing after another until the rest fits; then restore, last dropped first, whatever still fits."""
    plan = LayoutPlan(
        maps=demand.maps,
        rows=demand.rows,
        apart=demand.apart,
        change=demand.change,
        latest=demand.latest,
        events=demand.events,
        others=demand.others,
        keys=demand.keys,
        overview=demand.overview,
    )
    given: list[tuple[str, Any]] = []
    for field, value in _concessions(demand, half):
        if plan.lines(demand) <= lines:
            break
        given.append((field, getattr(plan, field)))
        plan = plan._replace(**{field: value})
    extras: list[tuple[str, Any]] = [("below", demand.below), ("above", demand.above)]
    # Context rows are added only if no rows had to merge: merged edge rows have no context.
    for field, value in [*reversed(given), *(extras if plan.rows == demand.rows else [])]:
        richer = plan._replace(**{field: value})
        if richer.lines(demand) <= lines:
            plan = richer
    return plan


def _concessions(demand: LayoutDemand, half: bool) -> Iterator[tuple[str, Any]]:
    """The changes that save lines, starting with what users miss least."""
    yield "apart", False
    for blanks in range(len(_BLANKS) - 1, -1, -1):
        yield "blanks", blanks
    for others in range(demand.others - 1, 0, -1):
        yield "others", others
    for events in range(demand.events - 1, 0, -1):
        yield "events", events
    if not demand.finished:
        yield "change", False
    yield "latest", False
    if half:
        yield "half", True
    yield "totals", False
    for rows in range(demand.rows - 1, MIN_ROWS - 1, -1):
        yield "rows", rows
    yield "window", False
    yield "others", 0
    yield "events", 0
    yield "change", False
    yield "overview", False
    yield "keys", False
    yield "maps", 1
    for rows in range(min(demand.rows, MIN_ROWS) - 1, 0, -1):
        yield "rows", rows


def _class_of(columns: int) -> str:
    return "wide" if columns >= WIDE else "medium" if columns >= MEDIUM else "narrow"
