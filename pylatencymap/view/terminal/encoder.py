"""Encodes the live picture: finds what to send so that the terminal shows the next picture.

1. Model: keep a copy of the cells that the terminal shows, with UNKNOWN for those that we cannot know.
2. Shift: if the maps moved left by n columns, delete n cells at the left end of each line that gains by it (shift.py).
3. Compare the model with the new picture, cell by cell. Changes up to NEAR cells apart form one run.
4. Paint each run: shortest cursor movement, change of style, characters. On a shifted line, insert n cells first at the
   right end of the map, so that what is right of the map moves back into its place.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat

import numpy as np

from ...text import TAIL
from ..drawing import DrawnPicture
from ..layout.geometry import Geometry
from ..paint.canvas import BLANK, TAIL_CODE, CellMask, Cells, text_of_codes
from ..style.options import ViewOptions
from .ansi import Pen
from .shift import Shift, find_shift

# The position of the terminal's cursor, and the shortest safe way to move it.


DELETE, INSERT = "P", "@"
"""Final bytes of DCH, which deletes cells and closes up the rest of the line, and ICH, which inserts blank cells.

Source: DEC VT102.
"""


def edit_sequence(final: str, count: int) -> str:
    """A control sequence with a count. A count of 1 is the default and left out."""
    return f"\x1b[{final}" if count == 1 else f"\x1b[{count}{final}"


class TerminalCursor:
    """Tracks the terminal's cursor. Lines and columns count from 0. ``columns`` is the width of the terminal.

    It uses only sequences that every terminal of the last decades has: CUP, CHA, CUF, CUB, CUD, backspace, CR LF (with
    the carriage return, so that it does not matter whether the line discipline adds one).
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._line: int | None = None
        self._column: int | None = None

    def to(self, line: int, column: int) -> str:
        """What to send so that the next character lands there. It never moves beyond the last line."""
        way = _way(self._line, self._column, line, column)
        self._line, self._column = line, column
        return way

    def over(self, line: int, column: int, count: int) -> str:
        """The same as ``to``, for ``count`` characters that are written there next. After the last column the place is
        unknown: terminals differ there.
        """
        way, end = _way(self._line, self._column, line, column), column + count
        self._line, self._column = line, end if end < self._columns else None
        return way

    def lose(self) -> None:
        """Mark the column as unknown: this terminal may show what was written narrower or wider than we think."""
        self._column = None


@lru_cache(maxsize=1 << 14)
def _way(from_line: int | None, from_column: int | None, line: int, column: int) -> str:
    """The shortest sequence from one place (None: unknown) to another. Cached: moving pictures repeat the same ones."""
    if from_line == line:
        return _along(from_column, column)
    ways = [f"\x1b[{line + 1};{column + 1}H" if column else f"\x1b[{line + 1}H"]
    if from_line is not None and line == from_line + 1:
        ways.append("\r\n" + (edit_sequence("C", column) if column else ""))
        if from_column is not None:
            ways.append("\x1b[B" + _along(from_column, column))
    return min(ways, key=len)


def _along(from_column: int | None, column: int) -> str:
    """The shortest sequence to another column of the same line."""
    absolute = edit_sequence("G", column + 1)
    if from_column is None:
        return absolute
    step = column - from_column
    if step == -1:
        return "\b"
    if not step:
        return ""
    relative = edit_sequence("C", step) if step > 0 else edit_sequence("D", -step)
    return relative if len(relative) <= len(absolute) else absolute


NEAR = 4
"""Changes at most this many cells apart form one run: moving the cursor costs more than the cells between them."""
UNKNOWN = 0
"""Stands in the model for a cell when we do not know what the terminal shows there."""
_ERASE = "\x1b[K"


def synchronized(text: str) -> str:
    """A frame between the marks of synchronized output (DEC private mode 2026).

    Terminals that know the mode show the frame all at once; others ignore the marks.
    """
    return f"\x1b[?2026h{text}\x1b[?2026l" if text else ""


class ScreenEncoder:
    """Keeps a model of what a terminal shows, and finds what to send so that it shows the next picture.

    Each text starts and ends with the terminal's own style and leaves the cursor anywhere. The screen is never
    cleared, so nothing flickers. ``options`` can change between frames.
    """

    def __init__(self, options: ViewOptions) -> None:
        self._options = options
        self._pen = Pen(options)
        self._model: Cells | None = None
        self._geometry: Geometry | None = None
        self._has_wide = False

    @property
    def options(self) -> ViewOptions:
        """The options that the colours come from."""
        return self._options

    @options.setter
    def options(self, options: ViewOptions) -> None:
        if _look_of(options) != _look_of(self._options):
            self._pen = Pen(options)
            self.forget()
        self._options = options

    @property
    def shown(self) -> Cells | None:
        """What the terminal shows, or None if we do not know."""
        return self._model

    def forget(self) -> None:
        """Forget what the terminal shows: the next frame is painted from its first cell to its last."""
        self._model = self._geometry = None

    def encode(self, drawn: DrawnPicture) -> str:
        """What to send; empty if the terminal already shows the picture."""
        cells = drawn.cells
        if self._model is None or self._model.chars.shape != cells.chars.shape:
            self._model = Cells(np.full_like(cells.chars, UNKNOWN), np.zeros_like(cells.styles))
            self._geometry = None
        had_wide, self._has_wide = self._has_wide, TAIL_CODE in cells.chars
        wide = had_wide or self._has_wide
        shift = find_shift(self._model, self._geometry, cells, drawn.geometry, wide=wide)
        text = _Painter(self._pen, self._model, cells, has_wide=self._has_wide).paint(shift)
        np.copyto(self._model.chars, cells.chars)
        np.copyto(self._model.styles, cells.styles)
        self._geometry = drawn.geometry
        return text


