"""A frame painted into cells."""

from .cells import Canvas, Cells, width_of
from .frame import Frame, Panel
from .ink import DIM, STRONG, TEXT, Ink, style
from .layout import AXIS_COLUMN, MAP_COLUMN, Layout
from .legend import (
    bar_text,
    largest_share,
    legend_text,
    line_values,
    number_texts,
    share_texts,
)
from .look import Look
from .mapcells import hatch_cells, map_cells

_FRAME = style(Ink.FRAME)
_LETTER = style(Ink.MARK, bold=True)
_CLIP = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)
_LEFT = 1
_LABEL_END = 7
_NUMBER_END, _SHARE_END, _BAR = 8, 14, 16
"""Columns from the right edge of the maps."""


def paint(frame: Frame, layout: Layout, look: Look, scale: str) -> Cells:
    """All cells of a frame, exactly as many as the layout says."""
    canvas = Canvas(layout.columns, layout.lines, ascii_only=look.ascii_only)
    _paint_title(canvas, frame, layout)
    longest = _longest_share(frame)
    for position, panel in enumerate(frame.panels):
        line = layout.heading_line(position)
        _paint_heading(canvas, frame, position, layout, look, scale)
        _paint_labels(canvas, frame, layout, look, line + 1)
        _paint_map(canvas, frame, panel, layout, look, line + 1)
        _paint_numbers(canvas, frame, panel, layout, look, line + 1, longest)
    _paint_axis(canvas, frame, layout, look)
    for offset, text in enumerate(frame.below, layout.axis_line + 2):
        canvas.put_text(offset, _LEFT, text)
    canvas.put_text(layout.lines - 1, _LEFT, frame.keys)
    return canvas.cells()


def _paint_title(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    canvas.put_text(0, _LEFT, frame.title)
    canvas.put_text(0, layout.columns - _LEFT - width_of(frame.title_right), frame.title_right)


def _paint_heading(canvas: Canvas, frame: Frame, position: int, layout: Layout, look: Look, scale: str) -> None:
    line, panel = layout.heading_line(position), frame.panels[position]
    end = canvas.put_text(line, _LEFT, frame.headings[position])
    legend = legend_text(panel, look, scale, layout.right - end - 2, narrow=layout.narrow)
    canvas.put_text(line, layout.right - width_of(legend), legend)
    if layout.narrow:
        unit = number_texts(panel, _latest(frame, panel), look)[2]
        canvas.put(line, layout.right + _NUMBER_END - len(unit), unit, DIM)
    else:
        canvas.put(line, layout.right + _NUMBER_END - len("latest"), "latest share", DIM)


def _paint_labels(canvas: Canvas, frame: Frame, layout: Layout, look: Look, top: int) -> None:
    labels = [*frame.labels, "total"] if layout.plan.totals else frame.labels
    for line, label in enumerate(labels, top):
        canvas.put(line, _LABEL_END - len(label), label, DIM)
        canvas.put(line, AXIS_COLUMN, look.vertical, _FRAME)


def _paint_map(canvas: Canvas, frame: Frame, panel: Panel, layout: Layout, look: Look, top: int) -> None:
    plan = layout.plan
    chars, styles = map_cells(frame, panel, look, half=plan.half, cell_width=layout.cell_width, totals=plan.totals)
    start = layout.map_width - chars.shape[1]
    canvas.put_block(top, MAP_COLUMN, *hatch_cells(layout.height + plan.totals, start, look))
    canvas.put_block(top, MAP_COLUMN + start, chars, styles)


def _paint_numbers(
    canvas: Canvas, frame: Frame, panel: Panel, layout: Layout, look: Look, top: int, longest: float
) -> None:
    """The newest column: numbers, shares and bars, as many of these as there is room for."""
    values = _latest(frame, panel)
    if not values:
        return
    right = layout.right
    texts, total, unit = number_texts(panel, values, look)
    shares = share_texts(values)
    bar = style(Ink.FREQUENCY if panel.is_frequency else Ink.INTENSITY)
    for offset, (text, share, value) in enumerate(zip(texts, shares, values, strict=True)):
        if not frame.labels[offset] and not value and frame.slots[offset].max() < 0:
            continue
        line = top + offset
        canvas.put(line, right + _NUMBER_END - len(text), text, TEXT if value else DIM)
        if not layout.narrow:
            canvas.put(line, right + _SHARE_END - len(share), share, DIM)
        if layout.wide and value:
            canvas.put(line, right + _BAR, bar_text(value / sum(values), longest, look), bar)
    if layout.plan.totals:
        line = top + layout.height
        canvas.put(line, right + _NUMBER_END - len(total), total, STRONG)
        if not layout.narrow:
            canvas.put(line, right + _SHARE_END - len(unit), unit, DIM)


def _paint_axis(canvas: Canvas, frame: Frame, layout: Layout, look: Look) -> None:
    """Axis with ticks and letters, and the clock below; where two texts would touch, the earlier one stands."""
    line, cell_width = layout.axis_line, layout.cell_width
    first = layout.right - frame.columns * cell_width
    canvas.put(line, AXIS_COLUMN, look.corner + look.horizontal * layout.map_width, _FRAME)
    free = 0
    for tick in frame.ticks:
        column = first + tick.column * cell_width + cell_width // 2
        canvas.put(line, column, look.tick, _FRAME)
        start = min(max(MAP_COLUMN, column - (len(tick.text) - 1) // 2), layout.right - len(tick.text))
        if start > free:
            free = canvas.put(line + 1, start, tick.text, DIM)
    for column, letter in frame.letters.items():
        clip = letter == "+" and look.coloured
        canvas.put(line, first + column * cell_width + cell_width // 2, letter, _CLIP if clip else _LETTER)


def _latest(frame: Frame, panel: Panel) -> list[float]:
    return line_values(panel.latest, frame.slots) if panel.latest is not None else []


def _longest_share(frame: Frame) -> float:
    return max((largest_share(_latest(frame, panel) or [0.0]) for panel in frame.panels), default=0.0)
