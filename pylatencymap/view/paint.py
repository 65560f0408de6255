"""A frame painted into cells."""

from .cells import Canvas, Cells, width_of
from .clock import label_starts
from .frame import Frame, Panel
from .ink import DIM, STRONG, TEXT, Ink, style
from .layout import AXIS_COLUMN, MAP_COLUMN, Layout
from .legend import bar_text, legend_texts, line_values, number_texts, shares_of
from .look import Look
from .mapcells import hatch_cells, map_cells
from .wording import share_text

_FRAME = style(Ink.FRAME)
_CURSOR = style(reverse=True)
_LIMIT = style(Ink.MARK)
_LETTER = style(Ink.MARK, bold=True)
_CLIP = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)
_LIMIT_SIGN = "▸"
_LEFT = 1
_LABEL_END = 7
_NUMBER_END, _SHARE_END, _BAR = 8, 14, 16
"""Columns from the right edge of the maps."""


def paint(frame: Frame, layout: Layout, look: Look, scale: str) -> Cells:
    """All cells of a frame, exactly as many as the layout says."""
    canvas = Canvas(layout.columns, layout.lines, ascii_only=look.ascii_only)
    _paint_title(canvas, frame, layout)
    values = [_latest(frame, panel) for panel in frame.panels]
    shares = [shares_of(panel, numbers) for panel, numbers in zip(frame.panels, values, strict=True)]
    longest = max((share for column in shares for share in column), default=0.0)
    _paint_headings(canvas, frame, layout, look, scale, values)
    for position, panel in enumerate(frame.panels):
        line = layout.heading_line(position)
        _paint_labels(canvas, frame, layout, look, line + 1)
        _paint_map(canvas, frame, panel, layout, look, line + 1)
        _paint_numbers(canvas, frame, panel, layout, look, line + 1, values[position])
        _paint_shares(canvas, panel, layout, look, line + 1, shares[position], longest)
        _paint_pointers(canvas, frame, layout, look, line)
    _paint_axis(canvas, frame, layout, look)
    for offset, text in enumerate(frame.below, layout.axis_line + 2):
        canvas.put_text(offset, _LEFT, text)
    canvas.put_text(layout.lines - 1, _LEFT, frame.keys)
    return canvas.cells()


