"""Ways from line to line of a column, found once: columns that come one by one take the same ways again and again."""

from __future__ import annotations

from functools import lru_cache

from .cursor import DELETE, INSERT, Cursor, edit

FIRST = -1
"""In the place of the line before the first one: where the cursor is then is not known."""


class Moves(dict[tuple[int, int], tuple[str, str]]):
    """By the numbers of two lines: what to send to get from the one to the other so that a cell is deleted at its left
    end, and so that one is inserted at its right end, into which something was written on the line before.
    """

    def __init__(self, columns: int, lines: tuple[int, ...], left: int, newest: int) -> None:
        super().__init__()
        self._columns, self._lines = columns, lines
        self._left, self._newest = left, newest

    def __missing__(self, key: tuple[int, int]) -> tuple[str, str]:
        delete = self._way(*key, self._left, 0) + edit(DELETE, 1)
        found = self[key] = delete, self._way(*key, self._newest, 1) + edit(INSERT, 1)
        return found

    def _way(self, before: int, now: int, column: int, written: int) -> str:
        cursor = Cursor(self._columns)
        if before != FIRST:
            cursor.to(self._lines[before], column)
            cursor.wrote(written)
        return cursor.to(self._lines[now], column)


@lru_cache(maxsize=8)
def moves(columns: int, lines: tuple[int, ...], left: int, newest: int) -> Moves:
    """For ``lines`` of a terminal of so many columns."""
    return Moves(columns, lines, left, newest)
