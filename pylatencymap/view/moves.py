"""Ways from line to line of a column, found once: columns that come one by one take the same ways again and again."""

from __future__ import annotations

from functools import lru_cache

from .cursor import DELETE, INSERT, Cursor, edit

FIRST = -1
"""In the place of the line before the first one: where the cursor is then is not known."""


class Moves(dict[int, "Ways"]):
    """By the number of a line: the ways from it."""

    def __init__(self, columns: int, lines: tuple[int, ...], left: int, newest: int) -> None:
        super().__init__()
        self._place = columns, lines, left, newest

    def __missing__(self, before: int) -> Ways:
        found = self[before] = Ways(before, *self._place)
        return found


class Ways(dict[int, tuple[str, str]]):
    """By the number of a line: what to send to get there so that a cell is deleted at its left end, and so that one is
    inserted at its right end, from another line, at the right end of which something was written.
    """

    def __init__(self, before: int, columns: int, lines: tuple[int, ...], left: int, newest: int) -> None:
        super().__init__()
        self._before, self._columns, self._lines = before, columns, lines
        self._left, self._newest = left, newest

    def __missing__(self, now: int) -> tuple[str, str]:
        delete = self._way(now, self._left, 0) + edit(DELETE, 1)
        found = self[now] = delete, self._way(now, self._newest, 1) + edit(INSERT, 1)
        return found

    def _way(self, now: int, column: int, written: int) -> str:
        cursor = Cursor(self._columns)
        if self._before != FIRST:
            cursor.to(self._lines[self._before], column)
            cursor.wrote(written)
        return cursor.to(self._lines[now], column)


@lru_cache(maxsize=8)
def moves(columns: int, lines: tuple[int, ...], left: int, newest: int) -> Moves:
    """For ``lines`` of a terminal of so many columns."""
    return Moves(columns, lines, left, newest)
