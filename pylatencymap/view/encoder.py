"""The live picture: the terminal's own cells are moved, and only what then differs is painted."""

from collections.abc import Iterator

import numpy as np

from ..text.width import TAIL
from .cells import BLANK, TAIL_CODE, BoolArray, Cells, decode
from .cursor import DELETE, INSERT, Cursor, edit
from .geometry import Drawn, Geometry
from .options import ViewOptions
from .sgr import Pen
from .shift import Shift, find_shift

NEAR = 4
"""A change so many cells behind another one belongs to its run: moving the cursor would cost more than the cells."""
SHORT = 40
"""A run of so few cells is written faster cell by cell than as arrays."""
UNKNOWN = 0
"""The character of a cell of which it is not known what the terminal shows."""
_ERASE = "\x1b[K"


def synchronized(text: str) -> str:
    """The text of a frame so that terminals with synchronized output show it at once; others pass over the marks."""
    return f"\x1b[?2026h{text}\x1b[?2026l" if text else ""


class Encoder:
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

    def encode(self, drawn: Drawn) -> str:
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
        self._cursor = Cursor(cells.columns)
        self._has_wide = bool((cells.chars == TAIL_CODE).any())
        self._pieces: list[str] = []
        self._lines: dict[int, tuple[str, list[int]]] = {}

    def paint(self, shift: Shift | None) -> str:
        if shift is not None:
            self._delete(shift)
        self._erase_ends()
        changed = (self._model.chars != self._cells.chars) | (self._model.styles != self._cells.styles)
        if self._has_wide:
            _join_halves(changed, self._cells)
        open_lines = set(shift.lines) if shift is not None else set()
        for line, start, stop in runs(changed):
            if shift is not None and line in open_lines and stop > shift.gap:
                open_lines.remove(line)
                self._run(line, start, shift.gap)
                self._pieces.append(self._cursor.to(line, shift.gap) + edit(INSERT, shift.by))
                start = max(start, shift.gap)
            self._run(line, start, stop)
        return "".join(self._pieces) + self._pen.lift()

    def _delete(self, shift: Shift) -> None:
        """Close up the lines at their left ends. What is inserted at the right ends may have any background: it is
        unknown, so that each line has a run there, before which the place for it is made.
        """
        for line in shift.lines:
            self._pieces.append(self._cursor.to(line, shift.left) + edit(DELETE, shift.by))
        rows = list(shift.lines)
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

    def _run(self, line: int, start: int, stop: int) -> None:
        if self._has_wide:
            # Tables of widths differ with their age. Behind wide characters the cursor is placed anew, so that what
            # follows is where it belongs on a terminal that takes them for narrow ones.
            text = self._line(line)[0]
            while (tail := text.find(TAIL, start, stop)) >= 0:
                end = tail + 1
                while end + 1 < stop and text[end + 1] == TAIL:
                    end += 2
                self._stroke(line, start, end)
                self._cursor.lose()
                start = end
        if start < stop:
            self._stroke(line, start, stop)

    def _stroke(self, line: int, start: int, stop: int) -> None:
        if stop - start > SHORT:
            run = self._pen.run(self._cells.chars[line, start:stop], self._cells.styles[line, start:stop])
        else:
            text, styles = self._line(line)
            run = self._pen.letters(text[start:stop], styles[start:stop])
        self._pieces.append(self._cursor.to(line, start) + run)
        self._cursor.wrote(stop - start)

    def _line(self, line: int) -> tuple[str, list[int]]:
        """Text and styles: a picture is often a hundred short runs, and pieces of these cost less than of arrays."""
        found = self._lines.get(line)
        if found is None:
            found = self._lines[line] = decode(self._cells.chars[line]), self._cells.styles[line].tolist()
        return found


def _join_halves(changed: BoolArray, cells: Cells) -> None:
    """Let both cells of a character be changed where one is: it can only be written whole."""
    tails = cells.chars[:, 1:] == TAIL_CODE
    either = tails & (changed[:, 1:] | changed[:, :-1])
    changed[:, 1:] |= either
    changed[:, :-1] |= either


def runs(changed: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Line, start and end of each run of changes, runs that lie near each other as one; top to bottom."""
    lines, columns = np.nonzero(changed)
    if not lines.size:
        return
    # Lines are counted so far apart that no run goes on from one to the next.
    breaks = np.flatnonzero(np.diff(lines * (changed.shape[1] + NEAR) + columns) > NEAR) + 1
    starts, stops = np.concatenate(([0], breaks)), np.concatenate((breaks, [lines.size])) - 1
    yield from zip(lines[starts].tolist(), columns[starts].tolist(), (columns[stops] + 1).tolist(), strict=True)


def _look_of(options: ViewOptions) -> tuple[object, ...]:
    """What the colour of a style hangs on."""
    return options.depth, options.palette, options.background
