"""New columns in place: the terminal's cells move, the newest ones are painted, one after the other and without looking
at the rest of the picture.
"""

from collections.abc import Iterator

import numpy as np

from .cells import BLANK, Cells, decode, encoded
from .celltable import CODE, CODE_BITS, Cell, cells_of
from .cursor import DELETE, INSERT, Cursor, edit
from .geometry import Geometry
from .ink import DIM
from .moves import FIRST, moves
from .sgr import Pen
from .strips import Strip


class Scroller:
    """Follows what the terminal shows: ``cells``, in which ``settle`` puts the columns that have come since.

    A line whose cells are all like the new one is left alone: moving it would change nothing.
    """

    def __init__(self, pen: Pen, cells: Cells, geometry: Geometry, lines: int) -> None:
        """``lines``: of each map, the totals included."""
        self._pen = pen
        self._cells = cells
        self._geometry = geometry
        self._width = geometry.right - geometry.left
        self._lines = [line for region in geometry.regions for line in range(region.top, region.top + lines)]
        self._lines.append(geometry.axis)
        self._last, self._since = self._ends()
        self._came = 0
        self._labels = decode(cells.chars[geometry.axis + 1, geometry.left : geometry.right])
        cursor, line = Cursor(cells.columns), geometry.axis + 1
        close = cursor.to(line, geometry.left) + edit(DELETE, 1)
        self._label_movement = close + cursor.to(line, geometry.right - 1) + edit(INSERT, 1)
        self._dim, self._plain = pen.changes[0, DIM], pen.changes[DIM, 0]
        self._moves = moves(cells.columns, tuple(self._lines), geometry.left, geometry.right - 1)
        self._columns: list[list[Cell]] = []
        self._moments: list[int] = []

    def text(self, strip: Strip) -> str:
        """What to send for one more column."""
        cells = [cell for part in strip.maps for cell in part]
        cells.append(strip.axis)
        self._columns.append(cells)
        self._moments.append(strip.end)
        text = self._moved(cells) + self._relabelled(strip.labels)
        if any(strip.totals):
            end = 0
            for part, totals in zip(strip.maps, strip.totals, strict=True):
                end += len(part)
                text += self._replaced(end - 1, totals)
        return text

    def _moved(self, cells: list[Cell]) -> str:
        """At first all lines close up at their left ends, then each makes room at its right end for its new cell."""
        strokes, last, since = self._pen.strokes, self._last, self._since
        self._came += 1
        alike = self._came - self._width
        begin: list[str] = []
        pieces: list[str] = []
        style, ways = 0, self._moves[FIRST]
        for place, cell in enumerate(cells):
            if cell == last[place]:
                if since[place] < alike:
                    continue
            else:
                last[place], since[place] = cell, self._came - 1
            close, room = ways[place]
            begin.append(close)
            pieces.append(room)
            pieces.append(strokes[style, cell])
            style, ways = cell >> CODE_BITS, self._moves[place]
        return "".join(begin) + "".join(pieces) + self._pen.changes[style, 0]

    def settle(self) -> Geometry:
        """Put the new columns into the cells; the geometry that is true then."""
        if self._columns:
            columns = self._columns[-self._width :]
            self._shift(len(columns))
            geometry = self._geometry
            new = np.s_[self._lines, geometry.right - len(columns) : geometry.right]
            cells = np.array(columns, np.int64).T
            self._cells.chars[new], self._cells.styles[new] = cells & CODE, cells >> CODE_BITS
            labels = encoded(self._labels)
            below = np.s_[geometry.axis + 1, geometry.left : geometry.right]
            self._cells.chars[below], self._cells.styles[below] = labels, np.where(labels == BLANK, 0, DIM)
            ends = np.concatenate((geometry.ends, np.array(self._moments, np.int64)))[-self._width :]
            self._geometry = geometry._replace(ends=ends)
            self._columns, self._moments = [], []
        return self._geometry

    def _shift(self, by: int) -> None:
        left, right = self._geometry.left, self._geometry.right
        for array in (self._cells.chars, self._cells.styles):
            array[self._lines, left : right - by] = array[self._lines, left + by : right]

    def _ends(self) -> tuple[list[Cell], list[int]]:
        """Per line the newest cell, and the number of the last column that is not like it: the next one is number 1."""
        part = np.s_[self._lines, self._geometry.left : self._geometry.right]
        chars, styles = self._cells.chars[part][:, ::-1], self._cells.styles[part][:, ::-1]
        other = (chars != chars[:, :1]) | (styles != styles[:, :1])
        alike = np.where(other.any(axis=1), other.argmax(axis=1), self._width)
        return cells_of(chars[:, 0], styles[:, 0]).tolist(), (-alike).tolist()

    def _relabelled(self, labels: str) -> str:
        """The line of clock labels: moved, and mended at both ends, where labels stand still."""
        before, self._labels = self._labels, labels
        if labels == before:
            return ""
        if labels[-1] == " " and labels[:-1] == before[1:]:  # mostly
            return self._label_movement + " "
        text, left = self._label_movement, self._geometry.left
        # What is inserted may have any background: it counts as something else than a blank.
        for start, stop in _differences(before[1:] + "\0", labels):
            words = [f"{self._dim}{word}{self._plain}" if word else "" for word in labels[start:stop].split(" ")]
            text += edit("G", left + start + 1) + " ".join(words)
        return text

    def _replaced(self, place: int, cells: list[Cell]) -> str:
        """All cells of a line, the last of them at the right end of the maps."""
        if not cells:
            return ""
        # Some of them are in columns that are not settled yet, the others will move when these are.
        for column, cell in zip(reversed(self._columns), reversed(cells), strict=False):
            column[place] = cell
        line, right, new = self._lines[place], self._geometry.right, len(self._columns)
        part = np.s_[line, right - len(cells[:-new]) : right]
        text, styles = "".join([chr(cell & CODE) for cell in cells]), [cell >> CODE_BITS for cell in cells]
        self._cells.chars[part], self._cells.styles[part] = encoded(text[:-new]), styles[:-new]
        alike = next((n for n, cell in enumerate(reversed(cells)) if cell != cells[-1]), len(cells))
        self._since[place] = self._came - alike
        move = Cursor(self._cells.columns).to(line, right - len(cells))
        return move + self._pen.letters(text, styles) + self._pen.lift()


def _differences(before: str, now: str) -> Iterator[tuple[int, int]]:
    """Start and end of what differs in the left half and in the right half of two texts of one length."""
    middle = len(now) // 2
    for start, stop in ((0, middle), (middle, len(now))):
        if before[start:stop] == now[start:stop]:
            continue
        while start < stop and before[start] == now[start]:
            start += 1
        while start < stop and before[stop - 1] == now[stop - 1]:
            stop -= 1
        if start < stop:
            yield start, stop
