"""The numbers right of a map: one column of it with shares and bars, or while two times are compared, both sides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...number_text import share_text
from ..frame.frame import Frame, MapPanel
from ..layout.layout import BAR_START, NUMBER_END, SHARE_END, Layout
from ..style.glyphs import Glyphs
from ..style.options import ViewOptions
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from ..two_selections import SIDE_ENDS, SideColumns, SideTexts, side_texts
from .canvas import Canvas
from .legend import bar_text, line_values, number_texts, shares_of


class MapNumbers(NamedTuple):
    """The texts right of a map: one column (the newest or the cursor's) as a number, share and bar for each line; or
    those of A and B.
    """

    texts: tuple[tuple[str, int], ...] = ()
    """The number of each line with its style; empty without data."""
    total: str = ""
    unit: str = ""
    shares: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    sides: SideTexts | None = None


def all_numbers(frame: Frame, layout: Layout, look: Glyphs, options: ViewOptions) -> tuple[MapNumbers, ...]:
    """The numbers of each map. All maps have bars of one scale: the largest share has the longest bar."""
    if frame.beside:
        return tuple(
            MapNumbers(sides=_of_sides(frame, panel, one, options, look, layout))
            for panel, one in zip(frame.panels, frame.beside, strict=True)
        )
    values = [line_values(panel.latest, frame.slots) if panel.latest is not None else [] for panel in frame.panels]
    shares = [shares_of(panel, numbers) for panel, numbers in zip(frame.panels, values, strict=True)]
    longest = max((share for column in shares for share in column), default=0.0)
    largest = {panel.kind: max(one.total for one in frame.panels if one.kind == panel.kind) for panel in frame.panels}
    return tuple(
        _numbers_of(frame, panel, layout, look, numbers, parts, longest, largest[panel.kind])
        for panel, numbers, parts in zip(frame.panels, values, shares, strict=True)
    )


def _numbers_of(
    frame: Frame,
    panel: MapPanel,
    layout: Layout,
    look: Glyphs,
    values: list[float],
    shares: list[float],
    longest: float,
    largest: float,
) -> MapNumbers:
    texts, total, unit = number_texts(panel, values, look, largest)
    if not values:
        return MapNumbers(unit=unit)
    shown = _lines_with_numbers(frame, values)
    return MapNumbers(
        texts=tuple(
            (text if wanted else "", TEXT if value else DIM)
            for text, value, wanted in zip(texts, values, shown, strict=True)
        ),
        total=total,
        unit=unit,
        shares=tuple(share_text(share) if wanted else "" for share, wanted in zip(shares, shown, strict=True))
        if not layout.narrow
        else (),
        bars=tuple(bar_text(share, longest, layout.bar_width, look) for share in shares) if layout.bar_width else (),
    )


def _lines_with_numbers(frame: Frame, values: list[float]) -> list[bool]:
    """Which lines have numbers: those of rows. Of a row with two lines, the upper one has them."""
    rows = frame.slots.max(axis=1).tolist()
    again = np.append(False, (frame.slots[1:] == frame.slots[:-1]).all(axis=1)).tolist() if len(rows) else []
    return [
        bool(value or label or row >= 0) and not is_again
        for value, label, row, is_again in zip(values, frame.labels, rows, again, strict=True)
    ]


def _of_sides(
    frame: Frame, panel: MapPanel, columns: SideColumns, options: ViewOptions, look: Glyphs, layout: Layout
) -> SideTexts:
    """The texts of both sides; none on lines without a row."""
    lines = [line_values(values, frame.slots) for values in columns.rows]
    texts = side_texts(columns, panel.kind, lines, options, look, layout.columns)
    shown = _lines_with_numbers(frame, [was + now for was, now in zip(*lines, strict=True)])
    return texts._replace(lines=tuple(row if wanted else () for row, wanted in zip(texts.lines, shown, strict=True)))


def paint_numbers(canvas: Canvas, panel: MapPanel, layout: Layout, top: int, numbers: MapNumbers) -> None:
    """Paint numbers, the total of all rows (including those not shown), and shares and bars if there is room."""
    end, right = layout.right + NUMBER_END, layout.right
    if numbers.sides is not None:
        _paint_sides(canvas, layout, top, numbers.sides)
    for line, (text, number_style) in enumerate(numbers.texts, top):
        canvas.put(line, end - len(text), text, number_style)
    if numbers.texts and layout.plan.totals:
        line = top + layout.height
        canvas.put(line, end - len(numbers.total), numbers.total, STRONG)
        if not layout.narrow:
            canvas.put(line, right + SHARE_END - len(numbers.unit), numbers.unit, DIM)
    for line, text in enumerate(numbers.shares, top):
        canvas.put(line, right + SHARE_END - len(text), text, DIM)
    ink = style(Ink.FREQUENCY if panel.is_frequency else Ink.INTENSITY)
    for line, text in enumerate(numbers.bars, top):
        canvas.put(line, right + BAR_START, text, ink)


def _paint_sides(canvas: Canvas, layout: Layout, top: int, texts: SideTexts) -> None:
    """Paint the columns of A, B and the change, with their heads in the line of the map's heading."""
    lines = [(top + place, row) for place, row in enumerate(texts.lines)]
    if layout.plan.totals:
        lines.append((top + layout.height, texts.totals))
    for line, row in lines:
        for (text, ink), end in zip(row, SIDE_ENDS, strict=False):
            canvas.put(line, layout.right + end - len(text), text, ink)


def paint_side_heads(canvas: Canvas, layout: Layout, line: int, texts: SideTexts) -> None:
    """Paint the names of the columns, and their unit before the first one."""
    for (text, ink), end in zip(texts.heads, SIDE_ENDS, strict=False):
        canvas.put(line, layout.right + end - len(text), text, ink)
    canvas.put(line, layout.right + 2, texts.unit, DIM)