class _Painter:
    """Paints one frame over what the terminal shows. ``model`` is updated along with the terminal."""

    def __init__(self, pen: Pen, model: Cells, cells: Cells, *, has_wide: bool) -> None:
        self._pen = pen
        self._model = model
        self._cells = cells
        self._cursor = TerminalCursor(cells.columns)
        self._has_wide = has_wide
        self._pieces: list[str] = []

    def paint(self, shift: Shift | None) -> str:
        if shift is not None:
            self._delete(shift)
        self._erase_ends()
        changed = (self._model.chars != self._cells.chars) | (self._model.styles != self._cells.styles)
        if self._has_wide:
            _join_halves(changed, self._cells)
        found = list(changed_runs(changed))
        # Fetch characters and styles of all runs together: a picture often has a hundred short runs.
        width = self._cells.columns
        index = [place for line, start, stop in found for place in range(line * width + start, line * width + stop)]
        text, styles = text_of_codes(self._cells.chars.take(index)), self._cells.styles.take(index).tolist()
        gap, insert = (shift.gap, edit_sequence(INSERT, shift.by)) if shift is not None else (0, "")
        open_lines = set(shift.lines) if shift is not None else set()
        end, write = 0, self._run if self._has_wide else self._stroke
        for line, start, stop in found:
            begin, end = end, end + stop - start
            if line in open_lines and stop > gap:
                open_lines.remove(line)
                if start < gap:
                    before, begin = begin, begin + gap - start
                    write(line, start, text[before:begin], styles[before:begin])
                    start = gap
                self._pieces.append(self._cursor.to(line, gap) + insert)
            write(line, start, text[begin:end], styles[begin:end])
        return "".join(self._pieces) + self._pen.lift()

    def _delete(self, shift: Shift) -> None:
        """Delete cells at the left ends of the lines, which moves the maps to the left.

        ``paint`` inserts cells at the right ends, before it paints the run there. Inserted cells may have any
        background, so the model has them as UNKNOWN, and every shifted line therefore has a run there.
        """
        delete = edit_sequence(DELETE, shift.by)
        lines, left = shift.lines, repeat(shift.left)
        ways = map(_way, lines[:-1], left, lines[1:], left)
        self._pieces += [self._cursor.to(lines[0], shift.left), delete, *[way + delete for way in ways]]
        self._cursor.to(lines[-1], shift.left)
        first, stop = lines[0], lines[-1] + 1
        # Most often all lines between them move; a slice is faster than a list of lines.
        rows = slice(first, stop) if stop - first == len(lines) else list(lines)
        for array, filler in ((self._model.chars, UNKNOWN), (self._model.styles, 0)):
            array[rows, shift.left : shift.gap] = array[rows, shift.left + shift.by : shift.right]
            array[rows, shift.gap : shift.right] = filler

    def _erase_ends(self) -> None:
        """Erase the blank ends of lines whose ends are unknown: shorter than writing the blanks."""
        chars, styles = self._cells
        for line in np.flatnonzero(self._model.chars[:, -1:] == UNKNOWN).tolist():
            visible = np.flatnonzero((chars[line] != BLANK) | (styles[line] != 0))
            width = int(visible[-1]) + 1 if visible.size else 0
            if self._cells.columns - width > NEAR and (self._model.chars[line, width:] == UNKNOWN).all():
                self._pieces.append(self._cursor.to(line, width) + _ERASE)
                self._model.chars[line, width:], self._model.styles[line, width:] = BLANK, 0

    def _run(self, line: int, start: int, text: str, styles: list[int]) -> None:
        """A run that may have characters of two cells."""
        # Tables of widths differ with their age. After wide characters the cursor is placed anew, so that what
        # follows is where it belongs on a terminal that takes them for narrow ones.
        done = 0
        while (tail := text.find(TAIL, done)) >= 0:
            end = tail + 1
            while text[end + 1 : end + 2] == TAIL:
                end += 2
            self._stroke(line, start + done, text[done:end], styles[done:end])
            self._cursor.lose()
            done = end
        if text[done:]:
            self._stroke(line, start + done, text[done:], styles[done:])

    def _stroke(self, line: int, start: int, text: str, styles: list[int]) -> None:
        self._pieces += self._cursor.over(line, start, len(text)), self._pen.letters(text, styles)


def _join_halves(changed: CellMask, cells: Cells) -> None:
    """Mark both cells of a wide character as changed if one is: it can only be written whole."""
    tails = cells.chars[:, 1:] == TAIL_CODE
    either = tails & (changed[:, 1:] | changed[:, :-1])
    changed[:, 1:] |= either
    changed[:, :-1] |= either


def changed_runs(changed: CellMask) -> Iterator[tuple[int, int, int]]:
    """Line, start and end of each run of changed cells, top to bottom. Changes up to NEAR cells apart are one run."""
    width = changed.shape[1]
    places = np.flatnonzero(changed).tolist()
    line_end = start = last = -1
    for place in places:
        if place >= line_end or place - last > NEAR:
            if start >= 0:
                yield _run_of(start, last, width)
            start, line_end = place, place - place % width + width
        last = place
    if start >= 0:
        yield _run_of(start, last, width)


def _run_of(first: int, last: int, width: int) -> tuple[int, int, int]:
    """Line, start and end of a run, from the numbers of its first and last cell, counted line by line."""
    line, start = divmod(first, width)
    return line, start, start + last - first + 1


def _look_of(options: ViewOptions) -> tuple[object, ...]:
    """The options that decide which colour a style has."""
    return options.depth, options.palette, options.background
