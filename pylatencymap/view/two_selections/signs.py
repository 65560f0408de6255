"""How A and B look: the colour of each, and their braces between the maps and the time axis."""

from __future__ import annotations

from typing import NamedTuple

from ...window import Matrix
from ..layout.scene import Selected
from ..layout.sides import A, SidesPage
from ..layout.status import Status
from ..style.options import ViewOptions
from ..style.ramps import diverging_ramps
from ..style.styles import STRONG, Ink, style
from ..wording.selection import selected_columns

_STEP = 0.7
"""Where on its ramp (0 to 1) the colour of a side is: that of fewer for A, of more for B."""


class SideBrace(NamedTuple):
    """A brace over the time columns ``first`` to ``last``; -1: it lies left of the screen, or right of it if ``first``
    is -2.
    """

    name: str
    first: int
    last: int


LEFT_OF_SCREEN, RIGHT_OF_SCREEN = -1, -2


def find_braces(page: SidesPage | None, matrix: Matrix, status: Status) -> tuple[SideBrace, ...]:
    """The braces of both sides, as far as they are on the time axis; the earlier side first."""
    if page is None or not matrix.columns:
        return ()
    found = []
    for name, begin, end in sorted(page.braces, key=lambda one: one[1:]):
        columns = selected_columns(Selected(begin, end), matrix.ends, status.interval)
        if columns is not None:
            found.append(SideBrace(name, *columns))
        else:
            found.append(SideBrace(name, *[RIGHT_OF_SCREEN if begin >= int(matrix.ends[-1]) else LEFT_OF_SCREEN] * 2))
    return tuple(found)


def _ink(name: str, options: ViewOptions) -> int | None:
    """The colour of a side; None where there are no colours."""
    levels = len(diverging_ramps(options.background, options.depth)[0])
    base = Ink.FEWER_RAMP if name == A else Ink.MORE_RAMP
    return base + max(round(_STEP * levels), 1) if levels else None


def chip_style(name: str, options: ViewOptions) -> int:
    """The style of a side's chip."""
    ink = _ink(name, options)
    return style(bold=True, reverse=True) if ink is None else style(Ink.CLIP_TEXT, ink, bold=True)


def word_style(name: str, options: ViewOptions) -> int:
    """The style of a line, or a word, that is about a side."""
    ink = _ink(name, options)
    return STRONG if ink is None else style(ink)
