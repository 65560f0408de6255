"""Decides how many panels of a grid fit, and where they are."""

from typing import NamedTuple

from ..layout.layout import MAP_COLUMN, MIN_ROWS

GOOD_WIDTH, LEAST_WIDTH = 36, 26
GOOD_HEIGHT, LEAST_HEIGHT = 16, 8
"""Columns and lines of a panel.

As many panels as have the good size; two in a row or column also if they have only the least size.
"""
ROOMY_LINES = 30
_TALL = 12
"""With this many lines, a panel has separate lines for its figures and the clock."""
_MARGIN = 1
"""Number of blank columns between panels."""


class GridLayout(NamedTuple):
    """Where the panels are. Lines and columns of the screen count from 0.

    size      columns and lines of the terminal
    columns   panels in a row
    rows      rows of panels
    width     screen columns of a panel
    height    lines of a panel
    top       the line at which the first panel begins
    needed    how many lines the rows of a map need; None before that is known
    """

    size: tuple[int, int]
    columns: int
    rows: int
    width: int
    height: int
    top: int
    needed: int | None = None

    @property
    def per_page(self) -> int:
        return self.columns * self.rows

    @property
    def map_width(self) -> int:
        """How many screen columns of a panel are for time columns."""
        return max(1, self.width - MAP_COLUMN - _MARGIN)

    @property
    def legend_line(self) -> int:
        return self.top - 1 - is_roomy(self.size)

    @property
    def heads(self) -> int:
        """How many lines are above the maps of a panel: one for its name, and one for its figures if it is tall."""
        return 2 if self.height >= _TALL else 1

    @property
    def clock(self) -> bool:
        """Whether there is a line for the clock below the axis of a panel."""
        return self.height >= _TALL

    def corner(self, place: int) -> tuple[int, int]:
        """The column and line at which a panel begins. ``place`` counts panels along the rows, from 0."""
        row, column = divmod(place, self.columns)
        return column * self.width, self.top + row * self.height

    def place_at(self, column: int, line: int) -> int | None:
        """The place of the panel at a cell of the screen; None if there is none."""
        across, down = column // self.width, (line - self.top) // self.height
        inside = 0 <= across < self.columns and 0 <= down < self.rows
        return down * self.columns + across if inside else None

    def map_lines(self, maps: int) -> tuple[int, int]:
        """How many lines each map has, and how many are between two maps."""
        free = self.height - self.heads - 1 - self.clock
        between = int(maps > 1 and free > 2 * MIN_ROWS)
        lines = max(1, (free - between) // maps)
        return lines if self.needed is None else min(lines, self.needed), between

    def axis_line(self, maps: int) -> int:
        """The line of the axis within a panel, right below the last map."""
        lines, between = self.map_lines(maps)
        return self.heads + maps * lines + (maps - 1) * between

    def maps(self, wanted: tuple[str, ...], *, half: bool) -> tuple[str, ...]:
        """The maps that a panel has room for: all, or only the last."""
        lines = self.map_lines(len(wanted))[0] * (1 + half)
        return wanted if lines >= MIN_ROWS else wanted[-1:]


def is_roomy(size: tuple[int, int]) -> bool:
    """Whether there is room for blank lines around the head of the screen."""
    return size[1] >= ROOMY_LINES


def grid_shape(size: tuple[int, int], count: int) -> tuple[int, int]:
    """How many columns and rows of panels there are for ``count`` series on a terminal of a size (columns, lines).

    There are no more than ``count`` needs. Space left over makes panels wider first, then higher.
    """
    width, height = size[0], _lines_for_panels(size)
    most_columns = max(1, width // GOOD_WIDTH, min(2, width // LEAST_WIDTH))
    most_rows = max(1, height // GOOD_HEIGHT, min(2, height // LEAST_HEIGHT))
    rows = min(most_rows, max(1, count))
    columns = min(most_columns, -(-max(1, count) // rows))
    return columns, min(rows, -(-max(1, count) // columns))


def grid_columns(size: tuple[int, int], count: int) -> int:
    """How many time columns of one character each a panel has."""
    return grid_layout(size, count).map_width


def grid_layout(size: tuple[int, int], count: int) -> GridLayout:
    """The layout for ``count`` series on a terminal of a size (columns, lines)."""
    columns, rows = grid_shape(size, count)
    width, height = max(1, size[0] // columns), max(1, _lines_for_panels(size) // rows)
    return GridLayout(size, columns, rows, width, height, _head_lines(size))


def _head_lines(size: tuple[int, int]) -> int:
    """How many lines title and legend take."""
    return 4 if is_roomy(size) else 2


def _lines_for_panels(size: tuple[int, int]) -> int:
    """How many lines there are for panels: without the head, and the last two for what is not shown and the keys."""
    return size[1] - _head_lines(size) - 2
