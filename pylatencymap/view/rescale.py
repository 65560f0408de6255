"""A change of scale without composing the whole picture: maps are painted again, and the legends."""

from collections.abc import Sequence
from typing import NamedTuple

from .cells import Canvas, CharArray, StyleArray, width_of
from .celltable import CODE, CODE_BITS, CellArray
from .compose import Composed
from .paint import heading_ends, legends


class Patch(NamedTuple):
    """Cells that lie over the picture, the upper left one on a line and in a column of the screen.

    ``chars`` and ``styles`` [lines, columns] are as Cells has them.
    """

    line: int
    column: int
    chars: CharArray
    styles: StyleArray


class Rescaling:
    """Where on the screen what changes with a scale lies, of a picture in which nothing is clipped."""

    def __init__(self, composed: Composed, scale: str) -> None:
        self._composed = composed
        self._scale = scale
        self._known: dict[tuple[float, ...], list[Patch]] = {}

    def map(self, position: int, cells: CellArray) -> Patch:
        """A map, first or second, without its line of totals."""
        layout = self._composed.layout
        column = layout.right - cells.shape[1]
        chars, styles = (cells & CODE).astype("uint32"), (cells >> CODE_BITS).astype("uint16")
        return Patch(layout.heading_line(position) + 1, column, chars, styles)

    def legends(self, maxima: Sequence[float]) -> list[Patch]:
        """What is behind the headings, where the scales end there. Scales come again."""
        key = tuple(maxima)
        if key not in self._known:
            self._known[key] = self._legends(key)
        return self._known[key]

    def _legends(self, maxima: tuple[float, ...]) -> list[Patch]:
        frame, layout, look, _ = self._composed
        panels = zip(frame.panels, maxima, strict=True)
        frame = frame._replace(panels=tuple(panel._replace(maximum=maximum) for panel, maximum in panels))
        found: list[Patch] = []
        texts = legends(frame, layout, look, self._scale)
        for position, (end, text) in enumerate(zip(heading_ends(frame), texts, strict=True)):
            canvas = Canvas(max(layout.right - end, 0), 1, ascii_only=look.ascii_only)
            canvas.put_text(0, canvas.columns - width_of(text), text)
            found.append(Patch(layout.heading_line(position), end, *canvas.cells()))
        return found
