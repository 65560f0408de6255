"""The live picture: the terminal's own cells are moved, and only what then differs is painted."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from ...text import TAIL
from ..drawing import DrawnPicture
from ..layout.geometry import Geometry
from ..paint.canvas import BLANK, TAIL_CODE, CellMask, Cells, text_of_codes
from ..style.options import ViewOptions
from .ansi import Pen
from .shift import Shift, find_shift

# Where the terminal's cursor is, and the shortest safe way to move it.


DELETE, INSERT = "P", "@"
"""Final bytes of DCH and ICH (VT102): the rest of the line closes up, or makes room."""


def edit_sequence(final: str, count: int) -> str:
    """A control sequence with a count, which is left out where it is 1."""
    return f"\x1b[{final}" if count == 1 else f"\x1b[{count}{final}"


class TerminalCursor:
    """Lines and columns count from 0. ``columns`` is the width of the terminal.

    Only sequences that every terminal of the last decades has are used: CUP, CHA, CUF, CUB, CUD, backspace, CR LF (with
    the carriage return, so that it does not matter whether the line discipline adds one).
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._line: int | None = None
        self._column: int | None = None

    def to(self, line: int, column: int) -> str:
        """What to send so that the next character lands there; never beyond the last line."""
        way = _way(self._line, self._column, line, column)
        self._line, self._column = line, column
        return way

    def wrote(self, count: int) -> None:
        """Characters were written. Behind the last column terminals differ in where the cursor is: it is unknown."""
        if self._column is not None:
            self._column += count
            if self._column >= self._columns:
                self._column = None

    def lose(self) -> None:
        """What was written may be narrower or wider on this terminal: the column is unknown."""
        self._column = None


@lru_cache(maxsize=1 << 14)
def _way(from_line: int | None, from_column: int | None, line: int, column: int) -> str:
    """The way from one place, None where it is unknown, to another; pictures that move take the same ways again."""
    if from_line == line:
        return _along(from_column, column)
    ways = [f"\x1b[{line + 1};{column + 1}H" if column else f"\x1b[{line + 1}H"]
    if from_line is not None and line == from_line + 1:
        ways.append("\r\n" + (edit_sequence("C", column) if column else ""))
        if from_column is not None:
            ways.append("\x1b[B" + _along(from_column, column))
    return min(ways, key=len)


def _along(from_column: int | None, column: int) -> str:
    """Along the line."""
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
"""A change so many cells behind another one belongs to its run: moving the cursor would cost more than the cells."""
UNKNOWN = 0
"""The character of a cell of which it is not known what the terminal shows."""
_ERASE = "\x1b[K"


def synchronized(text: str) -> str:
    """The text of a frame so that terminals with synchronized output show it at once; others pass over the marks."""
    return f"\x1b[?2026h{text}\x1b[?2026l" if text else ""


class ScreenEncoder:
    """Knows what a terminal shows, and says what to send so that it shows the next picture.

    The terminal's own style is expected before each text and left behind it; the cursor ends anywhere. Nothing is
    cleared, so that nothing flickers. ``options`` may be changed between frames.
    """

    def __init__(self, options: ViewOptions) -> None:
        self._options = options
        self._pen = Pen(options)
        self._model: Cells | None = None
        self._geometry: Geometry | None = None

    @property
    def options(self) -> ViewOptions:
        """What the colours are taken from."""
        return self._options

    @options.setter
    def options(self, options: ViewOptions) -> None:
        if _look_of(options) != _look_of(self._options):
            self._pen = Pen(options)
            self.forget()
        self._options = options

    @property
    def shown(self) -> Cells | None:
        """What the terminal shows; None where that is not known."""
        return self._model

    def forget(self) -> None:
        """What the terminal shows is not known any more: the next frame is painted from its first cell to its last."""
        self._model = self._geometry = None

    def encode(self, drawn: DrawnPicture) -> str:
        """What to send; empty where the terminal shows the picture already."""
        cells = drawn.cells
        if self._model is None or self._model.chars.shape != cells.chars.shape:
            self._model = Cells(np.full_like(cells.chars, UNKNOWN), np.zeros_like(cells.styles))
            self._geometry = None
        shift = find_shift(self._model, self._geometry, cells, drawn.geometry)
        text = _Painter(self._pen, self._model, cells).paint(shift)
        self._model = Cells(cells.chars.copy(), cells.styles.copy())
        self._geometry = drawn.geometry
        return text


