"""Decides which parts of the picture are drawn on which lines, and what is dropped on a small terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ..style.options import AUTO_CURVES, ON_MAP, STRIP, ViewOptions

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
ROOMY = (200, 60)
"""Columns and lines from which on the room is used: percentiles, tables and rows of two lines."""
LEAST_STRIP = 3
"""Lines of a strip of percentiles, with its heading."""
LEAST_TABLES = 3
"""Lines of the tables, with their headings."""
KEPT_TABLES = 4
"""Lines of the tables, with their headings, that stay while there is a read-out."""
LONGEST_READ_OUT = 5
"""Lines of a read-out with what is before and after a selection, and of what is said of it."""
LEAST_TEXTS = 3
"""Lines of text below the maps for which rows merge: a read-out of two lines with what was pressed for needs them."""


class LayoutDemand(NamedTuple):
    """What there is to draw: numbers of rows and lines.

    ``rows`` are the core latency rows; ``below`` and ``above`` are the context rows available. ``paired``: two rows on
    a line must meet at a power of two. ``apart``: a blank separates the top row from the others. ``notices`` are never
    dropped. ``finished``: no data will come, so that the sentence about a change can take lines of the maps. Messages
    and read-outs, which come and go, are not counted: they replace other lines, so that no map moves.
    ``strip``: the lines of percentiles over time, with their heading; unless they are ``asked`` for, they are drawn
    only where there is room for all else. ``tables``: the lines of tables, which are instead of the reading, the
    change, the remarks and the other series where there is room for them. ``roomy``: a row may have two lines,
    and the strip ``tall_strip`` lines. ``table``: lines of the comparison of A and B, which take the place of the
    other texts; ``braces``: they are on the time axis.
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
    strip: int = 0
    asked: bool = False
    tables: int = 0
    roomy: bool = False
    tall_strip: int = 0
    table: int = 0
    braces: bool = False


class LayoutPlan(NamedTuple):
    """What is drawn: the demand without what was dropped.

    ``half``: two latency rows per line. ``tall``: two lines per latency row. ``blanks``: how many of _BLANKS there are.
    ``texts``: at least so many lines are for texts below the maps.
    """

    maps: int
    rows: int
    below: int = 0
    above: int = 0
    half: bool = False
    apart: bool = False
    totals: bool = True
    texts: int = LEAST_TEXTS
    blanks: int = len(_BLANKS)
    change: bool = False
    window: bool = True
    latest: bool = False
    events: int = 0
    others: int = 0
    keys: bool = False
    overview: bool = False
    strip: int = 0
    tables: int = 0
    tall: bool = False
    braces: bool = False

    def blank(self, place: str) -> bool:
        """Whether there is a blank line at one of the places of _BLANKS."""
        return place in _BLANKS[: self.blanks]

    def map_lines(self, demand: LayoutDemand) -> int:
        """How many lines the rows of one map take."""
        rows = self.rows + self.below + self.above
        if self.half:
            return (rows + demand.paired + 2 * demand.apart + 1) // 2
        return rows * (1 + self.tall) + self.apart

    def lines(self, demand: LayoutDemand) -> int:
        """How many lines the whole picture takes."""
        maps = self.maps * (1 + self.map_lines(demand) + self.totals)
        times = {
            "maps": self.maps - 1 + bool(self.strip),
            "events": bool(self.events) and not self.tables,
            "keys": self.keys,
            "overview": self.overview,
        }
        blanks = sum(self.blank(place) * times.get(place, 1) for place in _BLANKS)
        texts = self.window + self.latest + (self.tables or 1 + self.change + self.events + self.others)
        if self.tables:  # a read-out takes the blank lines between texts, and those of statistics
            between = sum(map(self.blank, ("axis", "statistics", "keys")))
            texts = max(texts, LONGEST_READ_OUT + min(self.tables, KEPT_TABLES) - between)
        texts = demand.notices + (demand.table or max(texts, self.texts)) + self.keys
        return 1 + maps + self.strip + self.braces + self.overview + 2 + texts + blanks


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
    def strip_line(self) -> int:
        """The line of the heading of the percentiles, or if there are none the one below the maps."""
        between = bool(self.plan.strip) and self.plan.blank("maps")
        return self.heading_line(self.plan.maps - 1) + 1 + self.height + self.plan.totals + between

    @property
    def axis_line(self) -> int:
        """The line of the time axis. The clock is on the next one, the overview on the one before."""
        below = self.plan.overview * (1 + self.plan.blank("overview"))
        return self.brace_line + self.plan.braces + below

    @property
    def brace_line(self) -> int:
        """The line below the maps and the strip, where the braces of A and B are."""
        return self.strip_line + self.plan.strip

    @property
    def room_below(self) -> int:
        """How many lines there are for texts, between the clock and the key hints."""
        return self.lines - self.plan.keys - self.axis_line - 2


