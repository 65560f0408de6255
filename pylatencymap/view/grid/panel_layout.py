"""Where the panels of a grid are, and how many of them fit."""

from typing import NamedTuple

from ..layout.layout import MAP_COLUMN, MIN_ROWS

GOOD_WIDTH, LEAST_WIDTH = 36, 26
GOOD_HEIGHT, LEAST_HEIGHT = 16, 8
"""Columns and lines of a panel: as many panels as are good, and two in a row or column where they are at least that."""
ROOMY_LINES = 30
_TALL = 12
"""Lines of a panel from which on its figures and the clock have lines of their own."""
_MARGIN = 1
"""Blank columns between panels."""


class GridLayout(NamedTuple):
    """Lines and columns of the screen count from 0.

    ``columns`` and ``rows`` of panels; each has ``width`` columns and ``height`` lines; the first begins at line
    ``top``. ``needed``: lines that the rows of a map need, None while that is not known.
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
        """Screen columns for time columns."""
        return max(1, self.width - MAP_COLUMN - _MARGIN)

    @property
    def legend_line(self) -> int:
        return self.top - 1 - is_roomy(self.size)

    @property
    def heads(self) -> int:
        """Lines above the maps of a panel: its name; where it is tall, its figures too."""
        return 2 if self.height >= _TALL else 1

    @property
    def clock(self) -> bool:
        """Whether there is a line for the clock below the axis of a panel."""
        return self.height >= _TALL

    def corner(self, place: int) -> tuple[int, int]:
        """Column and line at which a panel begins; ``place`` counts along the rows."""
        row, column = divmod(place, self.columns)
        return column * self.width, self.top + row * self.height

    def place_at(self, column: int, line: int) -> int | None:
        """The panel under a cell of the screen."""
        across, down = column // self.width, (line - self.top) // self.height
        inside = 0 <= across < self.columns and 0 <= down < self.rows
        return down * self.columns + across if inside else None

    def map_lines(self, maps: int) -> tuple[int, int]:
        """Lines of each map, and lines between two of them."""
        free = self.height - self.heads - 1 - self.clock
        between = int(maps > 1 and free > 2 * MIN_ROWS)
        lines = max(1, (free - between) // maps)
        return lines if self.needed is None else min(lines, self.needed), between

    def axis_line(self, maps: int) -> int:
        """Line of the axis within a panel, right below the last map."""
        lines, between = self.map_lines(maps)
        return self.heads + maps * lines + (maps - 1) * between

    def maps(self, wanted: tuple[str, ...], *, half: bool) -> tuple[str, ...]:
        """Those maps for which a panel has room; the last one is the last to go."""
        lines = self.map_lines(len(wanted))[0] * (1 + half)
        return wanted if lines >= MIN_ROWS else wanted[-1:]


def is_roomy(size: tuple[int, int]) -> bool:
    """Whether blank lines set the head of the screen apart."""
    return size[1] >= ROOMY_LINES


def grid_shape(size: tuple[int, int], count: int) -> tuple[int, int]:
    """Columns and rows of panels for so many series on a terminal of a size (columns, lines).

    There are no more than ``count`` needs; what is left over makes panels wider before it makes them higher.
    """
    width, height = size[0], _lines_for_panels(size)
    most_columns = max(1, width // GOOD_WIDTH, min(2, width // LEAST_WIDTH))
    most_rows = max(1, height // GOOD_HEIGHT, min(2, height // LEAST_HEIGHT))
    rows = min(most_rows, max(1, count))
    columns = min(most_columns, -(-max(1, count) // rows))
    return columns, min(rows, -(-max(1, count) // columns))


def grid_columns(size: tuple[int, int], count: int) -> int:
    """Time columns of each panel, at one character each."""
    return grid_layout(size, count).map_width


def grid_layout(size: tuple[int, int], count: int) -> GridLayout:
    """The layout for so many series."""
    columns, rows = grid_shape(size, count)
    width, height = max(1, size[0] // columns), max(1, _lines_for_panels(size) // rows)
    return GridLayout(size, columns, rows, width, height, _head_lines(size))


def _head_lines(size: tuple[int, int]) -> int:
    """Title and legend."""
    return 4 if is_roomy(size) else 2


def _lines_for_panels(size: tuple[int, int]) -> int:
    """The last two lines say what is not shown, and name the keys."""
    return size[1] - _head_lines(size) - 2
