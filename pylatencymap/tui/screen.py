"""The terminal as a screen: taken, painted, and given back as it was."""

from __future__ import annotations

import os

from ..view.cells import Cells
from ..view.diff import paint
from ..view.options import ViewOptions

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
"""Alternate screen, no cursor, empty. These are the same on every terminal that has an alternate screen."""
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"


class Screen:
    """Paints cells on a terminal; ``write`` takes the text of one frame at a time."""

    def __init__(self, descriptor: int, options: ViewOptions) -> None:
        self._descriptor = descriptor
        self._options = options
        self._shown: Cells | None = None
        self._taken = False

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, now."""
        size = os.get_terminal_size(self._descriptor)
        return size.columns, size.lines

    def take(self) -> None:
        """Switch to the alternate screen."""
        if not self._taken:
            self._taken = True
            self._write(ENTER)
        self._shown = None

    def give_back(self) -> None:
        """Leave the terminal as it was; harmless when it was not taken."""
        if self._taken:
            self._taken = False
            self._write(LEAVE)

    def show(self, cells: Cells) -> None:
        """Paint what has changed, in one write."""
        text = paint(self._shown, cells, self._options)
        self._shown = cells
        if text:
            self._write(text)

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._descriptor, data) :]