def has_room(size: tuple[int, int]) -> bool:
    """Whether a terminal of so many columns and lines has room for more than maps and texts."""
    return size[0] >= ROOMY[0] and size[1] >= ROOMY[1]


def may_show_curves(options: ViewOptions, size: tuple[int, int]) -> bool:
    """Whether percentiles over time may be drawn."""
    return options.percentiles in (ON_MAP, STRIP) or (options.percentiles == AUTO_CURVES and has_room(size))


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
        window=not demand.table,
        change=demand.change,
        latest=demand.latest,
        events=demand.events,
        others=demand.others,
        keys=demand.keys,
        overview=demand.overview,
        strip=demand.strip if demand.asked else 0,
        braces=demand.braces,
    )
    given: list[tuple[str, Any]] = []
    for field, value in _concessions(demand, half):
        if plan.lines(demand) <= lines:
            break
        given.append((field, getattr(plan, field)))
        plan = plan._replace(**{field: value})
    whole = plan.rows == demand.rows
    plan = _with_those_that_fit(plan, reversed(given), demand, lines)
    # What is left is used only if no rows had to merge: merged edge rows have no context.
    return _with_those_that_fit(plan, _extras(demand, plan), demand, lines) if whole else plan


def _with_those_that_fit(
    plan: LayoutPlan, changes: Iterable[tuple[str, Any]], demand: LayoutDemand, lines: int
) -> LayoutPlan:
    for field, value in changes:
        richer = plan._replace(**{field: value})
        if richer.lines(demand) <= lines:
            plan = richer
    return plan


def _extras(demand: LayoutDemand, plan: LayoutPlan) -> Iterator[tuple[str, Any]]:
    """What uses the room that is left, in this order; of several sizes, each one that fits replaces the one before."""
    if demand.roomy and not plan.half:
        if not demand.asked:
            yield from (("strip", strip) for strip in range(min(LEAST_STRIP, demand.strip), demand.strip + 1))
        yield from (("tables", tables) for tables in range(min(LEAST_TABLES, demand.tables), demand.tables + 1))
        yield "tall", True
        yield from (("strip", strip) for strip in (demand.tall_strip,) if strip > demand.strip > 0)
    yield "below", demand.below
    yield "above", demand.above


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
    if demand.asked:
        yield from (("strip", strip) for strip in range(demand.strip - 1, LEAST_STRIP - 1, -1))
    if half:
        yield "half", True
    yield "totals", False
    if demand.asked:
        yield "strip", 0
    # Remarks have their letters on the axis and beside the key hints; percentiles are nowhere else.
    yield "events", 0
    yield "window", False
    for rows in range(demand.rows - 1, MIN_ROWS - 1, -1):
        yield "rows", rows
    yield "texts", 0
    yield "others", 0
    yield "change", False
    yield "overview", False
    yield "braces", False
    yield "keys", False
    yield "maps", 1
    for rows in range(min(demand.rows, MIN_ROWS) - 1, 0, -1):
        yield "rows", rows


def _class_of(columns: int) -> str:
    return "wide" if columns >= WIDE else "medium" if columns >= MEDIUM else "narrow"
