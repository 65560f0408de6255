"""A canvas that stays from picture to picture, painted block by block where something is new."""

from collections.abc import Callable
from typing import NamedTuple

from .canvas import BLANK, Canvas, Cells


class Area(NamedTuple):
    """Lines ``top`` to ``bottom`` and columns ``left`` to ``right``, the last ones not included."""

    top: int
    left: int
    bottom: int
    right: int


class Board:
    """Blocks do not overlap, and each paints within its area only. What does not fit is cut."""

    def __init__(self, columns: int, lines: int, *, ascii_only: bool) -> None:
        self.canvas = Canvas(columns, lines, ascii_only=ascii_only)
        self._keys: dict[Area, object] = {}

    def block(self, area: Area, key: object, paint: Callable[[Canvas], object]) -> None:
        """Paint a block again if its key, a value that says all that is painted, is not the one it has."""
        if area in self._keys:
            if self._keys[area] == key:
                return
            self._clear(area)
        paint(self.canvas)
        self._keys[area] = key

    def _clear(self, area: Area) -> None:
        lines, columns = slice(max(0, area.top), max(0, area.bottom)), slice(max(0, area.left), max(0, area.right))
        self.canvas.chars[lines, columns] = BLANK
        self.canvas.styles[lines, columns] = 0

    def cells(self) -> Cells:
        """The picture as it is now: a copy, for the board changes, that nobody can write to."""
        copy = Cells(self.canvas.chars.copy(), self.canvas.styles.copy())
        copy.chars.flags.writeable = copy.styles.flags.writeable = False
        return copy
