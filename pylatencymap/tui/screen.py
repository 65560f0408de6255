"""The terminal as a screen: taken, painted, and given back as it was."""

from __future__ import annotations

import os
import select
from contextlib import suppress

from ..errors import SourceError
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
        """Leave the terminal as it was; harmless when it was not taken, or when it has gone."""
        if self._taken:
            self._taken = False
            with suppress(SourceError):
                self._write(LEAVE)

    def forget(self) -> None:
        """What the terminal shows is not known any more: the next frame is painted from its first cell to its last."""
        self._shown = None

    def show(self, cells: Cells) -> None:
        """Paint what has changed, in one write."""
        text = paint(self._shown, cells, self._options)
        self._shown = cells
        if text:
            self._write(text)

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:  # a program that shares the terminal has set it so
                select.select([], [self._descriptor], [])
            except OSError as error:
                raise SourceError(f"the terminal cannot be written any more: {error.strerror}") from error
