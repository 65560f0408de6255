"""Paints one panel of a grid: a series with its figures, its maps and its axis."""

from typing import NamedTuple

import numpy as np

from ...number_text import count_text, share_text
from ...text import fit, text_width
from ...text.clean import printable
from ...units import format_measured, measured_digits
from ...window import Matrix
from ..frame.frame import MERGED_SIGN, Frame, MapPanel, clipped_columns
from ..layout.layout import AXIS_COLUMN, MAP_COLUMN
from ..paint.canvas import Canvas
from ..paint.maps import map_cells, unknown_cells
from ..paint.painter import letter_style
from ..paint.selection import paint_corners
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from ..wording.remarks import Remarks
from ..wording.selection import SelectedCells
from ..wording.time_axis import AxisTick, label_starts
from .panel_layout import GridLayout

_FRAME = style(Ink.FRAME)
_CHOSEN = style(bold=True, reverse=True)
_LABEL_END = 7
_OF_WAIT = (" of all wait", " of wait", " wait", "")
"""What a share is of, from the fullest wording to the shortest."""
_LEAST_SHARE = 5
"""Least number of columns for the share next to a name."""
_RATE = style(Ink.FREQUENCY)
_WAIT = style(Ink.INTENSITY)


class GridPanel(NamedTuple):
    """A series of the grid. Its figures are over the window; ``share_of_wait`` is its share of the wait of all."""

    name: str
    matrix: Matrix
    events_per_second: float
    waited_per_second: float
    share_of_wait: float


class PanelRows(NamedTuple):
    """What all panels have in common: ``slots``, ``labels`` and ``limit`` as in Frame.

    ``half``: whether a line has two rows. ``cell_width``: characters per time column.
    """

    slots: np.ndarray[tuple[int, ...], np.dtype[np.intp]]
    labels: tuple[str, ...]
    half: bool
    cell_width: int
    limit: int | None = None


def panel_frame(
    rows: PanelRows,
    panels: tuple[MapPanel, ...],
    matrix: Matrix,
    remarks: Remarks,
    ticks: tuple[AxisTick, ...],
    selected: SelectedCells | None,
) -> Frame:
    """The frame of one panel: maps and axis, without the texts of a picture."""
    return Frame(
        slots=rows.slots,
        labels=rows.labels,
        panels=panels,
        gap=matrix.gap,
        no_data=(matrix.seconds <= 0) & ~matrix.gap,
        dashed=remarks.dashed,
        ticks=ticks,
        letters=clipped_columns(panels, remarks) if rows.half else remarks.letters(),
        title=(),
        title_right=(),
        headings=(),
        below=(),
        keys=(),
        limit=rows.limit,
        selected=selected,
    )


def paint_panel(
    panel: GridPanel, number: int, frame: Frame, rows: PanelRows, layout: GridLayout, look: Glyphs, *, chosen: bool
) -> Canvas:
    """The cells of a panel. ``number`` is the key that shows the series, 0 for none."""
    canvas = Canvas(layout.width, layout.height, ascii_only=look.ascii_only)
    _paint_head(canvas, panel, number, layout, look, chosen=chosen)
    lines, between = layout.map_lines(len(frame.panels))
    for place, drawn in enumerate(frame.panels):
        top = layout.heads + place * (lines + between)
        chars, styles = map_cells(frame, drawn, look, half=rows.half, cell_width=rows.cell_width, totals=False)
        left = MAP_COLUMN + layout.map_width - chars.shape[1]
        canvas.put_block(top, left, chars, styles)
        if frame.selected is not None:
            paint_corners(canvas, frame.selected, look, top, left, rows.cell_width)
        if before := _columns_before(frame) * rows.cell_width:
            canvas.put_block(top, left, *unknown_cells(len(chars), before, look))
        for offset, label in enumerate(frame.labels, top):
            canvas.put(offset, _LABEL_END - len(label) + label.endswith(MERGED_SIGN), label, DIM)
        for line in range(top, top + lines):
            canvas.put(line, AXIS_COLUMN, look.vertical, _FRAME)
        if between and place + 1 < len(frame.panels):
            canvas.put(top + lines, AXIS_COLUMN, look.corner + look.horizontal * layout.map_width, _FRAME)
    _paint_axis(canvas, frame, rows, layout, look)
    return canvas


def _columns_before(frame: Frame) -> int:
    """How many columns there are before the series began, if it has any data in this time."""
    known = np.flatnonzero(~frame.no_data)
    return int(known[0]) if known.size else 0


def _paint_head(
    canvas: Canvas, panel: GridPanel, number: int, layout: GridLayout, look: Glyphs, *, chosen: bool
) -> None:
    """Paint name and figures, on two lines if the panel is tall enough."""
    figures = _figures(panel)
    alone = layout.heads > 1
    name = (f"{number} " if number else "") + printable(panel.name)
    wanted = layout.width - 6 - text_width(name)
    right = () if alone else _fitting(figures[-1:], max(wanted, _LEAST_SHARE))
    room = max(1, layout.width - 4 - width_of(right) - 2 * bool(right))
    name = fit(name, room)
    if chosen:
        canvas.put(0, 1, f"[{name}]" if look.ascii_only else f" {name} ", _CHOSEN)
    else:
        canvas.put(0, 2, name, STRONG)
    if alone:
        canvas.put_text(1, 2, _fitting(figures, layout.width - 3))
    else:
        canvas.put_text(0, layout.width - 1 - width_of(right), right)


def _figures(panel: GridPanel) -> StyledText:
    return (
        (f"{_rate(panel.events_per_second)} /s", _RATE),
        (f"{format_measured(panel.waited_per_second)}/s", _WAIT),
        (f"{share_text(panel.share_of_wait, '0 %')}{_OF_WAIT[0]}", DIM),
    )


def _fitting(figures: StyledText, width: int) -> StyledText:
    """As many figures as fit. The last one is shortened before any is dropped."""
    share, ink = figures[-1]
    number = share.removesuffix(_OF_WAIT[0])
    shorter: list[StyledText] = [(*figures[:-1], (number + of, ink)) for of in _OF_WAIT]
    for shown in shorter if len(figures) == 1 else (*shorter, figures[:-1], figures[:1]):
        spans: list[StyledSpan] = [span for figure in shown for span in (("  ", TEXT), figure)][1:]
        if width_of(spans) <= width:
            break
    return tuple(spans)


def _rate(value: float) -> str:
    return measured_digits(value) if 0.01 <= value < 999.5 else count_text(value, "0")


def _paint_axis(canvas: Canvas, frame: Frame, rows: PanelRows, layout: GridLayout, look: Glyphs) -> None:
    """Paint axis, ticks and letters, and the clock if there is a line for it."""
    line = layout.axis_line(len(frame.panels))
    right = MAP_COLUMN + layout.map_width
    first = right - frame.columns * rows.cell_width
    canvas.put(line, AXIS_COLUMN, look.corner + look.horizontal * layout.map_width, _FRAME)
    for tick in frame.ticks:
        column = first + tick.column * rows.cell_width + rows.cell_width // 2
        canvas.put(line, column, look.tick, _FRAME)
    if layout.clock:
        for start, text in label_starts(frame.ticks, first, rows.cell_width, MAP_COLUMN, right):
            canvas.put(line + 1, start, text, DIM)
    for place, letter in frame.letters.items():
        middle = first + place * rows.cell_width + rows.cell_width // 2
        canvas.put(line, middle, letter, letter_style(letter, look))