def _paint_title(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    canvas.put_text(0, _LEFT, frame.title)
    canvas.put_text(0, layout.columns - _LEFT - width_of(frame.title_right), frame.title_right)


def _paint_headings(
    canvas: Canvas, frame: Frame, layout: Layout, look: Look, scale: str, values: list[list[float]]
) -> None:
    lines = [layout.heading_line(position) for position in range(len(frame.panels))]
    for line, heading in zip(lines, frame.headings, strict=True):
        canvas.put_text(line, _LEFT, heading)
    # On a narrow terminal the cursor's time begins where the maps end.
    end = layout.right - (layout.narrow and frame.cursor is not None)
    rooms = [end - _LEFT - width_of(heading) - 2 for heading in frame.headings]
    legends = legend_texts(frame.panels, look, scale, rooms, narrow=layout.narrow)
    for line, legend, panel, numbers in zip(lines, legends, frame.panels, values, strict=True):
        canvas.put_text(line, end - width_of(legend), legend)
        if frame.cursor is not None:
            canvas.put(line, layout.right + (not layout.narrow), frame.cursor.time, _CURSOR)
        elif layout.narrow:
            unit = number_texts(panel, numbers, look)[2]
            canvas.put(line, layout.right + _NUMBER_END - len(unit), unit, DIM)
        else:
            canvas.put(line, layout.right + _NUMBER_END - len("latest"), "latest share", DIM)


def _paint_labels(canvas: Canvas, frame: Frame, layout: Layout, look: Look, top: int) -> None:
    labels = [*frame.labels, "total"] if layout.plan.totals else frame.labels
    for line, label in enumerate(labels, top):
        if label:
            canvas.put(line, _LABEL_END - len(label), label, DIM)
    canvas.put_down(top, AXIS_COLUMN, look.vertical, _FRAME, len(labels))
    if frame.limit is not None:
        canvas.put(top + frame.limit, AXIS_COLUMN, _LIMIT_SIGN, _LIMIT)
    if frame.cursor is not None:
        line, label = top + frame.cursor.line, frame.cursor.label
        canvas.put(line, 0, " " * _LABEL_END)
        canvas.put(line, _LABEL_END - len(label), label, _CURSOR)


def _paint_map(canvas: Canvas, frame: Frame, panel: Panel, layout: Layout, look: Look, top: int) -> None:
    plan = layout.plan
    chars, styles = map_cells(frame, panel, look, half=plan.half, cell_width=layout.cell_width, totals=plan.totals)
    start = layout.map_width - chars.shape[1]
    canvas.put_block(top, MAP_COLUMN, *hatch_cells(layout.height + plan.totals, start, look))
    canvas.put_block(top, MAP_COLUMN + start, chars, styles)


def _paint_pointers(canvas: Canvas, frame: Frame, layout: Layout, look: Look, heading: int) -> None:
    """Where the cursor is, from outside the map: above its column, unless the heading has text there, and beside."""
    if frame.cursor is None:
        return
    column = _middle_of(frame.cursor.column, frame, layout)
    if canvas.is_blank(heading, column):
        canvas.put(heading, column, look.over)
    canvas.put(heading + 1 + frame.cursor.line, layout.right, look.beside)


def _paint_numbers(
    canvas: Canvas, frame: Frame, panel: Panel, layout: Layout, look: Look, top: int, values: list[float]
) -> None:
    """The newest column, or the cursor's, in numbers, and the total of all its rows, those not shown included."""
    if not values:
        return
    end = layout.right + _NUMBER_END
    texts, total, unit = number_texts(panel, values, look)
    for offset, (text, value) in enumerate(zip(texts, values, strict=True)):
        if value or frame.labels[offset] or frame.slots[offset].max() >= 0:
            canvas.put(top + offset, end - len(text), text, TEXT if value else DIM)
    if layout.plan.totals:
        line = top + layout.height
        canvas.put(line, end - len(total), total, STRONG)
        if not layout.narrow:
            canvas.put(line, layout.right + _SHARE_END - len(unit), unit, DIM)


def _paint_shares(
    canvas: Canvas, panel: Panel, layout: Layout, look: Look, top: int, shares: list[float], longest: float
) -> None:
    """The share of each line in the same column, as number and as bar, as far as there is room for these."""
    bar = style(Ink.FREQUENCY if panel.is_frequency else Ink.INTENSITY)
    for line, share in enumerate(shares, top):
        text = share_text(share)
        if not layout.narrow:
            canvas.put(line, layout.right + _SHARE_END - len(text), text, DIM)
        if layout.wide:
            canvas.put(line, layout.right + _BAR, bar_text(share, longest, look), bar)


def _paint_axis(canvas: Canvas, frame: Frame, layout: Layout, look: Look) -> None:
    """Axis with ticks and letters, and the clock below; where two texts would touch, the earlier one stands."""
    line, cell_width = layout.axis_line, layout.cell_width
    first = layout.right - frame.columns * cell_width
    canvas.put(line, AXIS_COLUMN, look.corner + look.horizontal * layout.map_width, _FRAME)
    for tick in frame.ticks:
        canvas.put(line, _middle_of(tick.column, frame, layout), look.tick, _FRAME)
    taken = _paint_cursor_time(canvas, frame, layout, look)
    for start, text in label_starts(frame.ticks, first, cell_width, MAP_COLUMN, layout.right, taken):
        canvas.put(line + 1, start, text, DIM)
    for column, letter in frame.letters.items():
        canvas.put(line, _middle_of(column, frame, layout), letter, letter_style(letter, look))


def letter_style(letter: str, look: Look) -> int:
    """The style of a letter on the axis; ``+`` is of the colour of what it stands for, where there are colours."""
    return _CLIP if letter == "+" and look.coloured else _LETTER


def _paint_cursor_time(canvas: Canvas, frame: Frame, layout: Layout, look: Look) -> range:
    """The time of the cursor's column below the axis; returns the screen columns that it takes."""
    if frame.cursor is None:
        return range(0)
    column, text = _middle_of(frame.cursor.column, frame, layout), f" {frame.cursor.time} "
    canvas.put(layout.axis_line, column, look.tick)
    start = min(max(MAP_COLUMN, column - (len(text) - 1) // 2), layout.right - len(text))
    return range(start, canvas.put(layout.axis_line + 1, start, text, _CURSOR))


def _middle_of(column: int, frame: Frame, layout: Layout) -> int:
    """The screen column in the middle of a time column."""
    return layout.right - (frame.columns - column) * layout.cell_width + layout.cell_width // 2


def _latest(frame: Frame, panel: Panel) -> list[float]:
    return line_values(panel.latest, frame.slots) if panel.latest is not None else []