class _Painter:
    """Paints one frame over what is shown; ``model`` follows the terminal."""

    def __init__(self, pen: Pen, model: Cells, cells: Cells) -> None:
        self._pen = pen
        self._model = model
        self._cells = cells
        self._cursor = TerminalCursor(cells.columns)
        self._has_wide = bool((cells.chars == TAIL_CODE).any())
        self._pieces: list[str] = []

    def paint(self, shift: Shift | None) -> str:
        if shift is not None:
            self._delete(shift)
        self._erase_ends()
        changed = (self._model.chars != self._cells.chars) | (self._model.styles != self._cells.styles)
        if self._has_wide:
            _join_halves(changed, self._cells)
        found = list(changed_runs(changed))
        # Characters and styles of all runs, one after the other: a picture is often a hundred short ones.
        width = self._cells.columns
        index = [place for line, start, stop in found for place in range(line * width + start, line * width + stop)]
        text, styles = text_of_codes(self._cells.chars.take(index)), self._cells.styles.take(index).tolist()
        gap, insert = (shift.gap, edit_sequence(INSERT, shift.by)) if shift is not None else (0, "")
        open_lines = set(shift.lines) if shift is not None else set()
        end = 0
        for line, start, stop in found:
            begin, end = end, end + stop - start
            if line in open_lines and stop > gap:
                open_lines.remove(line)
                if start < gap:
                    before, begin = begin, begin + gap - start
                    self._run(line, start, text[before:begin], styles[before:begin])
                    start = gap
                self._pieces.append(self._cursor.to(line, gap) + insert)
            self._run(line, start, text[begin:end], styles[begin:end])
        return "".join(self._pieces) + self._pen.lift()

    def _delete(self, shift: Shift) -> None:
        """Close up the lines at their left ends. What is inserted at the right ends may have any background: it is
        unknown, so that each line has a run there, before which the place for it is made.
        """
        delete = edit_sequence(DELETE, shift.by)
        for line in shift.lines:
            self._pieces.append(self._cursor.to(line, shift.left) + delete)
        first, stop = shift.lines[0], shift.lines[-1] + 1
        # Most often all lines between them move; a slice is faster than a list of lines.
        rows = slice(first, stop) if stop - first == len(shift.lines) else list(shift.lines)
        for array, filler in ((self._model.chars, UNKNOWN), (self._model.styles, 0)):
            array[rows, shift.left : shift.gap] = array[rows, shift.left + shift.by : shift.right]
            array[rows, shift.gap : shift.right] = filler

    def _erase_ends(self) -> None:
        """Where lines are unknown to their ends, erase what will be blank there."""
        chars, styles = self._cells
        for line in np.flatnonzero(self._model.chars[:, -1:] == UNKNOWN).tolist():
            visible = np.flatnonzero((chars[line] != BLANK) | (styles[line] != 0))
            width = int(visible[-1]) + 1 if visible.size else 0
            if self._cells.columns - width > NEAR and (self._model.chars[line, width:] == UNKNOWN).all():
                self._pieces.append(self._cursor.to(line, width) + _ERASE)
                self._model.chars[line, width:], self._model.styles[line, width:] = BLANK, 0

    def _run(self, line: int, start: int, text: str, styles: list[int]) -> None:
        if self._has_wide:
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
            start, text, styles = start + done, text[done:], styles[done:]
        if text:
            self._stroke(line, start, text, styles)

    def _stroke(self, line: int, start: int, text: str, styles: list[int]) -> None:
        self._pieces.append(self._cursor.to(line, start) + self._pen.letters(text, styles))
        self._cursor.wrote(len(text))


def _join_halves(changed: CellMask, cells: Cells) -> None:
    """Let both cells of a character be changed where one is: it can only be written whole."""
    tails = cells.chars[:, 1:] == TAIL_CODE
    either = tails & (changed[:, 1:] | changed[:, :-1])
    changed[:, 1:] |= either
    changed[:, :-1] |= either


def changed_runs(changed: CellMask) -> Iterator[tuple[int, int, int]]:
    """Line, start and end of each run of changes, runs that lie near each other as one; top to bottom."""
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
    """Line, start and end of the cells with these numbers, counted line by line."""
    line, start = divmod(first, width)
    return line, start, start + last - first + 1


def _look_of(options: ViewOptions) -> tuple[object, ...]:
    """What the colour of a style hangs on."""
    return options.depth, options.palette, options.background
