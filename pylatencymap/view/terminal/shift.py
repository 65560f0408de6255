"""How far the maps moved from one picture to the next, and on which lines it pays to move the terminal's own cells."""

from typing import NamedTuple

import numpy as np

from ..layout.geometry import Geometry
from ..paint.canvas import TAIL_CODE, Cells

LEAST_GAIN = 1
"""Cells that must be saved beyond the inserted ones, for a movement costs about as much as so many cells."""


class Shift(NamedTuple):
    """On ``lines`` the cells in columns ``left`` to ``right`` move left by ``by``; what is right of them stays."""

    left: int
    right: int
    by: int
    lines: tuple[int, ...]

    @property
    def gap(self) -> int:
        """The first of the columns that are left open."""
        return self.right - self.by


def find_shift(shown: Cells, before: Geometry | None, now: Cells, geometry: Geometry) -> Shift | None:
    """The movement that makes ``now`` of what is ``shown`` with the least to paint; None where none pays.

    The geometries only say what is worth a look: whether it pays is decided by the cells.
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
    # A movement may cut a character of two cells; what terminals leave of it differs.
    whole = ~((shown.chars[rows] == TAIL_CODE) | (now.chars[rows] == TAIL_CODE)).any(axis=1)
    lines = (np.flatnonzero((standing > moving + by + LEAST_GAIN) & whole) + first).tolist()
    return Shift(left, right, by, tuple(lines)) if lines else None


def moved_by(before: Geometry, now: Geometry) -> int:
    """Screen columns by which the time columns moved to the left; 0 where they did not, or all else changed too."""
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
