"""Rows of result sets, in each layout of the command-line clients."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...text.lines import Line, Lines

MAX_COLUMNS = 100
HEADERLESS = ("time", "count", "total")
"""The columns of a table printed without its header."""

_VERTICAL_ROW = re.compile(r"\*{3,} *[0-9]+\. row \*{3,}")
_VERTICAL = re.compile(r" *(?=[^\s:])([^:(]*(?:\([^)]*\)[^:(]*)*): ?(.*)")
"""Name and value; a name such as ``time(now(), '%H:%i')`` can contain colons in its parentheses."""
_HEADERLESS = re.compile(r" *(?:[0-9]+\.[0-9]{6}|TOO LONG.*)\t[0-9]+\t *\S.*")


class ResultRow(NamedTuple):
    """Values by lower-case column; ``fresh``: a header, or another result set, came before this row."""

    values: dict[str, str]
    line: int
    arrival: float | None
    fresh: bool


class ResultRows:
    """Reads rows; passes on other lines and pauses.

    A header is a line with tabs or bars that contains a known column.
    """

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._columns: tuple[str, ...] = ()
        self._fresh = True
        self._vertical: ResultRow | None = None
        self._height = 0

    def read(self, lines: Lines) -> Iterator[ResultRow | Line | None]:
        """Yield rows, other lines, pauses."""
        for line in lines:
            if line is None:
                yield from self._finished(pause=True)
                yield None
            elif _VERTICAL_ROW.match(line.text):
                yield from self._finished()
                first = line.text.lstrip("* ").startswith("1.")
                self._height = 0 if first else self._height
                self._vertical = ResultRow({}, line.number, line.arrival, first)
            elif self._vertical is not None and (found := _VERTICAL.match(line.text)):
                if len(self._vertical.values) < MAX_COLUMNS:
                    self._vertical.values[found[1].strip().lower()] = found[2].strip()
            else:
                yield from self._finished()
                yield from self._horizontal(line)
        yield from self._finished()

    def _finished(self, *, pause: bool = False) -> Iterator[ResultRow]:
        """Yield the vertical row so far. At a pause it can be incomplete: the first row shows the number of fields."""
        row = self._vertical
        if row is None or len(row.values) < (self._height if self._height or not pause else MAX_COLUMNS):
            return
        self._height = self._height or len(row.values)
        self._vertical = None
        if row.values:
            yield row

    def _horizontal(self, line: Line) -> Iterator[ResultRow | Line]:
        text = line.text
        if text.startswith("+-"):
            return
        if text.startswith("|"):
            cells = tuple(cell.strip() for cell in text.strip().strip("|").split("|"))
        elif "\t" in text:
            cells = tuple(cell.strip() for cell in text.split("\t"))
        else:
            yield line
            return
        if not any(cell[:1].isdigit() for cell in cells) and self._begins(tuple(cell.lower() for cell in cells)):
            return
        if not self._columns and len(cells) == len(HEADERLESS) and _HEADERLESS.match(text):
            self._columns = HEADERLESS
            yield self._row(cells, line)
        elif self._columns and len(cells) == len(self._columns):
            yield self._row(cells, line)
        else:
            yield line

    def _begins(self, columns: tuple[str, ...]) -> bool:
        """Whether cells are a known header."""
        if not self._known & set(columns) or len(columns) > MAX_COLUMNS:
            return False
        self._columns, self._fresh = columns, True
        return True

    def _row(self, cells: tuple[str, ...], line: Line) -> ResultRow:
        fresh, self._fresh = self._fresh, False
        return ResultRow(dict(zip(self._columns, cells, strict=True)), line.number, line.arrival, fresh)
