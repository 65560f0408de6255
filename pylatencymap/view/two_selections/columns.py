"""A, B and what they differ by, as columns of numbers beside a map, in the rows of that map."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from ...number_text import count_text, waited_unit
from ...window import FloatArray
from ..layout.layout import WIDE
from ..layout.sides import A, B, SideAverages, SidesPage
from ..style.glyphs import Glyphs
from ..style.options import FREQUENCY, ViewOptions
from ..style.styled_text import StyledSpan
from ..style.styles import DIM, STRONG, TEXT
from .signs import word_style

SIDE_ENDS = (8, 15, 23)
"""Columns of the screen from the right edge of the maps: where the numbers of both sides, and of the change, end."""
_ROUNDING = 1 + 1e-9


class SideColumns(NamedTuple):
    """``names`` of both sides; what they have per second in each row of a map [2, rows], and in all [2]; of a map of
    the time waited, in seconds.
    """

    names: tuple[str, str]
    rows: FloatArray
    totals: tuple[float, float]


def columns_beside(page: SidesPage | None, kinds: Sequence[str], bounds: FloatArray) -> tuple[SideColumns, ...]:
    """The columns of each of the maps, which have rows between ``bounds`` (seconds); none where the averages are not
    known. What lies in no row is in the totals alone.
    """
    if page is None or page.averages is None or len(page.heads) != len(page.averages) or bounds.size < 2:
        return ()
    names = page.heads[0].name, page.heads[1].name
    first, second = page.averages
    return tuple(
        SideColumns(
            names,
            np.array([_in_rows(side, kind, bounds) for side in page.averages]),
            (float(_values(first, kind).sum()), float(_values(second, kind).sum())),
        )
        for kind in kinds
    )


def _values(side: SideAverages, kind: str) -> FloatArray:
    return side.events if kind == FREQUENCY else side.waited


def _in_rows(side: SideAverages, kind: str, bounds: FloatArray) -> FloatArray:
    """The values of a side in the rows of the map."""
    rows: FloatArray = np.zeros(bounds.size - 1)
    places = np.searchsorted(bounds, side.bounds[:-1] * _ROUNDING, side="right") - 1
    inside = (places >= 0) & (places < rows.size)
    np.add.at(rows, places[inside], _values(side, kind)[inside])
    return rows


class SideTexts(NamedTuple):
    """The texts of side columns, each column from left to right: heads, one row for each line, and totals; and their
    ``unit``.
    """

    heads: tuple[StyledSpan, ...]
    lines: tuple[tuple[StyledSpan, ...], ...]
    totals: tuple[StyledSpan, ...]
    unit: str


def side_texts(
    columns: SideColumns, kind: str, lines: Sequence[Sequence[float]], options: ViewOptions, look: Glyphs, width: int
) -> SideTexts:
    """The texts for a screen of a ``width``; ``lines``: the values of both sides on each line of the map. Under WIDE
    columns there is no change.
    """
    factor, unit = (1.0, "/s") if kind == FREQUENCY else waited_unit(max(columns.totals))
    count = 3 if width >= WIDE else 2
    first, second = columns.names
    heads = (first, word_style(first, options)), (second, word_style(second, options)), (f"{second} - {first}", DIM)
    texts = tuple(_texts(was * factor, now * factor, options, look)[:count] for was, now in zip(*lines, strict=True))
    was, now = (total * factor for total in columns.totals)
    totals = tuple((text, ink | STRONG) for text, ink in _texts(was, now, options, look)[:count])
    return SideTexts(heads[:count], texts, totals, unit)


def _texts(was: float, now: float, options: ViewOptions, look: Glyphs) -> tuple[StyledSpan, ...]:
    change = now - was
    ink = DIM if abs(change) < 0.5 else word_style(B if change > 0 else A, options)
    return (
        *((average_text(value, look), TEXT if value > 0 else DIM) for value in (was, now)),
        (signed_text(change, look), ink),
    )


def average_text(average: float, look: Glyphs) -> str:
    """``25``, ``1.04k``; blank where there are no data."""
    return "" if isnan(average) else count_text(average, look.none)


def signed_text(change: float, look: Glyphs) -> str:
    """``+25``, ``-1.04k``; the sign of nothing for what rounds to 0; blank where a side has no data."""
    if isnan(change):
        return ""
    if abs(change) < 0.5:
        return look.none
    return f"{'+' if change > 0 else '-'}{count_text(max(abs(change), 1.0), look.none)}"
