"""Finds how far the maps moved to the left, and on which lines moving the terminal's own cells saves output.

One line of a map, before and after n = 2 new columns arrived:

    shown   axis|abcdefgh|numbers   delete n cells at ``left`` (DCH): axis|cdefgh|numbers
    now     axis|cdefghXY|numbers   insert n cells at ``gap`` (ICH), then write XY there; the numbers are in place again

This sends n cells instead of every cell that differs. A line is moved if (cells that differ without moving) is greater
than (cells that differ after moving) + n + LEAST_GAIN.
"""

from typing import NamedTuple

import numpy as np

from ..layout.geometry import Geometry
from ..paint.canvas import TAIL_CODE, Cells

LEAST_GAIN = 1
"""A movement must save more than this many cells beyond the inserted ones: it costs about as much as they do."""


class Shift(NamedTuple):
    """On ``lines``, the cells in columns ``left`` to ``right`` move left by ``by``; the cells right of them stay."""

    left: int
    right: int
    by: int
    lines: tuple[int, ...]

    @property
    def gap(self) -> int:
        """The first of the ``by`` columns that the movement leaves open."""
        return self.right - self.by


def find_shift(
    shown: Cells, before: Geometry | None, now: Cells, geometry: Geometry, *, wide: bool = True
) -> Shift | None:
    """The movement after which least is left to paint to get from ``shown`` to ``now``; None if none saves output.

    The geometries give the distance to try. The cells decide, line by line, whether moving saves output.
    """
    by = moved_by(before, geometry) if before is not None else 0
    left, right = max(0, geometry.left), min(geometry.right, now.columns)
    if not 0 < by < right - left:
        return None
    first = max(0, min((region.top for region in geometry.regions), default=geometry.axis))
    rows = np.s_[first : geometry.axis + 2]
    part = rows, np.s_[left:right]
    old, old_styles, new, new_styles = shown.chars[part], shown.styles[part], now.chars[part], now.styles[part]
    standing = ((old != new) | (old_styles != new_styles)).sum(axis=1)
    moving = ((old[:, by:] != new[:, :-by]) | (old_styles[:, by:] != new_styles[:, :-by])).sum(axis=1)
    pays = standing > moving + by + LEAST_GAIN
    if wide:  # a movement may cut a character of two cells; what terminals leave of it differs
        pays &= ~((shown.chars[rows] == TAIL_CODE) | (now.chars[rows] == TAIL_CODE)).any(axis=1)
    lines = (pays.nonzero()[0] + first).tolist()
    return Shift(left, right, by, tuple(lines)) if lines else None


def moved_by(before: Geometry, now: Geometry) -> int:
    """Screen columns by which the time columns moved to the left; 0 if they did not, or if the layout changed too."""
    same = (before.left, before.right, before.cell_width, before.regions, before.axis) == (
        now.left,
        now.right,
        now.cell_width,
        now.regions,
        now.axis,
    )
    if not same or not before.ends.size or not now.ends.size:
        return 0
    known = int(np.searchsorted(now.ends, before.ends[-1], side="right"))
    if not known or now.ends[known - 1] != before.ends[-1]:
        return 0
    return (int(now.ends.size) - known) * now.cell_width
